// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mq-deadline (block/mq-deadline.c). Requests are sorted by sector and, in the
 * order in which they came, on a fifo for each direction; what comes back from
 * the driver is on a dispatch list. All this is kept for each priority, on
 * older kernels for all; the dispatch list has been moved to and fro.
 *
 * A request is counted when it is inserted, when it is merged into another one
 * and so ends, when it is handed out, and when it ends.
 */
#include "sched.h"

/* fifo_list[] by the direction of data. */
#define DIR_READ 0
#define DIR_WRITE 1

#define PRIOS_MAX 8

static const struct hang_sched_part prios[] = {
	{ L_enum_dd_rt, "rt" },
	{ L_enum_dd_be, "be" },
	{ L_enum_dd_idle, "idle" },
};

static void walk_fifos(struct hang_work *w, u64 base)
{
	u64 fifo = base + hang_loc(w, L_dd_fifo);
	struct hang_sched_count read = { 0 }, write = { 0 }, sum;

	hang_sched_list(w, fifo + DIR_READ * 2 * w->t->word, HANG_AT_SCHED,
			&read);
	hang_sched_list(w, fifo + DIR_WRITE * 2 * w->t->word, HANG_AT_SCHED,
			&write);
	sum.count = read.count + write.count;
	sum.unknown = read.unknown || write.unknown;
	hang_sched_set(w, F_sched_queued, &sum);
	hang_sched_set(w, F_sched_reads, &read);
	hang_sched_set(w, F_sched_writes, &write);
}

static void walk_dispatch(struct hang_work *w, u64 head)
{
	struct hang_sched_count c = { 0 };

	hang_sched_list(w, head, HANG_AT_SCHED_DISPATCH, &c);
	hang_sched_set(w, F_sched_dispatch, &c);
}

static void show_stats(struct hang_work *w, u64 base)
{
	u64 inserted, merged, dispatched, completed;

	if (hang_read_member(w, base, L_dd_inserted, &inserted) ||
	    hang_read_member(w, base, L_dd_merged, &merged) ||
	    hang_read_member(w, base, L_dd_dispatched, &dispatched) ||
	    hang_read_member(w, base, L_dd_completed, &completed))
		return;
	hang_sched_set_int(w, F_sched_driver, dispatched + merged - completed);
	hang_rec_set(&w->rec, F_sched_inserted, inserted);
	hang_rec_set(&w->rec, F_sched_merged, merged);
	hang_rec_set(&w->rec, F_sched_dispatched, dispatched);
	hang_rec_set(&w->rec, F_sched_completed, completed);
}

static void walk_prio(struct hang_work *w, u64 base, u32 prio)
{
	hang_sched_start_nth(w, prio, prios, HANG_ARRAY_SIZE(prios));
	walk_fifos(w, base);
	if (hang_has(w, L_dd_prio_dispatch))
		walk_dispatch(w, base + hang_loc(w, L_dd_prio_dispatch));
	show_stats(w, base);
	hang_rec_set(&w->rec, F_sched_addr, base);
	hang_emit(w, &w->rec);
}

static void walk_prios(struct hang_work *w, u64 dd)
{
	u64 size = hang_loc(w, L_size_dd_prio);
	u32 all = w->layout.loc[L_dd_per_prio].size;
	u32 i;

	for (i = 0; i < PRIOS_MAX && (i + 1) * size <= all; i++)
		walk_prio(w, dd + hang_loc(w, L_dd_per_prio) + i * size, i);
}

/* What is not kept for each priority. */
static void walk_common(struct hang_work *w, u64 dd, bool fifos)
{
	hang_sched_start(w, "all");
	if (fifos)
		walk_fifos(w, dd);
	if (hang_has(w, L_dd_dispatch))
		walk_dispatch(w, dd + hang_loc(w, L_dd_dispatch));
	hang_rec_set(&w->rec, F_sched_addr, dd);
	hang_emit(w, &w->rec);
}

static void walk(struct hang_work *w, u64 dd)
{
	bool by_prio = hang_has(w, L_dd_per_prio);

	if (by_prio && !hang_has(w, L_size_dd_prio))
		return;
	if (!by_prio || hang_has(w, L_dd_dispatch))
		walk_common(w, dd, !by_prio);
	if (by_prio)
		walk_prios(w, dd);
}

const struct hang_sched hang_sched_deadline = {
	.name = "mq-deadline",
	.rows = { L_dd_fifo },
	.walk = walk,
};
