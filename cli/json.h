/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON form of a report: records nested, requests in their disk, lists in
 * their CPU.
 */
#ifndef BLKHANG_JSON_H
#define BLKHANG_JSON_H

#include <stdio.h>

#include "recs.h"

/* Writes the whole report; complete says whether everything was seen. */
void hang_json_write(const struct hang_recs *r, FILE *f,
		     const struct hang_source *source, bool complete);

#endif
