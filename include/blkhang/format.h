/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text form of a report. A line is
 *
 *   TYPE key=value key=value ...
 *
 * and stands alone: a record too long for one line is split, and each part
 * repeats the keys that identify it. A sentence is TYPE TEXT, and what of it goes
 * on in a further line is marked there. On a console each line is framed:
 *
 *   blkhang: v1 ID N LINE *CHECK
 *
 * ID is the same on all lines of one dump, N counts them from 1, CHECK is four
 * hexadecimal digits over everything between "blkhang: " and " *".
 */
#ifndef BLKHANG_FORMAT_H
#define BLKHANG_FORMAT_H

#include "fmt.h"
#include "walk.h"

#define HANG_FORMAT 1
#define HANG_LINE_MAX 512 /* bytes of a line with its frame, NUL included */
#define HANG_WRAP 76	  /* sentences are broken before this column */
#define HANG_GOES_ON "..." /* before what goes on of a sentence; a blank too if
			      it was broken at one */
#define HANG_HEADS 8	  /* verdicts whose first line is repeated at the end */
#define HANG_EXPLAINED 16 /* verdicts with sentences; of more, the first line */

struct hang_report;

/* A record kept for its age: see core/keep.c. */
struct hang_kept {
	struct hang_rec rec;
	u64 age;
	size_t at; /* in buf: lines before it */
	u32 n;	   /* records kept before it, this time */
	u32 lines;
	u32 order; /* of the ith: which one stands ith in the heap */
};

/*
 * A report in the making. The host fills in the first part; records go into
 * buf while the walk runs, so that the verdict can be printed before them.
 */
struct hang_report {
	char *buf;	 /* room for lines */
	size_t size;
	u32 max_lines;	 /* lines of records printed at most */
	bool pointers;	 /* print kernel addresses */
	struct hang_kept *kept; /* room for requests; NULL: lines are many */
	u32 max_kept;
	void (*line)(struct hang_report *r, const char *line);

	struct hang_sink sink;
	size_t used;
	u32 lines;
	u32 counted;
	u32 dropped;
	bool direct;	 /* lines are passed on at once */
	bool many;	 /* the record is one of very many */
	u32 nr_kept;
	u32 kept_lines;
	u32 kept_ever;
	u64 follows;	 /* age of the request that the next record may be of */
	bool followed;	 /* there is one */
	u32 left;	 /* requests for which there was no room */
	u64 floor;	 /* all that is younger than this is left out */
	u32 nr_heads;
	u32 verdicts;
	char held[HANG_LINE_MAX];
	char text[HANG_LINE_MAX];
	char heads[HANG_HEADS][192];
};

/* Makes r ready to take the records of a walk: give it &r->sink. */
void hang_report_begin(struct hang_report *r);

/*
 * Judges what was walked and passes on all lines in their order: verdicts,
 * records, the verdicts' first lines again, and the end line.
 */
enum hang_answer hang_report_finish(struct hang_report *r, struct hang_work *w);

/* Frames line into s: see above. */
void hang_frame(struct hang_str *s, u32 id, u32 n, const char *line);

/* Renders one part of rec; *field says where to begin, and then where to go on. */
void hang_render(struct hang_str *s, const struct hang_rec *rec, u32 *field,
		 bool pointers);

#endif
