// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of a request queue (include/linux/blkdev.h): whether it lets
 * requests in, and whether it hands them out. It is frozen when its usage
 * counter is killed (block/blk-mq.c), quiesced when nothing is dispatched, and
 * closed to all but power management while pm_only is set.
 *
 * The usage counter is a percpu_ref (include/linux/percpu-refcount.h). While
 * it counts per CPU, and until the switch away from that is through, its
 * atomic part holds a bias of half the word's range.
 */
#include "core.h"

#define REF_ATOMIC 1 /* __PERCPU_REF_ATOMIC in percpu_count_ptr */
#define REF_DEAD 2   /* __PERCPU_REF_DEAD */

static bool member(struct hang_work *w, enum hang_row_id row, u64 *value)
{
	return hang_snap_member(w, &w->q_snap, row, value);
}

static void set(struct hang_work *w, u32 field, enum hang_row_id row)
{
	hang_snap_show(w, &w->q_snap, &w->rec, field, row);
}

static void set_count(struct hang_work *w, u32 field, enum hang_place place)
{
	u32 count;

	if (hang_place_count(w, w->q_snap.addr, place, &count))
		hang_rec_set(&w->rec, field, count);
}

/* The part of the counter that all CPUs share. */
static bool ref_count(struct hang_work *w, u64 *count)
{
	u64 data;

	if (!hang_has(w, L_q_usage_data))
		return member(w, L_q_usage_count, count);
	/* Gone when the queue is. */
	return member(w, L_q_usage_data, &data) && data &&
	       !hang_read_member(w, data, L_ref_count, count);
}

static int ref_add_cpus(struct hang_work *w, u64 counters, u64 *count)
{
	u64 addr, part;
	u32 cpu;
	int err;

	for (cpu = 0; cpu < w->nr_cpus; cpu++) {
		if (!hang_cpu_is(w, HANG_POSSIBLE, cpu))
			continue;
		err = hang_percpu_ptr(w, counters, cpu, &addr);
		if (!err)
			err = hang_read_ptr(w, addr, &part, "percpu_count_ptr");
		if (err)
			return err;
		*count += part;
	}
	return 0;
}

static void show_usage(struct hang_work *w, struct hang_rec *rec)
{
	u32 shift = 64 - 8 * w->t->word;
	u64 bias = 1ULL << (8 * w->t->word - 1);
	u64 ptr, cpus, count;

	if (!member(w, L_q_usage_ptr, &ptr))
		return;
	cpus = ptr & ~(u64)(REF_ATOMIC | REF_DEAD);
	hang_rec_str(rec, F_queue_mode, ptr & REF_ATOMIC ? "atomic" : "percpu");
	hang_rec_set(rec, F_queue_dead, !!(ptr & REF_DEAD));
	if (!ref_count(w, &count))
		return;
	if (count & bias) {
		count -= bias;
		if (ref_add_cpus(w, cpus, &count))
			return;
	}
	hang_rec_set(rec, F_queue_usage, (u64)((s64)(count << shift) >> shift));
}

/*
 * Dead and not frozen it is for a moment when a freeze ends. In a running kernel
 * it has to be so in two samples. The address is that of no request.
 */
static void show_dead(struct hang_work *w, struct hang_rec *rec)
{
	if (!hang_rec_get(rec, F_queue_dead) || !hang_is_live(w))
		return;
	hang_rec_set(rec, F_queue_dead_seen,
		     hang_seen(w, w->q_snap.addr,
			       1 + hang_rec_get(rec, F_queue_freeze)));
}

static void show_power(struct hang_work *w, struct hang_rec *rec)
{
	static const struct hang_value_name names[] = {
		{ L_enum_rpm_active, "active" },
		{ L_enum_rpm_resuming, "resuming" },
		{ L_enum_rpm_suspended, "suspended" },
		{ L_enum_rpm_suspending, "suspending" },
	};
	u64 status;

	set(w, F_queue_pm_only, L_q_pm_only);
	if (member(w, L_q_rpm_status, &status))
		hang_set_value(w, rec, F_queue_rpm, names,
			       HANG_ARRAY_SIZE(names), (s32)status);
}

static void show_sched(struct hang_work *w, struct hang_rec *rec)
{
	char name[HANG_SCHED_NAME];
	u64 elevator;

	if (!member(w, L_q_elevator, &elevator))
		return;
	if (!elevator)
		hang_rec_str(rec, F_queue_sched, "none");
	else if (hang_sched_name(w, elevator, name, sizeof(name)))
		hang_rec_str(rec, F_queue_sched, name);
}

static void show_flags(struct hang_work *w, struct hang_rec *rec)
{
	struct hang_str s;
	u64 flags;

	if (!member(w, L_q_queue_flags, &flags))
		return;
	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_bits(w, &s, HANG_QUEUE_FLAG, flags, 0);
	hang_rec_str(rec, F_queue_flags, w->text);
}

static void set_work(struct hang_work *w, u32 field, enum hang_row_id row,
		     u64 data, u64 timer)
{
	hang_rec_str(&w->rec, field,
		     hang_work_state(w, w->q_snap.addr + hang_loc(w, row), data,
				     timer));
}

/* What only a queue with requests of its own has. */
static void show_mq(struct hang_work *w, struct hang_rec *rec)
{
	u64 value, timer;

	set(w, F_queue_quiesce, L_q_quiesce_depth);
	show_sched(w, rec);
	set(w, F_queue_nr_requests, L_q_nr_requests);
	if (member(w, L_q_timeout_pprev, &value))
		hang_rec_set(rec, F_queue_timer, value != 0);
	if (member(w, L_q_timeout_work, &value))
		set_work(w, F_queue_timeout_work, L_q_timeout_work, value, 0);
	if (member(w, L_q_rq_timeout, &value))
		hang_rec_set(rec, F_queue_timeout,
			     hang_jiffies_to_ns(w, value));
	set_count(w, F_queue_requeue, HANG_AT_REQUEUE);
	if (member(w, L_q_requeue_work, &value)) {
		member(w, L_q_requeue_timer, &timer);
		set_work(w, F_queue_requeue_work, L_q_requeue_work, value, timer);
	}
	set_count(w, F_queue_flush, HANG_AT_FLUSH);
}

void hang_queue_emit(struct hang_work *w)
{
	struct hang_rec *rec = &w->rec;

	hang_rec_start(rec, R_queue);
	hang_rec_str(rec, F_queue_disk, w->disk_name);
	set(w, F_queue_freeze, L_q_freeze_depth);
	show_usage(w, rec);
	show_dead(w, rec);
	show_power(w, rec);
	if (hang_snap_get(w, &w->q_snap, L_q_mq_ops))
		show_mq(w, rec);
	show_flags(w, rec);
	hang_emit(w, rec);
}
