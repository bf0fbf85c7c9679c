// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verdicts: rows over the summary, in the files verdict_*.c, and the order in
 * which they are said: the surest first, then those for which most wait.
 * Each is an id, a test, the sentences that explain it, and what to do next.
 *
 * Nothing is accused without evidence of age. There are three kinds: a request
 * older than its limit; a timer tick that is overdue; or the same request met
 * in two samples while the CPU took ticks in between, so that it had its
 * chance. A row whose facts are not known does not hold.
 */
#include "verdict.h"

#define SORTED_MAX 32

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
	hang_say_policy(w);
}

/* One for which a row holds, and how much it matters. */
struct pick {
	int cpu; /* -1: it is a disk */
	u32 disk;
	u64 weight; /* 0: there is none */
};

static u64 weight_of(const char *confidence, u32 waiting)
{
	u64 rank = !strcmp(confidence, "high") ? 3 :
		   !strcmp(confidence, "medium") ? 2 : 1;

	return rank << 32 | waiting;
}

/* The one that matters most of those not yet said: that of which we are surest. */
static struct pick next_pick(const struct hang_work *w)
{
	struct pick best = { .cpu = -1 };
	u64 weight;
	u32 i;

	for (i = 0; i < w->sum.used_cpus; i++) {
		const struct hang_cpu_sum *c = &w->sum.cpus[i];

		if (!c->row || c->said)
			continue;
		weight = weight_of(hang_cpu_confidence(c), hang_cpu_waiting(c));
		if (weight > best.weight)
			best = (struct pick){ i, 0, weight };
	}
	for (i = 0; i < w->sum.nr_disks; i++) {
		const struct hang_disk_sum *d = &w->sum.disks[i];

		if (!d->row || d->said)
			continue;
		weight = weight_of(d->row->confidence, hang_disk_waiting(d));
		if (weight > best.weight)
			best = (struct pick){ -1, i, weight };
	}
	return best;
}

static void say_pick(struct hang_work *w, const struct pick *p)
{
	if (p->cpu >= 0) {
		hang_say_cpu(w, p->cpu);
		w->sum.cpus[p->cpu].said = true;
	} else {
		hang_say_disk(w, &w->sum.disks[p->disk]);
		w->sum.disks[p->disk].said = true;
	}
}

/* The first ones in the order of how much they matter, all others as they come. */
static void say_all(struct hang_work *w)
{
	struct pick p;
	u32 i;

	for (i = 0; i < w->sum.used_cpus; i++)
		w->sum.cpus[i].said = false;
	for (i = 0; i < w->sum.nr_disks; i++)
		w->sum.disks[i].said = false;
	for (i = 0; i < SORTED_MAX; i++) {
		p = next_pick(w);
		if (!p.weight)
			return;
		say_pick(w, &p);
	}
	for (i = 0; i < w->sum.used_cpus; i++)
		if (w->sum.cpus[i].row && !w->sum.cpus[i].said)
			hang_say_cpu(w, i);
	for (i = 0; i < w->sum.nr_disks; i++)
		if (w->sum.disks[i].row && !w->sum.disks[i].said)
			hang_say_disk(w, &w->sum.disks[i]);
}

enum hang_answer hang_judge(struct hang_work *w, struct hang_sink *sink)
{
	u32 found;

	w->sink = sink;
	found = hang_find_cpu_rows(w) + hang_find_disk_rows(w);
	say_all(w);
	found += hang_judge_stuck_cpus(w);
	if (found)
		return HANG_ANSWER_FOUND;
	if (!is_complete(w)) {
		say_unclear(w);
		return HANG_ANSWER_UNCLEAR;
	}
	if (hang_judge_idle(w)) {
		say_looked(w);
		return HANG_ANSWER_FOUND;
	}
	say_no_hang(w);
	say_looked(w);
	return HANG_ANSWER_NONE;
}
