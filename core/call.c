// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * call_single_queue (kernel/smp.c): what other CPUs want this one to run. Its
 * entries are of four kinds, told apart by the type bits in the node's flags,
 * and only some of them are csds: taking an irq_work or a task wake-up for one
 * would read a function pointer that is none.
 */
#include "core.h"

enum call_type { CALL_ASYNC, CALL_SYNC, CALL_IRQ_WORK, CALL_TTWU, CALL_UNKNOWN };

static const char *const type_names[] = {
	[CALL_ASYNC] = "async",	      [CALL_SYNC] = "sync",
	[CALL_IRQ_WORK] = "irq_work", [CALL_TTWU] = "ttwu",
	[CALL_UNKNOWN] = "unknown",
};

static const struct {
	enum hang_row_id row;
	enum call_type type;
} type_rows[] = {
	{ L_enum_csd_type_async, CALL_ASYNC },
	{ L_enum_csd_type_sync, CALL_SYNC },
	{ L_enum_csd_type_irq_work, CALL_IRQ_WORK },
	{ L_enum_csd_type_ttwu, CALL_TTWU },
};

struct call {
	enum call_type type;
	bool lock;
	u64 func;
	u64 info;
	u64 task;
};

static enum call_type type_of(const struct hang_work *w, u64 flags)
{
	u32 i;

	if (!hang_has(w, L_enum_csd_type_mask))
		return CALL_ASYNC;
	flags &= hang_loc(w, L_enum_csd_type_mask);
	for (i = 0; i < HANG_ARRAY_SIZE(type_rows); i++)
		if (hang_has(w, type_rows[i].row) &&
		    flags == hang_loc(w, type_rows[i].row))
			return type_rows[i].type;
	return CALL_UNKNOWN;
}

static int csd_load(struct hang_work *w, u64 node, u64 flags, struct call *c)
{
	u64 csd = node - hang_loc(w, L_csd_llist);
	int err;

	c->lock = flags & hang_loc(w, L_enum_csd_lock);
	err = hang_read_member(w, csd, L_csd_func, &c->func);
	if (!err)
		err = hang_read_member(w, csd, L_csd_info, &c->info);
	return err;
}

static int call_load(struct hang_work *w, u64 node, struct call *c)
{
	/* All kinds begin with a __call_single_node: llist, then flags. */
	u64 flags_at = hang_loc(w, L_csd_flags) - hang_loc(w, L_csd_llist);
	u64 flags;
	int err;

	memset(c, 0, sizeof(*c));
	err = hang_read_uint(w, node + flags_at, 4, &flags,
			     "call_single_queue entry");
	if (err)
		return err;
	c->type = type_of(w, flags);
	switch (c->type) {
	case CALL_ASYNC:
	case CALL_SYNC:
		return csd_load(w, node, flags, c);
	case CALL_IRQ_WORK:
		return hang_read_member(w, node - hang_loc(w, L_irq_work_llist),
					L_irq_work_func, &c->func);
	case CALL_TTWU:
		c->task = node - hang_loc(w, L_task_wake_llist);
		return 0;
	default:
		return 0;
	}
}

static bool is_block(const struct hang_work *w, const struct call *c)
{
	return c->func && hang_has(w, L_sym_block_remote) &&
	       c->func == hang_loc(w, L_sym_block_remote);
}

/* A request may wait in a call alone, and be on no other list. */
static int remember(struct hang_work *w, u64 node, void *arg)
{
	struct call c;

	(void)arg;
	if (!call_load(w, node, &c) && is_block(w, &c) && c.info &&
	    !hang_map_put(&w->done, c.info, w->at_cpu))
		w->looked.left_out++;
	return 0;
}

int hang_calls_load(struct hang_work *w, u32 cpu)
{
	u64 head;
	int err;

	w->call_order.count = 0;
	w->call_order.kept = 0;
	w->call_order.each = remember;
	err = hang_percpu(w, L_sym_call_single_queue, cpu, &head);
	if (err)
		return err;
	return hang_order_load(w, hang_llist_oldest_first, head,
			       &w->call_order, "call_single_queue");
}

u32 hang_calls_for_block(struct hang_work *w)
{
	struct call c;
	u32 count = 0;
	u32 i;

	for (i = 0; i < w->call_order.kept; i++)
		if (!call_load(w, w->call_order.addr[i], &c))
			count += is_block(w, &c);
	return count;
}

/* While each request has its own csd, the csd's info tells the request. */
static void show_request(struct hang_work *w, struct hang_rec *rec, u64 rq)
{
	if (!rq || hang_rq_load(w, rq))
		return;
	hang_disk_name(w, hang_snap_get(w, &w->rq_snap, L_rq_q));
	hang_rec_str(rec, F_call_disk, w->disk_name);
	hang_rec_set(rec, F_call_tag, hang_snap_int(w, &w->rq_snap, L_rq_tag));
	hang_rq_show_age(w, rec, F_call_age, F_call_held);
	hang_rec_set(rec, F_call_limit, hang_rq_limit(w));
	hang_rec_set(rec, F_call_seen, hang_rq_seen(w));
}

static void call_emit(struct hang_work *w, u32 cpu, u32 n, u64 node)
{
	struct hang_rec *rec = &w->rec;
	struct hang_str s;
	struct call c;

	if (call_load(w, node, &c))
		return;
	hang_rec_start(rec, R_call);
	hang_rec_set(rec, F_call_cpu, cpu);
	hang_rec_set(rec, F_call_n, n);
	hang_rec_str(rec, F_call_type, type_names[c.type]);
	if (c.type == CALL_ASYNC || c.type == CALL_SYNC)
		hang_rec_set(rec, F_call_lock, c.lock);
	hang_rec_set(rec, F_call_block, is_block(w, &c));
	/* The block layer's csds are used again and again: see show_request(). */
	hang_rec_set(rec, F_call_seen, is_block(w, &c) ? 1 :
		     hang_seen(w, node, c.func ^ c.info));
	hang_rec_set(rec, F_call_addr, node);
	if (is_block(w, &c))
		show_request(w, rec, c.info);
	if (c.func) {
		hang_str_init(&s, w->text, sizeof(w->text));
		hang_put_symbol(w, &s, c.func);
		hang_rec_str(rec, F_call_func, w->text);
	}
	hang_task_show(w, rec, c.task, F_call_pid, F_call_task);
	hang_emit(w, rec);
}

void hang_calls_emit(struct hang_work *w, u32 cpu)
{
	u32 i;

	for (i = 0; i < w->call_order.kept && !hang_interrupted(w); i++)
		call_emit(w, cpu, i, w->call_order.addr[i]);
}
