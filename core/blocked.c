// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a request to those who wait for a page or a buffer that it reads or
 * writes. The pages of its bios are compared with those that are waited for:
 *
 *   a folio, locked         while it is read
 *   a folio in writeback    while it is written
 *   a buffer, locked        while its part of a page is read or written
 *
 * Pages of direct I/O are the user's and say nothing of who waits for them.
 * Who waits for a bio has been found by waiter.c.
 *
 * In a running kernel much may have happened since the wait queues were looked
 * at: one who waits is shown only if he still does, and a request only if it is
 * still at the same bio. A task is shown once, with the first request found.
 */
#include "core.h"

#define BIOS_MAX 1024  /* of one request, */
#define VECS_MAX 1024  /* their vectors, */
#define PAGES_MAX 8192 /* and pages */
#define IDX_MAX 65536
#define OP_READ 0 /* REQ_OP_READ, REQ_OP_WRITE */
#define OP_WRITE 1
#define OP_MASK 0xff

static const char *const on_names[] = {
	[HANG_ON_FOLIO] = "folio", [HANG_ON_BUFFER] = "buffer",
	[HANG_ON_BIT] = "bit",	   [HANG_ON_VAR] = "var",
	[HANG_ON_BIO] = "bio",
};

/* What has been seen of a request so far, and of one of its bios. */
struct look {
	u64 op;
	u32 vecs, pages;
	u64 private;
	bool direct_known, direct;
};

static bool show_task(struct hang_work *w, struct hang_rec *rec, u64 task)
{
	static const struct hang_task_fields fields = {
		F_blocked_pid, F_blocked_comm, F_blocked_state, F_blocked_slept,
	};

	if (!hang_task_show_waiting(w, rec, task, &fields,
				    "wait_queue_entry.private"))
		return false;
	hang_upper_show_worker(w, rec, task, F_blocked_upper);
	return true;
}

/* From the request's own record. */
static void show_rq(struct hang_work *w, struct hang_rec *rec)
{
	const struct hang_rec *rq = &w->rec;

	hang_rec_str(rec, F_blocked_disk, hang_rec_text(rq, F_rq_disk));
	hang_rec_set(rec, F_blocked_hctx, hang_rec_get(rq, F_rq_hctx));
	hang_rec_set(rec, F_blocked_tag, hang_rec_get(rq, F_rq_tag));
	hang_rec_set(rec, F_blocked_itag, hang_rec_get(rq, F_rq_itag));
	hang_rec_str(rec, F_blocked_stage, hang_rec_text(rq, F_rq_stage));
}

static void show_func(struct hang_work *w, struct hang_rec *rec, u64 entry)
{
	struct hang_str s;
	u64 func;

	if (hang_read_member(w, entry, L_wq_func, &func))
		return;
	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_symbol(w, &s, func);
	hang_rec_str(rec, F_blocked_func, w->text);
}

/* Shows one who waits, for the request in w->rec if with_rq. */
static void tell(struct hang_work *w, struct hang_awaited *a, bool with_rq)
{
	struct hang_rec *rec = &w->blocked_rec;

	a->told = true;
	w->untold--;
	if (hang_is_live(w) && !hang_still_awaited(w, a))
		return;
	hang_rec_start(rec, R_blocked);
	hang_rec_str(rec, F_blocked_on, on_names[a->on]);
	if (a->bit >= 0)
		hang_rec_set(rec, F_blocked_bit, a->bit);
	if (a->what)
		hang_rec_set(rec, F_blocked_addr, a->what);
	if (!show_task(w, rec, a->task))
		show_func(w, rec, a->entry);
	if (with_rq)
		show_rq(w, rec);
	hang_emit(w, rec);
}

static bool is_direct(struct hang_work *w, struct look *l)
{
	if (!l->direct_known)
		l->direct = hang_bio_is_direct(w);
	l->direct_known = true;
	return l->direct;
}

/* So many bytes of a page, from byte at on. */
struct part {
	u64 page;
	u32 at, len;
	bool alone; /* known to be all of its folio */
};

/* Whether the part is of this page and has the whole buffer in it. */
static bool has_buffer(struct hang_work *w, u64 bh, const struct part *p)
{
	u64 page, data, size;

	if (!p->alone || !w->page_size ||
	    hang_read_member(w, bh, L_bh_page, &page) || page != p->page ||
	    hang_read_member(w, bh, L_bh_data, &data) ||
	    hang_read_member(w, bh, L_bh_size, &size))
		return false;
	data &= w->page_size - 1;
	return data >= p->at && data + size <= p->at + (u64)p->len;
}

/* Whether the request is one that a waits for; its folio is the same. */
static bool is_awaited(struct hang_work *w, const struct hang_awaited *a,
		       const struct look *l, const struct part *p)
{
	if (a->on == HANG_ON_BUFFER)
		return a->what == l->private || has_buffer(w, a->what, p);
	if (a->on != HANG_ON_FOLIO)
		return false;
	if (hang_has(w, L_enum_pg_locked) &&
	    a->bit == (s32)hang_loc(w, L_enum_pg_locked))
		return l->op == OP_READ;
	return hang_has(w, L_enum_pg_writeback) &&
	       a->bit == (s32)hang_loc(w, L_enum_pg_writeback) &&
	       l->op == OP_WRITE;
}

static void page_found(struct hang_work *w, struct look *l, u64 folio,
		       const struct part *p)
{
	u32 i, next;

	if (!hang_map_get(&w->awaiting, folio, &i) || i >= w->nr_awaited ||
	    w->awaited[i].folio != folio)
		return;
	for (;; i = next) {
		struct hang_awaited *a = &w->awaited[i];

		next = a->next;
		if (!a->told && is_awaited(w, a, l, p) && !is_direct(w, l) &&
		    (!hang_is_live(w) || hang_rq_is_same(w)))
			tell(w, a, true);
		if (next == i)
			return;
	}
}

/* The page of number i in w->page_snap, which bytes from at on are of. */
static void look_at_page(struct hang_work *w, struct look *l, u32 i,
			 struct part *p)
{
	const u8 *data = w->page_snap.data + i * hang_loc(w, L_size_page);
	u64 info = hang_decode(w->t, data + hang_loc(w, L_page_head),
			       w->t->word);
	u64 folio = hang_page_head(w, p->page, info);
	u64 flags;

	p->alone = false;
	if (folio == p->page && hang_has(w, L_page_flags) &&
	    hang_has(w, L_enum_pg_head)) {
		flags = hang_decode(w->t, data + hang_loc(w, L_page_flags),
				    w->t->word);
		p->alone = !(flags >> hang_loc(w, L_enum_pg_head) & 1);
	}
	page_found(w, l, folio, p);
}

/* n pages from p->page on, which bytes from p->at on are of; read in pieces. */
static int walk_pages(struct hang_work *w, struct look *l, struct part *p,
		      u32 n, u32 bytes)
{
	u32 size = hang_loc(w, L_size_page);
	u32 fit = HANG_SNAP_SIZE / size;
	u32 i;

	for (i = 0; i < n && w->untold; i++) {
		u32 left = n - i < fit ? n - i : fit;

		if (i % fit == 0 && hang_read(w, p->page, w->page_snap.data,
					      left * size, "page"))
			return -EFAULT;
		p->len = bytes;
		if (w->page_size && w->page_size - p->at < bytes)
			p->len = w->page_size - p->at;
		look_at_page(w, l, i % fit, p);
		bytes -= p->len;
		p->at = 0;
		p->page += size;
	}
	return 0;
}

/* A vector may go over many pages, which are next to each other. */
static int walk_vector(struct hang_work *w, struct look *l, u64 page, u32 at,
		       u32 bytes)
{
	struct part p = { .page = page, .at = at };
	u32 n = 1;

	if (w->page_size) {
		p.page += at / w->page_size * hang_loc(w, L_size_page);
		p.at = at & (w->page_size - 1);
		n = (p.at + bytes - 1) / w->page_size + 1;
	}
	if (n > PAGES_MAX - l->pages)
		n = PAGES_MAX - l->pages;
	l->pages += n;
	return walk_pages(w, l, &p, n, bytes);
}

static u64 bio_get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->bio_snap, row);
}

static u64 vec_get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->wait_snap, row);
}

/* What is left to do of the bio, by its iterator. */
static int walk_vectors(struct hang_work *w, struct look *l)
{
	u64 vec = bio_get(w, L_bio_vecs);
	u64 left = bio_get(w, L_bio_iter_size);
	u64 done = bio_get(w, L_bio_iter_done);
	u64 idx = bio_get(w, L_bio_iter_idx);
	int err = 0;

	if (idx >= IDX_MAX) {
		hang_fault(w, "bio.bi_iter.bi_idx", w->bio_snap.addr, -EINVAL,
			   "no bio has so many vectors");
		return -EINVAL;
	}
	/* One without vectors has memory of a device. */
	if (!vec)
		return 0;
	vec += idx * hang_loc(w, L_size_bvec);
	while (!err && left && w->untold && l->pages < PAGES_MAX &&
	       l->vecs++ < VECS_MAX) {
		u64 len, at;

		if (hang_snap_load(w, &w->wait_snap, vec, L_size_bvec))
			return -EFAULT;
		len = vec_get(w, L_bvec_len);
		at = vec_get(w, L_bvec_offset) + done;
		if (len <= done || at + len >= 1ULL << 32) {
			hang_fault(w, "bio_vec", vec, -EINVAL,
				   "impossible length");
			return -EINVAL;
		}
		len -= done;
		len = len < left ? len : left;
		err = walk_vector(w, l, vec_get(w, L_bvec_page), at, len);
		left -= len;
		done = 0;
		vec += hang_loc(w, L_size_bvec);
	}
	return err;
}

static void walk_bios(struct hang_work *w, struct look *l, u64 bio)
{
	u32 i;

	for (i = 0; bio && w->untold && i < BIOS_MAX; i++) {
		u64 next;

		if (hang_interrupted(w) ||
		    hang_snap_load(w, &w->bio_snap, bio, L_size_bio))
			return;
		next = bio_get(w, L_bio_next);
		l->private = bio_get(w, L_bio_private);
		l->direct_known = false;
		if (walk_vectors(w, l))
			return;
		bio = next;
	}
}

static bool has_rows(const struct hang_work *w)
{
	static const enum hang_row_id rows[] = {
		L_size_page, L_page_head, L_size_bvec, L_bvec_page,
		L_bvec_len, L_bvec_offset, L_bio_vecs, L_bio_iter_size,
		L_bio_iter_idx, L_bio_iter_done,
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(rows); i++)
		if (!hang_has(w, rows[i]))
			return false;
	return hang_loc(w, L_size_page) &&
	       hang_loc(w, L_size_page) <= HANG_SNAP_SIZE;
}

/* A task that waits for many bios, each in a request of its own, waits once. */
static void tell_bio(struct hang_work *w, u64 task)
{
	struct hang_rec *rec = &w->blocked_rec;
	u32 told;

	if (hang_map_get(&w->awaiting, task, &told))
		return;
	hang_map_put(&w->awaiting, task, 0);
	hang_rec_start(rec, R_blocked);
	hang_rec_str(rec, F_blocked_on, on_names[HANG_ON_BIO]);
	show_task(w, rec, task);
	show_rq(w, rec);
	hang_emit(w, rec);
}

void hang_blocked_emit(struct hang_work *w, u64 task)
{
	struct look l = {
		.op = hang_snap_get(w, &w->rq_snap, L_rq_cmd_flags) & OP_MASK,
	};

	w->hush = hang_is_live(w);
	if (task)
		tell_bio(w, task);
	/* Where it couldn't be read before, it has had its fault. */
	if (l.op <= OP_WRITE && w->bio_snap.len && has_rows(w))
		walk_bios(w, &l, hang_snap_get(w, &w->rq_snap, L_rq_bio));
	w->hush = false;
}

void hang_blocked_rest(struct hang_work *w)
{
	u32 i;

	w->hush = hang_is_live(w);
	for (i = 0; i < w->nr_awaited && !hang_interrupted(w); i++)
		if (!w->awaited[i].told)
			tell(w, &w->awaited[i], false);
	w->hush = false;
}
