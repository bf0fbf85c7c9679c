// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bdev.c - what needs a disk by name: its request timeout, its requests
 *
 * The kernel offers queue/io_timeout only where the driver has a timeout
 * handler, and virtio-blk has none. A short one makes a request count as too
 * old after seconds, so that a test need not wait for half a minute.
 *
 * A fault is only one while requests are on their way. The disk that is
 * watched stays open, so that this can be asked where nothing may sleep.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/part_stat.h>
#include <linux/version.h>
#include <scsi/scsi_device.h>

#include "hangmod.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)

struct opened {
	struct file *file;
};

static struct block_device *open_disk(const char *path, struct opened *o)
{
	o->file = bdev_file_open_by_path(path, BLK_OPEN_READ, NULL, NULL);
	return IS_ERR(o->file) ? ERR_CAST(o->file) : file_bdev(o->file);
}

static void close_disk(struct opened *o)
{
	bdev_fput(o->file);
}

#else

struct opened {
	struct block_device *bdev;
};

static struct block_device *open_disk(const char *path, struct opened *o)
{
	o->bdev = blkdev_get_by_path(path, FMODE_READ, NULL);
	return o->bdev;
}

static void close_disk(struct opened *o)
{
	blkdev_put(o->bdev, FMODE_READ);
}

#endif

static struct opened watched;
static struct block_device *watched_bdev;

static struct block_device *open_by_name(const char *name, struct opened *o)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/%s", name);
	return open_disk(path, o);
}

int bdev_timeout(const char *name, unsigned int ms)
{
	struct block_device *bdev;
	struct opened o;

	bdev = open_by_name(name, &o);
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	blk_queue_rq_timeout(bdev_get_queue(bdev), msecs_to_jiffies(ms));
	close_disk(&o);
	return 0;
}

/* As a transport does whose link has gone; SCSI need not be loaded before. */
int bdev_block(const char *name)
{
	int (*block)(struct scsi_device *sdev);
	struct block_device *bdev;
	struct opened o;
	void *sdev;
	int err;

	bdev = open_by_name(name, &o);
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	sdev = bdev_get_queue(bdev)->queuedata;
	close_disk(&o);
	block = symbol_get(scsi_internal_device_block_nowait);
	if (!block)
		return -ENOENT;
	err = block(sdev);
	symbol_put(scsi_internal_device_block_nowait);
	return err;
}

int bdev_watch(const char *name)
{
	struct block_device *bdev;

	bdev_unwatch();
	bdev = open_by_name(name, &watched);
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	WRITE_ONCE(watched_bdev, bdev);
	return 0;
}

void bdev_unwatch(void)
{
	if (!watched_bdev)
		return;
	WRITE_ONCE(watched_bdev, NULL);
	close_disk(&watched);
}

bool bdev_is_idle(void)
{
	struct block_device *bdev = READ_ONCE(watched_bdev);
	long requests = 0;
	unsigned int cpu;

	if (!bdev)
		return false;
	for_each_possible_cpu(cpu)
		requests += part_stat_local_read_cpu(bdev, in_flight[READ], cpu) +
			    part_stat_local_read_cpu(bdev, in_flight[WRITE], cpu);
	return requests <= 0;
}
