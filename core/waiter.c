// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a request to the task that waits for it. A bio knows no task, but the
 * function that is called at its end (bi_end_io) tells what bi_private is, and
 * from there a way leads to the waiter, where there is one:
 *
 *   submit_bio_wait()          a completion on the waiter's stack (block/bio.c)
 *   direct I/O, block device   struct blkdev_dio (block/fops.c)
 *   direct I/O, file           struct iomap_dio (fs/iomap/direct-io.c), or
 *                              struct dio (fs/direct-io.c)
 *   part of a split bio        the whole bio (block/bio.c)
 *   bio of dm or md            the bio it was made from (core/upper.c)
 *   passthrough                a completion, from the request itself
 *
 * A wrong name is worse than none. So the task is named only where it is seen
 * to be one, and to sleep, and a completion's waiter only where the two entries
 * of its wait list point at each other.
 *
 * The request may end as it is looked at. All is read in silence first, and
 * what went wrong is a fault only if it goes wrong again with the same bio.
 */
#include "core.h"

#define BIOS_MAX 8    /* of one request; all the others were merged later */
#define PARENTS_MAX 16 /* from a part of a bio to the whole, or a disk up */

enum way {
	NO_WAY,
	BY_TASK,
	BY_COMPLETION,
	BY_BLKDEV_DIO,
	BY_IOMAP_DIO,
	BY_DIO,
	BY_PARENT,
	BY_NOBODY, /* asynchronous direct I/O */
};

static const struct {
	enum hang_row_id end_io;
	enum way way;
} ways[] = {
	{ L_sym_end_submit_wait, BY_COMPLETION },
	{ L_sym_end_bio_wait, BY_COMPLETION },
	{ L_sym_end_blkdev_simple, BY_TASK },
	{ L_sym_end_blkdev, BY_BLKDEV_DIO },
	{ L_sym_end_blkdev_async, BY_NOBODY },
	{ L_sym_end_iomap, BY_IOMAP_DIO },
	{ L_sym_end_dio, BY_DIO },
	{ L_sym_end_chain, BY_PARENT },
};

static enum way way_of(const struct hang_work *w, u64 end_io)
{
	u32 i;

	for (i = 0; end_io && i < HANG_ARRAY_SIZE(ways); i++)
		if (hang_loc(w, ways[i].end_io) == end_io)
			return ways[i].way;
	return NO_WAY;
}

/* The functions below give the task, -ENOENT where none waits, or an error. */

static int of_completion(struct hang_work *w, u64 completion, u64 *task)
{
	u64 head = completion + hang_loc(w, L_completion_list);
	u64 node, entry, back;

	if (!hang_has(w, L_completion_list) || !hang_has(w, L_swait_list) ||
	    !hang_has(w, L_swait_task))
		return -ENOENT;
	if (hang_read_ptr(w, head, &node, "completion.wait"))
		return -EFAULT;
	if (node == head)
		return -ENOENT;
	entry = node - hang_loc(w, L_swait_list);
	if (hang_read_ptr(w, node + w->t->word, &back, "swait_queue") ||
	    hang_read_member(w, entry, L_swait_task, task))
		return -EFAULT;
	return back == head ? 0 : -ENOENT;
}

/* waiter shares its place with iocb, which is there unless I/O is synchronous. */
static int of_blkdev_dio(struct hang_work *w, u64 dio, u64 *task)
{
	u64 flags;

	if (hang_has(w, L_blkdev_dio_flags) && hang_has(w, L_enum_dio_is_sync)) {
		if (hang_read_member(w, dio, L_blkdev_dio_flags, &flags))
			return -EFAULT;
		if (!(flags & hang_loc(w, L_enum_dio_is_sync)))
			return -ENOENT;
	}
	return hang_read_member(w, dio, L_blkdev_dio_waiter, task);
}

static int of_iomap_dio(struct hang_work *w, u64 dio, u64 *task)
{
	u64 wait;
	int err;

	if (!hang_has(w, L_iomap_dio_submit))
		return -ENOENT;
	err = hang_read_member(w, dio, L_iomap_dio_wait, &wait);
	if (err || !wait)
		return err ? err : -ENOENT;
	/*
	 * submit is of a type without a name, which crash can't look into. The
	 * waiter has always been its second member, after iter.
	 */
	return hang_read_ptr(w, dio + hang_loc(w, L_iomap_dio_submit) +
			     w->t->word, task, "iomap_dio.submit");
}

static int waiter_of(struct hang_work *w, enum way way, u64 private, u64 *task)
{
	if (!private)
		return -ENOENT;
	switch (way) {
	case BY_TASK:
		*task = private;
		return 0;
	case BY_COMPLETION:
		return of_completion(w, private, task);
	case BY_BLKDEV_DIO:
		return of_blkdev_dio(w, private, task);
	case BY_IOMAP_DIO:
		return of_iomap_dio(w, private, task);
	case BY_DIO:
		return hang_read_member(w, private, L_dio_waiter, task);
	default:
		return -ENOENT;
	}
}

static int load_bio(struct hang_work *w, u64 bio)
{
	if (w->bio_snap.len && w->bio_snap.addr == bio)
		return 0;
	return hang_snap_load(w, &w->bio_snap, bio, L_size_bio);
}

/* Of the bio in w->bio_snap, or of the one it is a part of. */
static int of_bio(struct hang_work *w, u64 *task)
{
	u32 i;

	for (i = 0; i < PARENTS_MAX; i++) {
		u64 end_io = hang_snap_get(w, &w->bio_snap, L_bio_end_io);
		u64 private = hang_snap_get(w, &w->bio_snap, L_bio_private);
		enum way way = way_of(w, end_io);
		int err = way == NO_WAY ? hang_upper_bio(w, &private) : 0;

		if (err || (way != NO_WAY && way != BY_PARENT))
			return err ? err : waiter_of(w, way, private, task);
		if (load_bio(w, private))
			return -EFAULT;
	}
	return -ENOENT;
}

static int of_bios(struct hang_work *w, u64 bio, u64 *task)
{
	u32 i;

	for (i = 0; bio && i < BIOS_MAX; i++) {
		u64 next;
		int err;

		if (load_bio(w, bio))
			return -EFAULT;
		next = hang_snap_get(w, &w->bio_snap, L_bio_next);
		err = of_bio(w, task);
		if (err != -ENOENT)
			return err;
		bio = next;
	}
	return -ENOENT;
}

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->rq_snap, row);
}

static int of_rq(struct hang_work *w, u64 bio, u64 *task)
{
	u64 end_io = get(w, L_rq_end_io);

	*task = 0;
	if (end_io && end_io == hang_loc(w, L_sym_end_sync_rq))
		return waiter_of(w, BY_COMPLETION, get(w, L_rq_end_io_data),
				 task);
	return of_bios(w, bio, task);
}

bool hang_rq_is_same(struct hang_work *w)
{
	u64 bio;

	return !hang_read_member(w, w->rq_snap.addr, L_rq_bio, &bio) &&
	       bio == get(w, L_rq_bio);
}

u64 hang_waiter_show(struct hang_work *w, struct hang_rec *rec)
{
	/* One that could not be read has had its fault. */
	u64 bio = w->bio_snap.len ? w->bio_snap.addr : 0;
	u64 task, slept;
	int err;

	w->hush = true;
	err = of_rq(w, bio, &task);
	w->hush = false;
	if (err && err != -ENOENT && hang_rq_is_same(w))
		err = of_rq(w, bio, &task);
	if (err || !hang_task_is_blocked(w, task))
		return 0;
	hang_task_show(w, rec, task, F_rq_waiter, F_rq_wtask);
	if (!hang_task_slept(w, task, &slept))
		hang_rec_set(rec, F_rq_wslept, slept);
	return task;
}

static bool is_pinned(const struct hang_work *w)
{
	return hang_has(w, L_enum_bio_pinned) &&
	       (hang_snap_get(w, &w->bio_snap, L_bio_flags) >>
		hang_loc(w, L_enum_bio_pinned) & 1);
}

bool hang_bio_is_direct(struct hang_work *w)
{
	u32 i;

	for (i = 0; i < PARENTS_MAX && !is_pinned(w); i++) {
		u64 end_io = hang_snap_get(w, &w->bio_snap, L_bio_end_io);
		enum way way = way_of(w, end_io);

		if (way != BY_PARENT)
			return way != NO_WAY && way != BY_COMPLETION;
		if (load_bio(w, hang_snap_get(w, &w->bio_snap,
					      L_bio_private)))
			return true;
	}
	return true;
}

int hang_bio_waiter(struct hang_work *w, u64 bio, u64 *task)
{
	bool hush = w->hush;
	int err;

	*task = 0;
	w->bio_snap.len = 0;
	/* It was on a list: what can't be read of it was told there. */
	w->hush = true;
	err = load_bio(w, bio);
	if (!err)
		err = of_bio(w, task);
	w->hush = hush;
	return err || !hang_task_is_blocked(w, *task) ? -ENOENT : 0;
}
