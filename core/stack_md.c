// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An md array (drivers/md/md.h): the disks it is made of, whether it is
 * suspended, and the bits of a resync or recovery.
 */
#include "stack.h"

#define NAME_LEN 32

static int rdev_found(struct hang_work *w, u64 node, void *arg)
{
	u64 bdev;

	if (hang_read_member(w, node - hang_loc(w, L_rdev_same_set),
			     L_rdev_bdev, &bdev))
		return -EFAULT;
	return bdev ? hang_lower_add(w, arg, bdev) : 0;
}

static int show_members(struct hang_work *w, u64 mddev)
{
	struct hang_lower lower;
	int err;

	if (!hang_has(w, L_md_disks) || !hang_has(w, L_rdev_same_set) ||
	    !hang_has(w, L_rdev_bdev))
		return 0;
	hang_lower_init(w, &lower);
	err = hang_for_each_list(w, mddev + hang_loc(w, L_md_disks), rdev_found,
				 &lower, "mddev.disks");
	if (lower.count)
		hang_rec_str(&w->rec, F_stack_on, w->text);
	return err;
}

/* An array that does not run has no personality. */
static int show_level(struct hang_work *w, u64 mddev)
{
	char name[NAME_LEN];
	u64 pers, addr;

	if (!hang_has(w, L_md_pers) || !hang_has(w, L_md_pers_name))
		return 0;
	if (hang_read_member(w, mddev, L_md_pers, &pers))
		return -EFAULT;
	if (!pers)
		return 0;
	if (hang_read_member(w, pers, L_md_pers_name, &addr) ||
	    hang_read_str(w, addr, name, sizeof(name), "md_personality.name"))
		return -EFAULT;
	hang_rec_str(&w->rec, F_stack_target, name);
	return 0;
}

static int show_bits(struct hang_work *w, u64 mddev)
{
	u64 flags, recovery, suspended;

	if (!hang_has(w, L_md_flags) || !hang_has(w, L_md_recovery) ||
	    !hang_has(w, L_md_suspended))
		return 0;
	if (hang_read_member(w, mddev, L_md_flags, &flags) ||
	    hang_read_member(w, mddev, L_md_recovery, &recovery) ||
	    hang_read_member(w, mddev, L_md_suspended, &suspended))
		return -EFAULT;
	hang_rec_set(&w->rec, F_stack_flags, flags);
	hang_rec_set(&w->rec, F_stack_recovery, recovery);
	hang_rec_set(&w->rec, F_stack_suspended, suspended != 0);
	return 0;
}

int hang_stack_md(struct hang_work *w, u64 mddev)
{
	int err = show_bits(w, mddev);
	int err2 = show_level(w, mddev);
	int err3 = show_members(w, mddev);

	return err ? err : err2 ? err2 : err3;
}
