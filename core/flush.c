// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flush queue of a hardware queue (struct blk_flush_queue, block/blk-flush.c).
 *
 * Who needs the device's cache flushed joins the pending list. When a flush is
 * sent, for all of them at once, the lists change places: until it has ended
 * these are the running ones, and others gather on the other list. There is one
 * flush at a time, and none is sent while data requests that want one after
 * them are in flight, unless that takes very long. So as long as one of these
 * does not end, no pending one begins.
 */
#include "core.h"

/* More than a hardware queue can have tags. */
#define DATA_MAX 65536

/*
 * The indexes are two bit-fields of one bit each, and not every target tells
 * where these are. They are in the byte before rq_status, in the order in which
 * the byte order has them, and nothing else is.
 */
bool hang_flush_idx(struct hang_work *w, u64 fq, struct hang_flush_idx *idx)
{
	u64 addr = fq + hang_loc(w, L_fq_status) - 1;
	bool big = w->t->big_endian;
	u64 bits;

	if (!hang_has(w, L_fq_status) || !hang_loc(w, L_fq_status) ||
	    hang_read_uint(w, addr, 1, &bits, "flush_pending_idx"))
		return false;
	if (bits & (big ? 0x3f : 0xfc)) {
		hang_fault(w, "flush_pending_idx", addr, -EINVAL,
			   "more than the two indexes");
		return false;
	}
	idx->pending = bits >> (big ? 7 : 0) & 1;
	idx->running = bits >> (big ? 6 : 1) & 1;
	return true;
}

static bool count_of(struct hang_work *w, u64 hctx, enum hang_place place,
		     u32 field)
{
	u32 count;

	if (!hang_place_count(w, hctx, place, &count))
		return false;
	hang_rec_set(&w->rec, field, count);
	return count != 0;
}

/* Requests that are on their way, and want a flush afterwards. */
static void show_data(struct hang_work *w, u64 hctx, u64 fq)
{
	u64 count;

	if (hang_has(w, L_fq_data_list)) {
		count_of(w, hctx, HANG_AT_FLUSH_DATA, F_flush_data);
		return;
	}
	if (hang_read_member(w, fq, L_fq_data, &count))
		return;
	if (count > DATA_MAX)
		hang_fault(w, "flush_data_in_flight", fq, -EINVAL,
			   "impossible number of requests");
	else
		hang_rec_set(&w->rec, F_flush_data, count);
}

/* In jiffies, which wrap around with the target's word. */
static void show_since(struct hang_work *w, u64 fq)
{
	u32 shift = 64 - 8 * w->t->word;
	u64 then;
	s64 ago;

	if (hang_read_member(w, fq, L_fq_since, &then))
		return;
	ago = (s64)((w->clock.jiffies - then) << shift) >> shift;
	hang_rec_set(&w->rec, F_flush_since,
		     ago > 0 ? hang_jiffies_to_ns(w, ago) : 0);
}

/* The request that carries out the flush, and whose tag it has borrowed. */
static void show_request(struct hang_work *w, u64 rq,
			 const struct hang_flush_idx *idx)
{
	u64 tag, itag, state;

	if (!rq || hang_read_member(w, rq, L_rq_state, &state) ||
	    hang_read_member(w, rq, L_rq_tag, &tag) ||
	    hang_read_member(w, rq, L_rq_internal_tag, &itag))
		return;
	if (idx ? idx->pending == idx->running :
	    !state && !hang_place_of(w, rq))
		return;
	hang_rec_set(&w->rec, F_flush_tag, (u64)(s64)(s32)tag);
	hang_rec_set(&w->rec, F_flush_itag, (u64)(s64)(s32)itag);
	hang_rec_set(&w->rec, F_flush_state, state);
}

void hang_flush_emit(struct hang_work *w, const struct hang_hctx *hctx)
{
	struct hang_rec *rec = &w->rec;
	struct hang_flush_idx idx;
	bool pending, known;

	if (!hctx->fq)
		return;
	hang_rec_start(rec, R_flush);
	hang_rec_str(rec, F_flush_disk, w->disk_name);
	hang_rec_set(rec, F_flush_hctx, hctx->num);
	hang_rec_set(rec, F_flush_addr, hctx->fq);
	pending = count_of(w, hctx->addr, HANG_AT_FLUSH_PENDING,
			   F_flush_pending);
	count_of(w, hctx->addr, HANG_AT_FLUSH_RUNNING, F_flush_running);
	show_data(w, hctx->addr, hctx->fq);
	known = hang_flush_idx(w, hctx->fq, &idx);
	if (known) {
		hang_rec_set(rec, F_flush_pending_idx, idx.pending);
		hang_rec_set(rec, F_flush_running_idx, idx.running);
	}
	show_request(w, hctx->flush_rq, known ? &idx : NULL);
	if (pending)
		show_since(w, hctx->fq);
	hang_emit(w, rec);
}
