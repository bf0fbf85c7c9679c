// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * I/O schedulers: which requests they hold and where, what they count, and
 * what a damaged one does to all else, which is nothing.
 */
#include "fake.h"
#include "sched_base.h"

#define RT 2
#define BE 0
#define IDLE 1

#define READ 3
#define WRITE 1
#define OTHER 2

static void dd_stats(u32 prio, u32 inserted, u32 merged, u32 dispatched,
		     u32 completed)
{
	u64 base = fake_dd_prio(f, &d, prio);

	fake_set(f, base, "dd_per_prio.stats.inserted", inserted);
	fake_set(f, base, "dd_per_prio.stats.merged", merged);
	fake_set(f, base, "dd_per_prio.stats.dispatched", dispatched);
	fake_set(f, base, "dd_per_prio.stats.completed", completed);
}

static u64 dd_fifo(u32 prio, u32 dir)
{
	return fake_list_at(f, fake_dd_prio(f, &d, prio),
			    "dd_per_prio.fifo_list", dir);
}

static void fill_deadline(void)
{
	add(0, dd_fifo(RT, 0));
	add(0, dd_fifo(BE, 0));
	add(1, dd_fifo(BE, 0));
	add(0, dd_fifo(BE, 1));
	add(1, dd_fifo(IDLE, 1));
	dd_stats(BE, 10, 2, 6, 5);
}

static void test_deadline(u32 word, bool big)
{
	make_on("mq-deadline", word, big);
	fake_drop(f, "deadline_data.dispatch");
	fill_deadline();
	add(1, fake_list_at(f, fake_dd_prio(f, &d, RT), "dd_per_prio.dispatch",
			    0));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%u: answer", word);
	is_u64(fake_count(f, R_fault), 0, "%u: no fault", word);
	is_u64(fake_count(f, R_sched), 3, "%u: a record each", word);
	is_u64(get("rt", 0, reads), 1, "%u: rt reads", word);
	is_u64(get("rt", 0, writes), 0, "%u: rt writes", word);
	is_u64(get("rt", 0, dispatch), 1, "%u: rt dispatch", word);
	is_u64(get("be", 0, queued), 3, "%u: be", word);
	is_u64(get("be", 0, reads), 2, "%u: be reads", word);
	is_u64(get("be", 0, writes), 1, "%u: be writes", word);
	is_u64(get("be", 0, dispatch), 0, "%u: be dispatch", word);
	is_u64(get("be", 0, driver), 3, "%u: be with the driver", word);
	is_u64(get("be", 0, inserted), 10, "%u: inserted", word);
	is_u64(get("be", 0, merged), 2, "%u: merged", word);
	is_u64(get("be", 0, dispatched), 6, "%u: dispatched", word);
	is_u64(get("be", 0, completed), 5, "%u: completed", word);
	is_u64(get("idle", 0, queued), 1, "%u: idle", word);
	ok(!has("be", 0, hctx) && !has("be", 0, pid), "%u: of all", word);
	is_u64(fake_at(f, "sched"), 5, "%u: requests at sched", word);
	is_u64(fake_at(f, "sched-dispatch"), 1, "%u: and to dispatch", word);
	is_u64(rec_u64(f, looked, 0, sched), 9, "%u: lists", word);
	is_u64(rec_u64(f, looked, 0, sched_empty), 4, "%u: empty", word);
	fake_free(f);
}

/* One dispatch list for all. */
static void test_deadline_common(void)
{
	make("mq-deadline");
	fake_drop(f, "dd_per_prio.dispatch");
	fill_deadline();
	add(0, fake_list_at(f, d.sched_data, "deadline_data.dispatch", 0));
	fake_look(f);
	is_u64(fake_count(f, R_sched), 4, "common: one more record");
	is_u64(get("all", 0, dispatch), 1, "common: dispatch");
	ok(!has("all", 0, queued), "common: no fifos");
	ok(!has("be", 0, dispatch), "common: none for a priority");
	is_u64(get("be", 0, queued), 3, "common: which has fifos");
	is_u64(fake_at(f, "sched-dispatch"), 1, "common: its place");
	fake_free(f);
}

/* No priorities. */
static void test_deadline_old(void)
{
	f = fake_new();
	fake_drop(f, "deadline_data.per_prio");
	fake_drop(f, "dd_per_prio");
	fake_drop(f, "dd_per_prio.fifo_list");
	fake_drop(f, "dd_per_prio.dispatch");
	fake_disk(f, &d, .name = "fda", .sched_depth = 64);
	fake_sched(f, &d, "mq-deadline");
	next_tag = 0;
	add(0, fake_list_at(f, d.sched_data, "deadline_data.fifo_list", 1));
	add(0, fake_list_at(f, d.sched_data, "deadline_data.dispatch", 0));
	fake_look(f);
	is_u64(fake_count(f, R_sched), 1, "old: one record");
	is_u64(get("all", 0, writes), 1, "old: writes");
	is_u64(get("all", 0, queued), 1, "old: queued");
	is_u64(get("all", 0, dispatch), 1, "old: dispatch");
	ok(!has("all", 0, inserted), "old: nothing is counted");
	fake_free(f);
}

static void test_deadline_counts(void)
{
	make("mq-deadline");
	/* They wrap, and what was merged leaves no one with the driver. */
	dd_stats(RT, 3, 0, 0xfffffffe, 0xfffffffe);
	dd_stats(BE, 3, 1, 0xffffffff, 2);
	dd_stats(IDLE, 3, 0, 1, 2);
	fake_look(f);
	ok(!hang_rec_is_notable(fake_sched_rec(f, "rt", 0)), "none: not noted");
	is_u64(get("be", 0, driver), (u64)-2, "wrapped");
	is_u64(get("idle", 0, driver), (u64)-1, "less than none");
	ok(hang_rec_is_notable(fake_sched_rec(f, "idle", 0)), "which is noted");
	fake_drop(f, "DD_IDLE_PRIO");
	hang_layout_resolve(&f->w->layout, &f->t, true);
	fake_look(f);
	is_u64(get("1", 0, driver), (u64)-1, "one without a name");
	fake_free(f);
}

static void test_deadline_damaged(void)
{
	u64 node = fake_offset(f = fake_new(), "request.queuelist");
	u64 a, b;

	fake_free(f);
	make("mq-deadline");
	add(0, dd_fifo(RT, 0));
	a = add(0, dd_fifo(BE, 0)) + node;
	b = add(0, dd_fifo(BE, 0)) + node;
	fake_put_ptr(f, b, a);
	fake_put_ptr(f, dd_fifo(BE, 1), 0);
	add(0, dd_fifo(IDLE, 0));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "damaged: unclear");
	is_u64(fake_faults(f, "loops"), 1, "one list loops");
	is_u64(fake_faults(f, "null pointer"), 1, "one ends nowhere");
	is_str(rec_str(f, fault, 0, what), "sched", "by name");
	is_u64(get("be", 0, reads), 2, "each counts once");
	ok(!has("be", 0, writes), "what is unknown is not zero");
	is_u64(get("be", 0, queued), 2, "two, or more");
	is_u64(get("idle", 0, queued), 1, "the next is well");
	is_u64(fake_at(f, "sched"), 4, "and all requests have their place");
	is_u64(rec_u64(f, looked, 0, sched), 6 + 3 + 1, "lists");
	is_u64(rec_u64(f, looked, 0, sched_empty), 6 + 3 + 1 - 4, "empty ones");
	fake_set(f, d.elevator, "elevator_queue.elevator_data",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "unreadable: unclear");
	is_u64(fake_count(f, R_rq), 4, "unreadable: requests are there");
	is_u64(fake_at(f, "sched"), 0, "unreadable: but not their place");
	fake_set(f, d.elevator, "elevator_queue.elevator_data", 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no data: unclear");
	is_u64(fake_faults(f, "no address"), 1, "no data: one fault");
	is_u64(fake_count(f, R_fault), 1, "no data: no other");
	fake_free(f);
}

/* One empty list, and one of which nothing is known, are not none. */
static void test_deadline_half(void)
{
	make("mq-deadline");
	fake_put_ptr(f, dd_fifo(IDLE, 1), 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "half: unclear");
	is_u64(get("idle", 0, reads), 0, "half: no reads");
	ok(has("idle", 0, reads) && !has("idle", 0, writes), "half: writes");
	ok(!has("idle", 0, queued), "half: no sum");
	ok(has("be", 0, queued), "half: another has one");
	fake_free(f);
}

/* Where nothing is known, nothing is looked at. */
static void test_unknown(const char *drop, const char *name)
{
	make(name);
	if (drop)
		fake_drop(f, drop);
	else
		fake_set(f, fake_field(f, d.elevator, "elevator_queue.type"),
			 "elevator_type.elevator_name", fake_string(f, "bfq2"));
	add(0, d.hctx[0] + fake_offset(f, "blk_mq_hw_ctx.dispatch"));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: answer", drop);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", drop);
	is_u64(fake_count(f, R_sched), 0, "no %s: no record", drop);
	is_u64(rec_u64(f, looked, 0, sched), 0, "no %s: no list", drop);
	is_u64(fake_count(f, R_rq), 1, "no %s: its request", drop);
	fake_free(f);
}

static void test_none(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_look(f);
	is_u64(fake_count(f, R_sched), 0, "none: no record");
	is_u64(rec_u64(f, looked, 0, sched), 0, "none: no list");
	fake_free(f);
}

/* Nor does it cost anything. */
static void test_none_reads(void)
{
	int reads;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_look(f);
	reads = f->reads;
	fake_look(f);
	reads = f->reads - reads;
	fake_drop(f, "elevator_queue.elevator_data");
	hang_layout_resolve(&f->w->layout, &f->t, true);
	f->reads = 0;
	fake_look(f);
	is_u64(f->reads, reads, "none: nothing is read");
	fake_free(f);
}

static u64 khd(u32 hctx)
{
	return fake_field(f, d.hctx[hctx], "blk_mq_hw_ctx.sched_data");
}

static u64 kcq_list(u32 hctx, u32 ctx, u32 domain)
{
	return fake_list_at(f, fake_kcq(f, &d, hctx, ctx),
			    "kyber_ctx_queue.rq_list", domain);
}

static void test_kyber(u32 word, bool big)
{
	make_on("kyber", word, big);
	add(0, fake_list_at(f, khd(0), "kyber_hctx_data.rqs", READ));
	add(0, kcq_list(0, 1, READ));
	add(1, kcq_list(1, 0, WRITE));
	add(1, kcq_list(1, 1, WRITE));
	fake_tokens(f, &d, OTHER, 7);
	fake_token_wait(f, &d, 1, OTHER);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "kyber %u: answer", word);
	is_u64(fake_count(f, R_fault), 0, "kyber %u: no fault", word);
	is_u64(fake_count(f, R_sched), 4 * 3, "kyber %u: records", word);
	is_u64(get("other", 0, tokens), 20, "kyber %u: tokens", word);
	is_u64(get("other", 0, taken), 7, "kyber %u: taken", word);
	ok(!has("other", 0, hctx), "kyber %u: of the disk", word);
	is_u64(get("discard", 0, taken), 0, "kyber %u: not taken", word);
	ok(!hang_rec_is_notable(fake_sched_rec(f, "discard", 0)),
	   "kyber %u: not noted", word);
	is_u64(get("read", 1, hctx), 0, "kyber %u: hctx", word);
	is_u64(get("read", 1, queued), 2, "kyber %u: both lists", word);
	is_u64(get("read", 1, waiting), 0, "kyber %u: no wait", word);
	is_u64(get("write", 1, queued), 0, "kyber %u: none there", word);
	is_u64(get("write", 2, hctx), 1, "kyber %u: other hctx", word);
	is_u64(get("write", 2, queued), 2, "kyber %u: its lists", word);
	is_u64(get("other", 1, waiting), 0, "kyber %u: does not wait", word);
	is_u64(get("other", 2, waiting), 1, "kyber %u: waits", word);
	ok(hang_rec_is_notable(fake_sched_rec(f, "other", 2)),
	   "kyber %u: noted", word);
	is_u64(fake_at(f, "sched"), 4, "kyber %u: requests", word);
	is_u64(rec_u64(f, looked, 0, sched), 2 * 4 * (1 + FAKE_CTXS),
	       "kyber %u: lists", word);
	is_u64(rec_u64(f, looked, 0, sched_empty), 2 * 4 * (1 + FAKE_CTXS) - 4,
	       "kyber %u: empty", word);
	fake_free(f);
}

static void test_kyber_damaged(void)
{
	make("kyber");
	add(0, kcq_list(0, 1, READ));
	add(1, kcq_list(1, 0, READ));
	fake_put_ptr(f, kcq_list(0, 0, READ), 0);
	fake_set(f,
		 d.sched_data +
			 fake_offset(f, "kyber_queue_data.domain_tokens") +
			 fake_offset(f, "sbitmap_queue.sb"),
		 "sbitmap.depth", 1 << 30);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "kyber damaged: unclear");
	is_u64(fake_faults(f, "null pointer"), 1, "kyber damaged: list");
	is_u64(fake_faults(f, "disagree"), 1, "kyber damaged: tokens");
	ok(!has("discard", 0, tokens), "kyber damaged: not shown");
	is_u64(get("read", 1, queued), 1, "kyber damaged: those that are seen");
	is_u64(get("read", 2, queued), 1, "kyber damaged: the next hctx");
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.sched_data",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no kyber data: unclear");
	is_u64(fake_at(f, "sched"), 1, "no kyber data: the next one's");
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.nr_ctx", 0xffff);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "rubbish ctxs: unclear");
	is_u64(fake_at(f, "sched"), 1, "rubbish ctxs: the next one's");
	fake_free(f);

	make("kyber");
	add(0, kcq_list(0, 1, READ));
	add(1, kcq_list(1, 1, READ));
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.nr_ctx", 0xffff);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "rubbish ctxs: unclear");
	is_u64(fake_count(f, R_sched), 4 * 2, "rubbish ctxs: left alone");
	is_u64(get("read", 1, hctx), 1, "rubbish ctxs: not the other one");
	fake_free(f);
}

/* So many domains, as the lists of hardware and software queues and tokens. */
static void test_kyber_types(u32 rqs, u32 kcq, u32 tokens)
{
	make("kyber");
	fake_member(f, "kyber_hctx_data.rqs")->size = rqs * 2 * f->t.word;
	fake_member(f, "kyber_ctx_queue.rq_list")->size = kcq * 2 * f->t.word;
	fake_member(f, "kyber_queue_data.domain_tokens")->size =
		tokens * fake_sizeof(f, "sbitmap_queue");
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%u %u %u: answer", rqs, kcq,
	       tokens);
	is_u64(fake_count(f, R_sched), 0, "%u %u %u: left alone", rqs, kcq,
	       tokens);
	fake_free(f);
}

int main(void)
{
	test_deadline(8, false);
	test_deadline(8, true);
	test_deadline(4, false);
	test_deadline_common();
	test_deadline_old();
	test_deadline_counts();
	test_deadline_damaged();
	test_deadline_half();
	test_unknown("elevator_queue.elevator_data", "mq-deadline");
	test_unknown("dd_per_prio", "mq-deadline");
	test_unknown("request.queuelist", "mq-deadline");
	test_unknown("bfq_queue.fifo", "bfq");
	test_unknown("bfq_queue", "bfq");
	test_unknown("kyber_ctx_queue", "kyber");
	test_unknown("blk_mq_hw_ctx.sched_data", "kyber");
	test_unknown(NULL, "bfq");
	test_none();
	test_none_reads();
	test_kyber(8, false);
	test_kyber(4, true);
	test_kyber_damaged();
	test_kyber_types(4, 3, 4);
	test_kyber_types(4, 4, 3);
	test_kyber_types(9, 9, 9);
	return tap_end();
}
