// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A verdict from the records that are left of a dump, for when its own is lost.
 * Records that the module did not print had nothing to note, but that they were
 * seen is not known: what comes of this is never sure, and where a ring that
 * held nothing would clear a device, nothing comes of it.
 */
#include <stdlib.h>

#include "cmd.h"
#include "log.h"

struct search {
	const char *disk;
	bool found;
};

static void find_ring(void *arg, const struct hang_rec *rec)
{
	struct search *s = arg;

	s->found |= rec->type == R_ring &&
		    !strcmp(hang_rec_text(rec, F_ring_disk), s->disk);
}

struct check {
	const struct log_dump *d;
	size_t from;
	bool walked, unknown;
	bool some_empty; /* rings */
	bool no_ring;	 /* a disk has issued requests, and none is shown */
};

static void check(void *arg, const struct hang_rec *rec)
{
	struct check *c = arg;
	struct search s = { hang_rec_text(rec, F_total_disk), false };

	if (rec->type == R_looked) {
		c->walked = true;
		c->some_empty = hang_rec_get(rec, F_looked_rings_empty);
	}
	if (rec->type != R_total || !hang_rec_get(rec, F_total_issued))
		return;
	log_records(c->d, c->from, c->d->count, find_ring, &s);
	c->no_ring |= !s.found;
}

bool log_can_judge(const struct log_dump *d, size_t from,
		   const struct hang_rec *end)
{
	struct check c = { .d = d, .from = from };
	size_t i;

	if (from == d->count || strncmp(d->entries[from].line, "dump ", 5))
		return false;
	for (i = from + 1; i < d->count; i++)
		if (d->entries[i].n != d->entries[i - 1].n + 1 &&
		    strncmp(d->entries[i - 1].line, "looked ", 7))
			return false;
	log_records(d, from, d->count, check, &c);
	return c.walked && !(c.no_ring && c.some_empty) &&
	       !hang_rec_get(end, F_end_dropped);
}

struct judge {
	struct hang_sink sink;
	struct hang_sink *to;
	struct hang_work *w;
};

static void add(void *arg, const struct hang_rec *rec)
{
	struct hang_work *w = arg;

	if (rec->type == R_dump) {
		w->clock.now_ns = hang_rec_get(rec, F_dump_now);
		w->clock.hz = (u32)hang_rec_get(rec, F_dump_hz);
	}
	if (rec->type == R_lack &&
	    !strcmp(hang_rec_text(rec, F_lack_why), "required"))
		w->layout.missing++;
	hang_summary_add(&w->sum, rec);
}

/* Fields are set in the order in which they came, the text anew. */
static void pass_unsure(struct hang_sink *sink, const struct hang_rec *rec)
{
	struct judge *j = (struct judge *)sink;
	struct hang_rec unsure, said;
	const char *disk = hang_rec_text(rec, F_verdict_disk);

	if (rec->type != R_verdict) {
		j->to->record(j->to, rec);
		return;
	}
	unsure = *rec;
	unsure.text_used = 0;
	hang_rec_str(&unsure, F_verdict_id, hang_rec_text(rec, F_verdict_id));
	hang_rec_str(&unsure, F_verdict_confidence, "low");
	if (hang_rec_has(rec, F_verdict_disk))
		hang_rec_str(&unsure, F_verdict_disk, disk);
	j->to->record(j->to, &unsure);
	hang_rec_start(&said, R_evidence);
	hang_rec_str(&said, F_say_text, "judged anew from the records: the"
					" verdict that was printed is lost");
	j->to->record(j->to, &said);
}

int log_judge(const struct log_dump *d, size_t from, struct hang_sink *sink)
{
	static const struct hang_caps caps = {
		.cpus = 8192, .queues = 8192, .requests = 64,
	};
	struct hang_work *w = malloc(sizeof(*w));
	void *mem = calloc(1, hang_mem_size(&caps));
	struct judge j = { { pass_unsure }, sink, w };
	int code = HANG_EXIT_ERROR;

	if (w && mem) {
		hang_work_init(w, NULL, &caps, mem);
		log_records(d, from, d->count, add, w);
		code = hang_judge(w, &j.sink);
	} else {
		hang_error("out of memory");
	}
	free(mem);
	free(w);
	return code;
}
