// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plant.c - states of hang0's queue that somebody set and then left
 *
 * Each does what a driver or the block layer does on its way through a reset, a
 * change of depth or a suspend, and leaves out the step that undoes it.
 */
#include <linux/blk-mq.h>
#include <linux/blk-pm.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sbitmap.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "hangmod.h"

static struct task_struct *waiter;
static bool let_go;

static void quiesce(void)
{
	blk_mq_quiesce_queue(disk_queue());
}

static void unquiesce(void)
{
	blk_mq_unquiesce_queue(disk_queue());
}

static void freeze(void)
{
	blk_freeze_queue_start(disk_queue());
}

static void thaw(void)
{
	blk_mq_unfreeze_queue(disk_queue());
}

/* Without a device, nobody is made to wait for one. */
static void close(void)
{
	blk_pm_runtime_init(disk_queue(), disk_device());
	blk_set_pm_only(disk_queue());
}

static void open(void)
{
	blk_clear_pm_only(disk_queue());
}

/* Waits for a tag as blk_mq_get_tag() does, though there are free ones. */
static int wait_for_tag(void *unused)
{
	struct sbitmap_queue *sbq = &disk_tags()->bitmap_tags;
	DEFINE_SBQ_WAIT(wait);

	sbitmap_prepare_to_wait(sbq, &sbq->ws[3], &wait, TASK_UNINTERRUPTIBLE);
	while (!READ_ONCE(let_go)) {
		schedule();
		set_current_state(TASK_UNINTERRUPTIBLE);
	}
	sbitmap_finish_wait(sbq, &sbq->ws[3], &wait);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

static void start_waiter(void)
{
	let_go = false;
	waiter = kthread_run(wait_for_tag, NULL, "hangmod/tag");
}

static void stop_waiter(void)
{
	WRITE_ONCE(let_go, true);
	if (IS_ERR_OR_NULL(waiter))
		return;
	wake_up_process(waiter);
	kthread_stop(waiter);
	waiter = NULL;
}

/* Takes all tags for requests that are never submitted. */
static struct request *taken[64];

static void take_tags(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(taken); i++) {
		taken[i] = blk_mq_alloc_request(disk_queue(), REQ_OP_DRV_IN,
						BLK_MQ_REQ_NOWAIT);
		if (IS_ERR(taken[i]))
			break;
	}
}

static void give_tags(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(taken) && !IS_ERR_OR_NULL(taken[i]); i++)
		blk_mq_free_request(taken[i]);
}

/* As if sixteen queues shared the tags, and a batch had been left as it was. */
#define USERS 16
#define BATCH 8

static u32 old_batch;

static void share(void)
{
	old_batch = disk_tags()->bitmap_tags.wake_batch;
	disk_tags()->bitmap_tags.wake_batch = BATCH;
	memset(&disk_tags()->active_queues, 0,
	       sizeof(disk_tags()->active_queues));
	*(int *)&disk_tags()->active_queues = USERS;
	start_waiter();
}

static void unshare(void)
{
	disk_tags()->bitmap_tags.wake_batch = old_batch;
	*(int *)&disk_tags()->active_queues = 0;
	stop_waiter();
}

/* A user that has left and was not counted out, and a freeze. */
static void leak(void)
{
	percpu_ref_get(&disk_queue()->q_usage_counter);
	freeze();
}

static void unleak(void)
{
	percpu_ref_put(&disk_queue()->q_usage_counter);
	thaw();
}

static void kill_ref(void)
{
	percpu_ref_kill(&disk_queue()->q_usage_counter);
}

static void revive_ref(void)
{
	percpu_ref_resurrect(&disk_queue()->q_usage_counter);
}

static void suspend(void)
{
	close();
	disk_queue()->rpm_status = RPM_SUSPENDED;
}

static void resume(void)
{
	disk_queue()->rpm_status = RPM_ACTIVE;
	open();
}

/* What times requests out; it is set again for the next one. */
static void stop_timer(void)
{
	del_timer_sync(&disk_queue()->timeout);
}

static void start_timer(void)
{
	mod_timer(&disk_queue()->timeout, jiffies + HZ);
}

static void for_hctxs(void (*fn)(long nr, volatile unsigned long *addr))
{
	struct blk_mq_hw_ctx *hctx;
	unsigned long i;

	queue_for_each_hw_ctx(disk_queue(), hctx, i)
		fn(BLK_MQ_S_INACTIVE, &hctx->state);
}

static void set_state(long nr, volatile unsigned long *addr)
{
	set_bit(nr, addr);
}

static void clear_state(long nr, volatile unsigned long *addr)
{
	clear_bit(nr, addr);
}

static void deactivate(void)
{
	for_hctxs(set_state);
}

static void activate(void)
{
	for_hctxs(clear_state);
}

/* A task that waits for something that has nothing to do with disks. */
static DECLARE_COMPLETION(never);

static int sleep(void *unused)
{
	wait_for_completion(&never);
	return 0;
}

static void fall_asleep(void)
{
	kthread_run(sleep, NULL, "hangmod/sleep");
}

static void wake(void)
{
	complete(&never);
}

static struct plant {
	const char *name;
	void (*set)(void);
	void (*undo)(void);
	bool is_set;
} plants[] = {
	{ "quiesce", quiesce, unquiesce },
	{ "freeze", freeze, thaw },
	{ "pmonly", close, open },
	{ "tagwait", start_waiter, stop_waiter },
	{ "tags", take_tags, give_tags },
	{ "share", share, unshare },
	{ "leak", leak, unleak },
	{ "refdead", kill_ref, revive_ref },
	{ "suspend", suspend, resume },
	{ "notimer", stop_timer, start_timer },
	{ "inactive", deactivate, activate },
	{ "sleep", fall_asleep, wake },
};

int plant(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(plants); i++) {
		if (strcmp(name, plants[i].name))
			continue;
		if (!plants[i].is_set)
			plants[i].set();
		plants[i].is_set = true;
		return 0;
	}
	return -EINVAL;
}

void plant_undo(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(plants); i++) {
		if (plants[i].is_set)
			plants[i].undo();
		plants[i].is_set = false;
	}
}
