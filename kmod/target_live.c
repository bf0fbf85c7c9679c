// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The running kernel as a target. Whatever is decoded from its memory may be
 * stale or torn the moment after, so no address that comes from there is ever
 * used but through copy_from_kernel_nofault().
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/nmi.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "kmod.h"

#define POLL_EVERY 64 /* some clocks take a microsecond to read */

static struct hang_live *to_live(struct hang_target *t)
{
	return container_of(t, struct hang_live, target);
}

static u64 kernel_min(void)
{
#if defined(CONFIG_X86_64)
	/* User and kernel have a half each; in between, nothing is valid. */
	return -(u64)(TASK_SIZE_MAX + PAGE_SIZE);
#elif defined(CONFIG_ALTERNATE_USER_ADDRESS_SPACE) || !defined(TASK_SIZE_MAX)
	return PAGE_OFFSET;
#else
	return TASK_SIZE_MAX;
#endif
}

static int live_read(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	if (addr < t->kernel_min || addr + len < addr ||
	    addr + len > ULONG_MAX)
		return -EFAULT;
	if (copy_from_kernel_nofault(buf, (void *)(unsigned long)addr, len))
		return -EFAULT;
	return 0;
}

static int live_symbol(struct hang_target *t, const char *name, u64 *addr)
{
	struct hang_live *live = to_live(t);

	return live->symbols ? hang_kallsyms_find(live->symbols, name, addr)
			     : -ENOENT;
}

static const char *hex(const char *s, u64 *value)
{
	for (*value = 0; isxdigit(*s); s++)
		*value = *value << 4 | hex_to_bin(*s);
	return s;
}

/* "name+0x12/0x34 [module]", as sprint_symbol() writes it. */
static int parse_symbol(const char *s, u64 addr, struct hang_symbol *sym)
{
	size_t len = strcspn(s, "+");
	u64 offset;

	if (strncmp(s + len, "+0x", 3))
		return -ENOENT;
	strscpy(sym->name, s, min(len + 1, sizeof(sym->name)));
	s = hex(s + len + 3, &offset);
	if (strncmp(s, "/0x", 3))
		return -ENOENT;
	s = hex(s + 3, &sym->size);
	sym->start = addr - offset;
	sym->module[0] = '\0';
	if (!strncmp(s, " [", 2))
		strscpy(sym->module, s + 2,
			min(strcspn(s + 2, "] ") + 1, sizeof(sym->module)));
	return 0;
}

/*
 * kallsyms and the tables of modules can be searched in any context; only
 * this function of those that do is exported.
 */
static int live_symbol_at(struct hang_target *t, u64 addr,
			  struct hang_symbol *sym)
{
	struct hang_live *live = to_live(t);

	if (addr < t->kernel_min || addr > ULONG_MAX)
		return -ENOENT;
	sprint_symbol(live->symbol, addr);
	return parse_symbol(live->symbol, addr, sym);
}

static int live_member(struct hang_target *t, const char *type,
		       const char *path, u32 *offset, u32 *size)
{
	struct hang_live *live = to_live(t);

	return live->types ? hang_btf_member(live->types, type, path, offset,
					     size)
			   : -ENOENT;
}

static int live_struct_size(struct hang_target *t, const char *type, u32 *size)
{
	struct hang_live *live = to_live(t);

	return live->types ? hang_btf_struct_size(live->types, type, size)
			   : -ENOENT;
}

static int live_enumerator(struct hang_target *t, const char *name, s64 *value)
{
	struct hang_live *live = to_live(t);

	return live->types ? hang_btf_enumerator(live->types, name, value)
			   : -ENOENT;
}

static int live_add_types(struct hang_target *t, u64 addr, u32 size)
{
	struct hang_live *live = to_live(t);

	return live->types ? hang_types_add(live->types, t, addr, size)
			   : -ENOENT;
}

/*
 * The one clock that can be read while its own update is interrupted. Once the
 * CPUs are stopped, time is what they saw last, as in any memory dump; else
 * each of them would seem to have missed its timer ticks.
 */
static int live_now_ns(struct hang_target *t, u64 *now)
{
	if (to_live(t)->stopped)
		return -ENODATA;
	*now = ktime_get_mono_fast_ns();
	return 0;
}

static bool live_interrupted(struct hang_target *t)
{
	struct hang_live *live = to_live(t);

	if (live->over || live->polls++ % POLL_EVERY)
		return live->over;
	touch_nmi_watchdog();
	if (live->may_sleep)
		cond_resched();
	live->over = ktime_get_mono_fast_ns() > live->end_ns;
	return live->over;
}

/* In a panic the CPU may be the very one that was stuck. */
static int live_self_cpu(struct hang_target *t)
{
	return to_live(t)->stopped ? -1 : raw_smp_processor_id();
}

static const struct hang_target_ops live_ops = {
	.read = live_read,
	.symbol = live_symbol,
	.symbol_at = live_symbol_at,
	.member = live_member,
	.type_size = live_struct_size,
	.enumerator = live_enumerator,
	.add_types = live_add_types,
	.now_ns = live_now_ns,
	.self_cpu = live_self_cpu,
	.interrupted = live_interrupted,
};

void hang_live_init(struct hang_live *live)
{
	live->target.ops = &live_ops;
	live->target.word = sizeof(long);
	live->target.big_endian = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);
	live->target.kernel_min = kernel_min();
}

void hang_live_start(struct hang_live *live, u64 ns)
{
	live->over = false;
	live->polls = 0;
	live->end_ns = ktime_get_mono_fast_ns() + ns;
}
