/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms of a report, the same for all commands that make one.
 */
#ifndef BLKHANG_SHOW_H
#define BLKHANG_SHOW_H

#include "recs.h"

enum show_form { SHOW_PEOPLE, SHOW_ALL, SHOW_JSON };

struct show_options {
	enum show_form form;
	bool pointers; /* SHOW_ALL: with kernel addresses */
	bool lacks;    /* SHOW_ALL: with what this kernel does not have */
};

/*
 * Walks and judges what w is attached to, and writes the report to stdout; an
 * exit code. src says what w looks at.
 */
int show_work(struct hang_work *w, const struct hang_source *src,
	      const struct show_options *opt);

#endif
