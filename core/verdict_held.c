// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about what holds back bios of a disk before they are requests, or its
 * commands behind the block layer: the SCSI midlayer, device-mapper, limits of
 * cgroups, zones, schedulers that lost count, and frozen file systems.
 *
 * They are asked before the others, since each of them explains why a queue
 * does not move; all but that of SCSI's recovery only where the driver has
 * nothing.
 */
#include "verdict.h"

typedef const struct hang_disk_sum disk_sum;

static u32 left(disk_sum *d)
{
	return d->over_left;
}

static u32 none(disk_sum *d)
{
	(void)d;
	return 0;
}

/* A task has waited for long for one of the bios that are held back. */
static bool bio_waits(const struct hang_work *w, disk_sum *d)
{
	return hang_waits_long(w, d, d->needs[HANG_NEED_BIO].slept_ns);
}

/* Conditions */

static bool recovery(const struct hang_work *w, disk_sum *d)
{
	return d->held.recovery && d->held.handler &&
	       (d->over || d->over_left) && !hang_any_cpu_is_stalled(w);
}

static bool same_host(disk_sum *d, disk_sum *other)
{
	return other->held.recovery && other->held.host == d->held.host;
}

static bool scsi_blocked(const struct hang_work *w, disk_sum *d)
{
	return d->held.blocked && hang_nothing_below(w, d) &&
	       (d->over_left ||
		hang_waits_long(w, d, d->needs[HANG_NEED_ENTER].slept_ns));
}

/* Those that are requeued or to be dispatched hold none of the budget. */
static bool budget_leaked(const struct hang_work *w, disk_sum *d)
{
	return d->held.depth && d->held.busy >= d->held.depth &&
	       d->over_left && hang_nothing_below(w, d);
}

static bool no_path(const struct hang_work *w, disk_sum *d)
{
	return d->held.pathless && !hang_any_cpu_is_stalled(w) &&
	       ((d->held.deferred && bio_waits(w, d)) || d->over_left);
}

static bool dm_suspended(const struct hang_work *w, disk_sum *d)
{
	return d->held.suspended && d->held.deferred && bio_waits(w, d);
}

static bool throttle_stalled(const struct hang_work *w, disk_sum *d)
{
	return d->held.throttled && !hang_any_cpu_is_stalled(w) &&
	       (hang_waits_long(w, d, d->held.throttle_late) ||
		(d->held.passed && bio_waits(w, d)));
}

/* All there are wait in the scheduler, and are writes: none has the zone's lock. */
static bool zone_locked(const struct hang_work *w, disk_sum *d)
{
	return d->held.zones_locked && d->over_left && !d->left_reads &&
	       d->left_at[HANG_LEFT_SCHED] == d->stage[HANG_ALLOCATED] &&
	       d->queue.lists_empty && hang_nothing_below(w, d);
}

static bool zone_plugged(const struct hang_work *w, disk_sum *d)
{
	return d->held.zone_bios && !d->stage[HANG_ALLOCATED] &&
	       bio_waits(w, d) && hang_nothing_below(w, d);
}

static bool sched_leaked(const struct hang_work *w, disk_sum *d)
{
	return (d->held.in_driver || d->held.domain_waits) &&
	       d->left_at[HANG_LEFT_SCHED] &&
	       d->left_at[HANG_LEFT_SCHED] == d->stage[HANG_ALLOCATED] &&
	       d->queue.lists_empty && hang_nothing_below(w, d);
}

/* Sentences */

static void say_recovery(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, d->over + d->over_left);
	hang_put(s, hang_waits(d->over + d->over_left));
	hang_put(s, " for the error recovery of SCSI host ");
	hang_put_dec(s, d->held.host);
	hang_put(s, ": its handler, pid ");
	hang_put_dec(s, d->held.handler);
	if (d->held.handler_slept) {
		hang_put(s, ", has slept (");
		hang_put(s, d->held.handler_state);
		hang_put(s, ") for ");
		hang_put_time(s, d->held.handler_slept);
	}
	hang_put(s, "; commands that failed: ");
	hang_put_dec(s, d->held.failed);
	hang_put_char(s, '.');
}

static void say_scsi_blocked(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, d->over_left);
	hang_put(s, hang_waits(d->over_left));
	hang_put(s, ": its SCSI device is blocked, and its transport"
		    " or driver has not let it go on.");
}

static void say_budget(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, d->over_left);
	hang_put(s, hang_waits(d->over_left));
	hang_put(s, ": the SCSI device counts ");
	hang_put_dec(s, d->held.busy);
	hang_put(s, " commands of ");
	hang_put_dec(s, d->held.depth);
	hang_put(s, ", and the driver has none.");
}

static void put_bios(struct hang_str *s, disk_sum *d, u32 bios)
{
	hang_put_count(s, bios, "bio");
	hang_put(s, " of ");
	hang_put(s, d->name);
}

static void say_no_path(struct hang_str *s, disk_sum *d)
{
	hang_put(s, "No path of ");
	hang_put(s, d->name);
	hang_put(s, " works, and it is set to wait for one: ");
	hang_put_count(s, d->held.deferred, "bio");
	hang_put(s, " and ");
	hang_put_count(s, d->over_left, "request");
	hang_put(s, " do.");
}

static void say_suspended(struct hang_str *s, disk_sum *d)
{
	put_bios(s, d, d->held.deferred);
	hang_put(s, hang_waits(d->held.deferred));
	hang_put(s, " until it is resumed: device-mapper has it"
		    " suspended.");
}

static void say_throttle(struct hang_str *s, disk_sum *d)
{
	put_bios(s, d, d->held.throttled);
	if (d->held.passed) {
		hang_put(s, " have passed all limits of cgroups, and no work"
			    " item is queued to submit them.");
		return;
	}
	hang_put(s, " are past their turn by ");
	hang_put_time(s, d->held.throttle_late);
	hang_put(s, " at a limit of a cgroup, whose timer is not armed.");
}

static void say_zone_locked(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, d->over_left);
	hang_put(s, hang_waits(d->over_left));
	hang_put(s, " to write: ");
	hang_put_count(s, d->held.zones_locked, "zone");
	hang_put(s, d->held.zones_locked == 1 ? " is" : " are");
	hang_put(s, " locked, and no write is on its way that would unlock"
		    " one.");
}

static void say_zone_plugged(struct hang_str *s, disk_sum *d)
{
	put_bios(s, d, d->held.zone_bios);
	hang_put(s, hang_waits(d->held.zone_bios));
	hang_put(s, " in the write plugs of zones, no write is on its way,"
		    " and no work item is queued to send the next.");
}

static void say_sched_leaked(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, d->over_left);
	hang_put(s, hang_waits(d->over_left));
	hang_put(s, " in the scheduler, which believes that the"
		    " driver has others; it has none.");
}

static const struct hang_disk_row rows[] = {
	{ "scsi-recovery", "medium", recovery, left, say_recovery,
	  { "see what the handler waits for: its stack (sysrq-w, crash bt), and"
	    " the driver's log lines",
	    "all disks of that host wait with it" }, same_host },
	{ "scsi-device-blocked", "medium", scsi_blocked, left, say_scsi_blocked,
	  { "see in the log why its link or its remote port went away" } },
	{ "scsi-budget-leaked", "medium", budget_leaked, left, say_budget,
	  { "a kernel or driver bug: keep the dump and report it" } },
	{ "dm-no-path", "high", no_path, left, say_no_path,
	  { "bring a path back (multipath -ll)",
	    "or have it fail: dmsetup message NAME 0 fail_if_no_path" } },
	{ "dm-suspended", "high", dm_suspended, none, say_suspended,
	  { "dmsetup resume NAME, unless lvm or another tool is at work on it"
	    " (dmsetup info)" } },
	{ "throttle-stalled", "high", throttle_stalled, none, say_throttle,
	  { "a kernel bug: any new I/O of that cgroup may set its timer",
	    "keep the dump and report it" } },
	{ "zone-lock-stuck", "medium", zone_locked, left, say_zone_locked,
	  { "a kernel bug: keep the dump and report it" } },
	{ "zone-lock-stuck", "medium", zone_plugged, none, say_zone_plugged,
	  { "a kernel bug: keep the dump and report it" } },
	{ "sched-accounting-leak", "medium", sched_leaked, left,
	  say_sched_leaked,
	  { "a kernel bug: keep the dump and report it" } },
};

static bool fs_frozen(const struct hang_work *w, disk_sum *d)
{
	return d->held.frozen_all &&
	       hang_waits_long(w, d, d->needs[HANG_NEED_FS].slept_ns);
}

static bool fs_freezing(const struct hang_work *w, disk_sum *d)
{
	return d->held.frozen &&
	       hang_waits_long(w, d, d->needs[HANG_NEED_FS].slept_ns);
}

static void say_fs_frozen(struct hang_str *s, disk_sum *d)
{
	hang_put(s, "The file system on ");
	hang_put(s, d->held.fs[0] ? d->held.fs : d->name);
	hang_put(s, " is frozen, and ");
	hang_put_count(s, d->needs[HANG_NEED_FS].count, "task");
	hang_put(s, hang_waits(d->needs[HANG_NEED_FS].count));
	hang_put(s, " to write to it: whoever froze it did not thaw it.");
}

static void say_fs_freezing(struct hang_str *s, disk_sum *d)
{
	hang_put(s, "A freeze of the file system on ");
	hang_put(s, d->held.fs[0] ? d->held.fs : d->name);
	hang_put(s, " has come to level ");
	hang_put_dec(s, d->held.frozen);
	hang_put(s, " and does not end; ");
	hang_put_count(s, d->needs[HANG_NEED_FS].count, "task");
	hang_put(s, hang_waits(d->needs[HANG_NEED_FS].count));
	hang_put(s, " for it.");
}

/* What a disk itself is at fault for explains these. */
static const struct hang_disk_row fs_rows[] = {
	{ "fs-frozen", "high", fs_frozen, none, say_fs_frozen,
	  { "fsfreeze --unfreeze, on a live machine (or sysrq-j)",
	    "see who froze it: a snapshot or backup, a guest agent" } },
	{ "fs-frozen", "medium", fs_freezing, none, say_fs_freezing,
	  { "see what the freeze waits for: sysrq-w" } },
};

const struct hang_disk_row *hang_held_row(const struct hang_work *w,
					  const struct hang_disk_sum *d)
{
	return hang_row_that_holds(rows, HANG_ARRAY_SIZE(rows), w, d);
}

const struct hang_disk_row *hang_fs_row(const struct hang_work *w,
					const struct hang_disk_sum *d)
{
	return hang_row_that_holds(fs_rows, HANG_ARRAY_SIZE(fs_rows), w, d);
}
