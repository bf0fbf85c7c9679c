// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Typed reads through the target, and what becomes of those that fail: a
 * fault record, charged to the CPU or disk that is being looked at.
 */
#include "core.h"

/* After this many, faults are still counted but no longer shown. */
#define FAULTS_SHOWN 64

void hang_emit(struct hang_work *w, const struct hang_rec *rec)
{
	hang_summary_add(&w->sum, rec);
	if (w->sink)
		w->sink->record(w->sink, rec);
}

bool hang_interrupted(const struct hang_work *w)
{
	return w->t->ops->interrupted && w->t->ops->interrupted(w->t);
}

bool hang_has_all(const struct hang_work *w, const enum hang_row_id *rows,
		  u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (!hang_has(w, rows[i]))
			return false;
	return true;
}

void hang_snap_show(struct hang_work *w, const struct hang_snap *snap,
		    struct hang_rec *rec, u32 field, enum hang_row_id row)
{
	u64 value;

	if (hang_snap_member(w, snap, row, &value))
		hang_rec_set(rec, field, value);
}

void hang_fault(struct hang_work *w, const char *what, u64 addr, int err,
		const char *why)
{
	struct hang_rec *rec = &w->fault_rec;

	if (w->hush)
		return;
	hang_rec_start(rec, R_fault);
	hang_rec_str(rec, F_fault_what, what);
	if (w->at_cpu >= 0)
		hang_rec_set(rec, F_fault_cpu, w->at_cpu);
	if (w->at_disk)
		hang_rec_str(rec, F_fault_disk, w->at_disk);
	if (err)
		hang_rec_set(rec, F_fault_error, (u64)(s64)err);
	hang_rec_str(rec, F_fault_why, why);
	hang_rec_set(rec, F_fault_addr, addr);
	if (w->looked.faults++ < FAULTS_SHOWN)
		hang_emit(w, rec);
	else
		hang_summary_add(&w->sum, rec);
}

bool hang_is_kernel_ptr(const struct hang_work *w, u64 v)
{
	return v >= w->t->kernel_min && v < (u64)-4096;
}

static const char *read_error(int err)
{
	if (err == -ENODATA)
		return "page left out of the dump";
	if (err == -EIO)
		return "the file ends before it, or is damaged";
	return "address not mapped";
}

int hang_read(struct hang_work *w, u64 addr, void *buf, size_t len,
	      const char *what)
{
	int err = -EFAULT;

	if (hang_is_kernel_ptr(w, addr))
		err = w->t->ops->read(w->t, addr, buf, len);
	if (err)
		hang_fault(w, what, addr, err,
			   addr ? read_error(err) : "null pointer");
	return err;
}

int hang_read_uint(struct hang_work *w, u64 addr, u32 size, u64 *value,
		   const char *what)
{
	u8 buf[8];
	int err;

	*value = 0;
	if (!size || size > sizeof(buf)) {
		hang_fault(w, what, addr, -EINVAL, "not a number");
		return -EINVAL;
	}
	err = hang_read(w, addr, buf, size, what);
	if (!err)
		*value = hang_decode(w->t, buf, size);
	return err;
}

int hang_read_ptr(struct hang_work *w, u64 addr, u64 *value, const char *what)
{
	return hang_read_uint(w, addr, w->t->word, value, what);
}

int hang_read_member(struct hang_work *w, u64 base, enum hang_row_id row,
		     u64 *value)
{
	const struct hang_loc *loc = &w->layout.loc[row];

	*value = 0;
	if (!loc->alt)
		return -ENOENT;
	return hang_read_uint(w, base + loc->value, loc->size, value,
			      hang_rows[row].name);
}

int hang_read_str(struct hang_work *w, u64 addr, char *buf, size_t size,
		  const char *what)
{
	size_t n = 0;

	/* In small aligned pieces: the string may end just before a hole. */
	while (n < size - 1) {
		size_t len = 16 - ((addr + n) & 15);
		int err;

		if (len > size - 1 - n)
			len = size - 1 - n;
		err = hang_read(w, addr + n, buf + n, len, what);
		if (err) {
			buf[n] = '\0';
			return err;
		}
		if (memchr(buf + n, '\0', len))
			return 0;
		n += len;
	}
	buf[n] = '\0';
	return 0;
}

int hang_snap_load(struct hang_work *w, struct hang_snap *snap, u64 addr,
		   enum hang_row_id size_row)
{
	u64 size = hang_loc(w, size_row);

	snap->addr = addr;
	snap->len = 0;
	if (size > sizeof(snap->data))
		size = sizeof(snap->data);
	if (hang_read(w, addr, snap->data, size, hang_rows[size_row].name))
		return -EFAULT;
	snap->len = size;
	return 0;
}

u64 hang_snap_get(const struct hang_work *w, const struct hang_snap *snap,
		  enum hang_row_id row)
{
	const struct hang_loc *loc = &w->layout.loc[row];

	if (!loc->alt || loc->size > 8 || loc->value + loc->size > snap->len)
		return 0;
	return hang_decode(w->t, snap->data + loc->value, loc->size);
}

s64 hang_snap_int(const struct hang_work *w, const struct hang_snap *snap,
		  enum hang_row_id row)
{
	u32 shift = 64 - 8 * w->layout.loc[row].size;

	if (shift >= 64)
		return 0;
	return (s64)(hang_snap_get(w, snap, row) << shift) >> shift;
}

bool hang_snap_member(struct hang_work *w, const struct hang_snap *snap,
		      enum hang_row_id row, u64 *value)
{
	const struct hang_loc *loc = &w->layout.loc[row];

	*value = 0;
	if (!loc->alt)
		return false;
	if (loc->value + loc->size > snap->len)
		return !hang_read_member(w, snap->addr, row, value);
	*value = hang_snap_get(w, snap, row);
	return true;
}
