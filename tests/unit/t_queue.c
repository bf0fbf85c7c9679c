// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of queues and hardware queues: what is frozen, quiesced or asleep,
 * who uses it, and what each fact that a kernel may lack costs.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static void make(enum fake_style style)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .sched_depth = 96);
}

/* Adds to the counter on one CPU. */
static void use(u32 cpu, s64 n)
{
	u64 at = fake_percpu(f, "fake_usage", cpu) + d.usage_cpus -
		 fake_symbol_addr(f, "fake_usage");

	fake_put_ptr(f, at, fake_get(f, at, f->t.word) + n);
}

static void set_ref(u64 bits)
{
	fake_set(f, d.q, "request_queue.q_usage_counter.percpu_count_ptr",
		 d.usage_cpus | bits);
}

static void test_healthy(enum fake_style style)
{
	const char *name = fake_style_name(style);

	make(style);
	fake_set(f, d.q, "request_queue.queue_flags", 1 << 1 | 1 << 6);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: answer", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no faults", name);
	is_u64(fake_count(f, R_queue), 1, "%s: one record", name);
	is_str(rec_str(f, queue, 0, disk), "fda", "%s: of the disk", name);
	is_u64(rec_u64(f, queue, 0, freeze), 0, "%s: not frozen", name);
	is_str(rec_str(f, queue, 0, mode), "percpu", "%s: mode", name);
	is_u64(rec_u64(f, queue, 0, usage), 1, "%s: it holds itself", name);
	ok(rec_has(f, queue, 0, dead), "%s: dead is known", name);
	is_u64(rec_u64(f, queue, 0, dead), 0, "%s: and is not", name);
	is_u64(rec_u64(f, queue, 0, pm_only), 0, "%s: not pm_only", name);
	is_str(rec_str(f, queue, 0, rpm), "active", "%s: power", name);
	is_str(rec_str(f, queue, 0, sched), "fake-deadline", "%s: sched", name);
	is_u64(rec_u64(f, queue, 0, nr_requests), 96, "%s: depth", name);
	is_u64(rec_u64(f, queue, 0, timer), 0, "%s: timer not armed", name);
	is_u64(rec_u64(f, queue, 0, timeout), 30 * SEC, "%s: timeout", name);
	ok(rec_has(f, queue, 0, requeue), "%s: requeue list is known", name);
	is_str(rec_str(f, queue, 0, requeue_work), "idle", "%s: its work",
	       name);
	is_str(rec_str(f, queue, 0, flags), "SAME_COMP|6", "%s: flags", name);
	ok(!hang_rec_is_notable(fake_rec(f, R_queue, 0)), "%s: not noted",
	   name);
	ok(rec_has(f, queue, 0, quiesce) == (style != FAKE_LIST_HEAD),
	   "%s: quiesce depth where there is one", name);
	ok(rec_has(f, queue, 0, flush) == (style == FAKE_PERCPU_CSD),
	   "%s: flush list where there is one", name);
	fake_free(f);
}

static void test_hctx_healthy(enum fake_style style)
{
	const char *name = fake_style_name(style);

	make(style);
	fake_offline(f, 2);
	fake_look(f);
	is_u64(fake_count(f, R_hctx), 2, "%s: both of them", name);
	is_str(rec_str(f, hctx, 1, type), "default", "%s: type", name);
	is_str(rec_str(f, hctx, 1, state), "-", "%s: state", name);
	is_u64(rec_u64(f, hctx, 1, cpus), 4, "%s: CPUs", name);
	is_u64(rec_u64(f, hctx, 1, online), 3, "%s: online ones", name);
	ok(rec_has(f, hctx, 1, dispatch), "%s: dispatch is known", name);
	ok(rec_has(f, hctx, 1, sw), "%s: software queues are known", name);
	ok(rec_has(f, hctx, 1, flush), "%s: flush queues are known", name);
	is_u64(rec_u64(f, hctx, 1, dispatch_wait), 0, "%s: no wait", name);
	is_str(rec_str(f, hctx, 1, run_work), "idle", "%s: no work", name);
	ok(!hang_rec_is_notable(fake_rec(f, R_hctx, 1)), "%s: not noted",
	   name);
	fake_free(f);
}

static void test_frozen(void)
{
	make(FAKE_PERCPU_CSD);
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 2);
	fake_set(f, d.q, "request_queue.quiesce_depth", 3);
	fake_set(f, d.q, "request_queue.pm_only", 1);
	fake_set(f, d.q, "request_queue.rpm_status", 9);
	fake_set(f, d.q, "request_queue.timeout.entry.pprev", d.q);
	fake_set(f, d.q, "request_queue.requeue_work.work.data",
		 FAKE_WORK_PENDING);
	set_ref(3);
	fake_put_ptr(f, d.usage, 17);
	use(1, 1000); /* left from before */
	is_u64(fake_look(f), HANG_ANSWER_NONE, "frozen: no verdict");
	is_u64(rec_u64(f, queue, 0, freeze), 2, "frozen: depth");
	is_u64(rec_u64(f, queue, 0, quiesce), 3, "quiesced: depth");
	is_u64(rec_u64(f, queue, 0, pm_only), 1, "pm_only");
	is_str(rec_str(f, queue, 0, rpm), "suspending", "its power state");
	is_u64(rec_u64(f, queue, 0, timer), 1, "its timer is armed");
	is_str(rec_str(f, queue, 0, requeue_work), "pending", "its work");
	is_str(rec_str(f, queue, 0, mode), "atomic", "frozen: mode");
	is_u64(rec_u64(f, queue, 0, dead), 1, "frozen: dead");
	is_u64(rec_u64(f, queue, 0, usage), 17, "frozen: users, atomic only");
	ok(hang_rec_is_notable(fake_rec(f, R_queue, 0)), "it is noted");
	fake_set(f, d.q, "request_queue.requeue_work.timer.entry.pprev", 8);
	fake_set(f, d.q, "request_queue.rpm_status", 0xffffffff);
	fake_look(f);
	is_str(rec_str(f, queue, 0, requeue_work), "delayed", "work by timer");
	is_str(rec_str(f, queue, 0, rpm), "-1", "a power state without a name");
	fake_free(f);
}

static void notes(const char *spec, u64 value)
{
	make(FAKE_PERCPU_CSD);
	fake_set(f, d.q, spec, value);
	fake_look(f);
	ok(hang_rec_is_notable(fake_rec(f, R_queue, 0)), "%s: noted", spec);
	fake_free(f);
}

/* Users come on one CPU and leave on another. */
static void test_usage(u32 word)
{
	u64 biased = 1 | 1ULL << (8 * word - 1);

	f = fake_new(.word = word);
	fake_disk(f, &d, .name = "fda");
	use(0, 12);
	use(3, -5);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, usage), 8, "%u: summed over CPUs", word);
	fake_offline(f, 3);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, usage), 8, "%u: offline ones too", word);
	/* The switch to atomic has begun, and is not through. */
	set_ref(1);
	fake_look(f);
	is_str(rec_str(f, queue, 0, mode), "atomic", "%u: switching", word);
	is_u64(rec_u64(f, queue, 0, usage), 8, "%u: switching: both", word);
	fake_put_ptr(f, d.usage, biased + 3);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, usage), 11, "%u: both parts", word);
	use(0, -30);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, usage), (u64)-19, "%u: below zero", word);
	fake_free(f);
}

static void test_usage_damaged(void)
{
	make(FAKE_PERCPU_CSD);
	fake_hole(f, fake_percpu(f, "fake_usage", 2), -ENODATA);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a CPU's part left out");
	ok(!rec_has(f, queue, 0, usage), "then there is no sum");
	is_u64(fake_faults(f, "left out"), 1, "but a fault");
	is_str(rec_str(f, fault, 0, disk), "fda", "charged to the disk");
	is_u64(fake_count(f, R_hctx), 2, "and the walk goes on");
	fake_set(f, d.q, "request_queue.q_usage_counter.data", 0);
	fake_look(f);
	ok(!rec_has(f, queue, 0, usage), "the counter was given up");
	is_u64(fake_count(f, R_fault), 0, "which is no fault");
	fake_set(f, d.q, "request_queue.q_usage_counter.data",
		 fake_nowhere(f, -EFAULT));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a counter not mapped");
	is_u64(fake_count(f, R_fault), 1, "not mapped: one fault");
	fake_free(f);
}

static void test_sched(void)
{
	u64 elevator, type;

	make(FAKE_PERCPU_CSD);
	fake_member(f, "elevator_type.elevator_name")->size = 16;
	elevator = fake_field(f, d.q, "request_queue.elevator");
	type = fake_field(f, elevator, "elevator_queue.type");
	fake_write(f, type + fake_offset(f, "elevator_type.elevator_name"),
		   "sixteen-letters!", 16);
	fake_look(f);
	is_str(rec_str(f, queue, 0, sched), "sixteen-letters!",
	       "the name is an array");
	fake_set(f, elevator, "elevator_queue.type", fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "its type is left out");
	ok(!rec_has(f, queue, 0, sched), "so there is no name");
	fake_set(f, d.q, "request_queue.elevator", 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no scheduler");
	is_str(rec_str(f, queue, 0, sched), "none", "none");
	fake_free(f);
}

static void test_hctx(void)
{
	u64 wait;

	make(FAKE_PERCPU_CSD);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.state", 1 | 1 << 3 | 1 << 5);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.type", 2);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.nr_active", 31);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.dispatch_busy", 7);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.run_work.work.data",
		 FAKE_WORK_PENDING | 0x40);
	wait = d.hctx[1] + fake_offset(f, "blk_mq_hw_ctx.dispatch_wait.entry");
	fake_put_ptr(f, wait, fake_alloc(f, 16));
	fake_look(f);
	is_str(rec_str(f, hctx, 1, state), "STOPPED|SCHED_RESTART|5", "state");
	is_str(rec_str(f, hctx, 1, type), "read", "type");
	is_u64(rec_u64(f, hctx, 1, active), 31, "active");
	is_u64(rec_u64(f, hctx, 1, dispatch_busy), 7, "dispatch_busy");
	is_u64(rec_u64(f, hctx, 1, dispatch_wait), 1, "waits for a tag");
	is_str(rec_str(f, hctx, 1, run_work), "pending", "is to run");
	is_str(rec_str(f, hctx, 0, run_work), "idle", "the other one is not");
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.run_work.timer.entry.pprev", 1);
	fake_put_ptr(f, wait, 0);
	fake_look(f);
	is_str(rec_str(f, hctx, 1, run_work), "delayed", "is to run later");
	is_u64(rec_u64(f, hctx, 1, dispatch_wait), 0, "never set up");
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.type", 3);
	fake_look(f);
	is_str(rec_str(f, hctx, 1, type), "3", "a type without a name");
	is_u64(fake_faults(f, "impossible type"), 1, "and without lists");
	ok(!rec_has(f, hctx, 1, sw), "so none were counted");
	fake_free(f);
}

/* All hardware queues have a record, also those that only share tags. */
static void test_shared(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 4, .shared = true);
	fake_set(f, d.hctx[3], "blk_mq_hw_ctx.tags", 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "shared tags");
	is_u64(fake_count(f, R_hctx), 4, "shared tags: all hardware queues");
	ok(rec_has(f, hctx, 0, busy), "shared tags: with the first one");
	ok(!rec_has(f, hctx, 1, busy), "shared tags: and only there");
	ok(rec_has(f, hctx, 1, state), "shared tags: but states");
	ok(rec_has(f, hctx, 3, state), "no tags: a state");
	is_u64(rec_u64(f, looked, 0, tags), 64, "shared tags: looked at once");
	fake_free(f);
}

static void set_mask(u64 at, u64 bits)
{
	fake_put_ptr(f, at, bits);
}

/* Where a mask is: behind a pointer, in the structure, or who knows. */
static void test_mask(u32 cpus)
{
	struct fake_member *m;
	u64 at;

	f = fake_new(.cpus = cpus);
	fake_disk(f, &d, .name = "fda");
	m = fake_member(f, "blk_mq_hw_ctx.cpumask");
	at = d.hctx[0] + m->offset;
	set_mask(fake_get(f, at, 8), ~0ULL);
	fake_look(f);
	is_u64(rec_u64(f, hctx, 0, cpus), cpus, "pointer, %u CPUs", cpus);
	fake_free(f);

	f = fake_new(.cpus = cpus);
	fake_disk(f, &d, .name = "fda");
	fake_member(f, "blk_mq_hw_ctx.cpumask")->size = 1024;
	set_mask(at, 0xffffffffffffff05);
	fake_look(f);
	is_u64(rec_u64(f, hctx, 0, cpus), cpus == 4 ? 2 : cpus - 6,
	       "array, %u CPUs", cpus);
	fake_free(f);
}

static void set_size(const char *type, u32 size)
{
	u32 i;

	for (i = 0; i < f->nr_types; i++)
		if (!strcmp(f->type[i].type, type))
			f->type[i].size = size;
}

static void test_mask_of_a_word(void)
{
	u64 at;

	make(FAKE_PERCPU_CSD);
	set_size("cpumask", 8);
	fake_look(f);
	is_u64(rec_u64(f, hctx, 0, cpus), 4, "one word: a pointer");
	at = d.hctx[0] + fake_offset(f, "blk_mq_hw_ctx.cpumask");
	set_mask(at, 0xd);
	fake_look(f);
	is_u64(rec_u64(f, hctx, 0, cpus), 3, "one word: a mask");
	fake_free(f);
	make(FAKE_PERCPU_CSD);
	set_mask(at, 0xffff900000000000);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a mask not mapped");
	ok(!rec_has(f, hctx, 0, cpus), "a mask not mapped: no number");
	fake_free(f);
}

/* Other words and byte orders; more CPUs than bits in a word. */
static void test_words(u32 word, bool big)
{
	f = fake_new(.word = word, .big_endian = big, .cpus = 40);
	fake_disk(f, &d, .name = "fda", .sched_depth = 8);
	fake_offline(f, 33);
	fake_set(f, d.q, "request_queue.queue_flags", 1 << 9);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%u %d: answer", word, big);
	is_u64(rec_u64(f, hctx, 0, cpus), 40, "%u %d: CPUs", word, big);
	is_u64(rec_u64(f, hctx, 0, online), 39, "%u %d: online", word, big);
	is_str(rec_str(f, queue, 0, flags), "QUIESCED", "%u %d: flags", word,
	       big);
	is_u64(rec_u64(f, queue, 0, usage), 1, "%u %d: usage", word, big);
	is_str(rec_str(f, queue, 0, sched), "fake-deadline", "%u %d: sched",
	       word, big);
	fake_free(f);
}

static void test_bio(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "dm-0", .bio = true);
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 1);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "bio based: no faults");
	is_u64(rec_u64(f, queue, 0, freeze), 1, "bio based: freeze");
	is_u64(rec_u64(f, queue, 0, usage), 1, "bio based: usage");
	ok(!rec_has(f, queue, 0, sched), "bio based: no scheduler");
	ok(!rec_has(f, queue, 0, requeue), "bio based: no requeue list");
	fake_free(f);
}

/* The copy of a queue ends before the member, as on a kernel for debugging. */
static void test_long_queue(void)
{
	u64 q;

	make(FAKE_PERCPU_CSD);
	q = d.q;
	fake_member(f, "request_queue.mq_freeze_depth")->offset = 4000;
	fake_put(f, q + 4000, 4, 6);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, freeze), 6, "a member past the copy");
	fake_free(f);
}

/* Each fact that a kernel may lack, and the field that it costs. */
static const struct drop {
	const char *what;
	u32 type, field;
} drops[] = {
	{ "request_queue.queue_flags", R_queue, F_queue_flags },
	{ "request_queue.mq_freeze_depth", R_queue, F_queue_freeze },
	{ "request_queue.q_usage_counter.percpu_count_ptr", R_queue,
	  F_queue_mode },
	{ "request_queue.q_usage_counter.data", R_queue, F_queue_usage },
	{ "percpu_ref_data.count", R_queue, F_queue_usage },
	{ "request_queue.quiesce_depth", R_queue, F_queue_quiesce },
	{ "request_queue.pm_only", R_queue, F_queue_pm_only },
	{ "request_queue.rpm_status", R_queue, F_queue_rpm },
	{ "elevator_queue.type", R_queue, F_queue_sched },
	{ "elevator_type.elevator_name", R_queue, F_queue_sched },
	{ "request_queue.timeout.entry.pprev", R_queue, F_queue_timer },
	{ "request_queue.nr_requests", R_queue, F_queue_nr_requests },
	{ "request_queue.requeue_list", R_queue, F_queue_requeue },
	{ "request_queue.requeue_work.work.data", R_queue,
	  F_queue_requeue_work },
	{ "request_queue.flush_list", R_queue, F_queue_flush },
	{ "request.queuelist", R_queue, F_queue_requeue },
	{ "request.queuelist", R_hctx, F_hctx_sw },
	{ "blk_mq_hw_ctx.state", R_hctx, F_hctx_state },
	{ "blk_mq_hw_ctx.type", R_hctx, F_hctx_type },
	{ "blk_mq_hw_ctx.cpumask", R_hctx, F_hctx_cpus },
	{ "blk_mq_hw_ctx.nr_active", R_hctx, F_hctx_active },
	{ "blk_mq_hw_ctx.dispatch", R_hctx, F_hctx_dispatch },
	{ "blk_mq_hw_ctx.dispatch_wait.entry.next", R_hctx,
	  F_hctx_dispatch_wait },
	{ "blk_mq_hw_ctx.dispatch_busy", R_hctx, F_hctx_dispatch_busy },
	{ "blk_mq_hw_ctx.run_work.work.data", R_hctx, F_hctx_run_work },
	{ "blk_mq_hw_ctx.nr_ctx", R_hctx, F_hctx_sw },
	{ "blk_mq_hw_ctx.ctxs", R_hctx, F_hctx_sw },
	{ "blk_mq_ctx.rq_lists", R_hctx, F_hctx_sw },
	{ "blk_flush_queue.flush_queue", R_hctx, F_hctx_flush },
};

static void test_drop(const struct drop *drop)
{
	const char *what = drop->what;

	make(FAKE_PERCPU_CSD);
	ok(fake_look(f) == HANG_ANSWER_NONE &&
	   hang_rec_has(fake_rec(f, drop->type, 0), drop->field),
	   "%s: there is a field", what);
	fake_free(f);
	make(FAKE_PERCPU_CSD);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: answer", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	ok(!hang_rec_has(fake_rec(f, drop->type, 0), drop->field),
	   "no %s: no field", what);
	is_u64(fake_count(f, R_hctx), 2, "no %s: the rest", what);
	hang_lacks(f->w, &f->sink, true);
	ok(fake_count(f, R_lack) > 0, "no %s: which is told", what);
	fake_free(f);
}

/* Names that can't be had become numbers. */
static void test_no_names(void)
{
	make(FAKE_PERCPU_CSD);
	fake_drop(f, "blk_queue_flag_name");
	fake_drop(f, "hctx_state_name");
	fake_drop(f, "RPM_ACTIVE");
	fake_drop(f, "HCTX_TYPE_DEFAULT");
	fake_drop(f, "request_queue.requeue_work.timer.entry.pprev");
	fake_drop(f, "blk_mq_hw_ctx.run_work.timer.entry.pprev");
	fake_drop(f, "WORK_STRUCT_PENDING_BIT");
	fake_set(f, d.q, "request_queue.queue_flags", 1 << 1);
	fake_set(f, d.q, "request_queue.requeue_work.work.data", 1);
	fake_set(f, d.q, "request_queue.requeue_work.timer.entry.pprev", 1);
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.state", 1 << 3);
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.run_work.work.data", 1);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no names: answer");
	is_str(rec_str(f, queue, 0, flags), "1", "flags");
	is_str(rec_str(f, queue, 0, rpm), "7", "power state");
	is_str(rec_str(f, queue, 0, requeue_work), "pending", "no timer known");
	is_str(rec_str(f, hctx, 0, state), "3", "state");
	is_str(rec_str(f, hctx, 0, type), "1", "type");
	is_str(rec_str(f, hctx, 0, run_work), "pending", "no timer known");
	fake_free(f);
}

int main(void)
{
	int style;
	u32 i;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_healthy(style);
		test_hctx_healthy(style);
	}
	test_frozen();
	notes("request_queue.mq_freeze_depth", 1);
	notes("request_queue.quiesce_depth", 1);
	notes("request_queue.pm_only", 1);
	notes("request_queue.q_usage_counter.percpu_count_ptr", 3);
	test_usage(8);
	test_usage(4);
	test_usage_damaged();
	test_sched();
	test_hctx();
	test_shared();
	test_mask(4);
	test_mask(64);
	test_mask_of_a_word();
	test_words(4, false);
	test_words(4, true);
	test_words(8, true);
	test_bio();
	test_long_queue();
	for (i = 0; i < HANG_ARRAY_SIZE(drops); i++)
		test_drop(&drops[i]);
	test_no_names();
	return tap_end();
}
