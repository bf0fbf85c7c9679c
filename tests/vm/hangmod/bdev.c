// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeout.c - set the request timeout of any disk
 *
 * The kernel offers queue/io_timeout only where the driver has a timeout
 * handler, and virtio-blk has none. A short one makes a request count as too
 * old after seconds, so that a test need not wait for half a minute.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/jiffies.h>
#include <linux/version.h>

#include "hangmod.h"

static void set_timeout(struct block_device *bdev, unsigned int ms)
{
	blk_queue_rq_timeout(bdev_get_queue(bdev), msecs_to_jiffies(ms));
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)

int timeout_set(const char *name, unsigned int ms)
{
	char path[32];
	struct file *file;

	snprintf(path, sizeof(path), "/dev/%s", name);
	file = bdev_file_open_by_path(path, BLK_OPEN_READ, NULL, NULL);
	if (IS_ERR(file))
		return PTR_ERR(file);
	set_timeout(file_bdev(file), ms);
	bdev_fput(file);
	return 0;
}

#else

int timeout_set(const char *name, unsigned int ms)
{
	struct block_device *bdev;
	char path[32];

	snprintf(path, sizeof(path), "/dev/%s", name);
	bdev = blkdev_get_by_path(path, FMODE_READ, NULL);
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	set_timeout(bdev, ms);
	blkdev_put(bdev, FMODE_READ);
	return 0;
}

#endif
