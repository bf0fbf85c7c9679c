// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bfq (block/bfq-iosched.c, block/bfq-wf2q.c). Requests are kept by process, in
 * bfq_queues, each with a fifo. One bfq_queue at a time is in service and on no
 * list; others with requests are on an active list, of which there is one for
 * each actuator of the disk, and some without are on the idle list. What comes
 * back from the driver, or belongs to no process, is on a dispatch list.
 *
 * A bfq_queue goes when its process does, and moves between the lists; in a
 * running kernel lists are walked again, passing over those shown already.
 */
#include "sched.h"

struct walk {
	u64 bfqd;
	u64 in_service; /* 0: none */
};

/* A counter of requests; one below zero is a fault. */
static bool plausible(struct hang_work *w, const char *what, u64 at, u64 count)
{
	if (!(count >> 31))
		return true;
	hang_fault(w, what, at, -EINVAL, "impossible number of requests");
	return false;
}

/* Those that are asynchronous, and those that are not. */
static bool queued(struct hang_work *w, u64 *sum)
{
	const struct hang_snap *snap = &w->sched_snap;
	const struct hang_loc *loc = &w->layout.loc[L_bfqq_queued];
	const u8 *at = snap->data + loc->value;

	if (loc->size != 8 || loc->value + loc->size > snap->len)
		return false;
	*sum = hang_decode(w->t, at, 4) + hang_decode(w->t, at + 4, 4);
	return plausible(w, "bfq_queue.queued", snap->addr, *sum);
}

static void emit_queue(struct hang_work *w, const struct walk *walk)
{
	const struct hang_snap *snap = &w->sched_snap;
	u64 pid = hang_snap_get(w, snap, L_bfqq_pid);
	u64 sum;

	hang_sched_start(w, "queue");
	/* That of many processes has none. */
	if (pid && pid < HANG_PID_MAX)
		hang_rec_set(&w->rec, F_sched_pid, pid);
	if (queued(w, &sum))
		hang_rec_set(&w->rec, F_sched_queued, sum);
	hang_sched_set_int(w, F_sched_driver,
			   hang_snap_get(w, snap, L_bfqq_dispatched));
	hang_rec_set(&w->rec, F_sched_service, snap->addr == walk->in_service);
	hang_rec_set(&w->rec, F_sched_addr, snap->addr);
	hang_emit(w, &w->rec);
}

static int walk_queue(struct hang_work *w, u64 bfqq, const struct walk *walk)
{
	u32 count;
	int err;

	if (hang_place_seen(w, bfqq))
		return 0;
	err = hang_snap_load(w, &w->sched_snap, bfqq, L_size_bfqq);
	if (err)
		return err;
	if (hang_snap_get(w, &w->sched_snap, L_bfqq_bfqd) != walk->bfqd) {
		hang_fault(w, "bfq_queue", bfqq, -EINVAL,
			   "is not of this scheduler");
		return -EINVAL;
	}
	err = hang_place_list(w, bfqq + hang_loc(w, L_bfqq_fifo),
			      HANG_AT_SCHED, &count);
	/* In silence it is tried again; else there is a fault. */
	if (err && w->hush)
		return err;
	hang_place_see(w, bfqq);
	emit_queue(w, walk);
	return 0;
}

static int queue_found(struct hang_work *w, u64 node, void *arg)
{
	return walk_queue(w, node - hang_loc(w, L_bfqq_node), arg);
}

static void walk_list(struct hang_work *w, u64 head, struct walk *walk,
		      const char *what)
{
	u32 tries = hang_list_tries(w);
	int err;

	do {
		w->hush = --tries != 0;
		err = hang_for_each_list(w, head, queue_found, walk, what);
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
}

/* Of the active lists, only those of actuators that exist have been set up. */
static u32 nr_active_lists(struct hang_work *w, u64 bfqd)
{
	u64 room = w->layout.loc[L_bfqd_active].size / (2 * w->t->word);
	u64 n;

	if (room <= 1 || !hang_has(w, L_bfqd_actuators))
		return room;
	if (hang_read_member(w, bfqd, L_bfqd_actuators, &n))
		return 0;
	if (n <= room)
		return n;
	hang_fault(w, "bfq_data.num_actuators", bfqd, -EINVAL,
		   "more actuators than there is room for");
	return 0;
}

static void walk_in_service(struct hang_work *w, struct walk *walk)
{
	u32 tries = hang_list_tries(w);
	int err;

	do {
		w->hush = --tries != 0;
		err = hang_read_member(w, walk->bfqd, L_bfqd_in_service,
				       &walk->in_service);
		if (!err && walk->in_service)
			err = walk_queue(w, walk->in_service, walk);
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
}

static void walk_queues(struct hang_work *w, struct walk *walk)
{
	u32 n = nr_active_lists(w, walk->bfqd);
	u64 active = walk->bfqd + hang_loc(w, L_bfqd_active);
	u32 i;

	walk_in_service(w, walk);
	for (i = 0; i < n; i++)
		walk_list(w, active + i * 2 * w->t->word, walk,
			  "bfq_data.active_list");
	walk_list(w, walk->bfqd + hang_loc(w, L_bfqd_idle), walk,
		  "bfq_data.idle_list");
}

static void emit_whole(struct hang_work *w, u64 bfqd)
{
	struct hang_sched_count c = { 0 };
	u64 value;

	hang_sched_start(w, "all");
	if (!hang_read_member(w, bfqd, L_bfqd_queued, &value) &&
	    plausible(w, "bfq_data.queued", bfqd, value))
		hang_rec_set(&w->rec, F_sched_queued, value);
	hang_sched_list(w, bfqd + hang_loc(w, L_bfqd_dispatch),
			HANG_AT_SCHED_DISPATCH, &c);
	hang_sched_set(w, F_sched_dispatch, &c);
	if (!hang_read_member(w, bfqd, L_bfqd_driver, &value))
		hang_sched_set_int(w, F_sched_driver, value);
	hang_rec_set(&w->rec, F_sched_addr, bfqd);
	hang_emit(w, &w->rec);
}

static void walk(struct hang_work *w, u64 bfqd)
{
	struct walk walk = { .bfqd = bfqd };

	emit_whole(w, bfqd);
	walk_queues(w, &walk);
}

const struct hang_sched hang_sched_bfq = {
	.name = "bfq",
	.rows = { L_bfqd_dispatch, L_bfqd_active, L_bfqd_idle, L_size_bfqq,
		  L_bfqq_bfqd, L_bfqq_node, L_bfqq_fifo, L_bfqd_in_service },
	.walk = walk,
};
