// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 'Now': from the timekeeper, from CPUs that still take ticks where the
 * timekeeper stands still, and from the host; and what must not move it.
 */
#include "fake.h"

#define TICK (SEC / FAKE_HZ)

static struct fake *f;

static void set_expires(u32 cpu, u64 at)
{
	fake_set(f, fake_percpu(f, "hrtimer_bases", cpu),
		 "hrtimer_cpu_base.expires_next", at);
}

static u64 tk_field(const char *spec, u64 value)
{
	u64 tk = fake_symbol_addr(f, "timekeeper_data") +
		 fake_offset(f, "tk_data.timekeeper");

	fake_set(f, tk, spec, value);
	return tk;
}

static void test_timekeeper(void)
{
	f = fake_new();
	fake_look(f);
	is_u64(rec_u64(f, dump, 0, now), 5000 * SEC, "timekeeper: now");
	is_str(rec_str(f, dump, 0, clock), "timekeeper", "timekeeper: source");
	is_u64(f->w->clock.jiffies, 0x123456789a, "jiffies beyond 32 bits");
	fake_free(f);
}

/* The CPU that keeps time has been stuck for 100 s; CPU 1 has not. */
static void test_stands_still(void)
{
	u64 now = 5100 * SEC;

	f = fake_new();
	fake_run(f, 0, "stuck", 1);
	fake_stall(f, 0, 0);
	fake_run(f, 1, "alive", 2);
	set_expires(1, now + TICK);
	fake_look(f);
	is_u64(rec_u64(f, dump, 0, now), now, "ticks: now");
	is_str(rec_str(f, dump, 0, clock), "ticks", "ticks: source");
	is_u64(f->w->clock.jiffies, f->jiffies + 100 * FAKE_HZ,
	       "jiffies follow");
	is_u64(hang_rec_get(fake_cpu_rec(f, 0), F_cpu_late), 100 * SEC,
	       "the lag is the length of the hang");
	fake_free(f);
}

static void keeps(const char *name)
{
	fake_look(f);
	is_u64(rec_u64(f, dump, 0, now), 5000 * SEC, "%s: now stays", name);
	is_str(rec_str(f, dump, 0, clock), "timekeeper", "%s: source", name);
	is_u64(fake_count(f, R_verdict), 1, "%s: one verdict", name);
	is_u64(fake_verdicts(f, "no-hang"), 1, "%s: no hang", name);
	fake_free(f);
}

/* A timer that tells nothing of the time. */
static void test_not_believed(void)
{
	struct fake_disk d;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	set_expires(1, 6000 * SEC);
	keeps("an idle CPU's timer may be far away");
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_run(f, 1, "busy", 3);
	/* As it is while the timer interrupt itself runs. */
	set_expires(1, 0x7fffffffffffffff);
	keeps("a busy CPU within its timer interrupt");
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_run(f, 1, "busy", 3);
	set_expires(1, 0xffffffffffffffff);
	keeps("a timer of all ones");
	f = fake_new();
	fake_run(f, 1, "busy", 3);
	set_expires(1, 6000 * SEC);
	fake_offline(f, 1);
	keeps("an offline CPU's timer");
	f = fake_new();
	fake_run(f, 1, "busy", 3);
	set_expires(1, 6000 * SEC);
	fake_put(f, fake_symbol(f, "tick_nohz_full_running", NULL, 1), 1, 1);
	keeps("where CPUs may run without ticks");
}

/* It runs a task, and its next timer is any but the tick. */
static void come_up(u64 expires)
{
	struct fake_disk d;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_run(f, 1, "cpuhp/1", 19);
	set_expires(1, expires);
	fake_set(f, fake_percpu(f, "tick_cpu_sched", 1),
		 "tick_sched.sched_timer.base", 0);
}

static void test_comes_up(void)
{
	come_up(5004 * SEC);
	keeps("a CPU that comes up");
	come_up(5004 * SEC);
	fake_hole(f, fake_percpu(f, "tick_cpu_sched", 1), -ENODATA);
	fake_look(f);
	is_str(rec_str(f, dump, 0, clock), "ticks", "not known: believed");
	is_u64(fake_count(f, R_fault), 0, "not known: no fault");
	fake_free(f);
	come_up(5004 * SEC);
	fake_drop(f, "tick_cpu_sched");
	fake_look(f);
	is_str(rec_str(f, dump, 0, clock), "ticks", "no such symbol: believed");
	fake_free(f);
}

static int host_clock(struct hang_target *t, u64 *now)
{
	(void)t;
	*now = 5007 * SEC;
	return 0;
}

static void test_host_clock(void)
{
	struct hang_target_ops ops = fake_ops;

	f = fake_new();
	ops.now_ns = host_clock;
	f->t.ops = &ops;
	fake_look(f);
	is_u64(rec_u64(f, dump, 0, now), 5007 * SEC, "host's clock: now");
	is_str(rec_str(f, dump, 0, clock), "clock", "host's clock: source");
	is_u64(f->w->clock.jiffies, f->jiffies + 7 * FAKE_HZ, "jiffies follow");
	fake_free(f);
}

/* tk_core as an anonymous struct: a seqcount, then the timekeeper. */
static void test_tk_core(void)
{
	u64 core, tk;

	f = fake_new();
	fake_drop(f, "timekeeper_data");
	fake_drop(f, "tk_data.timekeeper");
	fake_restore(f, "tk_core");
	core = fake_symbol_addr(f, "tk_core");
	/* sizeof the seqcount is 12: what follows it is at 16. */
	tk = core + 16;
	fake_set(f, tk, "timekeeper.tkr_mono.base", 42 * SEC);
	fake_set(f, tk, "timekeeper.ntp_tick", (SEC / 100) << 32);
	fake_look(f);
	is_u64(rec_u64(f, dump, 0, now), 42 * SEC, "tk_core: now");
	is_u64(rec_u64(f, dump, 0, hz), 100, "tk_core: hz");
	fake_free(f);
}

static void unclear(const char *name)
{
	struct fake_disk d;

	fake_disk(f, &d, .name = "fda");
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = 99 * SEC);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: unclear", name);
	is_u64(fake_verdicts(f, "no-hang"), 0, "%s: no no-hang", name);
	is_u64(fake_count(f, R_rq), 1, "%s: the rest is shown", name);
	fake_free(f);
}

static void test_damaged(void)
{
	f = fake_new();
	fake_drop(f, "timekeeper_data");
	unclear("no timekeeper");
	f = fake_new();
	fake_hole(f, fake_symbol_addr(f, "timekeeper_data"), -ENODATA);
	unclear("timekeeper left out");
	f = fake_new();
	tk_field("timekeeper.ntp_tick", 0);
	unclear("a tick of 0 ns");
	/* 4.3 s a tick: no limit can be made of it. */
	f = fake_new();
	tk_field("timekeeper.ntp_tick", ~0ULL);
	unclear("a tick of 2^32 ns");
	f = fake_new();
	fake_hole(f, fake_symbol_addr(f, "jiffies"), -EFAULT);
	fake_look(f);
	is_u64(f->answer, HANG_ANSWER_UNCLEAR, "no jiffies: unclear");
	fake_free(f);
}

/* Times that lie ahead make no age; nothing is ever negative. */
static void test_ahead(void)
{
	struct fake_disk d;
	u64 rq;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_set(f, rq, "request.start_time_ns", 5001 * SEC);
	fake_set(f, rq, "request.deadline", f->jiffies + d.timeout + 50);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "from the future: no hang");
	is_u64(rec_u64(f, rq, 0, age), 0, "from the future: age 0");
	is_u64(rec_u64(f, rq, 0, issued), 0, "from the future: issued now");
	fake_free(f);
}

int main(void)
{
	test_timekeeper();
	test_stands_still();
	test_not_believed();
	test_comes_up();
	test_host_clock();
	test_tk_core();
	test_damaged();
	test_ahead();
	return tap_end();
}
