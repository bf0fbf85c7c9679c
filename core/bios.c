// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of bios that wait to become requests (include/linux/bio.h): a head and
 * a tail, and each bio points to the next.
 */
#include "core.h"

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
