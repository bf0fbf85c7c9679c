// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blkhang: where is every block request, and who is at fault? This file only
 * finds the command and runs it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <libelf.h>
#include <libkdumpfile/kdumpfile.h>

#include <blkhang/format.h>

#include "cmd.h"

static const struct hang_cmd *const commands[] = {
	&hang_cmd_decode,
	&hang_cmd_explain,
	&hang_cmd_log,
	&hang_cmd_slice,
};

void hang_error(const char *fmt, ...)
{
	va_list ap;

	fputs("blkhang: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int hang_close_stdout(int code)
{
	/* EPIPE counts too: a reader that went away did not get the report. */
	if (fflush(stdout) || ferror(stdout)) {
		hang_error("can't write the report: %s", strerror(errno));
		return HANG_EXIT_ERROR;
	}
	return code;
}

static int help(void)
{
	size_t i;

	puts("Usage: blkhang COMMAND [OPTION]... [FILE]\n"
	     "\n"
	     "Tells where every block request of a hung Linux machine is, and\n"
	     "who is at fault. Needs no debug information.\n"
	     "\n"
	     "Commands:");
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Options:\n"
	     "  --help     show this text; 'blkhang COMMAND --help' for more\n"
	     "  --version  show versions of blkhang and of what it is built with\n"
	     "\n"
	     "Exit status: 0 no hang, 1 a hang was found, 2 usage or input error,\n"
	     "3 could not see enough to say.");
	return hang_close_stdout(HANG_EXIT_OK);
}

static int version(void)
{
	printf("blkhang %s\n", BLKHANG_VERSION);
	printf("line format %d, JSON format 1\n", HANG_FORMAT);
	printf("libkdumpfile %s: ELF, kdump-compressed\n",
	       KDUMPFILE_VERSION_STRING);
	puts("flattened files: rearranged by blkhang");
	printf("libelf %s\n", elf_version(EV_CURRENT) ? "present" : "unusable");
	return hang_close_stdout(HANG_EXIT_OK);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		hang_error("no command given; try 'blkhang --help'");
		return HANG_EXIT_ERROR;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help();
	if (!strcmp(argv[1], "--version"))
		return version();
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i]->name))
			return commands[i]->run(argc - 1, argv + 1);
	hang_error("no command '%s'; try 'blkhang --help'", argv[1]);
	return HANG_EXIT_ERROR;
}
