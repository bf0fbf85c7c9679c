// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists on which requests wait: each request told with its place, each list
 * counted, and lists that loop, end nowhere or are longer than there is room.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

/* Those of any driver; t_loop.c has that of loop. */
static const char *const names[] = {
	"dispatch", "requeue", "sw", "flush", "flush-pending",
	"flush-running", "flush-queue", "flush-data",
};

static void make(enum fake_style style, u32 sched)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .hctxs = 3, .sched_depth = sched);
}

static u64 wait_at(u32 tag, u32 hctx, enum hang_place place)
{
	u64 rq = fake_rq(f, &d, .tag = d.sched_depth ? -1 : (int)tag,
			 .itag = tag, .hctx = hctx);

	fake_place(f, &d, hctx, rq, place);
	return rq;
}

/* The place of the request with that tag. */
static const char *place_of(int tag)
{
	u32 i;

	for (i = 0; i < fake_count(f, R_rq); i++)
		if (rec_u64(f, rq, i, tag) == (u64)tag ||
		    rec_u64(f, rq, i, itag) == (u64)tag)
			return rec_str(f, rq, i, at);
	return "no such request";
}

/* Those of schedulers are in t_sched.c. */
static bool style_has(enum fake_style style, u32 place)
{
	switch (place) {
	case HANG_AT_SCHED:
	case HANG_AT_SCHED_DISPATCH:
		return false;
	case HANG_AT_FLUSH:
		return style == FAKE_PERCPU_CSD;
	case HANG_AT_FLUSH_DATA:
		return style != FAKE_PERCPU_CSD;
	default:
		/* Only where the indexes can't be told. */
		return place != HANG_AT_FLUSH_QUEUE;
	}
}

static void test_places(enum fake_style style, u32 sched)
{
	const char *name = fake_style_name(style);
	u32 i;

	make(style, sched);
	for (i = 0; i < HANG_ARRAY_SIZE(names); i++)
		if (style_has(style, i))
			wait_at(10 + i, 2, i);
	fake_rq(f, &d, .tag = 30, .itag = 30, .hctx = 2,
		.state = FAKE_IN_FLIGHT);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no verdict", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	for (i = 0; i < HANG_ARRAY_SIZE(names); i++)
		if (style_has(style, i))
			is_str(place_of(10 + i), names[i], "%s: %s", name,
			       names[i]);
	is_str(place_of(30), "", "%s: the driver has it", name);
	is_u64(rec_u64(f, queue, 0, requeue), 1, "%s: requeued", name);
	is_u64(rec_u64(f, hctx, 2, dispatch), 1, "%s: to dispatch", name);
	is_u64(rec_u64(f, hctx, 2, sw), 1, "%s: on software queues", name);
	is_u64(rec_u64(f, hctx, 2, flush), 2, "%s: wait for a flush", name);
	is_u64(rec_u64(f, hctx, 1, sw), 0, "%s: none elsewhere", name);
	ok(hang_rec_is_notable(fake_rec(f, R_queue, 0)), "%s: noted", name);
	fake_free(f);
}

static void test_words(u32 word, bool big)
{
	u32 i;

	f = fake_new(.word = word, .big_endian = big);
	fake_disk(f, &d, .name = "fda");
	for (i = 0; i < HANG_ARRAY_SIZE(names); i++)
		if (style_has(FAKE_PERCPU_CSD, i))
			wait_at(10 + i, 0, i);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%u %d: answer", word, big);
	for (i = 0; i < HANG_ARRAY_SIZE(names); i++)
		if (style_has(FAKE_PERCPU_CSD, i))
			is_str(place_of(10 + i), names[i], "%u %d: %s", word,
			       big, names[i]);
	fake_free(f);
}

static void test_counts(void)
{
	make(FAKE_PERCPU_CSD, 0);
	wait_at(1, 0, HANG_AT_DISPATCH);
	wait_at(2, 0, HANG_AT_DISPATCH);
	wait_at(3, 1, HANG_AT_SW);
	wait_at(4, 1, HANG_AT_FLUSH);
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, dispatch), 3, "dispatch lists");
	is_u64(rec_u64(f, looked, 0, dispatch_empty), 2, "empty ones");
	is_u64(rec_u64(f, looked, 0, requeue), 1, "requeue lists");
	is_u64(rec_u64(f, looked, 0, requeue_empty), 1, "empty ones");
	is_u64(rec_u64(f, looked, 0, sw), 3 * FAKE_CTXS, "software queues");
	is_u64(rec_u64(f, looked, 0, sw_empty), 3 * FAKE_CTXS - 1,
	       "empty ones");
	is_u64(rec_u64(f, looked, 0, flush), 1 + 3 * 2, "flush lists");
	is_u64(rec_u64(f, looked, 0, flush_empty), 3 * 2, "empty ones");
	is_u64(rec_u64(f, hctx, 0, dispatch), 2, "two to dispatch");
	is_u64(rec_u64(f, queue, 0, flush), 1, "a flush to be sent");
	fake_look_again(f);
	is_u64(rec_u64(f, looked, 0, dispatch), 3, "each walk counts anew");
	fake_free(f);
}

/* A place is forgotten with its queue. */
static void test_two_disks(void)
{
	struct fake_disk e;

	make(FAKE_PERCPU_CSD, 0);
	fake_disk(f, &e, .name = "fdb", .with = &d, .hctxs = 3);
	wait_at(1, 0, HANG_AT_REQUEUE);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, requeue), 1, "the one that has it");
	is_u64(rec_u64(f, queue, 1, requeue), 0, "the one that has none");
	fake_free(f);
}

/* Tags are walked with the first hardware queue, lists with each. */
static void test_shared(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 4, .shared = true);
	wait_at(5, 3, HANG_AT_DISPATCH);
	fake_look(f);
	is_str(place_of(5), "dispatch", "shared tags: its place");
	is_u64(rec_u64(f, hctx, 3, dispatch), 1, "shared tags: its list");
	is_u64(rec_u64(f, hctx, 0, dispatch), 0, "shared tags: not that one");
	fake_free(f);
}

/* The flush request, which no tag owns, before it is sent. */
static void test_flush_request(void)
{
	make(FAKE_PERCPU_CSD, 0);
	fake_set(f, d.flush_rq[1], "request.mq_hctx", d.hctx[1]);
	fake_place(f, &d, 1, d.flush_rq[1], HANG_AT_FLUSH);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "a flush to be sent: shown");
	is_u64(rec_u64(f, rq, 0, addr), d.flush_rq[1], "it is that one");
	is_str(rec_str(f, rq, 0, at), "flush", "and where it is");
	is_str(rec_str(f, rq, 0, stage), "allocated", "its stage");
	fake_free(f);
}

static u64 dispatch(u32 hctx)
{
	return d.hctx[hctx] + fake_offset(f, "blk_mq_hw_ctx.dispatch");
}

static void test_loop(void)
{
	u64 node = fake_offset(f = fake_new(), "request.queuelist");
	u64 a, c;

	fake_free(f);
	make(FAKE_PERCPU_CSD, 0);
	a = wait_at(1, 0, HANG_AT_DISPATCH) + node;
	wait_at(2, 0, HANG_AT_DISPATCH);
	c = wait_at(3, 0, HANG_AT_DISPATCH) + node;
	wait_at(9, 1, HANG_AT_DISPATCH);
	fake_put_ptr(f, c, a);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a list loops: unclear");
	is_u64(fake_faults(f, "loops"), 1, "a list loops: one fault");
	is_str(rec_str(f, fault, 0, disk), "fda", "charged to the disk");
	is_str(rec_str(f, fault, 0, what), "dispatch", "with the list's name");
	is_u64(rec_u64(f, hctx, 0, dispatch), 3, "each request counts once");
	is_str(place_of(3), "dispatch", "and has its place");
	is_str(place_of(9), "dispatch", "and so have the others");
	is_u64(rec_u64(f, looked, 0, dispatch_empty), 1, "nor is it empty");
	fake_put_ptr(f, c, c);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "the last one loops");
	is_u64(rec_u64(f, hctx, 0, dispatch), 3, "the last one counts once");
	fake_free(f);
}

static void test_nowhere(void)
{
	u64 node = fake_offset(f = fake_new(), "request.queuelist");
	u64 a;

	fake_free(f);
	make(FAKE_PERCPU_CSD, 0);
	a = wait_at(1, 0, HANG_AT_DISPATCH);
	fake_put_ptr(f, a + node, fake_nowhere(f, -EFAULT));
	fake_put_ptr(f, dispatch(1), 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a list ends nowhere");
	is_u64(fake_faults(f, "not mapped"), 1, "not mapped: fault");
	is_u64(fake_faults(f, "null pointer"), 1, "null pointer: fault");
	is_str(place_of(1), "dispatch", "what was found is kept");
	ok(!rec_has(f, hctx, 1, dispatch), "what is not known is not zero");
	ok(rec_has(f, hctx, 2, dispatch), "the next one is");
	is_u64(fake_count(f, R_rq), 1, "requests are found by their tags");
	fake_free(f);
}

static void test_rubbish(const char *spec, u64 value)
{
	make(FAKE_PERCPU_CSD, 0);
	wait_at(1, 2, HANG_AT_DISPATCH);
	fake_set(f, d.hctx[1], spec, value);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s %#llx", spec, value);
	ok(fake_count(f, R_fault) > 0, "%s: fault", spec);
	is_str(place_of(1), "dispatch", "%s: the next one", spec);
	is_u64(fake_count(f, R_hctx), 3, "%s: all of them", spec);
	fake_free(f);
}

/* What a damaged list costs is the list; tags are walked all the same. */
static void test_long(void)
{
	u32 i;

	make(FAKE_PERCPU_CSD, 0);
	for (i = 0; i < 60; i++)
		wait_at(i, 0, HANG_AT_REQUEUE);
	fake_look(f);
	is_u64(rec_u64(f, queue, 0, requeue), 60, "60 requests");
	f->w->cfg.list_max = 40;
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "60 requests, 40 at most");
	is_u64(rec_u64(f, queue, 0, requeue), 40, "40 of them are counted");
	is_u64(rec_u64(f, looked, 0, left_out), 1, "and something left out");
	is_u64(fake_count(f, R_rq), 60, "all are shown");
	fake_free(f);
}

/* More requests on lists than there is room to remember. */
static void test_full(void)
{
	u32 n = 3200, i;
	u64 rq;

	make(FAKE_PERCPU_CSD, 0);
	for (i = 0; i < n; i++) {
		rq = fake_new_of(f, "request");
		fake_place(f, &d, 0, rq, HANG_AT_REQUEUE);
	}
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no room for all: unclear");
	ok(!rec_has(f, queue, 0, requeue), "no room: no count");
	ok(!rec_has(f, hctx, 0, dispatch), "no room: nor any other");
	/* 4096 places, a quarter of them kept free; one more for the count. */
	is_u64(rec_u64(f, looked, 0, left_out), n - 3072 + 1,
	       "no room: left out");
	fake_free(f);
}

/* On a running kernel a list may change while it is walked. */
static void test_live(int after, u32 faults)
{
	u64 node;

	make(FAKE_PERCPU_CSD, 0);
	node = wait_at(1, 0, HANG_AT_DISPATCH) +
	       fake_offset(f, "request.queuelist");
	fake_live(f, NULL);
	/* It loops, until it has been read so often. */
	fake_put_ptr(f, node, node);
	fake_mend(f, node, dispatch(0), after);
	fake_look(f);
	is_u64(fake_count(f, R_fault), faults, "mended after %d: faults",
	       after);
	is_u64(rec_u64(f, hctx, 0, dispatch), 1, "mended after %d: count",
	       after);
	is_u64(rec_u64(f, looked, 0, left_out), 0, "mended after %d: complete",
	       after);
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_places(style, 0);
		test_places(style, 64);
	}
	test_words(4, false);
	test_words(8, true);
	test_counts();
	test_two_disks();
	test_shared();
	test_flush_request();
	test_loop();
	test_nowhere();
	test_rubbish("blk_mq_hw_ctx.nr_ctx", 0xffff);
	test_rubbish("blk_mq_hw_ctx.ctxs", 0xffffffff12345000);
	test_rubbish("blk_mq_hw_ctx.ctxs", 0);
	test_rubbish("blk_mq_hw_ctx.type", 0xff);
	test_rubbish("blk_mq_hw_ctx.fq", 0xffffffff12345000);
	test_long();
	test_full();
	test_live(1, 0);
	test_live(2, 0);
	test_live(1000, 1);
	return tap_end();
}
