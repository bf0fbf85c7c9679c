// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits for pages and buffers: what there is, what only looks like it,
 * damage, bounds, and a running kernel.
 */
#include "one_waiter.h"

#define TABLES 512

static void test_nobody(void)
{
	make();
	fake_bio_pages(f, bio, pages, 0, 100);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "nobody: no hang");
	is_u64(fake_count(f, R_blocked), 0, "nobody waits");
	is_u64(rec_u64(f, looked, 0, pages), TABLES, "nobody: looked at");
	is_u64(rec_u64(f, looked, 0, pages_empty), TABLES, "nobody: empty");
	fake_free(f);
}

/* Pages of requests are looked at only if anybody waits for any page. */
static void test_cost(void)
{
	int idle, few, many, i;

	make();
	fake_look(f);
	idle = f->reads;
	for (i = 0; i < 60; i++)
		fake_bio_pages(f, bio, pages + i * one, 0, FAKE_PAGE_SIZE);
	f->reads = 0;
	fake_look(f);
	few = f->reads;
	ok(few <= idle, "nobody waits: %d reads, as for none", few);
	fake_page_wait(f, pages + 63 * one, FAKE_LOCKED, task);
	f->reads = 0;
	fake_look(f);
	many = f->reads;
	ok(many > few + 60, "one who waits: %d reads", many);
	fake_free(f);
}

/* A word that is not the state of a buffer. */
static void test_no_buffers(void)
{
	static const struct { const char *member; u64 value; } bad[] = {
		{ "buffer_head.b_size", 1000 }, { "buffer_head.b_size", 256 },
		{ "buffer_head.b_size", 1 << 30 },
		{ "buffer_head.b_state", 1 }, { "buffer_head.b_this_page", 0 },
		{ "buffer_head.b_bdev", 0x1234 },
	};
	u64 bh;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(bad); i++) {
		bh = make_buffer(0, 1024);
		fake_set(f, bio, "bio.bi_private", bh);
		fake_bio_pages(f, bio, pages, 0, 1024);
		fake_set(f, bh, bad[i].member, bad[i].value);
		alone("bit bit=7", bad[i].member);
	}
	bh = make_buffer(0, 1024);
	fake_set(f, fake_field(f, bh, "buffer_head.b_bdev"),
		 "block_device.bd_disk", fake_new_of(f, "gendisk"));
	fake_bio_pages(f, bio, pages, 0, 1024);
	alone("bit bit=7", "a disk that is not known");
	make();
	bh = fake_buffer(f, &d, pages, 0, 1024);
	fake_bit_wait(f, fake_buffer_word(f, bh), 2, task);
	fake_set(f, bio, "bio.bi_private", bh);
	fake_bio_pages(f, bio, pages, 0, 1024);
	alone("bit bit=2", "another bit of a buffer");
	make();
	fake_bit_wait(f, fake_nowhere(f, -EFAULT), FAKE_BH_LOCK, task);
	alone("bit bit=7", "a word that is not there");
}

static void test_functions(void)
{
	u64 entry;

	make();
	entry = fake_bit_wait(f, fake_alloc(f, 8), -1, task);
	fake_set(f, entry, "wait_queue_entry.func",
		 fake_symbol_addr(f, "var_wake_function"));
	alone("var", "a variable");
	make();
	entry = fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_set(f, entry, "wait_queue_entry.func",
		 fake_symbol_addr(f, "strange_wake"));
	fake_bio_pages(f, bio, pages, 0, 512);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "strange: no hang");
	is_str(line(0), "blocked on=folio func=\"strange_wake [fake_blk]\"",
	       "strange: by function only");
	fake_set(f, entry, "wait_queue_entry.func",
		 fake_symbol_addr(f, "io_async_buf_func"));
	fake_look(f);
	is_str(line(0), "blocked on=folio bit=9 disk=fda hctx=0 tag=3 itag=-1 "
	       "stage=issued func=io_async_buf_func", "io_uring");
	fake_set(f, entry, "wait_queue_entry.func", 0);
	fake_look(f);
	is_u64(fake_count(f, R_blocked), 0, "a place marker");
	is_u64(rec_u64(f, looked, 0, pages) - rec_u64(f, looked, 0, pages_empty),
	       1, "which is not empty");
	fake_free(f);
}

static void test_letters(void)
{
	make();
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_sleep(f, task, 1, 1, SEC);
	fake_look(f);
	is_str(rec_str(f, blocked, 0, state), "S", "interruptible sleep");
	fake_free(f);
}

static void test_bad_lists(void)
{
	u64 entry, node;

	entry = make_waiter();
	fake_put_ptr(f, fake_page_head(f, pages), 0);
	damaged("null pointer", 0, "no list");
	entry = make_waiter();
	node = entry + fake_offset(f, "wait_queue_entry.entry");
	fake_put_ptr(f, node, node);
	damaged("list loops", 1, "a list that loops");
	make_waiter();
	fake_put_ptr(f, fake_page_head(f, pages), 0xffffdead00000000);
	fake_look(f);
	is_u64(fake_faults(f, "not mapped"), 2, "a hole: the entry, and its list");
	is_u64(fake_count(f, R_blocked), 0, "a hole: nobody");
	fake_free(f);
	entry = make_waiter();
	fake_set(f, entry, "wait_queue_entry.private", fake_alloc(f, 4096));
	damaged("is no task", 1, "no task");
	make_waiter();
	fake_hole(f, fake_symbol_addr(f, "bit_wait_table"), -ENODATA);
	fake_look(f);
	ok(fake_faults(f, "left out") >= 1, "half a table: fault");
	is_u64(rec_u64(f, blocked, 0, tag), 3, "half a table: the other one");
	ok(rec_u64(f, looked, 0, pages) < TABLES, "half a table: counted");
	fake_free(f);
}

static void test_bounds(void)
{
	u32 i;

	/* The iterator has more bytes than there are. */
	make();
	fake_page_wait(f, pages + 60 * one, FAKE_LOCKED, task);
	for (i = 0; i < 1024; i++)
		fake_bio_pages(f, bio, pages, 0, 512);
	fake_bio_pages(f, bio, pages + 60 * one, 0, 512);
	alone("folio bit=9", "too many vectors");
	make();
	fake_page_wait(f, pages + 60 * one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 512);
	fake_set(f, bio, "bio.bi_next", bio);
	alone("folio bit=9", "bios in a circle");
	make();
	fake_attach(f);
	for (i = 0; i <= f->w->max_awaited; i++)
		fake_page_wait(f, pages, FAKE_LOCKED, task);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "too many wait: unclear");
	is_u64(fake_count(f, R_blocked), f->w->max_awaited, "too many wait: shown");
	is_u64(rec_u64(f, looked, 0, left_out), 1, "too many wait: counted");
	fake_free(f);
}

static u64 hook_at; /* a read of this address is the moment to */
static void (*hook)(void);

static int read_and_hook(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	if (hook && addr <= hook_at && hook_at < addr + len) {
		hook();
		hook = NULL;
	}
	return fake_ops.read(t, addr, buf, len);
}

static void make_live(void (*fn)(void))
{
	make_waiter();
	fake_live(f, read_and_hook);
	hook_at = fake_vec(f, bio, 0);
	hook = fn;
}

static void leave(void)
{
	fake_list_init(f, fake_page_head(f, pages));
}

static void wait_for_another(void)
{
	u64 node = fake_get(f, fake_page_head(f, pages), f->t.word);
	u64 wait = node - fake_offset(f, "wait_queue_entry.entry") -
		   fake_offset(f, "wait_page_queue.wait");

	fake_set(f, wait, "wait_page_queue.folio", pages + 2 * one);
}

static void end_bio(void)
{
	fake_set(f, rq, "request.bio", 0);
}

static void lose_pages(void)
{
	fake_set(f, fake_vec(f, bio, 0), "bio_vec.bv_page",
		 fake_nowhere(f, -EFAULT));
}

static void test_live(void)
{
	make_live(NULL);
	found("folio bit=9", "live");
	make_live(leave);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "has left: no hang");
	is_u64(fake_count(f, R_blocked), 0, "has left: not shown");
	fake_free(f);
	make_live(wait_for_another);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "waits for another: no hang");
	is_u64(fake_count(f, R_blocked), 0, "waits for another: not shown");
	fake_free(f);
	make_live(end_bio);
	alone("folio bit=9", "a bio that has ended");
	make_live(lose_pages);
	alone("folio bit=9", "a bio that has gone");
	make_live(NULL);
	fake_put_ptr(f, fake_page_head(f, pages), 0xffffdead00000000);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "live, a bad list: unclear");
	is_u64(fake_faults(f, "not mapped"), 2, "live, a bad list: still a fault");
	fake_free(f);
}

static void test_drop(const char *what, bool shown)
{
	make_waiter();
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(fake_count(f, R_blocked), shown, "no %s: shown or not", what);
	ok(!rec_has(f, blocked, 0, tag), "no %s: no request", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	fake_free(f);
}

static void test_buffer_drop(const char *what, const char *on)
{
	u64 bh = make_buffer(1024, 1024);

	fake_set(f, bio, "bio.bi_private", bh);
	fake_bio_pages(f, bio, pages, 1024, 1024);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_str(rec_str(f, blocked, 0, on), on, "no %s: on", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	fake_free(f);
}

static void test_drops(void)
{
	static const char *const gone[] = {
		"folio_wait_table", "wait_queue_head", "wait_queue_head.head",
		"wait_queue_entry", "wait_queue_entry.private",
		"wait_queue_entry.func", "wait_queue_entry.entry",
	};
	static const char *const lone[] = {
		"wait_page_queue.folio", "wait_page_queue.bit_nr",
		"wait_page_queue.wait", "wake_page_function", "page",
		"page.compound_head", "PG_locked", "bio_vec",
		"bio_vec.bv_page", "bio_vec.bv_len", "bio_vec.bv_offset",
		"bio.bi_io_vec", "bio.bi_iter.bi_size", "bio.bi_iter.bi_idx",
		"bio.bi_iter.bi_bvec_done",
	};
	static const char *const buffer[] = {
		"BH_Lock", "buffer_head.b_state", "buffer_head.b_this_page",
		"buffer_head.b_folio", "buffer_head.b_size",
		"buffer_head.b_bdev", "wake_bit_function" };
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(gone); i++)
		test_drop(gone[i], false);
	for (i = 0; i < HANG_ARRAY_SIZE(lone); i++)
		test_drop(lone[i], true);
	for (i = 0; i < HANG_ARRAY_SIZE(buffer); i++)
		test_buffer_drop(buffer[i], "bit");
	test_buffer_drop("buffer_head.b_data", "buffer");
	test_buffer_drop("page.flags.f", "buffer");
	test_buffer_drop("PG_head", "buffer");
	test_buffer_drop("vmcoreinfo_data", "buffer");
	make();
	fake_drop(f, "vmcoreinfo_data");
	fake_page_wait(f, pages + one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 4 * FAKE_PAGE_SIZE);
	alone("folio bit=9", "no page size: not the second page");
	make_waiter();
	fake_drop(f, "vmcoreinfo_data");
	found("folio bit=9", "no page size: the first page");
}

int main(void)
{
	test_nobody();
	test_cost();
	test_no_buffers();
	test_functions();
	test_letters();
	test_bad_lists();
	test_bounds();
	test_live();
	test_drops();
	return tap_end();
}
