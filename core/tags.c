// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests by their tags (block/blk-mq.h, block/blk-mq-tag.c).
 *
 * With a scheduler, every request owns a scheduler tag, and static_rqs[] of
 * those tags is the request for good; a driver tag comes at dispatch. Without
 * one, driver tags and their static_rqs[] are all there is. rqs[] of the driver
 * tags tells who uses a tag now, but it is set late (at dispatch, on newer
 * kernels at start) and never cleared: what stands there counts only if it is a
 * request of this queue that knows itself to have this tag.
 *
 * The flush request is in no static_rqs[]. Without a scheduler it borrows the
 * tag of one of those that wait for it, so that two requests have this tag.
 *
 * Reserved tags come first: bit b of the reserved bitmap is tag b, bit b of
 * the normal one is tag nr_reserved_tags + b.
 */
#include "core.h"

struct tag_walk {
	struct hang_hctx *hctx;
	u64 rqs;
	u64 static_rqs;
	u32 base;
	u32 reserved_depth, reserved_busy;
	bool reserved;
	bool sched;
};

int hang_sbq_of(struct hang_work *w, u64 tags, enum hang_row_id row, u64 *sbq)
{
	*sbq = tags + hang_loc(w, row);
	if (hang_has(w, L_tags_bitmap_sb))
		return 0;
	return hang_read_ptr(w, *sbq, sbq, hang_rows[row].name);
}

static int sb_of(struct hang_work *w, u64 tags, enum hang_row_id row, u64 *sb)
{
	int err = hang_sbq_of(w, tags, row, sb);

	*sb += hang_loc(w, L_sbq_sb);
	return err;
}

static u64 entry_at(struct hang_work *w, u64 array, u32 tag, const char *what)
{
	u64 rq = 0;

	if (array)
		hang_read_ptr(w, array + (u64)tag * w->t->word, &rq, what);
	return rq;
}

/* Whether the scheduler's tags own rq, so that it was emitted with them. */
static bool sched_owns(struct hang_work *w, u64 sched_tags, s64 itag, u64 rq)
{
	u64 reserved, array, sb;
	bool low;

	if (!sched_tags || itag < 0 ||
	    hang_read_member(w, sched_tags, L_tags_nr_reserved, &reserved) ||
	    hang_read_member(w, sched_tags, L_tags_static_rqs, &array))
		return false;
	low = (u64)itag < reserved;
	if (sb_of(w, sched_tags, low ? L_tags_reserved : L_tags_bitmap, &sb) ||
	    !hang_sbit_is_set(w, sb, (u64)itag - (low ? 0 : reserved)))
		return false;
	return entry_at(w, array, itag, "static_rqs") == rq;
}

/* Loads rq; true if it belongs to this hardware queue and holds this tag. */
static bool fits(struct hang_work *w, const struct tag_walk *t, u64 rq, u32 tag)
{
	enum hang_row_id row = t->sched ? L_rq_internal_tag : L_rq_tag;
	const struct hang_hctx *hctx = t->hctx;
	u64 mq_hctx;

	if (!rq || hang_rq_load(w, rq))
		return false;
	mq_hctx = hang_snap_get(w, &w->rq_snap, L_rq_mq_hctx);
	return hang_snap_get(w, &w->rq_snap, L_rq_q) == hctx->q &&
	       hang_snap_int(w, &w->rq_snap, row) == (s64)tag && mq_hctx &&
	       (hctx->shared || mq_hctx == hctx->addr);
}

static u32 hctx_num(struct hang_work *w, const struct hang_hctx *hctx)
{
	u64 mq_hctx = hang_snap_get(w, &w->rq_snap, L_rq_mq_hctx);
	u64 num;

	if (mq_hctx == hctx->addr ||
	    hang_read_member(w, mq_hctx, L_hctx_queue_num, &num))
		return hctx->num;
	return num;
}

static void sched_tag(struct hang_work *w, struct tag_walk *t, u32 tag)
{
	if (fits(w, t, entry_at(w, t->static_rqs, tag, "static_rqs"), tag))
		hang_rq_emit(w, hctx_num(w, t->hctx), t->reserved);
	else
		w->totals.unclear++;
}

static void driver_tag(struct hang_work *w, struct tag_walk *t, u32 tag)
{
	struct hang_hctx *hctx = t->hctx;
	u64 owner = entry_at(w, t->static_rqs, tag, "static_rqs");
	u64 user = entry_at(w, t->rqs, tag, "rqs");
	s64 itag;

	if (fits(w, t, user, tag)) {
		itag = hang_snap_int(w, &w->rq_snap, L_rq_internal_tag);
		if (sched_owns(w, hctx->sched_tags, itag, user))
			return;
		hctx->flush_seen |= user == hctx->flush_rq;
		hang_rq_emit(w, hctx_num(w, hctx), t->reserved);
		/* Its lender, if it is a flush request. */
		if (hctx->sched_tags || owner == user || !fits(w, t, owner, tag))
			return;
	} else if (!fits(w, t, owner, tag)) {
		/* With a scheduler: found by its tag there, if not issued. */
		if (hctx->sched_tags)
			return;
		if (!owner || hang_snap_get(w, &w->rq_snap, L_rq_q) == hctx->q)
			w->totals.unclear++;
		return;
	}
	hang_rq_emit(w, hctx_num(w, hctx), t->reserved);
}

static int tag_found(struct hang_work *w, u32 bit, void *arg)
{
	struct tag_walk *t = arg;

	if (t->sched)
		sched_tag(w, t, t->base + bit);
	else
		driver_tag(w, t, t->base + bit);
	return hang_interrupted(w) ? -EINTR : 0;
}

static int count_only(struct hang_work *w, u32 bit, void *arg)
{
	(void)w;
	(void)bit;
	(void)arg;
	return 0;
}

/* Walks both bitmaps; fn is called for each busy bit with t filled in. */
static void walk_both(struct hang_work *w, u64 tags, struct tag_walk *t,
		      u32 *depth, u32 *busy, hang_bit_fn fn)
{
	u64 reserved, sb;

	if (hang_read_member(w, tags, L_tags_nr_reserved, &reserved) ||
	    hang_read_member(w, tags, L_tags_rqs, &t->rqs) ||
	    hang_read_member(w, tags, L_tags_static_rqs, &t->static_rqs))
		return;
	t->base = 0;
	t->reserved = true;
	if (reserved && !sb_of(w, tags, L_tags_reserved, &sb))
		hang_for_each_sbit(w, sb, depth, busy, fn, t);
	t->reserved_depth = *depth;
	t->reserved_busy = *busy;
	t->base = reserved;
	t->reserved = false;
	if (!sb_of(w, tags, L_tags_bitmap, &sb))
		hang_for_each_sbit(w, sb, depth, busy, fn, t);
}

/* Counts the bits of both bitmaps; for who waits for them, each by itself. */
static void count_both(struct hang_work *w, struct hang_hctx *hctx, bool sched,
		       u32 *depth, u32 *busy)
{
	struct tag_walk t = { 0 };

	walk_both(w, sched ? hctx->sched_tags : hctx->tags, &t, depth, busy,
		  count_only);
	hctx->count[sched][true].depth = t.reserved_depth;
	hctx->count[sched][true].busy = t.reserved_busy;
	hctx->count[sched][false].depth = *depth - t.reserved_depth;
	hctx->count[sched][false].busy = *busy - t.reserved_busy;
}

static void show_tags(struct hang_work *w, struct hang_rec *rec,
		      struct hang_hctx *hctx)
{
	u32 depth = 0, busy = 0, sched_depth = 0, sched_busy = 0;
	u64 reserved;

	count_both(w, hctx, false, &depth, &busy);
	if (hctx->sched_tags)
		count_both(w, hctx, true, &sched_depth, &sched_busy);
	hang_rec_set(rec, F_hctx_tags, depth);
	if (!hang_read_member(w, hctx->tags, L_tags_nr_reserved, &reserved))
		hang_rec_set(rec, F_hctx_reserved, reserved);
	hang_rec_set(rec, F_hctx_busy, busy);
	if (hctx->sched_tags) {
		hang_rec_set(rec, F_hctx_sched_tags, sched_depth);
		hang_rec_set(rec, F_hctx_sched_busy, sched_busy);
	}
	w->looked.tags += depth + sched_depth;
}

static void emit_hctx(struct hang_work *w, struct hang_hctx *hctx)
{
	struct hang_rec *rec = &w->rec;

	hang_rec_start(rec, R_hctx);
	hang_rec_str(rec, F_hctx_disk, w->disk_name);
	hang_rec_set(rec, F_hctx_hctx, hctx->num);
	if (hctx->has_tags)
		show_tags(w, rec, hctx);
	hang_rec_set(rec, F_hctx_shared, hctx->shared);
	hang_rec_set(rec, F_hctx_addr, hctx->addr);
	hang_hctx_show(w, rec, hctx->addr);
	hang_emit(w, rec);
}

/*
 * Whether the flush request in w->rq_snap was found by its tag, with the first
 * of the hardware queues that share their tags.
 */
static bool met_before(struct hang_work *w, const struct hang_hctx *hctx)
{
	s64 tag = hang_snap_int(w, &w->rq_snap, L_rq_tag);
	u64 reserved, rqs, sb;
	bool low;

	if (hctx->has_tags || !hctx->tags || tag < 0 ||
	    hang_read_member(w, hctx->tags, L_tags_nr_reserved, &reserved) ||
	    hang_read_member(w, hctx->tags, L_tags_rqs, &rqs))
		return false;
	low = (u64)tag < reserved;
	return !sb_of(w, hctx->tags, low ? L_tags_reserved : L_tags_bitmap,
		      &sb) &&
	       hang_sbit_is_set(w, sb, (u64)tag - (low ? 0 : reserved)) &&
	       entry_at(w, rqs, tag, "rqs") == hctx->flush_rq;
}

/* The flush request, unless it was found by its tag. */
static void walk_flush(struct hang_work *w, struct hang_hctx *hctx)
{
	if (hctx->flush_seen || !hctx->flush_rq ||
	    hang_rq_load(w, hctx->flush_rq) || met_before(w, hctx))
		return;
	/* At rest but on a list, it is still to be sent. */
	if ((hang_snap_get(w, &w->rq_snap, L_rq_state) ||
	     hang_place_of(w, hctx->flush_rq)) &&
	    hang_snap_get(w, &w->rq_snap, L_rq_q) == hctx->q)
		hang_rq_emit(w, hctx->num, false);
}

void hang_walk_tags(struct hang_work *w, struct hang_hctx *hctx)
{
	struct tag_walk t = { .hctx = hctx };
	u32 depth = 0, busy = 0;

	emit_hctx(w, hctx);
	hang_flush_emit(w, hctx);
	if (!hctx->has_tags) {
		walk_flush(w, hctx);
		return;
	}
	hang_walk_tag_waits(w, hctx);
	if (hctx->sched_tags) {
		t.sched = true;
		walk_both(w, hctx->sched_tags, &t, &depth, &busy, tag_found);
		t.sched = false;
	}
	walk_both(w, hctx->tags, &t, &depth, &busy, tag_found);
	walk_flush(w, hctx);
}
