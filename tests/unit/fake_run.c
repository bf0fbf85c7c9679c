// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the core on the fake machine and keeps every record it emits.
 */
#include "fake.h"

static void keep(struct hang_sink *sink, const struct hang_rec *rec)
{
	struct fake *f = (struct fake *)
		((char *)sink - offsetof(struct fake, sink));

	if (f->nr_recs == f->cap_recs) {
		f->cap_recs = f->cap_recs ? f->cap_recs * 2 : 64;
		f->rec = realloc(f->rec, f->cap_recs * sizeof(*f->rec));
	}
	f->rec[f->nr_recs++] = *rec;
}

void fake_attach(struct fake *f)
{
	const struct hang_caps caps = {
		.cpus = FAKE_CPUS, .queues = 32, .requests = 4096,
	};
	int err;

	if (f->attached)
		return;
	f->attached = true;
	f->sink.record = keep;
	f->w = malloc(sizeof(*f->w));
	f->mem = calloc(1, hang_mem_size(&caps));
	hang_work_init(f->w, &f->t, &caps, f->mem);
	err = hang_attach(f->w);
	if (!err)
		return;
	hang_lacks(f->w, &f->sink, false);
	while (f->nr_recs)
		fprintf(stderr, "lacks %s\n",
			hang_rec_text(&f->rec[--f->nr_recs], F_lack_row));
	abort();
}

static enum hang_answer look(struct fake *f, bool again)
{
	fake_attach(f);
	f->nr_recs = 0;
	hang_walk(f->w, &f->sink, again);
	f->answer = hang_judge(f->w, &f->sink);
	return f->answer;
}

enum hang_answer fake_look(struct fake *f)
{
	return look(f, false);
}

enum hang_answer fake_look_again(struct fake *f)
{
	return look(f, true);
}

u32 fake_count(struct fake *f, enum hang_rec_type type)
{
	u32 i, n = 0;

	for (i = 0; i < f->nr_recs; i++)
		n += f->rec[i].type == type;
	return n;
}

const struct hang_rec *fake_rec(struct fake *f, enum hang_rec_type type, u32 n)
{
	static struct hang_rec none;
	u32 i;

	for (i = 0; i < f->nr_recs; i++)
		if (f->rec[i].type == type && !n--)
			return &f->rec[i];
	hang_rec_start(&none, type);
	return &none;
}

u32 fake_verdicts(struct fake *f, const char *id)
{
	u32 i, n = 0;

	for (i = 0; i < f->nr_recs; i++)
		n += f->rec[i].type == R_verdict &&
		     !strcmp(hang_rec_text(&f->rec[i], F_verdict_id), id);
	return n;
}

u32 fake_faults(struct fake *f, const char *why)
{
	u32 i, n = 0;

	for (i = 0; i < f->nr_recs; i++)
		n += f->rec[i].type == R_fault &&
		     strstr(hang_rec_text(&f->rec[i], F_fault_why), why);
	return n;
}

const struct hang_rec *fake_cpu_rec(struct fake *f, u32 cpu)
{
	u32 i;

	for (i = 0; i < f->nr_recs; i++)
		if (f->rec[i].type == R_cpu &&
		    hang_rec_get(&f->rec[i], F_cpu_cpu) == cpu)
			return &f->rec[i];
	return fake_rec(f, R_cpu, ~0u);
}

bool fake_charged(struct fake *f, u32 cpu)
{
	u32 i;

	for (i = 0; i < f->nr_recs; i++)
		if (f->rec[i].type == R_fault &&
		    hang_rec_has(&f->rec[i], F_fault_cpu) &&
		    hang_rec_get(&f->rec[i], F_fault_cpu) == cpu)
			return true;
	return false;
}
