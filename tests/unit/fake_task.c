// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's tasks, as far as they are on the list of all: their
 * threads, their plugs, and the ways in which they wait for a request.
 */
#include "fake.h"

/* Times of the scheduler's clock, and by how much clock_task lags behind. */
#define RUN_CLOCK (4000 * SEC)
#define TASK_LAG (300 * SEC)

static const char *const end_ios[] = {
	"submit_bio_wait_endio", "bio_wait_end_io", "blkdev_bio_end_io_simple",
	"blkdev_bio_end_io", "iomap_dio_bio_end_io", "dio_bio_end_io",
	"bio_chain_endio", "blk_end_sync_rq", "end_bio_bh_io_sync",
	"blkdev_bio_end_io_async",
};

void fake_tasks_init(struct fake *f)
{
	u64 init = fake_symbol(f, "init_task", NULL,
			       fake_sizeof(f, "task_struct"));
	u32 i;

	fake_list_init(f, init + fake_offset(f, "task_struct.tasks"));
	fake_symbol(f, "worker_thread", NULL, 64);
	fake_symbol(f, "rescuer_thread", NULL, 64);
	for (i = 0; i < HANG_ARRAY_SIZE(end_ios); i++)
		fake_symbol(f, end_ios[i], NULL, 64);
}

u64 fake_process(struct fake *f, const char *comm, u32 pid)
{
	u64 task = fake_task(f, comm, pid);
	u64 signal = fake_new_of(f, "signal_struct");
	u64 head = signal + fake_offset(f, "signal_struct.thread_head");

	fake_set(f, task, "task_struct.signal", signal);
	fake_list_init(f, head);
	fake_list_init(f, task + fake_offset(f, "task_struct.thread_group"));
	fake_list_add_tail(f, head,
			   task + fake_offset(f, "task_struct.thread_node"));
	fake_list_add_tail(f, fake_symbol_addr(f, "init_task") +
			   fake_offset(f, "task_struct.tasks"),
			   task + fake_offset(f, "task_struct.tasks"));
	return task;
}

u64 fake_thread(struct fake *f, u64 process, const char *comm, u32 pid)
{
	u64 task = fake_task(f, comm, pid);
	u64 signal = fake_field(f, process, "task_struct.signal");

	fake_set(f, task, "task_struct.signal", signal);
	fake_list_add_tail(f, signal +
			   fake_offset(f, "signal_struct.thread_head"),
			   task + fake_offset(f, "task_struct.thread_node"));
	fake_list_add_tail(f, process +
			   fake_offset(f, "task_struct.thread_group"),
			   task + fake_offset(f, "task_struct.thread_group"));
	return task;
}

void fake_sleep(struct fake *f, u64 task, u32 state, u32 cpu, u64 ns)
{
	u64 put = RUN_CLOCK - ns;
	u32 i;

	fake_set(f, task, "task_struct.__state", state);
	fake_set(f, task, "task_struct.on_cpu", 0);
	fake_set(f, task, "task_struct.thread_info.cpu", cpu);
	fake_set(f, task, "task_struct.se.exec_start", put - TASK_LAG);
	/* It began to run a while before. */
	fake_set(f, task, "task_struct.sched_info.last_arrival",
		 put - 100 * MS);
	/* Its own CPU has idled since the middle of its sleep. */
	for (i = 0; i < f->nr_cpus; i++) {
		u64 runq = fake_percpu(f, "runqueues", i);
		u64 clock = RUN_CLOCK - (i == cpu ? ns / 2 : 0);

		fake_set(f, runq, "rq.clock", clock);
		fake_set(f, runq, "rq.clock_task", clock - TASK_LAG);
	}
}

void fake_task_runs(struct fake *f, u64 task, u32 cpu)
{
	fake_set(f, task, "task_struct.__state", 0);
	fake_set(f, task, "task_struct.on_cpu", 1);
	fake_set(f, task, "task_struct.thread_info.cpu", cpu);
}

u64 fake_worker(struct fake *f, const char *comm, u32 pid, u64 item)
{
	u64 task = fake_process(f, comm, pid);
	u64 kthread = fake_new_of(f, "kthread");
	u64 worker = fake_new_of(f, "worker");

	fake_set(f, task, "task_struct.worker_private", kthread);
	fake_set(f, kthread, "kthread.threadfn",
		 fake_symbol_addr(f, "worker_thread"));
	fake_set(f, kthread, "kthread.data", worker);
	fake_set(f, worker, "worker.current_work", item);
	return task;
}

static bool has(struct fake *f, const char *spec)
{
	return !fake_member(f, spec)->gone;
}

u64 fake_plug(struct fake *f, u64 task)
{
	u64 plug = fake_new_of(f, "blk_plug");

	fake_set(f, task, "task_struct.plug", plug);
	if (has(f, "blk_plug.mq_list.prev"))
		fake_list_init(f, plug + fake_offset(f, "blk_plug.mq_list"));
	return plug;
}

static void chain_add(struct fake *f, u64 first, u64 rq)
{
	fake_set(f, rq, "request.rq_next", fake_get(f, first, f->t.word));
	fake_put_ptr(f, first, rq);
}

void fake_plug_add(struct fake *f, u64 plug, u64 rq)
{
	u64 list = plug + fake_offset(f, "blk_plug.mq_list");

	fake_set(f, plug, "blk_plug.rq_count",
		 fake_field(f, plug, "blk_plug.rq_count") + 1);
	if (has(f, "blk_plug.mq_list.prev"))
		fake_list_add_tail(f, list,
				   rq + fake_offset(f, "request.queuelist"));
	else
		chain_add(f, list, rq);
}

void fake_plug_cache(struct fake *f, u64 plug, u64 rq)
{
	chain_add(f, plug + fake_offset(f, has(f, "blk_plug.cached_rqs.head") ?
					"blk_plug.cached_rqs.head" :
					"blk_plug.cached_rq"), rq);
}

u64 fake_completion(struct fake *f)
{
	u64 completion = fake_new_of(f, "completion");

	fake_list_init(f, completion +
		       fake_offset(f, "completion.wait.task_list"));
	return completion;
}

void fake_wait_for(struct fake *f, u64 completion, u64 task)
{
	u64 entry = fake_new_of(f, "swait_queue");

	fake_set(f, entry, "swait_queue.task", task);
	fake_list_add_tail(f, completion +
			   fake_offset(f, "completion.wait.task_list"),
			   entry + fake_offset(f, "swait_queue.task_list"));
}

u64 fake_bio(struct fake *f, u64 rq, const char *end_io, u64 private)
{
	u64 bio = fake_new_of(f, "bio");
	u64 last = rq ? fake_field(f, rq, "request.bio") : 0;

	fake_set(f, bio, "bio.bi_end_io", fake_symbol_addr(f, end_io));
	fake_set(f, bio, "bio.bi_private", private);
	if (rq && !last)
		fake_set(f, rq, "request.bio", bio);
	while (last && fake_field(f, last, "bio.bi_next"))
		last = fake_field(f, last, "bio.bi_next");
	if (last)
		fake_set(f, last, "bio.bi_next", bio);
	return bio;
}
