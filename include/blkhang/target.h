/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target: the core's only door to the kernel it looks at. A host (kernel
 * module, crash extension, command line, test) fills in the operations.
 *
 * All addresses and values are u64 whatever the word size of either side. All
 * operations return 0 or a negative errno, never block for ever, never exit,
 * and may be called in hard interrupt context when the host is the module.
 */
#ifndef BLKHANG_TARGET_H
#define BLKHANG_TARGET_H

#include "port.h"

#define HANG_SYM_NAME 128
#define HANG_SYM_MODULE 64

/* A symbol found by address. module is empty for the kernel itself. */
struct hang_symbol {
	u64 start; /* address of the symbol's first byte */
	u64 size;  /* bytes up to the next symbol, 0 if unknown */
	char name[HANG_SYM_NAME];
	char module[HANG_SYM_MODULE];
};

struct hang_target;

struct hang_target_ops {
	/*
	 * Copies len bytes at kernel virtual address addr into buf: all of
	 * them or none. -EFAULT: not mapped. -ENODATA: the page was left out
	 * of the dump. -EIO: the dump itself ends early or is damaged.
	 */
	int (*read)(struct hang_target *t, u64 addr, void *buf, size_t len);

	/* Address of a symbol of the kernel image, as in kallsyms; -ENOENT. */
	int (*symbol)(struct hang_target *t, const char *name, u64 *addr);

	/* The symbol that covers addr, module functions too; -ENOENT. */
	int (*symbol_at)(struct hang_target *t, u64 addr,
			 struct hang_symbol *sym);

	/*
	 * Offset and size in bytes of a member. path may name members of
	 * members ("node.u_flags"); anonymous structs and unions are looked
	 * through, pointers are not followed. -ENOENT: no such member.
	 */
	int (*member)(struct hang_target *t, const char *type, const char *path,
		      u32 *offset, u32 *size);

	/* Size of a struct, union or typedef of one; -ENOENT. */
	int (*type_size)(struct hang_target *t, const char *type, u32 *size);

	/* Value of an enumerator of any enum; -ENOENT. */
	int (*enumerator)(struct hang_target *t, const char *name, s64 *value);

	/*
	 * Optional. Takes in the BTF of a module, size bytes at addr: from
	 * then on member, type_size and enumerator know its types as well.
	 */
	int (*add_types)(struct hang_target *t, u64 addr, u32 size);

	/*
	 * Optional. Whether interrupts were enabled on this CPU by its saved
	 * registers: 1 on, 0 off, -ENODATA where they are not known.
	 */
	int (*irqs_on)(struct hang_target *t, u32 cpu);

	/* Optional. CLOCK_MONOTONIC in ns where the host has a clock of the
	 * target's own (a running kernel); otherwise it is read from memory.
	 */
	int (*now_ns)(struct hang_target *t, u64 *now);

	/*
	 * Optional. The CPU that runs the decoder, where that is one of the
	 * target's own: the decoder keeps it from taking ticks. -1: none.
	 */
	int (*self_cpu)(struct hang_target *t);

	/* Optional. True when the walk should end early (Ctrl-C, time up). */
	bool (*interrupted)(struct hang_target *t);
};

struct hang_target {
	const struct hang_target_ops *ops;
	u32 word;      /* bytes of a pointer: 4 or 8 */
	bool big_endian;
	u64 kernel_min; /* lowest address the kernel's own pointers can have */
};

/* The unsigned integer of size bytes at p, in the target's byte order. */
static inline u64 hang_decode(const struct hang_target *t, const u8 *p,
			      u32 size)
{
	u64 v = 0;
	u32 i;

	for (i = 0; i < size; i++)
		v = v << 8 | p[t->big_endian ? i : size - 1 - i];
	return v;
}

/* Reads such an integer, of at most 8 bytes; 0 and an error if that fails. */
static inline int hang_target_uint(struct hang_target *t, u64 addr, u32 size,
				   u64 *value)
{
	u8 buf[8];
	int err = -EINVAL;

	*value = 0;
	if (size && size <= sizeof(buf))
		err = t->ops->read(t, addr, buf, size);
	if (!err)
		*value = hang_decode(t, buf, size);
	return err;
}

#endif
