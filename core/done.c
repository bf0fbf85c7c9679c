// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blk_cpu_done (block/blk-mq.c): requests that the driver has finished and
 * that wait for BLOCK_SOFTIRQ on the CPU that issued them. The sender adds the
 * request to the target CPU's list and kicks that CPU only if the list was
 * empty, so one lost kick strands all that follow. Such a request is in state
 * COMPLETE, and the timeout code never looks at it.
 */
#include "core.h"

static u64 to_rq(const struct hang_work *w, u64 node)
{
	return node - hang_loc(w, L_rq_ipi_list);
}

static int remember(struct hang_work *w, u64 node, void *arg)
{
	(void)arg;
	if (!hang_map_put(&w->done, to_rq(w, node), w->at_cpu))
		w->looked.left_out++;
	return 0;
}

int hang_done_load(struct hang_work *w, u32 cpu)
{
	u64 head;
	int err;

	w->done_order.count = 0;
	w->done_order.kept = 0;
	w->done_order.each = remember;
	err = hang_percpu(w, L_sym_blk_cpu_done, cpu, &head);
	if (err)
		return err;
	return hang_order_load(w, hang_has(w, L_rq_ipi_list_prev) ?
			       hang_list_oldest_first : hang_llist_oldest_first,
			       head, &w->done_order, "blk_cpu_done");
}

bool hang_done_csd_locked(struct hang_work *w)
{
	u64 flags_at = hang_loc(w, L_rq_csd) + hang_loc(w, L_csd_flags);
	u64 flags;
	u32 i;

	for (i = 0; i < w->done_order.kept; i++)
		if (!hang_read_uint(w, to_rq(w, w->done_order.addr[i]) +
				    flags_at, 4, &flags, "request.csd") &&
		    (flags & hang_loc(w, L_enum_csd_lock)))
			return true;
	return false;
}

static void done_emit(struct hang_work *w, u32 cpu, u32 n, u64 rq)
{
	struct hang_rec *rec = &w->rec;
	u64 hctx, num;

	if (hang_rq_load(w, rq))
		return;
	hang_disk_name(w, hang_snap_get(w, &w->rq_snap, L_rq_q));
	hang_rec_start(rec, R_done);
	hang_rec_set(rec, F_done_cpu, cpu);
	hang_rec_set(rec, F_done_n, n);
	hang_rec_str(rec, F_done_disk, w->disk_name);
	hctx = hang_snap_get(w, &w->rq_snap, L_rq_mq_hctx);
	if (hctx && !hang_read_member(w, hctx, L_hctx_queue_num, &num))
		hang_rec_set(rec, F_done_hctx, num);
	hang_rec_set(rec, F_done_tag, hang_snap_int(w, &w->rq_snap, L_rq_tag));
	hang_rec_set(rec, F_done_state,
		     hang_snap_get(w, &w->rq_snap, L_rq_state));
	hang_rq_show_age(w, rec, F_done_age, F_done_held);
	hang_rec_set(rec, F_done_limit, hang_rq_limit(w));
	hang_rec_set(rec, F_done_seen, hang_rq_seen(w));
	hang_rec_set(rec, F_done_addr, rq);
	hang_emit(w, rec);
}

void hang_done_emit(struct hang_work *w, u32 cpu)
{
	u32 i;

	for (i = 0; i < w->done_order.kept && !hang_interrupted(w); i++)
		done_emit(w, cpu, i, to_rq(w, w->done_order.addr[i]));
}
