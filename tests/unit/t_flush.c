// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flush queues: which requests wait for a flush to be sent and which for it to
 * end, data requests on their way, the flush request itself and the one that
 * lends it its tag.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static void make(enum fake_style style)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .hctxs = 3);
}

static u64 wait_at(u32 tag, u32 hctx, enum hang_place place)
{
	u64 rq = fake_rq(f, &d, .tag = tag, .itag = -1, .hctx = hctx);

	fake_place(f, &d, hctx, rq, place);
	return rq;
}

/* The flush is with the driver, under the tag of one that waits for it. */
static void send_flush(u32 hctx, u32 tag)
{
	u64 rq = d.flush_rq[hctx];

	fake_set(f, rq, "request.mq_hctx", d.hctx[hctx]);
	fake_set(f, rq, "request.mq_ctx", d.ctx[hctx][0]);
	fake_set(f, rq, "request.state", FAKE_IN_FLIGHT);
	fake_set(f, rq, "request.tag", tag);
	fake_set(f, rq, "request.cmd_flags", 2);
	fake_put_ptr(f, d.tags[hctx].rqs + tag * f->t.word, rq);
	fake_flush_idx(f, d.fq[hctx], 1, 0);
}

/* Requests of that address, and the place of the last. */
static u32 met(u64 rq, const char **at)
{
	u32 n = 0;
	u32 i;

	*at = "";
	for (i = 0; i < fake_count(f, R_rq); i++) {
		if (rec_u64(f, rq, i, addr) != rq)
			continue;
		*at = rec_str(f, rq, i, at);
		n++;
	}
	return n;
}

static bool is_noted(u32 hctx)
{
	return hang_rec_is_notable(fake_rec(f, R_flush, hctx));
}

static void test_healthy(enum fake_style style)
{
	const char *name = fake_style_name(style);
	bool list = style != FAKE_PERCPU_CSD;

	make(style);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no verdict", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	is_u64(fake_count(f, R_flush), 3, "%s: each has one", name);
	ok(!is_noted(0), "%s: not noted", name);
	ok(rec_has(f, flush, 0, pending), "%s: none pending", name);
	ok(rec_has(f, flush, 0, running), "%s: none running", name);
	ok(rec_has(f, flush, 0, data), "%s: no data", name);
	ok(!rec_has(f, flush, 0, tag), "%s: nothing is sent", name);
	ok(!rec_has(f, flush, 0, since), "%s: nothing waits", name);
	is_u64(rec_u64(f, looked, 0, flush), list ? 3 * 3 : 1 + 3 * 2,
	       "%s: lists", name);
	is_u64(rec_u64(f, looked, 0, flush_empty), list ? 3 * 3 : 1 + 3 * 2,
	       "%s: all of them empty", name);
	fake_free(f);
}

/* One that flushes, two that wait for the next flush, data on its way. */
static void test_full(enum fake_style style)
{
	const char *name = fake_style_name(style), *at;
	bool list = style != FAKE_PERCPU_CSD;
	u64 lender, data;

	make(style);
	lender = wait_at(5, 1, HANG_AT_FLUSH_RUNNING);
	wait_at(6, 1, HANG_AT_FLUSH_PENDING);
	wait_at(7, 1, HANG_AT_FLUSH_PENDING);
	data = fake_rq(f, &d, .tag = 8, .hctx = 1, .state = FAKE_IN_FLIGHT);
	if (list)
		fake_place(f, &d, 1, data, HANG_AT_FLUSH_DATA);
	else
		fake_set(f, d.fq[1], "blk_flush_queue.flush_data_in_flight", 1);
	send_flush(1, 5);
	fake_set(f, d.fq[1], "blk_flush_queue.flush_pending_since",
		 f->jiffies - 3 * FAKE_HZ);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no verdict", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	ok(is_noted(1) && !is_noted(0), "%s: the one that is noted", name);
	is_u64(rec_u64(f, flush, 1, hctx), 1, "%s: its hctx", name);
	is_u64(rec_u64(f, flush, 1, pending), 2, "%s: pending", name);
	is_u64(rec_u64(f, flush, 1, running), 1, "%s: running", name);
	is_u64(rec_u64(f, flush, 1, data), 1, "%s: data", name);
	is_u64(rec_u64(f, flush, 1, pending_idx), 1, "%s: pending_idx", name);
	is_u64(rec_u64(f, flush, 1, running_idx), 0, "%s: running_idx", name);
	is_u64(rec_u64(f, flush, 1, tag), 5, "%s: tag", name);
	is_u64(rec_u64(f, flush, 1, itag), -1, "%s: itag", name);
	is_u64(rec_u64(f, flush, 1, state), FAKE_IN_FLIGHT, "%s: state", name);
	is_u64(rec_u64(f, flush, 1, since), 3 * SEC, "%s: since", name);
	is_u64(rec_u64(f, flush, 1, addr), d.fq[1], "%s: addr", name);
	is_u64(rec_u64(f, hctx, 1, flush), 3, "%s: all that wait", name);
	is_u64(fake_count(f, R_rq), 5, "%s: all requests", name);
	is_u64(met(lender, &at), 1, "%s: the lender, once", name);
	is_str(at, "flush-running", "%s: its place", name);
	is_u64(met(d.flush_rq[1], &at), 1, "%s: the flush, once", name);
	is_str(at, "", "%s: the driver has it", name);
	is_u64(met(data, &at), 1, "%s: data, once", name);
	is_str(at, list ? "flush-data" : "", "%s: its place", name);
	is_u64(rec_u64(f, total, 0, allocated), 3, "%s: allocated", name);
	is_u64(rec_u64(f, total, 0, issued), 2, "%s: issued", name);
	is_u64(rec_u64(f, looked, 0, flush_empty), list ? 6 : 5,
	       "%s: empty ones", name);
	fake_free(f);
}

/* Both lists, by both indexes. */
static void test_idx(u32 word, bool big, u32 pending, u32 running)
{
	f = fake_new(.word = word, .big_endian = big);
	fake_disk(f, &d, .name = "fda");
	wait_at(1, 0, HANG_AT_FLUSH_RUNNING);
	wait_at(2, 0, HANG_AT_FLUSH_PENDING);
	wait_at(3, 0, HANG_AT_FLUSH_PENDING);
	fake_flush_idx(f, d.fq[0], pending, running);
	fake_set(f, d.fq[0], "blk_flush_queue.flush_pending_since",
		 f->jiffies - FAKE_HZ);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%u %d %u %u: answer", word, big,
	       pending, running);
	is_u64(rec_u64(f, flush, 0, pending), pending ? 2 : 1, "pending");
	is_u64(rec_u64(f, flush, 0, running), pending ? 1 : 2, "running");
	is_u64(rec_u64(f, flush, 0, pending_idx), pending, "pending_idx");
	is_u64(rec_u64(f, flush, 0, running_idx), running, "running_idx");
	is_u64(rec_u64(f, flush, 0, since), SEC, "since");
	ok(rec_has(f, flush, 0, state) == (pending != running),
	   "the flush request is in use while they differ");
	fake_free(f);
}

/* Jiffies of 32 bits have wrapped around, and those just read may be late. */
static void test_since(void)
{
	f = fake_new(.word = 4);
	fake_disk(f, &d, .name = "fda");
	wait_at(2, 0, HANG_AT_FLUSH_PENDING);
	fake_time(f, f->now, 5);
	fake_set(f, d.fq[0], "blk_flush_queue.flush_pending_since",
		 (u32)(5 - 2 * FAKE_HZ));
	fake_look(f);
	is_u64(rec_u64(f, flush, 0, since), 2 * SEC, "jiffies wrap around");
	fake_set(f, d.fq[0], "blk_flush_queue.flush_pending_since", 6);
	fake_look(f);
	ok(rec_has(f, flush, 0, since), "it began after the clock was read");
	is_u64(rec_u64(f, flush, 0, since), 0, "since then no time");
	fake_free(f);
}

/* A data request has the place of the list where it waits, if it does. */
static void test_data(void)
{
	const char *at;
	u64 a, b;

	make(FAKE_LIST_HEAD);
	a = wait_at(1, 0, HANG_AT_REQUEUE);
	fake_place(f, &d, 0, a, HANG_AT_FLUSH_DATA);
	b = wait_at(2, 0, HANG_AT_DISPATCH);
	fake_place(f, &d, 0, b, HANG_AT_FLUSH_DATA);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "data: answer");
	is_u64(rec_u64(f, flush, 0, data), 2, "data: both");
	is_u64(met(a, &at), 1, "data: once");
	is_str(at, "requeue", "data: to be requeued");
	is_u64(met(b, &at), 1, "data: once");
	is_str(at, "dispatch", "data: to be dispatched");
	is_u64(rec_u64(f, queue, 0, requeue), 1, "data: requeue");
	is_u64(rec_u64(f, hctx, 0, dispatch), 1, "data: dispatch");
	is_u64(rec_u64(f, hctx, 0, flush), 0, "data: not for a flush");
	/* It loops. */
	fake_put_ptr(f, b + fake_offset(f, "request.flush.list"),
		     a + fake_offset(f, "request.flush.list"));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "data loops: unclear");
	is_u64(fake_faults(f, "loops"), 1, "data loops: one fault");
	is_u64(rec_u64(f, flush, 0, data), 2, "data loops: each once");
	fake_free(f);
}

/* A flush that waits to be sent, of a queue with one set of tags for all. */
static void test_shared(void)
{
	const char *at;
	u64 rq;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 4, .shared = true);
	rq = wait_at(5, 2, HANG_AT_FLUSH_RUNNING);
	fake_set(f, d.flush_rq[2], "request.mq_hctx", d.hctx[2]);
	fake_set(f, d.flush_rq[2], "request.tag", 5);
	fake_flush_idx(f, d.fq[2], 1, 0);
	fake_place(f, &d, 2, d.flush_rq[2], HANG_AT_FLUSH);
	fake_look(f);
	is_u64(met(rq, &at), 1, "shared tags, to be sent: the lender");
	is_u64(met(d.flush_rq[2], &at), 1, "shared tags, to be sent: once");
	is_str(at, "flush", "shared tags, to be sent: its place");
	is_u64(rec_u64(f, flush, 2, tag), 5, "shared tags: the tag");
	is_u64(rec_u64(f, flush, 2, state), 0, "shared tags: not sent");
	fake_list_init(f, d.q + fake_offset(f, "request_queue.flush_list"));
	fake_set(f, d.flush_rq[2], "request.state", FAKE_IN_FLIGHT);
	fake_put_ptr(f, d.tags[0].rqs + 5 * f->t.word, d.flush_rq[2]);
	fake_look(f);
	is_u64(met(rq, &at), 1, "shared tags, sent: the lender");
	is_u64(met(d.flush_rq[2], &at), 1, "shared tags, sent: once");
	is_u64(fake_count(f, R_rq), 2, "shared tags, sent: these two");
	fake_free(f);
}

/* With a scheduler the flush request has a driver tag of its own. */
static void test_sched(void)
{
	const char *at;
	u64 rq;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .sched_depth = 32);
	rq = fake_rq(f, &d, .tag = -1, .itag = 20);
	fake_place(f, &d, 0, rq, HANG_AT_FLUSH_RUNNING);
	send_flush(0, 3);
	fake_tag_set(f, &d.tags[0], 3);
	fake_set(f, d.flush_rq[0], "request.internal_tag", 20);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 2, "scheduler: two requests");
	is_u64(met(rq, &at), 1, "scheduler: who waits");
	is_str(at, "flush-running", "scheduler: its place");
	is_u64(met(d.flush_rq[0], &at), 1, "scheduler: the flush");
	is_u64(rec_u64(f, flush, 0, tag), 3, "scheduler: its tag");
	is_u64(rec_u64(f, flush, 0, itag), 20, "scheduler: the one it borrows");
	fake_free(f);
}

/* Without rq_status nothing tells where the indexes are. */
static void test_no_idx(void)
{
	const char *at;
	u64 rq;

	make(FAKE_LIST_HEAD);
	fake_drop(f, "blk_flush_queue.rq_status");
	rq = wait_at(5, 1, HANG_AT_FLUSH_RUNNING);
	wait_at(6, 1, HANG_AT_FLUSH_PENDING);
	send_flush(1, 5);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no index: answer");
	is_u64(fake_count(f, R_fault), 0, "no index: no fault");
	is_u64(met(rq, &at), 1, "no index: the lender");
	is_str(at, "flush-queue", "no index: on either list");
	ok(!rec_has(f, flush, 1, pending), "no index: pending is unknown");
	ok(!rec_has(f, flush, 1, running), "no index: running is unknown");
	ok(!rec_has(f, flush, 1, since), "no index: nor since when");
	ok(!rec_has(f, flush, 1, pending_idx), "no index: none shown");
	is_u64(rec_u64(f, flush, 1, tag), 5, "no index: the flush request");
	ok(!rec_has(f, flush, 0, tag), "no index: at rest, by its state");
	is_u64(rec_u64(f, hctx, 1, flush), 2, "no index: both wait");
	is_u64(rec_u64(f, looked, 0, flush), 3 * 3, "no index: lists");
	is_u64(rec_u64(f, looked, 0, flush_empty), 3 * 3 - 2, "empty ones");
	fake_free(f);
}

/* A fact that a kernel may lack, and what it costs. */
static void test_drop(const char *what, u32 field)
{
	make(FAKE_PERCPU_CSD);
	wait_at(6, 0, HANG_AT_FLUSH_PENDING);
	fake_look(f);
	ok(hang_rec_has(fake_rec(f, R_flush, 0), field), "%s: a field", what);
	fake_free(f);
	make(FAKE_PERCPU_CSD);
	fake_drop(f, what);
	wait_at(6, 0, HANG_AT_FLUSH_PENDING);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: answer", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	ok(!hang_rec_has(fake_rec(f, R_flush, 0), field), "no %s: none", what);
	fake_free(f);
}

static void test_rubbish_idx(u32 bits)
{
	const char *at;
	u64 rq;

	make(FAKE_PERCPU_CSD);
	rq = wait_at(6, 1, HANG_AT_FLUSH_PENDING);
	fake_flush_bits(f, d.fq[1], bits);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "indexes %#x: unclear", bits);
	is_u64(fake_faults(f, "indexes"), 1, "indexes %#x: one fault", bits);
	ok(!rec_has(f, flush, 1, pending), "indexes %#x: pending", bits);
	ok(!rec_has(f, flush, 1, running), "indexes %#x: running", bits);
	is_u64(rec_u64(f, hctx, 1, flush), 1, "indexes %#x: it waits", bits);
	is_u64(met(rq, &at), 1, "indexes %#x: once", bits);
	is_str(at, "flush-queue", "indexes %#x: on either list", bits);
	ok(rec_has(f, flush, 0, pending), "indexes %#x: the others", bits);
	fake_free(f);
}

static void test_damage(void)
{
	make(FAKE_PERCPU_CSD);
	fake_set(f, d.fq[0], "blk_flush_queue.flush_data_in_flight", -1);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "count below zero: unclear");
	is_u64(fake_faults(f, "impossible"), 1, "count below zero: fault");
	ok(!rec_has(f, flush, 0, data), "count below zero: not shown");
	fake_free(f);

	make(FAKE_PERCPU_CSD);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.fq", fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no page: unclear");
	ok(fake_faults(f, "left out") > 0, "no page: fault");
	is_u64(fake_count(f, R_flush), 3, "no page: the others");
	ok(!is_noted(1), "no page: nothing to tell");
	ok(!rec_has(f, flush, 1, pending), "no page: not known");
	ok(!rec_has(f, flush, 1, data), "no page: not known");
	fake_free(f);

	make(FAKE_PERCPU_CSD);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.fq", 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no flush queue: answer");
	is_u64(fake_count(f, R_flush), 2, "no flush queue: the others");
	fake_free(f);

	make(FAKE_PERCPU_CSD);
	fake_put_ptr(f, fake_flush_head(f, d.fq[0], HANG_AT_FLUSH_PENDING), 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a list ends: unclear");
	ok(!rec_has(f, flush, 0, pending), "a list ends: pending is unknown");
	ok(rec_has(f, flush, 0, running), "a list ends: the other is known");
	ok(!rec_has(f, hctx, 0, flush), "a list ends: how many is unknown");
	fake_free(f);
}

int main(void)
{
	int style, i;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_healthy(style);
		test_full(style);
	}
	for (i = 0; i < 16; i++)
		test_idx(i & 8 ? 4 : 8, i & 4, i >> 1 & 1, i & 1);
	test_since();
	test_data();
	test_shared();
	test_sched();
	test_no_idx();
	test_drop("blk_flush_queue.flush_pending_since", F_flush_since);
	test_drop("blk_flush_queue.flush_data_in_flight", F_flush_data);
	test_rubbish_idx(0xff);
	test_rubbish_idx(0x04);
	test_damage();
	return tap_end();
}
