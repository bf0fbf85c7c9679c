// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is said of the machine where nothing is wrong with its disks: CPUs that
 * are stuck over something else, tasks that sleep though the block layer has
 * nothing for them to wait for, and bios that are held back because they were
 * meant to be.
 */
#include "verdict.h"

#define LOCKUP_NS 10000000000ULL /* as the kernel's watchdog for hard lockups */
#define ASLEEP_NS 120000000000ULL /* as its watchdog for hung tasks */

static bool is_stuck_elsewhere(const struct hang_cpu_sum *c)
{
	return c->online && c->tick_known && c->late_ns >= LOCKUP_NS &&
	       !c->row && !c->panicked && !c->faulty &&
	       c->irqs != HANG_IRQS_ON;
}

static void say_stuck(struct hang_work *w, const struct hang_cpu_sum *c,
		      u32 cpu)
{
	struct hang_str s;

	hang_say_verdict(w, "cpu-stuck-elsewhere", "medium", cpu, NULL, 0);
	hang_sentence(w, &s);
	hang_put(&s, "CPU ");
	hang_put_dec(&s, cpu);
	hang_put(&s, " has taken no interrupt for ");
	hang_put_time(&s, c->late_ns);
	hang_put(&s, ", and no request waits for it: its fault is outside the"
		     " block layer.");
	hang_say(w, R_say, w->text);
	hang_sentence(w, &s);
	hang_put(&s, "it runs ");
	hang_put(&s, c->idle ? "the idle task" : c->task);
	hang_put(&s, "; call_single_queue: ");
	hang_put_dec(&s, c->calls);
	hang_put(&s, ", none for block completion");
	hang_evidence(w);
	hang_say(w, R_next, "find what that CPU does: its backtrace (sysrq-l,"
			    " crash bt -c); a slow console that prints with"
			    " interrupts off looks the same");
}

u32 hang_judge_stuck_cpus(struct hang_work *w)
{
	u32 found = 0;
	u32 cpu;

	for (cpu = 0; cpu < w->sum.used_cpus; cpu++) {
		if (!is_stuck_elsewhere(&w->sum.cpus[cpu]))
			continue;
		say_stuck(w, &w->sum.cpus[cpu], cpu);
		found++;
	}
	return found;
}

/* Nothing of a disk that anybody could wait for. */
static bool is_idle(const struct hang_disk_sum *d)
{
	return !d->stage[HANG_ALLOCATED] && !d->stage[HANG_ISSUED] &&
	       !d->stage[HANG_COMPLETED] && !d->stage[HANG_TIMEDOUT] &&
	       !d->unclear && !d->held.throttled && !d->held.deferred &&
	       !d->held.inflight &&
	       !d->held.zone_bios && !d->held.frozen && !d->queue.freeze &&
	       !d->queue.pm_only;
}

static bool all_idle(const struct hang_work *w)
{
	u32 i;

	for (i = 0; i < w->sum.nr_disks; i++)
		if (!is_idle(&w->sum.disks[i]))
			return false;
	return true;
}

static void evidence_asleep(struct hang_work *w)
{
	u32 i;

	for (i = 0; i < HANG_ASLEEP_NAMED && w->sum.longest[i].count; i++) {
		const struct hang_sleepers *t = &w->sum.longest[i];
		struct hang_str s;

		hang_sentence(w, &s);
		hang_put(&s, t->task);
		hang_put(&s, ", pid ");
		hang_put_dec(&s, t->pid);
		hang_put(&s, ", asleep (D) for ");
		hang_put_time(&s, t->slept_ns);
		hang_evidence(w);
	}
}

u32 hang_judge_idle(struct hang_work *w)
{
	u64 limit = w->cfg.age_ns ? w->cfg.age_ns : ASLEEP_NS;
	struct hang_str s;

	if (w->sum.longest[0].slept_ns <= limit || !all_idle(w))
		return 0;
	hang_say_verdict(w, "idle-look-above", "medium", -1, NULL, 0);
	hang_sentence(w, &s);
	hang_put(&s, "The block layer is idle, and ");
	hang_put_count(&s, w->sum.asleep, "task");
	hang_put(&s, w->sum.asleep == 1 ? " sleeps" : " sleep");
	hang_put(&s, " for something above it: a lock, a file system, a"
		     " network.");
	hang_say(w, R_say, w->text);
	evidence_asleep(w);
	hang_say(w, R_next, "see what they wait for: their stacks (sysrq-w,"
			    " crash bt)");
	return 1;
}

static void say_held(struct hang_work *w, const struct hang_disk_sum *d)
{
	const struct hang_held_sum *h = &d->held;
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put_count(&s, h->throttled ? h->throttled : h->deferred, "bio");
	hang_put(&s, " of ");
	hang_put(&s, d->name);
	if (!h->throttled) {
		hang_put(&s, h->suspended ? " held while it is suspended"
					  : " held until a path works");
	} else {
		hang_put(&s, " held by io.max");
		if (h->cgroup[0]) {
			hang_put(&s, " of ");
			hang_put(&s, h->cgroup);
			hang_put(&s, ", the next goes in ");
			hang_put_time(&s, h->throttle_next);
		}
	}
	hang_put(&s, ": policy, no hang");
	hang_evidence(w);
}

void hang_say_policy(struct hang_work *w)
{
	u32 i;

	for (i = 0; i < w->sum.nr_disks; i++) {
		const struct hang_held_sum *h = &w->sum.disks[i].held;

		if (!h->throttled &&
		    !(h->deferred && (h->suspended || h->pathless)))
			continue;
		say_held(w, &w->sum.disks[i]);
	}
}
