// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * I/O schedulers: which requests they hold and where, what they count, and
 * what a damaged one does to all else, which is nothing.
 */
#include "fake.h"

#define RT 2
#define BE 0
#define IDLE 1

#define READ 3
#define WRITE 1
#define OTHER 2

static struct fake *f;
static struct fake_disk d;
static int next_tag;

static void make_on(const char *name, u32 word, bool big)
{
	f = fake_new(.word = word, .big_endian = big);
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .sched_depth = 64);
	fake_sched(f, &d, name);
	next_tag = 0;
}

static void make(const char *name)
{
	make_on(name, 8, false);
}

/* One more request with a scheduler tag, of that hardware queue. */
static u64 add(u32 hctx, u64 head)
{
	u64 rq = fake_rq(f, &d, .tag = -1, .itag = next_tag++, .hctx = hctx);

	fake_queue_on(f, head, rq);
	return rq;
}

/* How many requests are at that place. */
static u32 at(const char *place)
{
	u32 n = 0, i;

	for (i = 0; i < fake_count(f, R_rq); i++)
		n += !strcmp(rec_str(f, rq, i, at), place);
	return n;
}

/* The nth record of that part, or an empty one. */
static const struct hang_rec *part(const char *name, u32 n)
{
	static const struct hang_rec none;
	u32 i;

	for (i = 0; i < fake_count(f, R_sched); i++)
		if (!strcmp(rec_str(f, sched, i, part), name) && !n--)
			return fake_rec(f, R_sched, i);
	return &none;
}

#define get(name, n, field) hang_rec_get(part(name, n), F_sched_##field)
#define has(name, n, field) hang_rec_has(part(name, n), F_sched_##field)

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
	is_u64(at("sched"), 5, "%u: requests at sched", word);
	is_u64(at("sched-dispatch"), 1, "%u: and to dispatch", word);
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
	is_u64(at("sched-dispatch"), 1, "common: its place");
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
	ok(!hang_rec_is_notable(part("rt", 0)), "none: not noted");
	is_u64(get("be", 0, driver), (u64)-2, "wrapped");
	is_u64(get("idle", 0, driver), (u64)-1, "less than none");
	ok(hang_rec_is_notable(part("idle", 0)), "which is noted");
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
	is_u64(at("sched"), 4, "and all requests have their place");
	is_u64(rec_u64(f, looked, 0, sched), 6 + 3 + 1, "lists");
	is_u64(rec_u64(f, looked, 0, sched_empty), 6 + 3 + 1 - 4, "empty ones");
	fake_set(f, d.elevator, "elevator_queue.elevator_data",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "unreadable: unclear");
	is_u64(fake_count(f, R_rq), 4, "unreadable: requests are there");
	is_u64(at("sched"), 0, "unreadable: but not their place");
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
			 "elevator_type.elevator_name",
			 fake_string(f, "bfq2"));
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

/* One of bfq's processes, with n requests. */
static u64 process(u32 pid, u32 n, const char *list, u32 index)
{
	u64 bfqq = fake_bfqq(f, &d, pid);
	u64 queued = bfqq + fake_offset(f, "bfq_queue.queued");

	fake_put(f, queued + 4 * (pid & 1), 4, n);
	while (n--)
		add(0, fake_list_at(f, bfqq, "bfq_queue.fifo", 0));
	if (list)
		fake_list_add_tail(f, fake_list_at(f, d.sched_data, list, index),
				   bfqq + fake_offset(f, "bfq_queue.bfqq_list"));
	return bfqq;
}

#define ACTIVE "bfq_data.active_list"
#define IDLES "bfq_data.idle_list"

static void test_bfq(u32 word, bool big)
{
	u64 serve;

	make_on("bfq", word, big);
	serve = process(11, 2, NULL, 0);
	fake_set(f, d.sched_data, "bfq_data.in_service_queue", serve);
	fake_set(f, serve, "bfq_queue.dispatched", 4);
	process(12, 1, ACTIVE, 0);
	process((u32)-1, 3, ACTIVE, 1);
	fake_set(f, process(14, 0, IDLES, 0), "bfq_queue.dispatched", 1);
	process(15, 0, IDLES, 0);
	add(1, fake_list_at(f, d.sched_data, "bfq_data.dispatch", 0));
	fake_set(f, d.sched_data, "bfq_data.queued", 6);
	fake_set(f, d.sched_data, "bfq_data.tot_rq_in_driver", 5);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "bfq %u: answer", word);
	is_u64(fake_count(f, R_fault), 0, "bfq %u: no fault", word);
	is_u64(fake_count(f, R_sched), 6, "bfq %u: records", word);
	is_u64(get("all", 0, queued), 6, "bfq %u: all", word);
	is_u64(get("all", 0, dispatch), 1, "bfq %u: dispatch", word);
	is_u64(get("all", 0, driver), 5, "bfq %u: driver", word);
	is_u64(get("queue", 0, pid), 11, "bfq %u: in service", word);
	is_u64(get("queue", 0, service), 1, "bfq %u: it says so", word);
	is_u64(get("queue", 0, queued), 2, "bfq %u: its requests", word);
	is_u64(get("queue", 0, driver), 4, "bfq %u: its others", word);
	is_u64(get("queue", 1, pid), 12, "bfq %u: active", word);
	is_u64(get("queue", 1, service), 0, "bfq %u: not in service", word);
	is_u64(get("queue", 2, queued), 3, "bfq %u: other actuator", word);
	ok(!has("queue", 2, pid), "bfq %u: of several", word);
	is_u64(get("queue", 3, driver), 1, "bfq %u: idle, driver", word);
	ok(hang_rec_is_notable(part("queue", 3)), "bfq %u: noted", word);
	ok(!hang_rec_is_notable(part("queue", 4)), "bfq %u: idle", word);
	is_u64(at("sched"), 6, "bfq %u: requests", word);
	is_u64(at("sched-dispatch"), 1, "bfq %u: to dispatch", word);
	is_u64(rec_u64(f, looked, 0, sched), 6, "bfq %u: lists", word);
	is_u64(rec_u64(f, looked, 0, sched_empty), 2, "bfq %u: empty", word);
	fake_free(f);
}

/* A single active list, and the count of those with the driver renamed. */
static void test_bfq_old(void)
{
	f = fake_new();
	fake_drop(f, "bfq_data.num_actuators");
	fake_drop(f, "bfq_data.tot_rq_in_driver");
	fake_member(f, ACTIVE)->size = 2 * f->t.word;
	fake_member(f, "bfq_data.rq_in_driver")->size = 4;
	fake_disk(f, &d, .name = "fda", .sched_depth = 64);
	fake_sched(f, &d, "bfq");
	next_tag = 0;
	process(7, 2, ACTIVE, 0);
	fake_set(f, d.sched_data, "bfq_data.rq_in_driver", (u32)-1);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "old bfq: no fault");
	is_u64(get("all", 0, driver), (u64)-1, "old bfq: driver, leaked");
	is_u64(get("queue", 0, queued), 2, "old bfq: active");
	fake_free(f);
}

static void test_bfq_damaged(void)
{
	u64 next, a, b;

	make("bfq");
	next = fake_offset(f, "bfq_queue.bfqq_list");
	a = process(1, 1, ACTIVE, 0);
	b = process(2, 2, ACTIVE, 0);
	fake_put_ptr(f, b + next, a + next);
	process(3, 1, ACTIVE, 1);
	fake_set(f, d.sched_data, "bfq_data.in_service_queue", a);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "bfq loops: unclear");
	is_u64(fake_faults(f, "loops"), 1, "bfq loops: one fault");
	is_u64(fake_count(f, R_sched), 4, "bfq loops: each shown once");
	is_u64(at("sched"), 4, "bfq loops: each has its place");
	is_u64(rec_u64(f, looked, 0, sched), 4, "bfq loops: each list once");
	fake_set(f, b, "bfq_queue.bfqd", d.q);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "of another: unclear");
	is_u64(fake_faults(f, "not of this scheduler"), 1, "of another: fault");
	is_u64(at("sched"), 2, "of another: its requests are not taken");
	fake_free(f);

	make("bfq");
	a = process(1, 1, ACTIVE, 0);
	fake_put_ptr(f, fake_list_at(f, a, "bfq_queue.fifo", 0),
		     fake_nowhere(f, -EFAULT));
	fake_put(f, a + fake_offset(f, "bfq_queue.queued"), 4, 0xfffffff0);
	process(2, 1, ACTIVE, 0);
	fake_set(f, d.sched_data, "bfq_data.queued", (u32)-1);
	fake_set(f, d.sched_data, "bfq_data.in_service_queue",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "bfq rubbish: unclear");
	is_u64(fake_faults(f, "impossible number"), 2, "bfq rubbish: counts");
	is_u64(fake_faults(f, "not mapped"), 1, "bfq rubbish: a fifo");
	is_u64(fake_faults(f, "left out of"), 1, "bfq rubbish: in service");
	ok(!has("all", 0, queued), "bfq rubbish: not shown");
	ok(!has("queue", 0, queued), "bfq rubbish: nor that of one");
	is_u64(get("queue", 1, queued), 1, "bfq rubbish: the next one");
	fake_set(f, d.sched_data, "bfq_data.num_actuators", 9);
	fake_look(f);
	is_u64(fake_faults(f, "more actuators"), 1, "bfq rubbish: actuators");
	is_u64(fake_count(f, R_rq), 2, "bfq rubbish: all requests");
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
	ok(!hang_rec_is_notable(part("discard", 0)), "kyber %u: not noted",
	   word);
	is_u64(get("read", 1, hctx), 0, "kyber %u: hctx", word);
	is_u64(get("read", 1, queued), 2, "kyber %u: both lists", word);
	is_u64(get("read", 1, waiting), 0, "kyber %u: no wait", word);
	is_u64(get("write", 1, queued), 0, "kyber %u: none there", word);
	is_u64(get("write", 2, hctx), 1, "kyber %u: other hctx", word);
	is_u64(get("write", 2, queued), 2, "kyber %u: its lists", word);
	is_u64(get("other", 1, waiting), 0, "kyber %u: does not wait", word);
	is_u64(get("other", 2, waiting), 1, "kyber %u: waits", word);
	ok(hang_rec_is_notable(part("other", 2)), "kyber %u: noted", word);
	is_u64(at("sched"), 4, "kyber %u: requests", word);
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
	fake_set(f, d.sched_data +
		 fake_offset(f, "kyber_queue_data.domain_tokens") +
		 fake_offset(f, "sbitmap_queue.sb"), "sbitmap.depth", 1 << 30);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "kyber damaged: unclear");
	is_u64(fake_faults(f, "null pointer"), 1, "kyber damaged: list");
	is_u64(fake_faults(f, "disagree"), 1, "kyber damaged: tokens");
	ok(!has("discard", 0, tokens), "kyber damaged: not shown");
	is_u64(get("read", 1, queued), 1, "kyber damaged: those that are seen");
	is_u64(get("read", 2, queued), 1, "kyber damaged: the next hctx");
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.sched_data",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no kyber data: unclear");
	is_u64(at("sched"), 1, "no kyber data: the next one's");
	fake_set(f, d.hctx[0], "blk_mq_hw_ctx.nr_ctx", 0xffff);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "rubbish ctxs: unclear");
	is_u64(at("sched"), 1, "rubbish ctxs: the next one's");
	fake_free(f);

	make("kyber");
	fake_member(f, "kyber_ctx_queue.rq_list")->size = 6 * f->t.word;
	fake_look(f);
	is_u64(fake_count(f, R_sched), 0, "types disagree: left alone");
	fake_free(f);
}

/* On a running kernel a list may change while it is walked. */
static int now(struct hang_target *t, u64 *ns)
{
	*ns = ((struct fake *)t)->now;
	return 0;
}

static u64 mend_at, mend_to;
static int mend_after;

static int read_and_mend(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	struct fake *fake = (struct fake *)t;
	int err = fake_read(fake, addr, buf, len);

	if (addr == mend_at && !--mend_after)
		fake_put_ptr(fake, mend_at, mend_to);
	return err;
}

/* A fifo, or the list of queues, ends nowhere; until it was read so often. */
static void test_live(bool fifo, int after, u32 faults)
{
	struct hang_target_ops ops = fake_ops;
	u64 bfqq;

	make("bfq");
	process(1, 1, ACTIVE, 0);
	bfqq = process(2, 2, ACTIVE, 0);
	ops.now_ns = now;
	ops.read = read_and_mend;
	f->t.ops = &ops;
	mend_at = fifo ? fake_list_at(f, bfqq, "bfq_queue.fifo", 0)
		       : bfqq + fake_offset(f, "bfq_queue.bfqq_list");
	mend_to = fake_get(f, mend_at, 8);
	mend_after = after;
	fake_put_ptr(f, mend_at, fake_nowhere(f, -EFAULT));
	fake_look(f);
	is_u64(fake_count(f, R_fault), faults, "live %d: faults", after);
	is_u64(fake_count(f, R_sched), 3, "live %d: records", after);
	is_u64(rec_u64(f, looked, 0, sched), 3, "live %d: lists", after);
	is_u64(rec_u64(f, looked, 0, sched_empty), 1, "live %d: empty", after);
	is_u64(rec_u64(f, looked, 0, left_out), 0, "live %d: whole", after);
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
	test_unknown("elevator_queue.elevator_data", "mq-deadline");
	test_unknown("dd_per_prio", "mq-deadline");
	test_unknown("request.queuelist", "mq-deadline");
	test_unknown("bfq_queue.fifo", "bfq");
	test_unknown("bfq_queue", "bfq");
	test_unknown("kyber_ctx_queue", "kyber");
	test_unknown("blk_mq_hw_ctx.sched_data", "kyber");
	test_unknown(NULL, "bfq");
	test_none();
	test_bfq(8, false);
	test_bfq(4, true);
	test_bfq_old();
	test_bfq_damaged();
	test_kyber(8, false);
	test_kyber(4, true);
	test_kyber_damaged();
	test_live(true, 1, 0);
	test_live(true, 4, 0);
	test_live(true, 1000, 1);
	test_live(false, 1, 0);
	test_live(false, 1000, 1);
	return tap_end();
}
