// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks a kernel once and writes the report in the form that was asked for.
 */
#include <stdio.h>
#include <stdlib.h>

#include <blkhang/format.h>

#include "cmd.h"
#include "json.h"
#include "people.h"
#include "show.h"

/* Room that is only touched as far as it is used. */
#define REPORT_SIZE (256UL << 20)

static void print_line(struct hang_report *r, const char *line)
{
	(void)r;
	puts(line);
}

static int show_all(struct hang_work *w, const struct show_options *opt)
{
	struct hang_report *r = calloc(1, sizeof(*r));
	int code = HANG_EXIT_ERROR;

	if (r)
		r->buf = malloc(REPORT_SIZE);
	if (r && r->buf) {
		r->size = REPORT_SIZE;
		r->max_lines = 1u << 30;
		r->pointers = opt->pointers;
		r->line = print_line;
		hang_report_begin(r);
		if (opt->lacks)
			hang_lacks(w, &r->sink, true);
		hang_walk(w, &r->sink, false);
		code = hang_report_finish(r, w);
		free(r->buf);
	} else {
		hang_error("out of memory");
	}
	free(r);
	return code;
}

static int show_json(struct hang_work *w, const struct hang_source *src)
{
	struct hang_recs r;
	int code;

	hang_recs_init(&r);
	hang_walk(w, &r.sink, false);
	code = hang_judge(w, &r.sink);
	hang_json_write(&r, stdout, src, code != HANG_EXIT_UNCLEAR &&
			!w->sum.faults && !w->sum.left_out);
	hang_recs_free(&r);
	return code;
}

static int show_people(struct hang_work *w)
{
	struct hang_people *p = hang_people_new();
	int code;

	if (!p)
		return HANG_EXIT_ERROR;
	hang_people_begin(p);
	hang_walk(w, &p->sink, false);
	code = hang_judge(w, &p->sink);
	hang_people_finish(p);
	free(p);
	return code;
}

int show_work(struct hang_work *w, const struct hang_source *src,
	      const struct show_options *opt)
{
	switch (opt->form) {
	case SHOW_JSON:
		return show_json(w, src);
	case SHOW_ALL:
		return show_all(w, opt);
	case SHOW_PEOPLE:
		break;
	}
	return show_people(w);
}
