// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a request to the disk above it, and nothing where that is in doubt.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d, up;
static u64 rq;

static void make(u32 word, bool big)
{
	f = fake_new(.word = word, .big_endian = big);
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT);
}

static void is_upper(const char *want, const char *name)
{
	fake_look(f);
	is_str(rec_str(f, rq, 0, upper), want, "%s", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
}

static void test_dm(u32 word, bool big)
{
	u64 bio;

	make(word, big);
	bio = fake_dm_clone(f, rq, fake_dm(f, &up, "dm-0"), 0);
	is_upper("dm-0", "dm");
	/* The disk has split it: twice. */
	fake_set(f, rq, "request.bio", 0);
	bio = fake_bio(f, 0, "bio_chain_endio", bio);
	fake_bio(f, rq, "bio_chain_endio", bio);
	is_upper("dm-0", "dm, split");
	fake_free(f);
}

static void test_chain_loops(void)
{
	u64 bio;

	make(8, false);
	fake_dm(f, &up, "dm-0");
	bio = fake_bio(f, rq, "bio_chain_endio", 0);
	fake_set(f, bio, "bio.bi_private", bio);
	is_upper("", "a chain that loops");
	fake_free(f);
}

static void test_raid1(const char *end_io)
{
	u64 r1bio;

	make(8, false);
	r1bio = fake_new_of(f, "r1bio");
	fake_set(f, r1bio, "r1bio.mddev", fake_md(f, &up, "md1"));
	fake_symbol(f, end_io, "raid1", 64);
	fake_bio(f, rq, end_io, r1bio);
	is_upper("md1", end_io);
	fake_free(f);
}

/* raid1 on md's own clone of a bio of dm, for which a task waits. */
static void test_waiter(void)
{
	u64 task, bio, clone, r1bio, mddev;
	struct fake_disk top;

	make(8, false);
	task = fake_process(f, "reader", 77);
	fake_sleep(f, task, 2, 1, 5 * SEC);
	bio = fake_bio(f, 0, "bio_wait_end_io", fake_completion(f));
	fake_wait_for(f, fake_field(f, bio, "bio.bi_private"), task);
	bio = fake_dm_clone(f, 0, fake_dm(f, &top, "dm-0"), bio);
	mddev = fake_md(f, &up, "md1");
	clone = fake_new_of(f, "md_io_clone");
	fake_set(f, clone, "md_io_clone.mddev", mddev);
	fake_set(f, clone, "md_io_clone.orig_bio", bio);
	fake_symbol(f, "md_end_clone_io", "md_mod", 64);
	r1bio = fake_new_of(f, "r1bio");
	fake_set(f, r1bio, "r1bio.mddev", mddev);
	fake_set(f, r1bio, "r1bio.master_bio",
		 fake_bio(f, 0, "md_end_clone_io", clone));
	fake_symbol(f, "raid1_end_read_request", "raid1", 64);
	fake_bio(f, rq, "raid1_end_read_request", r1bio);
	is_upper("md1", "two disks up");
	is_u64(rec_u64(f, rq, 0, waiter), 77, "two disks up: who waits");
	fake_set(f, clone, "md_io_clone.mddev", r1bio);
	fake_look(f);
	ok(!rec_has(f, rq, 0, waiter), "in doubt: nobody is named");
	fake_free(f);
}

/* A ring of bios that were made of each other. */
static void test_clone_loops(void)
{
	u64 bio, tio, io;

	make(8, false);
	bio = fake_dm_clone(f, rq, fake_dm(f, &up, "dm-0"), 0);
	tio = bio - fake_offset(f, "dm_target_io.clone");
	io = fake_field(f, tio, "dm_target_io.io");
	fake_set(f, io, "dm_io.orig_bio", bio);
	is_upper("dm-0", "made of itself");
	ok(!rec_has(f, rq, 0, waiter), "made of itself: nobody waits");
	fake_free(f);
}

static void test_requests(void)
{
	u64 tio, md;

	make(8, false);
	md = fake_dm(f, &up, "dm-7");
	tio = fake_new_of(f, "dm_rq_target_io");
	fake_set(f, tio, "dm_rq_target_io.md", md);
	fake_set(f, rq, "request.end_io",
		 fake_symbol(f, "end_clone_request", "dm_mod", 64));
	fake_set(f, rq, "request.end_io_data", tio);
	is_upper("dm-7", "a cloned request");
	fake_free(f);
}

static void test_doubt(void)
{
	struct fake_disk other;
	u64 md, bio;

	make(8, false);
	md = fake_dm(f, &up, "dm-0");
	bio = fake_dm_clone(f, rq, md, 0);
	fake_disk_ops(f, &up, "fake_fops", "fake_blk", bio);
	is_upper("", "a disk that does not point back");
	fake_disk(f, &other, .name = "dm-9", .bio = true, .unlisted = true);
	fake_set(f, other.gendisk, "gendisk.private_data", md);
	fake_set(f, md, "mapped_device.disk", other.gendisk);
	is_upper("", "a disk that is not known");
	fake_free(f);
	make(8, false);
	fake_dm(f, &up, "dm-0");
	fake_symbol(f, "clone_endio", "fake_blk", 64);
	fake_bio(f, rq, "clone_endio", 0);
	is_upper("", "a function of another module");
	fake_free(f);
}

static void test_damaged(void)
{
	make(8, false);
	fake_dm(f, &up, "dm-0");
	fake_dm_clone(f, rq, fake_nowhere(f, -ENODATA), 0);
	fake_look(f);
	is_str(rec_str(f, rq, 0, upper), "", "not in the dump: not told");
	is_u64(fake_count(f, R_fault), 1, "not in the dump: one fault");
	fake_free(f);
}

/* Direct I/O of a loop disk: the kiocb of a request's loop_cmd. */
static u64 iocb_of(const char *complete, const char *module)
{
	u64 iocb;

	fake_loop(f, &up, "loop3");
	iocb = fake_rq(f, &up, .tag = 4, .state = FAKE_IN_FLIGHT, .age = SEC) +
	       fake_sizeof(f, "request") + fake_offset(f, "loop_cmd.iocb");
	fake_set(f, iocb, "kiocb.ki_complete",
		 fake_symbol(f, complete, module, 64));
	return iocb;
}

/* A bio of direct I/O, within its structure or pointing to it. */
static u64 direct(const char *end_io, bool async)
{
	u64 dio = fake_new_of(f, async ? "blkdev_dio" : "iomap_dio");
	u64 bio = dio + fake_offset(f, "blkdev_dio.bio");

	if (async) {
		fake_set(f, bio, "bio.bi_end_io", fake_symbol_addr(f, end_io));
		fake_set(f, rq, "request.bio", bio);
	} else {
		fake_bio(f, rq, end_io, dio);
	}
	return dio;
}

static void test_loop_direct(bool async)
{
	const char *end_io = async ? "blkdev_bio_end_io_async"
				   : "iomap_dio_bio_end_io";
	const char *member = async ? "blkdev_dio.iocb" : "iomap_dio.iocb";
	u64 dio;

	make(8, false);
	dio = direct(end_io, async);
	fake_set(f, dio, member, iocb_of("lo_rw_aio_complete", "loop"));
	is_upper("loop3", end_io);
	fake_set(f, dio, member, fake_nowhere(f, -EFAULT));
	is_upper("", "an iocb that can't be read");
	fake_free(f);
	make(8, false);
	dio = direct(end_io, async);
	fake_set(f, dio, member, iocb_of("aio_complete", NULL));
	is_upper("", "an iocb of another");
	fake_free(f);
}

/* A worker that reads the file as any task would, and waits for its request. */
static void worker_at(u64 item)
{
	u64 completion = fake_completion(f);
	u64 task = fake_worker(f, "kworker/u8:1", 90, item);

	fake_sleep(f, task, 2, 1, 5 * SEC);
	fake_bio(f, rq, "submit_bio_wait_endio", completion);
	fake_wait_for(f, completion, task);
	fake_look(f);
	is_u64(rec_u64(f, blocked, 0, pid), 90, "a worker waits");
}

static void test_loop_worker(void)
{
	u64 lo;

	make(8, false);
	lo = fake_loop(f, &up, "loop3");
	worker_at(lo + fake_offset(f, "loop_device.rootcg_work"));
	is_str(rec_str(f, blocked, 0, upper), "loop3", "that of the root");
	fake_free(f);
	make(8, false);
	lo = fake_loop(f, &up, "loop3");
	worker_at(fake_loop_worker(f, lo, true) +
		  fake_offset(f, "loop_worker.work"));
	is_str(rec_str(f, blocked, 0, upper), "loop3", "that of another");
	fake_free(f);
	make(8, false);
	fake_loop(f, &up, "loop3");
	worker_at(fake_alloc(f, 256));
	ok(!rec_has(f, blocked, 0, upper), "at something else");
	is_u64(fake_count(f, R_fault), 0, "which is no fault");
	fake_free(f);
}

int main(void)
{
	test_dm(8, false);
	test_dm(4, true);
	test_chain_loops();
	test_raid1("raid1_end_read_request");
	test_raid1("raid1_end_write_request");
	test_waiter();
	test_clone_loops();
	test_requests();
	test_doubt();
	test_damaged();
	test_loop_direct(true);
	test_loop_direct(false);
	test_loop_worker();
	return tap_end();
}
