// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * I/O schedulers (block/elevator.c): requests that a queue keeps back to sort
 * them, or until it lets more of them go. One is known by its name and by its
 * types; another with the same name and other types is left alone, as is one
 * that nobody here knows.
 *
 * All of them link a request by queuelist to one list of those they hold. What
 * else they keep to find it by sector, in trees, holds no other requests.
 */
#include "sched.h"

static const struct hang_sched *const scheds[] = {
	&hang_sched_deadline,
	&hang_sched_bfq,
	&hang_sched_kyber,
};

bool hang_sched_name(struct hang_work *w, u64 elevator, char *name, size_t size)
{
	u64 type, at;

	if (!hang_has(w, L_et_name) ||
	    hang_read_member(w, elevator, L_eq_type, &type))
		return false;
	at = type + hang_loc(w, L_et_name);
	/* A pointer, or the name itself. */
	if (w->layout.loc[L_et_name].size == w->t->word &&
	    hang_read_member(w, type, L_et_name, &at))
		return false;
	return !hang_read_str(w, at, name, size, "elevator_name");
}

void hang_sched_start(struct hang_work *w, const char *part)
{
	hang_rec_start(&w->rec, R_sched);
	hang_rec_str(&w->rec, F_sched_disk, w->disk_name);
	hang_rec_str(&w->rec, F_sched_part, part);
}

void hang_sched_start_nth(struct hang_work *w, u32 n,
			  const struct hang_sched_part *parts, u32 nr)
{
	struct hang_str s;
	char number[12];
	u32 i;

	for (i = 0; i < nr; i++) {
		if (hang_has(w, parts[i].row) &&
		    hang_loc(w, parts[i].row) == n) {
			hang_sched_start(w, parts[i].name);
			return;
		}
	}
	hang_str_init(&s, number, sizeof(number));
	hang_put_dec(&s, n);
	hang_sched_start(w, number);
}

void hang_sched_list(struct hang_work *w, u64 head, enum hang_place place,
		     struct hang_sched_count *c)
{
	u32 count;

	if (hang_place_list(w, head, place, &count) && !count)
		c->unknown = true;
	c->count += count;
}

void hang_sched_set(struct hang_work *w, u32 field,
		    const struct hang_sched_count *c)
{
	if (c->count || !c->unknown)
		hang_rec_set(&w->rec, field, c->count);
}

void hang_sched_set_int(struct hang_work *w, u32 field, u64 value)
{
	hang_rec_set(&w->rec, field, (u64)(s64)(s32)value);
}

static const struct hang_sched *find(struct hang_work *w, u64 elevator)
{
	char name[HANG_SCHED_NAME];
	u32 i;

	if (!hang_sched_name(w, elevator, name, sizeof(name)))
		return NULL;
	for (i = 0; i < HANG_ARRAY_SIZE(scheds); i++)
		if (!strcmp(scheds[i]->name, name))
			return scheds[i];
	return NULL;
}

static bool has_rows(const struct hang_work *w, const struct hang_sched *s)
{
	u32 i;

	for (i = 0; i < HANG_SCHED_ROWS && s->rows[i]; i++)
		if (!hang_has(w, s->rows[i]))
			return false;
	return hang_has(w, L_rq_queuelist);
}

void hang_walk_sched(struct hang_work *w)
{
	u64 elevator = hang_snap_get(w, &w->q_snap, L_q_elevator);
	const struct hang_sched *s;
	u64 data;

	if (!elevator || !hang_has(w, L_eq_data))
		return;
	/* A name that can't be read was reported with the queue. */
	w->hush = true;
	s = find(w, elevator);
	w->hush = false;
	if (!s || !has_rows(w, s) ||
	    hang_read_member(w, elevator, L_eq_data, &data))
		return;
	if (hang_is_kernel_ptr(w, data))
		s->walk(w, data);
	else
		hang_fault(w, "elevator_queue.elevator_data", elevator, -EINVAL,
			   "no address");
}
