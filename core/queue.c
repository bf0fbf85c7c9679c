// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A request queue and its hardware queues (include/linux/blkdev.h). A queue
 * without mq_ops is bio based: dm, md, nvme multipath heads; it has no
 * requests of its own.
 */
#include "core.h"

#define HCTX_MAX 8192

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->q_snap, row);
}

u32 hang_nr_hctxs(const struct hang_work *w)
{
	u64 n = get(w, L_q_nr_hw_queues);

	return n <= HCTX_MAX ? n : 0;
}

int hang_hctx_addr(struct hang_work *w, u32 i, u64 *hctx)
{
	if (hang_has(w, L_q_hctx_array))
		return hang_read_ptr(w, get(w, L_q_hctx_array) +
				     (u64)i * w->t->word, hctx, "queue_hw_ctx");
	return hang_xarray_get(w, w->q_snap.addr +
			       hang_loc(w, L_q_hctx_table), i, hctx);
}

static bool has_shared_tags(struct hang_work *w)
{
	u64 shared;

	return !hang_read_member(w, get(w, L_q_tag_set), L_set_shared_tags,
				 &shared) && shared;
}

static u32 count_issued(const struct hang_work *w)
{
	return w->totals.stage[HANG_ISSUED] + w->totals.stage[HANG_TIMEDOUT];
}

static void walk_hctx(struct hang_work *w, u64 q, u64 addr, u32 i)
{
	struct hang_hctx hctx = { .q = q, .addr = addr };
	u64 num;
	u32 issued;

	if (hang_read_member(w, addr, L_hctx_queue_num, &num) ||
	    hang_read_member(w, addr, L_hctx_tags, &hctx.tags) ||
	    hang_read_member(w, addr, L_hctx_sched_tags, &hctx.sched_tags))
		return;
	hctx.num = num;
	if (num != i)
		hang_fault(w, "blk_mq_hw_ctx.queue_num", addr, -EINVAL,
			   "is not its place in the queue");
	hctx.shared = has_shared_tags(w);
	if (!hang_read_member(w, addr, L_hctx_fq, &hctx.fq) && hctx.fq)
		hang_read_member(w, hctx.fq, L_fq_flush_rq, &hctx.flush_rq);
	w->looked.hctxs++;
	hang_walk_ring(w, num);
	/* Tags of the whole set are walked once, with the first of them. */
	hctx.has_tags = hctx.tags && !(hctx.shared && i);
	issued = count_issued(w);
	hang_walk_tags(w, &hctx);
	hang_nvme_ring(w, addr, num, count_issued(w) - issued);
}

static void walk_hctxs(struct hang_work *w, u64 q)
{
	u32 n = hang_nr_hctxs(w);
	u64 hctx;
	u32 i;

	if (!n && get(w, L_q_nr_hw_queues)) {
		hang_fault(w, "nr_hw_queues", q, -EINVAL,
			   "impossible number of hardware queues");
		return;
	}
	for (i = 0; i < n && !hang_interrupted(w); i++)
		if (!hang_hctx_addr(w, i, &hctx) && hctx)
			walk_hctx(w, q, hctx, i);
}

/* Lists are walked before the first tag, for requests move between them. */
static void walk_places(struct hang_work *w, u64 q, u64 disk)
{
	u64 lo = hang_stack_loop_of(w, disk);
	u32 n = hang_nr_hctxs(w);
	u64 hctx;
	u32 i;
	int err;

	hang_places_begin(w, q);
	if (lo)
		hang_loop_places(w, q, lo);
	for (i = 0; i < n && !hang_interrupted(w); i++) {
		/* What can't be read is reported when its tags are walked. */
		w->hush = true;
		err = hang_hctx_addr(w, i, &hctx);
		w->hush = false;
		if (!err && hctx)
			hang_places_add(w, hctx);
	}
}

static void show_disk(struct hang_work *w, struct hang_rec *rec, u64 disk)
{
	u64 major, minor, flags;

	if (!disk)
		return;
	if (!hang_read_member(w, disk, L_disk_major, &major) &&
	    !hang_read_member(w, disk, L_disk_first_minor, &minor)) {
		hang_rec_set(rec, F_disk_major, major);
		hang_rec_set(rec, F_disk_minor, minor);
	}
	if (hang_has(w, L_enum_genhd_hidden) &&
	    !hang_read_member(w, disk, L_disk_flags, &flags) &&
	    (flags & hang_loc(w, L_enum_genhd_hidden)))
		hang_rec_set(rec, F_disk_hidden, 1);
}

static void emit_disk(struct hang_work *w, u64 q, u64 disk)
{
	struct hang_rec *rec = &w->rec;
	u64 ops = get(w, L_q_mq_ops);
	struct hang_str s;

	hang_rec_start(rec, R_disk);
	hang_rec_str(rec, F_disk_disk, w->disk_name);
	show_disk(w, rec, disk);
	hang_rec_set(rec, F_disk_addr, q);
	if (ops) {
		hang_rec_set(rec, F_disk_hctxs, get(w, L_q_nr_hw_queues));
		hang_rec_set(rec, F_disk_sched, !!get(w, L_q_elevator));
		hang_str_init(&s, w->text, sizeof(w->text));
		hang_put_symbol(w, &s, ops);
		hang_rec_str(rec, F_disk_ops, w->text);
	} else {
		hang_rec_set(rec, F_disk_bio, 1);
	}
	hang_emit(w, rec);
}

/* Requests wait, and the driver has none: for how long, is the question. */
static bool waits_for_issue(const struct hang_work *w)
{
	const struct hang_totals *t = &w->totals;

	return t->stage[HANG_ALLOCATED] && !count_issued(w) &&
	       t->oldest_ns >= w->cfg.stall_ns;
}

static void emit_totals(struct hang_work *w)
{
	struct hang_totals *t = &w->totals;
	struct hang_rec *rec = &w->rec;
	u64 ago;

	hang_rec_start(rec, R_total);
	hang_rec_str(rec, F_total_disk, w->disk_name);
	hang_rec_set(rec, F_total_allocated, t->stage[HANG_ALLOCATED]);
	hang_rec_set(rec, F_total_issued, t->stage[HANG_ISSUED]);
	hang_rec_set(rec, F_total_completed, t->stage[HANG_COMPLETED]);
	hang_rec_set(rec, F_total_timedout, t->stage[HANG_TIMEDOUT]);
	hang_rec_set(rec, F_total_unclear, t->unclear);
	hang_rec_set(rec, F_total_oldest, t->oldest_ns);
	if (waits_for_issue(w) && hang_last_issue(w, &ago))
		hang_rec_set(rec, F_total_last_issue, ago);
	hang_emit(w, rec);
}

static void walk_queue(struct hang_work *w, const struct hang_queue *queue)
{
	hang_disk_name(w, queue->addr);
	w->at_disk = w->disk_name;
	memset(&w->totals, 0, sizeof(w->totals));
	if (!hang_snap_load(w, &w->q_snap, queue->addr, L_size_q)) {
		emit_disk(w, queue->addr, queue->disk);
		if (get(w, L_q_mq_ops))
			walk_places(w, queue->addr, queue->disk);
		hang_queue_emit(w);
		hang_walk_stack(w, queue->disk);
		hang_scsi_find(w);
		hang_scsi_emit(w);
		hang_rings_find(w);
		hang_nvme_find(w);
		if (get(w, L_q_mq_ops)) {
			hang_walk_sched(w);
			walk_hctxs(w, queue->addr);
			emit_totals(w);
		}
		hang_nvme_emit(w, queue->disk);
		hang_walk_queue_waits(w);
		hang_walk_throttle(w);
		hang_walk_zones(w);
		hang_frozen_emit(w, queue->disk);
		w->looked.queues++;
	}
	w->at_disk = NULL;
}

void hang_walk_queues(struct hang_work *w)
{
	u32 i;

	for (i = 0; i < w->nr_queues && !hang_interrupted(w); i++)
		walk_queue(w, &w->queues[i]);
}
