// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a decode grows with the number of requests: a disk of 64 hardware queues
 * in synthetic memory, with requests at the driver, on dispatch lists, and
 * finished and waiting for their CPU. Prints, for each number of requests, the
 * shortest time of a walk with its verdict, and how often memory was read.
 */
#include <time.h>

#include "../unit/fake.h"

enum { HCTXS = 64, DEPTH = 192, RUNS = 15 };

static u32 records;

static void count(struct hang_sink *sink, const struct hang_rec *rec)
{
	(void)sink;
	records += rec->type == R_rq;
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

/* One in ten was finished, and one in ten waits to be dispatched. */
static void fill(struct fake *f, struct fake_disk *d, u32 requests)
{
	u32 i;
	u64 rq;

	for (i = 0; i < requests; i++) {
		rq = fake_rq(f, d, .hctx = i % HCTXS, .tag = i / HCTXS,
			     .itag = -1, .cpu = i % HCTXS,
			     .state = i % 10 == 1 ? 0 : FAKE_IN_FLIGHT,
			     .age = (1 + i % 7) * SEC, .bytes = 4096);
		if (i % 10 == 0)
			fake_strand(f, i % HCTXS, rq);
		else if (i % 10 == 1)
			fake_place(f, d, i % HCTXS, rq, HANG_AT_DISPATCH);
	}
}

static void attach(struct fake *f)
{
	const struct hang_caps caps = {
		.cpus = FAKE_CPUS, .queues = 32, .requests = 65536,
	};

	f->attached = true;
	f->w = malloc(sizeof(*f->w));
	f->mem = calloc(1, hang_mem_size(&caps));
	hang_work_init(f->w, &f->t, &caps, f->mem);
	if (hang_attach(f->w))
		abort();
}

static double shortest(struct fake *f)
{
	struct hang_sink sink = { .record = count };
	double ms, best = 1e9;
	int i;

	for (i = 0; i < RUNS; i++) {
		f->reads = 0;
		records = 0;
		ms = now_ms();
		hang_walk(f->w, &sink, false);
		hang_judge(f->w, &sink);
		ms = now_ms() - ms;
		if (ms < best)
			best = ms;
	}
	return best;
}

int main(void)
{
	static const u32 sizes[] = { 100, 1000, 10000 };
	double ms;
	u32 i;

	printf("%-28s %10s %10s %10s %10s\n", "requests on 64 hctxs", "ms",
	       "us each", "reads", "each");
	for (i = 0; i < HANG_ARRAY_SIZE(sizes); i++) {
		struct fake *f = fake_new(.cpus = HCTXS);
		struct fake_disk d;

		fake_disk(f, &d, .name = "sda", .hctxs = HCTXS, .depth = DEPTH);
		fill(f, &d, sizes[i]);
		attach(f);
		ms = shortest(f);
		if (records != sizes[i]) {
			fprintf(stderr, "scale: %u records of %u requests\n",
				records, sizes[i]);
			return 1;
		}
		printf("%-28u %10.2f %10.2f %10d %10.1f\n", sizes[i], ms,
		       ms * 1e3 / sizes[i], f->reads,
		       (double)f->reads / sizes[i]);
		fake_free(f);
	}
	return 0;
}
