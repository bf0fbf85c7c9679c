// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits for a page or a buffer. Two tables of wait queues hold all who wait
 * for a bit in memory to be cleared, wherever that is: one those who wait for a
 * bit of a page (mm/filemap.c), one all others (kernel/sched/wait_bit.c). Most
 * of the queues are empty, and are read many at once.
 *
 * An entry tells what is waited for only if its wake function is one that is
 * known to be used with the structure around it; others are known by function
 * alone. A word is taken for a buffer's state only where all that is looked at
 * makes it one: the rest of the buffer_head, down to a disk that is known.
 */
#include "core.h"

#include <blkhang/kallsyms.h>

#define HEADS 256 /* PAGE_WAIT_TABLE_SIZE, WAIT_TABLE_SIZE */
#define BUFFER_MIN 512
#define BUFFER_MAX (1 << 20)
#define FOLIO_MASK_MAX (1 << 30)
#define INFO_PART 256 /* of VMCOREINFO: the size of a page is at its beginning */

static const enum hang_row_id folio_rows[] = {
	L_wait_folio, L_wait_folio_bit, L_wait_folio_entry,
};
static const enum hang_row_id bit_rows[] = {
	L_wait_bit_word, L_wait_bit_nr, L_wait_bit_entry,
};

/* The structure around an entry with this wake function. */
static const struct {
	enum hang_row_id func;
	const enum hang_row_id *rows; /* what, bit, entry */
	enum hang_on on;
	bool of_task; /* private is a task */
} kinds[] = {
	{ L_sym_wake_folio, folio_rows, HANG_ON_FOLIO, true },
	{ L_sym_wake_iouring, folio_rows, HANG_ON_FOLIO, false },
	{ L_sym_wake_bit, bit_rows, HANG_ON_BIT, true },
	{ L_sym_wake_var, bit_rows, HANG_ON_VAR, true },
};

static bool is_mask(const struct hang_work *w, u64 v)
{
	u64 size = w->t->word == 4 ? (u32)-v : -v;

	return size && !(size & (size - 1)) && size <= FOLIO_MASK_MAX;
}

/*
 * Bit 0 marks a page that is not the first of its folio. The others are the
 * address of the first, or, on newer kernels, may be a mask that gives it.
 */
u64 hang_page_head(const struct hang_work *w, u64 page, u64 info)
{
	if (!(info & 1))
		return page;
	info &= ~1ULL;
	return is_mask(w, info) ? page & info : info;
}

/* The disk of a block device is one that has been found. */
static bool is_bdev(struct hang_work *w, u64 bdev)
{
	u64 disk;

	return !hang_read_member(w, bdev, L_bdev_disk, &disk) &&
	       hang_disk_is_known(w, disk);
}

static bool is_buffer(struct hang_work *w, u64 bh)
{
	u64 state, next, size, bdev;

	return !hang_read_member(w, bh, L_bh_state, &state) &&
	       (state >> hang_loc(w, L_enum_bh_lock) & 1) &&
	       !hang_read_member(w, bh, L_bh_size, &size) &&
	       size >= BUFFER_MIN && size <= BUFFER_MAX &&
	       !(size & (size - 1)) &&
	       !hang_read_member(w, bh, L_bh_this_page, &next) &&
	       hang_is_kernel_ptr(w, next) &&
	       !hang_read_member(w, bh, L_bh_bdev, &bdev) && is_bdev(w, bdev);
}

/* Makes a wait for a bit one for a buffer, if it is one. */
static void try_buffer(struct hang_work *w, struct hang_awaited *a)
{
	u64 bh = a->what - hang_loc(w, L_bh_state);
	bool hush = w->hush;
	u64 page, info;

	if (!hang_has(w, L_enum_bh_lock) || !hang_has(w, L_bh_state) ||
	    a->bit != (s32)hang_loc(w, L_enum_bh_lock) || bh % w->t->word)
		return;
	w->hush = true;
	if (is_buffer(w, bh) && !hang_read_member(w, bh, L_bh_page, &page)) {
		a->on = HANG_ON_BUFFER;
		a->what = bh;
		if (!hang_read_member(w, page, L_page_head, &info))
			a->folio = hang_page_head(w, page, info);
	}
	w->hush = hush;
}

static void decode(struct hang_work *w, struct hang_awaited *a, u32 kind)
{
	const enum hang_row_id *rows = kinds[kind].rows;
	u64 base = a->entry - hang_loc(w, rows[2]);
	u64 bit;

	if (!hang_has(w, rows[2]) ||
	    hang_read_member(w, base, rows[0], &a->what) ||
	    hang_read_member(w, base, rows[1], &bit))
		return;
	a->bit = (s32)bit;
	a->on = kinds[kind].on;
	if (kinds[kind].of_task)
		a->task = hang_snap_get(w, &w->wait_snap, L_wq_private);
	if (a->on == HANG_ON_FOLIO)
		a->folio = a->what;
	else if (a->on == HANG_ON_BIT)
		try_buffer(w, a);
}

/* Fills a from the entry; false if there is none, or just a place marker. */
static bool load(struct hang_work *w, u64 entry, enum hang_on on,
		 struct hang_awaited *a)
{
	u64 func;
	u32 i;

	memset(a, 0, sizeof(*a));
	a->entry = entry;
	a->on = on;
	a->bit = -1;
	if (hang_snap_load(w, &w->wait_snap, entry, L_size_wq_entry))
		return false;
	func = hang_snap_get(w, &w->wait_snap, L_wq_func);
	for (i = 0; func && i < HANG_ARRAY_SIZE(kinds); i++)
		if (func == hang_loc(w, kinds[i].func))
			decode(w, a, i);
	return func;
}

/* Those of one folio are chained in the order in which they were found. */
static void chain(struct hang_work *w, u32 i)
{
	struct hang_awaited *a = &w->awaited[i];
	u32 first;

	a->next = a->last = i;
	if (!a->folio)
		return;
	if (!hang_map_get(&w->awaiting, a->folio, &first)) {
		hang_map_put(&w->awaiting, a->folio, i);
		return;
	}
	w->awaited[w->awaited[first].last].next = i;
	w->awaited[first].last = i;
}

/* A list that loops, or is read again, brings the same entries: once is enough. */
static int entry_found(struct hang_work *w, u64 node, void *arg)
{
	u64 entry = node - hang_loc(w, L_wq_node);
	const enum hang_on *on = arg;
	u32 i = w->nr_awaited;
	u32 before;

	if (hang_map_get(&w->awaiting, entry, &before))
		return 0;
	if (i == w->max_awaited || hang_map_is_full(&w->awaiting)) {
		w->looked.left_out++;
		return 0;
	}
	if (!load(w, entry, *on, &w->awaited[i]))
		return 0;
	hang_map_put(&w->awaiting, entry, i);
	chain(w, i);
	w->nr_awaited++;
	w->untold++;
	return 0;
}

static void walk_head(struct hang_work *w, u64 head, enum hang_on on)
{
	u32 tries = hang_list_tries(w);
	int err;

	do {
		w->hush = --tries != 0;
		err = hang_for_each_list(w, head, entry_found, &on,
					 "wait queue");
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
}

/* Part of a table, of n heads. */
static void walk_part(struct hang_work *w, u64 base, u32 n, enum hang_on on)
{
	u64 size = hang_loc(w, L_size_wq_head);
	u64 at = hang_loc(w, L_wq_head_list);
	u32 i;

	if (hang_read(w, base, w->page_snap.data, n * size, "wait table"))
		return;
	w->looked.pages += n;
	for (i = 0; i < n; i++, at += size) {
		if (hang_decode(w->t, w->page_snap.data + at, w->t->word) ==
		    base + at)
			w->looked.pages_empty++;
		else
			walk_head(w, base + at, on);
	}
}

static void walk_table(struct hang_work *w, enum hang_row_id table,
		       enum hang_on on)
{
	u64 size = hang_loc(w, L_size_wq_head);
	u32 part = size ? hang_div64(HANG_SNAP_SIZE, size) : 0;
	u32 i, n;

	if (!hang_has(w, table) || !part || !hang_has(w, L_wq_head_list) ||
	    hang_loc(w, L_wq_head_list) + w->t->word > size)
		return;
	for (i = 0; i < HEADS && !hang_interrupted(w); i += n) {
		n = HEADS - i < part ? HEADS - i : part;
		walk_part(w, hang_loc(w, table) + i * size, n, on);
	}
}

/* From the kernel's own VMCOREINFO; 0 where it has none. */
static u32 read_page_size(struct hang_work *w)
{
	char *info = (char *)w->page_snap.data;
	u32 size = 0;
	const char *p;
	u64 at;

	if (!hang_has(w, L_sym_vmcoreinfo) ||
	    hang_read_ptr(w, hang_loc(w, L_sym_vmcoreinfo), &at,
			  "vmcoreinfo_data") ||
	    !at || hang_read(w, at, info, INFO_PART, "vmcoreinfo_data"))
		return 0;
	p = hang_vmcoreinfo(info, INFO_PART, "PAGESIZE");
	for (; p && p < info + INFO_PART && *p >= '0' && *p <= '9'; p++)
		size = size * 10 + (*p - '0');
	return size >= BUFFER_MIN && !(size & (size - 1)) ? size : 0;
}

void hang_walk_page_waits(struct hang_work *w)
{
	w->nr_awaited = 0;
	w->untold = 0;
	w->page_size = 0;
	hang_map_clear(&w->awaiting);
	if (!hang_has(w, L_size_wq_entry) || !hang_has(w, L_wq_node) ||
	    !hang_has(w, L_wq_func) || !hang_has(w, L_wq_private))
		return;
	walk_table(w, L_sym_folio_table, HANG_ON_FOLIO);
	walk_table(w, L_sym_bit_table, HANG_ON_BIT);
	if (w->untold)
		w->page_size = read_page_size(w);
}

bool hang_still_awaited(struct hang_work *w, const struct hang_awaited *a)
{
	u64 node = a->entry + hang_loc(w, L_wq_node);
	struct hang_awaited now;
	u64 prev, next;

	return load(w, a->entry, a->on, &now) && now.what == a->what &&
	       now.task == a->task && now.bit == a->bit &&
	       !hang_read_ptr(w, node + w->t->word, &prev, "wait queue") &&
	       !hang_read_ptr(w, prev, &next, "wait queue") && next == node;
}
