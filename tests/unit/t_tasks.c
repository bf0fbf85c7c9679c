// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The walk of all tasks: that each is met once, that it ends, and what a task
 * is said to do and for how long.
 */
#include "fake.h"

static void test_all(enum fake_style style)
{
	const char *name = fake_style_name(style);
	struct fake *f = fake_new();
	u64 p;
	u32 i;

	fake_style(f, style);
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, tasks), 0, "%s: no tasks", name);
	for (i = 0; i < 5; i++)
		fake_process(f, "one", 100 + i);
	p = fake_process(f, "many", 200);
	for (i = 0; i < 3; i++)
		fake_thread(f, p, "many", 201 + i);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: tasks are no hang", name);
	is_u64(rec_u64(f, looked, 0, tasks), 9, "%s: nine tasks", name);
	is_u64(rec_u64(f, looked, 0, plugs), 0, "%s: no plugs", name);
	is_u64(fake_count(f, R_plug), 0, "%s: no record", name);
	fake_free(f);
}

/* The leader is not always the first on its list of threads. */
static void test_leader_last(void)
{
	struct fake *f = fake_new();
	u64 p = fake_process(f, "old", 100);
	u64 thread = fake_thread(f, p, "new", 101);
	u64 head = fake_field(f, p, "task_struct.signal") +
		   fake_offset(f, "signal_struct.thread_head");
	u64 node = fake_offset(f, "task_struct.thread_node");

	fake_list_init(f, head);
	fake_list_add_tail(f, head, thread + node);
	fake_list_add_tail(f, head, p + node);
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, tasks), 2, "leader last: both, once");
	fake_free(f);
}

static void test_lists(void)
{
	static const char *const drop[] = {
		"task_struct.thread_node", "task_struct.signal",
		"signal_struct.thread_head",
	};
	struct fake *f;
	u64 p;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(drop); i++) {
		f = fake_new();
		fake_restore(f, "task_struct.thread_group");
		fake_drop(f, drop[i]);
		p = fake_process(f, "many", 100);
		fake_thread(f, p, "many", 101);
		fake_thread(f, p, "many", 102);
		is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s", drop[i]);
		is_u64(rec_u64(f, looked, 0, tasks), 3, "thread_group instead");
		fake_free(f);
	}
}

static void test_dropped(void)
{
	static const char *const drop[] = {
		"init_task", "task_struct.tasks", "task_struct.plug",
	};
	struct fake *f;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(drop); i++) {
		f = fake_new();
		fake_process(f, "one", 100);
		fake_drop(f, drop[i]);
		is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang",
		       drop[i]);
		is_u64(rec_u64(f, looked, 0, tasks), 0, "no %s: no tasks",
		       drop[i]);
		fake_free(f);
	}
	f = fake_new();
	fake_drop(f, "task_struct.thread_node");
	fake_thread(f, fake_process(f, "many", 100), "many", 101);
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, tasks), 1, "no threads: leaders alone");
	fake_free(f);
}

static void test_cost(void)
{
	struct fake *f = fake_new();
	u32 before, i;
	u64 p;

	fake_look(f);
	f->reads = 0;
	fake_look(f);
	before = f->reads;
	for (i = 0; i < 1000; i++)
		fake_process(f, "one", 100 + i);
	f->reads = 0;
	fake_look(f);
	is_u64(f->reads - before, 3000, "three reads a process");
	before = f->reads;
	p = fake_process(f, "many", 5000);
	for (i = 0; i < 1000; i++)
		fake_thread(f, p, "many", 5001 + i);
	f->reads = 0;
	fake_look(f);
	is_u64(f->reads - before, 3005, "three reads a thread");
	is_u64(rec_u64(f, looked, 0, tasks), 2001, "all are looked at");
	fake_free(f);
}

/* Members too far apart to be read at once. */
static void test_wide(void)
{
	struct fake *f = fake_new();
	u64 task, plug;
	u32 i;

	fake_member(f, "task_struct.plug")->offset = 5000;
	for (i = 0; i < f->nr_types; i++)
		if (!strcmp(f->type[i].type, "task_struct"))
			f->type[i].size = 5100;
	task = fake_process(f, "wide", 100);
	fake_process(f, "wider", 101);
	fake_set(f, task, "task_struct.__state", 2);
	plug = fake_plug(f, task);
	fake_plug_add(f, plug, fake_new_of(f, "request"));
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, tasks), 2, "wide task_struct: both");
	is_u64(rec_u64(f, plug, 0, requests), 1, "wide task_struct: plug");
	fake_free(f);
}

static u64 tasks_node(struct fake *f, u64 task)
{
	return task + fake_offset(f, "task_struct.tasks");
}

static void test_loop(void)
{
	struct fake *f = fake_new();
	u64 first = fake_process(f, "a", 100);
	u64 last, p;

	fake_process(f, "b", 101);
	last = fake_process(f, "c", 102);
	fake_put_ptr(f, tasks_node(f, last), tasks_node(f, first));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "tasks loop: unclear");
	is_u64(fake_faults(f, "loops"), 1, "tasks loop: fault");
	is_u64(fake_count(f, R_looked), 1, "tasks loop: to the end");
	fake_free(f);

	f = fake_new();
	p = fake_process(f, "many", 100);
	fake_thread(f, p, "many", 101);
	last = fake_thread(f, p, "many", 102);
	fake_put_ptr(f, last + fake_offset(f, "task_struct.thread_node"),
		     p + fake_offset(f, "task_struct.thread_node"));
	fake_process(f, "next", 200);
	fake_look(f);
	is_u64(fake_faults(f, "loops"), 1, "threads loop: fault");
	ok(rec_u64(f, looked, 0, tasks) >= 4, "threads loop: next is met");
	fake_free(f);
}

static void test_too_many(void)
{
	struct fake *f = fake_new();
	u64 p = fake_process(f, "many", 100);
	u32 i;

	for (i = 0; i < 50; i++)
		fake_thread(f, p, "many", 101 + i);
	fake_process(f, "next", 200);
	fake_attach(f);
	f->w->cfg.list_max = 20;
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "too many threads: unclear");
	is_u64(fake_faults(f, "too long"), 1, "too many threads: fault");
	ok(rec_u64(f, looked, 0, left_out), "too many threads: left out");
	is_u64(rec_u64(f, looked, 0, tasks), 21, "the next process is met");
	fake_free(f);
}

static void test_damaged(int err, const char *why)
{
	struct fake *f = fake_new();
	u64 p = fake_process(f, "a", 100);
	u64 hole = fake_nowhere(f, err);

	fake_put_ptr(f, tasks_node(f, p), hole);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "tasks %d: unclear", err);
	ok(fake_faults(f, why) >= 1, "tasks %d: fault", err);
	is_u64(rec_u64(f, looked, 0, cpus), 4, "tasks %d: CPUs", err);
	fake_free(f);

	f = fake_new();
	p = fake_process(f, "a", 100);
	fake_set(f, p, "task_struct.signal", fake_nowhere(f, err));
	fake_process(f, "b", 101);
	fake_look(f);
	is_u64(fake_faults(f, why), 1, "signal %d: fault", err);
	is_u64(rec_u64(f, looked, 0, tasks), 2, "signal %d: the next", err);
	fake_free(f);
}

static void test_interrupted(void)
{
	struct fake *f = fake_new();
	u32 i;

	for (i = 0; i < 1000; i++)
		fake_process(f, "one", 100 + i);
	fake_look(f);
	f->interrupt_after = f->reads + 500;
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "interrupted: unclear");
	ok(rec_u64(f, looked, 0, tasks) < 500, "interrupted: not all");
	fake_free(f);
}

static void test_letters(void)
{
	static const struct { u32 state; const char *letter; } all[] = {
		{ 0, "R" }, { 1, "S" }, { 2, "D" }, { 4, "T" }, { 8, "t" },
		{ 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x402, "I" },
		{ 0x102, "D" }, { 0x1000, "D" }, { 0x8000, "D" },
		{ 0x800, "?" },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(all); i++)
		is_str(hang_task_letter(all[i].state), all[i].letter,
		       "state %#x", all[i].state);
}

static void slept(const char *drop, u64 want, const char *name)
{
	struct fake *f = fake_new();
	u64 task = fake_process(f, "a", 100);
	u64 ns = 0;

	fake_sleep(f, task, 2, 1, 60 * SEC);
	if (drop)
		fake_drop(f, drop);
	fake_look(f);
	if (hang_task_slept(f->w, task, &ns))
		ns = HANG_NEVER;
	is_u64(ns, want, "slept: %s", name);
	fake_free(f);
}

static void test_slept(void)
{
	u64 task, runq, ns = 0;
	struct fake *f;

	slept(NULL, 60 * SEC, "since it was put off its CPU");
	slept("task_struct.se.exec_start", 60 * SEC + 100 * MS,
	      "no exec_start: since it began to run");
	slept("rq.clock_task", 60 * SEC + 100 * MS, "no clock_task");
	slept("task_struct.thread_info.cpu", 60 * SEC + 100 * MS, "no cpu");
	slept("task_struct.sched_info.last_arrival", 60 * SEC,
	      "no last_arrival");
	slept("task_struct.on_cpu", 60 * SEC, "no on_cpu");

	f = fake_new();
	task = fake_process(f, "a", 100);
	fake_sleep(f, task, 2, 1, 60 * SEC);
	fake_look(f);
	runq = fake_percpu(f, "runqueues", 1);
	fake_set(f, task, "task_struct.sched_info.last_arrival", 5000 * SEC);
	ok(!hang_task_slept(f->w, task, &ns) && !ns, "never below zero");
	fake_set(f, task, "task_struct.sched_info.last_arrival", 0);
	fake_set(f, runq, "rq.clock_task", 9000 * SEC);
	is_u64(hang_task_slept(f->w, task, &ns), (u64)-ENODATA,
	       "clocks that make no sense");
	fake_sleep(f, task, 2, 60, 60 * SEC);
	fake_set(f, task, "task_struct.sched_info.last_arrival", 0);
	is_u64(hang_task_slept(f->w, task, &ns), (u64)-ENODATA,
	       "a CPU that can't be");
	fake_sleep(f, task, 0, 1, 60 * SEC);
	is_u64(hang_task_slept(f->w, task, &ns), (u64)-ENODATA, "runnable");
	fake_sleep(f, task, 2, 1, 60 * SEC);
	fake_set(f, task, "task_struct.on_cpu", 1);
	is_u64(hang_task_slept(f->w, task, &ns), (u64)-ENODATA,
	       "about to sleep, but on its CPU");
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++)
		test_all(style);
	test_leader_last();
	test_lists();
	test_dropped();
	test_cost();
	test_wide();
	test_loop();
	test_too_many();
	test_damaged(-ENODATA, "left out");
	test_damaged(-EFAULT, "not mapped");
	test_damaged(-EIO, "damaged");
	test_interrupted();
	test_letters();
	test_slept();
	return tap_end();
}
