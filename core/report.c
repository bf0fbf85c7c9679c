// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of a report's lines. Records are kept until the verdict is known,
 * which is printed first and, in short, again last: either end may be lost on
 * the way to a reader. How many records are printed never changes a verdict.
 */
#include "keep.h"

/*
 * Whether there is room. Records of which there may be many, one for each
 * request or hardware queue, leave a quarter of it to those that sum up. The
 * oldest requests have what all these leave: they give way, but keep an eighth.
 */
static bool fits(struct hang_report *r, size_t len)
{
	u32 lines = r->max_lines;
	size_t size = r->size;

	if (r->many) {
		lines -= lines / 4;
		size -= size / 4;
	} else if (r->kept) {
		lines -= lines / 8;
	}
	if (r->used + len > size)
		return false;
	return r->lines + r->kept_lines < lines ||
	       (r->lines < lines - r->max_lines / 4 && hang_keep_yield(r));
}

static void store(struct hang_report *r, const char *line)
{
	size_t len = strlen(line) + 1;

	if (r->direct) {
		r->line(r, line);
		r->lines++;
		return;
	}
	if (!fits(r, len)) {
		r->dropped++;
		return;
	}
	memcpy(r->buf + r->used, line, len);
	r->used += len;
	r->lines++;
}

static void count_line(struct hang_report *r, const char *line)
{
	(void)line;
	r->counted++;
}

/* All lines of a record but those of sentences. */
static void render_lines(struct hang_report *r, const struct hang_rec *rec,
			 void (*take_line)(struct hang_report *, const char *))
{
	u32 fields = hang_rec_nr_fields(rec->type);
	u32 f = 0;

	while (f < fields) {
		const struct hang_field *field;
		struct hang_str s;
		u32 g = f;
		bool any = false;

		hang_str_init(&s, r->text, sizeof(r->text));
		hang_render(&s, rec, &f, r->pointers);
		for (; g < f; g++) {
			field = &hang_rec_descs[rec->type].fields[g];
			any |= hang_rec_has(rec, g) &&
			       (r->pointers || field->kind != HANG_ADDR);
		}
		if (any)
			take_line(r, r->text);
	}
}

static void render_sentence(struct hang_report *r, const struct hang_rec *rec)
{
	const char *name = hang_rec_descs[rec->type].name;
	const char *text = hang_rec_text(rec, F_say_text);
	const char *before = " ";

	while (*text) {
		struct hang_str s;
		size_t i, n;

		hang_str_init(&s, r->text, sizeof(r->text));
		hang_put(&s, name);
		hang_put(&s, before);
		n = hang_piece(text, HANG_WRAP - s.len);
		for (i = 0; i < n; i++)
			hang_put_char(&s, text[i]);
		store(r, r->text);
		text += n;
		before = *text == ' ' ? " " HANG_GOES_ON " " : " " HANG_GOES_ON;
		while (*text == ' ')
			text++;
	}
}

static void hold(struct hang_report *r, const struct hang_rec *rec)
{
	struct hang_str s;
	u32 f = 0;

	hang_str_init(&s, r->held, sizeof(r->held));
	hang_render(&s, rec, &f, r->pointers);
}

static void keep_head(struct hang_report *r, const struct hang_rec *rec)
{
	struct hang_str s;
	u32 f = 0;

	r->verdicts++;
	if (r->nr_heads == HANG_HEADS)
		return;
	hang_str_init(&s, r->heads[r->nr_heads++], sizeof(r->heads[0]));
	hang_render(&s, rec, &f, r->pointers);
}

static void keep(struct hang_report *r, const struct hang_rec *rec, u64 age)
{
	r->counted = 0;
	render_lines(r, rec, count_line);
	hang_keep(r, rec, age, r->counted);
}

static void take(struct hang_sink *sink, const struct hang_rec *rec)
{
	struct hang_report *r = (struct hang_report *)
		((char *)sink - offsetof(struct hang_report, sink));
	u8 flags = hang_rec_descs[rec->type].flags;
	u64 age;
	bool aged = hang_keep_age(r, rec, &age);

	if (flags & HANG_HELD) {
		hold(r, rec);
		return;
	}
	if (!hang_rec_is_notable(rec))
		return;
	if (r->held[0] && (flags & HANG_BELONGS)) {
		store(r, r->held);
		r->held[0] = '\0';
	}
	r->many = flags & HANG_MANY;
	if (flags & HANG_SENTENCE && r->verdicts > HANG_EXPLAINED)
		r->dropped++;
	else if (flags & HANG_SENTENCE)
		render_sentence(r, rec);
	else if (aged)
		keep(r, rec, age);
	else
		render_lines(r, rec, store);
	r->many = false;
	if (rec->type == R_verdict)
		keep_head(r, rec);
}

void hang_report_begin(struct hang_report *r)
{
	r->sink.record = take;
	r->used = 0;
	r->lines = 0;
	r->dropped = 0;
	r->direct = false;
	r->many = false;
	r->nr_heads = 0;
	r->verdicts = 0;
	r->held[0] = '\0';
	hang_keep_begin(r);
}

/* Lines stored, and between them the records kept, where they came. */
static void pass_stored(struct hang_report *r)
{
	size_t at = 0;
	u32 i = 0;

	hang_keep_sort(r);
	while (at < r->used || i < r->nr_kept) {
		if (i < r->nr_kept && hang_keep_at(r, i)->at <= at) {
			render_lines(r, &hang_keep_at(r, i++)->rec, store);
			continue;
		}
		r->line(r, r->buf + at);
		at += strlen(r->buf + at) + 1;
	}
}

static void pass_end(struct hang_report *r, struct hang_work *w,
		     enum hang_answer answer)
{
	hang_rec_start(&w->rec, R_end);
	hang_rec_set(&w->rec, F_end_complete,
		     answer != HANG_ANSWER_UNCLEAR && !w->sum.faults &&
		     !w->sum.left_out && !r->dropped);
	hang_rec_set(&w->rec, F_end_verdicts, r->verdicts);
	hang_rec_set(&w->rec, F_end_lines, r->lines + 1);
	hang_rec_set(&w->rec, F_end_dropped, r->dropped);
	if (r->floor) {
		hang_rec_set(&w->rec, F_end_left, r->left);
		hang_rec_set(&w->rec, F_end_under, r->floor - 1);
	}
	render_lines(r, &w->rec, store);
}

enum hang_answer hang_report_finish(struct hang_report *r, struct hang_work *w)
{
	enum hang_answer answer;
	u32 i;

	r->direct = true;
	r->held[0] = '\0';
	answer = hang_judge(w, &r->sink);
	pass_stored(r);
	for (i = 0; i < r->nr_heads; i++)
		store(r, r->heads[i]);
	pass_end(r, w, answer);
	return answer;
}
