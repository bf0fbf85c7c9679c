/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A vmcore as a target: memory through libkdumpfile, types from the BTF and
 * symbols from the kallsyms it holds.
 */
#ifndef BLKHANG_VMCORE_H
#define BLKHANG_VMCORE_H

#include <blkhang/btf.h>
#include <blkhang/kallsyms.h>
#include <blkhang/walk.h>

#include <libkdumpfile/addrxlat.h>
#include <libkdumpfile/kdumpfile.h>

#include "elfmap.h"
#include "symtab.h"

#define VMCORE_PAGES 64
#define VMCORE_PAGE 4096
#define VMCORE_NAMES 64
#define VMCORE_MODULES 32

struct vmcore_page {
	u64 addr; /* 0: holds nothing */
	u8 data[VMCORE_PAGE];
};

struct vmcore;

struct vmcore_options {
	const char *vmlinux;	/* supplements, may be NULL: they serve */
	const char *system_map; /* where the dump lacks its own */

	/* Optional: told of every piece of memory that is read. */
	void (*touched)(struct vmcore *vc, u64 addr, size_t len);
	void *touched_arg;
};

struct vmcore {
	struct hang_target t;
	struct vmcore_options opt;
	struct hang_work *w; /* for module symbols, once attached */
	kdump_ctx_t *ctx;
	int fd;
	bool truncated;
	const char *format;
	struct elfmap *map; /* NULL: libkdumpfile knows what is missing */
	addrxlat_ctx_t *ax;
	addrxlat_sys_t *sys;
	char *info; /* VMCOREINFO, may be NULL */
	struct hang_kallsyms ks;
	bool have_ks;
	struct symtab *symtab; /* a supplement, may be NULL */
	struct hang_btf btf;
	void *btf_data;
	void *btf_mem;
	struct vmcore_types {
		struct hang_btf btf;
		void *data;
		void *mem;
	} module[VMCORE_MODULES];
	u32 nr_modules;
	struct vmcore_page page[VMCORE_PAGES];
	struct {
		u64 addr;
		struct hang_symbol sym;
	} name[VMCORE_NAMES];
};

/*
 * Opens the dump. NULL after a message to stderr. Close with vmcore_close().
 */
struct vmcore *vmcore_open(const char *path, const struct vmcore_options *opt);
void vmcore_close(struct vmcore *vc);

/* The target operations, and the read behind them: not through kept pages. */
extern const struct hang_target_ops vmcore_ops;
int vmcore_add_types(struct hang_target *t, u64 addr, u32 size);
int vmcore_read(struct vmcore *vc, u64 addr, void *buf, size_t len);

#endif
