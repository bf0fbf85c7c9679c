// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report for people on stdout. Colour is for terminals, and for those who
 * did not ask for none (NO_COLOR, see no-color.org).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <blkhang/people.h>

#include "cmd.h"
#include "people.h"

static const char *const colours[HANG_TONES] = {
	[HANG_TITLE] = "\033[1m",
	[HANG_GOOD] = "\033[1;32m",
	[HANG_BAD] = "\033[1;31m",
	[HANG_UNSURE] = "\033[1;33m",
};

static bool wants_colour(void)
{
	const char *none = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return !(none && *none) && term && *term && strcmp(term, "dumb") &&
	       isatty(STDOUT_FILENO);
}

static void print_plain(struct hang_people *p, enum hang_tone tone,
			const char *line)
{
	(void)p;
	(void)tone;
	puts(line);
}

static void print_coloured(struct hang_people *p, enum hang_tone tone,
			   const char *line)
{
	if (colours[tone])
		printf("%s%s\033[0m\n", colours[tone], line);
	else
		print_plain(p, tone, line);
}

struct hang_people *hang_people_new(void)
{
	struct hang_people *p = calloc(1, sizeof(*p));

	if (!p) {
		hang_error("out of memory");
		return NULL;
	}
	p->line = wants_colour() ? print_coloured : print_plain;
	p->all = "--all";
	p->explain = "blkhang explain";
	return p;
}
