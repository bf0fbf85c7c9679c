/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of a dump in a saved log: found in whatever became of it on the way,
 * checked, and read back into a record.
 */
#ifndef BLKHANG_LOG_LINE_H
#define BLKHANG_LOG_LINE_H

#include <blkhang/format.h>

#define LOG_MARK "blkhang" /* what every line begins with, in any style */
#define LOG_WINDOW 4096	   /* bytes of log that are looked at for one line */

/* What a frame holds: see format.h. */
struct log_frame {
	u32 id, n;
	char line[HANG_LINE_MAX];
};

enum log_found {
	LOG_NONE,    /* no line of a dump */
	LOG_ODD,     /* begins like one, and can't be read */
	LOG_DAMAGED, /* one whose checksum does not fit; id and n are as read */
	LOG_WHOLE,
};

/*
 * Reads the line that begins at raw, where LOG_MARK stands. len bytes of log
 * follow, of which those up to the next mark may belong to it. Without hard,
 * what was wrapped or encoded is not looked into.
 */
enum log_found log_find(const char *raw, size_t len, bool hard,
			struct log_frame *f);

/* Reads a frame as it was written; text is what begins with LOG_MARK. */
enum log_found log_read_frame(const char *text, struct log_frame *f);

/* What can be undone before a frame is read; see log_mangle.c. */
enum log_coding { LOG_QP = 1, LOG_HTML = 2, LOG_ESCAPES = 4 };

/*
 * Decodes raw into out (size bytes, NUL-terminated); the codings that were met
 * are returned.
 */
u32 log_decode(const char *raw, size_t len, u32 codings, char *out,
	       size_t size);

/* How lines that follow are joined. */
#define LOG_ALONE 0x100	  /* not at all: the line ends where it ends */
#define LOG_CUT 0x200	  /* what begins with a time stamp is another's line */
#define LOG_JOINS 0x0f	  /* bit n: without a blank at the nth break */

/*
 * Takes colours, marks of lost messages and odd blanks out of text and joins
 * its lines; how many of them were joined is returned.
 */
u32 log_tidy(const char *text, u32 join, char *out, size_t size);

/*
 * Reads a line back into a record, driven by record.def; false if it is none.
 * Times are of ms, what was cut is cut; fields not known here are left out.
 */
bool log_parse(struct hang_rec *rec, const char *line);

/* Adds part to rec if it is the next part of the same record. */
bool log_merge(struct hang_rec *rec, const struct hang_rec *part);

#endif
