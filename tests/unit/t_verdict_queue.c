// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about what waits above the driver. Each is made by its own fault on
 * a machine that has no other, and must be gone when one of its conditions is.
 */
#include "verdict_base.h"

/* Bits in this machine's array of names. */
#define STOPPED 0
#define INACTIVE 4
#define NAMELESS 5

static void state_of(u32 hctx, u32 bit)
{
	fake_set(f, d.hctx[hctx], "blk_mq_hw_ctx.state", 1 << bit);
}

static void quiesced_with(u64 age)
{
	make();
	fake_set(f, d.q, "request_queue.quiesce_depth", 1);
	left(HANG_AT_DISPATCH, age);
}

static void test_quiesced(void)
{
	static const char id[] = "queue-quiesced";

	quiesced_with(OLD);
	is_it(id, "quiesced");
	make();
	fake_set(f, d.q, "request_queue.quiesce_depth", 1);
	none("quiesced with nothing to do");
	quiesced_with(YOUNG);
	none("quiesced and young");
	quiesced_with(OLD);
	issued(SEC);
	none("the driver is at work");
	quiesced_with(OLD);
	issued(OLD);
	gone(id, "the device explains it");
	quiesced_with(OLD);
	fake_stall(f, 0, 5 * SEC);
	gone(id, "a CPU is stalled");
	quiesced_with(OLD);
	fake_set(f, d.q, "request_queue.quiesce_depth", 0);
	gone(id, "not quiesced");
}

static void test_not_run(void)
{
	static const char id[] = "queue-not-run";
	static const enum hang_place places[] = { HANG_AT_DISPATCH, HANG_AT_SW };
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(places); i++) {
		make();
		left(places[i], OLD);
		is_it(id, i ? "in a software queue" : "to be dispatched");
		make();
		left(places[i], YOUNG);
		none("young");
		make();
		left(places[i], OLD);
		issued(SEC);
		none("the driver is at work");
	}
	make();
	left(HANG_AT_DISPATCH, OLD);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.run_work.work.data",
		 FAKE_WORK_PENDING);
	gone(id, "it is to run");
	make();
	left(HANG_AT_DISPATCH, OLD);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.dispatch_wait.entry.next",
		 fake_alloc(f, 64));
	gone(id, "it waits for a tag");
	make();
	left(HANG_AT_DISPATCH, OLD);
	state_of(1, NAMELESS);
	gone(id, "its state has no name");
	make();
	left(HANG_AT_DISPATCH, OLD);
	fake_drop(f, "blk_mq_hw_ctx.run_work.work.data");
	gone(id, "whether it is to run is not known");
	make();
	fake_rq(f, &d, .hctx = 1, .tag = 3, .age = OLD);
	is_it("unknown", "a request on no list");
}

static void test_hctx_states(void)
{
	make();
	left(HANG_AT_SW, OLD);
	state_of(1, STOPPED);
	is_it("hctx-stopped", "stopped");
	make();
	left(HANG_AT_SW, OLD);
	state_of(0, STOPPED);
	gone("hctx-stopped", "it is another one");
	make();
	left(HANG_AT_DISPATCH, OLD);
	state_of(1, INACTIVE);
	is_it("hctx-inactive", "inactive");
	make();
	left(HANG_AT_DISPATCH, OLD);
	state_of(1, INACTIVE);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.cpumask", fake_alloc(f, 16));
	gone("hctx-inactive", "no CPU of it is online");
}

static void test_requeued(void)
{
	static const char id[] = "requeue-not-kicked";

	make();
	left(HANG_AT_REQUEUE, OLD);
	is_it(id, "requeued");
	make();
	left(HANG_AT_REQUEUE, YOUNG);
	none("requeued and young");
	make();
	left(HANG_AT_REQUEUE, OLD);
	fake_set(f, d.q, "request_queue.requeue_work.work.data",
		 FAKE_WORK_PENDING);
	gone(id, "its work is queued");
	make();
	left(HANG_AT_FLUSH_PENDING, OLD);
	is_it("flush-stalled", "a flush");
	make();
	left(HANG_AT_FLUSH_PENDING, OLD);
	issued(SEC);
	none("a flush behind another request");
}

static void plugged(u64 age, u64 slept)
{
	u64 task;

	make();
	task = fake_process(f, "tar", 77);
	fake_sleep(f, task, 2, 1, slept);
	fake_plug_add(f, fake_plug(f, task),
		      fake_rq(f, &d, .hctx = 1, .tag = 3, .age = age));
}

static void test_plug(void)
{
	plugged(OLD, OLD);
	is_it("plug-held", "plugged");
	plugged(OLD, SEC);
	gone("plug-held", "the task ran a second ago");
	plugged(YOUNG, YOUNG);
	none("plugged and young");
	plugged(OLD, OLD);
	fake_rq(f, &d, .hctx = 0, .tag = 5, .state = FAKE_IN_FLIGHT,
		.age = SEC);
	fake_look(f);
	is_u64(fake_count(f, R_verdict), 1, "behind: one answer");
	is_str(rec_str(f, verdict, 0, id), "no-hang", "behind: which");
	is_str(rec_str(f, verdict, 0, confidence), "medium", "behind: not sure");
	ok(strstr(rec_str(f, evidence, 0, text), "fda moves, but 1 request"),
	   "behind: it is said");
	fake_free(f);
}

static void tag_waiter(u64 slept)
{
	make();
	sleeper(fake_ws(f, &d.tags[1], false, 2), slept);
}

static void test_tags(void)
{
	tag_waiter(OLD);
	is_it("tag-wakeup-lost", "a waiter with all tags free");
	tag_waiter(YOUNG);
	none("it has not waited for long");
	tag_waiter(OLD);
	issued(SEC);
	none("a request will end");
	tag_waiter(OLD);
	fake_rq(f, &d, .hctx = 1, .tag = 4, .age = SEC);
	gone("tag-wakeup-lost", "not all are free");
	tag_waiter(SEC);
	fake_rq(f, &d, .hctx = 0, .tag = 4, .age = SEC);
	sleeper(fake_ws(f, &d.tags[0], false, 1), OLD);
	gone("tag-wakeup-lost", "he who waits long does so elsewhere");
}

/* A request to be dispatched, whose hardware queue waits for a tag. */
static void dispatch_waits(u64 age, bool others)
{
	u64 entry, rq;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .depth = 16,
		  .sched_depth = 32);
	rq = fake_rq(f, &d, .hctx = 1, .tag = -1, .itag = 3, .age = age);
	fake_place(f, &d, 1, rq, HANG_AT_DISPATCH);
	entry = d.hctx[1] + fake_offset(f, "blk_mq_hw_ctx.dispatch_wait");
	fake_set(f, entry, "wait_queue_entry.func",
		 fake_symbol_addr(f, "blk_mq_dispatch_wake"));
	fake_list_add_tail(f, fake_ws(f, &d.tags[1], false, 0),
			   entry + fake_offset(f, "wait_queue_entry.entry"));
	if (others)
		fake_rq(f, &d, .hctx = 1, .tag = 6, .itag = 6, .age = SEC);
}

static void test_dispatch_wait(void)
{
	dispatch_waits(OLD, false);
	is_it("tag-wakeup-lost", "to be handed out, with all tags free");
	dispatch_waits(OLD, true);
	gone("tag-wakeup-lost", "not all are free");
	dispatch_waits(YOUNG, false);
	none("not for long");
}

/* Other users of the tags: each may have but four of the sixteen. */
static void test_share(void)
{
	u32 batch;

	for (batch = 4; batch <= 8; batch += 4) {
		tag_waiter(OLD);
		fake_set(f, d.tags[1].addr, "blk_mq_tags.active_queues", 4);
		fake_set(f, fake_sbq(f, &d.tags[1], false),
			 "sbitmap_queue.wake_batch", batch);
		is_it(batch > 4 ? "tag-batch-above-share" : "tag-wakeup-lost",
		      batch > 4 ? "a batch above the share" : "as large");
	}
}

/* One who waits to enter; with a count of users, and flags of the counter. */
static void enter(u64 slept, u32 users, u32 dead)
{
	make();
	sleeper(fake_freeze_wq(f, &d), slept);
	fake_put_ptr(f, d.usage, users);
	fake_set(f, d.q, "request_queue.q_usage_counter.percpu_count_ptr",
		 d.usage_cpus | 1 | (dead ? 2 : 0));
}

static void frozen(u64 slept, u32 users)
{
	enter(slept, users, 1);
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 1);
}

static void test_frozen(void)
{
	frozen(OLD, 0);
	is_it("queue-frozen", "frozen");
	frozen(YOUNG, 0);
	none("frozen for a short time");
	frozen(OLD, 2);
	is_it("freeze-waits", "a freeze with users left");
	frozen(OLD, 2);
	issued(OLD);
	is_it("device-owns-request", "whose request the device has");
	frozen(OLD, 2);
	left(HANG_AT_REQUEUE, OLD);
	is_it("requeue-not-kicked", "whose request was requeued");
	enter(OLD, 0, 1);
	is_it("queue-ref-dead", "dead and not frozen");
	enter(SEC, 0, 1);
	fake_live(f, NULL);
	fake_look(f);
	is_u64(fake_verdicts(f, "queue-ref-dead"), 0, "dead once, in passing");
	fake_look_again(f);
	is_u64(fake_verdicts(f, "queue-ref-dead"), 1, "dead in two samples");
	fake_free(f);
	enter(OLD, 1, 0);
	none("a waiter that nothing explains");
}

static void test_pm(void)
{
	enter(OLD, 1, 0);
	fake_set(f, d.q, "request_queue.pm_only", 1);
	is_it("queue-pm-only", "for power management only");
	enter(OLD, 1, 0);
	fake_set(f, d.q, "request_queue.pm_only", 1);
	fake_set(f, d.q, "request_queue.rpm_status", 2);
	is_it("queue-suspended", "suspended");
	enter(OLD, 1, 0);
	fake_set(f, d.q, "request_queue.pm_only", 1);
	fake_set(f, d.q, "request_queue.rpm_status", FAKE_RPM_ACTIVE + 1);
	none("a power state that nobody knows");
	enter(YOUNG, 1, 0);
	fake_set(f, d.q, "request_queue.pm_only", 1);
	none("not for long");
}

static u64 throttled(u64 slept, u32 inflight)
{
	u64 wb;

	make();
	wb = fake_wbt(f, &d);
	fake_set(f, fake_rq_wait(f, wb, 0), "rq_wait.inflight", inflight);
	sleeper(fake_rq_wait(f, wb, 0) + fake_offset(f, "rq_wait.wait.head"),
		slept);
	return wb;
}

static void test_qos(void)
{
	u64 wb;

	throttled(OLD, (u32)-1);
	is_it("qos-negative-inflight", "less than nothing in flight");
	throttled(OLD, 0);
	is_it("qos-wakeup-lost", "nothing in flight");
	throttled(OLD, 4);
	none("a throttler that throttles");
	throttled(YOUNG, 0);
	none("not for long");
	wb = throttled(SEC, 0);
	fake_set(f, fake_rq_wait(f, wb, 1), "rq_wait.inflight", 4);
	sleeper(fake_rq_wait(f, wb, 1) + fake_offset(f, "rq_wait.wait.head"),
		OLD);
	none("he who waits long does so elsewhere");
}

int main(void)
{
	test_quiesced();
	test_not_run();
	test_hctx_states();
	test_requeued();
	test_plug();
	test_tags();
	test_dispatch_wait();
	test_share();
	test_frozen();
	test_pm();
	test_qos();
	return tap_end();
}
