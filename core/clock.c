// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What time it is in the kernel looked at (kernel/time/timekeeping.c).
 *
 * The timekeeper's time is that of its last update. When the CPU that does the
 * updates is the one that is stuck, it lags by the whole hang. A CPU that runs
 * a task has its tick armed at most one tick ahead, and arms it by the clock
 * source itself; so its next expiry less one tick is a time already past, and
 * the latest of all these is 'now'. That doesn't hold for tickless (nohz_full)
 * CPUs, and is left out where there are any.
 */
#include "core.h"

#define NSEC_PER_SEC 1000000000ULL

static u64 timekeeper_addr(const struct hang_work *w)
{
	u64 seq_size;

	if (hang_has(w, L_sym_timekeeper))
		return hang_loc(w, L_sym_timekeeper);
	if (!hang_has(w, L_sym_tk_core) || !hang_has(w, L_size_seqcount_raw))
		return 0;
	/* An anonymous { seqcount_raw_spinlock_t; struct timekeeper; }. */
	seq_size = hang_loc(w, L_size_seqcount_raw);
	return hang_loc(w, L_sym_tk_core) + ((seq_size + 7) & ~7ULL);
}

static int timekeeper_load(struct hang_work *w, u64 *now, u64 *tick_ns)
{
	u64 tk = timekeeper_addr(w);
	u64 base, nsec, shift, ntp_tick;

	if (!tk)
		return -ENOENT;
	if (hang_read_member(w, tk, L_tk_base, &base) ||
	    hang_read_member(w, tk, L_tk_xtime_nsec, &nsec) ||
	    hang_read_member(w, tk, L_tk_shift, &shift) ||
	    hang_read_member(w, tk, L_tk_ntp_tick, &ntp_tick))
		return -EFAULT;
	*now = base + (nsec >> (shift & 63));
	/* ntp_tick: ns a tick, shifted left by NTP_SCALE_SHIFT. */
	*tick_ns = ntp_tick >> 32;
	return 0;
}

/* The latest time that a running CPU's tick shows to be past, if after now. */
static u64 latest_tick(struct hang_work *w, u64 now, u64 tick_ns)
{
	u64 latest = now;
	u32 cpu;

	for (cpu = 0; cpu < w->nr_cpus; cpu++) {
		u64 expires;

		if (!hang_cpu_is(w, HANG_ONLINE, cpu) || hang_cpu_is_idle(w, cpu))
			continue;
		if (hang_tick_expires(w, cpu, &expires))
			continue;
		if (expires > latest + tick_ns && hang_has_tick_timer(w, cpu))
			latest = expires - tick_ns;
	}
	return latest;
}

/* sched_clock() of the latest tick or switch on any CPU; 0: none is known. */
static u64 latest_run(struct hang_work *w)
{
	u64 latest = 0;
	u32 cpu;

	for (cpu = 0; cpu < w->nr_cpus; cpu++) {
		u64 clock;

		if (hang_cpu_is(w, HANG_ONLINE, cpu) &&
		    !hang_run_clock(w, cpu, &clock) && clock > latest)
			latest = clock;
	}
	return latest;
}

static bool is_tickless(struct hang_work *w)
{
	u64 running = 0;

	if (!hang_has(w, L_sym_nohz_full_running))
		return false;
	hang_read_uint(w, hang_loc(w, L_sym_nohz_full_running), 1, &running,
		       "tick_nohz_full_running");
	return running;
}

void hang_clock_load(struct hang_work *w)
{
	struct hang_clock *c = &w->clock;
	u64 tick_ns = 0;
	u64 kept = 0;

	memset(c, 0, sizeof(*c));
	c->source = "unknown";
	c->latest_run_ns = latest_run(w);
	hang_read_uint(w, hang_loc(w, L_sym_jiffies), w->t->word, &c->jiffies,
		       "jiffies");
	if (timekeeper_load(w, &kept, &tick_ns) || !tick_ns)
		return;
	c->hz = hang_div64(NSEC_PER_SEC + tick_ns / 2, tick_ns);
	c->now_ns = kept;
	c->source = "timekeeper";
	if (w->t->ops->now_ns && !w->t->ops->now_ns(w->t, &c->now_ns)) {
		c->source = "clock";
	} else if (!is_tickless(w)) {
		u64 tick = latest_tick(w, c->now_ns, tick_ns);

		if (tick > c->now_ns + tick_ns) {
			c->now_ns = tick;
			c->source = "ticks";
		}
	}
	/* jiffies stand still as long as the timekeeper does. */
	if (c->now_ns > kept)
		c->jiffies += hang_div64(c->now_ns - kept, tick_ns);
}

u64 hang_since(const struct hang_work *w, u64 then_ns)
{
	return w->clock.now_ns > then_ns ? w->clock.now_ns - then_ns : 0;
}

u64 hang_jiffies_to_ns(const struct hang_work *w, u64 jiffies)
{
	/* No interval of interest is above 2^32 jiffies; rubbish is cut. */
	if (jiffies >> 32)
		jiffies = 0xffffffff;
	return w->clock.hz ? hang_div64(jiffies * NSEC_PER_SEC, w->clock.hz) : 0;
}
