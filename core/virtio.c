// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which ring is behind a hardware queue: that of virtio-blk
 * (drivers/block/virtio_blk.c) is the disk's own, that of virtio-scsi
 * (drivers/scsi/virtio_scsi.c) belongs to the host, and all its disks share it.
 * In both, the ring's number is that of the hardware queue.
 */
#include "core.h"

static const char blk_driver[] = "virtio_mq_ops";
static const char scsi_driver[] = "virtscsi_host_template";

/* Whether addr is that of the symbol of this name. */
static bool is_symbol(struct hang_work *w, u64 addr, const char *name)
{
	return hang_is_symbol(w, addr) && !strcmp(w->symbol.name, name);
}

static bool has_blk(const struct hang_work *w)
{
	return hang_has(w, L_vblk_vqs) && hang_has(w, L_size_vblk_vq) &&
	       hang_has(w, L_vblk_vq_vq);
}

static bool has_scsi(const struct hang_work *w)
{
	return w->scsi.host && hang_has(w, L_shost_hostt) &&
	       hang_has(w, L_shost_hostdata) && hang_has(w, L_vscsi_vqs) &&
	       hang_has(w, L_vscsi_num) && hang_has(w, L_size_vscsi_vq) &&
	       hang_has(w, L_vscsi_vq_vq);
}

void hang_rings_find(struct hang_work *w)
{
	u64 template;

	w->rings = HANG_RINGS_NONE;
	if (!hang_has(w, L_vq_vq) || !hang_has(w, L_vq_packed))
		return;
	if (has_blk(w) &&
	    is_symbol(w, hang_snap_get(w, &w->q_snap, L_q_mq_ops), blk_driver))
		w->rings = HANG_RINGS_BLK;
	else if (has_scsi(w) &&
		 !hang_read_member(w, w->scsi.host, L_shost_hostt, &template) &&
		 is_symbol(w, template, scsi_driver))
		w->rings = HANG_RINGS_SCSI;
}

static int blk_queue(struct hang_work *w, u32 num, u64 *vq)
{
	u64 vblk = hang_snap_get(w, &w->q_snap, L_q_queuedata);
	u64 vqs;
	int err;

	err = hang_read_member(w, vblk, L_vblk_vqs, &vqs);
	if (!err)
		err = hang_read_member(w, vqs + (u64)num *
				       hang_loc(w, L_size_vblk_vq),
				       L_vblk_vq_vq, vq);
	return err;
}

static int scsi_queue(struct hang_work *w, u32 num, u64 *vq)
{
	u64 vscsi = w->scsi.host + hang_loc(w, L_shost_hostdata);
	u64 count;
	int err;

	err = hang_read_member(w, vscsi, L_vscsi_num, &count);
	if (err)
		return err;
	if (num >= count) {
		hang_fault(w, "virtio_scsi.num_queues", vscsi, -EINVAL,
			   "fewer than there are hardware queues");
		return -EINVAL;
	}
	return hang_read_member(w, vscsi + hang_loc(w, L_vscsi_vqs) +
				(u64)num * hang_loc(w, L_size_vscsi_vq),
				L_vscsi_vq_vq, vq);
}

void hang_walk_ring(struct hang_work *w, u32 num)
{
	struct hang_rec *rec = &w->rec;
	u64 vq;
	int err;

	if (w->rings == HANG_RINGS_NONE)
		return;
	if (w->rings == HANG_RINGS_BLK)
		err = blk_queue(w, num, &vq);
	else
		err = scsi_queue(w, num, &vq);
	if (err)
		return;
	hang_rec_start(rec, R_ring);
	hang_rec_str(rec, F_ring_disk, w->disk_name);
	hang_rec_set(rec, F_ring_hctx, num);
	if (w->rings == HANG_RINGS_SCSI)
		hang_rec_set(rec, F_ring_shared, 1);
	hang_vring_show(w, rec, vq - hang_loc(w, L_vq_vq));
	hang_ring_emit(w, rec);
}
