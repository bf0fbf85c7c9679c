/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine made of nothing but memory: what the core sees when a test runs
 * it. The layout is the test's own and that of no real kernel, so whatever the
 * core finds it can only have found through its layout rows.
 *
 * The default machine is of the newest kind: llists, a csd per CPU, hardware
 * queues in an xarray. Older kinds are made by saying which facts it has, with
 * fake_style(), fake_drop() and fake_restore().
 */
#ifndef BLKHANG_FAKE_H
#define BLKHANG_FAKE_H

#include <assert.h>
#include <stdlib.h>

#include <blkhang/format.h>
#include <blkhang/walk.h>
#include <core.h>

#include "tap.h"

#define SEC 1000000000ULL
#define MS 1000000ULL

#define FAKE_HZ 250
#define FAKE_CPUS 64
#define FAKE_HCTXS 64
#define FAKE_PAGE 4096

/* Constants of this machine, none of them the kernel's. */
#define FAKE_IN_FLIGHT 3
#define FAKE_COMPLETE 5
#define FAKE_LOCK 0x04
#define FAKE_ASYNC 0x100
#define FAKE_SYNC 0x200
#define FAKE_IRQ_WORK 0x300
#define FAKE_TTWU 0x400
#define FAKE_BLOCK (1 << 6) /* in the mask of pending softirqs */
#define FAKE_TIMED_OUT (1 << 19)
#define FAKE_IO_STAT (1 << 11)
#define FAKE_HIDDEN 0x40
#define FAKE_CTXS 2 /* software queues of a hardware queue */
#define FAKE_RPM_ACTIVE 7
#define FAKE_TYPE_DEFAULT 1
#define FAKE_WORK_PENDING (1 << 3)
#define FAKE_DIO_IS_SYNC 0x10
#define FAKE_TG_PENDING 0x8
#define FAKE_LO_BOUND 2
#define FAKE_SDEV_RUNNING 3
#define FAKE_SHOST_RUNNING 4
#define FAKE_PACKED 2 /* layout of a ring */
#define FAKE_FROZEN 6 /* a file system, all the way */
#define FAKE_LOCKED 9 /* bits of a page, a buffer and a bio */
#define FAKE_WRITEBACK 4
#define FAKE_HEAD 11
#define FAKE_BH_LOCK 7
#define FAKE_PINNED 5
#define FAKE_PAGE_SIZE 8192 /* that of the kernel, not of fake_mem.c */

struct fake_page {
	u64 addr;
	int err; /* what reading gives, 0: the data */
	u8 data[FAKE_PAGE];
};

struct fake_member {
	const char *type;
	const char *path;
	u32 offset;
	u32 size;
	bool gone;
};

struct fake_symbol {
	char name[HANG_SYM_NAME];
	const char *module;
	u64 addr;
	u64 size;
	bool gone;
};

struct fake_cpu {
	u64 idle, curr, ksoftirqd;
	u64 area;
	u64 late; /* its tick is overdue by this; 0: it takes ticks */
	u32 ticks; /* it has taken so far */
	int irqs; /* as target op irqs_on gives it */
};

struct fake {
	struct hang_target t;
	struct fake_page **slot; /* pages, hashed */
	struct fake_page **page; /* and in the order they were made */
	u32 nr_pages;
	u64 next_addr;
	u64 next_percpu;
	struct fake_member member[1024];
	u32 nr_members;
	struct { const char *type; u32 size; bool gone; } type[320];
	u32 nr_types;
	struct { const char *name; s64 value; bool gone; } enumerator[160];
	u32 nr_enumerators;
	struct fake_symbol symbol[384];
	u32 nr_symbols;

	u64 now;
	u64 jiffies;
	struct fake_cpu cpu[FAKE_CPUS];
	u32 nr_cpus;
	u64 block_devices; /* klist of the class "block" */
	u64 nvme_devices;  /* and of "nvme" */
	u32 next_id;
	int interrupt_after; /* reads until the host wants to stop, 0: never */
	int reads;

	struct hang_target_ops ops; /* see fake_live.c */
	u64 mend_at, mend_to;
	int mend_after;

	struct hang_work *w;
	void *mem;
	bool attached;
	struct hang_sink sink;
	struct hang_rec *rec; /* everything the core emitted */
	u32 nr_recs, cap_recs;
	enum hang_answer answer;
};

/* fake_mem.c: memory */
u64 fake_alloc(struct fake *f, size_t size);
u64 fake_alloc_page(struct fake *f);
void fake_write(struct fake *f, u64 addr, const void *data, size_t size);
void fake_put(struct fake *f, u64 addr, u32 size, u64 value);
u64 fake_get(struct fake *f, u64 addr, u32 size);
void fake_put_ptr(struct fake *f, u64 addr, u64 value);
u64 fake_string(struct fake *f, const char *s);
int fake_read(struct fake *f, u64 addr, void *buf, size_t len);

/* The page of addr can't be read from now on: -ENODATA or -EFAULT. */
void fake_hole(struct fake *f, u64 addr, int err);

/* An address inside a page that is not there. */
u64 fake_nowhere(struct fake *f, int err);
void fake_mem_free(struct fake *f);

/* list_head and llist_head */
void fake_list_init(struct fake *f, u64 head);
void fake_list_add_tail(struct fake *f, u64 head, u64 node);
void fake_llist_add(struct fake *f, u64 head, u64 node);

/* fake_types.c: the layout. Members are written "type.path". */
void fake_types_init(struct fake *f);
struct fake_member *fake_member(struct fake *f, const char *spec);
u64 fake_offset(struct fake *f, const char *spec);
void fake_set(struct fake *f, u64 base, const char *spec, u64 value);
u64 fake_field(struct fake *f, u64 base, const char *spec);
u64 fake_new_of(struct fake *f, const char *type);
u32 fake_sizeof(struct fake *f, const char *type);
extern const struct hang_target_ops fake_ops;

/* A member, enumerator, type or symbol that this kernel does not have, or has. */
void fake_drop(struct fake *f, const char *what);
void fake_restore(struct fake *f, const char *what);

/* A function or datum; with a module if it is not the kernel's own. */
u64 fake_symbol(struct fake *f, const char *name, const char *module, u64 size);
u64 fake_symbol_addr(struct fake *f, const char *name);

/* An array of names in the kernel's memory; NULL leaves an entry out. */
void fake_names(struct fake *f, const char *symbol, const char *const *names,
		u32 count);

/* fake.c: the machine. Four CPUs unless asked for otherwise. */
struct fake_desc {
	u32 word; /* 0: 8 */
	bool big_endian;
	u32 cpus;
};

enum fake_style {
	FAKE_PERCPU_CSD, /* as 6.12 is */
	FAKE_RQ_CSD,	 /* as 6.1 is: the csd is in the request */
	FAKE_LIST_HEAD,	 /* as 5.10 is: sent requests are on no list */
	FAKE_STYLES
};

struct fake *fake_open(const struct fake_desc *desc);
#define fake_new(...) fake_open(&(struct fake_desc){ __VA_ARGS__ })
void fake_free(struct fake *f);
void fake_style(struct fake *f, enum fake_style style);
const char *fake_style_name(enum fake_style style);

/* Time goes by; CPUs that take ticks take some. */
void fake_pass(struct fake *f, u64 ns);
void fake_time(struct fake *f, u64 now, u64 jiffies);

u64 fake_percpu(struct fake *f, const char *symbol, u32 cpu);
u64 fake_task(struct fake *f, const char *comm, u32 pid);
void fake_run(struct fake *f, u32 cpu, const char *comm, u32 pid);
/* The machine went down by a panic on this CPU. */
void fake_panic(struct fake *f, u32 cpu);
void fake_stall(struct fake *f, u32 cpu, u64 late_ns);
void fake_pending(struct fake *f, u32 cpu, u32 softirqs);
void fake_serving(struct fake *f, u32 cpu, bool serving);
void fake_offline(struct fake *f, u32 cpu);

/* ksoftirqd waits to run, for so long; or runs. */
void fake_ksoftirqd_wait(struct fake *f, u32 cpu, u64 waited_ns);
void fake_ksoftirqd_run(struct fake *f, u32 cpu);

/* Entries of call_single_queue, newest first as they are added. */
u64 fake_call(struct fake *f, u32 cpu, u32 flags, u64 func, u64 info);
u64 fake_call_irq_work(struct fake *f, u32 cpu, u64 func);
u64 fake_call_wake(struct fake *f, u32 cpu, const char *comm, u32 pid);

/* fake_disk.c */
struct fake_tags {
	u64 addr;
	u64 rqs, static_rqs;
	u64 map, rmap;	 /* words of the normal and the reserved bitmap */
	u64 sb, rsb;	 /* and their sbitmaps */
	u32 depth;	 /* reserved ones included */
	u32 reserved;
};

struct fake_disk {
	u64 q, gendisk, set, dev;
	u32 nr_hctxs;
	u32 timeout; /* jiffies */
	bool shared;
	u64 hctx[FAKE_HCTXS];
	u64 flush_rq[FAKE_HCTXS];
	u64 fq[FAKE_HCTXS];
	u64 ctx[FAKE_HCTXS][FAKE_CTXS];
	u64 elevator;	/* with a scheduler */
	u64 sched_data; /* and what is its own: see fake_sched() */
	u64 usage;	/* its usage counter's part that all CPUs share */
	u64 usage_cpus; /* and the per-CPU pointer to the others */
	struct fake_tags tags[FAKE_HCTXS];
	struct fake_tags sched[FAKE_HCTXS];
	u32 sched_depth;
};

struct fake_disk_desc {
	const char *name;
	u32 hctxs;	 /* 0: 1 */
	u32 depth;	 /* 0: 64 */
	u32 reserved;
	u32 sched_depth; /* 0: no scheduler */
	bool shared;	 /* one set of tags for all hardware queues */
	bool hidden;
	bool unlisted;	 /* in no class: found by its tag set only */
	bool bare;	 /* a queue without a disk */
	bool bio;	 /* bio based: no mq_ops */
	struct fake_disk *with; /* shares the tag set of this one */
};

void fake_disk_open(struct fake *f, struct fake_disk *d,
		    const struct fake_disk_desc *desc);
#define fake_disk(f, d, ...) \
	fake_disk_open(f, d, &(struct fake_disk_desc){ __VA_ARGS__ })
void fake_partition(struct fake *f, struct fake_disk *d, u32 partno);

struct fake_rq_desc {
	u32 hctx;
	int tag;	/* of the driver; -1: none yet, with a scheduler */
	int itag;	/* of the scheduler */
	u32 state;
	u64 age;	/* ns since it began and, if issued, was issued */
	u32 cpu;
	u32 flags;	/* op and command flags */
	u32 rqf;
	u64 sector;
	u32 bytes;
	bool no_start;	/* its start time was not taken */
};

u64 fake_rq_open(struct fake *f, struct fake_disk *d,
		 const struct fake_rq_desc *desc);
#define fake_rq(f, d, ...) \
	fake_rq_open(f, d, &(struct fake_rq_desc){ __VA_ARGS__ })
void fake_tag_set(struct fake *f, struct fake_tags *tags, u32 tag);
void fake_tag_clear(struct fake *f, struct fake_tags *tags, u32 tag);

/* Puts rq on a list, of hardware queue hctx where these have their own. */
void fake_place(struct fake *f, struct fake_disk *d, u32 hctx, u64 rq,
		enum hang_place place);

/* The driver has finished rq, and it waits on that CPU's blk_cpu_done. */
void fake_done(struct fake *f, u32 cpu, u64 rq);

/* The call that tells CPU of rq is queued, and not taken. */
u64 fake_kick(struct fake *f, u32 cpu, u64 rq);

/*
 * Whatever this kind of kernel does when a request is finished on another CPU
 * than its own and the call does not arrive.
 */
void fake_strand(struct fake *f, u32 cpu, u64 rq);

/* fake_task.c: tasks that can be found, their plugs, and what they wait for */
void fake_tasks_init(struct fake *f);

/* A process of one thread, asleep; and one more thread of it. */
u64 fake_process(struct fake *f, const char *comm, u32 pid);
u64 fake_thread(struct fake *f, u64 process, const char *comm, u32 pid);

/* The task sleeps in this state, on that CPU, for so long; or runs there. */
void fake_sleep(struct fake *f, u64 task, u32 state, u32 cpu, u64 ns);
void fake_task_runs(struct fake *f, u64 task, u32 cpu);

/* A kernel thread that works at that item; 0: at none. */
u64 fake_worker(struct fake *f, const char *comm, u32 pid, u64 item);

/* Gives the task a plug, and puts a request into it. */
u64 fake_plug(struct fake *f, u64 task);
void fake_plug_add(struct fake *f, u64 plug, u64 rq);
void fake_plug_cache(struct fake *f, u64 plug, u64 rq);

/* A completion that no one waits for; and one more task that waits for it. */
u64 fake_completion(struct fake *f);
void fake_wait_for(struct fake *f, u64 completion, u64 task);

/* One more bio of a request, the first unless it has one. */
u64 fake_bio(struct fake *f, u64 rq, const char *end_io, u64 private);

/* fake_wait.c: wait queues, by the list_head of a wait_queue_head */
void fake_wake_functions(struct fake *f);

/* What a new sbitmap_queue or request queue has of it: nobody waits. */
void fake_ws_init(struct fake *f, u64 sbq);
void fake_queue_waits_init(struct fake *f, u64 q);

/* A task that sleeps (D) on a CPU whose clock has been set. */
u64 fake_sleeper(struct fake *f, const char *comm, u32 pid, u32 cpu, u64 slept);

/* An entry with that wake function and private pointer; its own address. */
u64 fake_wait(struct fake *f, u64 head, const char *func, u64 private);

/* Wait queue i of the normal or reserved tags. */
u64 fake_ws(struct fake *f, struct fake_tags *tags, bool reserved, u32 i);
u64 fake_sbq(struct fake *f, struct fake_tags *tags, bool reserved);
u64 fake_freeze_wq(struct fake *f, struct fake_disk *d);

/* A rq_wb on the chain of the disk; and the ith of its wait queues. */
u64 fake_wbt(struct fake *f, struct fake_disk *d);
u64 fake_rq_wait(struct fake *f, u64 wb, u32 i);

/* Another throttler: 0 iolatency, 1 iocost; and a cgroup as they know it. */
void fake_qos(struct fake *f, struct fake_disk *d, u32 id);
u64 fake_group(struct fake *f, struct fake_disk *d, u64 cgroup, u64 *cost,
	       u64 *latency);

#include "fake_areas.h"

/*
 * fake_live.c: the kernel runs from now on; all is read by that function, or,
 * if it is NULL, as before.
 */
typedef int (*fake_read_fn)(struct hang_target *t, u64 addr, void *buf,
			    size_t len);
void fake_live(struct fake *f, fake_read_fn read);

/* After so many reads of the pointer at that address, it points to there. */
void fake_mend(struct fake *f, u64 at, u64 to, int after);

/* fake_run.c: the core at work */
void fake_attach(struct fake *f);
enum hang_answer fake_look(struct fake *f);    /* one walk, and judge */
enum hang_answer fake_look_again(struct fake *f); /* the second sample */
u32 fake_count(struct fake *f, enum hang_rec_type type);
const struct hang_rec *fake_rec(struct fake *f, enum hang_rec_type type,
				u32 n);

/* Field of the nth record of its type; fails the test if it is not there. */
#define rec_u64(f, type, n, field) \
	hang_rec_get(fake_rec(f, R_##type, n), F_##type##_##field)
#define rec_str(f, type, n, field) \
	hang_rec_text(fake_rec(f, R_##type, n), F_##type##_##field)
#define rec_has(f, type, n, field) \
	hang_rec_has(fake_rec(f, R_##type, n), F_##type##_##field)

u32 fake_verdicts(struct fake *f, const char *id);
u32 fake_faults(struct fake *f, const char *why);

/* Whether a fault was charged to that CPU. */
bool fake_charged(struct fake *f, u32 cpu);

/* The record of a CPU, or an empty one. */
const struct hang_rec *fake_cpu_rec(struct fake *f, u32 cpu);

#endif
