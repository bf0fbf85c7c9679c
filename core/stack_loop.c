// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A loop disk (drivers/block/loop.c): the file behind it, the disk that the
 * file is on, and the requests that its workers have not begun with. There is
 * one worker for the root cgroup and one for each other cgroup that does I/O,
 * in a red-black tree. A request is issued when a worker is given it, and stays
 * on the worker's list until it is its turn; then the worker may sleep in the
 * file system with it.
 */
#include "stack.h"

#define WORKERS_MAX 8192
#define COLOR 1 /* in __rb_parent_color, beside the address of the parent */
#define DEPTH_MAX 64
#define MODE_MASK 0170000 /* S_IFMT */
#define MODE_BLOCK 0060000 /* S_IFBLK */
#define NAME_LEN 64

static const struct hang_value_name states[] = {
	{ L_enum_loop_unbound, "unbound" },
	{ L_enum_loop_bound, "bound" },
	{ L_enum_loop_rundown, "rundown" },
	{ L_enum_loop_deleting, "deleting" },
};

/* The first node in order, from node downwards. */
static int leftmost(struct hang_work *w, u64 *node)
{
	u64 left = *node;
	u32 i;

	for (i = 0; left && i < DEPTH_MAX; i++) {
		*node = left;
		if (hang_read_member(w, left, L_rb_left, &left))
			return -EFAULT;
	}
	if (!left)
		return 0;
	hang_fault(w, "rb_node", left, -ELOOP, "tree too deep");
	return -ELOOP;
}

/* The node after node in order, 0 after the last. */
static int next_node(struct hang_work *w, u64 *node)
{
	u64 child, right;
	u32 i;

	if (hang_read_member(w, *node, L_rb_right, &right))
		return -EFAULT;
	if (right) {
		*node = right;
		return leftmost(w, node);
	}
	for (i = 0; i < DEPTH_MAX; i++) {
		child = *node;
		if (hang_read_member(w, child, L_rb_parent, node))
			return -EFAULT;
		*node &= ~(u64)COLOR;
		if (!*node)
			return 0;
		if (hang_read_member(w, *node, L_rb_right, &right))
			return -EFAULT;
		if (right != child)
			return 0;
	}
	hang_fault(w, "rb_node", *node, -ELOOP, "tree too deep");
	return -ELOOP;
}

static int walk_workers(struct hang_work *w, u64 q, u64 lo)
{
	u64 list = hang_loc(w, L_loop_worker_list) -
		   hang_loc(w, L_loop_worker_node);
	u64 node;
	int err;
	u32 i;

	err = hang_read_member(w, lo, L_loop_tree, &node);
	if (!err && node)
		err = leftmost(w, &node);
	for (i = 0; !err && node && i < WORKERS_MAX; i++) {
		hang_place_walk(w, q, node + list, HANG_AT_LOOP);
		err = next_node(w, &node);
	}
	if (err || !node)
		return err;
	hang_fault(w, "loop_device.worker_tree", lo, -E2BIG,
		   "tree too large");
	return -E2BIG;
}

/* Workers come and go; one that goes as it is looked at is no fault. */
void hang_loop_places(struct hang_work *w, u64 q, u64 lo)
{
	if (!hang_has(w, L_loop_root_list) || !hang_has(w, L_loop_cmd_list))
		return;
	hang_place_walk(w, q, lo + hang_loc(w, L_loop_root_list), HANG_AT_LOOP);
	if (!hang_has(w, L_loop_tree) || !hang_has(w, L_loop_worker_node) ||
	    !hang_has(w, L_loop_worker_list) || !hang_has(w, L_rb_parent) ||
	    !hang_has(w, L_rb_left) || !hang_has(w, L_rb_right))
		return;
	w->hush = hang_is_live(w);
	if (walk_workers(w, q, lo))
		hang_place_unknown(w, q, HANG_AT_LOOP);
	w->hush = false;
}

/* The file's own name, without the way to it. */
static int show_name(struct hang_work *w, u64 file)
{
	char name[NAME_LEN];
	u64 dentry, addr;

	if (!hang_has(w, L_file_dentry) || !hang_has(w, L_dentry_name))
		return 0;
	if (hang_read_member(w, file, L_file_dentry, &dentry) ||
	    hang_read_member(w, dentry, L_dentry_name, &addr) ||
	    hang_read_str(w, addr, name, sizeof(name), "dentry.d_name"))
		return -EFAULT;
	hang_rec_str(&w->rec, F_stack_file, name);
	return 0;
}

/* The block device the file is, or is on; 0 where there is none. */
static int bdev_of(struct hang_work *w, u64 file, u64 *bdev)
{
	u64 mapping, inode, mode, sb;

	*bdev = 0;
	if (hang_read_member(w, file, L_file_mapping, &mapping) ||
	    hang_read_member(w, mapping, L_mapping_host, &inode) ||
	    hang_read_member(w, inode, L_inode_mode, &mode))
		return -EFAULT;
	if ((mode & MODE_MASK) == MODE_BLOCK) {
		*bdev = inode - hang_loc(w, L_bdev_inode_inode) +
			hang_loc(w, L_bdev_inode_bdev);
		return 0;
	}
	if (hang_read_member(w, inode, L_inode_sb, &sb))
		return -EFAULT;
	return hang_read_member(w, sb, L_sb_bdev, bdev);
}

static int show_disk(struct hang_work *w, u64 file)
{
	struct hang_lower lower;
	u64 bdev;
	int err;

	if (!hang_has(w, L_file_mapping) || !hang_has(w, L_mapping_host) ||
	    !hang_has(w, L_inode_mode) || !hang_has(w, L_inode_sb) ||
	    !hang_has(w, L_sb_bdev) || !hang_has(w, L_bdev_inode_inode) ||
	    !hang_has(w, L_bdev_inode_bdev))
		return 0;
	err = bdev_of(w, file, &bdev);
	if (err || !bdev)
		return err;
	hang_lower_init(w, &lower);
	err = hang_lower_add(w, &lower, bdev);
	if (!err)
		hang_rec_str(&w->rec, F_stack_on, w->text);
	return err;
}

int hang_stack_loop(struct hang_work *w, u64 lo)
{
	u64 file, state, flags;
	u32 queued;
	int err, err2;

	if (hang_place_count(w, w->q_snap.addr, HANG_AT_LOOP, &queued))
		hang_rec_set(&w->rec, F_stack_queued, queued);
	if (!hang_has(w, L_loop_state) || !hang_has(w, L_loop_flags) ||
	    !hang_has(w, L_loop_file))
		return 0;
	if (hang_read_member(w, lo, L_loop_state, &state) ||
	    hang_read_member(w, lo, L_loop_flags, &flags) ||
	    hang_read_member(w, lo, L_loop_file, &file))
		return -EFAULT;
	hang_set_value(w, &w->rec, F_stack_state, states,
		       HANG_ARRAY_SIZE(states), state);
	hang_rec_set(&w->rec, F_stack_flags, flags & 0xffffffff);
	if (!file)
		return 0;
	err = show_name(w, file);
	err2 = show_disk(w, file);
	return err ? err : err2;
}
