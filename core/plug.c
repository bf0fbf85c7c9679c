// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plugs (struct blk_plug, include/linux/blkdev.h). A task that is about to do
 * much I/O keeps its requests back on a list on its own stack, and passes them
 * on all at once, when it is done or goes to sleep. Requests on that list are
 * started by no one; should the task wait for something else with its plug not
 * empty, they wait with it.
 *
 * The list was a list_head, then a chain of requests, then one with head and
 * tail. Beside it there may be requests that were allocated ahead and are not
 * in use yet; these are counted apart.
 *
 * A task that runs changes its plug as it is read, and its stack may go away.
 * So all is read in silence first, and what went wrong is a fault only if it
 * goes wrong again with the task asleep and at the same plug.
 */
#include "core.h"

/* Even with many queues a plug is flushed long before it has so many. */
#define PLUG_MAX 1024

struct plug_walk {
	u64 first;    /* request of those that wait */
	u64 rq_count; /* by the plug itself */
	u32 requests;
	u32 cached;
	u32 *count;   /* of these, that which is being walked */
	u32 value;    /* what w->plugged is to say of each */
	bool by_queuelist;
};

static int rq_found(struct hang_work *w, u64 node, void *arg)
{
	struct plug_walk *p = arg;
	u64 rq = node;

	if (p->by_queuelist)
		rq -= hang_loc(w, L_rq_queuelist);
	if (*p->count == PLUG_MAX) {
		hang_fault(w, "blk_plug", rq, -E2BIG, "list too long");
		return -E2BIG;
	}
	if (!*p->count && p->count == &p->requests)
		p->first = rq;
	++*p->count;
	if (!hang_map_put(&w->plugged, rq, p->value) && !w->hush)
		w->looked.left_out++;
	return 0;
}

static int walk_waiting(struct hang_work *w, u64 plug, struct plug_walk *p)
{
	u64 first = hang_snap_get(w, &w->task_snap, L_plug_list);

	p->count = &p->requests;
	if (hang_has(w, L_plug_list_prev)) {
		if (!hang_has(w, L_rq_queuelist))
			return 0;
		p->by_queuelist = true;
		return hang_for_each_list(w, plug + hang_loc(w, L_plug_list),
					  rq_found, p, "blk_plug.mq_list");
	}
	if (!hang_has(w, L_rq_next))
		return 0;
	return hang_for_each_next(w, first, hang_loc(w, L_rq_next), rq_found,
				  p, "blk_plug.mq_list");
}

static int walk_cached(struct hang_work *w, struct plug_walk *p)
{
	u64 first = hang_snap_get(w, &w->task_snap, L_plug_cached);

	if (!hang_has(w, L_rq_next))
		return 0;
	p->by_queuelist = false;
	p->count = &p->cached;
	p->value |= HANG_PLUG_CACHED;
	return hang_for_each_next(w, first, hang_loc(w, L_rq_next), rq_found,
				  p, "blk_plug.cached_rqs");
}

static int walk_plug(struct hang_work *w, u64 plug, u32 pid,
		     struct plug_walk *p)
{
	int err, err2;

	memset(p, 0, sizeof(*p));
	p->value = pid;
	err = hang_snap_load(w, &w->task_snap, plug, L_size_plug);
	if (err)
		return err;
	p->rq_count = hang_snap_get(w, &w->task_snap, L_plug_rq_count);
	err = walk_waiting(w, plug, p);
	err2 = walk_cached(w, p);
	return err ? err : err2;
}

/* Whether the task sleeps, and at this plug. */
static bool sleeps_at(struct hang_work *w, u64 task, u64 plug)
{
	u64 state, now;

	return !hang_read_member(w, task, L_task_state, &state) && state &&
	       !hang_task_runs(w, task) &&
	       !hang_read_member(w, task, L_task_plug, &now) && now == plug;
}

static void show_disk(struct hang_work *w, struct hang_rec *rec, u64 rq)
{
	u64 q;

	if (!rq || hang_read_member(w, rq, L_rq_q, &q))
		return;
	hang_disk_name(w, q);
	hang_rec_str(rec, F_plug_disk, w->disk_name);
}

static void emit(struct hang_work *w, u64 task, u64 plug,
		 const struct plug_walk *p)
{
	struct hang_rec *rec = &w->rec;

	hang_rec_start(rec, R_plug);
	hang_task_show_sleep(w, rec, task, F_plug_state, F_plug_slept);
	hang_rec_set(rec, F_plug_requests, p->requests);
	if (hang_has(w, L_plug_rq_count))
		hang_rec_set(rec, F_plug_rq_count, p->rq_count);
	if (hang_has(w, L_plug_cached))
		hang_rec_set(rec, F_plug_cached, p->cached);
	hang_rec_set(rec, F_plug_addr, plug);
	show_disk(w, rec, p->first);
	hang_task_show(w, rec, task, F_plug_pid, F_plug_task);
	hang_emit(w, rec);
}

void hang_plug_look(struct hang_work *w, u64 task, u64 plug)
{
	struct plug_walk p;
	u64 pid;
	int err;

	if (!hang_has(w, L_size_plug) ||
	    hang_read_member(w, task, L_task_pid, &pid))
		return;
	w->hush = true;
	err = walk_plug(w, plug, pid & HANG_PLUG_PID, &p);
	w->hush = false;
	if (err && sleeps_at(w, task, plug))
		walk_plug(w, plug, pid & HANG_PLUG_PID, &p);
	if (!p.requests && !p.cached)
		return;
	w->looked.plugs++;
	/* Of a task that runs, what its requests are may change, too. */
	w->hush = !sleeps_at(w, task, plug);
	emit(w, task, plug, &p);
	w->hush = false;
}

void hang_plug_show(struct hang_work *w, struct hang_rec *rec, u64 rq)
{
	u32 value;

	if (!hang_map_get(&w->plugged, rq, &value))
		return;
	hang_rec_set(rec, F_rq_plug, value & HANG_PLUG_PID);
	if (value & HANG_PLUG_CACHED)
		hang_rec_set(rec, F_rq_cached, 1);
}
