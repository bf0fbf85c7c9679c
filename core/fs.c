// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frozen file systems (struct super_block, include/linux/fs.h; fs/super.c). Who
 * writes to one waits at one of its three semaphores, for page faults, for the
 * file system's own threads, and for all others; a freeze takes them one after
 * the other. To the block layer nothing of this is known: its queues are empty.
 *
 * All super blocks are on one list. The few that are frozen are remembered, and
 * told with the disk they are on; those on no disk are none of ours.
 */
#include "core.h"

#define TYPE_LEN 24
#define ID_LEN 32

static const enum hang_row_id rows[] = {
	L_sym_super_blocks, L_sb_list, L_sb_bdev, L_sb_frozen, L_bdev_disk,
};

static int sb_found(struct hang_work *w, u64 node, void *arg)
{
	u64 sb = node - hang_loc(w, L_sb_list);
	u64 frozen, bdev, disk;

	(void)arg;
	if (hang_read_member(w, sb, L_sb_frozen, &frozen) || !frozen ||
	    hang_read_member(w, sb, L_sb_bdev, &bdev) || !bdev ||
	    hang_read_member(w, bdev, L_bdev_disk, &disk))
		return 0;
	if (w->nr_frozen == HANG_FROZEN_MAX) {
		w->looked.left_out++;
		return 0;
	}
	w->frozen[w->nr_frozen].sb = sb;
	w->frozen[w->nr_frozen++].disk = disk;
	return 0;
}

/* In a running kernel one may just be mounted or unmounted. */
void hang_frozen_load(struct hang_work *w)
{
	u32 tries = hang_list_tries(w);
	int err = -EAGAIN;

	w->nr_frozen = 0;
	if (!hang_has_all(w, rows, HANG_ARRAY_SIZE(rows)))
		return;
	while (err && tries-- && !hang_interrupted(w)) {
		w->hush = tries;
		w->nr_frozen = 0;
		err = hang_for_each_list(w, hang_loc(w, L_sym_super_blocks),
					 sb_found, NULL, "super_blocks");
	}
	w->hush = false;
}

static void show_type(struct hang_work *w, struct hang_rec *rec, u64 sb)
{
	char name[TYPE_LEN];
	u64 type, addr;

	if (!hang_read_member(w, sb, L_sb_type, &type) &&
	    !hang_read_member(w, type, L_fs_type_name, &addr) &&
	    !hang_read_str(w, addr, name, sizeof(name),
			   "file_system_type.name"))
		hang_rec_str(rec, F_fs_type, name);
}

static void show_id(struct hang_work *w, struct hang_rec *rec, u64 sb)
{
	char id[ID_LEN];

	if (hang_has(w, L_sb_id) &&
	    !hang_read_str(w, sb + hang_loc(w, L_sb_id), id, sizeof(id),
			   "super_block.s_id"))
		hang_rec_str(rec, F_fs_id, id);
}

/* The wait queue of the semaphore of a level, 0 if there is no such level. */
static u64 level_head(const struct hang_work *w, u64 sb, u32 level)
{
	u64 size = hang_loc(w, L_size_percpu_rwsem);

	if (!hang_has(w, L_sb_rwsem) || !size || !hang_has(w, L_rwsem_head) ||
	    (level + 1) * size > w->layout.loc[L_sb_rwsem].size)
		return 0;
	return sb + hang_loc(w, L_sb_rwsem) + level * size +
	       hang_loc(w, L_rwsem_head);
}

static u32 count_waiters(struct hang_work *w, u64 sb)
{
	u32 count = 0;
	u32 level;

	for (level = 0; level_head(w, sb, level); level++)
		count += hang_waitq_count(w, level_head(w, sb, level));
	return count;
}

static void emit_waiters(struct hang_work *w, u64 sb)
{
	struct hang_wait_at at = { .what = "fs", .hctx = -1, .ws = -1 };
	u32 level;

	for (level = 0; level_head(w, sb, level); level++)
		hang_waitq_emit(w, level_head(w, sb, level), &at);
}

static void emit(struct hang_work *w, u64 sb)
{
	struct hang_rec *rec = &w->rec;
	u32 waiters = count_waiters(w, sb);
	u64 frozen;

	if (hang_read_member(w, sb, L_sb_frozen, &frozen) || !frozen)
		return;
	hang_rec_start(rec, R_fs);
	hang_rec_str(rec, F_fs_disk, w->disk_name);
	show_id(w, rec, sb);
	show_type(w, rec, sb);
	hang_rec_set(rec, F_fs_frozen, frozen);
	if (hang_has(w, L_enum_sb_complete))
		hang_rec_set(rec, F_fs_complete,
			     frozen == hang_loc(w, L_enum_sb_complete));
	hang_rec_set(rec, F_fs_waiters, waiters);
	hang_rec_set(rec, F_fs_addr, sb);
	hang_emit(w, rec);
	if (waiters)
		emit_waiters(w, sb);
}

void hang_frozen_emit(struct hang_work *w, u64 disk)
{
	u32 i;

	for (i = 0; disk && i < w->nr_frozen; i++)
		if (w->frozen[i].disk == disk)
			emit(w, w->frozen[i].sb);
}
