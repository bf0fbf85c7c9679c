// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of virtio-blk (drivers/virtio/virtio_ring.c): who owns a request,
 * the device or the driver? Of a split ring, indices only ever grow, modulo
 * 2^16: avail is what the driver has offered, used what the device has given
 * back, last_used what the driver has taken. num_added was offered but the
 * device has not been told.
 */
#include "core.h"

static const char driver[] = "virtio_mq_ops";

static int ring_of(struct hang_work *w, u32 num, u64 *ring)
{
	u64 vblk = hang_snap_get(w, &w->q_snap, L_q_queuedata);
	u64 vqs, vq;
	int err;

	err = hang_read_member(w, vblk, L_vblk_vqs, &vqs);
	if (!err)
		err = hang_read_member(w, vqs + (u64)num *
				       hang_loc(w, L_size_vblk_vq),
				       L_vblk_vq_vq, &vq);
	*ring = err ? 0 : vq - hang_loc(w, L_vq_vq);
	return err;
}

static void show_split(struct hang_work *w, struct hang_rec *rec, u64 ring)
{
	u64 num, used_at, used, last, avail, added;

	if (hang_read_member(w, ring, L_vq_num, &num) ||
	    hang_read_member(w, ring, L_vq_used, &used_at) ||
	    hang_read_member(w, used_at, L_vring_used_idx, &used) ||
	    hang_read_member(w, ring, L_vq_last_used, &last) ||
	    hang_read_member(w, ring, L_vq_avail_shadow, &avail) ||
	    hang_read_member(w, ring, L_vq_num_added, &added))
		return;
	hang_rec_set(rec, F_ring_size, num);
	hang_rec_set(rec, F_ring_device, (avail - used) & 0xffff);
	hang_rec_set(rec, F_ring_uncollected, (used - last) & 0xffff);
	hang_rec_set(rec, F_ring_unkicked, added);
}

static bool has_rows(const struct hang_work *w)
{
	return hang_has(w, L_vblk_vqs) && hang_has(w, L_vq_last_used) &&
	       hang_has(w, L_vring_used_idx) && hang_has(w, L_vq_packed);
}

/* Whether the queue is virtio-blk's, by the name of its operations. */
static bool is_virtio_blk(struct hang_work *w)
{
	u64 ops = hang_snap_get(w, &w->q_snap, L_q_mq_ops);

	return !w->t->ops->symbol_at(w->t, ops, &w->symbol) &&
	       w->symbol.start == ops && !strcmp(w->symbol.name, driver);
}

void hang_walk_ring(struct hang_work *w, u32 num)
{
	struct hang_rec *rec = &w->rec;
	u64 ring, packed, broken;

	if (!has_rows(w) || !is_virtio_blk(w) || ring_of(w, num, &ring) ||
	    hang_read_member(w, ring, L_vq_packed, &packed))
		return;
	hang_rec_start(rec, R_ring);
	hang_rec_str(rec, F_ring_disk, w->disk_name);
	hang_rec_set(rec, F_ring_hctx, num);
	if (!hang_read_member(w, ring, L_vq_broken, &broken))
		hang_rec_set(rec, F_ring_broken, broken);
	if (packed)
		hang_rec_set(rec, F_ring_packed, 1);
	else
		show_split(w, rec, ring);
	hang_emit(w, rec);
}
