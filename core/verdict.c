// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verdicts: rows over the summary, in verdict_cpu.c and verdict_disk.c.
 * Each is an id, a test, the sentences that explain it, and what to do next.
 *
 * Nothing is accused without evidence of age. There are three kinds: a request
 * older than its limit; a timer tick that is overdue; or the same request met
 * in two samples while the CPU took ticks in between, so that it had its
 * chance. A row whose facts are not known does not hold.
 */
#include "verdict.h"

struct hang_str *hang_sentence(struct hang_work *w, struct hang_str *s)
{
	hang_str_init(s, w->text, sizeof(w->text));
	return s;
}

void hang_say(struct hang_work *w, enum hang_rec_type type,
		      const char *text)
{
	hang_rec_start(&w->say_rec, type);
	/* say, evidence and next have one field each: the text. */
	hang_rec_str(&w->say_rec, F_say_text, text);
	hang_emit(w, &w->say_rec);
}

void hang_evidence(struct hang_work *w)
{
	hang_say(w, R_evidence, w->text);
}

void hang_say_next(struct hang_work *w, const char *const *next)
{
	u32 i;

	for (i = 0; i < HANG_NEXTS && next[i]; i++)
		hang_say(w, R_next, next[i]);
}

/* Completion lists and disks that were looked at and held nothing. */
static u32 empty_places(const struct hang_work *w)
{
	u32 empty = 0;
	u32 i;

	for (i = 0; i < w->sum.used_cpus; i++) {
		const struct hang_cpu_sum *c = &w->sum.cpus[i];

		if (c->looked && !c->faulty)
			empty += !c->done + !c->block_calls;
	}
	for (i = 0; i < w->sum.nr_disks; i++) {
		const struct hang_disk_sum *d = &w->sum.disks[i];

		empty += !d->faulty && !d->unclear && !d->stage[0] &&
			 !d->stage[1] && !d->stage[2] && !d->stage[3];
	}
	return empty;
}

void hang_say_verdict(struct hang_work *w, const char *id,
			 const char *confidence, int cpu, const char *disk,
			 u32 requests)
{
	struct hang_rec *rec = &w->say_rec;

	hang_rec_start(rec, R_verdict);
	hang_rec_str(rec, F_verdict_id, id);
	hang_rec_str(rec, F_verdict_confidence, confidence);
	if (cpu >= 0)
		hang_rec_set(rec, F_verdict_cpu, cpu);
	if (disk && disk[0])
		hang_rec_str(rec, F_verdict_disk, disk);
	hang_rec_set(rec, F_verdict_requests, requests);
	hang_rec_set(rec, F_verdict_empty, empty_places(w));
	hang_emit(w, rec);
}

static bool is_complete(const struct hang_work *w)
{
	u32 online = 0;
	u32 i;

	/* Without hz no request has a limit. */
	if (!w->sum.walked || w->sum.left_out || !w->clock.now_ns ||
	    !w->clock.hz)
		return false;
	for (i = 0; i < w->sum.used_cpus; i++) {
		if (w->sum.cpus[i].faulty)
			return false;
		online += w->sum.cpus[i].online;
	}
	if (!online)
		return false;
	for (i = 0; i < w->sum.nr_disks; i++)
		if (w->sum.disks[i].faulty)
			return false;
	return true;
}

static void say_looked(struct hang_work *w)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "looked at ");
	hang_put_count(&s, w->sum.looked_cpus, "CPU");
	hang_put(&s, ", ");
	hang_put_count(&s, w->sum.looked_queues, "queue");
	hang_put(&s, ", ");
	hang_put_count(&s, w->sum.looked_hctxs, "hardware queue");
	hang_put(&s, ", ");
	hang_put_count(&s, w->sum.looked_tags, "tag");
	hang_evidence(w);
}

static void say_unclear(struct hang_work *w)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "Could not see enough to say: ");
	hang_put_count(&s, w->sum.faults, "fault");
	if (w->layout.missing) {
		hang_put(&s, ", ");
		hang_put_count(&s, w->layout.missing, "required fact");
		hang_put(&s, " about this kernel missing");
	}
	if (!w->clock.now_ns)
		hang_put(&s, ", and the time is unknown");
	hang_put(&s, ".");
	hang_say(w, R_say, w->text);
	say_looked(w);
}

/* Finished requests met on their way: no proof of anything, but worth saying. */
static void say_young(struct hang_work *w, const struct hang_cpu_sum *c,
		      u32 cpu)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "CPU ");
	hang_put_dec(&s, cpu);
	hang_put(&s, " still has to end ");
	hang_put_count(&s, c->done ? c->done : c->block_calls, "request");
	hang_put(&s, ", the oldest began ");
	hang_put_time(&s, c->oldest_ns);
	hang_put(&s, " ago, limit ");
	hang_put_time(&s, c->limit_ns);
	hang_evidence(w);
}

/* Requests that wait very long, behind some that do not: the disk moves. */
static u32 say_behind(struct hang_work *w, bool say)
{
	u32 disks = 0;
	u32 i;

	for (i = 0; i < w->sum.nr_disks; i++) {
		const struct hang_disk_sum *d = &w->sum.disks[i];
		struct hang_str s;

		if (!d->over_left)
			continue;
		disks++;
		if (!say)
			continue;
		hang_sentence(w, &s);
		hang_put(&s, d->name);
		hang_put(&s, " moves, but ");
		hang_put_count(&s, d->over_left, "request");
		hang_put(&s, " never issued and past the limit, the oldest"
			     " began ");
		hang_put_time(&s, d->left_oldest_ns);
		hang_put(&s, " ago");
		hang_evidence(w);
	}
	return disks;
}

static void say_no_hang(struct hang_work *w)
{
	u32 young = say_behind(w, false);
	u32 cpu;

	for (cpu = 0; cpu < w->sum.used_cpus; cpu++)
		young += w->sum.cpus[cpu].done || w->sum.cpus[cpu].block_calls;
	hang_say_verdict(w, "no-hang", young ? "medium" : "high", -1, NULL, 0);
	hang_say(w, R_say, young ? "Nothing has been without progress for long"
				   " enough to be stuck."
				 : "No request is stuck.");
	say_behind(w, true);
	for (cpu = 0; cpu < w->sum.used_cpus; cpu++)
		if (w->sum.cpus[cpu].done || w->sum.cpus[cpu].block_calls)
			say_young(w, &w->sum.cpus[cpu], cpu);
}

enum hang_answer hang_judge(struct hang_work *w, struct hang_sink *sink)
{
	w->sink = sink;
	if (hang_judge_cpus(w) + hang_judge_disks(w))
		return HANG_ANSWER_FOUND;
	if (!is_complete(w)) {
		say_unclear(w);
		return HANG_ANSWER_UNCLEAR;
	}
	say_no_hang(w);
	say_looked(w);
	return HANG_ANSWER_NONE;
}
