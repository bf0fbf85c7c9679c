// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plant.c - states of hang0's queue that somebody set and then left
 *
 * Each does what a driver or the block layer does on its way through a reset, a
 * change of depth or a suspend, and leaves out the step that undoes it.
 */
#include <linux/blk-mq.h>
#include <linux/blk-pm.h>
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
	struct sbitmap_queue *sbq = disk_tags();
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
