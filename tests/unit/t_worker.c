// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work items: idle, queued, and such that a worker is at, which must not be
 * taken for one that nobody will run; and tasks that sleep for whatever reason.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static u64 timeout_work(void)
{
	return d.q + fake_offset(f, "request_queue.timeout_work.data");
}

static u64 run_work(void)
{
	return d.hctx[0] + fake_offset(f, "blk_mq_hw_ctx.run_work.work.data");
}

static void make(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .depth = 8);
}

static const char *timeouts(void)
{
	fake_look(f);
	return rec_str(f, queue, 0, timeout_work);
}

static void test_states(void)
{
	make();
	is_str(timeouts(), "idle", "nobody is at it");
	fake_worker(f, "kworker/0:1H", 31, run_work());
	is_str(timeouts(), "idle", "a worker is at another");
	is_str(rec_str(f, hctx, 0, run_work), "running", "at this one");
	fake_worker(f, "kworker/1:1H", 32, timeout_work());
	is_str(timeouts(), "running", "at both");
	fake_set(f, d.q, "request_queue.timeout_work.data", FAKE_WORK_PENDING);
	is_str(timeouts(), "pending", "queued again meanwhile");
	is_u64(fake_count(f, R_fault), 0, "no fault");
	fake_free(f);
}

/* What stands where a kernel thread has its struct kthread. */
static void test_strangers(void)
{
	u64 task, kthread;

	make();
	task = fake_worker(f, "io_worker", 33, timeout_work());
	kthread = fake_field(f, task, "task_struct.worker_private");
	fake_set(f, kthread, "kthread.threadfn",
		 fake_symbol_addr(f, "submit_bio_wait_endio"));
	is_str(timeouts(), "idle", "no worker, though it looks like one");
	fake_set(f, kthread, "kthread.threadfn",
		 fake_symbol_addr(f, "rescuer_thread"));
	is_str(timeouts(), "running", "a rescuer is one");
	fake_set(f, task, "task_struct.worker_private", 0x7f0012345678);
	is_str(timeouts(), "idle", "an address of user space");
	fake_set(f, task, "task_struct.worker_private",
		 fake_nowhere(f, -EFAULT));
	is_str(timeouts(), "idle", "one that can't be read");
	is_u64(fake_count(f, R_fault), 0, "none of these is a fault");
	fake_free(f);
}

static void test_absent(void)
{
	static const char *const facts[] = {
		"task_struct.worker_private", "kthread.threadfn",
		"kthread.data", "worker.current_work", "worker_thread",
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(facts); i++) {
		make();
		fake_worker(f, "kworker/0:1H", 31, timeout_work());
		fake_drop(f, facts[i]);
		is_str(timeouts(), "idle", "without %s", facts[i]);
		is_u64(fake_count(f, R_fault), 0, "%s: no fault", facts[i]);
		fake_free(f);
	}
}

static void asleep(u32 state)
{
	u64 task;

	make();
	task = fake_process(f, "writer", 77);
	fake_sleep(f, task, state, 1, 40 * SEC);
	fake_look(f);
}

static void test_asleep(void)
{
	asleep(2);
	is_u64(fake_count(f, R_asleep), 1, "one sleeps");
	is_u64(rec_u64(f, asleep, 0, pid), 77, "which");
	is_u64(rec_u64(f, asleep, 0, slept), 40 * SEC, "for how long");
	is_str(rec_str(f, asleep, 0, state), "D", "how");
	is_str(rec_str(f, asleep, 0, comm), "writer", "its name");
	fake_free(f);
	asleep(1);
	is_u64(fake_count(f, R_asleep), 0, "one that signals wake");
	fake_free(f);
	asleep(0x102);
	is_u64(fake_count(f, R_asleep), 0, "one that can be killed");
	fake_free(f);
	asleep(0x402);
	is_u64(fake_count(f, R_asleep), 0, "one that only idles");
	fake_free(f);
	asleep(2);
	fake_thread(f, fake_process(f, "p", 80), "t", 81);
	fake_sleep(f, fake_thread(f, fake_process(f, "q", 82), "u", 83), 2, 0,
		   SEC);
	fake_look(f);
	is_u64(fake_count(f, R_asleep), 2, "a thread too");
	is_u64(rec_u64(f, asleep, 1, pid), 83, "which thread");
	fake_free(f);
}

int main(void)
{
	test_states();
	test_strangers();
	test_absent();
	test_asleep();
	return tap_end();
}
