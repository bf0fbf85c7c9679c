// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wait queues (include/linux/wait.h, kernel/sched/wait.c): who is on one.
 *
 * An entry says who waits by its private pointer only if its wake function is
 * one that takes private for a task. rq_qos_wake_function() did not, until the
 * pointer to the task was dropped from what it is handed; blk_mq_dispatch_wake()
 * is that of a hardware queue, whose private is null. Others are shown by the
 * name of their function.
 *
 * Entries are on the stacks of those who wait. In a running kernel they come
 * and go while they are looked at, and that is no fault: a list that makes no
 * sense is read again, and an entry that can't be read any more has gone.
 */
#include "core.h"

/* Fills w->wait_order; the last try may be a loud one. */
static int collect(struct hang_work *w, u64 head, bool loud)
{
	u32 tries = hang_list_tries(w);
	int err = -EAGAIN;

	while (tries-- && err && err != -EINTR) {
		w->hush = tries || !loud;
		err = hang_list_oldest_first(w, head, &w->wait_order,
					     "wait queue");
	}
	w->hush = false;
	return err;
}

u32 hang_waitq_count(struct hang_work *w, u64 head)
{
	int err = collect(w, head, true);

	w->looked.waits++;
	w->looked.waits_empty += !err && !w->wait_order.count;
	return w->wait_order.count;
}

void hang_waitq_empty(struct hang_work *w)
{
	w->looked.waits++;
	w->looked.waits_empty++;
}

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->wait_snap, row);
}

static bool is_func(const struct hang_work *w, enum hang_row_id row)
{
	return hang_has(w, row) && get(w, L_wq_func) == hang_loc(w, row);
}

/* The task that the copied entry is of; 0 if it is no task's. */
static u64 task_of(struct hang_work *w)
{
	u64 task = get(w, L_wq_private);

	if (is_func(w, L_sym_wake_qos) && hang_has(w, L_qos_data_task) &&
	    hang_has(w, L_qos_data_wq)) {
		u64 data = w->wait_snap.addr - hang_loc(w, L_qos_data_wq);

		hang_read_member(w, data, L_qos_data_task, &task);
		return task;
	}
	if (is_func(w, L_sym_wake_default) || is_func(w, L_sym_wake_autoremove) ||
	    is_func(w, L_sym_wake_woken) || is_func(w, L_sym_wake_qos) ||
	    is_func(w, L_sym_wake_cost) || is_func(w, L_sym_wake_rwsem))
		return task;
	return 0;
}

/* The hardware queue whose dispatch_wait the copied entry is; 0 if none. */
static u64 hctx_of(struct hang_work *w, const struct hang_wait_at *at)
{
	u64 hctx = w->wait_snap.addr - hang_loc(w, L_hctx_wait_entry);

	if (!hang_has(w, L_hctx_wait_entry))
		return 0;
	return is_func(w, L_sym_wake_dispatch) || hctx == at->hctx_addr ? hctx
									: 0;
}

static bool show_task(struct hang_work *w, struct hang_rec *rec, u64 task)
{
	static const struct hang_task_fields fields = {
		F_wait_pid, F_wait_comm, F_wait_state, F_wait_slept,
	};

	return hang_task_show_waiting(w, rec, task, &fields,
				      "wait_queue_entry.private");
}

/* A hardware queue may be another disk's, which shares the tags. */
static void show_hctx(struct hang_work *w, struct hang_rec *rec, u64 hctx)
{
	char name[sizeof(w->disk_name)];
	u64 q, num;
	u32 i;

	if (!hang_read_member(w, hctx, L_hctx_queue_num, &num))
		hang_rec_set(rec, F_wait_for_hctx, num);
	if (hang_read_member(w, hctx, L_hctx_queue, &q) ||
	    !hang_map_get(&w->queue_map, q, &i) || i >= w->nr_queues)
		return;
	memcpy(name, w->disk_name, sizeof(name));
	hang_disk_name(w, q);
	hang_rec_str(rec, F_wait_for_disk, w->disk_name);
	memcpy(w->disk_name, name, sizeof(name));
}

static void show_func(struct hang_work *w, struct hang_rec *rec)
{
	struct hang_str s;

	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_symbol(w, &s, get(w, L_wq_func));
	hang_rec_str(rec, F_wait_func, w->text);
}

/* Whether the copied entry has left its list: what was copied is no entry. */
static bool has_gone(struct hang_work *w, u64 node)
{
	u64 at = hang_loc(w, L_wq_node) + w->t->word; /* list_head.prev */
	u64 prev, next;

	if (!hang_is_live(w) || at + w->t->word > w->wait_snap.len)
		return false;
	prev = hang_decode(w->t, w->wait_snap.data + at, w->t->word);
	return hang_read_ptr(w, prev, &next, "wait queue") || next != node;
}

static void emit_one(struct hang_work *w, u64 node,
		     const struct hang_wait_at *at)
{
	struct hang_rec *rec = &w->rec;
	u64 hctx;

	if (hang_snap_load(w, &w->wait_snap, node - hang_loc(w, L_wq_node),
			   L_size_wq_entry) || has_gone(w, node))
		return;
	/* A place marker of a wake-up that is under way. */
	if (hang_has(w, L_wq_func) && !get(w, L_wq_func))
		return;
	hang_rec_start(rec, R_wait);
	hang_rec_str(rec, F_wait_disk, w->disk_name);
	if (at->hctx >= 0)
		hang_rec_set(rec, F_wait_hctx, at->hctx);
	hang_rec_str(rec, F_wait_what, at->what);
	if (at->ws >= 0)
		hang_rec_set(rec, F_wait_ws, at->ws);
	hang_rec_set(rec, F_wait_addr, w->wait_snap.addr);
	hctx = hctx_of(w, at);
	if (hctx) {
		hang_rec_str(rec, F_wait_kind, "hctx");
		show_hctx(w, rec, hctx);
	} else if (show_task(w, rec, task_of(w))) {
		hang_rec_str(rec, F_wait_kind, "task");
	} else {
		hang_rec_str(rec, F_wait_kind, "other");
		show_func(w, rec);
	}
	hang_emit(w, rec);
}

void hang_waitq_emit(struct hang_work *w, u64 head,
		     const struct hang_wait_at *at)
{
	u32 i;

	if (!hang_has(w, L_size_wq_entry) || !hang_has(w, L_wq_node))
		return;
	collect(w, head, false);
	for (i = 0; i < w->wait_order.kept && !hang_interrupted(w); i++) {
		w->hush = hang_is_live(w);
		emit_one(w, w->wait_order.addr[i], at);
		w->hush = false;
	}
}
