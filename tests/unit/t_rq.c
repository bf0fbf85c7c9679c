// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One request: its stage, its ages and which of them is trusted, and names of
 * its bits.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static u64 make(enum fake_style style, const struct fake_rq_desc *desc)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	return fake_rq_open(f, &d, desc);
}

#define new_rq(style, ...) make(style, &(struct fake_rq_desc){ __VA_ARGS__ })

static void stage(const char *want, const char *name)
{
	fake_look(f);
	is_str(rec_str(f, rq, 0, stage), want, "%s", name);
	fake_free(f);
}

static void test_stages(void)
{
	new_rq(FAKE_PERCPU_CSD, .tag = 1);
	stage("allocated", "idle");
	new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT);
	stage("issued", "in flight");
	new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_COMPLETE);
	stage("completed", "complete");
	new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
	       .rqf = FAKE_TIMED_OUT);
	stage("timedout", "timed out, by enumerator");
	new_rq(FAKE_RQ_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
	       .rqf = FAKE_TIMED_OUT);
	stage("timedout", "timed out, by the kernel's array of names");
	new_rq(FAKE_RQ_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
	       .rqf = FAKE_TIMED_OUT);
	fake_drop(f, "rqf_name");
	stage("issued", "timed out, where no one knows the bit");
	new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = 0xffffffff);
	stage("allocated", "a state that is none");
}

static void age(u64 want, u64 issued, const char *name)
{
	fake_look(f);
	is_u64(rec_u64(f, rq, 0, age), want, "%s: age", name);
	is_u64(rec_u64(f, rq, 0, issued), issued, "%s: issued", name);
	fake_free(f);
}

static void test_ages(void)
{
	u64 rq;

	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
		    .age = 4 * SEC);
	fake_set(f, rq, "request.start_time_ns", f->now - 9 * SEC);
	age(9 * SEC, 4 * SEC, "start time with IO_STAT");
	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
		    .age = 4 * SEC, .no_start = true);
	fake_set(f, rq, "request.start_time_ns", f->now - 900 * SEC);
	age(4 * SEC, 4 * SEC, "left over start time, without IO_STAT");
	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .age = 4 * SEC,
		    .no_start = true);
	fake_set(f, rq, "request.start_time_ns", f->now - 900 * SEC);
	age(0, 0, "left over start time, never issued");
	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .age = 4 * SEC);
	fake_set(f, rq, "request.deadline", f->jiffies - 5000);
	age(4 * SEC, 0, "left over deadline, never issued");
	rq = new_rq(FAKE_RQ_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
		    .age = 4 * SEC, .no_start = true);
	fake_set(f, rq, "request.start_time_ns", f->now - 9 * SEC);
	age(9 * SEC, 4 * SEC, "start time where IO_STAT is no enumerator");
	new_rq(FAKE_RQ_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
	       .age = 4 * SEC, .no_start = true);
	age(4 * SEC, 4 * SEC, "start time cleared, likewise");
	rq = new_rq(FAKE_RQ_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
		    .no_start = true);
	fake_set(f, rq, "request.deadline", 100);
	fake_set(f, rq, "request.timeout", 0xffffffff);
	age(0, 0, "a deadline before its timeout");
}

static void test_deadline(void)
{
	u64 rq;

	new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT,
	       .age = 42 * SEC);
	fake_look(f);
	is_u64(rec_u64(f, rq, 0, over), 12 * SEC, "12 s past its deadline");
	ok(!rec_has(f, rq, 0, left), "so none is left");
	fake_free(f);
	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT);
	fake_set(f, rq, "request.timeout", 90 * FAKE_HZ);
	fake_set(f, rq, "request.deadline", f->jiffies + 80 * FAKE_HZ);
	fake_look(f);
	is_u64(rec_u64(f, rq, 0, left), 80 * SEC, "80 s to its deadline");
	is_u64(rec_u64(f, rq, 0, limit), 90 * SEC, "its limit is its own");
	fake_free(f);
	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .state = FAKE_IN_FLIGHT);
	fake_set(f, rq, "request.deadline", ~0ULL);
	fake_set(f, rq, "request.timeout", 0);
	fake_look(f);
	ok(rec_u64(f, rq, 0, left) >= 4294967295ULL * (SEC / FAKE_HZ),
	   "a deadline of all ones is far away");
	is_u64(rec_u64(f, rq, 0, limit), 30 * SEC, "limit by the queue");
	fake_free(f);
}

static void test_names(void)
{
	u64 rq, bio;

	rq = new_rq(FAKE_PERCPU_CSD, .tag = 1,
		    .flags = 3 | 1 << 8 | 1 << 11 | 1 << 12 | 1u << 31,
		    .rqf = 1 << 2 | 1 << 5, .no_start = true);
	bio = fake_new_of(f, "bio");
	fake_set(f, bio, "bio.bi_end_io",
		 fake_symbol(f, "some_end_io", "fs", 8));
	fake_set(f, rq, "request.bio", bio);
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "WRITE", "operation");
	is_str(rec_str(f, rq, 0, flags), "FAILFAST|SYNC|12|31",
	       "flags, unknown ones as numbers");
	is_str(rec_str(f, rq, 0, rqf), "STARTED|5", "internal flags");
	is_str(rec_str(f, rq, 0, end_io), "some_end_io [fs]", "end_io");
	fake_set(f, rq, "request.cmd_flags", 1);
	fake_set(f, rq, "request.rq_flags", 0);
	fake_set(f, rq, "request.bio", 0);
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "1", "an operation without a name");
	is_str(rec_str(f, rq, 0, flags), "-", "no flags");
	is_str(rec_str(f, rq, 0, rqf), "-", "no internal flags");
	ok(!rec_has(f, rq, 0, end_io), "no bio, no end_io");
	fake_set(f, rq, "request.cmd_flags", 200);
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "200", "an operation past the array");
	fake_free(f);
}

/* What follows the array in memory looks like more names, and is not. */
static void test_array_end(void)
{
	u64 end;

	new_rq(FAKE_PERCPU_CSD, .tag = 1, .flags = 4);
	end = fake_symbol_addr(f, "blk_op_name") + 4 * 8;
	fake_put_ptr(f, end, fake_string(f, "WRONG"));
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "4", "the array ends with its symbol");
	fake_free(f);
}

static void test_bad_names(void)
{
	u64 at, page;

	new_rq(FAKE_PERCPU_CSD, .tag = 1, .flags = 3);
	at = fake_symbol_addr(f, "blk_op_name") + 3 * 8;
	fake_put_ptr(f, at, fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "names left out: no fault");
	is_str(rec_str(f, rq, 0, op), "3", "names left out: a number");
	fake_put_ptr(f, at, 0x55);
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "3", "name in user space: a number");
	page = fake_alloc_page(f);
	fake_write(f, page + FAKE_PAGE - 6, "FETCH", 6);
	fake_put_ptr(f, at, page + FAKE_PAGE - 6);
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "FETCH", "name just before a hole");
	page = fake_alloc_page(f);
	fake_write(f, page, "A\x01\nB", 5);
	fake_put_ptr(f, at, page);
	fake_look(f);
	is_str(rec_str(f, rq, 0, op), "A??B", "control characters");
	fake_free(f);
}

static void test_cpu(void)
{
	u64 rq = new_rq(FAKE_PERCPU_CSD, .tag = 1, .cpu = 3);

	fake_look(f);
	is_u64(rec_u64(f, rq, 0, cpu), 3, "issued by CPU");
	fake_set(f, rq, "request.mq_ctx", fake_nowhere(f, -EFAULT));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no ctx: unclear");
	ok(!rec_has(f, rq, 0, cpu), "no ctx: no CPU is made up");
	is_u64(fake_count(f, R_rq), 1, "no ctx: the request is shown");
	fake_free(f);
}

int main(void)
{
	test_stages();
	test_ages();
	test_deadline();
	test_names();
	test_array_end();
	test_bad_names();
	test_cpu();
	return tap_end();
}
