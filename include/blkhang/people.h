/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people: the verdict, what it rests on, who waits, what to do,
 * and what was looked at. It is made of records alone, in whatever order they
 * come; of what there may be very many, the first few are shown and the rest
 * counted. Lines are plain ASCII of at most HANG_PEOPLE_WIDTH columns.
 */
#ifndef BLKHANG_PEOPLE_H
#define BLKHANG_PEOPLE_H

#include "fmt.h"
#include "record.h"
#include "walk.h"

#define HANG_PEOPLE_WIDTH 100
#define HANG_PEOPLE_ROWS 10	/* of each table, and verdicts with sentences */
#define HANG_PEOPLE_COLS 6
#define HANG_PEOPLE_CELL 64
#define HANG_PEOPLE_TEXT 32768	/* for sentences */
#define HANG_PEOPLE_PIDS (4u << 20) /* pids are below */

/* How a line is meant; a host with a terminal may colour it. */
enum hang_tone { HANG_PLAIN, HANG_TITLE, HANG_GOOD, HANG_BAD, HANG_UNSURE,
		 HANG_TONES };

struct hang_people_row {
	u64 rank;
	u32 times;
	u32 pid;
	char cell[HANG_PEOPLE_COLS][HANG_PEOPLE_CELL];
};

/* The rows of the highest ranks; of equal ranks, those that came first. */
struct hang_people_table {
	u32 total;
	u32 kept;
	struct hang_people_row row[HANG_PEOPLE_ROWS];
};

/* The host fills in the first part. */
struct hang_people {
	void (*line)(struct hang_people *p, enum hang_tone tone,
		     const char *line);
	const char *all;     /* what to type for all records */
	const char *explain; /* what to type before the id of a verdict */

	struct hang_sink sink;
	struct hang_people_table waiting, asleep, disks, faults;
	struct hang_rec dump, looked;
	u32 dropped;	/* lines that were lost before they came here */
	u32 verdicts;
	char id[HANG_PEOPLE_ROWS][HANG_PEOPLE_CELL];
	bool unsure[HANG_PEOPLE_ROWS];
	bool begun;	/* a line was passed on */
	char buf[HANG_PEOPLE_WIDTH + 1];
	char scratch[HANG_REC_TEXT];
	size_t used;
	char text[HANG_PEOPLE_TEXT]; /* type, verdict, sentence, NUL, ... */
	u8 waits[HANG_PEOPLE_PIDS / 8];	 /* pids that a row of waiting was for */
	u8 sleeps[HANG_PEOPLE_PIDS / 8]; /* and those that sleep for long */
};

/* Makes p ready to take records: give them to &p->sink. */
void hang_people_begin(struct hang_people *p);

/* Passes on the lines of the report. */
void hang_people_finish(struct hang_people *p);

#endif
