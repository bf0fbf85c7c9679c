// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the requests of a queue wait before the driver has them: on the
 * dispatch list of a hardware queue, on software queues, on the requeue list
 * (block/blk-mq.c), in the flush machinery (block/blk-flush.c), or with the
 * scheduler (sched.c). All of these lists are walked before the tags, so that
 * each request can be told with its place.
 *
 * The map holds requests by their address, and how many were found on the lists
 * of one owner by an address within the owner, where no request can begin.
 * Owners that may be met again are in it as well. A data request of a flush is
 * on a list of these all the time, whether the driver has it or it is on another
 * list, which then is its place; so the list of the former has an address within
 * the request.
 */
#include "core.h"

#define CTX_MAX 8192
#define FLUSH_LISTS 2
#define UNKNOWN 0xffffffff /* a list could not be read */

static const char *const place_names[HANG_PLACES] = {
	[HANG_AT_DISPATCH] = "dispatch",
	[HANG_AT_REQUEUE] = "requeue",
	[HANG_AT_SW] = "sw",
	[HANG_AT_FLUSH] = "flush",
	[HANG_AT_FLUSH_PENDING] = "flush-pending",
	[HANG_AT_FLUSH_RUNNING] = "flush-running",
	[HANG_AT_FLUSH_QUEUE] = "flush-queue",
	[HANG_AT_FLUSH_DATA] = "flush-data",
	[HANG_AT_LOOP] = "loop-worker",
	[HANG_AT_SCHED] = "sched",
	[HANG_AT_SCHED_DISPATCH] = "sched-dispatch",
};

/* What has to be known for its lists to be walked, besides the link. */
static const enum hang_row_id place_rows[HANG_PLACES][3] = {
	[HANG_AT_DISPATCH] = { L_hctx_dispatch },
	[HANG_AT_REQUEUE] = { L_q_requeue_list },
	[HANG_AT_SW] = { L_ctx_rq_lists, L_hctx_nr_ctx, L_hctx_ctxs },
	[HANG_AT_FLUSH] = { L_q_flush_list },
	[HANG_AT_FLUSH_PENDING] = { L_fq_queue, L_fq_status },
	[HANG_AT_FLUSH_RUNNING] = { L_fq_queue, L_fq_status },
	[HANG_AT_FLUSH_QUEUE] = { L_fq_queue },
	[HANG_AT_FLUSH_DATA] = { L_fq_data_list, L_rq_flush_list },
	[HANG_AT_LOOP] = { L_loop_root_list, L_loop_cmd_list },
};

#define PLACE_MASK 0xff /* which is no place itself */
#define WALK_SHIFT 8

struct place_walk {
	u64 link; /* offset of the list's node in a request */
	u32 mark; /* the place, and which walk it is */
	u32 count;
};

static bool has_place(const struct hang_work *w, enum hang_place place)
{
	u32 i;

	/* Row 0, which stands for no other, is there on every kernel. */
	for (i = 0; i < HANG_ARRAY_SIZE(place_rows[0]); i++)
		if (!hang_has(w, place_rows[place][i]))
			return false;
	return hang_has(w, L_rq_queuelist);
}

static u64 count_key(u64 owner, enum hang_place place)
{
	return owner + place + 1;
}

static u64 request_key(u64 rq, enum hang_place place)
{
	return place == HANG_AT_FLUSH_DATA ? rq + 1 : rq;
}

/* A list that loops brings the same requests again: they count once. */
static int place_found(struct hang_work *w, u64 node, void *arg)
{
	struct place_walk *p = arg;
	u64 key = request_key(node - p->link, p->mark & PLACE_MASK);
	u32 before;

	if (hang_map_get(&w->place, key, &before) && before == p->mark)
		return 0;
	p->count++;
	if (!hang_map_put(&w->place, key, p->mark))
		w->looked.left_out++;
	return 0;
}

static int walk_steadily(struct hang_work *w, u64 head, enum hang_place place,
			 struct place_walk *p)
{
	u32 tries = hang_list_tries(w);
	u32 left_out = w->looked.left_out;
	bool hush = w->hush;
	int err;

	do {
		w->looked.left_out = left_out;
		tries--;
		w->hush = hush || tries;
		p->count = 0;
		p->mark = place | w->place_walks++ << WALK_SHIFT;
		err = hang_for_each_list(w, head, place_found, p,
					 place_names[place]);
		w->hush = hush;
	} while (err && tries && !hang_interrupted(w));
	if (err && hush)
		w->looked.left_out = left_out;
	return err;
}

/* Adds to the number found on lists of owner; UNKNOWN only if none is. */
static void count_add(struct hang_work *w, u64 owner, enum hang_place place,
		      u32 count)
{
	u64 key = count_key(owner, place);
	u32 before;

	if (!hang_map_get(&w->place, key, &before) || before == UNKNOWN)
		before = 0;
	if (count == UNKNOWN && before)
		return;
	if (!hang_map_put(&w->place, key, before + count))
		w->looked.left_out++;
}

/*
 * A driver's own part of a request (pdu) stands behind it. Lists of a flush queue
 * had a link of their own.
 */
static u64 link_of(const struct hang_work *w, enum hang_place place)
{
	bool fq = place >= HANG_AT_FLUSH_PENDING && place <= HANG_AT_FLUSH_DATA;

	if (place == HANG_AT_LOOP)
		return hang_loc(w, L_size_rq) + hang_loc(w, L_loop_cmd_list);
	return hang_loc(w, fq && hang_has(w, L_rq_flush_list) ?
			L_rq_flush_list : L_rq_queuelist);
}

void hang_place_unknown(struct hang_work *w, u64 owner, enum hang_place place)
{
	if (!hang_map_put(&w->place, count_key(owner, place), UNKNOWN))
		w->looked.left_out++;
}

int hang_place_list(struct hang_work *w, u64 head, enum hang_place place,
		    u32 *count)
{
	struct place_walk p = { .link = link_of(w, place) };
	int err = walk_steadily(w, head, place, &p);

	*count = p.count;
	if (err && w->hush)
		return err;
	w->looked.lists[place]++;
	if (!err && !p.count)
		w->looked.empty[place]++;
	return err;
}

u32 hang_place_walk(struct hang_work *w, u64 owner, u64 head,
		    enum hang_place place)
{
	u32 count;
	int err = hang_place_list(w, head, place, &count);

	if (err && !count)
		count = UNKNOWN;
	if (count)
		count_add(w, owner, place, count);
	return count;
}

/* A list that is a member of its owner. */
static void walk_member(struct hang_work *w, u64 owner, enum hang_place place)
{
	if (has_place(w, place))
		hang_place_walk(w, owner, owner + hang_loc(w, place_rows[place][0]),
			  place);
}

void hang_places_begin(struct hang_work *w, u64 q)
{
	hang_map_clear(&w->place);
	walk_member(w, q, HANG_AT_REQUEUE);
	walk_member(w, q, HANG_AT_FLUSH);
}

/*
 * The list that is not pending has those whose flush was sent. All that are on
 * either are counted for "flush-queue", and are there if it isn't known which
 * is which.
 */
static void walk_flush_lists(struct hang_work *w, u64 hctx, u64 fq)
{
	struct hang_flush_idx idx;
	u32 count, i;
	bool known;

	/* What is wrong with it is reported when the flush queue is shown. */
	w->hush = true;
	known = hang_flush_idx(w, fq, &idx);
	w->hush = false;
	for (i = 0; i < FLUSH_LISTS; i++) {
		u64 head = fq + hang_loc(w, L_fq_queue) + i * 2 * w->t->word;

		if (!known) {
			hang_place_walk(w, hctx, head, HANG_AT_FLUSH_QUEUE);
			continue;
		}
		count = hang_place_walk(w, hctx, head, i == idx.pending ?
					HANG_AT_FLUSH_PENDING :
					HANG_AT_FLUSH_RUNNING);
		if (count)
			count_add(w, hctx, HANG_AT_FLUSH_QUEUE, count);
	}
	if (known || !hang_has(w, L_fq_status))
		return;
	hang_place_unknown(w, hctx, HANG_AT_FLUSH_PENDING);
	hang_place_unknown(w, hctx, HANG_AT_FLUSH_RUNNING);
}

static void walk_flush_queue(struct hang_work *w, u64 hctx)
{
	u64 fq = hang_snap_get(w, &w->hctx_snap, L_hctx_fq);

	if (!fq)
		return;
	if (has_place(w, HANG_AT_FLUSH_QUEUE))
		walk_flush_lists(w, hctx, fq);
	if (has_place(w, HANG_AT_FLUSH_DATA))
		hang_place_walk(w, hctx, fq + hang_loc(w, L_fq_data_list),
				HANG_AT_FLUSH_DATA);
}

/* Walks n software queues: in each, the list at offset list. */
static void walk_ctxs(struct hang_work *w, u64 hctx, u64 ctxs, u32 n, u64 list)
{
	u64 ctx;
	u32 i;

	for (i = 0; i < n && !hang_interrupted(w); i++) {
		if (hang_read_ptr(w, ctxs + (u64)i * w->t->word, &ctx,
				  "blk_mq_hw_ctx.ctxs")) {
			count_add(w, hctx, HANG_AT_SW, UNKNOWN);
			return;
		}
		hang_place_walk(w, hctx, ctx + list, HANG_AT_SW);
	}
}

static void walk_sw_queues(struct hang_work *w, u64 hctx)
{
	u32 lists = w->layout.loc[L_ctx_rq_lists].size / (2 * w->t->word);
	u64 type = hang_snap_get(w, &w->hctx_snap, L_hctx_type);
	u64 nr = hang_snap_get(w, &w->hctx_snap, L_hctx_nr_ctx);
	u64 ctxs = hang_snap_get(w, &w->hctx_snap, L_hctx_ctxs);

	if (!has_place(w, HANG_AT_SW))
		return;
	if (nr > CTX_MAX || (nr && type >= lists)) {
		hang_fault(w, "blk_mq_hw_ctx", hctx, -EINVAL,
			   "impossible type or number of software queues");
		count_add(w, hctx, HANG_AT_SW, UNKNOWN);
		return;
	}
	walk_ctxs(w, hctx, ctxs, nr,
		  hang_loc(w, L_ctx_rq_lists) + type * 2 * w->t->word);
}

void hang_places_add(struct hang_work *w, u64 hctx)
{
	int err;

	/* If not, that is reported when the hardware queue is shown. */
	w->hush = true;
	err = hang_snap_load(w, &w->hctx_snap, hctx, L_size_hctx);
	w->hush = false;
	if (err)
		return;
	walk_member(w, hctx, HANG_AT_DISPATCH);
	walk_flush_queue(w, hctx);
	walk_sw_queues(w, hctx);
}

bool hang_place_count(const struct hang_work *w, u64 owner,
		      enum hang_place place, u32 *count)
{
	if (!hang_map_get(&w->place, count_key(owner, place), count))
		*count = hang_map_is_full(&w->place) ? UNKNOWN : 0;
	return has_place(w, place) && *count != UNKNOWN;
}

bool hang_place_seen(const struct hang_work *w, u64 addr)
{
	u32 value;

	return hang_map_get(&w->place, addr, &value);
}

void hang_place_see(struct hang_work *w, u64 addr)
{
	if (!hang_map_put(&w->place, addr, PLACE_MASK))
		w->looked.left_out++;
}

const char *hang_place_of(const struct hang_work *w, u64 rq)
{
	u32 place;

	if (!hang_map_get(&w->place, rq, &place) &&
	    !hang_map_get(&w->place, request_key(rq, HANG_AT_FLUSH_DATA),
			  &place))
		return NULL;
	place &= PLACE_MASK;
	return place < HANG_PLACES ? place_names[place] : NULL;
}
