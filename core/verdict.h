/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the verdict rows share: writing sentences, and questions about the
 * machine as a whole.
 */
#ifndef BLKHANG_VERDICT_H
#define BLKHANG_VERDICT_H

#include "core.h"

#define HANG_NEXTS 3

/* Begins a sentence in w->text. */
struct hang_str *hang_sentence(struct hang_work *w, struct hang_str *s);

/* Emits a say, evidence or next record. */
void hang_say(struct hang_work *w, enum hang_rec_type type, const char *text);

/* Emits the sentence in w->text as evidence. */
void hang_evidence(struct hang_work *w);

/* Emits what to do next: up to HANG_NEXTS texts, or NULL after the last. */
void hang_say_next(struct hang_work *w, const char *const *next);

/* Emits the verdict itself; cpu -1 and disk NULL where it has none. */
void hang_say_verdict(struct hang_work *w, const char *id,
		      const char *confidence, int cpu, const char *disk,
		      u32 requests);

/* Whether this CPU, or any, has taken no timer tick for too long. */
bool hang_cpu_is_stalled(const struct hang_work *w,
			 const struct hang_cpu_sum *c);
bool hang_any_cpu_is_stalled(const struct hang_work *w);

/* Whether something of an online CPU could not be read. */
bool hang_any_cpu_is_faulty(const struct hang_work *w);

/* Requests of all disks that are past their limit and have not been finished. */
u32 hang_requests_over(const struct hang_work *w);

/*
 * Whether the disk gave its driver a request just now: it has none at the moment,
 * as it is between any two, but whoever waits will have his turn.
 */
bool hang_disk_moves(const struct hang_work *w, const struct hang_disk_sum *d);

/* A diagnosis of a disk: rows are asked in order, the first that holds is it. */
struct hang_disk_row {
	const char *id;
	const char *confidence;
	bool (*holds)(const struct hang_work *w, const struct hang_disk_sum *d);
	u32 (*requests)(const struct hang_disk_sum *d);
	void (*say)(struct hang_str *s, const struct hang_disk_sum *d);
	const char *next[HANG_NEXTS];
	/* Whether the same fault is that of another disk, so that it is said once. */
	bool (*explains)(const struct hang_disk_sum *d,
			 const struct hang_disk_sum *other);
};

/* The first of these rows that holds for the disk, or NULL. */
const struct hang_disk_row *
hang_row_that_holds(const struct hang_disk_row *rows, u32 count,
		    const struct hang_work *w, const struct hang_disk_sum *d);

/*
 * The row that holds for a disk, or NULL: verdict_held.c has those of what holds
 * its bios and commands back, and of a file system on it; verdict_issued.c those
 * of what the driver has; verdict_queue.c those of what waits above it.
 */
const struct hang_disk_row *hang_held_row(const struct hang_work *w,
					  const struct hang_disk_sum *d);
const struct hang_disk_row *hang_fs_row(const struct hang_work *w,
					const struct hang_disk_sum *d);
const struct hang_disk_row *hang_issued_row(const struct hang_work *w,
					    const struct hang_disk_sum *d);
const struct hang_disk_row *hang_queue_row(const struct hang_work *w,
					   const struct hang_disk_sum *d);

/* Requests that the driver was given and that have not completed. */
u32 hang_disk_issued(const struct hang_disk_sum *d);

/* From when on who waits at the disk waits too long: as its requests would. */
u64 hang_disk_limit(const struct hang_work *w, const struct hang_disk_sum *d);
bool hang_waits_long(const struct hang_work *w, const struct hang_disk_sum *d,
		     u64 slept_ns);

/*
 * Whether neither the driver has a request of the disk nor a CPU one to end, all
 * of which would explain what waits above.
 */
bool hang_nothing_below(const struct hang_work *w,
			const struct hang_disk_sum *d);

/*
 * verdict_cpu.c, verdict_disk.c: find for every CPU and every disk the row that
 * holds, if one does; the number of those for which one does.
 */
u32 hang_find_cpu_rows(struct hang_work *w);
u32 hang_find_disk_rows(struct hang_work *w);

/* Say the verdict of one for which a row holds. */
void hang_say_cpu(struct hang_work *w, u32 cpu);
void hang_say_disk(struct hang_work *w, const struct hang_disk_sum *d);

/* The verb for so many who wait. */
static inline const char *hang_waits(u32 n)
{
	return n == 1 ? " waits" : " wait";
}

/* Appends so many "requests of" the disk. */
void hang_put_requests(struct hang_str *s, const struct hang_disk_sum *d,
		       u32 n);

/* How many requests and tasks wait because of it. */
u32 hang_cpu_waiting(const struct hang_cpu_sum *c);
u32 hang_disk_waiting(const struct hang_disk_sum *d);

const char *hang_cpu_confidence(const struct hang_cpu_sum *c);

/* Who waits for what of a disk, as evidence. */
void hang_evidence_tasks(struct hang_work *w, const struct hang_disk_sum *d);

/*
 * verdict_rest.c: verdicts about the machine, where nothing is wrong with a disk;
 * the number that were said. CPUs that are stuck and were not accused of
 * anything; tasks that sleep though the block layer is idle.
 */
u32 hang_judge_stuck_cpus(struct hang_work *w);
u32 hang_judge_idle(struct hang_work *w);

/* Says which bios are held back by policy. */
void hang_say_policy(struct hang_work *w);

#endif
