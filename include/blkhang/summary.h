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
	char task[16 + 1];
	char disk[HANG_CPU_DISKS][HANG_DISK_NAME + 1];
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
	u32 uncollected; /* finished by the device, not seen by the driver */
	bool rings_known;
	u64 oldest_ns;	 /* oldest of those in over */
	u64 limit_ns;	 /* and its limit */
};

struct hang_summary {
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

/* Takes one record into account. Order matters only as the walk emits them. */
void hang_summary_add(struct hang_summary *sum, const struct hang_rec *rec);

#endif
