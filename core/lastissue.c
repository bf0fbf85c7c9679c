// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When a disk last gave a request to its driver. A request that is freed keeps
 * its deadline and timeout until its tag is used again (block/blk-mq.c), so the
 * tags tell of those that are gone as well. A deadline that was put off makes
 * the last issue look later than it was, never earlier.
 */
#include "core.h"

#define TAGS_MAX 10240 /* BLK_MQ_MAX_DEPTH */
#define SEC_NS 1000000000U

/*
 * The jiffy of issue, 0 if that is not known, or never was. One that is in use
 * has a hardware queue. If it was issued it has come back, to be requeued: that
 * is no sign of anything that moves.
 */
static u64 issued_at(struct hang_work *w, u64 rq)
{
	u64 hctx, deadline, timeout;

	if (!rq || hang_read_member(w, rq, L_rq_mq_hctx, &hctx) || hctx ||
	    hang_read_member(w, rq, L_rq_deadline, &deadline) ||
	    hang_read_member(w, rq, L_rq_timeout, &timeout) ||
	    timeout > deadline || deadline - timeout > w->clock.jiffies)
		return 0;
	return deadline - timeout;
}

/* The last of n requests of an array; ends with one that is not long ago. */
static u64 last_of(struct hang_work *w, u64 array, u32 n, u64 recent)
{
	u64 last = 0, at, rq;
	u32 i;

	for (i = 0; i < n && last <= recent && !hang_interrupted(w); i++) {
		if (hang_read_ptr(w, array + (u64)i * w->t->word, &rq,
				  "static_rqs"))
			break;
		at = issued_at(w, rq);
		if (at > last)
			last = at;
	}
	return last;
}

/* The tags that own the requests of a hardware queue. */
static int owner_tags(struct hang_work *w, u64 hctx, u64 *tags)
{
	int err = hang_read_member(w, hctx, L_hctx_sched_tags, tags);

	return err || *tags ? err : hang_read_member(w, hctx, L_hctx_tags, tags);
}

static u64 last_of_queue(struct hang_work *w, u64 recent)
{
	u64 hctx, tags, array, nr, before = 0, last = 0, at;
	u32 n = hang_nr_hctxs(w);
	u32 i;

	for (i = 0; i < n && last <= recent; i++) {
		if (hang_hctx_addr(w, i, &hctx) || !hctx ||
		    owner_tags(w, hctx, &tags) || !tags || tags == before ||
		    hang_read_member(w, tags, L_tags_static_rqs, &array) ||
		    hang_read_member(w, tags, L_tags_nr, &nr) || nr > TAGS_MAX)
			continue;
		before = tags;
		at = last_of(w, array, nr, recent);
		if (at > last)
			last = at;
	}
	return last;
}

bool hang_last_issue(struct hang_work *w, u64 *ago_ns)
{
	u64 ticks = hang_div64(w->cfg.stall_ns * w->clock.hz, SEC_NS);
	u64 now = w->clock.jiffies;
	u64 last;

	/* What can't be read is reported by others, if it counts. */
	w->hush = true;
	last = last_of_queue(w, now > ticks ? now - ticks : 0);
	w->hush = false;
	*ago_ns = hang_jiffies_to_ns(w, now - last);
	return last != 0;
}
