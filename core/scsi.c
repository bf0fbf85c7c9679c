// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SCSI device behind a queue, and its host (include/scsi/scsi_device.h,
 * scsi_host.h): whether they take commands, and what the error handler does.
 *
 * A device that said it was busy, or a host, is blocked until its counter has
 * run down, and that only once nothing of it is in flight; meanwhile devices of
 * the host wait on its starved_list. In recovery the host takes nothing, and
 * its error handler begins only when all that is in flight has failed. While
 * it works, it has the commands on a list of its own.
 */
#include "core.h"

/* As in the kernel's own files in sysfs. */
static const struct hang_value_name device_states[] = {
	{ L_enum_sdev_running, "running" },
	{ L_enum_sdev_created, "created" },
	{ L_enum_sdev_cancel, "cancel" },
	{ L_enum_sdev_del, "deleted" },
	{ L_enum_sdev_quiesce, "quiesce" },
	{ L_enum_sdev_offline, "offline" },
	{ L_enum_sdev_transport_offline, "transport-offline" },
	{ L_enum_sdev_block, "blocked" },
	{ L_enum_sdev_created_block, "created-blocked" },
};

static const struct hang_value_name host_states[] = {
	{ L_enum_shost_running, "running" },
	{ L_enum_shost_created, "created" },
	{ L_enum_shost_cancel, "cancel" },
	{ L_enum_shost_del, "deleted" },
	{ L_enum_shost_recovery, "recovery" },
	{ L_enum_shost_cancel_recovery, "cancel/recovery" },
	{ L_enum_shost_del_recovery, "deleted/recovery" },
};

static bool member(struct hang_work *w, enum hang_row_id row, u64 *value)
{
	return hang_snap_member(w, &w->scsi_snap, row, value);
}

static void set(struct hang_work *w, u32 field, enum hang_row_id row)
{
	hang_snap_show(w, &w->scsi_snap, &w->rec, field, row);
}

/* An atomic_t. */
static void set_int(struct hang_work *w, u32 field, enum hang_row_id row)
{
	u64 value;

	if (member(w, row, &value))
		hang_rec_set(&w->rec, field, (u64)(s64)(s32)value);
}

/* The first of the names is that of the state in which all is well. */
static void show_state(struct hang_work *w, struct hang_rec *rec, u32 field,
		       enum hang_row_id row,
		       const struct hang_value_name *names, u32 count)
{
	u64 state;

	if (member(w, row, &state) &&
	    hang_set_value(w, rec, field, names, count, state) &&
	    hang_has(w, names[0].row))
		hang_rec_set(rec, F_scsi_odd, 1);
}

static int count_bit(struct hang_work *w, u32 bit, void *arg)
{
	(void)w;
	(void)bit;
	(void)arg;
	return 0;
}

static void show_busy(struct hang_work *w, struct hang_rec *rec)
{
	u64 map = w->scsi.device + hang_loc(w, L_sdev_budget_map);
	u32 depth = 0, busy = 0;

	if (!hang_has(w, L_sdev_budget_map))
		set_int(w, F_scsi_busy, L_sdev_busy);
	else if (!hang_for_each_sbit(w, map, &depth, &busy, count_bit, NULL))
		hang_rec_set(rec, F_scsi_busy, busy);
}

static void show_device(struct hang_work *w, struct hang_rec *rec)
{
	u64 next;

	if (hang_snap_load(w, &w->scsi_snap, w->scsi.device, L_size_sdev))
		return;
	show_state(w, rec, F_scsi_state, L_sdev_state, device_states,
		   HANG_ARRAY_SIZE(device_states));
	set_int(w, F_scsi_blocked, L_sdev_blocked);
	set(w, F_scsi_depth, L_sdev_depth);
	show_busy(w, rec);
	if (member(w, L_sdev_starved, &next))
		hang_rec_set(rec, F_scsi_starved,
			     next && next != w->scsi.device +
			     hang_loc(w, L_sdev_starved));
}

static int count_node(struct hang_work *w, u64 node, void *arg)
{
	(void)w;
	(void)node;
	(*(u32 *)arg)++;
	return 0;
}

/* Commands that wait for the error handler; it takes them all at once. */
static void show_failed(struct hang_work *w, struct hang_rec *rec)
{
	u64 head = w->scsi.host + hang_loc(w, L_shost_eh_cmd_q);
	u32 tries = hang_list_tries(w);
	u32 count;
	int err;

	if (!hang_has(w, L_shost_eh_cmd_q))
		return;
	do {
		count = 0;
		w->hush = --tries != 0;
		err = hang_for_each_list(w, head, count_node, &count,
					 "Scsi_Host.eh_cmd_q");
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
	if (!err)
		hang_rec_set(rec, F_scsi_eh_cmds, count);
}

static void show_handler(struct hang_work *w, struct hang_rec *rec)
{
	u64 task, pid;

	if (!member(w, L_shost_ehandler, &task) || !task ||
	    hang_read_member(w, task, L_task_pid, &pid))
		return;
	if (!pid || pid >= HANG_PID_MAX) {
		hang_fault(w, "Scsi_Host.ehandler", task, -EINVAL,
			   "is no task");
		return;
	}
	hang_rec_set(rec, F_scsi_eh_pid, pid);
	hang_task_show_sleep(w, rec, task, F_scsi_eh_state, F_scsi_eh_slept);
}

static void show_host(struct hang_work *w, struct hang_rec *rec)
{
	if (hang_snap_load(w, &w->scsi_snap, w->scsi.host, L_size_shost))
		return;
	set(w, F_scsi_host, L_shost_no);
	show_state(w, rec, F_scsi_host_state, L_shost_state, host_states,
		   HANG_ARRAY_SIZE(host_states));
	set_int(w, F_scsi_host_blocked, L_shost_blocked);
	set(w, F_scsi_failed, L_shost_failed);
	set(w, F_scsi_eh_scheduled, L_shost_eh_scheduled);
	show_failed(w, rec);
	show_handler(w, rec);
}

/* By the name of its operations. */
static bool is_scsi(struct hang_work *w)
{
	u64 ops = hang_snap_get(w, &w->q_snap, L_q_mq_ops);

	return ops && hang_has(w, L_size_sdev) && hang_has(w, L_sdev_host) &&
	       !w->t->ops->symbol_at(w->t, ops, &w->symbol) &&
	       w->symbol.start == ops &&
	       (!strcmp(w->symbol.name, "scsi_mq_ops") ||
		!strcmp(w->symbol.name, "scsi_mq_ops_no_commit"));
}

void hang_scsi_find(struct hang_work *w)
{
	w->scsi.device = 0;
	w->scsi.host = 0;
	if (!is_scsi(w))
		return;
	w->scsi.device = hang_snap_get(w, &w->q_snap, L_q_queuedata);
	/* A device that is gone has left its queue. */
	if (w->scsi.device)
		hang_read_member(w, w->scsi.device, L_sdev_host, &w->scsi.host);
}

void hang_scsi_emit(struct hang_work *w)
{
	struct hang_rec *rec = &w->rec;

	if (!w->scsi.device)
		return;
	hang_rec_start(rec, R_scsi);
	hang_rec_str(rec, F_scsi_disk, w->disk_name);
	hang_rec_set(rec, F_scsi_addr, w->scsi.device);
	show_device(w, rec);
	if (w->scsi.host && hang_has(w, L_size_shost))
		show_host(w, rec);
	hang_emit(w, rec);
}
