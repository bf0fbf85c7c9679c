/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of the report for people: records made by hand, and the lines that
 * come of them.
 */
#ifndef BLKHANG_PEOPLE_LINES_H
#define BLKHANG_PEOPLE_LINES_H

#include <blkhang/people.h>

#include "fake.h"

#define MAX_LINES 400

static struct hang_people p;
static struct hang_rec rec;
static char line[MAX_LINES][HANG_PEOPLE_WIDTH + 1];
static enum hang_tone tone[MAX_LINES];
static u32 lines;

static inline void take_line(struct hang_people *people, enum hang_tone how,
		      const char *text)
{
	(void)people;
	assert(lines < MAX_LINES);
	assert(strlen(text) <= HANG_PEOPLE_WIDTH);
	tone[lines] = how;
	strcpy(line[lines++], text);
}

static inline void begin(void)
{
	memset(&p, 0xa5, sizeof(p)); /* nothing but what is set may matter */
	p.line = take_line;
	p.all = "--all";
	p.explain = "blkhang explain";
	lines = 0;
	hang_people_begin(&p);
}

static inline void put(void)
{
	p.sink.record(&p.sink, &rec);
}

static inline void put_text(enum hang_rec_type type, const char *text)
{
	hang_rec_start(&rec, type);
	hang_rec_str(&rec, F_say_text, text);
	put();
}

static inline void put_verdict(const char *id, const char *confidence,
			const char *disk)
{
	hang_rec_start(&rec, R_verdict);
	hang_rec_str(&rec, F_verdict_id, id);
	hang_rec_str(&rec, F_verdict_confidence, confidence);
	if (disk)
		hang_rec_str(&rec, F_verdict_disk, disk);
	put();
}

static inline void put_blocked(u32 pid, u64 slept, const char *comm, const char *disk)
{
	hang_rec_start(&rec, R_blocked);
	hang_rec_set(&rec, F_blocked_pid, pid);
	hang_rec_str(&rec, F_blocked_on, "folio");
	hang_rec_str(&rec, F_blocked_state, "D");
	hang_rec_set(&rec, F_blocked_slept, slept);
	hang_rec_str(&rec, F_blocked_comm, comm);
	if (disk) {
		hang_rec_str(&rec, F_blocked_disk, disk);
		hang_rec_set(&rec, F_blocked_hctx, 2);
		hang_rec_set(&rec, F_blocked_tag, 7);
		hang_rec_str(&rec, F_blocked_stage, "issued");
	}
	put();
}

static inline void put_looked(u64 faults, u64 left_out)
{
	hang_rec_start(&rec, R_looked);
	hang_rec_set(&rec, F_looked_queues, 1);
	hang_rec_set(&rec, F_looked_faults, faults);
	hang_rec_set(&rec, F_looked_left_out, left_out);
	hang_rec_set(&rec, F_looked_dispatch, 5);
	hang_rec_set(&rec, F_looked_dispatch_empty, 4);
	put();
}

/* The number of the first line that begins so, -1: none. */
static inline int at(const char *start)
{
	u32 i;

	for (i = 0; i < lines; i++)
		if (!strncmp(line[i], start, strlen(start)))
			return i;
	return -1;
}

static inline u32 count(const char *part)
{
	u32 i, n = 0;

	for (i = 0; i < lines; i++)
		n += strstr(line[i], part) != NULL;
	return n;
}

static inline const char *first(const char *start)
{
	return at(start) < 0 ? "" : line[at(start)];
}

#endif
