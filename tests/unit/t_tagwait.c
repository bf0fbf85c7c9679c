// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits for tags: tasks and hardware queues, on bitmaps of the driver and
 * of a scheduler, normal and reserved, shared or not; and the counts by which
 * they are woken.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static void put_sbq(struct fake_tags *tags, bool reserved, const char *spec,
		    u64 value)
{
	fake_set(f, fake_sbq(f, tags, reserved), spec, value);
}

/* The nth wait record, as one line. */
static const char *line(u32 n)
{
	static char buf[512];
	struct hang_str s;
	u32 field = 0;

	hang_str_init(&s, buf, sizeof(buf));
	hang_render(&s, fake_rec(f, R_wait, n), &field, false);
	return buf;
}

static const struct hang_rec *tags_of(const char *kind, bool reserved)
{
	u32 i;

	for (i = 0; i < f->nr_recs; i++)
		if (f->rec[i].type == R_tags &&
		    !strcmp(hang_rec_text(&f->rec[i], F_tags_kind), kind) &&
		    hang_rec_get(&f->rec[i], F_tags_reserved) == reserved)
			return &f->rec[i];
	return fake_rec(f, R_tags, ~0u);
}

#define tags_u64(kind, reserved, field) \
	hang_rec_get(tags_of(kind, reserved), F_tags_##field)

static void test_healthy(enum fake_style style, u32 word)
{
	const char *name = fake_style_name(style);

	f = fake_new(.word = word);
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .depth = 40, .reserved = 3,
		  .sched_depth = 20, .hctxs = 2);
	fake_rq(f, &d, .tag = 1, .itag = 2, .state = FAKE_IN_FLIGHT);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(fake_count(f, R_tags), 6, "%s: a record for each bitmap", name);
	is_u64(fake_count(f, R_wait), 0, "%s: nobody waits", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	ok(!hang_rec_is_notable(fake_rec(f, R_tags, 0)), "%s: not printed",
	   name);
	is_u64(tags_u64("driver", true, depth), 3, "%s: reserved depth", name);
	is_u64(tags_u64("driver", true, busy), 1, "%s: reserved busy", name);
	is_u64(tags_u64("driver", false, depth), 37, "%s: depth", name);
	is_u64(tags_u64("driver", false, busy), 0, "%s: busy", name);
	is_u64(tags_u64("sched", false, depth), 20, "%s: its depth", name);
	is_u64(tags_u64("sched", false, busy), 1, "%s: its busy", name);
	is_u64(tags_u64("driver", false, wake_batch), 6, "%s: batch", name);
	ok(!hang_rec_has(tags_of("driver", false), F_tags_shallow),
	   "%s: not shallow", name);
	/* Six bitmaps of eight, and mq_freeze_wq. */
	is_u64(rec_u64(f, looked, 0, waits), 49, "%s: looked", name);
	is_u64(rec_u64(f, looked, 0, waits_empty), 49, "%s: empty", name);
	fake_free(f);
}

static void test_waiters(u32 word, bool big)
{
	u64 task;

	f = fake_new(.word = word, .big_endian = big);
	fake_disk(f, &d, .name = "fda", .depth = 4, .reserved = 1,
		  .sched_depth = 8);
	task = fake_sleeper(f, "reader", 301, 0, 93 * SEC);
	fake_wait(f, fake_ws(f, &d.tags[0], false, 7),
		  "autoremove_wake_function", task);
	task = fake_sleeper(f, "second", 302, 2, 4 * SEC);
	fake_wait(f, fake_ws(f, &d.tags[0], false, 7),
		  "default_wake_function", task);
	task = fake_sleeper(f, "third", 303, 1, 0);
	fake_set(f, task, "task_struct.__state", 0);
	fake_wait(f, fake_ws(f, &d.tags[0], true, 0), "woken_wake_function",
		  task);
	task = fake_sleeper(f, "fourth", 304, 1, 2 * SEC);
	fake_set(f, task, "task_struct.__state", 0x401);
	fake_wait(f, fake_ws(f, &d.sched[0], false, 3),
		  "autoremove_wake_function", task);
	put_sbq(&d.tags[0], false, "sbitmap_queue.ws_active", 2);
	put_sbq(&d.tags[0], false, "sbitmap_queue.wake_index", 5);
	put_sbq(&d.tags[0], false, "sbitmap_queue.completion_cnt", 1234);
	put_sbq(&d.tags[0], false, "sbitmap_queue.wakeup_cnt", 1200);
	put_sbq(&d.sched[0], false, "sbitmap_queue.min_shallow_depth", 1);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "one has waited too long");
	is_u64(fake_verdicts(f, "tag-wakeup-lost"), 1, "with all tags free");
	is_u64(fake_count(f, R_wait), 4, "each waiter once");
	is_str(line(0), "wait disk=fda hctx=0 what=reserved-tag ws=0 kind=task "
	       "pid=303 comm=third state=R", "reserved, and woken");
	is_str(line(1), "wait disk=fda hctx=0 what=tag ws=7 kind=task pid=301 "
	       "comm=reader state=D slept=93.000s", "the first");
	is_str(line(2), "wait disk=fda hctx=0 what=tag ws=7 kind=task pid=302 "
	       "comm=second state=D slept=4.000s", "on another CPU");
	is_str(line(3), "wait disk=fda hctx=0 what=sched-tag ws=3 kind=task "
	       "pid=304 comm=fourth state=S slept=2.000s", "of the scheduler");
	ok(hang_rec_is_notable(tags_of("driver", false)), "printed");
	is_u64(tags_u64("driver", false, waiters), 2, "waiters");
	is_u64(tags_u64("driver", true, waiters), 1, "waiters, reserved");
	is_u64(tags_u64("driver", false, ws_active), 2, "ws_active");
	is_u64(tags_u64("driver", false, wake_index), 5, "wake_index");
	is_u64(tags_u64("driver", false, completions), 1234, "completions");
	is_u64(tags_u64("driver", false, wakeups), 1200, "wakeups");
	is_u64(tags_u64("sched", false, shallow), 1, "shallow depth");
	is_u64(rec_u64(f, looked, 0, waits) -
	       rec_u64(f, looked, 0, waits_empty), 3, "three are not empty");
	fake_free(f);
}

/* Old kernels count for each wait queue. */
static void test_wait_cnt(void)
{
	u64 at;

	f = fake_new();
	fake_style(f, FAKE_LIST_HEAD);
	fake_disk(f, &d, .name = "fda", .depth = 4);
	at = fake_ws(f, &d.tags[0], false, 3) -
	     fake_offset(f, "sbq_wait_state.wait.head");
	fake_set(f, at, "sbq_wait_state.wait_cnt", (u32)-2);
	put_sbq(&d.tags[0], false, "sbitmap_queue.wake_index", 3);
	fake_look(f);
	is_u64(tags_u64("driver", false, wait_cnt), (u64)-2, "wait_cnt");
	ok(!hang_rec_has(tags_of("driver", false), F_tags_completions),
	   "no other counts");
	put_sbq(&d.tags[0], false, "sbitmap_queue.wake_index", 8);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "wake_index 8: unclear");
	is_u64(fake_faults(f, "no wait queue"), 1, "wake_index 8: a fault");
	fake_free(f);
}

static void test_hctx(bool named)
{
	u64 entry, node;
	struct fake_disk e;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .depth = 4, .hctxs = 2);
	fake_disk(f, &e, .name = "fdb", .hctxs = 2, .with = &d);
	if (!named)
		fake_drop(f, "blk_mq_dispatch_wake");
	entry = (named ? e.hctx[1] : d.hctx[1]) +
		fake_offset(f, "blk_mq_hw_ctx.dispatch_wait");
	node = entry + fake_offset(f, "wait_queue_entry.entry");
	fake_set(f, entry, "wait_queue_entry.func",
		 fake_symbol_addr(f, "blk_mq_dispatch_wake"));
	fake_list_add_tail(f, fake_ws(f, &d.tags[1], false, 0), node);
	fake_look(f);
	is_u64(fake_count(f, R_wait), 1, "shared tags: shown once");
	is_u64(fake_count(f, R_tags), 2, "shared tags: bitmaps shown once");
	is_str(line(0), named ?
	       "wait disk=fda hctx=1 what=tag ws=0 kind=hctx for_disk=fdb "
	       "for_hctx=1" :
	       "wait disk=fda hctx=1 what=tag ws=0 kind=hctx for_disk=fda "
	       "for_hctx=1", named ? "hctx by its function"
				   : "hctx by its address");
	is_str(rec_str(f, disk, 1, disk), "fdb", "the other disk's name");
	fake_free(f);
}

static void test_share(u32 depth, u32 users, u32 share)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .depth = depth, .sched_depth = 32);
	fake_set(f, d.tags[0].addr, "blk_mq_tags.active_queues", users);
	fake_set(f, d.sched[0].addr, "blk_mq_tags.active_queues", 9);
	fake_look(f);
	is_u64(tags_u64("driver", false, users), users, "%u of %u: users",
	       users, depth);
	is_u64(hang_rec_has(tags_of("driver", false), F_tags_share), !!share,
	       "%u of %u: has share", users, depth);
	is_u64(tags_u64("driver", false, share), share, "%u of %u: share",
	       users, depth);
	ok(!hang_rec_has(tags_of("sched", false), F_tags_users),
	   "%u of %u: not of the scheduler's", users, depth);
	fake_free(f);
}

static void test_share_of_set(void)
{
	f = fake_new();
	fake_style(f, FAKE_LIST_HEAD);
	fake_disk(f, &d, .name = "fda", .depth = 64);
	fake_set(f, d.set, "blk_mq_tag_set.active_queues_shared_sbitmap", 3);
	fake_look(f);
	is_u64(tags_u64("driver", false, users), 3, "users are the set's");
	is_u64(tags_u64("driver", false, share), 22, "share of the set's");
	fake_free(f);
}

/* One set of tags for all hardware queues of all disks. */
static void test_shared(void)
{
	struct fake_disk e;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 4, .shared = true);
	fake_disk(f, &e, .name = "fdb", .hctxs = 4, .with = &d);
	fake_wait(f, fake_ws(f, &d.tags[0], false, 1),
		  "autoremove_wake_function",
		  fake_sleeper(f, "io", 9, 1, SEC));
	fake_look(f);
	is_u64(fake_count(f, R_tags), 1, "tags of the set: once");
	is_u64(fake_count(f, R_wait), 1, "its waiter: once");
	is_u64(tags_u64("driver", false, shared), 1, "and said to be shared");
	/* A queue that no list knows is looked at itself. */
	fake_list_init(f, d.set + fake_offset(f, "blk_mq_tag_set.tag_list"));
	fake_look(f);
	is_u64(fake_count(f, R_wait), 2, "off the list: with each disk");
	fake_free(f);
}

static void test_damage(const char *spec, u64 value)
{
	struct fake_disk e;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_disk(f, &e, .name = "fdb");
	fake_wait(f, fake_ws(f, &e.tags[0], false, 1),
		  "autoremove_wake_function",
		  fake_sleeper(f, "io", 9, 1, SEC));
	put_sbq(&d.tags[0], false, spec, value);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s %#llx: unclear", spec,
	       value);
	is_str(rec_str(f, fault, 0, disk), "fda", "%s: charged", spec);
	is_u64(fake_count(f, R_wait), 1, "%s: the walk goes on", spec);
	is_u64(fake_count(f, R_tags), 2, "%s: counts are shown", spec);
	fake_free(f);
}

/* Without a row, what needs it is left out, and nothing else. */
static void test_drop(const char *what, u32 tags, u32 waits)
{
	u64 task;

	f = fake_new();
	fake_style(f, FAKE_RQ_CSD);
	fake_drop(f, what);
	fake_disk(f, &d, .name = "fda", .depth = 4);
	task = fake_sleeper(f, "io", 9, 1, SEC);
	fake_wait(f, fake_ws(f, &d.tags[0], false, 1),
		  "autoremove_wake_function", task);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(fake_count(f, R_tags), tags, "no %s: bitmaps", what);
	is_u64(fake_count(f, R_wait), waits, "no %s: waiters", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	fake_free(f);
}

static void test_drops(void)
{
	static const char *const no_matter[] = {
		"sbitmap_queue.wake_batch", "sbitmap_queue.wake_index",
		"sbitmap_queue.ws_active", "sbitmap_queue.completion_cnt",
		"sbitmap_queue.wakeup_cnt", "sbitmap_queue.min_shallow_depth",
		"sbq_wait_state.wait_cnt", "blk_mq_tags.active_queues",
		"blk_mq_tag_set.active_queues_shared_sbitmap",
		"blk_mq_hw_ctx.dispatch_wait", "wait_queue_entry.private",
		"wait_queue_entry.func", "task_struct.se.exec_start",
		"task_struct.thread_info.cpu", "rq.clock_task",
		"default_wake_function", "autoremove_wake_function",
		"woken_wake_function", "rq_qos_wake_function", "iocg_wake_fn",
		"blk_mq_dispatch_wake", "rq_qos_wait_data.task",
		"rq_qos_wait_data.wq",
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(no_matter); i++)
		test_drop(no_matter[i], 1, 1);
	test_drop("sbitmap_queue", 0, 0);
	test_drop("sbitmap_queue.ws", 0, 0);
	test_drop("sbq_wait_state", 1, 0);
	test_drop("sbq_wait_state.wait.head", 1, 0);
	test_drop("wait_queue_entry", 1, 0);
	test_drop("wait_queue_entry.entry", 1, 0);
}

int main(void)
{
	u32 style;

	for (style = 0; style < FAKE_STYLES; style++)
		test_healthy(style, 8);
	test_healthy(FAKE_PERCPU_CSD, 4);
	test_waiters(8, false);
	test_waiters(4, true);
	test_wait_cnt();
	test_hctx(true);
	test_hctx(false);
	test_share(64, 3, 22);
	test_share(64, 64, 4);
	test_share(64, 0, 0);
	test_share(1, 2, 0);
	test_share_of_set();
	test_shared();
	test_damage("sbitmap_queue.ws", 0);
	test_damage("sbitmap_queue.ws", 0x1000);
	test_drops();
	return tap_end();
}
