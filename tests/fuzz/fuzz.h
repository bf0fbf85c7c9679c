/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzzers share: numbers that look random and are the same on every
 * run, and a main() that takes a seed and a count.
 *
 *   fuzz_x [SEED [COUNT]]
 *
 * Each run of one seed can be repeated alone: fuzz_x SEED 1.
 */
#ifndef BLKHANG_FUZZ_H
#define BLKHANG_FUZZ_H

#include <stdlib.h>

#include <blkhang/port.h>

#include "tap.h"

struct fuzz {
	u64 state;
};

/* splitmix64 */
static inline u64 fuzz_next(struct fuzz *z)
{
	u64 v = z->state += 0x9e3779b97f4a7c15;

	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
	v = (v ^ v >> 27) * 0x94d049bb133111eb;
	return v ^ v >> 31;
}

static inline u64 fuzz_below(struct fuzz *z, u64 n)
{
	return n ? fuzz_next(z) % n : 0;
}

/* A value that hurts. */
static inline u64 fuzz_value(struct fuzz *z)
{
	static const u64 values[] = {
		0, 1, 2, 3, 7, 63, 64, 0xff, 0x100, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		0x7fffffffffffffff, 0x8000000000000000, ~0ULL, ~0ULL - 4096,
		0xffff800000000000, 0x00007fffffffffff,
	};
	u64 n = fuzz_below(z, HANG_ARRAY_SIZE(values) + 3);

	if (n < HANG_ARRAY_SIZE(values))
		return values[n];
	return fuzz_next(z) >> fuzz_below(z, 64);
}

#ifdef FUZZ_MAIN
static inline void fuzz_main(int argc, char **argv, u32 count,
			    void (*one)(u64 seed))
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	u32 i;

	if (argc > 2)
		count = strtoul(argv[2], NULL, 0);
	for (i = 0; i < count; i++) {
		/* Told before it runs: a crash has no time to say it. */
		if (getenv("FUZZ_VERBOSE"))
			fprintf(stderr, "seed %llu\n", seed + i);
		one(seed + i);
	}
	ok(true, "%u runs from seed %llu on", count, seed);
}
#endif

#endif
