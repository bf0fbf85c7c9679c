/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of schedulers share: a disk that has one, and its requests. */
#ifndef BLKHANG_SCHED_BASE_H
#define BLKHANG_SCHED_BASE_H

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

#define get(name, n, field) \
	hang_rec_get(fake_sched_rec(f, name, n), F_sched_##field)
#define has(name, n, field) \
	hang_rec_has(fake_sched_rec(f, name, n), F_sched_##field)

#endif
