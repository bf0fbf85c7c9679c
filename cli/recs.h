/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All records of a report in the order in which they came, and what the report
 * was made from: what JSON and other forms are written from.
 */
#ifndef BLKHANG_RECS_H
#define BLKHANG_RECS_H

#include <blkhang/record.h>
#include <blkhang/walk.h>

struct hang_recs {
	struct hang_sink sink; /* give it to whatever makes records */
	struct hang_rec *rec;
	size_t count, room;
	bool failed; /* out of memory: something is missing */
};

void hang_recs_init(struct hang_recs *r);
void hang_recs_free(struct hang_recs *r);

/* What a report was made from. */
struct hang_source {
	const char *path;
	const char *format;
	const char *lost; /* of a log: the numbers of lines missing, else NULL */
	bool has_end;	  /* and whether its last line is there */
};

#endif
