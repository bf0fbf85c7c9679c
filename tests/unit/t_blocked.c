// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a request to those who wait for its pages and buffers: each way there is,
 * and bios that make no sense.
 */
#include "one_waiter.h"

static void test_bits(void)
{
	make();
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	found("folio bit=9", "a page that is read");
	make_op(1);
	fake_page_wait(f, pages, FAKE_WRITEBACK, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	found("folio bit=4", "a page that is written");
	make_op(1);
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	alone("folio bit=9", "locked, but it is written");
	make();
	fake_page_wait(f, pages, FAKE_WRITEBACK, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	alone("folio bit=4", "written, but it is read");
	make();
	fake_page_wait(f, pages, 3, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	alone("folio bit=3", "some other bit");
	make_op(2);
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	alone("folio bit=9", "an operation without pages");
}

static void test_folios(void)
{
	make();
	fake_folio(f, pages, 8, false);
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages + 5 * one, 0, FAKE_PAGE_SIZE);
	found("folio bit=9", "a page within a folio");
	make();
	fake_restore(f, "page.compound_info");
	fake_member(f, "page.compound_info")->offset =
		fake_offset(f, "page.compound_head");
	fake_folio(f, pages, 4, true);
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages + 3 * one, 0, FAKE_PAGE_SIZE);
	found("folio bit=9", "a page within a folio, by mask");
	make();
	fake_folio(f, pages, 8, false);
	fake_page_wait(f, pages + 5 * one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages + 5 * one, 0, FAKE_PAGE_SIZE);
	alone("folio bit=9", "who waits for what is no folio");
}

static void test_vectors(void)
{
	u64 second;

	make();
	fake_page_wait(f, pages + 40 * one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages + 50 * one, 0, FAKE_PAGE_SIZE);
	fake_bio_pages(f, bio, pages, 512, 40 * FAKE_PAGE_SIZE);
	found("folio bit=9", "the last page of a long vector");
	make();
	fake_page_wait(f, pages + 41 * one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 512, 40 * FAKE_PAGE_SIZE);
	alone("folio bit=9", "the page behind it");
	make();
	fake_page_wait(f, pages + 3 * one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 3 * FAKE_PAGE_SIZE + 512, 512);
	found("folio bit=9", "an offset of more than a page");
	make();
	fake_page_wait(f, pages + 9 * one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 512);
	second = fake_bio(f, rq, "end_bio_bh_io_sync", 0);
	fake_bio_pages(f, second, pages + 9 * one, 0, 512);
	found("folio bit=9", "the second bio");
}

/* Only what is still to be done of a bio counts. */
static void test_iterator(void)
{
	make();
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, FAKE_PAGE_SIZE);
	fake_bio_pages(f, bio, pages + one, 0, FAKE_PAGE_SIZE);
	fake_set(f, bio, "bio.bi_iter.bi_idx", 1);
	fake_set(f, bio, "bio.bi_iter.bi_size", FAKE_PAGE_SIZE);
	alone("folio bit=9", "a vector that is done");
	make();
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 2 * FAKE_PAGE_SIZE);
	fake_set(f, bio, "bio.bi_iter.bi_bvec_done", FAKE_PAGE_SIZE);
	fake_set(f, bio, "bio.bi_iter.bi_size", FAKE_PAGE_SIZE);
	alone("folio bit=9", "a page of the vector that is done");
	make();
	fake_page_wait(f, pages + one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 2 * FAKE_PAGE_SIZE);
	fake_set(f, bio, "bio.bi_iter.bi_bvec_done", FAKE_PAGE_SIZE);
	fake_set(f, bio, "bio.bi_iter.bi_size", FAKE_PAGE_SIZE);
	found("folio bit=9", "a page of the vector that is not");
	make();
	fake_page_wait(f, pages + one, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 2 * FAKE_PAGE_SIZE);
	fake_set(f, bio, "bio.bi_iter.bi_size", FAKE_PAGE_SIZE);
	alone("folio bit=9", "a page behind the part that was split off");
}

static void test_buffers(void)
{
	u64 bh;

	bh = make_buffer(1024, 1024);
	fake_set(f, bio, "bio.bi_private", bh);
	fake_bio_pages(f, bio, pages, 1024, 1024);
	found("buffer bit=7", "a buffer and its bio");
	bh = make_buffer(1024, 1024);
	fake_folio(f, pages, 4, false);
	fake_set(f, bio, "bio.bi_private", bh);
	fake_bio_pages(f, bio, pages + 3 * one, 1024, 1024);
	found("buffer bit=7", "a buffer of a folio and its bio");
	make_buffer(1024, 1024);
	fake_bio_pages(f, bio, pages, 0, 4096);
	found("buffer bit=7", "a bio of others, with the buffer's bytes");
	make_buffer(1024, 1024);
	fake_bio_pages(f, bio, pages, 0, 2047);
	alone("buffer bit=7", "a bio without the last of them");
	make_buffer(1024, 1024);
	fake_bio_pages(f, bio, pages, 1025, 2000);
	alone("buffer bit=7", "a bio without the first of them");
	make_buffer(1024, 1024);
	fake_folio(f, pages, 4, false);
	fake_bio_pages(f, bio, pages, 0, 4096);
	alone("buffer bit=7", "a folio of more pages");
	bh = make_buffer(1024, 1024);
	fake_set(f, bio, "bio.bi_private", bh);
	fake_bio_pages(f, bio, pages + one, 1024, 1024);
	alone("buffer bit=7", "its bio, but another page");
}

static void test_order(void)
{
	u64 rq2, bio2;
	u32 i;

	make();
	for (i = 0; i < 3; i++)
		fake_page_wait(f, pages, FAKE_LOCKED,
			       fake_sleeper(f, "more", 100 + i, 0, SEC));
	fake_page_wait(f, pages + one, FAKE_LOCKED, task);
	rq2 = fake_rq(f, &d, .tag = 4, .itag = -1, .state = FAKE_IN_FLIGHT);
	bio2 = fake_bio(f, rq2, "end_bio_bh_io_sync", 0);
	fake_bio_pages(f, bio, pages, 0, 512);
	fake_bio_pages(f, bio2, pages, 512, FAKE_PAGE_SIZE);
	fake_look(f);
	is_u64(fake_count(f, R_blocked), 4, "many: each once");
	for (i = 0; i < 3; i++) {
		is_u64(rec_u64(f, blocked, i, pid), 100 + i, "many: in order");
		is_u64(rec_u64(f, blocked, i, tag), 3, "many: the first request");
	}
	is_u64(rec_u64(f, blocked, 3, tag), 4, "many: another page");
	fake_free(f);
}

static void test_direct(void)
{
	static const char *const end_ios[] = {
		"blkdev_bio_end_io", "blkdev_bio_end_io_simple",
		"blkdev_bio_end_io_async", "iomap_dio_bio_end_io",
		"dio_bio_end_io",
	};
	u64 whole;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(end_ios); i++) {
		make_waiter();
		fake_restore(f, "blkdev_bio_end_io_simple");
		fake_set(f, bio, "bio.bi_end_io", fake_symbol_addr(f, end_ios[i]));
		alone("folio bit=9", end_ios[i]);
	}
	for (i = 0; i < 2; i++) {
		make();
		fake_page_wait(f, pages, FAKE_LOCKED, task);
		fake_bio_pages(f, bio, pages, 0, 512);
		whole = fake_bio(f, 0, i ? "blkdev_bio_end_io" :
				 "end_bio_bh_io_sync", 0);
		fake_set(f, bio, "bio.bi_end_io",
			 fake_symbol_addr(f, "bio_chain_endio"));
		fake_set(f, bio, "bio.bi_private", whole);
		if (i)
			alone("folio bit=9", "part of a direct one");
		else
			found("folio bit=9", "part of another one");
	}
	make();
	fake_page_wait(f, pages, FAKE_LOCKED, task);
	fake_bio_pages(f, bio, pages, 0, 512);
	fake_set(f, bio, "bio.bi_flags", 1 << FAKE_PINNED);
	alone("folio bit=9", "pinned pages");
}

/* One who waits for two bios, each of its own request, is shown once. */
static void test_bio(void)
{
	u64 completion;

	make();
	completion = fake_completion(f);
	fake_wait_for(f, completion, task);
	fake_set(f, bio, "bio.bi_end_io", fake_symbol_addr(f, "bio_wait_end_io"));
	fake_set(f, bio, "bio.bi_private", completion);
	fake_bio(f, fake_rq(f, &d, .tag = 5, .itag = -1,
			    .state = FAKE_IN_FLIGHT), "bio_wait_end_io",
		 completion);
	found("bio", "submit_bio_wait");
}

static void test_bad_bios(void)
{
	make_waiter();
	fake_set(f, bio, "bio.bi_io_vec", fake_nowhere(f, -ENODATA));
	damaged("left out", 1, "vectors that are not there");
	make_waiter();
	fake_set(f, fake_vec(f, bio, 0), "bio_vec.bv_page",
		 fake_nowhere(f, -ENODATA));
	damaged("left out", 1, "a page that is not there");
	make_waiter();
	fake_set(f, fake_vec(f, bio, 0), "bio_vec.bv_len", 0);
	damaged("impossible length", 1, "no bytes");
	make_waiter();
	fake_set(f, fake_vec(f, bio, 0), "bio_vec.bv_offset", 0xffffff00);
	damaged("impossible length", 1, "too far");
	make_waiter();
	fake_set(f, bio, "bio.bi_iter.bi_bvec_done", 512);
	damaged("impossible length", 1, "more done than there is");
	make_waiter();
	fake_set(f, bio, "bio.bi_iter.bi_idx", 70000);
	damaged("so many vectors", 1, "an index too large");
	make_waiter();
	fake_set(f, bio, "bio.bi_io_vec", 0);
	alone("folio bit=9", "no vectors");
}

static void test_kinds(void)
{
	static const struct { u32 word; bool big; } kinds[] = {
		{ 4, false }, { 4, true }, { 8, true },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(kinds); i++) {
		f = fake_new(.word = kinds[i].word, .big_endian = kinds[i].big);
		fake_disk(f, &d, .name = "fda");
		rq = fake_rq(f, &d, .tag = 3, .itag = -1,
			     .state = FAKE_IN_FLIGHT);
		bio = fake_bio(f, rq, "end_bio_bh_io_sync", 0);
		pages = fake_pages(f, 8);
		one = fake_page_struct(f);
		fake_folio(f, pages, 4, false);
		task = fake_process(f, "reader", 77);
		fake_sleep(f, task, 2, 1, 30 * SEC);
		fake_page_wait(f, pages, FAKE_LOCKED, task);
		fake_bio_pages(f, bio, pages + one, 0, FAKE_PAGE_SIZE);
		found("folio bit=9", kinds[i].big ? "big endian" : "small words");
	}
}

int main(void)
{
	test_bits();
	test_folios();
	test_vectors();
	test_iterator();
	test_buffers();
	test_order();
	test_direct();
	test_bio();
	test_bad_bios();
	test_kinds();
	return tap_end();
}
