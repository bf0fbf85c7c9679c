// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every task there is (include/linux/sched/signal.h), without a lock: processes
 * are on a list that begins at init_task, their threads on one of their own. A
 * task that goes away meanwhile stays readable for as long as this takes, and
 * still leads on to the next.
 *
 * There may be ten thousand, of which next to none matter. Three reads tell for
 * each: that of the list, that of the part of its task_struct that holds nearly
 * all that is asked of it here, and that of its state, which stands elsewhere.
 */
#include "core.h"

#define TASKS_MAX 65536

struct task_walk {
	u64 from; /* the part of a task_struct that is read at once, */
	u64 len;  /* 0: it is too long for that */
	u64 leader;
};

static const enum hang_row_id parts[] = {
	L_task_thread_node, L_task_kthread, L_task_signal, L_task_plug,
};

static void find_part(const struct hang_work *w, struct task_walk *t)
{
	u64 from = HANG_NEVER;
	u64 to = 0;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(parts); i++) {
		const struct hang_loc *loc = &w->layout.loc[parts[i]];

		if (!loc->alt)
			continue;
		if (loc->value < from)
			from = loc->value;
		if (loc->value + loc->size > to)
			to = loc->value + loc->size;
	}
	t->from = from;
	t->len = to - from <= HANG_SNAP_SIZE ? to - from : 0;
}

/* The pointer at byte at of member row; what is absent gives 0. */
static int get(struct hang_work *w, const struct task_walk *t, u64 task,
	       enum hang_row_id row, u32 at, u64 *value)
{
	u64 offset = hang_loc(w, row) + at;

	*value = 0;
	if (!hang_has(w, row))
		return 0;
	if (!t->len)
		return hang_read_ptr(w, task + offset, value,
				     hang_rows[row].name);
	*value = hang_decode(w->t, w->task_snap.data + (offset - t->from),
			     w->t->word);
	return 0;
}

/* One that is not killable is one that waits for what should come soon. */
static void look_asleep(struct hang_work *w, u64 task)
{
	struct hang_rec *rec = &w->rec;
	u64 state;

	if (hang_read_member(w, task, L_task_state, &state) ||
	    !hang_state_is_stuck(state) || hang_task_runs(w, task))
		return;
	hang_rec_start(rec, R_asleep);
	hang_task_show(w, rec, task, F_asleep_pid, F_asleep_comm);
	hang_task_show_sleep(w, rec, task, F_asleep_state, F_asleep_slept);
	hang_emit(w, rec);
}

static int look(struct hang_work *w, u64 task, u64 plug)
{
	if (w->looked.tasks == TASKS_MAX) {
		hang_fault(w, "tasks", task, -E2BIG, "too many");
		w->looked.left_out++;
		return -E2BIG;
	}
	w->looked.tasks++;
	look_asleep(w, task);
	if (plug)
		hang_plug_look(w, task, plug);
	return 0;
}

static int thread_found(struct hang_work *w, u64 task, const struct task_walk *t)
{
	u64 plug = 0;

	if (task == t->leader)
		return 0;
	hang_read_member(w, task, L_task_plug, &plug);
	return look(w, task, plug);
}

static int node_found(struct hang_work *w, u64 node, void *arg)
{
	return thread_found(w, node - hang_loc(w, L_task_thread_node), arg);
}

static int group_found(struct hang_work *w, u64 node, void *arg)
{
	return thread_found(w, node - hang_loc(w, L_task_thread_group), arg);
}

static int walk_threads(struct hang_work *w, struct task_walk *t, u64 next,
			u64 prev, u64 signal)
{
	u64 head = signal + hang_loc(w, L_sig_thread_head);

	if (hang_has(w, L_task_thread_node) && hang_has(w, L_task_signal) &&
	    hang_has(w, L_sig_thread_head)) {
		/* Alone on its list: nothing to read. */
		if (signal && next == head && prev == head)
			return 0;
		return hang_for_each_list(w, head, node_found, t,
					  "signal_struct.thread_head");
	}
	if (!hang_has(w, L_task_thread_group))
		return 0;
	return hang_for_each_list(w, t->leader +
				  hang_loc(w, L_task_thread_group),
				  group_found, t, "task_struct.thread_group");
}

static int process_found(struct hang_work *w, u64 node, void *arg)
{
	u64 task = node - hang_loc(w, L_task_tasks);
	u64 next, prev, signal, plug, kthread;
	struct task_walk *t = arg;
	int err;

	if (t->len && hang_read(w, task + t->from, w->task_snap.data, t->len,
				"task_struct"))
		return look(w, task, 0);
	if (get(w, t, task, L_task_thread_node, 0, &next) ||
	    get(w, t, task, L_task_thread_node, w->t->word, &prev) ||
	    get(w, t, task, L_task_signal, 0, &signal) ||
	    get(w, t, task, L_task_plug, 0, &plug) ||
	    get(w, t, task, L_task_kthread, 0, &kthread))
		return look(w, task, 0);
	t->leader = task;
	hang_worker_look(w, kthread);
	err = look(w, task, plug);
	if (!err)
		err = walk_threads(w, t, next, prev, signal);
	/* A bad list of threads is that process's alone. */
	return hang_interrupted(w) || w->looked.tasks == TASKS_MAX ? err : 0;
}

void hang_walk_tasks(struct hang_work *w)
{
	struct task_walk t = { 0 };

	if (!hang_has(w, L_sym_init_task) || !hang_has(w, L_task_tasks) ||
	    !hang_has(w, L_task_plug))
		return;
	find_part(w, &t);
	hang_for_each_list(w, hang_loc(w, L_sym_init_task) +
			   hang_loc(w, L_task_tasks), process_found, &t,
			   "task_struct.tasks");
}
