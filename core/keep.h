/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep.c: which requests are shown where there is not room for all.
 */
#ifndef BLKHANG_KEEP_H
#define BLKHANG_KEEP_H

#include <blkhang/format.h>

void hang_keep_begin(struct hang_report *r);

/* Whether rec is one of those of which the oldest are kept, and its age. */
bool hang_keep_age(struct hang_report *r, const struct hang_rec *rec, u64 *age);

/* Keeps rec, which takes so many lines, unless all that are kept are older. */
void hang_keep(struct hang_report *r, const struct hang_rec *rec, u64 age,
	       u32 lines);

/* Lets the youngest go, to make room; false if none is kept. */
bool hang_keep_yield(struct hang_report *r);

/* Puts those kept in the order in which they came; and the ith of them. */
void hang_keep_sort(struct hang_report *r);
struct hang_kept *hang_keep_at(struct hang_report *r, u32 i);

#endif
