// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits to enter a queue (block/blk-core.c), and who is held back by what
 * throttles it (block/blk-rq-qos.c, blk-wbt.c, blk-iolatency.c, blk-iocost.c).
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

/* A wait queue at which a throttler holds tasks back. */
struct place {
	const char *id;
	u32 index;
	u64 rq_wait; /* 0: iocost does not count what is in flight */
	u64 head;    /* list_head of the wait queue */
	u64 wb;	     /* rq_wb, 0: none */
	u64 blkg;    /* 0: not of a cgroup */
};

static void show_inflight(struct hang_work *w, struct hang_rec *rec,
			  const struct place *p)
{
	u64 value;
	s64 inflight;

	if (!p->rq_wait ||
	    hang_read_member(w, p->rq_wait, L_rq_wait_inflight, &value))
		return;
	inflight = (s32)value;
	hang_rec_set(rec, F_qos_inflight, (u64)inflight);
	if (inflight < 0)
		hang_rec_set(rec, F_qos_negative, 1);
}

static void show_limits(struct hang_work *w, struct hang_rec *rec, u64 wb)
{
	u64 value;

	if (!hang_read_member(w, wb, L_wb_normal, &value))
		hang_rec_set(rec, F_qos_normal, value);
	if (!hang_read_member(w, wb, L_wb_background, &value))
		hang_rec_set(rec, F_qos_background, value);
}

/* The number of a cgroup: that of its directory's inode. */
static void show_cgroup(struct hang_work *w, struct hang_rec *rec, u64 blkg)
{
	u64 kn, id;

	if (!hang_group_node(w, blkg, &kn) &&
	    !hang_read_member(w, kn, L_kn_id, &id))
		hang_rec_set(rec, F_qos_cgroup, id);
}

static void emit_place(struct hang_work *w, const struct place *p)
{
	struct hang_wait_at at = { .what = "qos", .hctx = -1, .ws = -1 };
	u32 waiters = hang_waitq_count(w, p->head);
	struct hang_rec *rec = &w->rec;

	/* There are many cgroups; those of iocost have nothing else to say. */
	if (!waiters && !p->rq_wait)
		return;
	hang_rec_start(rec, R_qos);
	hang_rec_str(rec, F_qos_disk, w->disk_name);
	hang_rec_str(rec, F_qos_id, p->id);
	if (p->wb)
		hang_rec_set(rec, F_qos_index, p->index);
	if (p->blkg)
		show_cgroup(w, rec, p->blkg);
	show_inflight(w, rec, p);
	hang_rec_set(rec, F_qos_waiters, waiters);
	if (p->wb)
		show_limits(w, rec, p->wb);
	hang_rec_set(rec, F_qos_addr, p->rq_wait ? p->rq_wait : p->head);
	hang_emit(w, rec);
	if (waiters)
		hang_waitq_emit(w, p->head, &at);
}

static bool has_rq_wait(const struct hang_work *w)
{
	return hang_has(w, L_size_rq_wait) && hang_has(w, L_rq_wait_head) &&
	       hang_has(w, L_rq_wait_inflight);
}

/* rq_wb: one counter for background, one for swap, one for discards. */
static void walk_wbt(struct hang_work *w, u64 qos)
{
	struct place p = { .id = "wbt" };
	u64 size = hang_loc(w, L_size_rq_wait);

	if (!hang_has(w, L_wb_qos) || !hang_has(w, L_wb_wait) ||
	    !has_rq_wait(w))
		return;
	p.wb = qos - hang_loc(w, L_wb_qos);
	for (; p.index < INDEX_MAX; p.index++) {
		if ((p.index + 1) * size > w->layout.loc[L_wb_wait].size)
			break;
		p.rq_wait = p.wb + hang_loc(w, L_wb_wait) + p.index * size;
		p.head = p.rq_wait + hang_loc(w, L_rq_wait_head);
		emit_place(w, &p);
	}
}

/* A throttler that keeps its counters with each cgroup. */
struct per_group {
	const char *id;
	enum hang_row_id plid, pd, wait;
	bool counts; /* wait is a rq_wait */
};

static void group_found(struct hang_work *w, u64 blkg, u64 pd, void *arg)
{
	const struct per_group *g = arg;
	struct place p = { .id = g->id, .blkg = blkg };

	p.head = pd - hang_loc(w, g->pd) + hang_loc(w, g->wait);
	if (g->counts) {
		p.rq_wait = p.head;
		p.head += hang_loc(w, L_rq_wait_head);
	}
	emit_place(w, &p);
}

static void walk_groups(struct hang_work *w, struct per_group *g)
{
	if (hang_has(w, g->pd) && hang_has(w, g->wait) &&
	    (!g->counts || has_rq_wait(w)))
		hang_for_each_group(w, g->plid, group_found, g);
}

static void walk_throttler(struct hang_work *w, u64 qos, u64 id)
{
	struct per_group cost = {
		"iocost", L_sym_cost_plid, L_cost_pd, L_cost_wait, false,
	};
	struct per_group latency = {
		"iolatency", L_sym_latency_plid, L_latency_pd, L_latency_wait,
		true,
	};

	if (is_kind(w, id, L_enum_qos_wbt))
		walk_wbt(w, qos);
	else if (is_kind(w, id, L_enum_qos_cost))
		walk_groups(w, &cost);
	else if (is_kind(w, id, L_enum_qos_latency))
		walk_groups(w, &latency);
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
		walk_throttler(w, qos, id);
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
