/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the commands of the CLI share. A command is a const struct hang_cmd in
 * its own file; main.c only dispatches.
 */
#ifndef BLKHANG_CMD_H
#define BLKHANG_CMD_H

#include <stdbool.h>

enum hang_exit {
	HANG_EXIT_OK = 0,      /* no hang */
	HANG_EXIT_FOUND = 1,   /* a hang was found */
	HANG_EXIT_ERROR = 2,   /* usage or input error */
	HANG_EXIT_UNCLEAR = 3, /* could not see enough to say */
};

struct hang_cmd {
	const char *name;
	const char *summary; /* one line for --help */
	int (*run)(int argc, char **argv);
};

extern const struct hang_cmd hang_cmd_decode;
extern const struct hang_cmd hang_cmd_explain;
extern const struct hang_cmd hang_cmd_log;
extern const struct hang_cmd hang_cmd_slice;

/* Prints "blkhang: message" to stderr. */
void hang_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Flushes stdout; an exit code, which is an error if output was lost. */
int hang_close_stdout(int code);

#endif
