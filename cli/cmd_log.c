// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blkhang log: the report from a saved console log.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "log.h"

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "all", no_argument, NULL, 'a' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int help(void)
{
	puts("Usage: blkhang log [OPTION]... [FILE]...\n"
	     "\n"
	     "Finds every dump of the kernel module in console logs and gives the\n"
	     "report that 'blkhang decode' gives of a vmcore. Without FILE, or\n"
	     "where it is -, reads standard input.\n"
	     "\n"
	     "A log may be what dmesg (-T, -x, -r, --json), syslog, journalctl\n"
	     "(-o json too), netconsole, pstore, a serial line or a terminal made\n"
	     "of it, quoted or wrapped by a mail program, or copied from a web\n"
	     "page, in UTF-8 or UTF-16; parts of one dump may be in several files\n"
	     "and in any order. Each line has a checksum, and is taken only if it\n"
	     "fits; which lines are lost is told.\n"
	     "\n"
	     "Verdicts are those that the module printed, which had more to go\n"
	     "by. If all of them are lost, the records are judged anew, with low\n"
	     "confidence, or no answer is given.\n"
	     "\n"
	     "Options:\n"
	     "  -a, --all   each record on lines of its own, as printed\n"
	     "  -j, --json  write JSON, one object for each dump; times are of ms\n"
	     "      --help  show this text\n"
	     "\n"
	     "Exit status: 0 no hang, 1 a hang was found in any of the dumps, 2\n"
	     "usage or input error or no dump found, 3 could not see enough to say.");
	return hang_close_stdout(HANG_EXIT_OK);
}

static bool read_file(struct log *log, const char *path)
{
	bool good;
	int fd;

	if (!strcmp(path, "-"))
		return log_read(log, STDIN_FILENO, "standard input");
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		hang_error("%s: %s", path, strerror(errno));
		return false;
	}
	good = log_read(log, fd, path);
	close(fd);
	return good;
}

static int run_on(char **paths, int count, enum show_form form)
{
	struct log *log = calloc(1, sizeof(*log));
	int code = HANG_EXIT_ERROR;
	bool good = log;
	int i;

	if (!log)
		hang_error("out of memory");
	for (i = 0; good && i < count; i++)
		good = read_file(log, paths[i]);
	if (good && log->count) {
		code = log_show(log, form);
	} else if (good && log->nr_damaged) {
		hang_error("all lines of dumps are damaged");
		code = HANG_EXIT_UNCLEAR;
	} else if (good) {
		hang_error("no dump found");
	}
	if (log)
		log_free(log);
	free(log);
	return hang_close_stdout(code);
}

static int run(int argc, char **argv)
{
	static char standard_input[] = "-";
	char *none[] = { standard_input };
	enum show_form form = SHOW_PEOPLE;
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "ajh", long_options, NULL)) != -1) {
		if (c == 'h')
			return help();
		if (c != 'a' && c != 'j') {
			hang_error("try 'blkhang log --help'");
			return HANG_EXIT_ERROR;
		}
		form = c == 'j' ? SHOW_JSON : SHOW_ALL;
	}
	if (optind == argc)
		return run_on(none, 1, form);
	return run_on(argv + optind, argc - optind, form);
}

const struct hang_cmd hang_cmd_log = {
	.name = "log",
	.summary = "report from a saved console log",
	.run = run,
};
