// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about a disk: which row holds, of those in the files verdict_*.c, the
 * evidence that all of them rest on, and what one disk's fault explains of
 * others.
 */
#include "verdict.h"

#define LEVELS_MAX 4 /* of disks that are made of others */
#define LIMIT_NS 30000000000ULL /* of disks that have no timeout of their own */

u32 hang_disk_issued(const struct hang_disk_sum *d)
{
	return d->stage[HANG_ISSUED] + d->stage[HANG_TIMEDOUT];
}

u64 hang_disk_limit(const struct hang_work *w, const struct hang_disk_sum *d)
{
	if (w->cfg.age_ns)
		return w->cfg.age_ns;
	return d->queue.timeout_ns ? d->queue.timeout_ns : LIMIT_NS;
}

bool hang_waits_long(const struct hang_work *w, const struct hang_disk_sum *d,
		     u64 slept_ns)
{
	return slept_ns > hang_disk_limit(w, d);
}

bool hang_disk_moves(const struct hang_work *w, const struct hang_disk_sum *d)
{
	return d->last_known && d->last_ns < w->cfg.stall_ns;
}

bool hang_nothing_below(const struct hang_work *w,
			const struct hang_disk_sum *d)
{
	return !d->stage[HANG_ISSUED] && !d->stage[HANG_TIMEDOUT] &&
	       !d->stage[HANG_COMPLETED] && !d->unclear && !d->faulty &&
	       !hang_disk_moves(w, d) && !hang_any_cpu_is_stalled(w);
}

const struct hang_disk_row *
hang_row_that_holds(const struct hang_disk_row *rows, u32 count,
		    const struct hang_work *w, const struct hang_disk_sum *d)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (rows[i].holds(w, d))
			return &rows[i];
	return NULL;
}

void hang_put_requests(struct hang_str *s, const struct hang_disk_sum *d,
		       u32 n)
{
	hang_put_count(s, n, "request");
	hang_put(s, " of ");
	hang_put(s, d->name);
}

/*
 * Those never issued have to wait as long as the driver has young ones, or some
 * are being ended.
 */
static bool is_unknown(const struct hang_work *w, const struct hang_disk_sum *d)
{
	bool left = d->over_left && !hang_disk_issued(d) &&
		    !d->stage[HANG_COMPLETED] && !hang_disk_moves(w, d);

	return (d->over || d->over_lost || left) && !hang_any_cpu_is_stalled(w);
}

static u32 unknown_requests(const struct hang_disk_sum *d)
{
	return d->over + d->over_left + d->over_lost;
}

static void say_unknown(struct hang_str *s, const struct hang_disk_sum *d)
{
	const struct {
		u32 n;
		const char *what;
	} parts[] = {
		{ d->over_left, " never issued" },
		{ d->over, " issued" },
		{ d->over_lost, " finished but on no list" },
	};
	const char *sep = ": ";
	u32 i;

	hang_put(s, "Requests of ");
	hang_put(s, d->name);
	hang_put(s, " are past their limit, for no cause known here");
	for (i = 0; i < HANG_ARRAY_SIZE(parts); i++) {
		if (!parts[i].n)
			continue;
		hang_put(s, sep);
		hang_put_dec(s, parts[i].n);
		hang_put(s, parts[i].what);
		sep = ", ";
	}
	hang_put_char(s, '.');
}

static const struct hang_disk_row unknown_row = {
	"unknown", "low", is_unknown, unknown_requests, say_unknown,
	{ "keep the dump; the records below are the facts" }
};

static void evidence_issued(struct hang_work *w, const struct hang_disk_sum *d)
{
	struct hang_str s;

	if (!d->over)
		return;
	hang_sentence(w, &s);
	hang_put(&s, "oldest issued request began ");
	hang_put_time(&s, d->oldest_ns);
	hang_put(&s, " ago, limit ");
	hang_put_time(&s, d->limit_ns);
	hang_evidence(w);
}

static void evidence_rings(struct hang_work *w, const struct hang_disk_sum *d)
{
	struct hang_str s;

	if (!d->rings_known && !d->uncollected && !d->unkicked)
		return;
	hang_sentence(w, &s);
	hang_put(&s, d->rings_shared ? "rings it shares: " : "its rings: ");
	if (d->rings_known) {
		hang_put_count(&s, d->with_device, "request");
		hang_put(&s, " with the device, ");
	}
	hang_put_dec(&s, d->uncollected);
	hang_put(&s, " finished there and not collected, ");
	hang_put_dec(&s, d->unkicked);
	hang_put(&s, " it was not told of");
	hang_evidence(w);
}

static void evidence_stages(struct hang_work *w, const struct hang_disk_sum *d)
{
	struct hang_str s;

	hang_sentence(w, &s);
	hang_put(&s, "its requests: ");
	hang_put_dec(&s, d->stage[HANG_ALLOCATED]);
	hang_put(&s, " allocated, ");
	hang_put_dec(&s, hang_disk_issued(d));
	hang_put(&s, " issued, ");
	hang_put_dec(&s, d->stage[HANG_COMPLETED]);
	hang_put(&s, " completed and not ended");
	hang_evidence(w);
	if (!d->ops[0])
		return;
	hang_sentence(w, &s);
	hang_put(&s, "driver: ");
	hang_put(&s, d->ops);
	hang_evidence(w);
}

static void evidence_left(struct hang_work *w, const struct hang_disk_sum *d)
{
	struct hang_str s;

	if (!d->over_left)
		return;
	hang_sentence(w, &s);
	hang_put(&s, "oldest request that was never issued began ");
	hang_put_time(&s, d->left_oldest_ns);
	hang_put(&s, " ago, limit ");
	hang_put_time(&s, d->left_limit_ns);
	hang_evidence(w);
}

/* Who waits: what is at fault, or what follows from it. */
void hang_evidence_tasks(struct hang_work *w, const struct hang_disk_sum *d)
{
	static const char *const what[HANG_NEEDS] = {
		[HANG_NEED_RQ] = " for a request of it",
		[HANG_NEED_TAG] = " for a tag",
		[HANG_NEED_ENTER] = " to enter the queue",
		[HANG_NEED_QOS] = " for a throttler",
		[HANG_NEED_BIO] = " for a bio that is held back",
		[HANG_NEED_FS] = " for its file system to thaw",
	};
	struct hang_str s;
	u32 i;

	for (i = 0; i < HANG_NEEDS; i++) {
		if (!d->needs[i].count)
			continue;
		hang_sentence(w, &s);
		hang_put_count(&s, d->needs[i].count, "task");
		hang_put(&s, hang_waits(d->needs[i].count));
		hang_put(&s, what[i]);
		hang_put(&s, ", longest ");
		hang_put(&s, d->needs[i].task);
		hang_put(&s, ", pid ");
		hang_put_dec(&s, d->needs[i].pid);
		hang_put(&s, ", for ");
		hang_put_time(&s, d->needs[i].slept_ns);
		hang_evidence(w);
	}
}

/* Names of other disks, behind a sentence that the first of them begins. */
static bool put_name(struct hang_work *w, struct hang_str *s, const char *what,
		     const char *name, bool first)
{
	if (first) {
		hang_sentence(w, s);
		hang_put(s, what);
	} else {
		hang_put(s, ", ");
	}
	hang_put(s, name);
	return false;
}

/* What follows: disks that are made of it, and those the row explains too. */
static void evidence_others(struct hang_work *w, const struct hang_disk_sum *d)
{
	const struct hang_disk_sum *other;
	struct hang_str s;
	bool first = true;
	u32 n;

	for (n = 0; n < w->sum.nr_disks; n++) {
		other = &w->sum.disks[n];
		if (other->stacked && hang_has_word(other->on, d->name, ','))
			first = put_name(w, &s, "made of it: ", other->name,
					 first);
	}
	if (!first)
		hang_evidence(w);
	first = true;
	for (n = 0; n < w->sum.nr_disks; n++) {
		other = &w->sum.disks[n];
		if (other != d && d->row->explains &&
		    d->row->explains(d, other))
			first = put_name(w, &s, "the same of ", other->name,
					 first);
	}
	if (!first)
		hang_evidence(w);
}

void hang_say_disk(struct hang_work *w, const struct hang_disk_sum *d)
{
	const struct hang_disk_row *row = d->row;
	struct hang_str s;

	hang_say_verdict(w, row->id, row->confidence, -1, d->name,
			 row->requests(d));
	row->say(hang_sentence(w, &s), d);
	hang_say(w, R_say, w->text);
	evidence_issued(w, d);
	evidence_left(w, d);
	evidence_rings(w, d);
	evidence_stages(w, d);
	hang_evidence_tasks(w, d);
	evidence_others(w, d);
	hang_say_next(w, row->next);
}

u32 hang_disk_waiting(const struct hang_disk_sum *d)
{
	u32 count = d->row->requests(d);
	u32 i;

	for (i = 0; i < HANG_NEEDS; i++)
		count += d->needs[i].count;
	return count;
}

static const struct hang_disk_row *rest_row(const struct hang_work *w,
					    const struct hang_disk_sum *d)
{
	return unknown_row.holds(w, d) ? &unknown_row : NULL;
}

static const struct hang_disk_row *row_of(const struct hang_work *w,
					  const struct hang_disk_sum *d)
{
	static const struct hang_disk_row *(*const parts[])(
		const struct hang_work *, const struct hang_disk_sum *) = {
		hang_held_row, hang_issued_row, hang_queue_row, rest_row,
		hang_fs_row,
	};
	const struct hang_disk_row *row = NULL;
	u32 i;

	for (i = 0; !row && i < HANG_ARRAY_SIZE(parts); i++)
		row = parts[i](w, d);
	return row;
}

static bool is_on_accused(const struct hang_work *w,
			  const struct hang_disk_sum *d)
{
	u32 n;

	for (n = 0; n < w->sum.nr_disks; n++)
		if (w->sum.disks[n].accused &&
		    hang_has_word(d->on, w->sum.disks[n].name, ','))
			return true;
	return false;
}

static void mark_explained(struct hang_work *w, const struct hang_disk_sum *d)
{
	u32 n;

	for (n = 0; d->row->explains && n < w->sum.nr_disks; n++)
		if (d->row->explains(d, &w->sum.disks[n]))
			w->sum.disks[n].accused = true;
}

static u32 find_rows(struct hang_work *w, bool stacked)
{
	u32 found = 0;
	u32 n;

	for (n = 0; n < w->sum.nr_disks; n++) {
		struct hang_disk_sum *d = &w->sum.disks[n];

		if (d->stacked != stacked || d->accused)
			continue;
		d->row = row_of(w, d);
		if (!d->row)
			continue;
		d->accused = true;
		mark_explained(w, d);
		found++;
	}
	return found;
}

/* What a disk is accused of explains those that are made of it, level by level. */
static void mark_upper(struct hang_work *w)
{
	u32 level, n;

	for (level = 0; level < LEVELS_MAX; level++)
		for (n = 0; n < w->sum.nr_disks; n++)
			if (w->sum.disks[n].stacked &&
			    is_on_accused(w, &w->sum.disks[n]))
				w->sum.disks[n].accused = true;
}

u32 hang_find_disk_rows(struct hang_work *w)
{
	u32 found, n;

	for (n = 0; n < w->sum.nr_disks; n++) {
		w->sum.disks[n].accused = false;
		w->sum.disks[n].row = NULL;
	}
	found = find_rows(w, false);
	if (found)
		mark_upper(w);
	return found + find_rows(w, true);
}
