// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From what is below a loop disk to the disk (drivers/block/loop.c). Its I/O to
 * the file is asynchronous and direct, if it was set to that: the bio leads to
 * the kiocb of a struct loop_cmd, which stands behind its request. Otherwise a
 * worker reads and writes the file as any task would, and sleeps: the work item
 * that it is at is one of the loop's.
 *
 * Nothing says what these pointers are of, so a disk is named only if it is one
 * that is known, and points back.
 */
#include "stack.h"

#define NAME_LEN 33

static const struct hang_named io_ends[] = {
	{ "lo_rw_aio_complete", "loop" },
};

static bool is_loop(struct hang_work *w, u64 lo, u64 *disk)
{
	u64 private;

	return hang_is_kernel_ptr(w, lo) && hang_has(w, L_loop_disk) &&
	       hang_has(w, L_disk_private) &&
	       !hang_read_member(w, lo, L_loop_disk, disk) &&
	       hang_is_kernel_ptr(w, *disk) &&
	       !hang_read_member(w, *disk, L_disk_private, &private) &&
	       private == lo && hang_disk_is_known(w, *disk);
}

/* The item of the root cgroup's worker, or that of another cgroup's. */
static bool of_item(struct hang_work *w, u64 item, u64 *disk)
{
	u64 lo;

	if (hang_has(w, L_loop_root_work) &&
	    is_loop(w, item - hang_loc(w, L_loop_root_work), disk))
		return true;
	return hang_has(w, L_loop_worker_work) &&
	       hang_has(w, L_loop_worker_lo) &&
	       !hang_read_member(w, item - hang_loc(w, L_loop_worker_work),
				 L_loop_worker_lo, &lo) &&
	       is_loop(w, lo, disk);
}

void hang_upper_show_worker(struct hang_work *w, struct hang_rec *rec,
			    u64 task, u32 field)
{
	u64 item = hang_worker_item(w, task);
	bool hush = w->hush;
	char name[NAME_LEN];
	u64 disk;

	if (!item)
		return;
	w->hush = true;
	if (of_item(w, item, &disk) &&
	    !hang_gendisk_name(w, disk, name, sizeof(name)))
		hang_rec_str(rec, field, name);
	w->hush = hush;
}

/* The disk of the request that the kiocb is of. */
static int of_iocb(struct hang_work *w, u64 iocb, u64 *disk)
{
	u64 end, rq, q;
	u32 i;

	if (hang_read_member(w, iocb, L_iocb_complete, &end))
		return -EFAULT;
	if (hang_named_index(w, end, io_ends, HANG_ARRAY_SIZE(io_ends)))
		return -ENOENT;
	rq = iocb - hang_loc(w, L_loop_cmd_iocb) - hang_loc(w, L_size_rq);
	if (hang_read_member(w, rq, L_rq_q, &q))
		return -EFAULT;
	if (!hang_map_get(&w->queue_map, q, &i) || i >= w->nr_queues)
		return -ENOENT;
	*disk = w->queues[i].disk;
	return 0;
}

/* What is behind a bio: a structure that it is within, or that it points to. */
static const struct {
	enum hang_row_id end_io, iocb, within;
} dios[] = {
	{ L_sym_end_blkdev_async, L_blkdev_dio_iocb, L_blkdev_dio_bio },
	{ L_sym_end_blkdev, L_blkdev_dio_iocb, L_COUNT },
	{ L_sym_end_iomap, L_iomap_dio_iocb, L_COUNT },
};

int hang_upper_loop(struct hang_work *w, u64 bio, u64 end_io, u64 private,
		    u64 *disk)
{
	bool within;
	u64 iocb;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(dios); i++)
		if (end_io && end_io == hang_loc(w, dios[i].end_io))
			break;
	if (i == HANG_ARRAY_SIZE(dios))
		return -ENOENT;
	within = dios[i].within != L_COUNT;
	if (!hang_has(w, dios[i].iocb) || !hang_has(w, L_iocb_complete) ||
	    !hang_has(w, L_loop_cmd_iocb) ||
	    (within && !hang_has(w, dios[i].within)))
		return -ENOENT;
	if (within)
		private = bio - hang_loc(w, dios[i].within);
	if (hang_read_member(w, private, dios[i].iocb, &iocb))
		return -EFAULT;
	return hang_is_kernel_ptr(w, iocb) ? of_iocb(w, iocb, disk) : -ENOENT;
}
