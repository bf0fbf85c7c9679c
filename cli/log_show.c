// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows the dumps of a log as a vmcore's report is shown, and what was lost.
 */
#include <stdlib.h>

#include "cmd.h"
#include "json.h"
#include "log.h"
#include "people.h"

#define NUMBERS_MAX 256

static void put_loss(const struct log_dump *d, const struct log_loss *loss,
		     struct hang_str *s)
{
	char buf[NUMBERS_MAX];
	struct hang_str numbers;

	hang_put_dec(s, loss->lost);
	hang_put(s, " of ");
	hang_put_count(s, loss->lines, "line");
	if (loss->lost) {
		hang_str_init(&numbers, buf, sizeof(buf));
		log_put_lost(d, loss->lines, &numbers);
		hang_put(s, ": ");
		hang_put(s, buf);
	}
	if (loss->damaged) {
		hang_put(s, "; damaged: ");
		hang_put_dec(s, loss->damaged);
	}
	if (loss->verdicts) {
		hang_put(s, "; with ");
		hang_put_count(s, loss->verdicts, "verdict");
	}
	if (loss->no_end)
		hang_put(s, "; all that came later, with the end");
}

static void print_people(struct hang_people *p, enum hang_tone tone,
			 const char *text)
{
	char buf[HANG_PEOPLE_WIDTH + 1];

	while (*text) {
		size_t n = hang_piece(text, HANG_PEOPLE_WIDTH - 2);
		struct hang_str s;
		size_t i;

		hang_str_init(&s, buf, sizeof(buf));
		hang_put(&s, tone == HANG_TITLE ? "" : "  ");
		for (i = 0; i < n; i++)
			hang_put_char(&s, text[i]);
		p->line(p, tone, buf);
		for (text += n; *text == ' '; text++)
			;
	}
}

static int show_people(const struct log *log, const struct log_dump *d,
		       const char *title)
{
	struct hang_people *p = hang_people_new();
	struct log_loss loss;
	char text[NUMBERS_MAX + 128];
	struct hang_str s;
	int code;

	if (!p)
		return HANG_EXIT_ERROR;
	print_people(p, HANG_TITLE, title);
	hang_people_begin(p);
	code = log_replay(log, d, &p->sink, &loss);
	p->dropped += loss.lost + loss.no_end;
	hang_people_finish(p);
	if (loss.lost || loss.no_end) {
		hang_str_init(&s, text, sizeof(text));
		put_loss(d, &loss, &s);
		p->line(p, HANG_PLAIN, "");
		print_people(p, HANG_TITLE, "Lost on the way into the log");
		print_people(p, HANG_PLAIN, text);
	}
	free(p);
	return code;
}

struct all {
	struct hang_report r; /* first: its sink is ours */
	struct log_loss loss;
	void (*record)(struct hang_sink *sink, const struct hang_rec *rec);
};

static void print_line(struct hang_report *r, const char *line)
{
	(void)r;
	puts(line);
}

/* The lines of the dump are shown as they are; only what is new is made. */
static void take_new(struct hang_sink *sink, const struct hang_rec *rec)
{
	struct hang_report *r = (struct hang_report *)
		((char *)sink - offsetof(struct hang_report, sink));
	struct all *a = (struct all *)r;

	if (a->loss.anew)
		a->record(sink, rec);
}

static int show_all(const struct log *log, const struct log_dump *d,
		    const char *title)
{
	struct all *a = calloc(1, sizeof(*a));
	char text[NUMBERS_MAX + 128];
	struct hang_str s;
	int code;
	size_t i;

	if (!a) {
		hang_error("out of memory");
		return HANG_EXIT_ERROR;
	}
	if (*title)
		puts(title);
	for (i = 0; i < d->count; i++)
		puts(d->entries[i].line);
	a->r.line = print_line;
	hang_report_begin(&a->r);
	a->r.direct = true;
	a->record = a->r.sink.record;
	a->r.sink.record = take_new;
	code = log_replay(log, d, &a->r.sink, &a->loss);
	if (a->loss.lost || a->loss.no_end) {
		hang_str_init(&s, text, sizeof(text));
		put_loss(d, &a->loss, &s);
		printf("lost %s\n", text);
	}
	free(a);
	return code;
}

static int show_json(const struct log *log, const struct log_dump *d)
{
	struct hang_source src = { .path = d->path, .format = "log" };
	char text[NUMBERS_MAX];
	struct hang_str s;
	struct log_loss loss;
	struct hang_recs r;
	int code;

	hang_recs_init(&r);
	code = log_replay(log, d, &r.sink, &loss);
	hang_str_init(&s, text, sizeof(text));
	log_put_lost(d, loss.lines, &s);
	src.lost = text;
	src.has_end = !loss.no_end;
	hang_json_write(&r, stdout, &src, loss.complete);
	hang_recs_free(&r);
	return code;
}

static int show(const struct log *log, u32 n, enum show_form form)
{
	const struct log_dump *d = log->dumps[n];
	char title[256] = "";

	if (log->count > 1)
		snprintf(title, sizeof(title), "Dump %u of %u: id %04x, %s",
			 n + 1, log->count, d->id, d->path);
	switch (form) {
	case SHOW_JSON:
		return show_json(log, d);
	case SHOW_ALL:
		return show_all(log, d, title);
	case SHOW_PEOPLE:
		break;
	}
	return show_people(log, d, title);
}

/* Of several: an error, else a hang if any has one, else what is not clear. */
static int worst(int a, int b)
{
	static const int order[] = {
		HANG_EXIT_ERROR, HANG_EXIT_FOUND, HANG_EXIT_UNCLEAR,
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return HANG_EXIT_OK;
}

int log_show(const struct log *log, enum show_form form)
{
	int code = HANG_EXIT_OK;
	u32 i;

	for (i = 0; i < log->count; i++) {
		if (i && form != SHOW_JSON)
			puts("");
		code = worst(code, show(log, i, form));
	}
	if (log->left_out)
		hang_error("%llu lines of dumps are left out: too many",
			   log->left_out);
	return log->left_out && code == HANG_EXIT_OK ? HANG_EXIT_UNCLEAR : code;
}
