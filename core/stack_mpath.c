// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A multipath target of device-mapper (drivers/md/dm-mpath.c). Without a path
 * that works it fails what it is given, or keeps it: bios on a list of its own,
 * requests by having them requeued.
 */
#include "stack.h"

#define NAME_LEN 33

/* The disk of the path that is in use, if there is one. */
static int show_path(struct hang_work *w, u64 mp)
{
	char name[NAME_LEN];
	u64 path, dev, bdev, disk;

	if (!hang_has(w, L_mp_current) || !hang_has(w, L_mp_path_dev) ||
	    !hang_has(w, L_dm_dev_bdev))
		return 0;
	if (hang_read_member(w, mp, L_mp_current, &path))
		return -EFAULT;
	if (!path)
		return 0;
	if (hang_read_member(w, path, L_mp_path_dev, &dev) ||
	    hang_read_member(w, dev, L_dm_dev_bdev, &bdev) ||
	    hang_read_member(w, bdev, L_bdev_disk, &disk) ||
	    hang_gendisk_name(w, disk, name, sizeof(name)))
		return -EFAULT;
	hang_rec_str(&w->rec, F_stack_path, name);
	return 0;
}

int hang_stack_multipath(struct hang_work *w, u64 mp)
{
	u64 value;
	u32 count;
	int err, err2;

	if (!hang_has(w, L_mp_paths) || !hang_has(w, L_mp_flags) ||
	    !hang_has(w, L_mp_bios))
		return 0;
	if (hang_read_member(w, mp, L_mp_flags, &value))
		return -EFAULT;
	hang_rec_set(&w->rec, F_stack_mpath, value);
	if (hang_read_member(w, mp, L_mp_paths, &value))
		return -EFAULT;
	hang_rec_set(&w->rec, F_stack_paths, value);
	err = hang_bio_list_count(w, mp + hang_loc(w, L_mp_bios),
				  "multipath.queued_bios", &count);
	if (!err || count)
		hang_rec_set(&w->rec, F_stack_queued, count);
	if (count)
		hang_stack_show_waiter(w, mp + hang_loc(w, L_mp_bios));
	err2 = show_path(w, mp);
	return err ? err : err2;
}
