// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disk.c - hang0, a disk without data that may never end its requests
 *
 * Modes: "now" completes while submitting, "timer" from a pinned timer, in
 * hard interrupt on the submitting CPU, "never" keeps requests until one
 * of these two.
 * Three send them back to where they wait for a driver: "requeue" to the
 * requeue list, which nobody kicks, "busy" to the dispatch list, and "stop"
 * stops the hardware queues, so that they stay on the software queues. "one"
 * keeps the next request, and is "busy" from then on. "lose" takes requests and
 * forgets them before it has started them. Two are no modes: "kick"
 * kicks the requeue list, "start" starts hardware queues that are stopped.
 * No partition scan: in mode never it would hang the load of the module.
 */
#include <linux/blk-mq.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/version.h>

#include "hangmod.h"

#define TIMER_NS (200 * NSEC_PER_MSEC)
#define SECTORS (64 << (20 - SECTOR_SHIFT))

static unsigned int queues = 1;
module_param(queues, uint, 0444);
MODULE_PARM_DESC(queues, "hardware queues of hang0");

struct hang_cmd {
	struct hrtimer timer;
	bool kept;
};

enum mode {
	MODE_NOW,
	MODE_NEVER,
	MODE_TIMER,
	MODE_REQUEUE,
	MODE_BUSY,
	MODE_STOP,
	MODE_ONE,
	MODE_LOSE,
};

static const char *const mode_names[] = {
	"now", "never", "timer", "requeue", "busy", "stop", "one",
	"lose",
};
static enum mode mode;
static atomic_t requests;

static struct blk_mq_tag_set set;
static struct gendisk *disk;

static enum hrtimer_restart timer_fired(struct hrtimer *timer)
{
	struct hang_cmd *cmd = container_of(timer, struct hang_cmd, timer);

	blk_mq_complete_request(blk_mq_rq_from_pdu(cmd));
	return HRTIMER_NORESTART;
}

static int init_request(struct blk_mq_tag_set *s, struct request *rq,
			unsigned int hctx_idx, unsigned int node)
{
	struct hang_cmd *cmd = blk_mq_rq_to_pdu(rq);

	hrtimer_init(&cmd->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	cmd->timer.function = timer_fired;
	return 0;
}

static blk_status_t queue_rq(struct blk_mq_hw_ctx *hctx,
			     const struct blk_mq_queue_data *bd)
{
	struct hang_cmd *cmd = blk_mq_rq_to_pdu(bd->rq);
	enum mode m = READ_ONCE(mode);

	if (m == MODE_BUSY)
		return BLK_STS_DEV_RESOURCE;
	if (m == MODE_LOSE)
		return BLK_STS_OK;
	if (m == MODE_ONE)
		WRITE_ONCE(mode, MODE_BUSY);
	cmd->kept = m == MODE_NEVER || m == MODE_ONE;
	blk_mq_start_request(bd->rq);
	atomic_inc(&requests);
	if (m == MODE_NOW)
		blk_mq_complete_request(bd->rq);
	else if (m == MODE_TIMER)
		hrtimer_start(&cmd->timer, ns_to_ktime(TIMER_NS),
			      HRTIMER_MODE_REL_PINNED_HARD);
	else if (m == MODE_REQUEUE)
		blk_mq_requeue_request(bd->rq, false);
	return BLK_STS_OK;
}

static void complete_rq(struct request *rq)
{
	blk_mq_end_request(rq, BLK_STS_OK);
}

static const struct blk_mq_ops hang_ops = {
	.queue_rq = queue_rq,
	.complete = complete_rq,
	.init_request = init_request,
};

static const struct block_device_operations disk_fops = {
	.owner = THIS_MODULE,
};

static struct gendisk *alloc_disk(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	return blk_mq_alloc_disk(&set, NULL, NULL);
#else
	return blk_mq_alloc_disk(&set, NULL);
#endif
}

static int add_hang_disk(void)
{
	disk = alloc_disk();
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	strscpy(disk->disk_name, "hang0", sizeof(disk->disk_name));
	disk->fops = &disk_fops;
	disk->flags |= GENHD_FL_NO_PART;
	set_capacity(disk, SECTORS);
	return add_disk(disk);
}

int disk_init(void)
{
	int err;

	set.ops = &hang_ops;
	set.nr_hw_queues = queues;
	set.queue_depth = 64;
	set.numa_node = NUMA_NO_NODE;
	set.cmd_size = sizeof(struct hang_cmd);
	set.flags = BLK_MQ_F_SHOULD_MERGE;
	err = blk_mq_alloc_tag_set(&set);
	if (err)
		return err;
	err = add_hang_disk();
	if (!err)
		return 0;
	if (!IS_ERR(disk))
		put_disk(disk);
	blk_mq_free_tag_set(&set);
	return err;
}

static bool end_kept(struct request *rq, void *unused)
{
	struct hang_cmd *cmd = blk_mq_rq_to_pdu(rq);

	if (cmd->kept && blk_mq_request_started(rq)) {
		cmd->kept = false;
		blk_mq_complete_request(rq);
	}
	return true;
}

static void let_go(struct request_queue *q)
{
	blk_mq_start_stopped_hw_queues(q, true);
	blk_mq_kick_requeue_list(q);
	blk_mq_run_hw_queues(q, true);
}

struct device *disk_device(void)
{
	return disk_to_dev(disk);
}

struct request_queue *disk_queue(void)
{
	return disk->queue;
}

struct blk_mq_tags *disk_tags(void)
{
	return set.tags[0];
}

static int set_mode(const char *name)
{
	int m = match_string(mode_names, ARRAY_SIZE(mode_names), name);

	if (m < 0)
		return m;
	WRITE_ONCE(mode, m);
	if (m == MODE_STOP)
		blk_mq_stop_hw_queues(disk->queue);
	else if (m == MODE_NOW)
		let_go(disk->queue);
	if (m == MODE_NOW || m == MODE_TIMER)
		blk_mq_tagset_busy_iter(&set, end_kept, NULL);
	return 0;
}

int disk_mode(const char *name)
{
	if (!strcmp(name, "kick"))
		blk_mq_kick_requeue_list(disk->queue);
	else if (!strcmp(name, "start"))
		blk_mq_start_stopped_hw_queues(disk->queue, true);
	else
		return set_mode(name);
	return 0;
}

void disk_undo(void)
{
	disk_mode("now");
}

struct block_device *disk_bdev(void)
{
	return disk->part0;
}

void disk_show(struct seq_file *m)
{
	seq_printf(m, " hang0=%s requests=%d", mode_names[mode],
		   atomic_read(&requests));
}

void disk_exit(void)
{
	disk_undo();
	del_gendisk(disk);
	put_disk(disk);
	blk_mq_free_tag_set(&set);
}
