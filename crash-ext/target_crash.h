/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target over crash: the kernel looked at is the one crash has open, be it
 * a dump or the running one.
 */
#ifndef BLKHANG_TARGET_CRASH_H
#define BLKHANG_TARGET_CRASH_H

#include <stddef.h>

#include <blkhang/btf.h>
#include <blkhang/target.h>

#define HANG_CRASH_SYMBOLS 64
#define HANG_CRASH_CPUS 8192

struct hang_crash {
	struct hang_target target;
	bool interrupted; /* Ctrl-C was seen: stays so until the next command */
	bool abandoned;	  /* crash has given up the command */
	struct hang_symbol symbols[HANG_CRASH_SYMBOLS]; /* found of late */
	u8 irqs[HANG_CRASH_CPUS]; /* answers kept; 0: not asked yet */
	struct {
		char name[HANG_SYM_NAME];
		long size; /* negative: debug information has no such type */
	} type;			   /* last asked for */
	struct hang_btf *types;	    /* see types.c */
	struct hang_target_ops ops; /* where these tell of types */
};

static inline struct hang_crash *hang_to_crash(struct hang_target *t)
{
	return (struct hang_crash *)((char *)t -
				     offsetof(struct hang_crash, target));
}

/* Makes cr->target look at what crash has open. */
void hang_crash_init(struct hang_crash *cr);

/*
 * From here on types are those of the kernel's BTF; an error where it has none
 * that can be read: they come from debug information. To be closed when the
 * layout is resolved.
 */
int hang_crash_types_open(struct hang_crash *cr);
void hang_crash_types_close(struct hang_crash *cr);

/*
 * To be called when a command begins and when it ends. Nothing is read before;
 * what may have changed since the last one is forgotten.
 */
void hang_crash_begin(struct hang_crash *cr);
void hang_crash_end(struct hang_crash *cr);

/*
 * Between the two, Ctrl-C is put off. While types are looked up it goes to gdb,
 * for which it is one look-up that failed: a fact would be missing for good.
 */
void hang_crash_hold(void);
void hang_crash_release(void);

#endif
