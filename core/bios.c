// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of bios that wait to become requests (include/linux/bio.h): a head and
 * a tail, and each bio points to the next.
 */
#include "core.h"

#define LOOK_AT 8 /* of those of which one may be waited for */

struct bio_walk {
	u32 count;
	u64 last;
};

static int bio_found(struct hang_work *w, u64 bio, void *arg)
{
	struct bio_walk *b = arg;

	(void)w;
	b->count++;
	b->last = bio;
	return 0;
}

static int count_once(struct hang_work *w, u64 list, const char *what,
		      struct bio_walk *b)
{
	u64 first, tail;
	int err;

	memset(b, 0, sizeof(*b));
	err = hang_read_member(w, list, L_bio_list_head, &first);
	if (err || !first)
		return err;
	err = hang_for_each_next(w, first, hang_loc(w, L_bio_next), bio_found,
				 b, what);
	if (!err)
		err = hang_read_member(w, list, L_bio_list_tail, &tail);
	if (!err && b->last != tail) {
		err = -EINVAL;
		hang_fault(w, what, list, err, "does not end at its tail");
	}
	return err;
}

void hang_bio_show_waiter(struct hang_work *w, struct hang_rec *rec, u64 bio,
			  const struct hang_task_fields *f)
{
	bool hush = w->hush;
	u64 task, ns;
	u32 i;

	w->hush |= hang_is_live(w);
	for (i = 0; bio && i < LOOK_AT; i++) {
		if (!hang_bio_waiter(w, bio, &task)) {
			hang_task_show(w, rec, task, f->pid, f->comm);
			if (!hang_task_slept(w, task, &ns))
				hang_rec_set(rec, f->slept, ns);
			break;
		}
		if (!hang_has(w, L_bio_next) ||
		    hang_read_member(w, bio, L_bio_next, &bio))
			break;
	}
	w->hush = hush;
}

int hang_bio_list_count(struct hang_work *w, u64 list, const char *what,
			u32 *count)
{
	u32 tries = hang_list_tries(w);
	bool hush = w->hush;
	struct bio_walk b;
	int err;

	*count = 0;
	if (!hang_has(w, L_bio_next) || !hang_has(w, L_bio_list_head) ||
	    !hang_has(w, L_bio_list_tail))
		return -ENOENT;
	w->hush |= hang_is_live(w);
	do
		err = count_once(w, list, what, &b);
	while (err && --tries && !hang_interrupted(w));
	w->hush = hush;
	if (!err)
		*count = b.count;
	return err;
}
