// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A dump's lines as records. The verdicts are the module's own: it judged all
 * records, of which it printed only some. The first of them stand again at the
 * end, so that one end of the dump is enough to know them.
 */
#include <stdlib.h>

#include "cmd.h"
#include "log.h"

#define NONE (~0u)

void log_records(const struct log_dump *d, size_t from, size_t to,
		 void (*each)(void *arg, const struct hang_rec *rec), void *arg)
{
	struct hang_rec rec, part;
	bool open = false;
	u32 last = 0;
	size_t i;

	for (i = from; i < to; i++) {
		const struct log_entry *e = &d->entries[i];

		if (!log_parse(&part, e->line))
			continue;
		/* What is between two parts that are not neighbours is unknown. */
		if (!open || e->n != last + 1 || !log_merge(&rec, &part)) {
			if (open)
				each(arg, &rec);
			rec = part;
		}
		open = true;
		last = e->n;
	}
	if (open)
		each(arg, &rec);
}

static bool starts(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static bool is_verdict(const char *line)
{
	return starts(line, "verdict ");
}

static bool is_said(const char *line)
{
	return is_verdict(line) || starts(line, "say ") ||
	       starts(line, "evidence ") || starts(line, "next ");
}

struct replay {
	const struct log_dump *d;
	struct hang_sink *sink;
	struct log_loss *loss;
	size_t head; /* how many entries are of verdicts, at the beginning */
	struct hang_rec end;
	bool has_end;
	u32 verdicts; /* those told */
	bool hang;    /* one of them is that there is a hang */
	/* The verdicts as they stand at the end; known: they are all there are. */
	const char *tail[HANG_HEADS];
	u32 tails;
	bool known;
	u32 moved; /* those told where they were lost, one bit each */
};

static void pass(void *arg, const struct hang_rec *rec)
{
	struct replay *r = arg;

	if (rec->type == R_verdict) {
		r->verdicts++;
		r->hang |= strcmp(hang_rec_text(rec, F_verdict_id), "no-hang") != 0;
	}
	r->sink->record(r->sink, rec);
}

static void pass_line(struct replay *r, const char *line)
{
	struct hang_rec rec;

	if (log_parse(&rec, line))
		pass(r, &rec);
}

static u32 index_in_tail(const struct replay *r, const char *line)
{
	u32 i;

	for (i = 0; i < r->tails; i++)
		if (!strcmp(r->tail[i], line))
			return i;
	return NONE;
}

/* Whether entry i is what stood before; only the last lines can be. */
static bool is_again(const struct replay *r, size_t i)
{
	const char *line = r->d->entries[i].line;
	size_t before = i < r->head ? i : r->head;
	u32 number = index_in_tail(r, line);
	size_t k;

	if (i + HANG_HEADS + 1 < r->d->count)
		return false;
	if (number != NONE && r->moved >> number & 1)
		return true;
	for (k = 0; k < before; k++)
		if (!strcmp(r->d->entries[k].line, line))
			return true;
	return false;
}

static void look_at_ends(struct replay *r)
{
	const struct log_dump *d = r->d;
	size_t i;

	while (r->head < d->count && is_said(d->entries[r->head].line))
		r->head++;
	for (i = r->head; i < d->count; i++)
		if (is_verdict(d->entries[i].line) && r->tails < HANG_HEADS)
			r->tail[r->tails++] = d->entries[i].line;
	r->has_end = d->count &&
		     log_parse(&r->end, d->entries[d->count - 1].line) &&
		     r->end.type == R_end;
	r->known = r->has_end &&
		   hang_rec_get(&r->end, F_end_verdicts) == r->tails;
}

static bool follows(const struct log_dump *d, size_t i)
{
	return d->entries[i].n == (i ? d->entries[i - 1].n + 1 : 1);
}

/* The end of the verdict that entry i is of; whether all lines are there. */
static size_t end_of(const struct replay *r, size_t i, bool *whole)
{
	*whole = true;
	for (i++; i < r->d->count; i++) {
		*whole &= follows(r->d, i);
		if (i >= r->head || is_verdict(r->d->entries[i].line))
			break;
	}
	return i;
}

/*
 * Lines are missing before the sentence at i, the last verdict was number
 * (NONE: none yet). Whose is it? NONE: can't be known.
 */
static u32 owner_of(const struct replay *r, size_t i, u32 number)
{
	u32 next = r->tails;
	bool whole;
	size_t end = end_of(r, i, &whole);

	if (!r->known || (number == NONE && !r->tails))
		return NONE;
	if (end < r->head)
		next = index_in_tail(r, r->d->entries[end].line);
	if (next == number + 1)
		return number;
	return whole && next == number + 2 ? number + 1 : NONE;
}

/* From i on, sentences that follow each other are put together. */
static size_t pass_run(struct replay *r, size_t i)
{
	size_t to = i + 1;

	while (to < r->head && follows(r->d, to) &&
	       !is_verdict(r->d->entries[to].line))
		to++;
	log_records(r->d, i, to, pass, r);
	return to;
}

/* Whose the sentence at i is becomes clear, or it is passed over. */
static size_t pass_after_gap(struct replay *r, size_t i, u32 *number,
			     bool *unknown)
{
	u32 owner = owner_of(r, i, *number);

	/* Without any verdict, all sentences are of why there is none. */
	if (owner == NONE && !(r->known && !r->tails))
		return i + 1;
	if (owner != *number) {
		pass_line(r, r->tail[owner]);
		r->moved |= 1u << owner;
	}
	*number = owner;
	*unknown = false;
	return pass_run(r, i);
}

static void pass_verdicts(struct replay *r)
{
	u32 number = NONE;
	bool unknown = false;
	size_t i = 0;

	while (i < r->head) {
		const char *line = r->d->entries[i].line;

		if (is_verdict(line)) {
			if (!is_again(r, i))
				pass_line(r, line);
			number = index_in_tail(r, line);
			unknown = false;
			i++;
			continue;
		}
		unknown |= !follows(r->d, i);
		i = unknown ? pass_after_gap(r, i, &number, &unknown)
			    : pass_run(r, i);
	}
}

/* The verdicts that were told already are not told again. */
static void pass_rest(struct replay *r)
{
	size_t from = r->head;
	size_t i;

	for (i = from; i < r->d->count; i++) {
		if (!is_verdict(r->d->entries[i].line))
			continue;
		log_records(r->d, from, i, pass, r);
		from = i + 1;
		if (!is_again(r, i))
			pass_line(r, r->d->entries[i].line);
	}
	log_records(r->d, from, r->d->count, pass, r);
}

static bool has_line(const struct log_dump *d, u32 n)
{
	size_t from = 0, to = d->count;

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (d->entries[middle].n == n)
			return true;
		if (d->entries[middle].n < n)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

static u32 count_damaged(const struct log *log, const struct log_dump *d)
{
	u32 count = 0;
	u32 i, k;

	for (i = 0; i < log->nr_damaged; i++) {
		if (log->damaged[i].id != d->id ||
		    has_line(d, log->damaged[i].n))
			continue;
		for (k = 0; k < i; k++)
			if (log->damaged[k].id == d->id &&
			    log->damaged[k].n == log->damaged[i].n)
				break;
		count += k == i;
	}
	return count;
}

static void find_loss(struct replay *r, const struct log *log)
{
	const struct log_dump *d = r->d;
	struct log_loss *loss = r->loss;

	memset(loss, 0, sizeof(*loss));
	loss->lines = d->count ? d->entries[d->count - 1].n : 0;
	loss->lost = loss->lines - (u32)d->count;
	loss->damaged = count_damaged(log, d);
	loss->no_end = !r->has_end;
}

/* No verdict of the dump came through. */
static int answer_anew(struct replay *r)
{
	static const char lost[] = "The verdict is lost: lines of it are missing,"
				   " and what is left is not enough to judge.";
	struct hang_rec rec;

	r->loss->anew = true;
	if (r->has_end && !hang_rec_get(&r->end, F_end_dropped) &&
	    log_can_judge(r->d, r->head, &r->end))
		return log_judge(r->d, r->head, r->sink);
	hang_rec_start(&rec, R_say);
	hang_rec_str(&rec, F_say_text, lost);
	r->sink->record(r->sink, &rec);
	return HANG_EXIT_UNCLEAR;
}

static int answer(struct replay *r)
{
	bool whole;
	u32 all = r->has_end ? (u32)hang_rec_get(&r->end, F_end_verdicts) : 0;

	if (all > r->verdicts)
		r->loss->verdicts = all - r->verdicts;
	if (r->verdicts)
		return r->hang ? HANG_EXIT_FOUND : HANG_EXIT_OK;
	/* It had none: that stands at its beginning, or at its end. */
	whole = r->has_end && !all;
	if (!whole && r->head && r->head < r->d->count && follows(r->d, 0))
		end_of(r, 0, &whole);
	return whole ? HANG_EXIT_UNCLEAR : answer_anew(r);
}

int log_replay(const struct log *log, const struct log_dump *d,
	       struct hang_sink *sink, struct log_loss *loss)
{
	struct replay *r = calloc(1, sizeof(*r));
	int code;

	if (!r) {
		hang_error("out of memory");
		return HANG_EXIT_ERROR;
	}
	r->d = d;
	r->sink = sink;
	r->loss = loss;
	look_at_ends(r);
	find_loss(r, log);
	loss->complete = r->has_end && !loss->lost &&
			 hang_rec_get(&r->end, F_end_complete);
	pass_verdicts(r);
	pass_rest(r);
	code = answer(r);
	free(r);
	return code;
}

static void put_range(struct hang_str *s, u32 from, u32 to)
{
	if (from > to)
		return;
	if (s->len)
		hang_put(s, ", ");
	hang_put_dec(s, from);
	if (from == to)
		return;
	hang_put_char(s, '-');
	hang_put_dec(s, to);
}

void log_put_lost(const struct log_dump *d, u32 lines, struct hang_str *s)
{
	u32 next = 1;
	size_t i;

	for (i = 0; i < d->count; i++) {
		if (s->len + 64 > s->size) {
			hang_put(s, ", ...");
			return;
		}
		put_range(s, next, d->entries[i].n - 1);
		next = d->entries[i].n + 1;
	}
	put_range(s, next, lines);
}
