// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of NVMe on PCI (drivers/nvme/host/pci.c). An entry of the completion
 * queue is new when its phase bit is that of the queue, which changes each time
 * round: those from cq_head on are what the device has finished and the driver
 * has not taken. Commands from last_sq_tail to sq_tail were not announced.
 *
 * How many commands the device holds stands in neither queue, only in the tags;
 * so the field device is left unset, and no ring confirms what the tags say.
 */
#include "core.h"

#define DEPTH_MAX 65536 /* what a controller can offer: CAP.MQES is of 16 bits */

struct cq {
	u64 cqes;
	u32 depth;
	u32 head;
	u32 phase;
	u32 posted;
};

static const enum hang_row_id needed[] = {
	L_hctx_driver_data, L_size_nvmeq, L_nvmeq_depth, L_nvmeq_cq_head,
	L_nvmeq_cq_phase, L_nvmeq_cqes, L_size_nvme_cqe, L_nvme_cqe_status,
};

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->nvme_snap, row);
}

static int load(struct hang_work *w, u64 nvmeq, struct cq *cq)
{
	if (hang_snap_load(w, &w->nvme_snap, nvmeq, L_size_nvmeq))
		return -EFAULT;
	cq->cqes = get(w, L_nvmeq_cqes);
	cq->depth = get(w, L_nvmeq_depth);
	cq->head = get(w, L_nvmeq_cq_head);
	cq->phase = get(w, L_nvmeq_cq_phase);
	if (cq->depth && cq->depth <= DEPTH_MAX && cq->head < cq->depth &&
	    cq->phase <= 1)
		return 0;
	hang_fault(w, "nvme_queue", nvmeq, -EINVAL,
		   "impossible depth, head or phase");
	return -EINVAL;
}

/* The status is little-endian everywhere: its first byte has the phase bit. */
static int count_posted(struct hang_work *w, struct cq *cq)
{
	u64 status, at = cq->cqes + hang_loc(w, L_nvme_cqe_status);
	u32 phase = cq->phase;
	u32 i = cq->head;
	int err;

	for (cq->posted = 0; cq->posted < cq->depth; cq->posted++) {
		err = hang_read_uint(w, at + i * hang_loc(w, L_size_nvme_cqe),
				     1, &status, "nvme_completion.status");
		if (err)
			return err;
		if ((status & 1) != phase)
			return 0;
		if (++i == cq->depth) {
			i = 0;
			phase ^= 1;
		}
	}
	return -E2BIG;
}

/* In a running kernel entries are taken while they are counted. */
static bool has_moved(struct hang_work *w, u64 nvmeq, const struct cq *cq)
{
	u64 head, phase;

	return hang_is_live(w) &&
	       (hang_read_member(w, nvmeq, L_nvmeq_cq_head, &head) ||
		hang_read_member(w, nvmeq, L_nvmeq_cq_phase, &phase) ||
		head != cq->head || phase != cq->phase);
}

/*
 * 0, or an error: -EFAULT or -EINVAL if the queue itself is of no use, others
 * if only the entries posted are not known.
 */
static int count_steadily(struct hang_work *w, u64 nvmeq, struct cq *cq)
{
	u32 tries = hang_list_tries(w);
	int err;

	do {
		w->hush = --tries != 0;
		err = load(w, nvmeq, cq);
		if (!err) {
			err = count_posted(w, cq) ? -EIO : 0;
			if (has_moved(w, nvmeq, cq))
				err = -EAGAIN;
		}
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
	if (err == -EIO && cq->posted == cq->depth)
		hang_fault(w, "nvme_queue.cqes", cq->cqes, -EINVAL,
			   "more completions than the queue can hold");
	return err;
}

static void set(struct hang_work *w, struct hang_rec *rec, u32 field,
		enum hang_row_id row)
{
	hang_snap_show(w, &w->nvme_snap, rec, field, row);
}

static void show_unkicked(struct hang_work *w, struct hang_rec *rec, u32 depth)
{
	u32 tail = get(w, L_nvmeq_sq_tail);
	u32 last = get(w, L_nvmeq_last_sq_tail);

	if (!hang_has(w, L_nvmeq_sq_tail) || !hang_has(w, L_nvmeq_last_sq_tail))
		return;
	if (tail < depth && last < depth)
		hang_rec_set(rec, F_ring_unkicked,
			     tail >= last ? tail - last : tail + depth - last);
	else
		hang_fault(w, "nvme_queue", w->nvme_snap.addr, -EINVAL,
			   "impossible tail");
}

static void show_polled(struct hang_work *w, struct hang_rec *rec, u64 hctx)
{
	u64 type;

	if (hang_has(w, L_enum_hctx_poll) &&
	    !hang_read_member(w, hctx, L_hctx_type, &type))
		hang_rec_set(rec, F_ring_polled,
			     type == hang_loc(w, L_enum_hctx_poll));
}

static void find_admin_ctrl(struct hang_work *w)
{
	u64 dev = get(w, L_nvmeq_dev);

	if (!w->nvme.namespace && dev && hang_has(w, L_nvme_dev_ctrl))
		w->nvme.ctrl = dev + hang_loc(w, L_nvme_dev_ctrl);
}

void hang_nvme_ring(struct hang_work *w, u64 hctx, u32 num, u32 issued)
{
	struct hang_rec *rec = &w->rec;
	struct cq cq = { 0 };
	u64 nvmeq;
	int err;

	if (!w->nvme.rings || !hang_has_all(w, needed, HANG_ARRAY_SIZE(needed)) ||
	    hang_read_member(w, hctx, L_hctx_driver_data, &nvmeq) || !nvmeq)
		return;
	err = count_steadily(w, nvmeq, &cq);
	if (err == -EFAULT || err == -EINVAL)
		return;
	find_admin_ctrl(w);
	hang_rec_start(rec, R_ring);
	hang_rec_str(rec, F_ring_disk, w->disk_name);
	hang_rec_set(rec, F_ring_hctx, num);
	hang_rec_set(rec, F_ring_issued, issued);
	set(w, rec, F_ring_size, L_nvmeq_depth);
	set(w, rec, F_ring_qid, L_nvmeq_qid);
	set(w, rec, F_ring_sq_tail, L_nvmeq_sq_tail);
	set(w, rec, F_ring_cq_head, L_nvmeq_cq_head);
	set(w, rec, F_ring_phase, L_nvmeq_cq_phase);
	if (!err)
		hang_rec_set(rec, F_ring_uncollected, cq.posted);
	show_unkicked(w, rec, cq.depth);
	show_polled(w, rec, hctx);
	if (w->nvme.shared)
		hang_rec_set(rec, F_ring_shared, 1);
	hang_ring_emit(w, rec);
}
