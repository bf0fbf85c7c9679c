// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about disks: device-owns-request, unknown, and what keeps a disk
 * from being accused.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static u64 make(u32 state, u64 age)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 2);
	return fake_rq(f, &d, .hctx = 1, .tag = 5, .cpu = 2, .state = state,
		       .age = age);
}

static void owns(u32 want, const char *name)
{
	fake_look(f);
	is_u64(fake_verdicts(f, "device-owns-request"), want, "%s", name);
	fake_free(f);
}

static void test_device(void)
{
	u64 rq;

	make(FAKE_IN_FLIGHT, 31 * SEC);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "issued and old: found");
	is_str(rec_str(f, verdict, 0, id), "device-owns-request", "verdict");
	is_str(rec_str(f, verdict, 0, disk), "fda", "its disk");
	is_u64(rec_u64(f, verdict, 0, requests), 1, "its requests");
	ok(!rec_has(f, verdict, 0, cpu), "no CPU is at fault");
	is_u64(fake_count(f, R_verdict), 1, "and nothing else");
	/* 4 CPUs with two lists each are empty, and no disk is. */
	is_u64(rec_u64(f, verdict, 0, empty), 8, "places found empty");
	fake_free(f);

	make(FAKE_IN_FLIGHT, 29 * SEC);
	owns(0, "younger than its limit");
	make(FAKE_COMPLETE, 31 * SEC);
	owns(0, "no longer issued");
	make(0, 31 * SEC);
	owns(0, "never issued");
	make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_stall(f, 0, 5 * SEC);
	owns(0, "a stalled CPU may keep its interrupt");
	rq = make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_set(f, rq, "request.timeout", 60 * FAKE_HZ);
	owns(0, "a longer timeout of its own");
	rq = make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_set(f, rq, "request.timeout", 0);
	owns(1, "the queue's timeout, where it has none");
	make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_tag_clear(f, &d.tags[1], 5);
	owns(0, "its tag is free");
	rq = make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_set(f, rq, "request.rq_flags", FAKE_TIMED_OUT | FAKE_IO_STAT);
	owns(1, "timed out and still with the driver");
}

static void test_age_config(void)
{
	make(FAKE_IN_FLIGHT, 6 * SEC);
	fake_attach(f);
	f->w->cfg.age_ns = 5 * SEC;
	owns(1, "a limit that was asked for");
	make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_attach(f);
	f->w->cfg.age_ns = 40 * SEC;
	owns(0, "a longer limit that was asked for");
}

/* Without a time there is no age; without an age, no accusation. */
static void test_no_clock(void)
{
	make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_hole(f, fake_symbol_addr(f, "timekeeper_data"), -ENODATA);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no clock: unclear");
	is_u64(fake_count(f, R_verdict), 0, "no clock: no verdict");
	fake_free(f);
}

static void test_stalled_maybe(void)
{
	make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_stall(f, 0, 5 * SEC);
	fake_look(f);
	is_u64(fake_count(f, R_verdict), 1, "stalled CPU, old request: one");
	is_str(rec_str(f, verdict, 0, id), "completion-cpu-irqs-off",
	       "the CPU is suspected");
	is_str(rec_str(f, verdict, 0, confidence), "low", "but not surely");
	is_u64(rec_u64(f, verdict, 0, cpu), 0, "which one");
	fake_free(f);
	make(FAKE_IN_FLIGHT, 3 * SEC);
	fake_stall(f, 0, 5 * SEC);
	fake_look(f);
	is_u64(fake_verdicts(f, "completion-cpu-irqs-off"), 0,
	       "stalled CPU, young request: not suspected");
	fake_free(f);
	/* 'A stalled CPU' must be known not to be there. */
	make(FAKE_IN_FLIGHT, 31 * SEC);
	fake_hole(f, fake_percpu(f, "hrtimer_bases", 3), -ENODATA);
	fake_look(f);
	ok(!fake_verdicts(f, "device-owns-request") ||
	   !strcmp(rec_str(f, verdict, 0, confidence), "low"),
	   "a CPU whose tick can't be read: not sure that it is the device");
	fake_free(f);
}

static void test_unknown(void)
{
	make(FAKE_COMPLETE, 33 * SEC);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "finished, on no list: found");
	is_u64(fake_verdicts(f, "unknown"), 1, "finished, on no list: unknown");
	fake_free(f);
	make(0, 31 * SEC);
	fake_look(f);
	is_u64(fake_verdicts(f, "unknown"), 1, "never issued: unknown");
	fake_free(f);
	make(FAKE_COMPLETE, 29 * SEC);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "finished and young: nothing");
	fake_free(f);
	make(0, 29 * SEC);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "allocated and young: nothing");
	fake_free(f);
}

/* A disk of each kind of fault, and each gets its own. */
static void test_two(void)
{
	struct fake_disk e;

	make(FAKE_IN_FLIGHT, 50 * SEC);
	fake_disk(f, &e, .name = "fdb");
	fake_done(f, 3, fake_rq(f, &e, .tag = 1, .state = FAKE_COMPLETE,
				.age = 70 * SEC, .cpu = 3));
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "two faults: found");
	is_u64(fake_count(f, R_verdict), 2, "two faults: two verdicts");
	is_str(rec_str(f, verdict, 0, id), "completion-softirq-lost", "one");
	is_str(rec_str(f, verdict, 0, disk), "fdb", "its disk");
	is_str(rec_str(f, verdict, 1, id), "device-owns-request", "the other");
	is_str(rec_str(f, verdict, 1, disk), "fda", "its disk");
	fake_free(f);
}

static void test_full_load(void)
{
	u32 i;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	for (i = 0; i < 64; i++)
		fake_rq(f, &d, .tag = i, .cpu = i % 4, .age = i * 20 * MS,
			.state = i % 9 ? FAKE_IN_FLIGHT : 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "full load: no hang");
	is_str(rec_str(f, verdict, 0, id), "no-hang", "full load: no-hang");
	is_str(rec_str(f, verdict, 0, confidence), "high", "full load: surely");
	is_u64(rec_u64(f, total, 0, allocated), 8, "full load: allocated");
	is_u64(rec_u64(f, total, 0, issued), 56, "full load: issued");
	is_u64(rec_u64(f, total, 0, oldest), 1260 * MS, "full load: oldest");
	fake_free(f);
}

int main(void)
{
	test_device();
	test_age_config();
	test_no_clock();
	test_stalled_maybe();
	test_unknown();
	test_two();
	test_full_load();
	return tap_end();
}
