/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary: what the verdicts rest on. It is built from records alone, so
 * whoever has the records, a saved log for instance, comes to the same verdict.
 */
#ifndef BLKHANG_SUMMARY_H
#define BLKHANG_SUMMARY_H

#include "record.h"

#define HANG_DISK_NAME 32
#define HANG_CPU_DISKS 4

enum hang_csd_state { HANG_CSD_UNKNOWN, HANG_CSD_FREE, HANG_CSD_LOCKED,
		      HANG_CSD_QUEUED };
enum hang_irqs { HANG_IRQS_UNKNOWN, HANG_IRQS_ON, HANG_IRQS_OFF };
enum hang_ksoftirqd { HANG_KSOFTIRQD_UNKNOWN, HANG_KSOFTIRQD_SLEEPING,
		      HANG_KSOFTIRQD_RUNNABLE, HANG_KSOFTIRQD_RUNNING };

struct hang_cpu_row;
struct hang_disk_row;

struct hang_cpu_sum {
	bool looked;
	bool online;
	bool faulty;	    /* something of it could not be read */
	bool pending_known;
	bool block_pending;
	bool serving_known;
	bool serving;	    /* inside a softirq handler */
	bool tick_known;
	bool idle;
	bool panicked;	    /* it is the one that brought the machine down */
	bool twice;	    /* a stranded request was seen in both samples */
	bool over;	    /* a stranded request is past its limit */
	u8 csd;		    /* enum hang_csd_state */
	u8 irqs;	    /* enum hang_irqs */
	u8 ksoftirqd;	    /* enum hang_ksoftirqd */
	u32 done;	    /* requests on blk_cpu_done */
	u32 calls;	    /* entries of call_single_queue */
	u32 block_calls;    /* those of them that complete requests */
	u32 ticks;	    /* timer interrupts taken between two samples */
	u32 pid;
	u32 nr_disks;	    /* disks in disk[] */
	u64 late_ns;	    /* how overdue its timer tick is */
	u64 waited_ns;	    /* how long ksoftirqd has been runnable */
	u64 oldest_ns;	    /* age of the oldest stranded request */
	u64 limit_ns;	    /* and that request's limit */
	const struct hang_cpu_row *row; /* the verdict on it, if there is one */
	bool said;
	char task[16 + 1];
	char disk[HANG_CPU_DISKS][HANG_DISK_NAME + 1];
};

/* Where a request that was never issued can be: names of rq.at, and plugs. */
enum hang_left { HANG_LEFT_NOWHERE, HANG_LEFT_DISPATCH, HANG_LEFT_SW,
		 HANG_LEFT_REQUEUE, HANG_LEFT_FLUSH, HANG_LEFT_SCHED,
		 HANG_LEFT_PLUG, HANG_LEFTS };

/* What a task can wait for. */
enum hang_need { HANG_NEED_RQ, HANG_NEED_TAG, HANG_NEED_ENTER, HANG_NEED_QOS,
		 HANG_NEED_BIO, HANG_NEED_FS, HANG_NEEDS };

/* Tasks that wait for the same thing, and the one that slept longest. */
struct hang_sleepers {
	u32 count;
	u32 pid;
	u64 slept_ns;
	char task[16 + 1];
};

/* The state of a queue, as far as it decides whether requests move. */
struct hang_queue_sum {
	bool known;
	bool usage_known;
	bool dead;	   /* its usage counter is */
	bool dead_twice;   /* and so it was in both of two samples */
	bool dead_once;	   /* but that was seen only once, of two times */
	bool active, inactive_pm; /* its device, by power management, if known */
	bool timer_dead;   /* nothing is to time requests out */
	bool requeue_idle; /* nobody is to look at the requeue list */
	bool lists_empty;  /* none to be dispatched, requeued or flushed, for sure */
	u32 freeze, quiesce, pm_only;
	s64 usage;
	u64 timeout_ns;
	/* Hardware queues that have requests on dispatch list or sw queues: */
	u32 stopped;  /* and are marked as stopped */
	u32 inactive; /* and marked so, with a CPU of theirs online */
	u32 idle;     /* and don't wait for a tag, and nobody is to run them */
	u32 stopped_all; /* hardware queues marked as stopped, with requests or not */
	u32 not_idle; /* hardware queues of which the last is not known to hold */
};

/* What holds back bios before they are requests, and SCSI commands. */
struct hang_held_sum {
	u32 throttled;	    /* bios, by limits of cgroups (io.max) */
	u64 throttle_next;  /* when the first of their groups is in turn */
	u64 throttle_late;  /* how long one is past its turn, its timer not armed */
	bool passed;	    /* past all limits, and no work item to submit them */
	char cgroup[64];    /* of the one that is next */
	u32 zones_locked;
	u32 zone_bios;	    /* in write plugs, whose work is not queued */
	bool suspended;	    /* dm */
	bool pathless;	    /* multipath without a path that works */
	u32 inflight;	    /* bios in it, and below */
	u32 deferred;	    /* bios it keeps until it is resumed, or has a path */
	u32 frozen;	    /* how far a file system on it is frozen, 0: not */
	bool frozen_all;    /* all the way */
	char fs[32];	    /* what it calls itself */
	bool in_driver;	    /* bfq counts requests that the driver has */
	u32 domains_full;   /* of kyber, those with all tokens taken, one bit each */
	bool domain_waits;  /* there are requests in one of these */
	bool recovery;	    /* the SCSI host is in error recovery */
	bool blocked;	    /* the SCSI device is, by its transport or driver */
	u32 host, busy, depth, failed;
	u32 handler;	    /* pid of the error handler, 0: unknown */
	u64 handler_slept;
	char handler_state[4];
};

/* The bitmap of tags at which a task has waited longest with none in use. */
struct hang_tags_sum {
	bool sched;
	u32 hctx, depth;
	u32 wake_batch, share;
	bool full, shared;
};

struct hang_disk_sum {
	char name[HANG_DISK_NAME + 1];
	char ops[64];
	bool faulty;
	u32 stage[4];	 /* requests, by enum hang_stage */
	u32 unclear;	 /* busy tags whose request could not be told */
	u32 over;	 /* issued, and past their limit */
	u32 over_left;	 /* allocated but never issued, past their limit */
	u32 over_lost;	 /* completed, past their limit, on no list */
	u32 with_device; /* by its rings, if rings_known; it was told of them */
	u32 unkicked;	 /* in its rings, but it was not told */
	u32 overdue;	 /* issued, their deadline has passed some time ago */
	u32 rearmed;	 /* issued, many times their timeout old, with a new deadline */
	u32 unpolled;	 /* of uncollected, those in rings that are polled */
	u32 uncollected; /* finished by the device, not seen by the driver */
	bool last_known; /* when it gave a request to its driver, and has none */
	u64 last_ns;	 /* how long ago that was, the last time */
	bool rings_shared; /* with other disks */
	bool rings_polled; /* nobody waits for an interrupt of one of them */
	bool stacked;	   /* made of other disks, those in on */
	const struct hang_disk_row *row; /* the verdict on it, if there is one */
	bool said;
	bool accused;	   /* by a verdict, or one of those in on is */
	char on[4 * (HANG_DISK_NAME + 1)]; /* names, joined by ',' */
	bool rings_known; /* how many the device has; the last two may be all */
	u64 oldest_ns;	 /* oldest of those in over */
	u64 limit_ns;	 /* and its limit */
	u32 left_reads;	 /* of over_left */
	u32 nowhere;	 /* allocated, and on no list or plug */
	u32 tag_waits;	 /* hardware queues that wait for a tag, all free */
	u64 full_ns;	 /* the longest sleep for a tag, none free */
	struct hang_held_sum held;
	u32 left_at[HANG_LEFTS]; /* those in over_left, by where they are */
	u64 left_oldest_ns;	 /* oldest of those in over_left */
	u64 left_limit_ns;	 /* and its limit */
	struct hang_queue_sum queue;
	struct hang_tags_sum tags; /* who waits there: see stranded */
	struct hang_tags_sum last_tags; /* that of the last record */
	struct hang_sleepers needs[HANG_NEEDS];
	/*
	 * Those of them that nothing will wake: a record of what they wait for
	 * stands before theirs, and says so.
	 */
	bool strands[HANG_NEEDS];
	u64 stranded_ns[HANG_NEEDS]; /* the longest sleep */
	struct hang_sleepers plugger; /* who keeps requests in a plug */
	char qos[16], last_qos[16]; /* the throttler that is meant; the last */
	bool qos_negative, last_negative; /* counts less than nothing in flight */
};

/* Of the tasks that sleep and can't be killed, those who do so for longest. */
#define HANG_ASLEEP_NAMED 3

struct hang_summary {
	u32 asleep;
	struct hang_sleepers longest[HANG_ASLEEP_NAMED];
	struct hang_cpu_sum *cpus;
	struct hang_disk_sum *disks;
	u32 max_cpus;
	u32 used_cpus;	/* CPU numbers below this have been met */
	u32 max_disks;
	u32 nr_disks;
	u32 last_disk;	/* where the last record's disk was found */
	u32 faults;
	u32 left_out;	/* what did not fit: the summary is not complete */
	u32 looked_cpus, looked_queues, looked_hctxs, looked_tags;
	bool walked;	/* the walk came to its end */
};

/* Empties the summary; the arrays stay where they are. */
void hang_summary_reset(struct hang_summary *sum);

/* Whether word is one of those in a text that are joined by sep. */
bool hang_has_word(const char *text, const char *word, char sep);

/* Copies a string, cut to size, which is not 0. */
void hang_summary_copy(char *to, const char *from, size_t size);

/* What of a record is said of a disk's queue; d is that disk's. */
void hang_summary_add_queue(struct hang_disk_sum *d,
			    const struct hang_rec *rec);
void hang_summary_add_hctx(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_tags(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_qos(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_wait(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_plug(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_blocked(struct hang_disk_sum *d,
			      const struct hang_rec *rec);

/* What of a record is said of what holds bios or commands of a disk back. */
void hang_summary_add_stack(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_throttle(struct hang_disk_sum *d,
			       const struct hang_rec *rec);
void hang_summary_add_zone(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_fs(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_sched(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_nvme(struct hang_disk_sum *d, const struct hang_rec *rec);
void hang_summary_add_scsi(struct hang_disk_sum *d, const struct hang_rec *rec);

/* One more who sleeps; keeps the one who does so for longest. */
void hang_sleepers_add(struct hang_sleepers *s, u32 pid, u64 slept,
		       const char *task);

/* The same for a request that is past its limit and was never issued. */
void hang_summary_add_left(struct hang_disk_sum *d, const struct hang_rec *rec);

/* Takes one record into account. Order matters only as the walk emits them. */
void hang_summary_add(struct hang_summary *sum, const struct hang_rec *rec);

#endif
