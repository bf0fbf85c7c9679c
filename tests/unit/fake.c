// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine: its CPUs, its clock, and the class that lists its disks.
 */
#include "fake.h"

#define TICK_NS (SEC / FAKE_HZ)
#define MONO_SHIFT 7

/* Per-CPU variables: a page each, so that one of them can be a hole. */
static const char *const percpu[] = {
	"blk_cpu_done", "blk_cpu_csd", "call_single_queue", "runqueues",
	"ksoftirqd", "hrtimer_bases", "tick_cpu_sched", "__softirq_pending", "__preempt_count",
	"pcpu_hot", "irq_stat", "softirq_ctrl", "fake_usage", "fake_stats",
};

#define PERCPU_BASE 0x3000

static const char *const op_names[] = { "READ", NULL, "FLUSH", "WRITE" };
static const char *const cmd_names[] = { [8] = "FAILFAST", [11] = "SYNC",
					 [13] = "META" };
static const char *const rqf_names[] = { [2] = "STARTED", [11] = "IO_STAT",
					 [19] = "TIMED_OUT" };

static const char *const queue_flags[] = { [1] = "SAME_COMP", [4] = "DYING",
					   [9] = "QUIESCED" };
static const char *const hctx_states[] = { "STOPPED", [3] = "SCHED_RESTART",
					  [4] = "INACTIVE" };

static u64 area_symbol(struct fake *f, const char *name)
{
	struct fake_symbol *s = &f->symbol[f->nr_symbols++];

	snprintf(s->name, sizeof(s->name), "%s", name);
	s->module = "";
	s->addr = PERCPU_BASE + f->next_percpu + 0x40;
	s->size = 0x400;
	f->next_percpu += FAKE_PAGE;
	return s->addr;
}

u64 fake_percpu(struct fake *f, const char *symbol, u32 cpu)
{
	u64 addr = fake_symbol_addr(f, symbol) + f->cpu[cpu].area - PERCPU_BASE;

	return f->t.word == 4 ? addr & 0xffffffff : addr;
}

u64 fake_task(struct fake *f, const char *comm, u32 pid)
{
	u64 task = fake_new_of(f, "task_struct");
	char buf[16] = "";

	memcpy(buf, comm, strlen(comm) < 16 ? strlen(comm) : 16);
	fake_write(f, task + fake_offset(f, "task_struct.comm"), buf, 16);
	fake_set(f, task, "task_struct.pid", pid);
	fake_set(f, task, "task_struct.__state", 1);
	return task;
}

static void set_expires(struct fake *f, u32 cpu)
{
	struct fake_cpu *c = &f->cpu[cpu];
	u64 at = f->now + (c->curr == c->idle ? 400 * MS : 3 * MS);

	if (!c->late)
		fake_set(f, fake_percpu(f, "hrtimer_bases", cpu),
			 "hrtimer_cpu_base.expires_next", at);
	fake_set(f, fake_percpu(f, "tick_cpu_sched", cpu),
		 "tick_sched.sched_timer.base",
		 fake_percpu(f, "hrtimer_bases", cpu));
}

static void set_curr(struct fake *f, u32 cpu, u64 task)
{
	f->cpu[cpu].curr = task;
	fake_set(f, fake_percpu(f, "runqueues", cpu), "rq.curr", task);
	set_expires(f, cpu);
}

static void add_cpu(struct fake *f, u32 cpu)
{
	struct fake_cpu *c = &f->cpu[cpu];
	u64 table = fake_symbol_addr(f, "__per_cpu_offset");
	char comm[16];
	u32 i;

	c->area = (f->next_addr + FAKE_PAGE) & ~(u64)(FAKE_PAGE - 1);
	f->next_addr = c->area;
	for (i = 0; i < HANG_ARRAY_SIZE(percpu); i++)
		fake_alloc(f, FAKE_PAGE - 40);
	fake_put_ptr(f, table + cpu * f->t.word, c->area - PERCPU_BASE);
	snprintf(comm, sizeof(comm), "swapper/%u", cpu);
	c->idle = fake_task(f, comm, 0);
	snprintf(comm, sizeof(comm), "ksoftirqd/%u", cpu);
	c->ksoftirqd = fake_task(f, comm, 20 + cpu);
	c->irqs = -ENODATA;
	fake_set(f, fake_percpu(f, "runqueues", cpu), "rq.idle", c->idle);
	fake_put_ptr(f, fake_percpu(f, "ksoftirqd", cpu), c->ksoftirqd);
	set_curr(f, cpu, c->idle);
}

static void set_mask(struct fake *f, const char *symbol, u32 cpu, bool on)
{
	u64 at = fake_symbol_addr(f, symbol) +
		 cpu / (8 * f->t.word) * f->t.word;
	u64 word = fake_get(f, at, f->t.word);
	u64 bit = 1ULL << cpu % (8 * f->t.word);

	fake_put_ptr(f, at, on ? word | bit : word & ~bit);
}

static void make_cpus(struct fake *f, u32 cpus)
{
	u32 i;

	assert(cpus <= FAKE_CPUS);
	f->nr_cpus = cpus;
	fake_put(f, fake_symbol(f, "nr_cpu_ids", NULL, 4), 4, cpus);
	fake_symbol(f, "__per_cpu_offset", NULL, FAKE_CPUS * f->t.word);
	fake_symbol(f, "__cpu_possible_mask", NULL, 16);
	fake_symbol(f, "__cpu_online_mask", NULL, 16);
	fake_put(f, fake_symbol(f, "panic_cpu", NULL, 4), 4, 0xffffffff);
	for (i = 0; i < HANG_ARRAY_SIZE(percpu); i++)
		area_symbol(f, percpu[i]);
	for (i = 0; i < cpus; i++) {
		add_cpu(f, i);
		set_mask(f, "__cpu_possible_mask", i, true);
		set_mask(f, "__cpu_online_mask", i, true);
	}
	/* What this kind of kernel does not have. */
	fake_drop(f, "pcpu_hot");
	fake_drop(f, "irq_stat");
	fake_drop(f, "softirq_ctrl");
}

void fake_offline(struct fake *f, u32 cpu)
{
	set_mask(f, "__cpu_online_mask", cpu, false);
}

void fake_time(struct fake *f, u64 now, u64 jiffies)
{
	u64 tk = fake_symbol_addr(f, "timekeeper_data") +
		 fake_offset(f, "tk_data.timekeeper");

	f->now = now;
	f->jiffies = jiffies;
	fake_set(f, tk, "timekeeper.tkr_mono.base", now - 5 * MS);
	fake_set(f, tk, "timekeeper.tkr_mono.xtime_nsec",
		 5 * MS << MONO_SHIFT);
	fake_set(f, tk, "timekeeper.tkr_mono.shift", MONO_SHIFT);
	fake_set(f, tk, "timekeeper.ntp_tick", TICK_NS << 32);
	fake_put_ptr(f, fake_symbol_addr(f, "jiffies"), jiffies);
}

static void take_ticks(struct fake *f, u32 cpu, u32 ticks)
{
	struct fake_cpu *c = &f->cpu[cpu];

	if (!c->late)
		c->ticks += ticks;
	fake_set(f, fake_percpu(f, "hrtimer_bases", cpu),
		 "hrtimer_cpu_base.nr_events", c->ticks);
}

void fake_pass(struct fake *f, u64 ns)
{
	u32 i;

	fake_time(f, f->now + ns, f->jiffies + ns / TICK_NS);
	for (i = 0; i < f->nr_cpus; i++) {
		set_expires(f, i);
		take_ticks(f, i, ns / TICK_NS);
	}
}

/* A symbol with a page to itself, so that it can be a hole. */
static u64 lone_symbol(struct fake *f, const char *name, u64 size)
{
	u64 addr;

	fake_alloc_page(f);
	addr = fake_symbol(f, name, NULL, size);
	fake_alloc_page(f);
	return addr;
}

static u64 add_class(struct fake *f, u64 kset, const char *name)
{
	u64 sp = fake_new_of(f, "subsys_private");
	u64 class = fake_new_of(f, "class");
	u64 devices = sp + fake_offset(f, "subsys_private.klist_devices");

	fake_set(f, sp, "subsys_private.class", class);
	fake_set(f, class, "class.name", fake_string(f, name));
	fake_list_init(f, devices + fake_offset(f, "klist.k_list"));
	fake_list_add_tail(f, kset + fake_offset(f, "kset.list"),
			   sp + fake_offset(f, "subsys_private.subsys") +
			   fake_offset(f, "kset.kobj.entry"));
	return devices;
}

static void make_classes(struct fake *f)
{
	u64 kset = fake_new_of(f, "kset");

	fake_put_ptr(f, lone_symbol(f, "class_kset", f->t.word), kset);
	fake_list_init(f, kset + fake_offset(f, "kset.list"));
	add_class(f, kset, "input");
	add_class(f, kset, "blocking");
	f->block_devices = add_class(f, kset, "block");
	f->nvme_devices = add_class(f, kset, "nvme");
	add_class(f, kset, "bloc");
}

static void make_rest(struct fake *f)
{
	u64 uts = lone_symbol(f, "init_uts_ns",
			      fake_sizeof(f, "uts_namespace"));

	fake_write(f, uts + fake_offset(f, "uts_namespace.name.release"),
		   "9.9.9-fake", 11);
	fake_names(f, "blk_op_name", op_names, HANG_ARRAY_SIZE(op_names));
	fake_names(f, "cmd_flag_name", cmd_names, HANG_ARRAY_SIZE(cmd_names));
	fake_names(f, "rqf_name", rqf_names, HANG_ARRAY_SIZE(rqf_names));
	fake_names(f, "blk_queue_flag_name", queue_flags,
		   HANG_ARRAY_SIZE(queue_flags));
	fake_names(f, "hctx_state_name", hctx_states,
		   HANG_ARRAY_SIZE(hctx_states));
	fake_symbol(f, "__blk_mq_complete_request_remote", NULL, 64);
	fake_wake_functions(f);
	fake_held_init(f);
	fake_pages_init(f);
	lone_symbol(f, "timekeeper_data", 1024);
	lone_symbol(f, "jiffies", 8);
	lone_symbol(f, "tk_core", 512);
	fake_drop(f, "tk_core");
}

struct fake *fake_open(const struct fake_desc *desc)
{
	struct fake *f = calloc(1, sizeof(*f));

	f->t.ops = &fake_ops;
	f->t.word = desc->word ? desc->word : 8;
	f->t.big_endian = desc->big_endian;
	f->t.kernel_min = f->t.word == 8 ? 0xffff800000000000 : 0xc0000000;
	f->next_addr = f->t.word == 8 ? 0xffff9a7300010000 : 0xc1230000;
	fake_types_init(f);
	make_rest(f);
	make_cpus(f, desc->cpus ? desc->cpus : 4);
	make_classes(f);
	fake_tasks_init(f);
	fake_time(f, 5000 * SEC, f->t.word == 8 ? 0x123456789a : 0x12345678);
	fake_pass(f, 0);
	fake_style(f, FAKE_PERCPU_CSD);
	return f;
}

static void set_fact(struct fake *f, const char *what, bool there)
{
	if (there)
		fake_restore(f, what);
	else
		fake_drop(f, what);
}

void fake_style(struct fake *f, enum fake_style style)
{
	static const char *const new_facts[] = {
		"request_queue.hctx_table", "blk_mq_tags.bitmap_tags.sb",
		"blk_mq_tag_set.shared_tags", "__RQF_IO_STAT",
		"__RQF_TIMED_OUT", "block_device.__bd_flags",
		"request_queue.disk", "block_device.bd_device",
		"request_queue.q_usage_counter.data", "percpu_ref_data.count",
		"request_queue.quiesce_depth",
		"request.rq_next", "blk_plug.mq_list.head", "DIO_IS_SYNC",
		"blk_plug.cached_rqs.head", "bio_wait_end_io",
		"sbitmap_queue.completion_cnt", "sbitmap_queue.wakeup_cnt",
		"block_device.bd_stats",
	};
	static const char *const old_facts[] = {
		"request_queue.queue_hw_ctx", "gendisk.part0.__dev",
		"gendisk.part0.partno", "block_device.bd_partno",
		"gendisk.part0.dkstats",
		"request.ipi_list.prev", "request_queue.q_usage_counter.count",
		"blk_plug.mq_list.prev",
		"blkdev_bio_end_io_simple", "task_struct.thread_group",
		"sbq_wait_state.wait_cnt",
		"blk_mq_tag_set.active_queues_shared_sbitmap",
	};
	bool old = style == FAKE_LIST_HEAD;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(new_facts); i++)
		set_fact(f, new_facts[i], !old);
	for (i = 0; i < HANG_ARRAY_SIZE(old_facts); i++)
		set_fact(f, old_facts[i], old);
	fake_held_style(f, style);
	set_fact(f, "blk_plug.cached_rq", style == FAKE_RQ_CSD);
	fake_member(f, "blk_plug.mq_list")->size = old ? 2 * f->t.word
						      : f->t.word;
	fake_member(f, "blk_flush_queue.flush_data_in_flight")->size =
		(style == FAKE_PERCPU_CSD ? 1 : 2) * f->t.word;
	set_fact(f, "blk_flush_queue.flush_data_in_flight.next",
		 style != FAKE_PERCPU_CSD);
	set_fact(f, "request.csd", style != FAKE_PERCPU_CSD);
	set_fact(f, "request.flush.list", style != FAKE_PERCPU_CSD);
	set_fact(f, "request_queue.flush_list", style == FAKE_PERCPU_CSD);
	set_fact(f, "blk_cpu_csd", style == FAKE_PERCPU_CSD);
	set_fact(f, "rq_qos_wait_data.task", style != FAKE_PERCPU_CSD);
	if (style == FAKE_RQ_CSD) {
		set_fact(f, "__RQF_IO_STAT", false);
		set_fact(f, "__RQF_TIMED_OUT", false);
		set_fact(f, "block_device.__bd_flags", false);
		set_fact(f, "block_device.bd_partno", true);
		set_fact(f, "blk_plug.mq_list.head", false);
		set_fact(f, "blk_plug.cached_rqs.head", false);
	}
	for (i = 0; old && i < f->nr_cpus; i++)
		fake_list_init(f, fake_percpu(f, "blk_cpu_done", i));
}

const char *fake_style_name(enum fake_style style)
{
	static const char *const names[FAKE_STYLES] = {
		"csd per CPU", "csd in request", "list_head",
	};

	return names[style];
}

void fake_free(struct fake *f)
{
	fake_mem_free(f);
	free(f->w);
	free(f->mem);
	free(f->rec);
	free(f);
}

void fake_run(struct fake *f, u32 cpu, const char *comm, u32 pid)
{
	u64 task = fake_task(f, comm, pid);

	fake_set(f, task, "task_struct.__state", 0);
	fake_set(f, task, "task_struct.on_rq", 1);
	set_curr(f, cpu, task);
}

void fake_panic(struct fake *f, u32 cpu)
{
	fake_put(f, fake_symbol_addr(f, "panic_cpu"), 4, cpu);
}

void fake_stall(struct fake *f, u32 cpu, u64 late_ns)
{
	f->cpu[cpu].late = late_ns;
	fake_set(f, fake_percpu(f, "hrtimer_bases", cpu),
		 "hrtimer_cpu_base.expires_next", f->now - late_ns);
}

void fake_pending(struct fake *f, u32 cpu, u32 softirqs)
{
	fake_put(f, fake_percpu(f, "__softirq_pending", cpu), 4, softirqs);
}

void fake_serving(struct fake *f, u32 cpu, bool serving)
{
	fake_put(f, fake_percpu(f, "__preempt_count", cpu), 4,
		 serving ? 0x80000101 : 0x80000001);
}

void fake_ksoftirqd_wait(struct fake *f, u32 cpu, u64 waited_ns)
{
	u64 task = f->cpu[cpu].ksoftirqd;
	u64 clock = 777 * SEC;

	fake_set(f, task, "task_struct.__state", 0);
	fake_set(f, task, "task_struct.on_rq", 1);
	fake_set(f, task, "task_struct.sched_info.last_queued",
		 clock - waited_ns);
	fake_set(f, fake_percpu(f, "runqueues", cpu), "rq.clock", clock);
}

void fake_ksoftirqd_run(struct fake *f, u32 cpu)
{
	fake_ksoftirqd_wait(f, cpu, 0);
	set_curr(f, cpu, f->cpu[cpu].ksoftirqd);
}

static void queue_call(struct fake *f, u32 cpu, u64 node, u32 flags)
{
	u64 at = fake_offset(f, "__call_single_data.node.u_flags") -
		 fake_offset(f, "__call_single_data.node.llist");

	fake_put(f, node + at, 4, flags);
	fake_llist_add(f, fake_percpu(f, "call_single_queue", cpu), node);
}

u64 fake_call(struct fake *f, u32 cpu, u32 flags, u64 func, u64 info)
{
	u64 csd = fake_new_of(f, "__call_single_data");

	fake_set(f, csd, "__call_single_data.func", func);
	fake_set(f, csd, "__call_single_data.info", info);
	queue_call(f, cpu, csd + fake_offset(f, "__call_single_data.node"),
		   flags);
	return csd;
}

u64 fake_call_irq_work(struct fake *f, u32 cpu, u64 func)
{
	u64 work = fake_new_of(f, "irq_work");

	fake_set(f, work, "irq_work.func", func);
	queue_call(f, cpu, work + fake_offset(f, "irq_work.node.llist"),
		   FAKE_IRQ_WORK | FAKE_LOCK);
	return work;
}

u64 fake_call_wake(struct fake *f, u32 cpu, const char *comm, u32 pid)
{
	u64 task = fake_task(f, comm, pid);

	queue_call(f, cpu, task +
		   fake_offset(f, "task_struct.wake_entry.llist"), FAKE_TTWU);
	return task;
}
