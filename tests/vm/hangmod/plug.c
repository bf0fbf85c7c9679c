// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plug.c - a thread that keeps reads of hang0 back in its plug
 *
 * It runs all the time, for who goes to sleep has the plug emptied: until it is
 * told to sleep all the same, when that has been left out. The sectors are
 * far from each other, so that no two reads become one request.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "hangmod.h"

#define READS_MAX 8
#define DISTANCE 1024

static struct task_struct *task;
static unsigned int reads;
static bool stop_holding, sleep_holding;

static void read_ended(struct bio *bio)
{
	__free_page(bio_first_page_all(bio));
	bio_put(bio);
}

static void submit_read(unsigned int n)
{
	struct page *page = alloc_page(GFP_KERNEL);
	struct bio *bio;

	if (!page)
		return;
	bio = bio_alloc(disk_bdev(), 1, REQ_OP_READ, GFP_KERNEL);
	bio->bi_iter.bi_sector = n * DISTANCE;
	bio->bi_end_io = read_ended;
	__bio_add_page(bio, page, PAGE_SIZE, 0);
	submit_bio(bio);
}

static int plug_thread(void *unused)
{
	struct blk_plug plug;
	unsigned int n;

	blk_start_plug(&plug);
	for (n = 0; n < reads; n++)
		submit_read(n);
	while (!READ_ONCE(stop_holding) && !kthread_should_stop()) {
		cpu_relax();
		if (READ_ONCE(sleep_holding))
			schedule_timeout_uninterruptible(HZ * 1000);
		cond_resched();
	}
	blk_finish_plug(&plug);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

int plug_start(unsigned int cpu, unsigned int count)
{
	struct task_struct *p;

	if (task)
		return -EBUSY;
	if (!count || count > READS_MAX)
		return -EINVAL;
	reads = count;
	p = kthread_create_on_cpu(plug_thread, NULL, cpu, "hangplug/%u");
	if (IS_ERR(p))
		return PTR_ERR(p);
	task = p;
	wake_up_process(p);
	return 0;
}

int plug_sleep(void)
{
	WRITE_ONCE(sleep_holding, true);
	return 0;
}

void plug_show(struct seq_file *m)
{
	unsigned int n;

	seq_printf(m, " plug=%d", task ? task->pid : 0);
	for (n = 0; task && n < reads; n++)
		seq_printf(m, ",%u", n * DISTANCE);
}

void plug_undo(void)
{
	WRITE_ONCE(stop_holding, true);
	if (task)
		wake_up_process(task);
}

void plug_exit(void)
{
	plug_undo();
	if (task)
		kthread_stop(task);
}
