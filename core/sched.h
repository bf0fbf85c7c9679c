/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the decoders of the I/O schedulers share; see sched.c.
 */
#ifndef BLKHANG_SCHED_H
#define BLKHANG_SCHED_H

#include "core.h"

#define HANG_SCHED_ROWS 9

/* One scheduler: block/NAME.c */
struct hang_sched {
	const char *name; /* elevator_type.elevator_name */

	/* Without one of these it is not looked at; 0 ends them. */
	enum hang_row_id rows[HANG_SCHED_ROWS];

	/* Emits what it holds for w->q_snap; data: elevator_queue's own. */
	void (*walk)(struct hang_work *w, u64 data);
};

extern const struct hang_sched hang_sched_deadline;
extern const struct hang_sched hang_sched_bfq;
extern const struct hang_sched hang_sched_kyber;

/* A name for an enumerator. */
struct hang_sched_part {
	enum hang_row_id row;
	const char *name;
};

/* Begins a sched record of this queue in w->rec, with the name of its part. */
void hang_sched_start(struct hang_work *w, const char *part);

/* The same; the part is the nth, named by an enumerator or else by number. */
void hang_sched_start_nth(struct hang_work *w, u32 n,
			  const struct hang_sched_part *parts, u32 nr);

/* Requests on several lists; unknown if one of them could not be read. */
struct hang_sched_count {
	u32 count;
	bool unknown;
};

/* Walks a list of requests (queuelist) at a place, and adds to c. */
void hang_sched_list(struct hang_work *w, u64 head, enum hang_place place,
		     struct hang_sched_count *c);

/* Sets a field of w->rec to what was counted, if that is known. */
void hang_sched_set(struct hang_work *w, u32 field,
		    const struct hang_sched_count *c);

/* Sets a field of w->rec to a number of 32 bits that has a sign. */
void hang_sched_set_int(struct hang_work *w, u32 field, u64 value);

#endif
