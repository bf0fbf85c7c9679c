// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NVMe controllers (drivers/nvme/host/core.c): in which state is the one behind
 * a queue? A namespace's queue leads to it whatever the transport, the admin
 * queue only on PCI. The disk above several paths (multipath.c) has no
 * controller of its own: there, bios wait until one of the paths is usable.
 */
#include "core.h"

/* By the names of their struct blk_mq_ops. */
static const struct {
	const char *ops;
	bool namespace;
	bool rings;
} drivers[] = {
	{ "nvme_mq_ops", true, true },
	{ "nvme_mq_admin_ops", false, true },
	{ "nvme_tcp_mq_ops", true, false },
	{ "nvme_rdma_mq_ops", true, false },
	{ "nvme_fc_mq_ops", true, false },
	{ "nvme_loop_mq_ops", true, false },
};

static const char head_ops[] = "nvme_ns_head_ops";

static const struct hang_value_name states[] = {
	{ L_enum_nvme_new, "new" },
	{ L_enum_nvme_live, "live" },
	{ L_enum_nvme_resetting, "resetting" },
	{ L_enum_nvme_connecting, "connecting" },
	{ L_enum_nvme_deleting, "deleting" },
	{ L_enum_nvme_deleting_noio, "deleting-noio" },
	{ L_enum_nvme_dead, "dead" },
};

static int count_two(struct hang_work *w, u64 node, void *arg)
{
	u32 *n = arg;

	(void)w;
	(void)node;
	return ++*n == 2;
}

/* Queues of one tag set share its hardware queues' rings. */
static bool has_siblings(struct hang_work *w)
{
	u64 set = hang_snap_get(w, &w->q_snap, L_q_tag_set);
	u32 n = 0;

	/* That list is told of where the queues are looked for. */
	w->hush = true;
	hang_for_each_list(w, set + hang_loc(w, L_set_tag_list), count_two, &n,
			   "blk_mq_tag_set.tag_list");
	w->hush = false;
	return n > 1;
}

static void find_ctrl(struct hang_work *w)
{
	u64 ns = hang_snap_get(w, &w->q_snap, L_q_queuedata);

	/* A queue to connect with is no namespace's, but has their ops. */
	if (!w->nvme.namespace || !ns || !hang_has(w, L_nvme_ns_ctrl))
		return;
	if (hang_read_member(w, ns, L_nvme_ns_ctrl, &w->nvme.ctrl))
		w->nvme.ctrl = 0;
}

void hang_nvme_find(struct hang_work *w)
{
	u32 i;

	memset(&w->nvme, 0, sizeof(w->nvme));
	if ((!hang_has(w, L_nvme_ctrl_state) && !hang_has(w, L_size_nvmeq)) ||
	    !hang_is_symbol(w, hang_snap_get(w, &w->q_snap, L_q_mq_ops)))
		return;
	for (i = 0; i < HANG_ARRAY_SIZE(drivers); i++)
		if (!strcmp(w->symbol.name, drivers[i].ops))
			break;
	if (i == HANG_ARRAY_SIZE(drivers))
		return;
	w->nvme.namespace = drivers[i].namespace;
	w->nvme.rings = drivers[i].rings;
	w->nvme.shared = has_siblings(w);
	find_ctrl(w);
}

static void show_state(struct hang_work *w, struct hang_rec *rec, u64 state)
{
	hang_set_value(w, rec, F_nvme_state, states, HANG_ARRAY_SIZE(states),
		       state);
	if (hang_has(w, L_enum_nvme_live))
		hang_rec_set(rec, F_nvme_odd,
			     state != hang_loc(w, L_enum_nvme_live));
}

static void show_name(struct hang_work *w, struct hang_rec *rec, u64 ctrl)
{
	struct hang_str s;
	u64 instance;
	char buf[24];

	if (hang_read_member(w, ctrl, L_nvme_ctrl_instance, &instance))
		return;
	hang_str_init(&s, buf, sizeof(buf));
	hang_put(&s, "nvme");
	hang_put_dec(&s, instance);
	hang_rec_str(rec, F_nvme_ctrl, buf);
}

static void emit_ctrl(struct hang_work *w, u64 ctrl)
{
	struct hang_rec *rec = &w->rec;
	u64 state, queues;

	hang_rec_start(rec, R_nvme);
	hang_rec_str(rec, F_nvme_disk, w->disk_name);
	show_name(w, rec, ctrl);
	if (!hang_read_member(w, ctrl, L_nvme_ctrl_state, &state))
		show_state(w, rec, state);
	hang_rec_set(rec, F_nvme_issued, w->totals.stage[HANG_ISSUED] +
		     w->totals.stage[HANG_TIMEDOUT]);
	if (!hang_read_member(w, ctrl, L_nvme_ctrl_queues, &queues))
		hang_rec_set(rec, F_nvme_queues, queues);
	hang_rec_set(rec, F_nvme_addr, ctrl);
	hang_emit(w, rec);
}

static void emit_head(struct hang_work *w, u64 disk)
{
	struct hang_rec *rec = &w->rec;
	u64 fops, head;
	u32 n;

	if (!disk || !hang_has(w, L_nvme_head_requeue) ||
	    hang_read_member(w, disk, L_disk_fops, &fops) ||
	    !hang_is_symbol(w, fops) || strcmp(w->symbol.name, head_ops) ||
	    hang_read_member(w, disk, L_disk_private, &head) ||
	    hang_bio_list_count(w, head + hang_loc(w, L_nvme_head_requeue),
				"nvme_ns_head.requeue_list", &n))
		return;
	hang_rec_start(rec, R_nvme);
	hang_rec_str(rec, F_nvme_disk, w->disk_name);
	hang_rec_set(rec, F_nvme_requeue, n);
	hang_emit(w, rec);
}

void hang_nvme_emit(struct hang_work *w, u64 disk)
{
	if (!hang_snap_get(w, &w->q_snap, L_q_mq_ops))
		emit_head(w, disk);
	else if (w->nvme.ctrl && hang_has(w, L_nvme_ctrl_state))
		emit_ctrl(w, w->nvme.ctrl);
}
