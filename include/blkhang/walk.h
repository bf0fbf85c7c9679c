/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk: what a host gives the core, what it calls, and the state in
 * between. A host fills in a target, lays out one block of memory, attaches
 * once, and then asks for a report as often as it likes; reporting allocates
 * nothing, and all loops are bounded by the capacities below.
 */
#ifndef BLKHANG_WALK_H
#define BLKHANG_WALK_H

#include "layout.h"
#include "record.h"
#include "summary.h"
#include "target.h"

/* How much of each thing a host makes room for. */
struct hang_caps {
	u32 cpus;     /* CPU numbers below this are looked at */
	u32 queues;   /* request queues */
	u32 requests; /* requests remembered by address; a power of two */
};

struct hang_config {
	u64 age_ns;   /* a request older than this is stuck; 0: its timeout */
	u64 stall_ns; /* a CPU that takes no timer tick for this long is stuck */
	u32 list_max; /* entries followed on any one list */
};

/* Takes the records, in order. */
struct hang_sink {
	void (*record)(struct hang_sink *sink, const struct hang_rec *rec);
};

#define HANG_SNAP_SIZE 2048

/* A copy of one structure, decoded after it was read whole. */
struct hang_snap {
	u64 addr;
	u32 len;
	u8 data[HANG_SNAP_SIZE];
};

/* Remembers addresses and a number for each; see hang_map_*(). */
struct hang_map {
	u64 *key;
	u32 *value;
	u32 cap; /* a power of two */
	u32 used;
};

/* 'Now', in the terms of the kernel looked at. */
struct hang_clock {
	u64 now_ns; /* CLOCK_MONOTONIC */
	u64 jiffies;
	u32 hz;
	const char *source; /* what now_ns was taken from */
	u64 latest_run_ns;  /* the run queue clock that is furthest ahead */
};

/* A request queue; disk is the gendisk, 0 for a queue without one. */
struct hang_queue {
	u64 addr;
	u64 disk;
};

/* Requests of the disk being walked. */
struct hang_totals {
	u32 stage[4]; /* by enum hang_stage */
	u32 unclear;  /* busy tags whose request can't be told */
	u64 oldest_ns;
};

/* The driver of an NVMe queue, and its controller; 0: none, or not known. */
struct hang_nvme {
	bool namespace; /* a namespace's; else the admin queue of one on PCI */
	bool rings;	/* hardware queues lead to struct nvme_queue */
	bool shared;	/* other queues use the same rings */
	u64 ctrl;
};

struct hang_work;

/* Called for each node; anything but 0 ends the walk and is returned. */
typedef int (*hang_node_fn)(struct hang_work *w, u64 node, void *arg);

#define HANG_LIST_KEEP 256

/* Addresses of one list, oldest first. */
struct hang_order {
	hang_node_fn each; /* called for all nodes, kept or not; may be NULL */
	u64 addr[HANG_LIST_KEEP];
	u32 count; /* entries on the list */
	u32 kept;  /* entries in addr */
};

/* One array of names in the kernel's memory, index = bit or number. */
struct hang_names {
	u64 addr;
	u32 count;
};

enum hang_names_id { HANG_OP, HANG_CMD_FLAG, HANG_RQF, HANG_QUEUE_FLAG,
		     HANG_HCTX_STATE, HANG_NAMES_COUNT };

/* Lists on which a request can wait: see core/place.c. */
enum hang_place { HANG_AT_DISPATCH, HANG_AT_REQUEUE, HANG_AT_SW, HANG_AT_FLUSH,
		  HANG_AT_FLUSH_PENDING, HANG_AT_FLUSH_RUNNING,
		  HANG_AT_FLUSH_QUEUE, HANG_AT_FLUSH_DATA, HANG_AT_LOOP,
		  HANG_AT_SCHED, HANG_AT_SCHED_DISPATCH, HANG_PLACES };

#define HANG_ENDS_KEPT 8
#define HANG_FROZEN_MAX 16

/* Whose rings a queue's requests go through. */
enum hang_rings { HANG_RINGS_NONE, HANG_RINGS_BLK, HANG_RINGS_SCSI };

/* The SCSI device of a queue and its host; 0: none, or not known. */
struct hang_scsi {
	u64 device;
	u64 host;
};

/* Who waits for a bit of a page or of another word: see core/pages.c. */
enum hang_on { HANG_ON_FOLIO, HANG_ON_BUFFER, HANG_ON_BIT, HANG_ON_VAR,
	       HANG_ON_BIO };

struct hang_awaited {
	u64 what;  /* folio, buffer_head or word */
	u64 folio; /* by which it is found in a request; 0: it can't be */
	u64 entry; /* wait_queue_entry */
	u64 task;  /* 0: that of no task */
	s32 bit;
	u32 next;  /* the next one with the same folio */
	u32 last;  /* of the first one: the last */
	u8 on;	   /* enum hang_on */
	bool told;
};

struct hang_work {
	struct hang_target *t;
	struct hang_config cfg;
	struct hang_caps caps;
	struct hang_layout layout;
	struct hang_clock clock;
	struct hang_names names[HANG_NAMES_COUNT];
	int timed_out_bit; /* of RQF_TIMED_OUT, -1 unknown */

	struct hang_sink *sink;
	struct hang_summary sum;
	struct hang_map done; /* request on blk_cpu_done -> its CPU */
	struct hang_map seen; /* what an earlier sample saw */
	bool confirming;      /* this walk is the second sample */
	struct hang_map plugged; /* request in a plug -> HANG_PLUG_* | pid */
	struct hang_map working; /* work items that a worker is at */
	bool hush; /* what can't be read now may change under us: no fault */

	struct hang_queue *queues; /* all that could be found */
	u32 nr_queues;
	struct hang_map queue_map; /* queue -> index, tag sets walked */

	struct hang_totals totals;
	/* Request of this queue -> the list it is on; at last, its cgroups. */
	struct hang_map place;
	struct hang_scsi scsi; /* of this queue */
	enum hang_rings rings; /* of this queue */

	/* Which symbol an address is, as last asked: see stack.c, upper.c. */
	struct {
		u64 fops, rq_end_io;
		u64 end_io[HANG_ENDS_KEPT];
		u32 end_io_way[HANG_ENDS_KEPT];
		u32 fops_kind;
		bool rq_is_clone;
	} known;
	u32 place_walks;       /* lists walked for it, to tell them apart */

	struct hang_nvme nvme; /* of this queue */

	struct {
		u64 sb, disk;
	} frozen[HANG_FROZEN_MAX]; /* file systems: see fs.c */
	u32 nr_frozen;

	struct hang_awaited *awaited; /* in the order of the wait queues */
	struct hang_map awaiting; /* entry or folio -> index of the first */
	u32 max_awaited;
	u32 nr_awaited;
	u32 untold;    /* those of them not yet shown */
	u32 page_size; /* 0: unknown */

	/* What a fault met now should be charged to. */
	int at_cpu; /* -1: none */
	const char *at_disk;

	struct {
		u32 cpus, queues, hctxs, tags, requests, faults, left_out;
		u32 lists[HANG_PLACES], empty[HANG_PLACES];
		u32 tasks, plugs;
		u32 waits, waits_empty;
		/*
		 * Queues of io.max: that of each disk, and those of its cgroups
		 * where the disk's counter says that any has bios.
		 */
		u32 throttle, throttle_empty;
		/* Zones that have a lock or a write plug. */
		u32 zones, zones_empty;
		u32 stacks;
		u32 rings, rings_empty;
		u32 pages, pages_empty;
	} looked;

	/* Scratch, too large for a kernel stack. */
	struct hang_rec rec;
	struct hang_rec fault_rec;
	struct hang_rec say_rec;
	struct hang_snap q_snap;
	struct hang_snap hctx_snap;
	struct hang_snap rq_snap;
	struct hang_snap bio_snap;
	struct hang_snap task_snap; /* a task's part, then its plug */
	struct hang_order done_order;
	struct hang_order call_order;
	struct hang_order wait_order;
	struct hang_snap wait_snap;
	struct hang_snap held_snap; /* a queue of io.max, or a zone's plug */
	struct hang_snap part_snap; /* a part of a table of zones */
	struct hang_snap scsi_snap; /* a device, its host, or a command */
	struct hang_snap sched_snap;
	struct hang_snap nvme_snap; /* a struct nvme_queue */
	struct hang_snap page_snap;
	struct hang_rec blocked_rec;
	struct hang_symbol symbol;
	char disk_name[32 + 1];
	char text[HANG_REC_TEXT];
	u64 cpu_mask[3][8192 / 64]; /* possible, online, active */
	u32 nr_cpus;		    /* CPU numbers in use */
};

/* Bytes of memory hang_work_init() needs for these capacities. */
size_t hang_mem_size(const struct hang_caps *caps);

/*
 * Prepares w to look at t. mem is zeroed memory of hang_mem_size(caps) bytes,
 * owned by the host and used until w is no longer. The default configuration
 * is set; the host may change w->cfg afterwards.
 */
void hang_work_init(struct hang_work *w, struct hang_target *t,
		    const struct hang_caps *caps, void *mem);

/*
 * Resolves the layout and what else does not change while a kernel runs. 0, or
 * -ENOENT when a required row is missing; w->layout then tells which ones.
 */
int hang_attach(struct hang_work *w);

/*
 * Looks again for what of the layout depends on which modules are loaded, as
 * hang_attach() did; for hosts that can take in types.
 */
void hang_attach_modules(struct hang_work *w);

/* Whether the layout has rows for types that are in a module of this name. */
bool hang_module_has_types(const char *name);

/*
 * One walk: every CPU, every queue. Records go to sink (may be NULL: only the
 * summary is built). With confirm, things already met in the walk before
 * count as seen twice.
 */
void hang_walk(struct hang_work *w, struct hang_sink *sink, bool confirm);

/*
 * Judges the summary of the last walk; verdicts and the sentences they rest on
 * go to sink as records. Returns an exit code: see enum hang_answer.
 */
enum hang_answer {
	HANG_ANSWER_NONE = 0,	 /* no hang */
	HANG_ANSWER_FOUND = 1,	 /* at least one verdict */
	HANG_ANSWER_UNCLEAR = 3, /* could not see enough to say */
};
enum hang_answer hang_judge(struct hang_work *w, struct hang_sink *sink);

/*
 * The module symbol that covers addr, found in the modules' own symbol tables
 * (kernel/module/kallsyms.c); for hosts whose symbol_at has no better way. Needs
 * an attached w. -ENOENT: addr is in no module.
 */
int hang_module_symbol_at(struct hang_work *w, u64 addr,
			  struct hang_symbol *sym);

/* Emits what is absent from the layout, as "lack" records. */
void hang_lacks(struct hang_work *w, struct hang_sink *sink, bool optional);

#endif
