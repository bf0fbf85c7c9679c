// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work items (kernel/workqueue.c). The bit that says an item is queued is
 * cleared before its function runs, so an item that is being run, or that sleeps
 * half done, looks like one that nobody has asked for. What tells the two apart
 * is the worker: a kernel thread that knows which item it is at.
 *
 * A kernel thread has its struct kthread where other tasks have something else,
 * so what is there is taken for one only if its function is that of a worker.
 */
#include "core.h"

static const enum hang_row_id rows[] = {
	L_kthread_fn, L_kthread_data, L_worker_work,
};

static bool is_worker(const struct hang_work *w, u64 fn)
{
	return fn && (fn == hang_loc(w, L_sym_worker_thread) ||
		      fn == hang_loc(w, L_sym_rescuer_thread));
}

static u64 item_of(struct hang_work *w, u64 kthread)
{
	bool hush = w->hush;
	u64 fn, worker, item;

	if (!hang_is_kernel_ptr(w, kthread) ||
	    !hang_has_all(w, rows, HANG_ARRAY_SIZE(rows)))
		return 0;
	w->hush = true;
	if (hang_read_member(w, kthread, L_kthread_fn, &fn) ||
	    !is_worker(w, fn) ||
	    hang_read_member(w, kthread, L_kthread_data, &worker) ||
	    hang_read_member(w, worker, L_worker_work, &item))
		item = 0;
	w->hush = hush;
	return item;
}

void hang_worker_look(struct hang_work *w, u64 kthread)
{
	u64 item = item_of(w, kthread);

	if (item && !hang_map_put(&w->working, item, 1))
		w->looked.left_out++;
}

u64 hang_worker_item(struct hang_work *w, u64 task)
{
	u64 kthread;

	if (!task || hang_read_member(w, task, L_task_kthread, &kthread))
		return 0;
	return item_of(w, kthread);
}

const char *hang_work_state(const struct hang_work *w, u64 item, u64 data,
			    u64 timer)
{
	u32 running;

	if (data >> hang_loc(w, L_enum_work_pending) & 1)
		return timer ? "delayed" : "pending";
	return hang_map_get(&w->working, item, &running) ? "running" : "idle";
}
