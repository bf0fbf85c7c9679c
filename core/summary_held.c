// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The part of the summary that says of a disk what holds back its bios before
 * they are requests, or its commands behind the block layer.
 */
#include <blkhang/summary.h>

static bool is(const struct hang_rec *rec, u32 field, const char *text)
{
	return !strcmp(hang_rec_text(rec, field), text);
}

static bool is_zero(const struct hang_rec *rec, u32 field)
{
	return hang_rec_has(rec, field) && !hang_rec_get(rec, field);
}

static void add_waiter(struct hang_disk_sum *d, const struct hang_rec *rec,
		       u32 f_pid, u32 f_slept, u32 f_comm)
{
	if (hang_rec_has(rec, f_pid))
		hang_sleepers_add(&d->needs[HANG_NEED_BIO],
				  hang_rec_get(rec, f_pid),
				  hang_rec_get(rec, f_slept),
				  hang_rec_text(rec, f_comm));
}

void hang_summary_add_stack(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_held_sum *h = &d->held;

	d->stacked = true;
	hang_summary_copy(d->on, hang_rec_text(rec, F_stack_on),
			  sizeof(d->on));
	h->suspended = hang_rec_get(rec, F_stack_suspended);
	h->pathless = is_zero(rec, F_stack_paths);
	h->inflight = hang_rec_get(rec, F_stack_inflight);
	h->deferred = hang_rec_get(rec, F_stack_deferred) +
		      hang_rec_get(rec, F_stack_queued);
	add_waiter(d, rec, F_stack_pid, F_stack_slept, F_stack_comm);
}

/* Of several paths to a namespace, bios wait until one works again. */
void hang_summary_add_nvme(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	d->held.deferred += hang_rec_get(rec, F_nvme_requeue);
}

/* A group that has bios, and the time of its turn: ahead, or past. */
static void add_group(struct hang_held_sum *h, const struct hang_rec *rec)
{
	u64 next = hang_rec_get(rec, F_throttle_next);
	u64 late = hang_rec_get(rec, F_throttle_late);

	if (!h->cgroup[0] || next < h->throttle_next) {
		h->throttle_next = next;
		hang_summary_copy(h->cgroup, hang_rec_text(rec, F_throttle_path),
				  sizeof(h->cgroup));
	}
	if (is_zero(rec, F_throttle_timer) && late > h->throttle_late)
		h->throttle_late = late;
}

void hang_summary_add_throttle(struct hang_disk_sum *d,
			       const struct hang_rec *rec)
{
	struct hang_held_sum *h = &d->held;
	u32 bios = hang_rec_get(rec, F_throttle_reads) +
		   hang_rec_get(rec, F_throttle_writes);

	if (!bios)
		return;
	h->throttled += bios;
	/* A work item is what the disk's own queue has in place of a turn. */
	if (hang_rec_has(rec, F_throttle_work))
		h->passed = is(rec, F_throttle_work, "idle");
	else
		add_group(h, rec);
	add_waiter(d, rec, F_throttle_pid, F_throttle_slept, F_throttle_comm);
}

void hang_summary_add_zone(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_held_sum *h = &d->held;

	h->zones_locked += hang_rec_get(rec, F_zone_locked);
	if (!is(rec, F_zone_work, "idle"))
		return;
	h->zone_bios += hang_rec_get(rec, F_zone_bios);
	add_waiter(d, rec, F_zone_pid, F_zone_slept, F_zone_comm);
}

/* Of several on one disk, that which is frozen furthest. */
void hang_summary_add_fs(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_held_sum *h = &d->held;

	if (hang_rec_get(rec, F_fs_frozen) <= h->frozen)
		return;
	h->frozen = hang_rec_get(rec, F_fs_frozen);
	h->frozen_all = hang_rec_get(rec, F_fs_complete);
	hang_summary_copy(h->fs, hang_rec_text(rec, F_fs_id), sizeof(h->fs));
}

/*
 * bfq counts what the driver has for the whole disk. kyber has tokens for each
 * domain, and requests for each domain and hardware queue, which come later.
 */
void hang_summary_add_sched(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	static const char *const domains[] = { "read", "write", "discard",
					       "other" };
	struct hang_held_sum *h = &d->held;
	u32 i;

	if (is(rec, F_sched_part, "all") &&
	    (s64)hang_rec_get(rec, F_sched_driver) > 0 &&
	    is_zero(rec, F_sched_dispatch))
		h->in_driver = true;
	for (i = 0; i < HANG_ARRAY_SIZE(domains); i++) {
		if (!is(rec, F_sched_part, domains[i]))
			continue;
		if (hang_rec_get(rec, F_sched_tokens) &&
		    hang_rec_get(rec, F_sched_taken) ==
			    hang_rec_get(rec, F_sched_tokens))
			h->domains_full |= 1u << i;
		if (hang_rec_get(rec, F_sched_queued) &&
		    (h->domains_full >> i & 1))
			h->domain_waits = true;
	}
}

void hang_summary_add_scsi(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_held_sum *h = &d->held;

	h->recovery = is(rec, F_scsi_host_state, "recovery") ||
		      is(rec, F_scsi_host_state, "cancel/recovery") ||
		      is(rec, F_scsi_host_state, "deleted/recovery");
	h->blocked = is(rec, F_scsi_state, "blocked") ||
		     is(rec, F_scsi_state, "created-blocked") ||
		     is(rec, F_scsi_state, "quiesce");
	h->host = hang_rec_get(rec, F_scsi_host);
	h->busy = hang_rec_get(rec, F_scsi_busy);
	h->depth = hang_rec_get(rec, F_scsi_depth);
	h->failed = hang_rec_get(rec, F_scsi_failed);
	h->handler = hang_rec_get(rec, F_scsi_eh_pid);
	h->handler_slept = hang_rec_get(rec, F_scsi_eh_slept);
	hang_summary_copy(h->handler_state, hang_rec_text(rec, F_scsi_eh_state),
			  sizeof(h->handler_state));
}
