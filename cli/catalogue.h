/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of verdicts, made from docs/man/blkhang-verdicts.7.scd when
 * the program is built.
 */
#ifndef BLKHANG_CLI_CATALOGUE_H
#define BLKHANG_CLI_CATALOGUE_H

struct hang_entry {
	const char *id;
	const char *title;
	const char *text;
};

/* The last one has no id. */
extern const struct hang_entry hang_catalogue[];

#endif
