// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's wait queues: those of its bitmaps, of its queues, and of
 * what throttles them.
 */
#include "fake.h"

#define WAIT_QUEUES 8
#define CLOCK (777 * SEC)
#define STOLEN (5 * SEC) /* by which clock_task lags on CPU 1 and above */

void fake_wake_functions(struct fake *f)
{
	u32 size = fake_sizeof(f, "wait_queue_entry");

	/* What has one of them within has room for it. */
	assert(size <= fake_member(f, "blk_mq_hw_ctx.dispatch_wait")->size);
	assert(size <= fake_member(f, "rq_qos_wait_data.wq")->size);
	assert(fake_sizeof(f, "rq_qos") <= fake_member(f, "rq_wb.rqos")->size);
	fake_symbol(f, "default_wake_function", NULL, 32);
	fake_symbol(f, "autoremove_wake_function", NULL, 32);
	fake_symbol(f, "woken_wake_function", NULL, 32);
	fake_symbol(f, "rq_qos_wake_function", NULL, 32);
	fake_symbol(f, "iocg_wake_fn", NULL, 32);
	fake_symbol(f, "blk_mq_dispatch_wake", NULL, 32);
	fake_symbol(f, "percpu_rwsem_wake_function", NULL, 32);
	fake_list_init(f, fake_symbol(f, "super_blocks", NULL, 16));
	fake_symbol(f, "strange_wake", "fake_blk", 32);
	fake_set(f, fake_symbol(f, "blkcg_policy_iocost", NULL, 128),
		 "blkcg_policy.plid", 3);
	fake_set(f, fake_symbol(f, "blkcg_policy_iolatency", NULL, 128),
		 "blkcg_policy.plid", 1);
}

void fake_ws_init(struct fake *f, u64 sbq)
{
	u64 size = fake_sizeof(f, "sbq_wait_state");
	u64 ws = fake_alloc(f, WAIT_QUEUES * size);
	u32 i;

	fake_set(f, sbq, "sbitmap_queue.ws", ws);
	fake_set(f, sbq, "sbitmap_queue.wake_batch", 6);
	fake_set(f, sbq, "sbitmap_queue.min_shallow_depth", 0xffffffff);
	for (i = 0; i < WAIT_QUEUES; i++)
		fake_list_init(f, ws + i * size +
			       fake_offset(f, "sbq_wait_state.wait.head"));
}

void fake_queue_waits_init(struct fake *f, u64 q)
{
	fake_list_init(f, q + fake_offset(f, "request_queue.mq_freeze_wq.head"));
	fake_list_init(f, q + fake_offset(f, "request_queue.blkg_list"));
}

u64 fake_sbq(struct fake *f, struct fake_tags *tags, bool reserved)
{
	return (reserved ? tags->rsb : tags->sb) -
	       fake_offset(f, "sbitmap_queue.sb");
}

u64 fake_ws(struct fake *f, struct fake_tags *tags, bool reserved, u32 i)
{
	u64 sbq = fake_sbq(f, tags, reserved);

	return fake_field(f, sbq, "sbitmap_queue.ws") +
	       i * fake_sizeof(f, "sbq_wait_state") +
	       fake_offset(f, "sbq_wait_state.wait.head");
}

u64 fake_freeze_wq(struct fake *f, struct fake_disk *d)
{
	return d->q + fake_offset(f, "request_queue.mq_freeze_wq.head");
}

u64 fake_sleeper(struct fake *f, const char *comm, u32 pid, u32 cpu, u64 slept)
{
	u64 task = fake_task(f, comm, pid);
	u64 stolen = cpu ? STOLEN : 0;
	u32 i;

	for (i = 0; i < f->nr_cpus; i++) {
		u64 runq = fake_percpu(f, "runqueues", i);

		fake_set(f, runq, "rq.clock", i ? CLOCK - i * SEC : CLOCK);
		fake_set(f, runq, "rq.clock_task", i ? CLOCK - i * SEC - STOLEN
						     : CLOCK);
	}
	fake_set(f, task, "task_struct.__state", 2);
	fake_set(f, task, "task_struct.thread_info.cpu", cpu);
	fake_set(f, task, "task_struct.se.exec_start", CLOCK - slept - stolen);
	return task;
}

u64 fake_wait(struct fake *f, u64 head, const char *func, u64 private)
{
	u64 entry = fake_new_of(f, "wait_queue_entry");

	fake_set(f, entry, "wait_queue_entry.private", private);
	fake_set(f, entry, "wait_queue_entry.func",
		 func ? fake_symbol_addr(f, func) : 0);
	fake_list_add_tail(f, head,
			   entry + fake_offset(f, "wait_queue_entry.entry"));
	return entry;
}

u64 fake_rq_wait(struct fake *f, u64 wb, u32 i)
{
	return wb + fake_offset(f, "rq_wb.rq_wait") +
	       i * fake_sizeof(f, "rq_wait");
}

u64 fake_wbt(struct fake *f, struct fake_disk *d)
{
	u64 wb = fake_new_of(f, "rq_wb");
	u64 qos = wb + fake_offset(f, "rq_wb.rqos");
	u32 i;

	fake_set(f, qos, "rq_qos.id", 2);
	fake_set(f, qos, "rq_qos.next",
		 fake_field(f, d->q, "request_queue.rq_qos"));
	fake_set(f, d->q, "request_queue.rq_qos", qos);
	fake_set(f, wb, "rq_wb.wb_normal", 8);
	fake_set(f, wb, "rq_wb.wb_background", 4);
	for (i = 0; i < 3; i++)
		fake_list_init(f, fake_rq_wait(f, wb, i) +
			       fake_offset(f, "rq_wait.wait.head"));
	return wb;
}

void fake_qos(struct fake *f, struct fake_disk *d, u32 id)
{
	u64 qos = fake_new_of(f, "rq_qos");

	fake_set(f, qos, "rq_qos.id", id);
	fake_set(f, qos, "rq_qos.next",
		 fake_field(f, d->q, "request_queue.rq_qos"));
	fake_set(f, d->q, "request_queue.rq_qos", qos);
}

u64 fake_group(struct fake *f, struct fake_disk *d, u64 cgroup, u64 *cost,
	       u64 *latency)
{
	u64 blkg = fake_new_of(f, "blkcg_gq");
	u64 blkcg = fake_new_of(f, "blkcg");
	u64 cgrp = fake_new_of(f, "cgroup");
	u64 kn = fake_new_of(f, "kernfs_node");
	u64 pd = blkg + fake_offset(f, "blkcg_gq.pd");

	*cost = fake_new_of(f, "ioc_gq");
	*latency = fake_new_of(f, "iolatency_grp");
	fake_list_init(f, *cost + fake_offset(f, "ioc_gq.waitq.head"));
	fake_list_init(f, *latency + fake_offset(f, "iolatency_grp.rq_wait") +
		       fake_offset(f, "rq_wait.wait.head"));
	fake_put_ptr(f, pd + 3 * f->t.word,
		     *cost + fake_offset(f, "ioc_gq.pd"));
	fake_put_ptr(f, pd + 1 * f->t.word,
		     *latency + fake_offset(f, "iolatency_grp.pd"));
	fake_set(f, kn, "kernfs_node.id", cgroup);
	fake_set(f, cgrp, "cgroup.kn", kn);
	fake_set(f, blkcg, "blkcg.css.cgroup", cgrp);
	fake_set(f, blkg, "blkcg_gq.blkcg", blkcg);
	fake_list_add_tail(f, d->q + fake_offset(f, "request_queue.blkg_list"),
			   blkg + fake_offset(f, "blkcg_gq.q_node"));
	return blkg;
}
