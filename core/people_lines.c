// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report for people: its lines.
 */
#include "people.h"

struct column {
	const char *head;
	bool number;
};

static void begin(struct hang_people *p, struct hang_str *s, const char *text)
{
	hang_str_init(s, p->buf, sizeof(p->buf));
	hang_put(s, text);
}

/*
 * Passes on the line in p->buf. Records hold nothing but printable ASCII; but
 * a terminal must not depend on whoever made them.
 */
static void put_line(struct hang_people *p, enum hang_tone tone)
{
	char *c;

	for (c = p->buf; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	p->begun = true;
	p->line(p, tone, p->buf);
}

static void put_title(struct hang_people *p, const char *title)
{
	struct hang_str s;

	if (p->begun) {
		begin(p, &s, "");
		put_line(p, HANG_PLAIN);
	}
	begin(p, &s, title);
	put_line(p, HANG_TITLE);
}

/* Text over as many lines as it takes, the first of which begins with start. */
static void put_wrapped(struct hang_people *p, enum hang_tone tone,
			const char *start, const char *indent, const char *text)
{
	struct hang_str s;

	do {
		size_t n, i;

		begin(p, &s, start);
		n = hang_piece(text, HANG_PEOPLE_WIDTH - s.len);
		for (i = 0; i < n; i++)
			hang_put_char(&s, text[i]);
		put_line(p, tone);
		text += n;
		while (*text == ' ')
			text++;
		start = indent;
	} while (*text);
}

static void put_more(struct hang_people *p, u32 more, const char *what)
{
	struct hang_str s;

	if (!more)
		return;
	begin(p, &s, "  and ");
	hang_put_dec(&s, more);
	hang_put(&s, " more");
	hang_put(&s, what);
	hang_put(&s, "; ");
	hang_put(&s, p->all);
	put_line(p, HANG_PLAIN);
}

/* Tables */

static void put_cell(struct hang_str *s, const char *text, size_t width,
		     bool right)
{
	size_t pad = width - strlen(text);
	size_t i;

	for (i = 0; right && i < pad; i++)
		hang_put_char(s, ' ');
	hang_put(s, text);
	for (i = 0; !right && i < pad; i++)
		hang_put_char(s, ' ');
}

/* A row of a table, NULL: its head. */
static void put_row(struct hang_people *p, const struct hang_people_row *row,
		    const struct column *columns, const size_t *width)
{
	struct hang_str s;
	u32 i;

	begin(p, &s, "");
	for (i = 0; i < HANG_PEOPLE_COLS && columns[i].head; i++) {
		hang_put(&s, "  ");
		put_cell(&s, row ? row->cell[i] : columns[i].head, width[i],
			 columns[i].number);
	}
	while (s.len && p->buf[s.len - 1] == ' ')
		p->buf[--s.len] = '\0';
	put_line(p, HANG_PLAIN);
}

static void put_table(struct hang_people *p, const char *title,
		      const struct hang_people_table *t, u32 more,
		      const struct column *columns)
{
	size_t width[HANG_PEOPLE_COLS];
	u32 i, n;

	if (!t->total)
		return;
	put_title(p, title);
	for (i = 0; i < HANG_PEOPLE_COLS && columns[i].head; i++) {
		width[i] = strlen(columns[i].head);
		for (n = 0; n < t->kept; n++)
			if (strlen(t->row[n].cell[i]) > width[i])
				width[i] = strlen(t->row[n].cell[i]);
	}
	put_row(p, NULL, columns, width);
	for (n = 0; n < t->kept; n++)
		put_row(p, &t->row[n], columns, width);
	put_more(p, more, "");
}

static void put_waiting(struct hang_people *p)
{
	static const struct column columns[HANG_PEOPLE_COLS] = {
		{ "PID", true }, { "COMMAND", false }, { "STATE", false },
		{ "SLEPT", true }, { "WAITS FOR", false },
	};
	struct hang_str s;

	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	hang_put_count(&s, p->waiting.total, "waiting task");
	put_table(p, p->scratch, &p->waiting,
		  p->waiting.total - p->waiting.kept, columns);
}

static void put_asleep(struct hang_people *p)
{
	static const struct column columns[HANG_PEOPLE_COLS] = {
		{ "PID", true }, { "COMMAND", false }, { "STATE", false },
		{ "SLEPT", true },
	};
	struct hang_str s;

	hang_people_sort_out(p);
	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	hang_put_count(&s, p->asleep.total, "other task");
	hang_put(&s, " asleep (D), not found what for");
	put_table(p, p->scratch, &p->asleep, p->asleep.total - p->asleep.kept,
		  columns);
}

static void put_disks(struct hang_people *p)
{
	static const struct column columns[HANG_PEOPLE_COLS] = {
		{ "DISK", false }, { "ALLOCATED", true }, { "ISSUED", true },
		{ "COMPLETED", true }, { "TIMED OUT", true },
		{ "OLDEST", true },
	};

	put_table(p, "Requests", &p->disks, p->disks.total - p->disks.kept,
		  columns);
}

static void put_faults(struct hang_people *p)
{
	static const struct column columns[HANG_PEOPLE_COLS] = {
		{ "TIMES", true }, { "WHAT", false }, { "AT", false },
		{ "WHY", false },
	};
	struct hang_people_table *t = &p->faults;
	u32 shown = 0, total = t->total;
	struct hang_str s;
	u32 i;

	for (i = 0; i < t->kept; i++) {
		hang_str_init(&s, t->row[i].cell[0], HANG_PEOPLE_CELL);
		hang_put_dec(&s, t->row[i].times);
		shown += t->row[i].times;
	}
	/* Of very many, not all have a record. */
	if (hang_rec_get(&p->looked, F_looked_faults) > total)
		total = (u32)hang_rec_get(&p->looked, F_looked_faults);
	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	hang_put_count(&s, total, "fault");
	hang_put(&s, ": could not be read, or made no sense");
	put_table(p, p->scratch, t, total - shown, columns);
}

/* Verdicts */

static void put_head(struct hang_people *p, u32 n, const char *say)
{
	bool good = !strcmp(p->id[n - 1], "no-hang");
	struct hang_str s;
	char start[40];

	hang_str_init(&s, start, sizeof(start));
	hang_put(&s, good ? "NO HANG" : "HANG");
	if (p->verdicts > 1) {
		hang_put_char(&s, ' ');
		hang_put_dec(&s, n);
		hang_put(&s, " of ");
		hang_put_dec(&s, p->verdicts);
	}
	if (p->unsure[n - 1] && !good)
		hang_put(&s, ", cause uncertain");
	hang_put(&s, ": ");
	put_wrapped(p, good ? HANG_GOOD : HANG_BAD, start, "  ", say);
}

static void put_all(struct hang_people *p, u32 type, u32 n, const char *start,
		    const char *indent)
{
	const char *text;
	size_t at = 0;

	while ((text = hang_people_text(p, &at, type, n)))
		put_wrapped(p, HANG_PLAIN, start, indent, text);
}

static void put_verdict(struct hang_people *p, u32 n)
{
	const char *say;
	struct hang_str s;
	size_t at = 0;

	if (p->begun) {
		begin(p, &s, "");
		put_line(p, HANG_PLAIN);
	}
	say = hang_people_text(p, &at, R_say, n);
	put_head(p, n, say ? say : p->id[n - 1]);
	while (say && (say = hang_people_text(p, &at, R_say, n)))
		put_wrapped(p, HANG_PLAIN, "  ", "  ", say);
	put_all(p, R_verdict, n, "  ", "  ");
	put_all(p, R_evidence, n, "  - ", "    ");
}

static void put_unclear(struct hang_people *p)
{
	size_t at = 0;
	const char *say = hang_people_text(p, &at, R_say, 0);

	put_wrapped(p, HANG_UNSURE, "NO ANSWER: ", "  ",
		    say ? say : "no verdict is in these records.");
	put_all(p, R_evidence, 0, "  - ", "    ");
	put_all(p, R_next, 0, "  - ", "    ");
}

static u32 verdicts_kept(const struct hang_people *p)
{
	return p->verdicts < HANG_PEOPLE_ROWS ? p->verdicts : HANG_PEOPLE_ROWS;
}

static void put_verdicts(struct hang_people *p)
{
	u32 kept = verdicts_kept(p);
	u32 n;

	if (!p->verdicts)
		put_unclear(p);
	for (n = 1; n <= kept; n++)
		put_verdict(p, n);
	put_more(p, p->verdicts - kept,
		 p->verdicts - kept == 1 ? " verdict" : " verdicts");
}

/* Whether the same id stands before: what to do then is the same too. */
static bool told_before(const struct hang_people *p, u32 n, const char *next)
{
	u32 m;

	for (m = 1; m < n; m++) {
		size_t at = 0;
		const char *text;

		if (strcmp(p->id[m - 1], p->id[n - 1]))
			continue;
		if (!next)
			return true;
		while ((text = hang_people_text(p, &at, R_next, m)))
			if (!strcmp(text, next))
				return true;
	}
	return false;
}

/* One after the other, so that each is told once, under the first it is for. */
static void put_next_of(struct hang_people *p, u32 n, bool *any)
{
	bool named = p->verdicts == 1;
	const char *start = named ? "  - " : "    - ";
	const char *indent = named ? "    " : "      ";
	const char *text;
	struct hang_str s;
	size_t at = 0;

	while ((text = hang_people_text(p, &at, R_next, n))) {
		if (told_before(p, n, text))
			continue;
		if (!*any)
			put_title(p, "What to do");
		*any = true;
		if (!named) {
			begin(p, &s, "  ");
			hang_put(&s, p->id[n - 1]);
			put_line(p, HANG_PLAIN);
		}
		named = true;
		put_wrapped(p, HANG_PLAIN, start, indent, text);
	}
	if (!named || !*any || !p->explain || told_before(p, n, NULL))
		return;
	begin(p, &s, start);
	hang_put(&s, "more about it: ");
	hang_put(&s, p->explain);
	hang_put_char(&s, ' ');
	hang_put(&s, p->id[n - 1]);
	put_line(p, HANG_PLAIN);
}

static void put_next(struct hang_people *p)
{
	bool any = false;
	u32 n;

	for (n = 1; n <= verdicts_kept(p); n++)
		put_next_of(p, n, &any);
}

/* What was looked at */

static void put_machine(struct hang_people *p)
{
	const struct hang_rec *d = &p->dump;
	struct hang_str s;

	if (!d->have)
		return;
	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	hang_put(&s, "Linux ");
	hang_put(&s, hang_rec_text(d, F_dump_release));
	hang_put(&s, ", ");
	hang_put_dec(&s, hang_rec_get(d, F_dump_online));
	hang_put(&s, " of ");
	hang_put_count(&s, hang_rec_get(d, F_dump_cpus), "CPU");
	hang_put(&s, " online");
	if (hang_rec_get(d, F_dump_now)) {
		hang_put(&s, ", up ");
		hang_put_time(&s, hang_rec_get(d, F_dump_now));
	}
	put_wrapped(p, HANG_PLAIN, "  ", "  ", p->scratch);
}

static void put_counts(struct hang_people *p)
{
	static const struct {
		u32 field;
		const char *thing;
	} counts[] = {
		{ F_looked_queues, "queue" },
		{ F_looked_hctxs, "hardware queue" },
		{ F_looked_tags, "tag" },
		{ F_looked_requests, "request" },
		{ F_looked_tasks, "task" },
	};
	struct hang_str s;
	u32 i;

	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	for (i = 0; i < HANG_ARRAY_SIZE(counts); i++) {
		if (!hang_rec_has(&p->looked, counts[i].field))
			continue;
		hang_put(&s, s.len ? ", " : "");
		hang_put_count(&s, hang_rec_get(&p->looked, counts[i].field),
			       counts[i].thing);
	}
	if (s.len)
		put_wrapped(p, HANG_PLAIN, "  ", "  ", p->scratch);
}

/* Places, and those of them that held nothing. */
static const struct place {
	u32 all, empty;
	const char *thing;
} places[] = {
	{ F_looked_dispatch, F_looked_dispatch_empty, "dispatch list" },
	{ F_looked_requeue, F_looked_requeue_empty, "requeue list" },
	{ F_looked_sw, F_looked_sw_empty, "software queue" },
	{ F_looked_flush, F_looked_flush_empty, "flush list" },
	{ F_looked_sched, F_looked_sched_empty, "scheduler list" },
	{ F_looked_waits, F_looked_waits_empty, "wait queue" },
	{ F_looked_throttle, F_looked_throttle_empty, "io.max queue" },
	{ F_looked_zones, F_looked_zones_empty, "busy zone" },
	{ F_looked_rings, F_looked_rings_empty, "driver ring" },
	{ F_looked_pages, F_looked_pages_empty, "page wait queue" },
};

static void put_places(struct hang_people *p, bool empty, const char *start)
{
	struct hang_str s;
	u32 i;

	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	for (i = 0; i < HANG_ARRAY_SIZE(places); i++) {
		u64 all = hang_rec_get(&p->looked, places[i].all);
		u64 none = hang_rec_get(&p->looked, places[i].empty);
		u64 n = empty ? none : all - none;

		if (!n || none > all)
			continue;
		hang_put(&s, s.len ? ", " : "");
		hang_put_count(&s, n, places[i].thing);
	}
	if (s.len)
		put_wrapped(p, HANG_PLAIN, start, "    ", p->scratch);
}

static void put_missing(struct hang_people *p)
{
	u64 left_out = hang_rec_get(&p->looked, F_looked_left_out);
	struct hang_str s;

	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	if (!p->looked.have)
		hang_put(&s, "incomplete: the records do not go to the end");
	else if (hang_rec_get(&p->looked, F_looked_faults))
		hang_put(&s, "incomplete: see the faults");
	else if (left_out)
		hang_put(&s, "incomplete: there was more than there was room for");
	else if (p->dropped)
		hang_put(&s, "incomplete: records were dropped on the way");
	else
		hang_put(&s, "everything could be read");
	hang_put(&s, "; each request and queue: ");
	hang_put(&s, p->all);
	put_wrapped(p, HANG_PLAIN, "  ", "  ", p->scratch);
}

void hang_people_finish(struct hang_people *p)
{
	put_verdicts(p);
	put_waiting(p);
	put_asleep(p);
	put_next(p);
	put_disks(p);
	put_faults(p);
	put_title(p, "Looked at");
	put_machine(p);
	put_counts(p);
	put_places(p, false, "  held something: ");
	put_places(p, true, "  empty: ");
	put_missing(p);
}
