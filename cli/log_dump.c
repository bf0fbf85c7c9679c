// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts the lines of dumps in order: by the id of their dump and their running
 * number, wherever and how often they were met.
 */
#include <stdlib.h>

#include "log.h"

/* Where n is among the entries, or should be. Most come in their order. */
static size_t place_of(const struct log_dump *d, u32 n)
{
	size_t from = 0, to = d->count;

	if (d->count && d->entries[d->count - 1].n < n)
		return d->count;
	while (from < to) {
		size_t middle = (from + to) / 2;

		if (d->entries[middle].n < n)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

enum fit { FITS, SAME, OTHER };

static enum fit fit_of(const struct log_dump *d, const struct log_frame *f,
		       size_t at)
{
	if (at == d->count || d->entries[at].n != f->n)
		return FITS;
	return strcmp(d->entries[at].line, f->line) ? OTHER : SAME;
}

static struct log_dump *new_dump(struct log *log, u32 id, const char *path)
{
	struct log_dump *d;

	if (log->count == LOG_DUMPS_MAX)
		return NULL;
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->id = id;
	d->path = path;
	log->dumps[log->count++] = d;
	return d;
}

static bool make_room(struct log_dump *d)
{
	size_t room = d->room ? d->room * 2 : 64;
	struct log_entry *p;

	if (d->count < d->room)
		return true;
	p = realloc(d->entries, room * sizeof(*p));
	if (!p)
		return false;
	d->entries = p;
	d->room = room;
	return true;
}

static bool insert(struct log *log, struct log_dump *d,
		   const struct log_frame *f, size_t at)
{
	size_t bytes = strlen(f->line) + 1 + sizeof(struct log_entry) + 32;
	char *line;

	if (log->bytes + bytes > LOG_BYTES_MAX || !make_room(d))
		return false;
	line = strdup(f->line);
	if (!line)
		return false;
	memmove(&d->entries[at + 1], &d->entries[at],
		(d->count - at) * sizeof(d->entries[0]));
	d->entries[at] = (struct log_entry){ f->n, line };
	d->count++;
	log->bytes += bytes;
	return true;
}

/* Two dumps may have the same id by chance: then their lines differ. */
void log_add(struct log *log, const struct log_frame *f, const char *path)
{
	struct log_dump *d = NULL;
	u32 i = log->count;

	while (i--) {
		size_t at;

		if (log->dumps[i]->id != f->id)
			continue;
		at = place_of(log->dumps[i], f->n);
		switch (fit_of(log->dumps[i], f, at)) {
		case SAME:
			return;
		case FITS:
			if (!insert(log, log->dumps[i], f, at))
				log->left_out++;
			return;
		case OTHER:
			break;
		}
	}
	d = new_dump(log, f->id, path);
	if (!d || !insert(log, d, f, 0))
		log->left_out++;
}

void log_add_damaged(struct log *log, const struct log_frame *f)
{
	if (log->nr_damaged == LOG_DAMAGED_MAX)
		return;
	log->damaged[log->nr_damaged].id = f->id;
	log->damaged[log->nr_damaged++].n = f->n;
}

void log_free(struct log *log)
{
	u32 i;

	for (i = 0; i < log->count; i++) {
		struct log_dump *d = log->dumps[i];

		while (d->count)
			free(d->entries[--d->count].line);
		free(d->entries);
		free(d);
	}
}
