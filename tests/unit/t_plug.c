// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests in the plugs of tasks, in each of the three forms of a plug.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;
static u64 task, plug;

static void make(enum fake_style style)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	fake_process(f, "other", 99);
	task = fake_process(f, "writer", 4000000);
	plug = fake_plug(f, task);
	fake_sleep(f, task, 2, 1, 40 * SEC);
}

static void add(u32 tag)
{
	fake_plug_add(f, plug, fake_rq(f, &d, .tag = tag));
}

static void test_empty(enum fake_style style)
{
	const char *name = fake_style_name(style);

	make(style);
	fake_look(f);
	is_u64(fake_verdicts(f, "plug-held"), 0, "%s, empty: not held", name);
	is_u64(fake_count(f, R_plug), 0, "%s, empty: no record", name);
	is_u64(rec_u64(f, looked, 0, plugs), 0, "%s, empty: not one", name);
	is_u64(rec_u64(f, looked, 0, tasks), 2, "%s, empty: tasks", name);
	fake_free(f);
}

static void test_full(enum fake_style style)
{
	const char *name = fake_style_name(style);
	u32 i, in_plug = 0;

	make(style);
	for (i = 0; i < 16; i++)
		add(i);
	fake_rq(f, &d, .tag = 20);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(fake_count(f, R_plug), 1, "%s: one record", name);
	is_u64(rec_u64(f, plug, 0, pid), 4000000, "%s: pid", name);
	is_str(rec_str(f, plug, 0, task), "writer", "%s: comm", name);
	is_str(rec_str(f, plug, 0, state), "D", "%s: state", name);
	is_u64(rec_u64(f, plug, 0, slept), 40 * SEC, "%s: slept", name);
	is_u64(rec_u64(f, plug, 0, requests), 16, "%s: requests", name);
	is_u64(rec_u64(f, plug, 0, rq_count), 16, "%s: rq_count", name);
	is_u64(rec_u64(f, plug, 0, cached), 0, "%s: none cached", name);
	is_str(rec_str(f, plug, 0, disk), "fda", "%s: disk", name);
	is_u64(rec_u64(f, looked, 0, plugs), 1, "%s: looked", name);
	for (i = 0; i < 17; i++)
		in_plug += rec_u64(f, rq, i, plug) == 4000000;
	is_u64(in_plug, 16, "%s: its requests name it", name);
	ok(!rec_has(f, rq, 16, plug), "%s: the other does not", name);
	ok(!rec_has(f, rq, 0, cached), "%s: and is not idle", name);
	fake_free(f);
}

static void test_cached(enum fake_style style)
{
	const char *name = fake_style_name(style);
	u64 idle, left;

	make(style);
	idle = fake_rq(f, &d, .tag = 3, .age = 500 * SEC);
	fake_plug_cache(f, plug, idle);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s, cached: no hang", name);
	is_u64(fake_count(f, R_plug), 1, "%s, cached: a record", name);
	is_u64(rec_u64(f, plug, 0, requests), 0, "%s, cached: none", name);
	is_u64(rec_u64(f, plug, 0, cached), 1, "%s, cached: one", name);
	ok(!hang_rec_is_notable(fake_rec(f, R_plug, 0)),
	   "%s, cached: no line", name);
	ok(!rec_has(f, plug, 0, disk), "%s, cached: no disk", name);
	is_u64(rec_u64(f, rq, 0, plug), 4000000, "%s, cached: plug", name);
	is_u64(rec_u64(f, rq, 0, cached), 1, "%s, cached: said so", name);
	left = fake_rq(f, &d, .tag = 4, .age = 500 * SEC);
	fake_plug_add(f, plug, left);
	ok(fake_look(f) != HANG_ANSWER_NONE, "%s: but one that waits is",
	   name);
	is_u64(rec_u64(f, plug, 0, requests), 1, "%s: one waits", name);
	is_u64(rec_u64(f, plug, 0, cached), 1, "%s: one is cached", name);
	fake_free(f);
}

static void test_running(enum fake_style style)
{
	const char *name = fake_style_name(style);

	make(style);
	add(1);
	fake_task_runs(f, task, 2);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s, runs: no hang", name);
	is_str(rec_str(f, plug, 0, state), "R", "%s, runs: state", name);
	ok(!rec_has(f, plug, 0, slept), "%s, runs: slept", name);
	is_u64(rec_u64(f, plug, 0, requests), 1, "%s, runs: requests", name);
	fake_set(f, task, "task_struct.plug", fake_nowhere(f, -EFAULT));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s, gone: no hang", name);
	is_u64(fake_count(f, R_fault), 0, "%s, gone: no fault", name);
	is_u64(fake_count(f, R_plug), 0, "%s, gone: no plug", name);
	/* Between the two, a task that is still on its CPU. */
	fake_set(f, task, "task_struct.__state", 2);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s, going: no hang", name);
	fake_free(f);
}

static void test_damaged(enum fake_style style, int err, const char *why)
{
	const char *name = fake_style_name(style);
	u64 list;

	make(style);
	fake_set(f, task, "task_struct.plug", fake_nowhere(f, err));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s %d: unclear", name, err);
	is_u64(fake_faults(f, why), 1, "%s %d: a fault", name, err);
	fake_free(f);

	make(style);
	add(1);
	list = plug + fake_offset(f, "blk_plug.mq_list");
	fake_put_ptr(f, list, fake_nowhere(f, err));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s %d: list", name, err);
	ok(fake_faults(f, why), "%s %d: list: fault", name, err);
	is_u64(rec_u64(f, looked, 0, queues), 1, "%s %d: on it goes", name,
	       err);
	fake_task_runs(f, task, 2);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "%s %d: runs: no fault", name, err);
	fake_free(f);
}

static void test_loop(enum fake_style style)
{
	const char *name = fake_style_name(style);
	u64 rq, at, node;

	make(style);
	rq = fake_rq(f, &d, .tag = 1);
	fake_plug_add(f, plug, rq);
	at = style == FAKE_LIST_HEAD ? fake_offset(f, "request.queuelist")
				     : fake_offset(f, "request.rq_next");
	node = style == FAKE_LIST_HEAD ? rq + at : rq;
	fake_put_ptr(f, rq + at, node);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s, loop: unclear", name);
	is_u64(fake_faults(f, "loops"), 1, "%s, loop: fault", name);
	is_u64(rec_u64(f, rq, 0, plug), 4000000, "%s, loop: plug", name);
	fake_task_runs(f, task, 2);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s, loop, runs: fine", name);
	is_u64(fake_count(f, R_fault), 0, "%s, loop, runs: no fault", name);
	fake_free(f);
}

static void test_long(enum fake_style style)
{
	const char *name = fake_style_name(style);
	u32 i;

	make(style);
	for (i = 0; i < 1500; i++)
		fake_plug_add(f, plug, fake_new_of(f, "request"));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s, long: unclear", name);
	is_u64(fake_faults(f, "too long"), 1, "%s, long: fault", name);
	is_u64(rec_u64(f, plug, 0, requests), 1024, "%s, long: bound", name);
	fake_free(f);
}

static void test_dropped(const char *what, enum fake_style style, u32 requests,
			 u32 cached)
{
	make(style);
	add(1);
	fake_plug_cache(f, plug, fake_rq(f, &d, .tag = 2));
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(rec_u64(f, plug, 0, requests), requests, "no %s: requests",
	       what);
	is_u64(rec_u64(f, plug, 0, cached), cached, "no %s: cached", what);
	ok(strcmp(what, "blk_plug.rq_count") || !rec_has(f, plug, 0, rq_count),
	   "no %s: rq_count", what);
	fake_free(f);
}

static void test_lacking(void)
{
	test_dropped("request.rq_next", FAKE_PERCPU_CSD, 0, 0);
	test_dropped("request.rq_next", FAKE_RQ_CSD, 0, 0);
	test_dropped("blk_plug.cached_rqs.head", FAKE_PERCPU_CSD, 1, 0);
	test_dropped("blk_plug.cached_rq", FAKE_RQ_CSD, 1, 0);
	test_dropped("blk_plug.rq_count", FAKE_PERCPU_CSD, 1, 1);
	test_dropped("request.queuelist", FAKE_LIST_HEAD, 0, 0);
	test_dropped("blk_plug.mq_list", FAKE_RQ_CSD, 0, 1);
	test_dropped("task_struct.plug", FAKE_PERCPU_CSD, 0, 0);
}

static void test_word(u32 word, bool big_endian)
{
	f = fake_new(.word = word, .big_endian = big_endian);
	fake_disk(f, &d, .name = "fda");
	task = fake_process(f, "writer", 70);
	task = fake_thread(f, task, "thread", 71);
	plug = fake_plug(f, task);
	fake_sleep(f, task, 1, 1, 40 * SEC);
	add(1);
	add(2);
	fake_look(f);
	is_u64(rec_u64(f, plug, 0, pid), 71, "word %u: a thread's", word);
	is_u64(rec_u64(f, plug, 0, requests), 2, "word %u: requests", word);
	is_str(rec_str(f, plug, 0, state), "S", "word %u: state", word);
	is_u64(rec_u64(f, rq, 1, plug), 71, "word %u: named", word);
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_empty(style);
		test_full(style);
		test_running(style);
		if (style != FAKE_LIST_HEAD)
			test_cached(style);
		test_damaged(style, -ENODATA, "left out");
		test_damaged(style, -EFAULT, "not mapped");
		test_loop(style);
		test_long(style);
	}
	test_lacking();
	test_word(4, true);
	test_word(4, false);
	test_word(8, true);
	return tap_end();
}
