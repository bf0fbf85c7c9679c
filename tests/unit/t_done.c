// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blk_cpu_done: order, long lists, offline CPUs, and damage.
 */
#include "fake.h"

static void test_order(enum fake_style style)
{
	struct fake *f = fake_new();
	const char *name = fake_style_name(style);
	struct fake_disk d;
	u64 rq[3];
	u32 i;

	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .hctxs = 2);
	for (i = 0; i < 3; i++) {
		rq[i] = fake_rq(f, &d, .hctx = 1, .tag = 10 + 7 * i, .cpu = 2,
				.state = FAKE_COMPLETE, .age = (9 - i) * SEC);
		fake_done(f, 2, rq[i]);
	}
	fake_look(f);
	is_u64(fake_count(f, R_done), 3, "%s: three", name);
	for (i = 0; i < 3; i++) {
		is_u64(rec_u64(f, done, i, addr), rq[i], "%s: order", name);
		is_u64(rec_u64(f, done, i, n), i, "%s: number", name);
		is_u64(rec_u64(f, done, i, tag), 10 + 7 * i, "%s: tag", name);
		is_u64(rec_u64(f, done, i, age), (9 - i) * SEC, "%s: age",
		       name);
		is_u64(rec_u64(f, rq, i, done), 2, "%s: known by tag", name);
	}
	is_u64(rec_u64(f, done, 0, cpu), 2, "%s: cpu", name);
	is_u64(rec_u64(f, done, 0, hctx), 1, "%s: hctx", name);
	is_u64(rec_u64(f, done, 0, state), FAKE_COMPLETE, "%s: state", name);
	is_u64(rec_u64(f, done, 0, limit), 30 * SEC, "%s: limit", name);
	is_u64(rec_u64(f, done, 0, seen), 1, "%s: seen", name);
	is_str(rec_str(f, done, 0, disk), "fda", "%s: disk", name);
	is_str(rec_str(f, rq, 0, stage), "completed", "%s: stage", name);
	is_u64(hang_rec_get(fake_cpu_rec(f, 2), F_cpu_done), 3, "%s: count",
	       name);
	is_u64(hang_rec_get(fake_cpu_rec(f, 1), F_cpu_done), 0, "%s: others",
	       name);
	is_u64(fake_count(f, R_fault), 0, "%s: no faults", name);
	fake_free(f);
}

/* More than are kept: all are counted, all are known to be on the list. */
static void test_long(enum fake_style style)
{
	struct fake *f = fake_new();
	const char *name = fake_style_name(style);
	u32 n = HANG_LIST_KEEP + 44, known = 0, i;
	struct fake_disk d;

	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .depth = 400);
	for (i = 0; i < n; i++)
		fake_done(f, 1, fake_rq(f, &d, .tag = i, .cpu = 1,
					.state = FAKE_COMPLETE,
					.age = 200 * SEC - i * MS));
	fake_look(f);
	is_u64(hang_rec_get(fake_cpu_rec(f, 1), F_cpu_done), n,
	       "long list, %s: counted", name);
	is_u64(rec_u64(f, done, 0, tag), 0, "long list, %s: oldest", name);
	is_u64(fake_count(f, R_done), HANG_LIST_KEEP, "long list, %s: shown",
	       name);
	for (i = 0; i < n; i++)
		known += rec_has(f, rq, i, done);
	is_u64(known, n, "long list, %s: every request known to be on it",
	       name);
	is_u64(fake_count(f, R_verdict), 1, "long list, %s: one verdict", name);
	fake_free(f);
}

static void test_offline(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;

	fake_disk(f, &d, .name = "fda");
	fake_done(f, 3, fake_rq(f, &d, .tag = 1, .cpu = 3,
				.state = FAKE_COMPLETE, .age = 99 * SEC));
	fake_offline(f, 3);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "offline CPU: looked at");
	is_u64(fake_verdicts(f, "unknown"), 1, "offline CPU: verdict");
	is_u64(hang_rec_get(fake_cpu_rec(f, 3), F_cpu_online), 0, "is offline");
	is_u64(rec_u64(f, verdict, 0, cpu), 3, "offline CPU: which");
	is_u64(fake_count(f, R_verdict), 1, "offline CPU: one verdict");
	fake_free(f);
}

static void test_damaged(enum fake_style style, int err, const char *why)
{
	struct fake *f = fake_new();
	const char *name = fake_style_name(style);
	struct fake_disk d;
	u64 rq;

	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 1, .state = FAKE_COMPLETE, .cpu = 1);
	fake_done(f, 1, rq);
	fake_put_ptr(f, rq + fake_offset(f, "request.ipi_list"),
		     fake_nowhere(f, err));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s, next gone: unclear",
	       name);
	ok(fake_faults(f, why), "%s, next gone: fault", name);
	is_u64(rec_u64(f, fault, 0, cpu), 1, "%s, next gone: charged", name);
	is_u64(rec_u64(f, done, 0, addr), rq, "%s, next gone: the first", name);
	is_u64(fake_verdicts(f, "no-hang"), 0, "%s, next gone: no no-hang",
	       name);
	fake_hole(f, fake_percpu(f, "blk_cpu_done", 2), err);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s, head gone: unclear",
	       name);
	ok(!hang_rec_has(fake_cpu_rec(f, 2), F_cpu_done),
	   "%s, head gone: no count is made up", name);
	fake_free(f);
}

static void test_self_loop(void)
{
	struct fake *f = fake_new();
	struct fake_disk d;
	u64 rq, node;

	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 1, .state = FAKE_COMPLETE, .cpu = 1);
	node = rq + fake_offset(f, "request.ipi_list");
	fake_done(f, 1, rq);
	fake_put_ptr(f, node, node);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "self loop: unclear");
	is_u64(fake_faults(f, "loops"), 1, "self loop: fault");
	is_u64(fake_count(f, R_done), 1, "self loop: the request once");
	fake_free(f);
}

static void test_rubbish_request(void)
{
	struct fake *f = fake_new();
	u64 page = fake_alloc_page(f);
	u32 i;

	for (i = 0; i < FAKE_PAGE; i += 8)
		fake_put(f, page + i, 8, 0xa5a5a5a5a5a5a5a5);
	fake_put_ptr(f, page + 0x300, 0);
	fake_put_ptr(f, fake_percpu(f, "blk_cpu_done", 0), page + 0x300);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a request of rubbish");
	is_u64(fake_count(f, R_done), 1, "is shown");
	is_str(rec_str(f, done, 0, disk), "queue-?", "as of no known disk");
	ok(!rec_has(f, done, 0, hctx), "and of no hardware queue");
	fake_free(f);
}

/* Its last one leads back to itself, until that was read so often. */
static void test_live(bool live, int after, u32 faults)
{
	struct fake *f = fake_new();
	struct fake_disk d;
	u64 rq, node;

	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 1, .cpu = 2, .state = FAKE_COMPLETE);
	fake_done(f, 2, rq);
	fake_done(f, 2, fake_rq(f, &d, .tag = 2, .cpu = 2,
				.state = FAKE_COMPLETE));
	node = rq + fake_offset(f, "request.ipi_list");
	if (live)
		fake_live(f, NULL);
	fake_mend(f, node, 0, after);
	fake_put_ptr(f, node, node);
	fake_look(f);
	is_u64(fake_count(f, R_fault), faults, "live %d, %d: faults", live,
	       after);
	is_u64(fake_count(f, R_done), 2, "live %d, %d: both", live, after);
	is_u64(rec_u64(f, done, 0, addr), rq, "live %d, %d: oldest", live,
	       after);
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_order(style);
		test_long(style);
		test_damaged(style, -ENODATA, "left out");
		test_damaged(style, -EFAULT, "not mapped");
		test_damaged(style, -EIO, "damaged");
	}
	test_offline();
	test_self_loop();
	test_rubbish_request();
	test_live(true, 1, 0);
	test_live(true, 1000, 1);
	test_live(false, 1, 1);
	return tap_end();
}
