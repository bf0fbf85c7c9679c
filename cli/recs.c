// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the records of a report, for forms that are written only when all are
 * known.
 */
#include <stdlib.h>
#include <string.h>

#include "recs.h"

static void take(struct hang_sink *sink, const struct hang_rec *rec)
{
	struct hang_recs *r = (struct hang_recs *)sink;

	if (r->count == r->room) {
		size_t room = r->room ? r->room * 2 : 64;
		struct hang_rec *p = realloc(r->rec, room * sizeof(*p));

		if (!p) {
			r->failed = true;
			return;
		}
		r->rec = p;
		r->room = room;
	}
	r->rec[r->count++] = *rec;
}

void hang_recs_init(struct hang_recs *r)
{
	memset(r, 0, sizeof(*r));
	r->sink.record = take;
}

void hang_recs_free(struct hang_recs *r)
{
	free(r->rec);
}
