// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The target operations over functions that crash exports. Crash's own tables
 * (OFFSET(), SIZE()) and its structures change from version to version, and a
 * binary should serve several; functions stay. What ends in error(FATAL) or
 * FAULT_ON_ERROR would jump out of the walk, so each call here is one that
 * returns, or is asked about beforehand; but see crash_read().
 */
#include "target_crash.h"

#include <defs.h>
#include <elf.h>
#ifdef __x86_64__
#include <sys/procfs.h>
#include <sys/reg.h>
#endif

/* The longest first part of a path, as in "sched_info.last_queued". */
#define MEMBER_MAX 64

static void copy_string(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

static void block_interrupt(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(how, &set, NULL);
}

void hang_crash_hold(void)
{
	block_interrupt(SIG_BLOCK);
}

void hang_crash_release(void)
{
	block_interrupt(SIG_UNBLOCK);
}

static int read_memory(u64 addr, void *buf, size_t len)
{
	physaddr_t phys;

	if (readmem(addr, KVADDR, buf, len, "blkhang", RETURN_ON_ERROR | QUIET))
		return 0;
	/* Crash doesn't say why. Where there is a mapping, it is the page. */
	if (IS_KVADDR(addr) && kvtop(NULL, addr, &phys, 0))
		return -ENODATA;
	return -EFAULT;
}

/*
 * Whatever is asked of it, crash jumps to its prompt when a page of page tables
 * is missing. That would cost the whole report, so the jump is caught here, and
 * let go on where it was Ctrl-C or the end of a pipe.
 */
static int crash_read(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	struct hang_crash *cr = hang_to_crash(t);
	jmp_buf prompt;
	int err;

	memcpy(prompt, pc->main_loop_env, sizeof(prompt));
	if (setjmp(pc->main_loop_env)) {
		memcpy(pc->main_loop_env, prompt, sizeof(prompt));
		if (cr->abandoned)
			RESTART();
		return -ENODATA;
	}
	err = read_memory(addr, buf, len);
	memcpy(pc->main_loop_env, prompt, sizeof(prompt));
	return err;
}

static int crash_symbol(struct hang_target *t, const char *name, u64 *addr)
{
	(void)t;
	/* symbol_value() takes the kernel's own before those of modules. */
	if (!kernel_symbol_exists((char *)name))
		return -ENOENT;
	*addr = symbol_value((char *)name);
	return 0;
}

/*
 * The module that addr lies in. The name is taken from crash's load_module, of
 * which only the first members are alike everywhere; so crash is asked whether
 * it knows the module by what was found there.
 */
static void find_module(u64 addr, struct hang_symbol *sym)
{
	struct load_module *lm, *same;
	ulong base;

	sym->module[0] = '\0';
	if (!module_symbol(addr, NULL, &lm, NULL, 16))
		return;
	copy_string(sym->module, sizeof(sym->module), lm->mod_name);
	if (!is_module_name(sym->module, &base, &same) || same != lm)
		sym->module[0] = '\0';
}

static int find_symbol(u64 addr, struct hang_symbol *sym)
{
	struct syment *sp, *next;
	ulong offset;

	sp = value_search(addr, &offset);
	if (!sp)
		return -ENOENT;
	sym->start = sp->value;
	copy_string(sym->name, sizeof(sym->name), sp->name);
	find_module(addr, sym);
	next = next_symbol(NULL, sp);
	sym->size = 0;
	if (next && next->value > sp->value)
		sym->size = next->value - sp->value;
	return 0;
}

/* next_symbol() walks the whole table, and requests share few symbols. */
static int crash_symbol_at(struct hang_target *t, u64 addr,
			   struct hang_symbol *sym)
{
	struct hang_crash *cr = hang_to_crash(t);
	struct hang_symbol *known;
	int err;

	known = &cr->symbols[addr / 16 % HANG_CRASH_SYMBOLS];
	if (!known->name[0] || known->start != addr) {
		err = find_symbol(addr, sym);
		if (err || sym->start != addr)
			return err;
		*known = *sym;
	}
	*sym = *known;
	return 0;
}

static int find_member(char *type, char *name, u32 *offset, u32 *size)
{
	long at = MEMBER_OFFSET(type, name);
	long len = at < 0 ? -1 : MEMBER_SIZE(type, name);

	if (len < 0)
		return -ENOENT;
	*offset = at;
	*size = len;
	return 0;
}

/*
 * Whether a member has members itself. Of a pointer, or an array, crash would
 * tell the type it is of.
 */
static bool has_members(char *type, char *name)
{
	long code = MEMBER_TYPE(type, name);

	return code >= 0 && code != TYPE_CODE_PTR && code != TYPE_CODE_ARRAY;
}

/* A member of a member whose type has no name: gdb knows the whole path. */
static int find_nameless(char *type, char *path, u32 *offset, u32 *size)
{
#ifdef ANON_MEMBER_SIZE
	long at = ANON_MEMBER_OFFSET(type, path);
	long len = ANON_MEMBER_SIZE(type, path);

	if (at < 0 || len < 0)
		return -ENOENT;
	*offset = at;
	*size = len;
	return 0;
#else
	return -ENOENT;
#endif
}

/*
 * Gdb takes longest to find that there is no such type, and most rows of a type
 * stand together.
 */
static long size_of(struct hang_crash *cr, const char *type)
{
	if (strcmp(cr->type.name, type)) {
		cr->type.size = STRUCT_SIZE((char *)type);
		copy_string(cr->type.name, sizeof(cr->type.name), type);
	}
	return cr->type.size;
}

static int crash_member(struct hang_target *t, const char *type,
			const char *path, u32 *offset, u32 *size)
{
	char *inner, *in = (char *)type;
	char name[MEMBER_MAX];
	const char *dot;
	u32 base = 0;
	int err;

	if (size_of(hang_to_crash(t), type) < 0)
		return -ENOENT;
	while ((dot = strchr(path, '.'))) {
		if (dot - path >= MEMBER_MAX)
			return -ENOENT;
		copy_string(name, dot - path + 1, path);
		if (find_member(in, name, offset, size) ||
		    !has_members(in, name))
			return -ENOENT;
		inner = MEMBER_TYPE_NAME(in, name);
		if (!inner)
			break;
		base += *offset;
		in = inner;
		path = dot + 1;
	}
	if (dot)
		err = find_nameless(in, (char *)path, offset, size);
	else
		err = find_member(in, (char *)path, offset, size);
	*offset += base;
	return err;
}

static int crash_struct_size(struct hang_target *t, const char *type, u32 *size)
{
	long len = size_of(hang_to_crash(t), type);

	if (len < 0)
		return -ENOENT;
	*size = len;
	return 0;
}

static int crash_enumerator(struct hang_target *t, const char *name, s64 *value)
{
	long found;

	(void)t;
	if (!enumerator_value((char *)name, &found))
		return -ENOENT;
	*value = found;
	return 0;
}

static bool crash_interrupted(struct hang_target *t)
{
	struct hang_crash *cr = hang_to_crash(t);

	/* Asking makes crash forget it. */
	if (received_SIGINT())
		cr->interrupted = true;
	return cr->interrupted;
}

#ifdef __x86_64__

#define FLAGS_IF 0x200 /* interrupts enabled */

enum { IRQS_UNKNOWN = 1, IRQS_OFF, IRQS_ON };

/* The CPU's NT_PRSTATUS note: both return NULL where the dump is not theirs. */
static int saved_regs(u32 cpu, struct elf_prstatus *status)
{
	Elf64_Nhdr *note = netdump_get_prstatus_percpu(cpu);
	char *desc;

	if (!note)
		note = diskdump_get_prstatus_percpu(cpu);
	if (!note || note->n_descsz < sizeof(*status))
		return -ENODATA;
	desc = (char *)(note + 1) + ((note->n_namesz + 3) & ~3U);
	memcpy(status, desc, sizeof(*status));
	return 0;
}

/*
 * The CPU that panics turns its interrupts off before it saves registers, and
 * it saves them within __crash_kexec(): these say nothing of what was before.
 */
static bool is_panicking(u64 ip)
{
	struct syment *sp = value_search(ip, NULL);

	return sp && !strcmp(sp->name, "__crash_kexec");
}

/*
 * Crash looks up a type by gdb before it hands out a note, which takes tens of
 * milliseconds, and Ctrl-C must not come between. Notes of a dump don't change.
 */
static int find_irqs(u32 cpu)
{
	struct elf_prstatus status;
	int err;

	hang_crash_hold();
	err = saved_regs(cpu, &status);
	hang_crash_release();
	if (err || is_panicking(status.pr_reg[RIP]))
		return IRQS_UNKNOWN;
	return status.pr_reg[EFLAGS] & FLAGS_IF ? IRQS_ON : IRQS_OFF;
}

static int crash_irqs_on(struct hang_target *t, u32 cpu)
{
	struct hang_crash *cr = hang_to_crash(t);

	if (cpu >= HANG_CRASH_CPUS)
		return -ENODATA;
	if (!cr->irqs[cpu])
		cr->irqs[cpu] = find_irqs(cpu);
	if (cr->irqs[cpu] == IRQS_UNKNOWN)
		return -ENODATA;
	return cr->irqs[cpu] == IRQS_ON;
}

#else
#define crash_irqs_on NULL
#endif

static const struct hang_target_ops crash_ops = {
	.read = crash_read,
	.symbol = crash_symbol,
	.symbol_at = crash_symbol_at,
	.member = crash_member,
	.type_size = crash_struct_size,
	.enumerator = crash_enumerator,
	.irqs_on = crash_irqs_on,
	.interrupted = crash_interrupted,
};

void hang_crash_init(struct hang_crash *cr)
{
	memset(cr, 0, sizeof(*cr));
	cr->target.ops = &crash_ops;
	/* Crash is built for one architecture, and runs on that as well. */
	cr->target.word = sizeof(long);
	cr->target.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	cr->target.kernel_min = machdep->kvbase;
}

/* Called by crash when it gives up a command. */
static void command_abandoned(void *arg)
{
	struct hang_crash *cr = arg;

	cr->abandoned = true;
	hang_crash_end(cr);
	hang_crash_release();
}

void hang_crash_begin(struct hang_crash *cr)
{
	cr->interrupted = false;
	cr->abandoned = false;
	memset(cr->symbols, 0, sizeof(cr->symbols));
	cr->type.name[0] = '\0';
	pc->cmd_cleanup = command_abandoned;
	pc->cmd_cleanup_arg = cr;
}

void hang_crash_end(struct hang_crash *cr)
{
	(void)cr;
	pc->cmd_cleanup = NULL;
	pc->cmd_cleanup_arg = NULL;
}
