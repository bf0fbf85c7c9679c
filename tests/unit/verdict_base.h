/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of verdicts share: a disk, requests of it that wait for long,
 * and what is to be said.
 */
#ifndef BLKHANG_VERDICT_BASE_H
#define BLKHANG_VERDICT_BASE_H

#include "fake.h"

#define OLD (40 * SEC)	/* the limit is 30 s */
#define YOUNG (20 * SEC)

static struct fake *f;
static struct fake_disk d;

static inline void make(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .depth = 16);
}

/* A request that waits in that place, of hardware queue 1. */
static inline u64 left(enum hang_place place, u64 age)
{
	u64 rq = fake_rq(f, &d, .hctx = 1, .tag = 3, .age = age, .cpu = 2);

	fake_place(f, &d, 1, rq, place);
	return rq;
}

static inline void issued(u64 age)
{
	fake_rq(f, &d, .hctx = 0, .tag = 7, .state = FAKE_IN_FLIGHT,
		.age = age);
}

static inline void sleeper(u64 head, u64 slept)
{
	fake_wait(f, head, "autoremove_wake_function",
		  fake_sleeper(f, "fio", 501, 1, slept));
}

static inline void is_it(const char *id, const char *name)
{
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "%s: found", name);
	is_u64(fake_count(f, R_verdict), 1, "%s: one verdict", name);
	is_str(rec_str(f, verdict, 0, id), id, "%s: which", name);
	is_str(rec_str(f, verdict, 0, disk), "fda", "%s: its disk", name);
	ok(fake_count(f, R_say) == 1, "%s: a sentence", name);
	ok(fake_count(f, R_evidence) >= 1, "%s: evidence", name);
	ok(fake_count(f, R_next) >= 1, "%s: what is next", name);
	fake_free(f);
}

static inline void gone(const char *id, const char *name)
{
	fake_look(f);
	is_u64(fake_verdicts(f, id), 0, "no %s: %s", id, name);
	fake_free(f);
}

/* No fault is said at all. */
static inline void none(const char *name)
{
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s", name);
	fake_free(f);
}

#endif
