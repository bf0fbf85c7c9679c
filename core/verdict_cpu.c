// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about a CPU: finished requests that it does not end. Rows stand in
 * the order in which one fault hides the next; the first that holds is it.
 */
#include "verdict.h"

/*
 * Timer interrupts between two samples from which a CPU had its chance. One may
 * have been under way when the first sample was taken.
 */
#define TICKS_ENOUGH 2

struct hang_cpu_row {
	const char *id;
	const char *confidence;
	bool (*holds)(const struct hang_work *w, const struct hang_cpu_sum *c);
	void (*say)(struct hang_str *s, const struct hang_cpu_sum *c, u32 cpu);
	void (*evidence)(struct hang_work *w, const struct hang_cpu_sum *c,
			 u32 cpu);
	const char *next[HANG_NEXTS];
};

bool hang_cpu_is_stalled(const struct hang_work *w,
			 const struct hang_cpu_sum *c)
{
	return c->online && c->tick_known && c->late_ns >= w->cfg.stall_ns;
}

/* The time between two samples is far below that of a stall. */
static bool took_ticks(const struct hang_cpu_sum *c)
{
	return c->ticks >= TICKS_ENOUGH;
}

/* Inside a timer interrupt a tick may not be known, but those before it are. */
static bool is_alive(const struct hang_work *w, const struct hang_cpu_sum *c)
{
	return c->online && (c->tick_known || took_ticks(c)) &&
	       !hang_cpu_is_stalled(w, c);
}

static bool is_stranding(const struct hang_cpu_sum *c)
{
	return c->done || c->block_calls;
}

/*
 * Whoever sends a completion may itself be kept from it for a while, as a guest's
 * CPU by its host: two samples prove nothing of what has only just begun.
 */
static bool has_age(const struct hang_work *w, const struct hang_cpu_sum *c)
{
	return c->over || (c->twice && took_ticks(c) &&
			   c->oldest_ns >= w->cfg.stall_ns);
}

/* Requests of all disks that are past their limit and have not been finished. */
u32 hang_requests_over(const struct hang_work *w)
{
	u32 over = 0;
	u32 i;

	for (i = 0; i < w->sum.nr_disks; i++)
		over += w->sum.disks[i].over + w->sum.disks[i].over_left;
	return over;
}

bool hang_any_cpu_is_stalled(const struct hang_work *w)
{
	u32 cpu;

	for (cpu = 0; cpu < w->sum.used_cpus; cpu++)
		if (hang_cpu_is_stalled(w, &w->sum.cpus[cpu]) &&
		    !w->sum.cpus[cpu].panicked)
			return true;
	return false;
}

/* A panic prints with interrupts off, and may take long to. */
static bool irqs_off_in_panic(const struct hang_work *w,
			      const struct hang_cpu_sum *c)
{
	return c->panicked && is_stranding(c) && hang_cpu_is_stalled(w, c);
}

static bool irqs_off(const struct hang_work *w, const struct hang_cpu_sum *c)
{
	if (c->irqs == HANG_IRQS_ON || !is_stranding(c))
		return false;
	return hang_cpu_is_stalled(w, c);
}

bool hang_any_cpu_is_faulty(const struct hang_work *w)
{
	u32 cpu;

	for (cpu = 0; cpu < w->sum.used_cpus; cpu++)
		if (w->sum.cpus[cpu].online && w->sum.cpus[cpu].faulty)
			return true;
	return false;
}

/* Stalled with nothing on its own lists, while a disk waits for somebody. */
static bool irqs_off_maybe(const struct hang_work *w,
			   const struct hang_cpu_sum *c)
{
	return c->irqs != HANG_IRQS_ON && !c->panicked &&
	       hang_cpu_is_stalled(w, c) && hang_requests_over(w);
}

static bool ipi_lost(const struct hang_work *w, const struct hang_cpu_sum *c)
{
	return c->block_calls && is_alive(w, c) && has_age(w, c);
}

static bool softirq_starved(const struct hang_work *w,
			    const struct hang_cpu_sum *c)
{
	return c->done && c->block_pending && is_alive(w, c) &&
	       c->ksoftirqd == HANG_KSOFTIRQD_RUNNABLE &&
	       !(c->serving_known && c->serving) &&
	       (c->waited_ns >= w->cfg.stall_ns || c->over);
}

static bool softirq_lost(const struct hang_work *w,
			 const struct hang_cpu_sum *c)
{
	return c->done && !c->block_calls && c->csd == HANG_CSD_FREE &&
	       c->pending_known && !c->block_pending && c->serving_known &&
	       !c->serving && is_alive(w, c) && has_age(w, c);
}

static bool is_unknown(const struct hang_work *w, const struct hang_cpu_sum *c)
{
	return is_stranding(c) && (c->over || hang_cpu_is_stalled(w, c));
}

/* Sentences */

static void put_cpu(struct hang_str *s, u32 cpu)
{
	hang_put(s, "CPU ");
	hang_put_dec(s, cpu);
}

static void put_disks(struct hang_str *s, const struct hang_cpu_sum *c)
{
	u32 i;

	for (i = 0; i < c->nr_disks; i++) {
		hang_put(s, i ? ", " : " of ");
		hang_put(s, c->disk[i]);
	}
}

static void put_waiting(struct hang_str *s, const struct hang_cpu_sum *c)
{
	hang_put_count(s, c->done ? c->done : c->block_calls,
		       "finished request");
	put_disks(s, c);
}

static void say_irqs_off(struct hang_str *s, const struct hang_cpu_sum *c,
			 u32 cpu)
{
	put_cpu(s, cpu);
	hang_put(s, " takes no interrupts; ");
	put_waiting(s, c);
	hang_put(s, " can't be ended there.");
}

static void say_irqs_off_in_panic(struct hang_str *s,
				  const struct hang_cpu_sum *c, u32 cpu)
{
	put_cpu(s, cpu);
	hang_put(s, " takes no interrupts, which its own panic would explain; ");
	put_waiting(s, c);
	hang_put(s, " can't be ended there.");
}

static void say_irqs_off_maybe(struct hang_str *s, const struct hang_cpu_sum *c,
			       u32 cpu)
{
	(void)c;
	put_cpu(s, cpu);
	hang_put(s, " takes no interrupts; requests are past their limit and may"
		    " wait for an interrupt routed to it, or for work that is"
		    " queued there.");
}

static void say_ipi_lost(struct hang_str *s, const struct hang_cpu_sum *c,
			 u32 cpu)
{
	put_cpu(s, cpu);
	hang_put(s, " was never told of ");
	put_waiting(s, c);
	hang_put(s, ": the call is queued, the CPU runs and takes ticks, so the"
		    " IPI was lost.");
}

static void say_starved(struct hang_str *s, const struct hang_cpu_sum *c,
			u32 cpu)
{
	put_cpu(s, cpu);
	hang_put(s, " leaves ");
	put_waiting(s, c);
	hang_put(s, " to ksoftirqd, which is runnable but does not get to run.");
}

static void say_lost(struct hang_str *s, const struct hang_cpu_sum *c, u32 cpu)
{
	put_cpu(s, cpu);
	hang_put(s, " has ");
	put_waiting(s, c);
	hang_put(s, " on its list and nothing under way to end them: the block"
		    " softirq was lost, and every later completion for this CPU"
		    " is stranded too.");
}

static void say_unknown(struct hang_str *s, const struct hang_cpu_sum *c,
			u32 cpu)
{
	put_waiting(s, c);
	hang_put(s, " wait for CPU ");
	hang_put_dec(s, cpu);
	hang_put(s, ", for no cause known here.");
}

/* Evidence */

static void evidence_age(struct hang_work *w, const struct hang_cpu_sum *c)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "oldest of them began ");
	hang_put_time(&s, c->oldest_ns);
	hang_put(&s, " ago, limit ");
	hang_put_time(&s, c->limit_ns);
	hang_evidence(w);
	if (c->twice && took_ticks(c))
		hang_say(w, R_evidence,
			 "same request met in two samples, with ticks between");
}

static void evidence_task(struct hang_work *w, const struct hang_cpu_sum *c)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "it runs ");
	if (c->idle) {
		hang_put(&s, "the idle task");
	} else {
		hang_put(&s, c->task);
		hang_put(&s, ", pid ");
		hang_put_dec(&s, c->pid);
	}
	hang_evidence(w);
}

static void evidence_tick(struct hang_work *w, const struct hang_cpu_sum *c)
{
	struct hang_str s;

	if (!c->tick_known && !took_ticks(c))
		return;
	hang_sentence(w, &s);
	if (!c->tick_known) {
		hang_put(&s, "it took ");
		hang_put_count(&s, c->ticks, "timer interrupt");
		hang_put(&s, " between two samples");
	} else if (c->late_ns) {
		hang_put(&s, "its timer tick is overdue by ");
		hang_put_time(&s, c->late_ns);
	} else {
		hang_put(&s, "its timer tick is not overdue");
	}
	hang_evidence(w);
}

static void evidence_lists(struct hang_work *w, const struct hang_cpu_sum *c)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "blk_cpu_done: ");
	hang_put_count(&s, c->done, "request");
	hang_put(&s, "; call_single_queue: ");
	hang_put_dec(&s, c->block_calls);
	hang_put(&s, " for block completion");
	hang_evidence(w);
}

static void evidence_stall(struct hang_work *w, const struct hang_cpu_sum *c,
			   u32 cpu)
{
	(void)cpu;
	evidence_tick(w, c);
	evidence_lists(w, c);
	evidence_task(w, c);
}

static void evidence_alive(struct hang_work *w, const struct hang_cpu_sum *c,
			   u32 cpu)
{
	(void)cpu;
	evidence_lists(w, c);
	evidence_age(w, c);
	evidence_tick(w, c);
	evidence_task(w, c);
}

static void evidence_starved(struct hang_work *w, const struct hang_cpu_sum *c,
			     u32 cpu)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "BLOCK softirq is pending; ksoftirqd/");
	hang_put_dec(&s, cpu);
	hang_put(&s, " runnable");
	if (c->waited_ns) {
		hang_put(&s, " for ");
		hang_put_time(&s, c->waited_ns);
	}
	hang_evidence(w);
	evidence_alive(w, c, cpu);
}

static void evidence_lost(struct hang_work *w, const struct hang_cpu_sum *c,
			  u32 cpu)
{
	hang_say(w, R_evidence, "csd free and not queued; BLOCK softirq not"
				 " pending; no softirq handler running");
	evidence_alive(w, c, cpu);
}

static const struct hang_cpu_row cpu_rows[] = {
	{ "completion-cpu-irqs-off", "low", irqs_off_in_panic,
	  say_irqs_off_in_panic, evidence_stall,
	  { "see in the log what it did before: a lockup report, or a long"
	    " panic message alone" } },
	{ "completion-cpu-irqs-off", "high", irqs_off, say_irqs_off,
	  evidence_stall,
	  { "find what that CPU does: its backtrace (sysrq-l, crash bt -c)",
	    "I/O resumes by itself when the CPU takes interrupts again" } },
	{ "completion-cpu-irqs-off", "low", irqs_off_maybe, say_irqs_off_maybe,
	  evidence_stall,
	  { "find what that CPU does: its backtrace (sysrq-l, crash bt -c)",
	    "see /proc/interrupts for the disk's interrupt and its CPU" } },
	{ "completion-ipi-lost", "high", ipi_lost, say_ipi_lost, evidence_alive,
	  { "suspect interrupt controller, hypervisor or CPU erratum",
	    "the queue also runs when that CPU goes idle: stop what keeps it"
	    " busy" } },
	{ "completion-softirq-starved", "high", softirq_starved, say_starved,
	  evidence_starved,
	  { "look at the priority of the task that CPU runs (chrt -p)",
	    "keep real-time tasks off CPUs that issue I/O, or throttle them" } },
	{ "completion-softirq-lost", "high", softirq_lost, say_lost,
	  evidence_lost,
	  { "a kernel bug: keep the dump and report it",
	    "taking the CPU offline drains its list" } },
	{ "unknown", "low", is_unknown, say_unknown, evidence_alive,
	  { "keep the dump; the records below are the facts" } },
};

/* Those who wait for the requests that it does not end. */
static void evidence_waiters(struct hang_work *w, const struct hang_cpu_sum *c)
{
	u32 i, n;

	for (i = 0; i < c->nr_disks; i++)
		for (n = 0; n < w->sum.nr_disks; n++)
			if (!strcmp(w->sum.disks[n].name, c->disk[i]))
				hang_evidence_tasks(w, &w->sum.disks[n]);
}

void hang_say_cpu(struct hang_work *w, u32 cpu)
{
	const struct hang_cpu_sum *c = &w->sum.cpus[cpu];
	struct hang_str s;

	hang_say_verdict(w, c->row->id, c->row->confidence, cpu,
			 c->nr_disks ? c->disk[0] : NULL, hang_cpu_waiting(c));
	c->row->say(hang_sentence(w, &s), c, cpu);
	hang_say(w, R_say, w->text);
	c->row->evidence(w, c, cpu);
	evidence_waiters(w, c);
	hang_say_next(w, c->row->next);
}

u32 hang_cpu_waiting(const struct hang_cpu_sum *c)
{
	return c->done ? c->done : c->block_calls;
}

const char *hang_cpu_confidence(const struct hang_cpu_sum *c)
{
	return c->row->confidence;
}

u32 hang_find_cpu_rows(struct hang_work *w)
{
	u32 found = 0;
	u32 cpu, i;

	for (cpu = 0; cpu < w->sum.used_cpus; cpu++) {
		struct hang_cpu_sum *c = &w->sum.cpus[cpu];

		c->row = NULL;
		for (i = 0; !c->row && i < HANG_ARRAY_SIZE(cpu_rows); i++)
			if (cpu_rows[i].holds(w, c))
				c->row = &cpu_rows[i];
		found += c->row != NULL;
	}
	return found;
}
