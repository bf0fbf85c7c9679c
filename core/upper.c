// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a request to the disk above it. Device-mapper and md send bios of
 * their own to the disks below, and the function that is called at the end of
 * one tells whose it is (bi_end_io; of a request that was cloned as a whole,
 * end_io):
 *
 *   dm             a bio within a dm_target_io (drivers/md/dm.c)
 *   dm, requests   end_io_data is a dm_rq_target_io (drivers/md/dm-rq.c)
 *   raid1          bi_private is a r1bio (drivers/md/raid1.c)
 *   md             bi_private is a md_io_clone (drivers/md/md.c)
 *   loop           by the kiocb of its direct I/O: see upper_loop.c
 *
 * A bio that the disk below has split is followed to the whole. What is found
 * is named only if it is one of the disks that are known, and if that disk
 * points back to the mapped device or array by which it was found.
 */
#include "stack.h"

#define PARENTS_MAX 8 /* from a part of a bio to the whole */
#define NAME_LEN 33

enum { BY_TIO, BY_R1BIO_READ, BY_R1BIO_WRITE, BY_MD_CLONE, WAYS };

static const struct hang_named bio_ends[WAYS] = {
	[BY_TIO] = { "clone_endio", "dm_mod" },
	[BY_R1BIO_READ] = { "raid1_end_read_request", "raid1" },
	[BY_R1BIO_WRITE] = { "raid1_end_write_request", "raid1" },
	[BY_MD_CLONE] = { "md_end_clone_io", "md_mod" },
};

static const struct hang_named rq_ends[] = {
	{ "end_clone_request", "dm_mod" },
};

/* What is above a bio. */
struct above {
	u64 disk; /* gendisk */
	u64 bio;  /* from which that one was made, 0: not known */
};

/* Requests mostly end in one of few ways, so the last answers are kept. */
static u32 way_of(struct hang_work *w, u64 end_io)
{
	u32 i = end_io / 16 % HANG_ENDS_KEPT;

	if (!end_io)
		return WAYS;
	if (end_io != w->known.end_io[i]) {
		w->known.end_io[i] = end_io;
		w->known.end_io_way[i] = hang_named_index(w, end_io, bio_ends,
							  WAYS);
	}
	return w->known.end_io_way[i];
}

static bool is_clone(struct hang_work *w, u64 end_io)
{
	if (!end_io)
		return false;
	if (end_io != w->known.rq_end_io) {
		w->known.rq_end_io = end_io;
		w->known.rq_is_clone = !hang_named_index(w, end_io, rq_ends,
						HANG_ARRAY_SIZE(rq_ends));
	}
	return w->known.rq_is_clone;
}

/* The disk of a mapped device or array, if it points back. */
static int of_md(struct hang_work *w, u64 md, enum hang_row_id row, u64 *disk)
{
	u64 private;

	if (!hang_has(w, row) || !hang_has(w, L_disk_private))
		return -ENOENT;
	if (hang_read_member(w, md, row, disk) ||
	    hang_read_member(w, *disk, L_disk_private, &private))
		return -EFAULT;
	return private == md ? 0 : -ENOENT;
}

static int of_tio(struct hang_work *w, u64 bio, struct above *above)
{
	u64 tio = bio - hang_loc(w, L_dm_tio_clone);
	u64 io, md;

	if (!hang_has(w, L_dm_tio_clone) || !hang_has(w, L_dm_tio_io) ||
	    !hang_has(w, L_dm_io_md) || !hang_has(w, L_dm_io_orig))
		return -ENOENT;
	if (hang_read_member(w, tio, L_dm_tio_io, &io) ||
	    hang_read_member(w, io, L_dm_io_md, &md) ||
	    hang_read_member(w, io, L_dm_io_orig, &above->bio))
		return -EFAULT;
	return of_md(w, md, L_dm_disk, &above->disk);
}

/* Of a structure that has both the array and the bio. */
static int of_mddev(struct hang_work *w, u64 base, enum hang_row_id array,
		    enum hang_row_id bio, struct above *above)
{
	u64 mddev;

	if (!hang_has(w, array) || !hang_has(w, bio))
		return -ENOENT;
	if (hang_read_member(w, base, array, &mddev) ||
	    hang_read_member(w, base, bio, &above->bio))
		return -EFAULT;
	return of_md(w, mddev, L_md_disk, &above->disk);
}

static int of_end_io(struct hang_work *w, u64 bio, u64 end_io, u64 private,
		     struct above *above)
{
	switch (way_of(w, end_io)) {
	case BY_TIO:
		return of_tio(w, bio, above);
	case BY_R1BIO_READ:
	case BY_R1BIO_WRITE:
		return of_mddev(w, private, L_r1bio_mddev, L_r1bio_master,
				above);
	case BY_MD_CLONE:
		return of_mddev(w, private, L_md_clone_mddev, L_md_clone_orig,
				above);
	default:
		return -ENOENT;
	}
}

int hang_upper_bio(struct hang_work *w, u64 *bio)
{
	struct above above;
	int err;

	err = of_end_io(w, w->bio_snap.addr,
			hang_snap_get(w, &w->bio_snap, L_bio_end_io),
			hang_snap_get(w, &w->bio_snap, L_bio_private), &above);
	if (err || !above.bio)
		return err ? err : -ENOENT;
	*bio = above.bio;
	return 0;
}

static int of_rq_tio(struct hang_work *w, u64 tio, u64 *disk)
{
	u64 md;

	if (!hang_has(w, L_dm_rq_tio_md))
		return -ENOENT;
	if (hang_read_member(w, tio, L_dm_rq_tio_md, &md))
		return -EFAULT;
	return of_md(w, md, L_dm_disk, disk);
}

static int of_bio(struct hang_work *w, u64 bio, u64 *disk)
{
	u64 end_io = hang_snap_get(w, &w->bio_snap, L_bio_end_io);
	u64 private = hang_snap_get(w, &w->bio_snap, L_bio_private);
	struct above above = { .disk = 0 };
	int err;
	u32 i;

	for (i = 0; i < PARENTS_MAX && end_io &&
		    end_io == hang_loc(w, L_sym_end_chain); i++) {
		bio = private;
		if (hang_read_member(w, bio, L_bio_end_io, &end_io) ||
		    hang_read_member(w, bio, L_bio_private, &private))
			return -EFAULT;
	}
	err = of_end_io(w, bio, end_io, private, &above);
	*disk = above.disk;
	return err == -ENOENT ? hang_upper_loop(w, bio, end_io, private, disk) :
				err;
}

static int of_rq(struct hang_work *w, u64 *disk)
{
	u64 end_io = hang_snap_get(w, &w->rq_snap, L_rq_end_io);

	/* In a running kernel the request may end as it is looked at. */
	w->hush = hang_is_live(w);
	if (is_clone(w, end_io))
		return of_rq_tio(w, hang_snap_get(w, &w->rq_snap,
						  L_rq_end_io_data), disk);
	/* What can't be read here is reported when it is asked who waits. */
	w->hush = true;
	return w->bio_snap.len ? of_bio(w, w->bio_snap.addr, disk) : -ENOENT;
}

void hang_upper_show(struct hang_work *w, struct hang_rec *rec)
{
	char name[NAME_LEN];
	u64 disk;

	if (!of_rq(w, &disk) && hang_disk_is_known(w, disk) &&
	    !hang_gendisk_name(w, disk, name, sizeof(name)))
		hang_rec_str(rec, F_rq_upper, name);
	w->hush = false;
}
