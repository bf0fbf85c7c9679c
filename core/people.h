/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two halves of the report for people share: people.c keeps what
 * records say, people_lines.c makes lines of it.
 */
#ifndef BLKHANG_CORE_PEOPLE_H
#define BLKHANG_CORE_PEOPLE_H

#include <blkhang/people.h>

/*
 * The next sentence of this type and verdict (from 1; 0: without one) behind
 * *at, which is moved on; NULL after the last.
 */
const char *hang_people_text(const struct hang_people *p, size_t *at, u32 type,
			     u32 verdict);

/* Takes those out of the tasks that sleep of which it is known what for. */
void hang_people_sort_out(struct hang_people *p);

#endif
