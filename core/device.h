/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind a queue, by its driver: SCSI devices, NVMe controllers,
 * and rings. A part of core.h.
 */
#ifndef BLKHANG_DEVICE_H
#define BLKHANG_DEVICE_H

/*
 * scsi.c: finds the SCSI device behind the queue in w->q_snap, and its host,
 * for w->scsi; emits their state, if there is one.
 */
void hang_scsi_find(struct hang_work *w);
void hang_scsi_emit(struct hang_work *w);

/*
 * scsicmd.c: emits the SCSI command of the request in w->rq_snap, which is one
 * of hardware queue hctx and was given to the driver; nothing if it has none.
 */
void hang_scsi_cmd_emit(struct hang_work *w, u32 hctx);

/*
 * virtio.c: finds out whose rings the queue in w->q_snap uses, for w->rings;
 * emits the ring behind one of its hardware queues.
 */
void hang_rings_find(struct hang_work *w);
void hang_walk_ring(struct hang_work *w, u32 num);

/*
 * vring.c: sets the fields of a ring record that tell how many requests the
 * vring_virtqueue at ring holds; those that are not known stay unset.
 */
void hang_vring_show(struct hang_work *w, struct hang_rec *rec, u64 ring);
/* walk.c: emits a ring record, and counts it as one that was looked at. */
void hang_ring_emit(struct hang_work *w, const struct hang_rec *rec);

/*
 * nvme.c: finds out whether the queue in w->q_snap is NVMe's, for w->nvme; and
 * at its end emits its controller's state. disk is its gendisk, or 0.
 */
void hang_nvme_find(struct hang_work *w);
void hang_nvme_emit(struct hang_work *w, u64 disk);

/*
 * nvmering.c: emits the ring behind hardware queue num at hctx, if it is one of
 * NVMe on PCI. issued is how many requests of it were given to the driver.
 */
void hang_nvme_ring(struct hang_work *w, u64 hctx, u32 num, u32 issued);

#endif
