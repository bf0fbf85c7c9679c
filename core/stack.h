/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Among the files that look at disks made of others: core/stack*.c, upper.c.
 */
#ifndef BLKHANG_STACK_H
#define BLKHANG_STACK_H

#include "core.h"

#define HANG_LOWER_MAX 12

/* Names of lower disks as they are found, each once. */
struct hang_lower {
	struct hang_str text; /* in w->text */
	u64 disk[HANG_LOWER_MAX];
	u32 count;
};

/* Begins with none. */
void hang_lower_init(struct hang_work *w, struct hang_lower *lower);

/*
 * Adds the disk that the block_device at bdev is, or is a part of. What is
 * beyond HANG_LOWER_MAX is left out, and "..." says so.
 */
int hang_lower_add(struct hang_work *w, struct hang_lower *lower, u64 bdev);

/* Reads the name of a gendisk; size is that of name. */
int hang_gendisk_name(struct hang_work *w, u64 disk, char *name, size_t size);

/*
 * One kind of disk each: sets the fields of w->rec, a stack record, from what
 * private_data of its gendisk points to. A negative errno if something could
 * not be read; what could be is set.
 */
int hang_stack_dm(struct hang_work *w, u64 md);
int hang_stack_md(struct hang_work *w, u64 mddev);
int hang_stack_loop(struct hang_work *w, u64 lo);

/* stack_mpath.c: the fields of a multipath target, of which that is private. */
int hang_stack_multipath(struct hang_work *w, u64 mp);

/* A symbol by its name; module is where it is unless it is the kernel's own. */
struct hang_named {
	const char *name;
	const char *module;
};

/* Index of the entry of names that the symbol at addr is, or count. */
u32 hang_named_index(struct hang_work *w, u64 addr,
		     const struct hang_named *names, u32 count);

/* Sets the fields that show who waits for one of the bios on the list at list. */
void hang_stack_show_waiter(struct hang_work *w, u64 list);

/*
 * upper_loop.c: the loop disk whose direct I/O a bio is, which ends so and has
 * this private pointer; -ENOENT if it is none's.
 */
int hang_upper_loop(struct hang_work *w, u64 bio, u64 end_io, u64 private,
		    u64 *disk);

#endif
