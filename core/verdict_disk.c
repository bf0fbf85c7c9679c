// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about a disk: requests that are past their limit though no CPU
 * keeps their completion.
 */
#include "verdict.h"

#define LEVELS_MAX 4 /* of disks that are made of others */

static u32 issued(const struct hang_disk_sum *d)
{
	return d->stage[HANG_ISSUED] + d->stage[HANG_TIMEDOUT];
}

/*
 * The rings hold as many as that, and the device was told of them. Where they
 * don't tell how many it has, they may still tell that it has not all of them.
 */
static bool rings_agree(const struct hang_disk_sum *d)
{
	if (d->rings_known)
		return !d->uncollected && d->with_device >= d->over;
	return !d->uncollected && d->over + d->unkicked <= issued(d);
}

/*
 * Surely only if the rings hold all that are issued: otherwise those that are
 * there may be others than those past their limit.
 */
static bool device_owns_surely(const struct hang_work *w,
			       const struct hang_disk_sum *d)
{
	return d->over && d->rings_known && rings_agree(d) &&
	       d->with_device >= issued(d) && !hang_any_cpu_is_stalled(w) &&
	       !hang_any_cpu_is_faulty(w);
}

static bool device_owns(const struct hang_work *w,
			const struct hang_disk_sum *d)
{
	/* Its interrupt might be waiting on a CPU that takes none. */
	return d->over && !d->rings_known && rings_agree(d) &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

/* The same, but not all CPUs could be seen. */
static bool device_owns_maybe(const struct hang_work *w,
			      const struct hang_disk_sum *d)
{
	return d->over && rings_agree(d) && !hang_any_cpu_is_stalled(w);
}

/* More are past their limit than the device can have. */
static bool others_than_device(const struct hang_work *w,
			       const struct hang_disk_sum *d)
{
	return d->rings_known && d->over > d->with_device &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

/* Nobody looks at a ring that is polled but those who wait. */
static bool interrupt_lost(const struct hang_work *w,
			   const struct hang_disk_sum *d)
{
	return !d->rings_polled && others_than_device(w, d) && d->uncollected && !d->unkicked;
}

/*
 * The rings don't tell how many the device has, but all that are issued are
 * finished ones. In a shared ring, these may be another disk's.
 */
static bool interrupt_lost_maybe(const struct hang_work *w,
				 const struct hang_disk_sum *d)
{
	return !d->rings_known && !d->rings_shared && !d->rings_polled &&
	       d->over && d->uncollected >= issued(d) && !d->unkicked &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

static bool not_kicked(const struct hang_work *w, const struct hang_disk_sum *d)
{
	return others_than_device(w, d) && d->unkicked && !d->uncollected;
}

/* Those never issued have to wait as long as the driver has young ones. */
static bool is_unknown(const struct hang_work *w, const struct hang_disk_sum *d)
{
	return (d->over || d->over_lost || (d->over_left && !issued(d))) &&
	       !hang_any_cpu_is_stalled(w);
}

static u32 device_requests(const struct hang_disk_sum *d)
{
	return d->over;
}

static u32 unknown_requests(const struct hang_disk_sum *d)
{
	return d->over + d->over_left + d->over_lost;
}

static void say_device(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put_count(s, d->over, "request");
	hang_put(s, " of ");
	hang_put(s, d->name);
	hang_put(s, d->over == 1 ? " was" : " were");
	hang_put(s, " issued to the device and not answered; nothing above the"
		    " driver holds");
	hang_put(s, d->over == 1 ? " it." : " them.");
}

static void say_interrupt(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put(s, "The device finished ");
	hang_put_count(s, d->uncollected, "request");
	hang_put(s, " of ");
	hang_put(s, d->name);
	hang_put(s, ", which the driver did not collect: its interrupt was lost"
		    " or is not handled.");
}

static void say_not_kicked(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put_count(s, d->unkicked, "request");
	hang_put(s, " of ");
	hang_put(s, d->name);
	hang_put(s, d->unkicked == 1 ? " is" : " are");
	hang_put(s, " in the driver's ring, and the device was not told.");
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

static const struct hang_disk_row disk_rows[] = {
	{ "device-interrupt-lost", "high", interrupt_lost, device_requests,
	  say_interrupt,
	  { "see the disk's line in /proc/interrupts, and whether its CPU takes"
	    " that interrupt",
	    "suspect interrupt controller, hypervisor, or a change of the"
	    " interrupt's affinity" } },
	{ "device-interrupt-lost", "medium", interrupt_lost_maybe,
	  device_requests, say_interrupt,
	  { "see the disk's line in /proc/interrupts, and whether its CPU takes"
	    " that interrupt",
	    "suspect interrupt controller, hypervisor, or a change of the"
	    " interrupt's affinity" } },
	{ "request-not-kicked", "high", not_kicked, device_requests,
	  say_not_kicked,
	  { "a fault of the driver, or of the block layer that ended a batch"
	    " without saying so: keep the dump and report it" } },
	{ "device-owns-request", "high", device_owns_surely, device_requests,
	  say_device,
	  { "look at the device, its link and its host; its driver's log lines" } },
	{ "device-owns-request", "medium", device_owns, device_requests,
	  say_device,
	  { "look at the device, its link and its host; its driver's log lines",
	    "a lost device interrupt looks the same: see if the disk's count in"
	    " /proc/interrupts still grows" } },
	{ "device-owns-request", "low", device_owns_maybe, device_requests,
	  say_device,
	  { "look at the device, its link and its host; its driver's log lines",
	    "a lost device interrupt looks the same: see if the disk's count in"
	    " /proc/interrupts still grows" } },
};

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
	hang_put_dec(&s, issued(d));
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
static void evidence_tasks(struct hang_work *w, const struct hang_disk_sum *d)
{
	static const char *const what[HANG_NEEDS] = {
		[HANG_NEED_TAG] = " for a tag",
		[HANG_NEED_ENTER] = " to enter the queue",
		[HANG_NEED_QOS] = " for a throttler",
	};
	struct hang_str s;
	u32 i;

	for (i = 0; i < HANG_NEEDS; i++) {
		if (!d->needs[i].count)
			continue;
		hang_sentence(w, &s);
		hang_put_count(&s, d->needs[i].count, "task");
		hang_put(&s, d->needs[i].count == 1 ? " waits" : " wait");
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

static void judge_disk(struct hang_work *w, const struct hang_disk_sum *d,
		       const struct hang_disk_row *row)
{
	struct hang_str s;

	hang_say_verdict(w, row->id, row->confidence, -1, d->name,
			 row->requests(d));
	row->say(hang_sentence(w, &s), d);
	hang_say(w, R_say, w->text);
	evidence_issued(w, d);
	evidence_left(w, d);
	evidence_rings(w, d);
	evidence_stages(w, d);
	evidence_tasks(w, d);
	hang_say_next(w, row->next);
}

/* A disk that is made of others has no device that could own its requests. */
static const struct hang_disk_row *row_of(const struct hang_work *w,
					  const struct hang_disk_sum *d)
{
	const struct hang_disk_row *row;
	u32 i;

	for (i = 0; !d->stacked && i < HANG_ARRAY_SIZE(disk_rows); i++)
		if (disk_rows[i].holds(w, d))
			return &disk_rows[i];
	row = hang_queue_row(w, d);
	if (!row && unknown_row.holds(w, d))
		row = &unknown_row;
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

static u32 judge_disks(struct hang_work *w, bool stacked)
{
	const struct hang_disk_row *row;
	u32 found = 0;
	u32 n;

	for (n = 0; n < w->sum.nr_disks; n++) {
		struct hang_disk_sum *d = &w->sum.disks[n];

		if (d->stacked != stacked || d->accused)
			continue;
		row = row_of(w, d);
		if (!row)
			continue;
		judge_disk(w, d, row);
		d->accused = true;
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

u32 hang_judge_disks(struct hang_work *w)
{
	u32 found, n;

	for (n = 0; n < w->sum.nr_disks; n++)
		w->sum.disks[n].accused = false;
	found = judge_disks(w, false);
	if (found)
		mark_upper(w);
	return found + judge_disks(w, true);
}
