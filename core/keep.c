// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which requests are shown where there is not room for all: the oldest, of
 * whatever disk. Their records are kept until the walk has ended, in a heap with
 * the youngest at its top, which goes when an older one comes. Of several of the
 * same age the first ones stay. An age that is not known is 0.
 *
 * Once something was let go, nothing that is younger is taken any more: what is
 * shown are all requests from some age on, and that age is told.
 */
#include "keep.h"

typedef bool (*above_fn)(const struct hang_kept *a, const struct hang_kept *b);

static bool is_younger(const struct hang_kept *a, const struct hang_kept *b)
{
	return a->age < b->age || (a->age == b->age && a->n > b->n);
}

static bool is_later(const struct hang_kept *a, const struct hang_kept *b)
{
	return a->n > b->n;
}

struct hang_kept *hang_keep_at(struct hang_report *r, u32 i)
{
	return &r->kept[r->kept[i].order];
}

static void swap(struct hang_report *r, u32 a, u32 b)
{
	u32 order = r->kept[a].order;

	r->kept[a].order = r->kept[b].order;
	r->kept[b].order = order;
}

static void sift_up(struct hang_report *r, u32 i, above_fn above)
{
	while (i && above(hang_keep_at(r, i), hang_keep_at(r, (i - 1) / 2))) {
		swap(r, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct hang_report *r, u32 i, u32 count, above_fn above)
{
	u32 child;

	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count && above(hang_keep_at(r, child + 1),
					       hang_keep_at(r, child)))
			child++;
		if (!above(hang_keep_at(r, child), hang_keep_at(r, i)))
			return;
		swap(r, i, child);
		i = child;
	}
}

void hang_keep_begin(struct hang_report *r)
{
	u32 i;

	for (i = 0; r->kept && i < r->max_kept; i++)
		r->kept[i].order = i;
	r->nr_kept = 0;
	r->kept_lines = 0;
	r->kept_ever = 0;
	r->followed = false;
	r->left = 0;
	r->floor = 0;
}

bool hang_keep_age(struct hang_report *r, const struct hang_rec *rec, u64 *age)
{
	const struct hang_rec_desc *desc = &hang_rec_descs[rec->type];
	u32 n = hang_rec_nr_fields(rec->type);
	u32 f;

	for (f = 0; f < n; f++)
		if (desc->fields[f].flags & HANG_AGE)
			break;
	if (f < n) {
		r->follows = hang_rec_get(rec, f);
		r->followed = true;
	} else if (!(desc->flags & HANG_FOLLOWS)) {
		r->followed = false;
	}
	*age = r->follows;
	return r->kept && r->followed;
}

static void leave(struct hang_report *r, const struct hang_rec *rec, u64 age,
		  u32 lines)
{
	r->dropped += lines;
	r->left += rec->type == R_rq;
	if (r->floor <= age)
		r->floor = age + 1;
}

bool hang_keep_yield(struct hang_report *r)
{
	struct hang_kept *k;

	if (!r->nr_kept)
		return false;
	k = hang_keep_at(r, 0);
	r->kept_lines -= k->lines;
	leave(r, &k->rec, k->age, k->lines);
	swap(r, 0, --r->nr_kept);
	sift_down(r, 0, r->nr_kept, is_younger);
	return true;
}

static bool has_room(const struct hang_report *r, u32 lines)
{
	return r->nr_kept < r->max_kept &&
	       r->lines + r->kept_lines + lines <= r->max_lines;
}

void hang_keep(struct hang_report *r, const struct hang_rec *rec, u64 age,
	       u32 lines)
{
	struct hang_kept *k;

	while (age >= r->floor && !has_room(r, lines) && r->nr_kept &&
	       hang_keep_at(r, 0)->age < age)
		hang_keep_yield(r);
	if (age < r->floor || !has_room(r, lines)) {
		leave(r, rec, age, lines);
		return;
	}
	k = hang_keep_at(r, r->nr_kept);
	k->rec = *rec;
	k->age = age;
	k->at = r->used;
	k->n = r->kept_ever++;
	k->lines = lines;
	r->kept_lines += lines;
	sift_up(r, r->nr_kept++, is_younger);
}

void hang_keep_sort(struct hang_report *r)
{
	u32 i;

	for (i = r->nr_kept / 2; i--;)
		sift_down(r, i, r->nr_kept, is_later);
	for (i = r->nr_kept; i > 1; i--) {
		swap(r, 0, i - 1);
		sift_down(r, 0, i - 1, is_later);
	}
}
