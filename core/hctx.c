// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of a hardware queue (include/linux/blk-mq.h): whether it runs,
 * what waits on its lists, and which CPUs it serves.
 */
#include "core.h"

static bool member(struct hang_work *w, enum hang_row_id row, u64 *value)
{
	return hang_snap_member(w, &w->hctx_snap, row, value);
}

static void set(struct hang_work *w, struct hang_rec *rec, u32 field,
		enum hang_row_id row)
{
	hang_snap_show(w, &w->hctx_snap, rec, field, row);
}

static void set_count(struct hang_work *w, struct hang_rec *rec, u32 field,
		      enum hang_place place)
{
	u32 count;

	if (hang_place_count(w, w->hctx_snap.addr, place, &count))
		hang_rec_set(rec, field, count);
}

static void show_state(struct hang_work *w, struct hang_rec *rec)
{
	struct hang_str s;
	u64 state;

	if (!member(w, L_hctx_state, &state))
		return;
	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_bits(w, &s, HANG_HCTX_STATE, state, 0);
	hang_rec_str(rec, F_hctx_state, w->text);
}

static void show_type(struct hang_work *w, struct hang_rec *rec)
{
	static const struct hang_value_name names[] = {
		{ L_enum_hctx_default, "default" },
		{ L_enum_hctx_read, "read" },
		{ L_enum_hctx_poll, "poll" },
	};
	u64 type;

	if (member(w, L_hctx_type, &type))
		hang_set_value(w, rec, F_hctx_type, names,
			       HANG_ARRAY_SIZE(names), type);
}

/*
 * The mask is in the structure, or behind a pointer (CONFIG_CPUMASK_OFFSTACK).
 * Where both would have the size of a word, a kernel address can't be a mask.
 */
static bool mask_addr(struct hang_work *w, u64 *mask)
{
	const struct hang_loc *loc = &w->layout.loc[L_hctx_cpumask];
	u64 value;

	*mask = w->hctx_snap.addr + loc->value;
	if (loc->size != w->t->word)
		return loc->alt;
	if (!member(w, L_hctx_cpumask, &value))
		return false;
	if (hang_loc(w, L_size_cpumask) > w->t->word ||
	    hang_is_kernel_ptr(w, value))
		*mask = value;
	return true;
}

static void show_cpus(struct hang_work *w, struct hang_rec *rec)
{
	u32 cpus, online;
	u64 mask;

	if (!mask_addr(w, &mask) ||
	    hang_cpumask_count(w, mask, "blk_mq_hw_ctx.cpumask", &cpus,
			       &online))
		return;
	hang_rec_set(rec, F_hctx_cpus, cpus);
	hang_rec_set(rec, F_hctx_online, online);
}

/* On a wait queue for a tag: its entry is linked to another one. */
static void show_wait(struct hang_work *w, struct hang_rec *rec)
{
	u64 next;

	if (member(w, L_hctx_dispatch_wait, &next))
		hang_rec_set(rec, F_hctx_dispatch_wait,
			     next && next != w->hctx_snap.addr +
			     hang_loc(w, L_hctx_dispatch_wait));
}

static void show_work(struct hang_work *w, struct hang_rec *rec)
{
	u64 data, timer;

	if (!member(w, L_hctx_run_work, &data))
		return;
	member(w, L_hctx_run_timer, &timer);
	hang_rec_str(rec, F_hctx_run_work, hang_work_state(w, w->hctx_snap.addr +
				     hang_loc(w, L_hctx_run_work), data,
				     timer));
}

void hang_hctx_show(struct hang_work *w, struct hang_rec *rec, u64 hctx)
{
	if (hang_snap_load(w, &w->hctx_snap, hctx, L_size_hctx))
		return;
	show_type(w, rec);
	show_state(w, rec);
	show_cpus(w, rec);
	set(w, rec, F_hctx_active, L_hctx_nr_active);
	set_count(w, rec, F_hctx_dispatch, HANG_AT_DISPATCH);
	show_wait(w, rec);
	set(w, rec, F_hctx_dispatch_busy, L_hctx_dispatch_busy);
	set_count(w, rec, F_hctx_sw, HANG_AT_SW);
	set_count(w, rec, F_hctx_flush, HANG_AT_FLUSH_QUEUE);
	show_work(w, rec);
}
