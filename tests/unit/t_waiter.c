// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a request to the task that waits for it, each way there is; and that
 * none is named who does not.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;
static u64 rq, task;

static void make(enum fake_style style)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	fake_process(f, "other", 99);
	task = fake_process(f, "reader", 1234);
	fake_sleep(f, task, 2, 1, 50 * SEC);
	rq = fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT);
}

static u64 waits_for_completion(const char *end_io)
{
	u64 completion = fake_completion(f);

	fake_wait_for(f, completion, task);
	fake_bio(f, rq, end_io, completion);
	return completion;
}

static void named(const char *name)
{
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(rec_u64(f, rq, 0, waiter), 1234, "%s: pid", name);
	is_str(rec_str(f, rq, 0, wtask), "reader", "%s: comm", name);
	is_u64(rec_u64(f, rq, 0, wslept), 50 * SEC, "%s: slept", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	fake_free(f);
}

static void nobody(const char *name)
{
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	ok(!rec_has(f, rq, 0, waiter), "%s: nobody", name);
	ok(!rec_has(f, rq, 0, wtask), "%s: no comm", name);
	ok(!rec_has(f, rq, 0, wslept), "%s: no time", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	fake_free(f);
}

static u64 make_dio(const char *spec, u64 waiter)
{
	char type[40];
	u64 dio;

	snprintf(type, sizeof(type), "%s", spec);
	*strchr(type, '.') = '\0';
	dio = fake_new_of(f, type);
	fake_set(f, dio, spec, waiter);
	return dio;
}

static void test_completion(void)
{
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	named("submit_bio_wait");
	make(FAKE_PERCPU_CSD);
	waits_for_completion("bio_wait_end_io");
	named("bio_wait");
	make(FAKE_LIST_HEAD);
	waits_for_completion("submit_bio_wait_endio");
	named("submit_bio_wait, old");
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_drop(f, "submit_bio_wait_endio");
	nobody("no symbol");
	make(FAKE_RQ_CSD);
	fake_bio(f, rq, "submit_bio_wait_endio", fake_completion(f));
	nobody("a completion that no one waits for");
	make(FAKE_RQ_CSD);
	waits_for_completion("end_bio_bh_io_sync");
	nobody("another end_io");
}

/* An entry that does not point back has been taken off, and is something else. */
static void test_off_the_list(void)
{
	u64 list, node, completion;

	make(FAKE_RQ_CSD);
	completion = waits_for_completion("submit_bio_wait_endio");
	list = completion + fake_offset(f, "completion.wait.task_list");
	node = fake_get(f, list, 8);
	fake_put_ptr(f, node + 8, node);
	nobody("entry points elsewhere");
}

static void test_not_asleep(void)
{
	static const u32 states[] = { 0, 1, 0x402, 0x20 };
	char name[32];
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(states); i++) {
		make(FAKE_RQ_CSD);
		waits_for_completion("submit_bio_wait_endio");
		fake_set(f, task, "task_struct.__state", states[i]);
		snprintf(name, sizeof(name), "state %#x", states[i]);
		nobody(name);
	}
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_set(f, task, "task_struct.on_cpu", 1);
	nobody("on its CPU");
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_set(f, task, "task_struct.__state", 0x102);
	named("killable");
}

static void test_no_task(void)
{
	make(FAKE_RQ_CSD);
	task = fake_task(f, "reader", 1234);
	fake_set(f, task, "task_struct.__state", 2);
	waits_for_completion("submit_bio_wait_endio");
	nobody("on no list of threads");
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_set(f, task, "task_struct.pid", 0x7fffffff);
	nobody("an impossible pid");
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_put(f, task + fake_offset(f, "task_struct.comm"), 1, 0x7f);
	nobody("a name that is none");
	make(FAKE_RQ_CSD);
	task = fake_nowhere(f, -EFAULT);
	waits_for_completion("submit_bio_wait_endio");
	nobody("a task that is not there");
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_drop(f, "task_struct.thread_node");
	nobody("a task that can't be told from anything else");
	make(FAKE_LIST_HEAD);
	waits_for_completion("submit_bio_wait_endio");
	fake_drop(f, "task_struct.thread_node");
	named("by thread_group");
}

static void test_direct(void)
{
	u64 dio;

	make(FAKE_LIST_HEAD);
	fake_bio(f, rq, "blkdev_bio_end_io_simple", task);
	named("blkdev, simple");
	make(FAKE_PERCPU_CSD);
	dio = make_dio("blkdev_dio.waiter", task);
	fake_set(f, dio, "blkdev_dio.flags", FAKE_DIO_IS_SYNC | 1);
	fake_bio(f, rq, "blkdev_bio_end_io", dio);
	named("blkdev_dio, synchronous");
	make(FAKE_PERCPU_CSD);
	dio = make_dio("blkdev_dio.waiter", task);
	fake_set(f, dio, "blkdev_dio.flags", 1);
	fake_bio(f, rq, "blkdev_bio_end_io", dio);
	nobody("blkdev_dio, asynchronous");
	make(FAKE_LIST_HEAD);
	fake_bio(f, rq, "blkdev_bio_end_io", make_dio("blkdev_dio.waiter", task));
	named("blkdev_dio, no flag to tell");
	make(FAKE_LIST_HEAD);
	dio = make_dio("blkdev_dio.waiter", fake_alloc(f, 128));
	fake_bio(f, rq, "blkdev_bio_end_io", dio);
	nobody("blkdev_dio, a kiocb");
	make(FAKE_PERCPU_CSD);
	fake_bio(f, rq, "dio_bio_end_io", make_dio("dio.waiter", task));
	named("dio");
	make(FAKE_PERCPU_CSD);
	fake_bio(f, rq, "dio_bio_end_io", make_dio("dio.waiter", 0));
	nobody("dio, not waiting yet");
}

static void test_iomap(void)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		u64 dio;

		make(FAKE_PERCPU_CSD);
		dio = fake_new_of(f, "iomap_dio");
		fake_put_ptr(f, dio + fake_offset(f, "iomap_dio.submit") + 8,
			     task);
		fake_set(f, dio, "iomap_dio.wait_for_completion", i);
		fake_bio(f, rq, "iomap_dio_bio_end_io", dio);
		if (i)
			named("iomap_dio");
		else
			nobody("iomap_dio, asynchronous");
	}
}

static void test_bios(void)
{
	u64 whole, completion;
	u32 i;

	make(FAKE_RQ_CSD);
	for (i = 0; i < 7; i++)
		fake_bio(f, rq, "end_bio_bh_io_sync", 0);
	waits_for_completion("submit_bio_wait_endio");
	named("the eighth bio");
	make(FAKE_RQ_CSD);
	for (i = 0; i < 8; i++)
		fake_bio(f, rq, "end_bio_bh_io_sync", 0);
	waits_for_completion("submit_bio_wait_endio");
	nobody("the ninth bio");
	make(FAKE_RQ_CSD);
	completion = fake_completion(f);
	fake_wait_for(f, completion, task);
	whole = fake_bio(f, 0, "submit_bio_wait_endio", completion);
	for (i = 0; i < 3; i++)
		whole = fake_bio(f, i == 2 ? rq : 0, "bio_chain_endio", whole);
	named("a part of a part of a part");
	make(FAKE_RQ_CSD);
	whole = fake_bio(f, rq, "bio_chain_endio", 0);
	fake_set(f, whole, "bio.bi_private", whole);
	fake_set(f, whole, "bio.bi_next", whole);
	nobody("a bio that is a part of itself");
}

static void test_passthrough(void)
{
	u64 completion;

	make(FAKE_PERCPU_CSD);
	completion = fake_completion(f);
	fake_wait_for(f, completion, task);
	fake_set(f, rq, "request.end_io", fake_symbol_addr(f, "blk_end_sync_rq"));
	fake_set(f, rq, "request.end_io_data", completion);
	named("passthrough");
	make(FAKE_PERCPU_CSD);
	fake_set(f, rq, "request.end_io", fake_symbol_addr(f, "end_bio_bh_io_sync"));
	fake_set(f, rq, "request.end_io_data", fake_nowhere(f, -EFAULT));
	nobody("passthrough, another end_io");
}

static void damaged(const char *name)
{
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: unclear", name);
	ok(fake_count(f, R_fault) >= 1, "%s: fault", name);
	is_u64(fake_count(f, R_rq), 1, "%s: the request", name);
	ok(!rec_has(f, rq, 0, waiter), "%s: nobody", name);
	fake_free(f);
}

static void test_damaged(int err)
{
	make(FAKE_RQ_CSD);
	fake_bio(f, rq, "submit_bio_wait_endio", fake_nowhere(f, err));
	damaged("a completion that is not there");
	make(FAKE_PERCPU_CSD);
	fake_bio(f, rq, "blkdev_bio_end_io", fake_nowhere(f, err));
	damaged("a dio that is not there");
	make(FAKE_PERCPU_CSD);
	fake_bio(f, rq, "iomap_dio_bio_end_io", fake_nowhere(f, err));
	damaged("an iomap_dio that is not there");
	make(FAKE_PERCPU_CSD);
	fake_bio(f, rq, "bio_chain_endio", fake_nowhere(f, err));
	damaged("a whole that is not there");
	make(FAKE_PERCPU_CSD);
	fake_set(f, rq, "request.bio", fake_nowhere(f, err));
	damaged("a bio that is not there");
}

static void test_dropped(void)
{
	static const char *const drop[] = {
		"bio.bi_private", "completion.wait.task_list",
		"swait_queue.task", "swait_queue.task_list",
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(drop); i++) {
		make(FAKE_RQ_CSD);
		waits_for_completion("submit_bio_wait_endio");
		fake_drop(f, drop[i]);
		nobody(drop[i]);
	}
	make(FAKE_RQ_CSD);
	waits_for_completion("submit_bio_wait_endio");
	fake_drop(f, "bio.bi_next");
	named("no bi_next");
	make(FAKE_RQ_CSD);
	fake_bio(f, rq, "dio_bio_end_io", make_dio("dio.waiter", task));
	fake_drop(f, "dio.waiter");
	nobody("no dio.waiter");
	make(FAKE_RQ_CSD);
	fake_bio(f, rq, "iomap_dio_bio_end_io", fake_alloc(f, 64));
	fake_drop(f, "iomap_dio.submit");
	nobody("no iomap_dio.submit");
	make(FAKE_RQ_CSD);
	fake_bio(f, rq, "blkdev_bio_end_io", fake_alloc(f, 64));
	fake_drop(f, "blkdev_dio.waiter");
	nobody("no blkdev_dio.waiter");
}

int main(void)
{
	test_completion();
	test_off_the_list();
	test_not_asleep();
	test_no_task();
	test_direct();
	test_iomap();
	test_bios();
	test_passthrough();
	test_damaged(-ENODATA);
	test_damaged(-EFAULT);
	test_dropped();
	return tap_end();
}
