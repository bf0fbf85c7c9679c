// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report for people: what is kept of the records. Of sentences there are
 * few, of all else the first rows of three tables.
 */
#include "people.h"

#define NONE -1
#define LONG_NS 1000000000ULL /* who sleeps for less is not worth a line */

/* Records that name a task that waits, and by which fields. */
static const struct waiter {
	s32 pid, comm, state, slept, what, disk, hctx, tag, stage;
	const char *always; /* for what, where no field tells */
} waiters[R_COUNT] = {
	[R_blocked] = { F_blocked_pid, F_blocked_comm, F_blocked_state,
			F_blocked_slept, F_blocked_on, F_blocked_disk,
			F_blocked_hctx, F_blocked_tag, F_blocked_stage, NULL },
	[R_wait] = { F_wait_pid, F_wait_comm, F_wait_state, F_wait_slept,
		     F_wait_what, F_wait_disk, F_wait_hctx, NONE, NONE, NULL },
	[R_throttle] = { F_throttle_pid, F_throttle_comm, NONE,
			 F_throttle_slept, NONE, F_throttle_disk, NONE, NONE,
			 NONE, "throttle" },
	[R_stack] = { F_stack_pid, F_stack_comm, NONE, F_stack_slept, NONE,
		      F_stack_disk, NONE, NONE, NONE, "stack" },
	[R_zone] = { F_zone_pid, F_zone_comm, NONE, F_zone_slept, NONE,
		     F_zone_disk, NONE, NONE, NONE, "zone" },
};

/* What is waited for, in words. Of some it is known to be in a request. */
static const struct {
	const char *what, *words, *link;
	bool in_request;
} things[] = {
	{ "folio", "a page", " of ", true },
	{ "buffer", "a buffer", " of ", true },
	{ "bio", "its I/O", " on ", true },
	{ "bit", "a bit", " of ", false },
	{ "var", "a variable", " of ", false },
	{ "tag", "a driver tag", " of ", false },
	{ "reserved-tag", "a reserved driver tag", " of ", false },
	{ "sched-tag", "a scheduler tag", " of ", false },
	{ "reserved-sched-tag", "a reserved scheduler tag", " of ", false },
	{ "freeze", "the freeze", " of ", false },
	{ "pm", "power management", " of ", false },
	{ "enter", "the queue", " of ", false },
	{ "qos", "a throttler", " of ", false },
	{ "fs", "a thaw", " of the file system on ", false },
	{ "throttle", "its I/O, held by io.max,", " on ", false },
	{ "stack", "its I/O, kept back", " by ", false },
	{ "zone", "its I/O, behind another write,", " on ", false },
};

static bool has(const struct hang_rec *rec, s32 field)
{
	return field != NONE && hang_rec_has(rec, field);
}

static const char *text(const struct hang_rec *rec, s32 field)
{
	return field == NONE ? "" : hang_rec_text(rec, field);
}

/* The row for a record of this rank, NULL if it is not among the first. */
static struct hang_people_row *row_for(struct hang_people_table *t, u64 rank)
{
	u32 n = t->kept;

	t->total++;
	while (n && t->row[n - 1].rank < rank)
		n--;
	if (n == HANG_PEOPLE_ROWS)
		return NULL;
	if (t->kept < HANG_PEOPLE_ROWS)
		t->kept++;
	memmove(&t->row[n + 1], &t->row[n],
		(t->kept - 1 - n) * sizeof(t->row[0]));
	memset(&t->row[n], 0, sizeof(t->row[0]));
	t->row[n].rank = rank;
	t->row[n].times = 1;
	return &t->row[n];
}

static struct hang_str *cell(struct hang_str *s, struct hang_people_row *row,
			     u32 n)
{
	hang_str_init(s, row->cell[n], HANG_PEOPLE_CELL);
	return s;
}

static void put_thing(struct hang_str *s, const struct hang_rec *rec,
		      const struct waiter *f)
{
	const char *what = f->always ? f->always : text(rec, f->what);
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(things); i++)
		if (!strcmp(things[i].what, what))
			break;
	if (i < HANG_ARRAY_SIZE(things))
		what = things[i].words;
	hang_put(s, what);
	if (has(rec, f->disk)) {
		hang_put(s, i < HANG_ARRAY_SIZE(things) ? things[i].link
							: " of ");
		hang_put(s, text(rec, f->disk));
	} else if (i < HANG_ARRAY_SIZE(things) && things[i].in_request) {
		hang_put(s, ", in no request that was found");
	}
}

static void put_place(struct hang_str *s, const struct hang_rec *rec,
		      const struct waiter *f)
{
	if (has(rec, f->hctx)) {
		hang_put(s, ", hctx ");
		hang_put_dec(s, hang_rec_get(rec, f->hctx));
	}
	if (has(rec, f->tag) && (s64)hang_rec_get(rec, f->tag) >= 0) {
		hang_put(s, ", tag ");
		hang_put_dec(s, hang_rec_get(rec, f->tag));
	}
	if (has(rec, f->stage)) {
		hang_put(s, ", ");
		hang_put(s, text(rec, f->stage));
	}
}

static void add_pid(u8 *pids, u64 pid)
{
	if (pid < HANG_PEOPLE_PIDS)
		pids[pid / 8] |= 1u << pid % 8;
}

static bool has_pid(const u8 *pids, u32 pid)
{
	return pid < HANG_PEOPLE_PIDS && pids[pid / 8] >> pid % 8 & 1;
}

static void take_waiter(struct hang_people *p, const struct hang_rec *rec)
{
	const struct waiter *f = &waiters[rec->type];
	struct hang_people_row *row;
	struct hang_str s;

	if (!has(rec, f->pid))
		return;
	add_pid(p->waits, hang_rec_get(rec, f->pid));
	row = row_for(&p->waiting,
		      has(rec, f->slept) ? hang_rec_get(rec, f->slept) : 0);
	if (!row)
		return;
	hang_put_dec(cell(&s, row, 0), hang_rec_get(rec, f->pid));
	hang_put(cell(&s, row, 1), text(rec, f->comm));
	hang_put(cell(&s, row, 2), text(rec, f->state));
	if (has(rec, f->slept))
		hang_put_time(cell(&s, row, 3), row->rank);
	put_thing(cell(&s, row, 4), rec, f);
	put_place(&s, rec, f);
}

/* Of most of them, a later record tells what they wait for. */
static void take_asleep(struct hang_people *p, const struct hang_rec *rec)
{
	u64 pid = hang_rec_get(rec, F_asleep_pid);
	u64 slept = hang_rec_get(rec, F_asleep_slept);
	struct hang_people_row *row;
	struct hang_str s;

	if (slept < LONG_NS || pid >= HANG_PEOPLE_PIDS)
		return;
	add_pid(p->sleeps, pid);
	row = row_for(&p->asleep, slept);
	if (!row)
		return;
	row->pid = (u32)pid;
	hang_put_dec(cell(&s, row, 0), pid);
	hang_put(cell(&s, row, 1), hang_rec_text(rec, F_asleep_comm));
	hang_put(cell(&s, row, 2), hang_rec_text(rec, F_asleep_state));
	hang_put_time(cell(&s, row, 3), slept);
}

void hang_people_sort_out(struct hang_people *p)
{
	struct hang_people_table *t = &p->asleep;
	u32 kept = 0;
	u32 i;

	t->total = 0;
	for (i = 0; i < HANG_PEOPLE_PIDS / 8; i++) {
		u8 others = p->sleeps[i] & ~p->waits[i];

		for (; others; others &= others - 1)
			t->total++;
	}
	for (i = 0; i < t->kept; i++)
		if (!has_pid(p->waits, t->row[i].pid))
			t->row[kept++] = t->row[i];
	t->kept = kept;
}

static void take_total(struct hang_people *p, const struct hang_rec *rec)
{
	static const u32 fields[] = {
		F_total_allocated, F_total_issued, F_total_completed,
		F_total_timedout,
	};
	struct hang_people_row *row;
	struct hang_str s;
	u32 i;

	if (!hang_rec_is_notable(rec))
		return;
	row = row_for(&p->disks, hang_rec_get(rec, F_total_oldest));
	if (!row)
		return;
	hang_put(cell(&s, row, 0), hang_rec_text(rec, F_total_disk));
	for (i = 0; i < HANG_ARRAY_SIZE(fields); i++)
		hang_put_dec(cell(&s, row, i + 1), hang_rec_get(rec, fields[i]));
	if (hang_rec_has(rec, F_total_oldest))
		hang_put_time(cell(&s, row, i + 1), row->rank);
}

/* Whether the cell holds the text, as far as there is room for it. */
static bool holds(const char *cell, const char *what)
{
	u32 n;

	for (n = 0; cell[n] && cell[n] == what[n]; n++)
		;
	return !cell[n] && (!what[n] || n == HANG_PEOPLE_CELL - 1);
}

/* Faults of one kind are one row; of equal rank, so that they keep their order. */
static void take_fault(struct hang_people *p, const struct hang_rec *rec)
{
	struct hang_people_table *t = &p->faults;
	const char *what = hang_rec_text(rec, F_fault_what);
	const char *why = hang_rec_text(rec, F_fault_why);
	struct hang_people_row *row;
	struct hang_str s;
	u32 i;

	for (i = 0; i < t->kept; i++)
		if (holds(t->row[i].cell[1], what) &&
		    holds(t->row[i].cell[3], why))
			break;
	if (i < t->kept) {
		t->row[i].times++;
		t->total++;
		return;
	}
	row = row_for(t, 0);
	if (!row)
		return;
	hang_put(cell(&s, row, 1), what);
	hang_put(cell(&s, row, 3), why);
	cell(&s, row, 2);
	if (hang_rec_has(rec, F_fault_disk)) {
		hang_put(&s, hang_rec_text(rec, F_fault_disk));
	} else if (hang_rec_has(rec, F_fault_cpu)) {
		hang_put(&s, "CPU ");
		hang_put_dec(&s, hang_rec_get(rec, F_fault_cpu));
	}
}

/* Keeps a sentence of the latest verdict. */
static void keep(struct hang_people *p, u32 type, const char *sentence)
{
	size_t len = strlen(sentence) + 1;

	if (p->verdicts > HANG_PEOPLE_ROWS ||
	    p->used + 2 + len > HANG_PEOPLE_TEXT)
		return;
	p->text[p->used++] = (char)type;
	p->text[p->used++] = (char)p->verdicts;
	memcpy(p->text + p->used, sentence, len);
	p->used += len;
}

const char *hang_people_text(const struct hang_people *p, size_t *at, u32 type,
			     u32 verdict)
{
	while (*at < p->used) {
		const char *entry = p->text + *at;

		*at += strlen(entry + 2) + 3;
		if (entry[0] == (char)type && entry[1] == (char)verdict)
			return entry + 2;
	}
	return NULL;
}

static void put_details(struct hang_str *s, const struct hang_rec *rec)
{
	hang_put(s, hang_rec_text(rec, F_verdict_id));
	hang_put(s, ", confidence ");
	hang_put(s, hang_rec_text(rec, F_verdict_confidence));
	if (hang_rec_has(rec, F_verdict_cpu)) {
		hang_put(s, ", CPU ");
		hang_put_dec(s, hang_rec_get(rec, F_verdict_cpu));
	}
	if (hang_rec_has(rec, F_verdict_disk)) {
		hang_put(s, ", disk ");
		hang_put(s, hang_rec_text(rec, F_verdict_disk));
	}
	if (hang_rec_get(rec, F_verdict_requests)) {
		hang_put(s, ", ");
		hang_put_count(s, hang_rec_get(rec, F_verdict_requests),
			       "request");
	}
}

/* A log has the first verdicts again at its end. */
static bool is_known(const struct hang_people *p, const char *details)
{
	size_t at = 0;

	while (at < p->used) {
		const char *entry = p->text + at;

		if (entry[0] == (char)R_verdict && !strcmp(entry + 2, details))
			return true;
		at += strlen(entry + 2) + 3;
	}
	return false;
}

static void take_verdict(struct hang_people *p, const struct hang_rec *rec)
{
	struct hang_str s;

	hang_str_init(&s, p->scratch, sizeof(p->scratch));
	put_details(&s, rec);
	if (is_known(p, p->scratch))
		return;
	if (p->verdicts < HANG_PEOPLE_ROWS) {
		u32 n = p->verdicts;

		hang_str_init(&s, p->id[n], sizeof(p->id[n]));
		hang_put(&s, hang_rec_text(rec, F_verdict_id));
		p->unsure[n] = !strcmp(hang_rec_text(rec, F_verdict_confidence),
				       "low");
	}
	p->verdicts++;
	keep(p, R_verdict, p->scratch);
}

/* say, evidence and next have one field each: the text. */
static void take_sentence(struct hang_people *p, const struct hang_rec *rec)
{
	keep(p, rec->type, hang_rec_text(rec, F_say_text));
}

static void take_dump(struct hang_people *p, const struct hang_rec *rec)
{
	p->dump = *rec;
}

/* It may come in parts. */
static void take_looked(struct hang_people *p, const struct hang_rec *rec)
{
	u32 f;

	p->looked.type = R_looked;
	for (f = 0; f < hang_rec_nr_fields(R_looked); f++)
		if (hang_rec_has(rec, f))
			hang_rec_set(&p->looked, f, rec->val[f]);
}

static void take_end(struct hang_people *p, const struct hang_rec *rec)
{
	p->dropped = hang_rec_get(rec, F_end_dropped);
}

static void take(struct hang_sink *sink, const struct hang_rec *rec)
{
	static void (*const takers[R_COUNT])(struct hang_people *p,
					     const struct hang_rec *rec) = {
		[R_dump] = take_dump,
		[R_total] = take_total,
		[R_asleep] = take_asleep,
		[R_throttle] = take_waiter,
		[R_stack] = take_waiter,
		[R_zone] = take_waiter,
		[R_wait] = take_waiter,
		[R_blocked] = take_waiter,
		[R_fault] = take_fault,
		[R_looked] = take_looked,
		[R_verdict] = take_verdict,
		[R_say] = take_sentence,
		[R_evidence] = take_sentence,
		[R_next] = take_sentence,
		[R_end] = take_end,
	};
	struct hang_people *p = (struct hang_people *)
		((char *)sink - offsetof(struct hang_people, sink));

	if (takers[rec->type])
		takers[rec->type](p, rec);
}

void hang_people_begin(struct hang_people *p)
{
	p->sink.record = take;
	p->waiting.total = p->waiting.kept = 0;
	p->asleep.total = p->asleep.kept = 0;
	memset(p->waits, 0, sizeof(p->waits));
	memset(p->sleeps, 0, sizeof(p->sleeps));
	p->disks.total = p->disks.kept = 0;
	p->faults.total = p->faults.kept = 0;
	hang_rec_start(&p->dump, R_dump);
	hang_rec_start(&p->looked, R_looked);
	p->dropped = 0;
	p->verdicts = 0;
	p->used = 0;
	p->begun = false;
}
