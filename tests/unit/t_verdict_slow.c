// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Disks that are slow and move: their requests are old, but have not been for
 * long where they are now. Nobody may be accused of that.
 */
#include "fake.h"

#define OLD (121 * SEC)

static struct fake *f;
static struct fake_disk d;
static u64 rq;

/* An old request, which was issued that long ago as far as deadlines tell. */
static void make(u32 state, u64 issued)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .sched_depth = 64);
	rq = fake_rq(f, &d, .tag = 5, .itag = 6, .cpu = 1, .state = state,
		     .age = issued);
	fake_set(f, rq, "request.start_time_ns", f->now - OLD);
}

static void io_start(u64 ago)
{
	fake_set(f, rq, "request.io_start_time_ns", f->now - ago);
}

static void held(u64 want, const char *name)
{
	fake_look(f);
	is_u64(rec_u64(f, rq, 0, age), OLD, "%s: age", name);
	is_u64(rec_has(f, rq, 0, held), want != OLD, "%s: is less", name);
	is_u64(rec_u64(f, rq, 0, held), want != OLD ? want : 0, "%s: held",
	       name);
	fake_free(f);
}

static void test_put_off(void)
{
	make(FAKE_IN_FLIGHT, SEC);
	fake_set(f, rq, "request.start_time_ns", f->now - 331 * SEC);
	fake_look(f);
	ok(!rec_has(f, rq, 0, held), "older than ten timeouts: put off");
	fake_free(f);
}

static void test_held(void)
{
	make(0, OLD);
	held(OLD, "never issued");
	make(FAKE_IN_FLIGHT, 4 * SEC);
	held(4 * SEC, "issued, by its deadline");
	make(FAKE_IN_FLIGHT, SEC);
	io_start(40 * SEC);
	held(40 * SEC, "its deadline was put off");
	make(FAKE_IN_FLIGHT, 40 * SEC);
	io_start(OLD + SEC);
	held(OLD, "issued before it began");
	make(FAKE_IN_FLIGHT, SEC);
	fake_set(f, rq, "request.internal_tag", -1);
	held(OLD, "no scheduler, and time of issue not known");
	make(FAKE_COMPLETE, SEC);
	held(0, "finished, its deadline is to come");
	make(FAKE_COMPLETE, 31 * SEC);
	held(0, "finished, its deadline has just passed");
	make(FAKE_COMPLETE, 32 * SEC);
	held(OLD, "finished before its deadline, which is long past");
	make(FAKE_COMPLETE, SEC);
	fake_attach(f);
	f->w->cfg.age_ns = 5 * SEC;
	held(OLD, "finished, where the user says what is old");
}

static void answer(enum hang_answer want, const char *id, const char *name)
{
	is_u64(fake_look(f), want, "%s: answer", name);
	is_str(rec_str(f, verdict, 0, id), id, "%s: verdict", name);
	fake_free(f);
}

static void test_device(void)
{
	make(FAKE_IN_FLIGHT, SEC);
	io_start(31 * SEC);
	answer(HANG_ANSWER_FOUND, "device-owns-request", "issued long ago");
	make(FAKE_IN_FLIGHT, SEC);
	io_start(SEC);
	answer(HANG_ANSWER_NONE, "no-hang", "issued just now");
	make(FAKE_IN_FLIGHT, SEC);
	answer(HANG_ANSWER_NONE, "no-hang", "issued just now, it seems");
}

/* Lists, a call, or the CPU that ends it: none is known to have it for long. */
static void test_finished(void)
{
	make(FAKE_COMPLETE, 32 * SEC);
	answer(HANG_ANSWER_FOUND, "unknown", "on no list, for long");
	make(FAKE_COMPLETE, SEC);
	answer(HANG_ANSWER_NONE, "no-hang", "on no list");
	make(FAKE_COMPLETE, 32 * SEC);
	fake_strand(f, 1, rq);
	answer(HANG_ANSWER_FOUND, "completion-ipi-lost", "a call, for long");
	make(FAKE_COMPLETE, SEC);
	fake_strand(f, 1, rq);
	answer(HANG_ANSWER_NONE, "no-hang", "a call");
	make(FAKE_COMPLETE, 32 * SEC);
	fake_done(f, 1, rq);
	answer(HANG_ANSWER_FOUND, "completion-softirq-lost", "done, for long");
	make(FAKE_COMPLETE, SEC);
	fake_done(f, 1, rq);
	answer(HANG_ANSWER_NONE, "no-hang", "done");
}

/* The one that has just come back makes room for those that wait. */
static void test_behind(void)
{
	make(0, OLD);
	answer(HANG_ANSWER_FOUND, "unknown", "never issued, none before it");
	make(0, OLD);
	fake_rq(f, &d, .tag = 7, .itag = 8, .state = FAKE_IN_FLIGHT,
		.age = SEC);
	answer(HANG_ANSWER_NONE, "no-hang", "never issued, one before it");
	make(0, OLD);
	fake_rq(f, &d, .tag = 7, .itag = 8, .state = FAKE_COMPLETE, .age = SEC);
	answer(HANG_ANSWER_NONE, "no-hang", "never issued, one comes back");
}

/* A freed request of the tags that own requests, and when it was issued. */
static u64 freed(u32 tag, u64 ago)
{
	u64 array = d.sched_depth ? d.sched[0].static_rqs
				  : d.tags[0].static_rqs;
	u64 old = fake_get(f, array + tag * f->t.word, f->t.word);

	fake_set(f, old, "request.timeout", 30 * FAKE_HZ);
	fake_set(f, old, "request.deadline",
		 f->jiffies + (30 * SEC - ago) * FAKE_HZ / SEC);
	return array + tag * f->t.word;
}

static void test_last_issue(void)
{
	make(0, OLD);
	freed(9, 3 * SEC);
	freed(60, 100 * MS);
	freed(63, 50 * SEC);
	answer(HANG_ANSWER_NONE, "no-hang", "one was issued just now");
	make(0, OLD);
	freed(9, 3 * SEC);
	freed(63, 50 * SEC);
	fake_look(f);
	is_u64(fake_verdicts(f, "unknown"), 1, "all were issued long ago");
	is_u64(rec_u64(f, total, 0, last_issue), 3 * SEC, "how long ago");
	fake_free(f);
	make(0, OLD);
	freed(9, 3 * SEC);
	fake_set(f, rq, "request.deadline", f->jiffies + 30 * FAKE_HZ - 1);
	fake_look(f);
	is_u64(rec_u64(f, total, 0, last_issue), 3 * SEC,
	       "one that was issued, and came back");
	is_u64(fake_verdicts(f, "unknown"), 1, "it does not move the disk");
	fake_free(f);
	make(0, OLD);
	fake_look(f);
	ok(!rec_has(f, total, 0, last_issue), "none was ever issued");
	fake_free(f);
	make(0, SEC);
	fake_set(f, rq, "request.start_time_ns", f->now - SEC);
	freed(9, 100 * MS);
	fake_look(f);
	ok(!rec_has(f, total, 0, last_issue), "none is old, nobody asks");
	fake_free(f);
}

/* Memory of those that are gone may be gone as well. */
static void test_last_issue_damaged(void)
{
	make(0, OLD);
	fake_put_ptr(f, freed(9, 3 * SEC), fake_nowhere(f, -EFAULT));
	freed(60, 100 * MS);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "a freed request: no fault");
	is_u64(fake_verdicts(f, "no-hang"), 1, "and others are looked at");
	fake_free(f);
	make(0, OLD);
	freed(9, 100 * MS);
	fake_set(f, d.sched[0].addr, "blk_mq_tags.nr_tags", 0xffffffff);
	fake_look(f);
	ok(!rec_has(f, total, 0, last_issue), "no number of tags");
	fake_free(f);
	make(0, OLD);
	freed(9, 0);
	fake_set(f,
		 fake_get(f, d.sched[0].static_rqs + 9 * f->t.word, f->t.word),
		 "request.deadline", ~0ULL);
	fake_look(f);
	ok(!rec_has(f, total, 0, last_issue), "a deadline that is none");
	fake_free(f);
}

/* The same where requests wait for no scheduler, and the driver is idle. */
static void test_last_issue_without_scheduler(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 5, .age = OLD);
	fake_place(f, &d, 0, rq, HANG_AT_DISPATCH);
	freed(9, 100 * MS);
	answer(HANG_ANSWER_NONE, "no-hang", "no scheduler, issued just now");
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 5, .age = OLD);
	fake_place(f, &d, 0, rq, HANG_AT_DISPATCH);
	freed(9, 3 * SEC);
	answer(HANG_ANSWER_FOUND, "queue-not-run", "no scheduler, long ago");
}

int main(void)
{
	test_held();
	test_put_off();
	test_device();
	test_finished();
	test_behind();
	test_last_issue();
	test_last_issue_damaged();
	test_last_issue_without_scheduler();
	return tap_end();
}
