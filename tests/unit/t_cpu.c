// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU's record: task, tick, softirqs, ksoftirqd, and masks.
 */
#include "fake.h"

static struct fake *f;

#define cpu_u64(n, field) hang_rec_get(fake_cpu_rec(f, n), F_cpu_##field)
#define cpu_str(n, field) hang_rec_text(fake_cpu_rec(f, n), F_cpu_##field)
#define cpu_has(n, field) hang_rec_has(fake_cpu_rec(f, n), F_cpu_##field)

static void test_healthy(void)
{
	f = fake_new();
	fake_run(f, 1, "sixteen-chars-xx", 77);
	fake_look(f);
	is_u64(cpu_u64(0, online), 1, "online");
	is_u64(cpu_u64(0, idle), 1, "idle");
	is_str(cpu_str(0, task), "swapper/0", "idle task");
	is_u64(cpu_u64(1, idle), 0, "not idle");
	is_str(cpu_str(1, task), "sixteen-chars-xx", "a name without an end");
	is_u64(cpu_u64(1, pid), 77, "its pid");
	is_u64(cpu_u64(1, late), 0, "tick not late");
	ok(cpu_has(1, late), "and that is known");
	ok(!cpu_has(1, ticks), "one sample shows no tick");
	ok(!cpu_has(1, irqs), "interrupts unknown");
	is_str(cpu_str(1, ksoftirqd), "sleeping", "ksoftirqd sleeps");
	is_u64(cpu_u64(1, serving), 0, "no softirq is served");
	is_str(cpu_str(1, csd), "free", "csd free");
	fake_free(f);
}

static void test_softirqs(void)
{
	f = fake_new();
	fake_pending(f, 2, FAKE_BLOCK | 2);
	fake_pending(f, 3, ~FAKE_BLOCK & 0xffff);
	fake_serving(f, 2, true);
	f->cpu[2].irqs = 0;
	f->cpu[3].irqs = 1;
	fake_ksoftirqd_wait(f, 2, 1500 * MS);
	fake_ksoftirqd_run(f, 3);
	fake_look(f);
	is_u64(cpu_u64(2, pending), FAKE_BLOCK | 2, "pending");
	is_u64(cpu_u64(2, block), 1, "BLOCK pending");
	is_u64(cpu_u64(3, block), 0, "all but BLOCK pending");
	is_u64(cpu_u64(2, serving), 1, "serving");
	is_str(cpu_str(2, irqs), "off", "interrupts off");
	is_str(cpu_str(3, irqs), "on", "interrupts on");
	is_str(cpu_str(2, ksoftirqd), "runnable", "ksoftirqd runnable");
	is_u64(cpu_u64(2, waited), 1500 * MS, "for so long");
	is_str(cpu_str(3, ksoftirqd), "running", "ksoftirqd running");
	ok(!cpu_has(3, waited), "and not waiting");
	fake_free(f);
}

/* The three homes that the mask of pending softirqs has had. */
static void test_pending_homes(void)
{
	u64 at;

	f = fake_new();
	fake_drop(f, "__softirq_pending");
	fake_drop(f, "__preempt_count");
	fake_drop(f, "irq_cpustat_t.__softirq_pending");
	fake_restore(f, "pcpu_hot");
	at = fake_percpu(f, "pcpu_hot", 1);
	fake_set(f, at, "pcpu_hot.softirq_pending", FAKE_BLOCK);
	fake_set(f, at, "pcpu_hot.preempt_count", 0x100);
	fake_look(f);
	is_u64(cpu_u64(1, block), 1, "pcpu_hot: BLOCK pending");
	is_u64(cpu_u64(1, serving), 1, "pcpu_hot: serving");
	is_u64(cpu_u64(0, block), 0, "pcpu_hot: on that CPU only");
	fake_free(f);

	f = fake_new();
	fake_drop(f, "__softirq_pending");
	fake_drop(f, "__preempt_count");
	fake_restore(f, "irq_stat");
	fake_set(f, fake_percpu(f, "irq_stat", 1),
		 "irq_cpustat_t.__softirq_pending", FAKE_BLOCK);
	fake_look(f);
	is_u64(cpu_u64(1, block), 1, "irq_stat: BLOCK pending");
	ok(!cpu_has(1, serving), "irq_stat: serving is unknown");
	fake_free(f);

	f = fake_new();
	fake_drop(f, "__softirq_pending");
	fake_look(f);
	ok(!cpu_has(1, block) && !cpu_has(1, pending), "nowhere: unknown");
	is_u64(fake_count(f, R_fault), 0, "nowhere: no fault");
	fake_free(f);
}

static void test_tick(void)
{
	u64 spec;

	f = fake_new();
	fake_stall(f, 1, 7 * SEC);
	fake_stall(f, 2, 100 * MS);
	spec = fake_offset(f, "hrtimer_cpu_base.expires_next");
	fake_put(f, fake_percpu(f, "hrtimer_bases", 3) + spec, 8,
		 0x7fffffffffffffff);
	fake_look(f);
	is_u64(cpu_u64(1, late), 7 * SEC, "late by so much");
	is_u64(cpu_u64(2, late), 0, "a little late is not late");
	ok(!cpu_has(3, late), "no timer armed: unknown");
	fake_pass(f, 20 * MS);
	fake_put(f, fake_percpu(f, "hrtimer_bases", 3) + spec, 8,
		 0x7fffffffffffffff);
	fake_look_again(f);
	is_u64(cpu_u64(0, ticks), 5, "took ticks");
	is_u64(cpu_u64(1, ticks), 0, "took none");
	fake_free(f);
	f = fake_new();
	fake_drop(f, "hrtimer_cpu_base.nr_events");
	fake_look(f);
	fake_pass(f, 20 * MS);
	fake_look_again(f);
	ok(!cpu_has(0, ticks), "not counted: unknown");
	fake_free(f);
}

static void set_run_clock(u32 cpu, u64 at)
{
	fake_set(f, fake_percpu(f, "runqueues", cpu), "rq.clock", at);
}

/* Inside the timer interrupt no timer is armed. */
static void test_unarmed(void)
{
	u64 spec;

	f = fake_new();
	spec = fake_offset(f, "hrtimer_cpu_base.expires_next");
	fake_put(f, fake_percpu(f, "hrtimer_bases", 1) + spec, 8,
		 0x7fffffffffffffff);
	fake_run(f, 1, "worker", 99);
	fake_put(f, fake_percpu(f, "hrtimer_bases", 1) + spec, 8,
		 0x7fffffffffffffff);
	set_run_clock(0, 100 * SEC);
	set_run_clock(1, 100 * SEC - MS);
	fake_look(f);
	ok(cpu_has(1, late), "its clock is kept up to date");
	is_u64(cpu_u64(1, late), 0, "so it is not late");
	set_run_clock(1, 60 * SEC);
	fake_look(f);
	is_u64(cpu_u64(1, late), 40 * SEC, "its clock lags: late by so much");
	set_run_clock(1, 200 * SEC);
	fake_look(f);
	ok(!cpu_has(1, late), "no other clock is ahead: unknown");
	fake_free(f);
}

static void test_masks(u32 word)
{
	u32 i, online = 0;

	f = fake_new(.word = word, .cpus = 40);
	fake_offline(f, 39);
	fake_offline(f, 5);
	/* Bits above nr_cpu_ids are no CPUs. */
	fake_put(f, fake_symbol_addr(f, "__cpu_possible_mask") + 8, 4, ~0u);
	fake_look(f);
	is_u64(fake_count(f, R_cpu), 40, "possible CPUs, word %u", word);
	for (i = 0; i < 40; i++)
		online += cpu_u64(i, online);
	is_u64(online, 38, "online ones");
	is_u64(cpu_u64(39, online) + cpu_u64(5, online), 0, "and those not");
	is_u64(rec_u64(f, dump, 0, cpus), 40, "dump: possible");
	is_u64(rec_u64(f, dump, 0, online), 38, "dump: online");
	ok(!cpu_has(39, block) && !cpu_has(39, late) && !cpu_has(39, task),
	   "an offline CPU has only lists");
	is_u64(rec_u64(f, looked, 0, cpus), 40, "looked at");
	fake_free(f);
}

static void test_bad_count(u32 cpus, u32 answer)
{
	f = fake_new();
	fake_put(f, fake_symbol_addr(f, "nr_cpu_ids"), 4, cpus);
	is_u64(fake_look(f), answer, "nr_cpu_ids %u", cpus);
	is_u64(fake_verdicts(f, "no-hang"), 0, "nr_cpu_ids %u: no no-hang",
	       cpus);
	is_u64(fake_count(f, R_looked), 1, "nr_cpu_ids %u: to the end", cpus);
	fake_free(f);
}

static void test_no_cpus(const char *mask)
{
	f = fake_new();
	fake_put_ptr(f, fake_symbol_addr(f, mask), 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s empty: unclear", mask);
	is_u64(fake_verdicts(f, "no-hang"), 0, "%s empty: no no-hang", mask);
	fake_free(f);
}

static void test_bad_offset(void)
{
	f = fake_new();
	fake_put_ptr(f, fake_symbol_addr(f, "__per_cpu_offset") + 2 * 8,
		     0x12345);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "per-CPU area: nowhere");
	ok(fake_charged(f, 2), "charged to that CPU");
	is_u64(fake_count(f, R_cpu), 4, "the others are looked at");
	fake_hole(f, fake_symbol_addr(f, "__per_cpu_offset"), -ENODATA);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no offsets at all");
	ok(fake_faults(f, "left out"), "no offsets: fault");
	fake_free(f);
}

/* Every fault of a CPU is its own, and no other CPU suffers. */
static void test_holes(const char *symbol)
{
	f = fake_new();
	fake_hole(f, fake_percpu(f, symbol, 1), -ENODATA);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s gone: unclear", symbol);
	ok(fake_faults(f, "left out"), "%s gone: fault", symbol);
	ok(fake_charged(f, 1), "%s gone: charged", symbol);
	is_u64(fake_count(f, R_cpu), 4, "%s gone: all CPUs", symbol);
	is_u64(fake_verdicts(f, "no-hang"), 0, "%s gone: no no-hang", symbol);
	fake_free(f);
}

int main(void)
{
	test_healthy();
	test_softirqs();
	test_pending_homes();
	test_tick();
	test_unarmed();
	test_masks(8);
	test_masks(4);
	test_bad_count(0, HANG_ANSWER_UNCLEAR);
	test_bad_count(8193, HANG_ANSWER_UNCLEAR);
	test_bad_count(0xffffffff, HANG_ANSWER_UNCLEAR);
	/* More than the host has made room for. */
	test_bad_count(FAKE_CPUS + 1, HANG_ANSWER_UNCLEAR);
	test_no_cpus("__cpu_possible_mask");
	test_no_cpus("__cpu_online_mask");
	test_bad_offset();
	test_holes("blk_cpu_done");
	test_holes("call_single_queue");
	test_holes("hrtimer_bases");
	test_holes("__softirq_pending");
	test_holes("__preempt_count");
	test_holes("runqueues");
	test_holes("ksoftirqd");
	test_holes("blk_cpu_csd");
	return tap_end();
}
