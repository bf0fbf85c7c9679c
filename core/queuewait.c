// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits to enter a queue (block/blk-core.c), and who is held back by what
 * throttles it (block/blk-rq-qos.c, block/blk-wbt.c).
 *
 * Those who enter wait on mq_freeze_wq, whether the queue is frozen or its
 * device suspended. So does who freezes it, until the last user has left;
 * nothing in a wait queue entry tells the two apart.
 */
#include "core.h"

#define THROTTLERS_MAX 16 /* there are three kinds, one of each a queue */
#define INDEX_MAX 8


static const char *enter_reason(struct hang_work *w)
{
	u64 q = w->q_snap.addr;
	u64 value;

	if (hang_has(w, L_queue_freeze_depth) &&
	    !hang_read_member(w, q, L_queue_freeze_depth, &value) && value)
		return "freeze";
	if (hang_has(w, L_queue_pm_only) &&
	    !hang_read_member(w, q, L_queue_pm_only, &value) && value)
		return "pm";
	return "enter";
}

static void walk_enter(struct hang_work *w)
{
	u64 head = w->q_snap.addr + hang_loc(w, L_queue_freeze_wq);
	struct hang_wait_at at = { .hctx = -1, .ws = -1 };

	if (!hang_has(w, L_queue_freeze_wq) || !hang_waitq_count(w, head))
		return;
	at.what = enter_reason(w);
	hang_waitq_emit(w, head, &at);
}

static bool is_kind(const struct hang_work *w, u64 id, enum hang_row_id row)
{
	return hang_has(w, row) && id == hang_loc(w, row);
}

static void emit_wait(struct hang_work *w, const char *id, u32 index, u64 wait,
		      u64 wb)
{
	struct hang_wait_at at = { .what = "qos", .hctx = -1, .ws = -1 };
	u64 head = wait + hang_loc(w, L_rq_wait_head);
	struct hang_rec *rec = &w->rec;
	u64 value;
	u32 waiters;

	hang_rec_start(rec, R_qos);
	hang_rec_str(rec, F_qos_disk, w->disk_name);
	hang_rec_str(rec, F_qos_id, id);
	hang_rec_set(rec, F_qos_index, index);
	if (!hang_read_member(w, wait, L_rq_wait_inflight, &value)) {
		s64 inflight = (s32)value;

		hang_rec_set(rec, F_qos_inflight, (u64)inflight);
		if (inflight < 0)
			hang_rec_set(rec, F_qos_negative, 1);
	}
	waiters = hang_waitq_count(w, head);
	hang_rec_set(rec, F_qos_waiters, waiters);
	if (!hang_read_member(w, wb, L_wb_normal, &value))
		hang_rec_set(rec, F_qos_normal, value);
	if (!hang_read_member(w, wb, L_wb_background, &value))
		hang_rec_set(rec, F_qos_background, value);
	hang_rec_set(rec, F_qos_addr, wait);
	hang_emit(w, rec);
	if (waiters)
		hang_waitq_emit(w, head, &at);
}

/* rq_wb: one counter for background, one for swap, one for discards. */
static void walk_wbt(struct hang_work *w, u64 qos)
{
	u64 wb = qos - hang_loc(w, L_wb_qos);
	u64 size = hang_loc(w, L_size_rq_wait);
	u32 i;

	if (!hang_has(w, L_wb_qos) || !hang_has(w, L_wb_wait) || !size ||
	    !hang_has(w, L_rq_wait_head) || !hang_has(w, L_rq_wait_inflight))
		return;
	for (i = 0; i < INDEX_MAX; i++) {
		if ((i + 1) * size > w->layout.loc[L_wb_wait].size)
			break;
		emit_wait(w, "wbt", i, wb + hang_loc(w, L_wb_wait) + i * size,
			  wb);
	}
}

static void walk_throttlers(struct hang_work *w)
{
	u64 qos, id;
	u32 i;

	if (!hang_has(w, L_queue_qos) || !hang_has(w, L_qos_id) ||
	    hang_read_member(w, w->q_snap.addr, L_queue_qos, &qos))
		return;
	for (i = 0; qos && i < THROTTLERS_MAX; i++) {
		if (hang_read_member(w, qos, L_qos_id, &id))
			return;
		if (is_kind(w, id, L_enum_qos_wbt))
			walk_wbt(w, qos);
		if (!hang_has(w, L_qos_next) ||
		    hang_read_member(w, qos, L_qos_next, &qos))
			return;
	}
	if (qos)
		hang_fault(w, "rq_qos", qos, -ELOOP, "list loops");
}

void hang_walk_queue_waits(struct hang_work *w)
{
	walk_enter(w);
	walk_throttlers(w);
}
