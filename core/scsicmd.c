// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SCSI command of a request (include/scsi/scsi_cmnd.h), which follows it in
 * memory. It is that of this request only from its issue to its end.
 */
#include "core.h"

static bool member(struct hang_work *w, enum hang_row_id row, u64 *value)
{
	return hang_snap_member(w, &w->scsi_snap, row, value);
}

static void set(struct hang_work *w, u32 field, enum hang_row_id row)
{
	hang_snap_show(w, &w->scsi_snap, &w->rec, field, row);
}

/* The CDB is in the command, or behind a pointer. */
static void show_opcode(struct hang_work *w, struct hang_rec *rec)
{
	const struct hang_loc *loc = &w->layout.loc[L_cmd_cmnd];
	u64 at = w->scsi_snap.addr + loc->value;
	u64 opcode;

	if (!loc->alt ||
	    (loc->size == w->t->word && !member(w, L_cmd_cmnd, &at)) ||
	    hang_read_uint(w, at, 1, &opcode, "scsi_cmnd.cmnd"))
		return;
	hang_rec_set(rec, F_cmd_opcode, opcode);
}

static void show_age(struct hang_work *w, struct hang_rec *rec)
{
	u64 at;

	if (member(w, L_cmd_at_alloc, &at) && at <= w->clock.jiffies)
		hang_rec_set(rec, F_cmd_age,
			     hang_jiffies_to_ns(w, w->clock.jiffies - at));
}

/* On a list of the error handler: of those to abort, or of those that failed. */
static void show_eh(struct hang_work *w, struct hang_rec *rec)
{
	u64 next;

	if (member(w, L_cmd_eh_entry, &next))
		hang_rec_set(rec, F_cmd_eh,
			     next && next != w->scsi_snap.addr +
			     hang_loc(w, L_cmd_eh_entry));
}

/* Copies the command; it has to be of the queue's own device. */
static int load(struct hang_work *w)
{
	u64 addr = w->rq_snap.addr + hang_loc(w, L_size_rq);
	u64 device;
	int err;

	err = hang_snap_load(w, &w->scsi_snap, addr, L_size_cmd);
	if (err)
		return err;
	device = hang_snap_get(w, &w->scsi_snap, L_cmd_device);
	if (device != w->scsi.device) {
		hang_fault(w, "scsi_cmnd.device", addr, -EINVAL,
			   "is not the queue's");
		return -EINVAL;
	}
	return 0;
}

static void emit(struct hang_work *w, u32 hctx)
{
	struct hang_rec *rec = &w->rec;

	if (load(w))
		return;
	hang_rec_start(rec, R_cmd);
	hang_rec_str(rec, F_cmd_disk, w->disk_name);
	hang_rec_set(rec, F_cmd_hctx, hctx);
	hang_rec_set(rec, F_cmd_tag, hang_snap_int(w, &w->rq_snap, L_rq_tag));
	hang_rec_set(rec, F_cmd_itag,
		     hang_snap_int(w, &w->rq_snap, L_rq_internal_tag));
	show_opcode(w, rec);
	set(w, F_cmd_retries, L_cmd_retries);
	set(w, F_cmd_allowed, L_cmd_allowed);
	set(w, F_cmd_result, L_cmd_result);
	show_eh(w, rec);
	show_age(w, rec);
	hang_emit(w, rec);
}

void hang_scsi_cmd_emit(struct hang_work *w, u32 hctx)
{
	if (!w->scsi.device || !hang_has(w, L_size_cmd) ||
	    !hang_has(w, L_cmd_device))
		return;
	/* In a running kernel the request may end and be used anew. */
	w->hush = hang_is_live(w);
	emit(w, hctx);
	w->hush = false;
}
