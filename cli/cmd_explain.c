// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blkhang explain: what a verdict means, from the catalogue of verdicts.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "catalogue.h"
#include "cmd.h"

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int help(void)
{
	puts("Usage: blkhang explain [ID]\n"
	     "\n"
	     "Tells what a verdict means, what it rests on, what to do next, and\n"
	     "which kernel bugs are known to cause it; without ID, lists all.\n"
	     "\n"
	     "Exit status: 0, or 2 if there is no such verdict.");
	return hang_close_stdout(HANG_EXIT_OK);
}

static int list(void)
{
	const struct hang_entry *e;
	int width = 0;

	for (e = hang_catalogue; e->id; e++)
		if ((int)strlen(e->id) > width)
			width = strlen(e->id);
	for (e = hang_catalogue; e->id; e++)
		printf("%-*s  %s\n", width, e->id, e->title);
	return hang_close_stdout(HANG_EXIT_OK);
}

static int explain(const char *id)
{
	const struct hang_entry *e;

	for (e = hang_catalogue; e->id; e++)
		if (!strcmp(e->id, id))
			break;
	if (!e->id) {
		hang_error("no verdict '%s'; 'blkhang explain' lists them", id);
		return HANG_EXIT_ERROR;
	}
	printf("%s: %s\n%s", e->id, e->title, e->text);
	return hang_close_stdout(HANG_EXIT_OK);
}

static int run(int argc, char **argv)
{
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (c == 'h')
			return help();
		hang_error("try 'blkhang explain --help'");
		return HANG_EXIT_ERROR;
	}
	if (argc - optind > 1) {
		hang_error("more than one verdict given;"
			   " try 'blkhang explain --help'");
		return HANG_EXIT_ERROR;
	}
	return optind < argc ? explain(argv[optind]) : list();
}

const struct hang_cmd hang_cmd_explain = {
	.name = "explain",
	.summary = "what a verdict means, and what to do",
	.run = run,
};
