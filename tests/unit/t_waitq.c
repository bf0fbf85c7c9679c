// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wait queues as such, at the door of a queue and at what throttles it: who is
 * a task and who is not, long lists, loops, holes, rubbish, and a running
 * kernel whose waiters go away while they are looked at.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static const char *line(enum hang_rec_type type, u32 n)
{
	static char buf[512];
	struct hang_str s;
	u32 field = 0;

	hang_str_init(&s, buf, sizeof(buf));
	hang_render(&s, fake_rec(f, type, n), &field, false);
	return buf;
}

static u64 open_with(u32 waiters)
{
	u64 head;
	u32 i;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .depth = 4);
	head = fake_freeze_wq(f, &d);
	for (i = 0; i < waiters; i++)
		fake_wait(f, head, "autoremove_wake_function",
			  fake_sleeper(f, "io", 100 + i, 0, i * SEC));
	return head;
}

static void test_enter(bool bio)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .bio = bio);
	fake_wait(f, fake_freeze_wq(f, &d), "autoremove_wake_function",
		  fake_sleeper(f, "sync", 77, 3, 120 * SEC));
	fake_look(f);
	is_str(line(R_wait, 0), "wait disk=fda what=enter kind=task pid=77 "
	       "comm=sync state=D slept=120.000s", "neither frozen nor asleep");
	fake_set(f, d.q, "request_queue.pm_only", 1);
	fake_look(f);
	is_str(rec_str(f, wait, 0, what), "pm", "the device sleeps");
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 2);
	fake_look(f);
	is_str(rec_str(f, wait, 0, what), "freeze", "the queue is frozen");
	fake_free(f);
}

static void test_strangers(void)
{
	u64 head = open_with(0);
	u64 task = fake_sleeper(f, "io", 100, 0, 0);

	fake_wait(f, head, "strange_wake", task);
	fake_wait(f, head, "autoremove_wake_function", 0);
	fake_wait(f, head, NULL, 0); /* a place marker */
	fake_wait(f, head, "iocg_wake_fn", task);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "strangers are no hang");
	is_u64(fake_count(f, R_wait), 3, "all but the marker are shown");
	is_str(line(R_wait, 0), "wait disk=fda what=enter kind=other "
	       "func=\"strange_wake [fake_blk]\"", "private is not trusted");
	is_str(line(R_wait, 1), "wait disk=fda what=enter kind=other "
	       "func=autoremove_wake_function", "no private");
	is_str(rec_str(f, wait, 2, kind), "task", "a task that iocost holds");
	fake_free(f);
}

static void test_no_task(u64 private, const char *why)
{
	u64 head = open_with(1);
	u64 junk;

	if (!private) {
		junk = fake_alloc(f, fake_sizeof(f, "task_struct"));
		private = junk;
		fake_set(f, junk, "task_struct.pid", 0xdeadbeef);
	}
	fake_wait(f, head, "autoremove_wake_function", private);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: unclear", why);
	is_u64(fake_faults(f, why), 1, "%s: one fault", why);
	is_str(rec_str(f, fault, 0, disk), "fda", "%s: charged", why);
	is_u64(fake_count(f, R_wait), 2, "%s: both are shown", why);
	is_str(rec_str(f, wait, 1, kind), "other", "%s: not as a task", why);
	fake_free(f);
}

static void test_many(void)
{
	open_with(HANG_LIST_KEEP + 44);
	fake_look(f);
	is_u64(fake_count(f, R_wait), HANG_LIST_KEEP, "as many as are kept");
	is_u64(rec_u64(f, wait, 0, pid), 100, "from the first on");
	is_u64(fake_count(f, R_fault), 0, "many are no fault");
	fake_free(f);
}

static void test_loop(void)
{
	u64 head = open_with(3);
	u64 node = fake_get(f, head, f->t.word);
	u64 second = fake_get(f, node, f->t.word);
	u64 third = fake_get(f, second, f->t.word);

	fake_put_ptr(f, third, second);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "loop: unclear");
	is_u64(fake_faults(f, "list loops"), 1, "loop: one fault");
	is_u64(fake_count(f, R_wait), 3, "loop: each once");
	fake_free(f);
}

static void test_cut(u64 (*next)(struct fake *), const char *why)
{
	u64 head = open_with(3);
	u64 node = fake_get(f, head, f->t.word);

	fake_put_ptr(f, node, next(f));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: unclear", why);
	is_u64(fake_faults(f, why), 2, "%s: the node, and what is in it", why);
	is_u64(fake_count(f, R_wait), 1, "%s: those before it", why);
	is_u64(fake_count(f, R_total), 1, "%s: the walk goes on", why);
	fake_free(f);
}

static u64 left_out(struct fake *m)
{
	return fake_nowhere(m, -ENODATA);
}

static u64 not_mapped(struct fake *m)
{
	(void)m;
	return 0xffffdead00000000;
}

/* What can't be read is not empty. */
static void test_no_list(void)
{
	u64 head = open_with(0);

	fake_put_ptr(f, head, 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no list: unclear");
	is_u64(fake_faults(f, "null pointer"), 1, "no list: one fault");
	is_u64(rec_u64(f, looked, 0, waits) -
	       rec_u64(f, looked, 0, waits_empty), 1, "no list: not empty");
	fake_free(f);
}

static void test_too_long(void)
{
	open_with(40);
	fake_attach(f);
	f->w->cfg.list_max = 30;
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "too long: unclear");
	is_u64(fake_faults(f, "too long"), 1, "too long: one fault");
	is_u64(fake_count(f, R_wait), 30, "too long: those up to there");
	fake_free(f);
}

/* Waiters of a running kernel go away: nothing is blamed for it. */
static void test_live(void)
{
	u64 head = open_with(2);
	u64 entry;

	fake_live(f, NULL);
	fake_wait(f, head, "autoremove_wake_function", 0xffffdead00000000);
	entry = fake_get(f, head, f->t.word);
	fake_put_ptr(f, entry + f->t.word, f->now); /* no prev of it */
	is_u64(fake_look(f), HANG_ANSWER_NONE, "gone from its stack: no hang");
	is_u64(fake_count(f, R_fault), 0, "gone from its stack: no fault");
	is_u64(fake_count(f, R_wait), 2, "gone from its stack: others shown");
	fake_put_ptr(f, entry, entry);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "it stays a loop: unclear");
	is_u64(fake_faults(f, "list loops"), 1, "it stays a loop: one fault");
	fake_free(f);
}

static void test_wbt(enum fake_style style)
{
	bool apart = style != FAKE_PERCPU_CSD;
	u64 wb, data, task;

	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	wb = fake_wbt(f, &d);
	fake_set(f, fake_rq_wait(f, wb, 0), "rq_wait.inflight", 5);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "wbt: no hang");
	is_u64(fake_count(f, R_qos), 3, "wbt: three counters");
	is_str(line(R_qos, 0), "qos disk=fda id=wbt index=0 inflight=5 "
	       "waiters=0 normal=8 background=4", "wbt: the first");
	ok(!hang_rec_is_notable(fake_rec(f, R_qos, 0)), "wbt: not printed");
	fake_set(f, fake_rq_wait(f, wb, 0), "rq_wait.inflight", (u32)-1);
	task = fake_sleeper(f, "kworker/u8:1", 55, 1, 7 * SEC);
	data = fake_new_of(f, "rq_qos_wait_data");
	if (apart)
		fake_set(f, data, "rq_qos_wait_data.task", task);
	data += fake_offset(f, "rq_qos_wait_data.wq");
	fake_set(f, data, "wait_queue_entry.private", apart ? 0 : task);
	fake_set(f, data, "wait_queue_entry.func",
		 fake_symbol_addr(f, "rq_qos_wake_function"));
	fake_list_add_tail(f, fake_rq_wait(f, wb, 2) +
			   fake_offset(f, "rq_wait.wait.head"),
			   data + fake_offset(f, "wait_queue_entry.entry"));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "wbt: waiters are no hang");
	is_str(line(R_qos, 0), "qos disk=fda id=wbt index=0 inflight=-1 "
	       "negative=1 waiters=0 normal=8 background=4", "negative");
	ok(hang_rec_is_notable(fake_rec(f, R_qos, 0)), "which is printed");
	ok(!hang_rec_is_notable(fake_rec(f, R_qos, 1)), "zero is not");
	ok(hang_rec_is_notable(fake_rec(f, R_qos, 2)), "a waiter is");
	is_str(line(R_wait, 0), "wait disk=fda what=qos kind=task pid=55 "
	       "comm=kworker/u8:1 state=D slept=7.000s", "who is throttled");
	fake_free(f);
}

static u64 latency_wait(u64 latency)
{
	return latency + fake_offset(f, "iolatency_grp.rq_wait");
}

/* A disk with both throttlers of cgroups, and two cgroups. */
static void open_groups(u64 *cost, u64 *latency)
{
	u32 i;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_qos(f, &d, 0);
	fake_qos(f, &d, 1);
	for (i = 0; i < 2; i++)
		fake_group(f, &d, 71 + i, &cost[i], &latency[i]);
	fake_wait(f, cost[1] + fake_offset(f, "ioc_gq.waitq.head"),
		  "iocg_wake_fn", fake_sleeper(f, "dd", 8, 0, 3 * SEC));
	fake_set(f, latency_wait(latency[0]), "rq_wait.inflight", 19);
	fake_set(f, latency_wait(latency[1]), "rq_wait.inflight", (u32)-2);
}

static void test_groups(void)
{
	u64 cost[2], latency[2];

	open_groups(cost, latency);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "cgroups: no hang");
	is_u64(fake_count(f, R_qos), 3, "cgroups: those with something to say");
	is_str(line(R_qos, 0), "qos disk=fda id=iocost cgroup=72 waiters=1",
	       "iocost");
	is_str(line(R_wait, 0), "wait disk=fda what=qos kind=task pid=8 "
	       "comm=dd state=D slept=3.000s", "who it holds back");
	is_str(line(R_qos, 1), "qos disk=fda id=iolatency cgroup=71 "
	       "inflight=19 waiters=0", "iolatency");
	is_str(line(R_qos, 2), "qos disk=fda id=iolatency cgroup=72 "
	       "inflight=-2 negative=1 waiters=0", "iolatency, negative");
	is_u64(rec_u64(f, looked, 0, waits), 8 + 1 + 4, "cgroups: looked at");
	fake_set(f, fake_symbol_addr(f, "blkcg_policy_iocost"),
		 "blkcg_policy.plid", 5);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "plid 5 of 5: unclear");
	is_u64(fake_faults(f, "so many"), 1, "plid 5 of 5: one fault");
	fake_set(f, fake_symbol_addr(f, "blkcg_policy_iocost"),
		 "blkcg_policy.plid", 4);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "policy off: no hang");
	is_u64(fake_count(f, R_wait), 0, "policy off: nothing of it");
	fake_free(f);
}

static void test_groups_drop(const char *what, u32 counters)
{
	u64 cost[2], latency[2];

	open_groups(cost, latency);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "cgroups, no %s: no hang", what);
	is_u64(fake_count(f, R_qos), counters, "cgroups, no %s: counters",
	       what);
	is_u64(fake_count(f, R_fault), 0, "cgroups, no %s: no fault", what);
	fake_free(f);
}

static void test_groups_drops(void)
{
	test_groups_drop("blkcg_policy_iocost", 2);
	test_groups_drop("ioc_gq.pd", 2);
	test_groups_drop("ioc_gq.waitq.head", 2);
	test_groups_drop("RQ_QOS_COST", 2);
	test_groups_drop("blkcg_policy_iolatency", 1);
	test_groups_drop("iolatency_grp.pd", 1);
	test_groups_drop("iolatency_grp.rq_wait", 1);
	test_groups_drop("RQ_QOS_LATENCY", 1);
	test_groups_drop("request_queue.blkg_list", 0);
	test_groups_drop("blkcg_gq.q_node", 0);
	test_groups_drop("blkcg_gq.pd", 0);
	test_groups_drop("blkcg_gq.blkcg", 3);
	test_groups_drop("blkcg.css.cgroup", 3);
	test_groups_drop("cgroup.kn", 3);
	test_groups_drop("kernfs_node.id", 3);
}

static void test_chain(void)
{
	u64 wb, other;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_wbt(f, &d);
	other = fake_new_of(f, "rq_qos");
	fake_set(f, other, "rq_qos.id", 7);
	fake_set(f, other, "rq_qos.next",
		 fake_field(f, d.q, "request_queue.rq_qos"));
	fake_set(f, d.q, "request_queue.rq_qos", other);
	fake_look(f);
	is_u64(fake_count(f, R_qos), 3, "chain: an unknown kind is passed by");
	is_u64(fake_count(f, R_fault), 0, "chain: which is no fault");
	wb = fake_wbt(f, &d);
	fake_set(f, wb + fake_offset(f, "rq_wb.rqos"), "rq_qos.next",
		 wb + fake_offset(f, "rq_wb.rqos"));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "chain loops: unclear");
	is_u64(fake_faults(f, "list loops"), 1, "chain loops: one fault");
	fake_set(f, d.q, "request_queue.rq_qos", fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "chain in a hole: unclear");
	fake_free(f);
}

static void test_drop(const char *what, u32 waits, u32 counters)
{
	u64 wb;

	open_with(1);
	fake_drop(f, what);
	wb = fake_wbt(f, &d);
	fake_wait(f, fake_rq_wait(f, wb, 1) +
		  fake_offset(f, "rq_wait.wait.head"),
		  "autoremove_wake_function",
		  fake_sleeper(f, "io", 9, 1, SEC));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(fake_count(f, R_wait), waits, "no %s: waiters", what);
	is_u64(fake_count(f, R_qos), counters, "no %s: counters", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	fake_free(f);
}

int main(void)
{
	test_enter(false);
	test_enter(true);
	test_strangers();
	test_no_task(0, "is no task");
	test_no_task(0xffffdead00000000, "not mapped");
	test_many();
	test_loop();
	test_cut(left_out, "left out");
	test_cut(not_mapped, "not mapped");
	test_no_list();
	test_too_long();
	test_live();
	test_wbt(FAKE_PERCPU_CSD);
	test_wbt(FAKE_RQ_CSD);
	test_chain();
	test_groups();
	test_groups_drops();
	test_drop("request_queue.mq_freeze_wq.head", 1, 3);
	test_drop("request_queue.mq_freeze_depth", 2, 3);
	test_drop("request_queue.pm_only", 2, 3);
	test_drop("request_queue.rq_qos", 1, 0);
	test_drop("rq_qos.id", 1, 0);
	test_drop("rq_qos.next", 2, 3);
	test_drop("RQ_QOS_WBT", 1, 0);
	test_drop("RQ_QOS_COST", 2, 3);
	test_drop("RQ_QOS_LATENCY", 2, 3);
	test_drop("rq_wb.rqos", 1, 0);
	test_drop("rq_wb.rq_wait", 1, 0);
	test_drop("rq_wb.wb_normal", 2, 3);
	test_drop("rq_wb.wb_background", 2, 3);
	test_drop("rq_wait", 1, 0);
	test_drop("rq_wait.wait.head", 1, 0);
	test_drop("rq_wait.inflight", 1, 0);
	return tap_end();
}
