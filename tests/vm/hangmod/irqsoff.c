// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * irqsoff.c - a CPU that spins with interrupts off
 *
 * The thread is made and bound when it is armed, since creating one after
 * the fault could wait for the very CPU. It is of real-time priority, so that
 * a CPU full of busy tasks runs it at once.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "hangmod.h"

struct spinner {
	struct task_struct *task;
	bool start;
	u64 length_ns;	/* 0: for ever */
};

static DEFINE_PER_CPU(struct spinner, spinners);
static DECLARE_WAIT_QUEUE_HEAD(wait);
static bool stop_spinning;

/* The fast clock takes no lock, so it goes on even if timekeeping stops. */
static void spin(u64 length_ns)
{
	unsigned long flags;
	u64 start;

	local_irq_save(flags);
	/* With none on its way, no request would ever come here to wait. */
	while (bdev_is_idle() && !READ_ONCE(stop_spinning)) {
		local_irq_restore(flags);
		usleep_range(200, 400);
		local_irq_save(flags);
	}
	start = ktime_get_mono_fast_ns();
	while (!READ_ONCE(stop_spinning)) {
		if (length_ns && ktime_get_mono_fast_ns() - start > length_ns)
			break;
		cpu_relax();
	}
	local_irq_restore(flags);
}

static int spinner_thread(void *data)
{
	struct spinner *s = data;

	while (!kthread_should_stop()) {
		wait_event_interruptible(wait, READ_ONCE(s->start) ||
					 kthread_should_stop());
		if (READ_ONCE(s->start))
			spin(s->length_ns);
		WRITE_ONCE(s->start, false);
	}
	return 0;
}

int irqsoff_arm(unsigned int cpu)
{
	struct spinner *s = per_cpu_ptr(&spinners, cpu);
	struct task_struct *task;

	if (s->task)
		return 0;
	task = kthread_create_on_cpu(spinner_thread, s, cpu, "hangmod/%u");
	if (IS_ERR(task))
		return PTR_ERR(task);
	sched_set_fifo(task);
	s->task = task;
	wake_up_process(task);
	return 0;
}

int irqsoff_start(unsigned int cpu, unsigned int seconds)
{
	struct spinner *s = per_cpu_ptr(&spinners, cpu);

	if (!s->task)
		return -ENOENT;
	WRITE_ONCE(stop_spinning, false);
	s->length_ns = (u64)seconds * NSEC_PER_SEC;
	WRITE_ONCE(s->start, true);
	wake_up(&wait);
	return 0;
}

void irqsoff_undo(void)
{
	WRITE_ONCE(stop_spinning, true);
}

void irqsoff_exit(void)
{
	unsigned int cpu;

	irqsoff_undo();
	for_each_possible_cpu(cpu)
		if (per_cpu(spinners, cpu).task)
			kthread_stop(per_cpu(spinners, cpu).task);
}
