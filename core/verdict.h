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

/* Issued requests of all disks that are past their limit. */
u32 hang_requests_over(const struct hang_work *w);

/* A diagnosis of a disk: rows are asked in order, the first that holds is it. */
struct hang_disk_row {
	const char *id;
	const char *confidence;
	bool (*holds)(const struct hang_work *w, const struct hang_disk_sum *d);
	u32 (*requests)(const struct hang_disk_sum *d);
	void (*say)(struct hang_str *s, const struct hang_disk_sum *d);
	const char *next[HANG_NEXTS];
};

/* verdict_queue.c: the row that holds for what waits above the driver, or NULL. */
const struct hang_disk_row *hang_queue_row(const struct hang_work *w,
					   const struct hang_disk_sum *d);

/* Judge every CPU, every disk; the number of verdicts emitted. */
u32 hang_judge_cpus(struct hang_work *w);
u32 hang_judge_disks(struct hang_work *w);

#endif
