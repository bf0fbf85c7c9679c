/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of the kernel's own symbol table, in the kernel's memory
 * (kernel/kallsyms.c, scripts/kallsyms.c). VMCOREINFO tells where it is.
 */
#ifndef BLKHANG_KALLSYMS_H
#define BLKHANG_KALLSYMS_H

#include "target.h"

#define HANG_WANTED_MAX 96
#define HANG_WANTED_NAME 40
#define HANG_KS_MARKERS 1024
#define HANG_KS_TOKENS 256
#define HANG_KS_TOKEN_BYTES 4096
#define HANG_KS_CHUNK 32768

/* A symbol asked for by name. index is its place in the table. */
struct hang_wanted {
	char name[HANG_WANTED_NAME];
	u32 index;
	bool found;
};

enum hang_ks_encoding {
	HANG_KS_ABSOLUTE,	  /* an array of addresses */
	HANG_KS_BASE,		  /* offsets from a base */
	HANG_KS_ABSOLUTE_PERCPU,  /* the same, but >= 0 is the value itself */
	HANG_KS_PC_RELATIVE,	  /* offsets from each entry's own place */
	HANG_KS_ENCODINGS
};

struct hang_kallsyms {
	struct hang_target *t; /* read through this */
	u64 names, offsets, addresses, relative_base;
	u32 count;
	u8 encoding; /* enum hang_ks_encoding */
	u32 stride;  /* symbols from one marker to the next */
	u32 marker[HANG_KS_MARKERS]; /* offset into names */
	u16 token_index[HANG_KS_TOKENS];
	char tokens[HANG_KS_TOKEN_BYTES];
	u32 nr_wanted;
	struct hang_wanted wanted[HANG_WANTED_MAX];
	u32 chunk_at;  /* offset into names of what chunk holds */
	u32 chunk_len;
	u8 chunk[HANG_KS_CHUNK];
	u64 scratch[2 * 64 + 4 * HANG_KS_TOKENS / 8]; /* while loading */
};

/*
 * Looks up "KEY=value" in a VMCOREINFO note of len bytes (it need not be
 * terminated); returns the value's first byte, or NULL.
 */
const char *hang_vmcoreinfo(const char *info, size_t len, const char *key);

/* The address of "SYMBOL(name)=hex" in it; -ENOENT. */
int hang_vmcoreinfo_symbol(const char *info, size_t len, const char *name,
			   u64 *addr);

/* Makes an empty table that reads through t. */
void hang_kallsyms_init(struct hang_kallsyms *ks, struct hang_target *t);

/* Asks for a symbol before the table is loaded; too many or too long: false. */
bool hang_kallsyms_want(struct hang_kallsyms *ks, const char *name);

/* Asks for every symbol that a layout row names. */
void hang_kallsyms_want_rows(struct hang_kallsyms *ks);

/*
 * Finds the tables by VMCOREINFO, reads all names once, and settles how
 * addresses are encoded: the way in which _stext comes out right. -ENOENT: this
 * kernel's VMCOREINFO does not name them; -EINVAL: they make no sense. *why
 * says it in words.
 */
int hang_kallsyms_load(struct hang_kallsyms *ks, const char *info, size_t len,
		       const char **why);

/* Address of a symbol that was wanted; -ENOENT. */
int hang_kallsyms_find(struct hang_kallsyms *ks, const char *name, u64 *addr);

/* The symbol of the kernel image that covers addr; -ENOENT. */
int hang_kallsyms_at(struct hang_kallsyms *ks, u64 addr,
		     struct hang_symbol *sym);

#endif
