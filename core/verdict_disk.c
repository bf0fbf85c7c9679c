// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about a disk: requests that are past their limit though no CPU
 * keeps their completion.
 */
#include "verdict.h"

struct disk_row {
	const char *id;
	const char *confidence;
	bool (*holds)(const struct hang_work *w, const struct hang_disk_sum *d);
	u32 (*requests)(const struct hang_disk_sum *d);
	void (*say)(struct hang_str *s, const struct hang_disk_sum *d);
	const char *next[HANG_NEXTS];
};

/* The rings hold as many as that, and the device was told of them. */
static bool rings_agree(const struct hang_disk_sum *d)
{
	return !d->uncollected && d->with_device >= d->over;
}

/*
 * Surely only if the rings hold all that are issued: otherwise those that are
 * there may be others than those past their limit.
 */
static bool device_owns_surely(const struct hang_work *w,
			       const struct hang_disk_sum *d)
{
	u32 issued = d->stage[HANG_ISSUED] + d->stage[HANG_TIMEDOUT];

	return d->over && d->rings_known && rings_agree(d) &&
	       d->with_device >= issued && !hang_any_cpu_is_stalled(w) &&
	       !hang_any_cpu_is_faulty(w);
}

static bool device_owns(const struct hang_work *w,
			const struct hang_disk_sum *d)
{
	/* Its interrupt might be waiting on a CPU that takes none. */
	return d->over && !d->rings_known && !hang_any_cpu_is_stalled(w) &&
	       !hang_any_cpu_is_faulty(w);
}

/* The same, but not all CPUs could be seen. */
static bool device_owns_maybe(const struct hang_work *w,
			      const struct hang_disk_sum *d)
{
	return d->over && (!d->rings_known || rings_agree(d)) &&
	       !hang_any_cpu_is_stalled(w);
}

static bool is_unknown(const struct hang_work *w, const struct hang_disk_sum *d)
{
	return (d->over_left || d->over_lost || d->over) &&
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

static const struct disk_row disk_rows[] = {
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
	{ "unknown", "low", is_unknown, unknown_requests, say_unknown,
	  { "keep the dump; the records below are the facts" } },
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

	if (!d->rings_known)
		return;
	hang_sentence(w, &s);
	hang_put(&s, "its rings: ");
	hang_put_count(&s, d->with_device, "request");
	hang_put(&s, " with the device, ");
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
	hang_put_dec(&s, d->stage[HANG_ISSUED] + d->stage[HANG_TIMEDOUT]);
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

static void judge_disk(struct hang_work *w, const struct hang_disk_sum *d,
		       const struct disk_row *row)
{
	struct hang_str s;

	hang_say_verdict(w, row->id, row->confidence, -1, d->name,
			 row->requests(d));
	row->say(hang_sentence(w, &s), d);
	hang_say(w, R_say, w->text);
	evidence_issued(w, d);
	evidence_rings(w, d);
	evidence_stages(w, d);
	hang_say_next(w, row->next);
}

u32 hang_judge_disks(struct hang_work *w)
{
	u32 found = 0;
	u32 n, i;

	for (n = 0; n < w->sum.nr_disks; n++) {
		for (i = 0; i < HANG_ARRAY_SIZE(disk_rows); i++)
			if (disk_rows[i].holds(w, &w->sum.disks[n]))
				break;
		if (i == HANG_ARRAY_SIZE(disk_rows))
			continue;
		judge_disk(w, &w->sum.disks[n], &disk_rows[i]);
		found++;
	}
	return found;
}
