/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON form of a report. Records are kept as they come and written in the
 * end, nested: requests in their disk, lists in their CPU.
 */
#ifndef BLKHANG_JSON_H
#define BLKHANG_JSON_H

#include <stdio.h>

#include <blkhang/record.h>
#include <blkhang/walk.h>

struct hang_json {
	struct hang_sink sink;
	struct hang_rec *recs;
	size_t count, room;
	bool failed; /* out of memory: something is missing */
};

void hang_json_init(struct hang_json *j);
void hang_json_free(struct hang_json *j);

/* What the report was made from. */
struct hang_json_source {
	const char *path;
	const char *format;
	const char *lost; /* of a log: the numbers of lines missing, else NULL */
	bool has_end;	  /* and whether its last line is there */
};

/* Writes the whole report; complete says whether everything was seen. */
void hang_json_write(const struct hang_json *j, FILE *f,
		     const struct hang_json_source *source, bool complete);

#endif
