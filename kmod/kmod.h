/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the module share.
 *
 * Everything is allocated and looked up at load, and what depends on modules
 * again when one comes or goes, in process context: see modules.c. A dump,
 * asked for in whatever context, takes no lock, allocates nothing, never
 * sleeps, and reads kernel memory only through copy_from_kernel_nofault(). A
 * reader of debugfs, who is in process context, gets a whole dump state of his
 * own, so that he can't be in the way of the key.
 */
#ifndef BLKHANG_KMOD_H
#define BLKHANG_KMOD_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include <blkhang/btf.h>
#include <blkhang/format.h>
#include <blkhang/kallsyms.h>

/* target_live.c: the running kernel as a target */
struct hang_live {
	struct hang_target target;
	struct hang_kallsyms *symbols; /* only during load */
	struct hang_btf *types;	       /* only while rows are resolved */
	bool may_sleep;
	bool stopped; /* the other CPUs have been, for good */
	bool over;    /* the walk has used up its time */
	u32 polls;
	u64 end_ns; /* when it will have */
	char symbol[KSYM_SYMBOL_LEN];
};

void hang_live_init(struct hang_live *live);

/* Starts the time within which a walk has to end. */
void hang_live_start(struct hang_live *live, u64 ns);

/* symbols.c: the kernel's symbol table. NULL, and *why says in words. */
struct hang_kallsyms *hang_symbols_open(struct hang_target *t,
					const char **why);
void hang_symbols_close(struct hang_kallsyms *ks);

/* types.c: the kernel's BTF, found by its symbols. NULL likewise. */
struct hang_btf *hang_types_open(struct hang_target *t, const char **why);
void hang_types_close(struct hang_btf *btf);

/* A module's BTF as well; closed with the kernel's. */
int hang_types_add(struct hang_btf *kernel, struct hang_target *t, u64 addr,
		   u32 size);

/* dump.c */
struct hang_dump {
	struct hang_live live;
	struct hang_work work;
	struct hang_report report;
	u32 id; /* of the dump in the log, and its lines so far */
	u32 n;
	u64 quiet_ns; /* from then on the console is spared */
	char *out;    /* where lines go that are not for the log */
	size_t out_len;
	char frame[HANG_LINE_MAX];
};

/* How a dump waits between its two samples. */
enum hang_wait {
	HANG_WAIT_NONE, /* it does not: one sample */
	HANG_WAIT_SPIN,
	HANG_WAIT_SLEEP,
};

#define HANG_OUT_SIZE (1024 * 1024)

/* Within this, types have been looked up, even by whom others keep waiting. */
#define HANG_ATTACH_NS (60ULL * NSEC_PER_SEC)

/*
 * A dump state. With from, it knows what that one has found out about the
 * kernel, all but the layout, and is ready to run.
 */
struct hang_dump *hang_dump_open(const struct hang_dump *from);
void hang_dump_close(struct hang_dump *d);

/* Finds out about the kernel, and says what can't be found. */
void hang_dump_attach(struct hang_dump *d);

/* Looks at the machine; lines go to the log, or to d->out of HANG_OUT_SIZE. */
void hang_dump_to_log(struct hang_dump *d, enum hang_wait wait);
void hang_dump_to_memory(struct hang_dump *d, char *out);

/*
 * modules.c: attaches d, which is then only read, and keeps up with modules.
 * The layout that is the newest can be had in any context.
 */
int hang_modules_init(struct hang_dump *d);
void hang_modules_exit(void);
void hang_modules_layout(struct hang_layout *layout);

/* How often modules were looked at, and whether they are to be again. */
u32 hang_modules_looked(bool *pending);

/* trigger.c: the sysrq key and the panic notifier. d is theirs until exit. */
void hang_trigger_init(struct hang_dump *d);
void hang_trigger_exit(void);

/* debugfs.c: d is only read. */
void hang_debugfs_init(const struct hang_dump *d);
void hang_debugfs_exit(void);

#endif
