// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Disks that are made of others: device-mapper, md and loop. Of each it is
 * told what it sits on, and what waits within it. A disk is only looked at if
 * its operations (gendisk.fops) are those of one of these drivers, and only if
 * what it points to (private_data) points back at it.
 *
 * One that is bio based has no tags and no requests; the kernel counts what is
 * in flight on it in the statistics of the whole disk, for each CPU apart
 * (block/genhd.c). A CPU may have seen the end of what another one began, so
 * that only the sum means anything.
 */
#include "stack.h"

#define KINDS 4
#define NAME_LEN 33

static const struct hang_named kind_ops[KINDS] = {
	{ "dm_blk_dops", "dm_mod" },
	{ "dm_rq_blk_dops", "dm_mod" },
	{ "md_fops", "md_mod" },
	{ "lo_fops", "loop" },
};

static const struct {
	const char *name;
	int (*show)(struct hang_work *w, u64 private);
	enum hang_row_id disk; /* of private: back to the gendisk */
} kinds[KINDS] = {
	{ "dm", hang_stack_dm, L_dm_disk },
	{ "dm", hang_stack_dm, L_dm_disk },
	{ "md", hang_stack_md, L_md_disk },
	{ "loop", hang_stack_loop, L_loop_disk },
};

u32 hang_named_index(struct hang_work *w, u64 addr,
		     const struct hang_named *names, u32 count)
{
	struct hang_symbol *sym = &w->symbol;
	u32 i;

	if (!hang_is_symbol(w, addr))
		return count;
	for (i = 0; i < count; i++)
		if (!strcmp(sym->name, names[i].name) &&
		    (!sym->module[0] || !strcmp(sym->module, names[i].module)))
			break;
	return i;
}

/* Disks of one driver come together, so the last answer is kept. */
static u32 kind_of(struct hang_work *w, u64 disk)
{
	u64 fops;

	if (!disk || !hang_has(w, L_disk_fops) ||
	    !hang_has(w, L_disk_private) ||
	    hang_read_member(w, disk, L_disk_fops, &fops))
		return KINDS;
	if (!fops || fops != w->known.fops) {
		w->known.fops = fops;
		w->known.fops_kind = hang_named_index(w, fops, kind_ops, KINDS);
	}
	return w->known.fops_kind;
}

/* What private_data points to; 0 where it is not known to be of that kind. */
static int private_of(struct hang_work *w, u64 disk, u32 kind, u64 *private)
{
	u64 addr, back;

	*private = 0;
	if (!hang_has(w, kinds[kind].disk))
		return 0;
	if (hang_read_member(w, disk, L_disk_private, &addr))
		return -EFAULT;
	if (!addr)
		return 0;
	if (hang_read_member(w, addr, kinds[kind].disk, &back))
		return -EFAULT;
	if (back == disk) {
		*private = addr;
		return 0;
	}
	hang_fault(w, "gendisk.private_data", disk, -EINVAL,
		   "does not belong to the disk");
	return -EINVAL;
}

int hang_gendisk_name(struct hang_work *w, u64 disk, char *name, size_t size)
{
	return hang_read_str(w, disk + hang_loc(w, L_disk_name), name, size,
			     "gendisk.disk_name");
}

void hang_lower_init(struct hang_work *w, struct hang_lower *lower)
{
	hang_str_init(&lower->text, w->text, sizeof(w->text));
	lower->count = 0;
}

int hang_lower_add(struct hang_work *w, struct hang_lower *lower, u64 bdev)
{
	char name[NAME_LEN];
	u64 disk;
	u32 i;

	if (hang_read_member(w, bdev, L_bdev_disk, &disk))
		return -EFAULT;
	for (i = 0; i < lower->count && i < HANG_LOWER_MAX; i++)
		if (lower->disk[i] == disk)
			return 0;
	if (lower->count == HANG_LOWER_MAX)
		hang_put(&lower->text, ",...");
	if (lower->count >= HANG_LOWER_MAX) {
		lower->count = HANG_LOWER_MAX + 1;
		return 0;
	}
	if (hang_gendisk_name(w, disk, name, sizeof(name)))
		return -EFAULT;
	if (lower->count)
		hang_put_char(&lower->text, ',');
	hang_put(&lower->text, name);
	lower->disk[lower->count++] = disk;
	return 0;
}

void hang_stack_show_waiter(struct hang_work *w, u64 list)
{
	static const struct hang_task_fields fields = {
		.pid = F_stack_pid, .comm = F_stack_comm,
		.slept = F_stack_slept,
	};
	u64 bio;

	if (!hang_read_member(w, list, L_bio_list_head, &bio))
		hang_bio_show_waiter(w, &w->rec, bio, &fields);
}

/* The per-CPU pointer to the statistics of the whole disk. */
static int stats_of(struct hang_work *w, u64 disk, u64 *stats)
{
	u64 part0;

	if (hang_has(w, L_disk_own_stats))
		return hang_read_member(w, disk, L_disk_own_stats, stats);
	if (!hang_has(w, L_disk_part0) || !hang_has(w, L_bdev_stats))
		return -ENOENT;
	if (hang_read_member(w, disk, L_disk_part0, &part0))
		return -EFAULT;
	return hang_read_member(w, part0, L_bdev_stats, stats);
}

static int count_in_flight(struct hang_work *w, u64 stats, u32 cpu, s64 *sum)
{
	u64 addr, value;
	u32 i;

	if (hang_percpu_ptr(w, stats, cpu, &addr))
		return -EFAULT;
	addr += hang_loc(w, L_stats_in_flight);
	for (i = 0; i < 2; i++) {
		if (hang_read_ptr(w, addr + i * w->t->word, &value,
				  "disk_stats.in_flight"))
			return -EFAULT;
		*sum += w->t->word == 4 ? (s32)value : (s64)value;
	}
	return 0;
}

/* The kernel takes a sum below zero for none, too. */
static void show_in_flight(struct hang_work *w, u64 disk)
{
	s64 sum = 0;
	u64 stats;
	u32 cpu;

	if (!hang_has(w, L_stats_in_flight) || stats_of(w, disk, &stats))
		return;
	for (cpu = 0; cpu < w->nr_cpus; cpu++)
		if (hang_cpu_is(w, HANG_POSSIBLE, cpu) &&
		    count_in_flight(w, stats, cpu, &sum))
			return;
	hang_rec_set(&w->rec, F_stack_inflight, sum > 0 ? sum : 0);
}

static int show(struct hang_work *w, u64 disk, u32 kind)
{
	u64 private;
	int err;

	hang_rec_start(&w->rec, R_stack);
	hang_rec_str(&w->rec, F_stack_disk, w->disk_name);
	hang_rec_str(&w->rec, F_stack_kind, kinds[kind].name);
	if (!hang_snap_get(w, &w->q_snap, L_q_mq_ops))
		show_in_flight(w, disk);
	err = private_of(w, disk, kind, &private);
	if (err || !private)
		return err;
	hang_rec_set(&w->rec, F_stack_addr, private);
	return kinds[kind].show(w, private);
}

u64 hang_stack_loop_of(struct hang_work *w, u64 disk)
{
	u32 kind = kind_of(w, disk);
	u64 private;

	if (kind >= KINDS || kinds[kind].show != hang_stack_loop)
		return 0;
	/* If not, that is reported when the disk is shown. */
	w->hush = true;
	private_of(w, disk, kind, &private);
	w->hush = false;
	return private;
}

void hang_walk_stack(struct hang_work *w, u64 disk)
{
	u32 tries = hang_list_tries(w);
	u32 kind = kind_of(w, disk);
	int err;

	if (kind >= KINDS)
		return;
	do {
		w->hush = --tries != 0;
		err = show(w, disk, kind);
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
	w->looked.stacks++;
	hang_emit(w, &w->rec);
}
