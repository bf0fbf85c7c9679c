// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits for the tags of a hardware queue (lib/sbitmap.c, block/blk-mq-tag.c).
 *
 * A bitmap has eight wait queues, and waiters go to them in turn. Freeing tags
 * wakes them in batches: one wait queue for every wake_batch tags, beginning at
 * wake_index. The counts behind that are completion_cnt and wakeup_cnt of the
 * bitmap, or on older kernels wait_cnt of each wait queue. A batch larger than
 * what the users of the bitmap can ever hold at once wakes nobody.
 */
#include "core.h"

#define WAIT_QUEUES 8  /* SBQ_WAIT_QUEUES */
#define LEAST_SHARE 4  /* in hctx_may_queue() */

struct tag_waits {
	const struct hang_hctx *hctx;
	const char *kind; /* driver or sched */
	u64 tags;
	u64 ws;
	u32 depth;
	u32 waiting; /* bit i: wait queue i has waiters */
	u32 waiters;
	bool sched;
	bool reserved;
};

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->wait_snap, row);
}

static void set_if_has(struct hang_work *w, struct hang_rec *rec, u32 field,
		       enum hang_row_id row)
{
	if (hang_has(w, row))
		hang_rec_set(rec, field, get(w, row));
}

/*
 * The part of the tags that each of those who share them may hold, as
 * hctx_may_queue() has it: it does not apply to reserved tags, to those of a
 * scheduler, nor to a bitmap of one tag.
 */
static void show_share(struct hang_work *w, struct hang_rec *rec,
		       const struct tag_waits *t)
{
	u64 users, more, share;

	if (t->sched || t->reserved ||
	    hang_read_member(w, t->tags, L_tags_users, &users))
		return;
	if (hang_has(w, L_set_users) &&
	    !hang_read_member(w, hang_snap_get(w, &w->q_snap, L_q_tag_set),
			      L_set_users, &more))
		users += more;
	hang_rec_set(rec, F_tags_users, users);
	if (!users || t->depth <= 1)
		return;
	share = hang_div64(t->depth + users - 1, users);
	hang_rec_set(rec, F_tags_share, share > LEAST_SHARE ? share
							    : LEAST_SHARE);
}

/* From the copy of the sbitmap_queue. */
static void show_queue(struct hang_work *w, struct hang_rec *rec,
		       const struct tag_waits *t)
{
	u64 index = get(w, L_sbq_wake_index);
	u64 ws = t->ws + index * hang_loc(w, L_size_ws);
	u64 count;

	if (hang_has(w, L_sbq_ws_active))
		hang_rec_set(rec, F_tags_ws_active,
			     hang_snap_int(w, &w->wait_snap, L_sbq_ws_active));
	set_if_has(w, rec, F_tags_wake_batch, L_sbq_wake_batch);
	set_if_has(w, rec, F_tags_wake_index, L_sbq_wake_index);
	set_if_has(w, rec, F_tags_completions, L_sbq_completions);
	set_if_has(w, rec, F_tags_wakeups, L_sbq_wakeups);
	/* UINT_MAX: no allocation is kept to a part of each word. */
	if (get(w, L_sbq_shallow) != 0xffffffff)
		set_if_has(w, rec, F_tags_shallow, L_sbq_shallow);
	if (!hang_has(w, L_ws_wait_cnt) || !t->ws)
		return;
	if (index >= WAIT_QUEUES)
		hang_fault(w, "sbitmap_queue.wake_index", t->ws, -EINVAL,
			   "is no wait queue's");
	else if (!hang_read_member(w, ws, L_ws_wait_cnt, &count))
		hang_rec_set(rec, F_tags_wait_cnt, (u64)(s64)(s32)count);
}

/* Counts waiters; all heads are read at once, most often all are empty. */
static void count_waiters(struct hang_work *w, struct tag_waits *t)
{
	u64 size = hang_loc(w, L_size_ws);
	u64 offset = hang_loc(w, L_ws_wait);
	struct hang_snap *snap = &w->wait_snap;
	u32 i;

	if (!hang_has(w, L_ws_wait) || offset + w->t->word > size ||
	    size * WAIT_QUEUES > sizeof(snap->data) ||
	    hang_read(w, t->ws, snap->data, size * WAIT_QUEUES,
		      "sbq_wait_state"))
		return;
	for (i = 0; i < WAIT_QUEUES; i++) {
		u64 head = t->ws + i * size + offset;
		u32 n = 0;

		if (hang_decode(w->t, snap->data + i * size + offset,
				w->t->word) == head)
			hang_waitq_empty(w);
		else
			n = hang_waitq_count(w, head);
		t->waiters += n;
		t->waiting |= n ? 1u << i : 0;
	}
}

static void emit_waits(struct hang_work *w, const struct tag_waits *t)
{
	static const char *const what[2][2] = {
		{ "tag", "reserved-tag" },
		{ "sched-tag", "reserved-sched-tag" },
	};
	struct hang_wait_at at = {
		.what = what[t->sched][t->reserved],
		.hctx = t->hctx->num,
		.hctx_addr = t->hctx->addr,
	};
	u32 i;

	for (i = 0; i < WAIT_QUEUES; i++) {
		if (!(t->waiting >> i & 1))
			continue;
		at.ws = i;
		hang_waitq_emit(w, t->ws + i * hang_loc(w, L_size_ws) +
				hang_loc(w, L_ws_wait), &at);
	}
}

static void walk_bitmap(struct hang_work *w, struct tag_waits *t)
{
	const struct hang_hctx *hctx = t->hctx;
	struct hang_rec *rec = &w->rec;
	u64 sbq;

	t->depth = hctx->count[t->sched][t->reserved].depth;
	t->waiters = 0;
	t->waiting = 0;
	if (!t->depth || !hang_has(w, L_size_sbq) || !hang_has(w, L_sbq_ws) ||
	    hang_sbq_of(w, t->tags, t->reserved ? L_tags_reserved :
			L_tags_bitmap, &sbq) ||
	    hang_snap_load(w, &w->wait_snap, sbq, L_size_sbq))
		return;
	t->ws = get(w, L_sbq_ws);
	hang_rec_start(rec, R_tags);
	hang_rec_str(rec, F_tags_disk, w->disk_name);
	hang_rec_set(rec, F_tags_hctx, hctx->num);
	hang_rec_str(rec, F_tags_kind, t->sched ? "sched" : "driver");
	if (t->reserved)
		hang_rec_set(rec, F_tags_reserved, 1);
	hang_rec_set(rec, F_tags_depth, t->depth);
	hang_rec_set(rec, F_tags_busy, hctx->count[t->sched][t->reserved].busy);
	show_queue(w, rec, t);
	show_share(w, rec, t);
	if (hctx->shared)
		hang_rec_set(rec, F_tags_shared, 1);
	hang_rec_set(rec, F_tags_addr, sbq);
	count_waiters(w, t);
	hang_rec_set(rec, F_tags_waiters, t->waiters);
	hang_emit(w, rec);
	emit_waits(w, t);
}

static void walk_tags(struct hang_work *w, const struct hang_hctx *hctx,
		      u64 tags, bool sched)
{
	struct tag_waits t = { .hctx = hctx, .tags = tags, .sched = sched };

	t.reserved = true;
	walk_bitmap(w, &t);
	t.reserved = false;
	walk_bitmap(w, &t);
}

/*
 * Whether the queue is the first of those that share its tag set. They share
 * the driver's tags too, and who waits for those is shown but once.
 */
static bool is_first(struct hang_work *w, u64 q)
{
	u64 list = hang_snap_get(w, &w->q_snap, L_q_tag_set) +
		   hang_loc(w, L_set_tag_list);
	u64 node;
	u32 i;

	if (hang_read_ptr(w, list, &node, "tag_list") || node == list)
		return true;
	node -= hang_loc(w, L_q_tag_set_list);
	return node == q || !hang_map_get(&w->queue_map, node, &i) ||
	       i >= w->nr_queues;
}

void hang_walk_tag_waits(struct hang_work *w, const struct hang_hctx *hctx)
{
	if (is_first(w, hctx->q))
		walk_tags(w, hctx, hctx->tags, false);
	if (hctx->sched_tags)
		walk_tags(w, hctx, hctx->sched_tags, true);
}
