/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people on stdout, in colour where that is a terminal.
 */
#ifndef BLKHANG_CLI_PEOPLE_H
#define BLKHANG_CLI_PEOPLE_H

#include <blkhang/people.h>

/* A report for stdout, to be freed; NULL, and said so, without memory. */
struct hang_people *hang_people_new(void);

#endif
