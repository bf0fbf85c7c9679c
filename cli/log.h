/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dumps in saved logs: read from files, put in order, and shown.
 */
#ifndef BLKHANG_LOG_H
#define BLKHANG_LOG_H

#include "log_line.h"
#include "show.h"

#define LOG_DUMPS_MAX 1024
#define LOG_BYTES_MAX (128UL << 20) /* of lines that are kept */
#define LOG_DAMAGED_MAX 4096

struct log_entry {
	u32 n;
	char *line;
};

struct log_dump {
	u32 id;
	const char *path; /* where its first line was found */
	struct log_entry *entries; /* by running number */
	size_t count, room;
};

struct log {
	struct log_dump *dumps[LOG_DUMPS_MAX]; /* in the order in which they were met */
	u32 count;
	size_t bytes;
	u64 left_out; /* lines for which there was no room */
	u32 nr_damaged;
	struct {
		u32 id, n;
	} damaged[LOG_DAMAGED_MAX];
};

/* Adds all lines of dumps in a file; false, and said why, if it can't be read. */
bool log_read(struct log *log, int fd, const char *path);

/* Adds one line; one that was there before counts once. */
void log_add(struct log *log, const struct log_frame *f, const char *path);

/* Notes one that is damaged. */
void log_add_damaged(struct log *log, const struct log_frame *f);

void log_free(struct log *log);

/* What did not come through of a dump. */
struct log_loss {
	u32 lines;    /* how many there should be, as far as is known */
	u32 lost;
	u32 damaged;  /* those of them that are there, and damaged */
	u32 verdicts; /* how many of its verdicts are missing, as far as is known */
	bool no_end;  /* nothing says how many lines there should be */
	bool anew;    /* what is passed on now was not in the dump */
	bool complete; /* nothing is missing, and it saw all there was */
};

/*
 * Passes on the records of a dump. Its verdicts are those that it had; a
 * sentence of which it can't be known whose it is is left out. The exit code.
 */
int log_replay(const struct log *log, const struct log_dump *d,
	       struct hang_sink *sink, struct log_loss *loss);

/* Calls each for the records of entries from to to - 1, parts put together. */
void log_records(const struct log_dump *d, size_t from, size_t to,
		 void (*each)(void *arg, const struct hang_rec *rec), void *arg);

/*
 * Whether entries from on are all that the walk found, so that it can be judged
 * anew; to do so; both only with the record of the end.
 */
bool log_can_judge(const struct log_dump *d, size_t from,
		   const struct hang_rec *end);
int log_judge(const struct log_dump *d, size_t from, struct hang_sink *sink);

/* The numbers that are missing up to lines, as "3, 7-9". */
void log_put_lost(const struct log_dump *d, u32 lines, struct hang_str *s);

/* Shows all dumps; an exit code. */
int log_show(const struct log *log, enum show_form form);

#endif
