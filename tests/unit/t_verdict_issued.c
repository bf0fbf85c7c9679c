// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about requests that the driver has: whether anybody would time them
 * out. t_verdict.c and t_ring.c have those about where they are.
 */
#include "verdict_base.h"

static void timer(bool armed)
{
	fake_set(f, d.q, "request_queue.timeout.entry.pprev", armed ? d.q : 0);
}

static void test_dead(void)
{
	static const char id[] = "timeout-dead";

	make();
	issued(OLD);
	timer(false);
	is_it(id, "no timer");
	make();
	issued(OLD);
	is_it("device-owns-request", "a timer");
	make();
	issued(32 * SEC);
	timer(false);
	gone(id, "the deadline has only just passed");
	make();
	issued(OLD);
	timer(false);
	fake_set(f, d.q, "request_queue.timeout_work.data", FAKE_WORK_PENDING);
	is_it("device-owns-request", "the work is queued");
	make();
	issued(OLD);
	timer(false);
	fake_worker(f, "kworker/0:1H", 31, d.q +
		    fake_offset(f, "request_queue.timeout_work.data"));
	is_it("device-owns-request", "a worker is at it");
	make();
	issued(OLD);
	timer(false);
	fake_drop(f, "request_queue.timeout_work.data");
	is_it("device-owns-request", "the work is not known");
	make();
	fake_rq(f, &d, .hctx = 0, .tag = 7, .state = FAKE_IN_FLIGHT,
		.age = OLD, .rqf = FAKE_TIMED_OUT);
	timer(false);
	gone(id, "the driver was told, and has it");
	make();
	issued(OLD);
	timer(false);
	fake_stall(f, 0, 5 * SEC);
	gone(id, "a CPU is stalled");
}

static void test_in_freeze(void)
{
	make();
	issued(OLD);
	timer(false);
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 1);
	is_it("timeout-in-freeze", "no timer, and a freeze");
	make();
	issued(OLD);
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 1);
	is_it("device-owns-request", "a timer, and a freeze");
}

/* A request so old, whose deadline was put off and lies ahead, or not. */
static void put_off(u64 age, bool ahead)
{
	u64 rq;

	make();
	rq = fake_rq(f, &d, .hctx = 0, .tag = 7, .state = FAKE_IN_FLIGHT,
		     .age = age);
	if (ahead)
		fake_set(f, rq, "request.deadline", f->jiffies + FAKE_HZ);
}

static void test_rearmed(void)
{
	static const char id[] = "timeout-rearmed";

	put_off(301 * SEC, true);
	is_it(id, "ten times the timeout");
	put_off(301 * SEC, false);
	is_it("device-owns-request", "not put off");
	put_off(200 * SEC, true);
	is_it("device-owns-request", "not yet ten times");
	put_off(301 * SEC, true);
	fake_rq(f, &d, .hctx = 0, .tag = 8, .state = FAKE_IN_FLIGHT,
		.age = OLD);
	is_it("device-owns-request", "another that was not put off");
}

/* All tags of a hardware queue, by requests so old, of which one may be young. */
static void exhausted(u64 age, u64 slept, bool one_young)
{
	u32 i;

	make();
	for (i = 0; i < 16; i++)
		fake_rq(f, &d, .hctx = 1, .tag = i,
			.age = one_young && !i ? SEC : age);
	sleeper(fake_ws(f, &d.tags[1], false, 2), slept);
}

static void test_exhausted(void)
{
	static const char id[] = "tags-exhausted";

	exhausted(OLD, OLD, false);
	is_it(id, "all are taken");
	exhausted(OLD, YOUNG, false);
	gone(id, "nobody has waited for long");
	exhausted(OLD, OLD, true);
	is_it(id, "one is young, and is nowhere too");
	exhausted(OLD, OLD, false);
	fake_place(f, &d, 1, fake_rq(f, &d, .hctx = 1, .tag = 0, .age = SEC),
		   HANG_AT_DISPATCH);
	gone(id, "one is to be dispatched");
	exhausted(OLD, OLD, false);
	fake_tag_clear(f, &d.tags[1], 5);
	gone(id, "one is free");
	exhausted(OLD, OLD, false);
	issued(OLD);
	is_it("device-owns-request", "the device explains it");
}

int main(void)
{
	test_dead();
	test_in_freeze();
	test_rearmed();
	test_exhausted();
	return tap_end();
}
