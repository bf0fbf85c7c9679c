// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One CPU's part in completing I/O: what it runs, whether it still takes timer
 * ticks, which softirqs wait, and what lies on its two queues. All possible
 * CPUs are looked at: an offline one may have left requests behind.
 */
#include "core.h"

/* A tick this much overdue is worth showing; a stall is four times as long. */
#define LATE_SHOWN(w) ((w)->cfg.stall_ns / 4)

/* SOFTIRQ_OFFSET in the preempt count: a softirq handler is running. */
#define SERVING_SOFTIRQ 0x100

static int runq_member(struct hang_work *w, u32 cpu, enum hang_row_id row,
		       u64 *value)
{
	u64 runq;
	int err;

	err = hang_percpu(w, L_sym_runqueues, cpu, &runq);
	if (!err)
		err = hang_read_member(w, runq, row, value);
	return err;
}

bool hang_cpu_is_idle(struct hang_work *w, u32 cpu)
{
	u64 curr, idle;

	return runq_member(w, cpu, L_runq_curr, &curr) ||
	       runq_member(w, cpu, L_runq_idle, &idle) || curr == idle;
}

int hang_run_clock(struct hang_work *w, u32 cpu, u64 *clock)
{
	return runq_member(w, cpu, L_runq_clock, clock);
}

int hang_tick_expires(struct hang_work *w, u32 cpu, u64 *expires)
{
	u64 base;
	int err;

	err = hang_percpu(w, L_sym_hrtimer_bases, cpu, &base);
	if (!err)
		err = hang_read_member(w, base, L_hrtimer_expires_next,
				       expires);
	/*
	 * KTIME_MAX: nothing is armed, as on an idle CPU without timers, and
	 * for a moment inside the timer interrupt itself.
	 */
	if (!err && (!*expires || *expires >> 62))
		err = -ENODATA;
	return err;
}

bool hang_has_tick_timer(struct hang_work *w, u32 cpu)
{
	u64 tick, base = 1;

	if (!hang_has(w, L_sym_tick_sched) || !hang_has(w, L_tick_base))
		return true;
	w->hush = true;
	if (!hang_percpu(w, L_sym_tick_sched, cpu, &tick) &&
	    hang_read_member(w, tick, L_tick_base, &base))
		base = 1;
	w->hush = false;
	return base != 0;
}

/* Timer interrupts that the CPU took between two samples. */
static void show_ticks(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	u64 key = ~(u64)cpu; /* no address of anything */
	u64 base, events;
	u32 before;

	if (hang_percpu(w, L_sym_hrtimer_bases, cpu, &base) ||
	    hang_read_member(w, base, L_hrtimer_nr_events, &events))
		return;
	if (!w->confirming)
		hang_map_put(&w->seen, key, (u32)events);
	else if (hang_map_get(&w->seen, key, &before))
		hang_rec_set(rec, F_cpu_ticks, (u32)events - before);
}

/*
 * How far a CPU that runs a task lags behind the others, by the clocks of
 * their run queues: each tick brings them up to date. Known only if another
 * CPU's clock is ahead.
 */
static int clock_lag(struct hang_work *w, u32 cpu, u64 *lag)
{
	u64 own;

	if (hang_cpu_is_idle(w, cpu) || hang_run_clock(w, cpu, &own) ||
	    own >= w->clock.latest_run_ns)
		return -ENODATA;
	*lag = w->clock.latest_run_ns - own;
	return 0;
}

static void show_late(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	u64 expires, late;

	if (!w->clock.now_ns)
		return;
	if (w->t->ops->self_cpu && w->t->ops->self_cpu(w->t) == (int)cpu) {
		hang_rec_set(rec, F_cpu_late, 0);
		return;
	}
	/* Inside the timer interrupt no timer is armed; the clock tells then. */
	if (!hang_tick_expires(w, cpu, &expires))
		late = hang_since(w, expires);
	else if (clock_lag(w, cpu, &late))
		return;
	hang_rec_set(rec, F_cpu_late, late >= LATE_SHOWN(w) ? late : 0);
}

/* Whether the machine went down by this CPU. */
static void show_panic(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	u64 panicked;

	if (hang_has(w, L_sym_panic_cpu) &&
	    !hang_read_uint(w, hang_loc(w, L_sym_panic_cpu), 4, &panicked,
			    "panic_cpu") && panicked == cpu)
		hang_rec_set(rec, F_cpu_panicked, 1);
}

static void show_current(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	u64 curr;

	if (runq_member(w, cpu, L_runq_curr, &curr))
		return;
	hang_rec_set(rec, F_cpu_idle, hang_cpu_is_idle(w, cpu));
	hang_task_show(w, rec, curr, F_cpu_pid, F_cpu_task);
}

static void show_ksoftirqd(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	u64 addr, task, curr, state, on_rq, clock, queued;

	if (hang_percpu(w, L_sym_ksoftirqd, cpu, &addr) ||
	    hang_read_ptr(w, addr, &task, "ksoftirqd") || !task ||
	    runq_member(w, cpu, L_runq_curr, &curr) ||
	    hang_read_member(w, task, L_task_state, &state) ||
	    hang_read_member(w, task, L_task_on_rq, &on_rq))
		return;
	if (task == curr) {
		hang_rec_str(rec, F_cpu_ksoftirqd, "running");
		return;
	}
	if (state || !on_rq) {
		hang_rec_str(rec, F_cpu_ksoftirqd, "sleeping");
		return;
	}
	hang_rec_str(rec, F_cpu_ksoftirqd, "runnable");
	if (!runq_member(w, cpu, L_runq_clock, &clock) &&
	    !hang_read_member(w, task, L_task_last_queued, &queued) &&
	    queued && clock > queued)
		hang_rec_set(rec, F_cpu_waited, clock - queued);
}

static void show_softirqs(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	u32 size = w->layout.loc[L_softirq_pending_size].size;
	u64 addr, pending, count;

	if (!hang_percpu(w, L_sym_softirq_pending, cpu, &addr) &&
	    !hang_read_uint(w, addr, size ? size : 2, &pending,
			    "__softirq_pending")) {
		hang_rec_set(rec, F_cpu_pending, pending);
		hang_rec_set(rec, F_cpu_block,
			     pending >> hang_loc(w, L_enum_block_softirq) & 1);
	}
	if (!hang_has(w, L_sym_softirq_ctrl) &&
	    !hang_percpu(w, L_sym_preempt_count, cpu, &addr) &&
	    !hang_read_uint(w, addr, 4, &count, "__preempt_count"))
		hang_rec_set(rec, F_cpu_serving, !!(count & SERVING_SOFTIRQ));
}

/* The csd by which other CPUs tell this one of finished requests. */
static void show_csd(struct hang_work *w, struct hang_rec *rec, u32 cpu,
		     bool calls_known)
{
	u64 csd, flags;
	bool locked;

	if (hang_has(w, L_sym_blk_cpu_csd)) {
		if (hang_percpu(w, L_sym_blk_cpu_csd, cpu, &csd) ||
		    hang_read_member(w, csd, L_csd_flags, &flags))
			return;
		locked = flags & hang_loc(w, L_enum_csd_lock);
	} else if (hang_has(w, L_rq_csd)) {
		locked = hang_done_csd_locked(w);
	} else {
		return;
	}
	if (hang_calls_for_block(w))
		hang_rec_str(rec, F_cpu_csd, "queued");
	else if (calls_known)
		hang_rec_str(rec, F_cpu_csd, locked ? "locked" : "free");
}

static void show_irqs(struct hang_work *w, struct hang_rec *rec, u32 cpu)
{
	int on = -ENODATA;

	if (w->t->ops->irqs_on)
		on = w->t->ops->irqs_on(w->t, cpu);
	if (on >= 0)
		hang_rec_str(rec, F_cpu_irqs, on ? "on" : "off");
}

static void walk_cpu(struct hang_work *w, u32 cpu)
{
	struct hang_rec *rec = &w->rec;
	bool online = hang_cpu_is(w, HANG_ONLINE, cpu);
	int done_err = hang_done_load(w, cpu);
	int call_err = hang_calls_load(w, cpu);

	hang_rec_start(rec, R_cpu);
	hang_rec_set(rec, F_cpu_cpu, cpu);
	hang_rec_set(rec, F_cpu_online, online);
	if (!done_err || w->done_order.count)
		hang_rec_set(rec, F_cpu_done, w->done_order.count);
	if (!call_err || w->call_order.count)
		hang_rec_set(rec, F_cpu_calls, w->call_order.count);
	show_csd(w, rec, cpu, !call_err);
	if (online) {
		show_softirqs(w, rec, cpu);
		show_irqs(w, rec, cpu);
		show_late(w, rec, cpu);
		show_ticks(w, rec, cpu);
		show_panic(w, rec, cpu);
		show_current(w, rec, cpu);
		show_ksoftirqd(w, rec, cpu);
	}
	hang_emit(w, rec);
	/* A panic takes CPUs offline where they are, with what they had. */
	if (!online && hang_cpu_is(w, HANG_ACTIVE, cpu))
		hang_fault(w, "cpu", 0, 0, "stopped, its tick tells nothing");
	hang_done_emit(w, cpu);
	hang_calls_emit(w, cpu);
	w->looked.cpus++;
}

void hang_walk_cpus(struct hang_work *w)
{
	u32 cpu;

	for (cpu = 0; cpu < w->nr_cpus && !hang_interrupted(w); cpu++) {
		if (!hang_cpu_is(w, HANG_POSSIBLE, cpu))
			continue;
		w->at_cpu = cpu;
		walk_cpu(w, cpu);
	}
	w->at_cpu = -1;
}
