/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What t_pages.c and t_blocked.c begin with: a disk with one request, of one
 * bio without pages, and a task that sleeps and waits for nothing yet.
 */
#ifndef BLKHANG_ONE_WAITER_H
#define BLKHANG_ONE_WAITER_H

#include "fake.h"

static struct fake *f;
static struct fake_disk d;
static u64 rq, bio, pages, task;
static u32 one; /* size of a struct page */

/* The nth of those who wait, as it is printed. */
static inline const char *line(u32 n)
{
	static char buf[512];
	struct hang_str s;
	u32 field = 0;

	hang_str_init(&s, buf, sizeof(buf));
	hang_render(&s, fake_rec(f, R_blocked, n), &field, false);
	return buf;
}

/* One request, of one bio, and one task, which waits for nothing yet. */
static inline void make_op(u32 op)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 3, .itag = -1, .state = FAKE_IN_FLIGHT,
		     .flags = op);
	bio = fake_bio(f, rq, "end_bio_bh_io_sync", 0);
	pages = fake_pages(f, 64);
	one = fake_page_struct(f);
	task = fake_process(f, "reader", 77);
	fake_sleep(f, task, 2, 1, 30 * SEC);
}

static inline void make(void)
{
	make_op(0);
}

/* One that waits for the only page. */
static inline u64 make_waiter(void)
{
	make();
	fake_bio_pages(f, bio, pages, 0, 512);
	return fake_page_wait(f, pages, FAKE_LOCKED, task);
}

#define FOUND " disk=fda hctx=0 tag=3 itag=-1 stage=issued comm=reader"

/* The task is shown once, with the request. */
static inline void found(const char *on, const char *name)
{
	char want[160];

	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(fake_count(f, R_blocked), 1, "%s: one", name);
	snprintf(want, sizeof(want),
		 "blocked pid=77 on=%s state=D slept=30.000s" FOUND, on);
	is_str(line(0), want, "%s: found", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	fake_free(f);
}

/* The task is shown once, without a request. */
static inline void alone(const char *on, const char *name)
{
	char want[160];

	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(fake_count(f, R_blocked), 1, "%s: one", name);
	snprintf(want, sizeof(want), "blocked pid=77 on=%s state=D "
		 "slept=30.000s comm=reader", on);
	is_str(line(0), want, "%s: without request", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	fake_free(f);
}

/* One that waits for a buffer, which is so many bytes of the first page. */
static inline u64 make_buffer(u32 at, u32 size)
{
	u64 bh;

	make();
	bh = fake_buffer(f, &d, pages, at, size);
	fake_bit_wait(f, fake_buffer_word(f, bh), FAKE_BH_LOCK, task);
	return bh;
}

/* One fault, which says why; all else is shown. */
static inline void damaged(const char *why, u32 shown, const char *name)
{
	fake_look(f);
	is_u64(fake_faults(f, why), 1, "%s: one fault", name);
	is_u64(fake_count(f, R_fault), 1, "%s: no other", name);
	is_u64(fake_count(f, R_blocked), shown, "%s: shown", name);
	is_u64(fake_count(f, R_rq), 1, "%s: the request", name);
	is_u64(rec_u64(f, rq, 0, tag), 3, "%s: with its tag", name);
	fake_free(f);
}

#endif
