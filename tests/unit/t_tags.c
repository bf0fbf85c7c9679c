// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests by their tags: reserved and shared ones, stale pointers, requests
 * with a scheduler's tag only, the flush request, and bitmaps full of rubbish.
 */
#include "fake.h"

static void test_reserved(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;

	fake_disk(f, &d, .name = "fda", .depth = 40, .reserved = 3);
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT);
	fake_rq(f, &d, .tag = 3, .state = FAKE_IN_FLIGHT);
	fake_rq(f, &d, .tag = 39, .state = FAKE_IN_FLIGHT);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 3, "reserved: requests");
	is_u64(rec_u64(f, rq, 0, tag), 1, "reserved bit 1 is tag 1");
	is_u64(rec_u64(f, rq, 0, reserved), 1, "and a reserved one");
	is_u64(rec_u64(f, rq, 1, tag), 3, "normal bit 0 is tag 3");
	ok(!rec_has(f, rq, 1, reserved), "and no reserved one");
	is_u64(rec_u64(f, rq, 2, tag), 39, "normal bit 36 is tag 39");
	is_u64(rec_u64(f, hctx, 0, tags), 40, "depth has both");
	is_u64(rec_u64(f, hctx, 0, busy), 3, "busy has both");
	is_u64(rec_u64(f, hctx, 0, reserved), 3, "reserved tags");
	is_u64(rec_u64(f, looked, 0, tags), 40, "tags looked at");
	fake_free(f);
}

static void test_shared(void)
{
	struct fake *f = fake_new();
	struct fake_disk a, b;

	fake_disk(f, &a, .name = "fda", .hctxs = 4, .shared = true);
	fake_disk(f, &b, .name = "fdb", .hctxs = 4, .with = &a);
	fake_rq(f, &a, .hctx = 0, .tag = 5, .state = FAKE_IN_FLIGHT);
	fake_rq(f, &a, .hctx = 2, .tag = 6, .state = FAKE_IN_FLIGHT);
	fake_rq(f, &b, .hctx = 3, .tag = 7, .state = FAKE_IN_FLIGHT);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "shared tags: no hang");
	is_u64(fake_count(f, R_rq), 3, "shared tags: each request once");
	is_str(rec_str(f, rq, 0, disk), "fda", "shared tags: first disk");
	is_u64(rec_u64(f, rq, 1, hctx), 2, "its hardware queue is its own");
	is_str(rec_str(f, rq, 2, disk), "fdb", "shared tags: second disk");
	is_u64(rec_u64(f, rq, 2, hctx), 3, "its hardware queue is its own");
	is_u64(rec_u64(f, total, 0, issued), 2, "total of the first");
	is_u64(rec_u64(f, total, 1, issued), 1, "total of the second");
	is_u64(rec_u64(f, total, 0, unclear), 0, "nothing unclear");
	fake_free(f);
}

/* Two disks of one host: the same driver tags, each with its own scheduler. */
static void test_stale(void)
{
	struct fake *f = fake_new();
	struct fake_disk a, b;
	u64 other, mine;

	fake_disk(f, &a, .name = "fda", .depth = 32);
	fake_disk(f, &b, .name = "fdb", .with = &a);
	other = fake_rq(f, &b, .tag = 9, .state = FAKE_IN_FLIGHT);
	mine = fake_rq(f, &a, .tag = 10, .state = 0);
	/* mine was never issued, and rqs[] still has a user before it. */
	fake_put_ptr(f, a.tags[0].rqs + 10 * 8, other);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 2, "stale rqs[]: both requests");
	is_str(rec_str(f, rq, 0, disk), "fda", "stale rqs[]: the owner");
	is_u64(rec_u64(f, rq, 0, tag), 10, "stale rqs[]: by static_rqs[]");
	is_str(rec_str(f, rq, 0, stage), "allocated", "stale rqs[]: its stage");
	is_u64(rec_u64(f, rq, 1, tag), 9, "the other one where it belongs");
	fake_put_ptr(f, a.tags[0].rqs + 10 * 8, 0);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 2, "rqs[] not yet set: both requests");
	fake_put_ptr(f, a.tags[0].rqs + 10 * 8, mine);
	fake_tag_clear(f, &a.tags[0], 10);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "a cleared tag is free");
	is_u64(rec_u64(f, total, 0, unclear), 0, "nothing unclear");
	fake_free(f);
}

static void test_sched(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;

	fake_disk(f, &d, .name = "fda", .hctxs = 2, .sched_depth = 128);
	fake_rq(f, &d, .hctx = 1, .tag = -1, .itag = 77, .age = 3 * SEC);
	fake_rq(f, &d, .hctx = 1, .tag = 4, .itag = 78,
		.state = FAKE_IN_FLIGHT, .age = 2 * SEC);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 2, "scheduler: each request once");
	is_u64(rec_u64(f, rq, 0, tag), (u64)-1, "scheduler tag only: tag");
	is_u64(rec_u64(f, rq, 0, itag), 77, "scheduler tag only: itag");
	is_str(rec_str(f, rq, 0, stage), "allocated", "its stage");
	is_u64(rec_u64(f, rq, 1, tag), 4, "dispatched: tag");
	is_u64(rec_u64(f, rq, 1, itag), 78, "dispatched: itag");
	is_u64(rec_u64(f, rq, 1, hctx), 1, "dispatched: hctx");
	is_u64(rec_u64(f, hctx, 1, sched_tags), 128, "scheduler's depth");
	is_u64(rec_u64(f, hctx, 1, sched_busy), 2, "scheduler's busy");
	is_u64(rec_u64(f, hctx, 1, busy), 1, "driver's busy");
	is_u64(rec_u64(f, disk, 0, sched), 1, "disk has a scheduler");
	is_u64(rec_u64(f, looked, 0, tags), 2 * (64 + 128), "tags looked at");
	fake_free(f);
}

/* A request that bypasses the scheduler owns its driver tag itself. */
static void test_bypass(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;
	u64 rq;

	fake_disk(f, &d, .name = "fda", .sched_depth = 16);
	d.sched_depth = 0;
	rq = fake_rq(f, &d, .tag = 8, .state = FAKE_IN_FLIGHT);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "bypass, issued: found");
	fake_set(f, rq, "request.state", 0);
	fake_put_ptr(f, d.tags[0].rqs + 8 * 8, 0);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "bypass, not issued: found");
	is_u64(rec_u64(f, rq, 0, tag), 8, "bypass, not issued: its tag");
	fake_free(f);
}

static u64 make_flush(struct fake *f, struct fake_disk *d, u32 tag)
{
	u64 rq = d->flush_rq[0];

	fake_set(f, rq, "request.mq_hctx", d->hctx[0]);
	fake_set(f, rq, "request.state", FAKE_IN_FLIGHT);
	fake_set(f, rq, "request.tag", tag);
	fake_set(f, rq, "request.cmd_flags", 2);
	return rq;
}

static void test_flush(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;
	u64 rq;

	fake_disk(f, &d, .name = "fda");
	rq = make_flush(f, &d, 12);
	fake_tag_set(f, &d.tags[0], 12);
	fake_put_ptr(f, d.tags[0].rqs + 12 * 8, rq);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "flush request with a tag: once");
	is_u64(rec_u64(f, rq, 0, addr), rq, "it is the flush request");
	is_str(rec_str(f, rq, 0, op), "FLUSH", "its operation");
	fake_put_ptr(f, d.tags[0].rqs + 12 * 8, 0);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "flush request not in rqs[]: once");
	fake_tag_clear(f, &d.tags[0], 12);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 1, "flush request whose tag is free");
	fake_set(f, rq, "request.state", 0);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 0, "flush request at rest: not shown");
	fake_free(f);
}

static void test_rubbish_bitmap(u32 sched)
{
	struct fake *f = fake_new();
	struct fake_disk d;
	u32 i;

	fake_disk(f, &d, .name = "fda", .depth = 64, .sched_depth = sched);
	for (i = 0; i < 64; i++)
		fake_tag_set(f, &d.tags[0], i);
	for (i = 0; i < sched; i++)
		fake_tag_set(f, &d.sched[0], i);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 0, "all bits set: no requests made up");
	is_u64(rec_u64(f, hctx, 0, busy), 64, "all bits set: busy says so");
	is_u64(rec_u64(f, total, 0, unclear), sched ? sched : 64,
	       "all bits set: each of them unclear");
	fake_free(f);
}

static void test_rubbish_arrays(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;

	fake_disk(f, &d, .name = "fda");
	fake_rq(f, &d, .tag = 3, .state = FAKE_IN_FLIGHT);
	fake_put_ptr(f, d.tags[0].static_rqs + 8 * 3, 0x4141414141414141);
	fake_put_ptr(f, d.tags[0].rqs + 8 * 3, fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "rubbish in rqs[]: unclear");
	is_u64(fake_count(f, R_rq), 0, "rubbish in rqs[]: no request");
	is_u64(fake_faults(f, "left out"), 1, "rubbish in rqs[]: fault");
	is_u64(fake_faults(f, "not mapped"), 1, "rubbish in static_rqs[]: too");
	is_str(rec_str(f, fault, 0, disk), "fda", "charged to the disk");
	fake_set(f, d.tags[0].addr, "blk_mq_tags.static_rqs", 0);
	fake_set(f, d.tags[0].addr, "blk_mq_tags.rqs", 0);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 0, "no arrays: no request");
	is_u64(rec_u64(f, total, 0, unclear), 1, "no arrays: a tag unclear");
	fake_set(f, d.tags[0].addr, "blk_mq_tags.nr_reserved_tags", 0xffffffff);
	fake_look(f);
	ok(fake_count(f, R_total) == 1, "2^32 reserved tags: a report");
	ok(fake_count(f, R_rq) == 0, "2^32 reserved tags: no request");
	fake_free(f);
}

static void test_damage(const char *spec, u64 value)
{
	struct fake *f = fake_new();
	struct fake_disk d, e;

	fake_disk(f, &d, .name = "fda");
	fake_disk(f, &e, .name = "fdb");
	fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT);
	fake_rq(f, &e, .tag = 2, .state = FAKE_IN_FLIGHT);
	fake_set(f, d.hctx[0], spec, value);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s %#llx: unclear", spec,
	       value);
	is_u64(fake_verdicts(f, "no-hang"), 0, "%s: no no-hang", spec);
	ok(fake_count(f, R_fault), "%s: fault", spec);
	is_str(rec_str(f, fault, 0, disk), "fda", "%s: charged", spec);
	is_str(hang_rec_text(fake_rec(f, R_rq, fake_count(f, R_rq) - 1),
			     F_rq_disk), "fdb", "%s: the walk goes on", spec);
	fake_free(f);
}

static void test_pointer_tags(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;

	fake_style(f, FAKE_LIST_HEAD);
	fake_disk(f, &d, .name = "fda", .depth = 33, .reserved = 1);
	fake_rq(f, &d, .tag = 0, .state = FAKE_IN_FLIGHT);
	fake_rq(f, &d, .tag = 32, .state = FAKE_IN_FLIGHT);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 2, "bitmaps behind pointers: requests");
	is_u64(rec_u64(f, rq, 1, tag), 32, "bitmaps behind pointers: tag");
	is_u64(rec_u64(f, hctx, 0, tags), 33, "bitmaps behind pointers: depth");
	fake_put_ptr(f, d.tags[0].addr +
		     fake_offset(f, "blk_mq_tags.bitmap_tags"), 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no bitmap: unclear");
	fake_free(f);
}

int main(void)
{
	test_reserved();
	test_shared();
	test_stale();
	test_sched();
	test_bypass();
	test_flush();
	test_rubbish_bitmap(0);
	test_rubbish_bitmap(32);
	test_rubbish_arrays();
	test_damage("blk_mq_hw_ctx.tags", 0x1000);
	test_damage("blk_mq_hw_ctx.sched_tags", 0xffffffffffff0000);
	test_damage("blk_mq_hw_ctx.fq", 8);
	test_damage("blk_mq_hw_ctx.queue_num", 0xffffffff);
	test_pointer_tags();
	return tap_end();
}
