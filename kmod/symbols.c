// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of symbols that are not exported: the core's own reader of
 * kallsyms, on live memory. VMCOREINFO says where the tables are, and where
 * VMCOREINFO is, is exported. (To find kallsyms_lookup_name() by a kprobe and
 * call it is deadly where that function's ENDBR has been sealed.)
 */
#include <linux/elf.h>
#include <linux/io.h>
#include <linux/kexec.h> /* VMCOREINFO, whichever header has it */
#include <linux/vmalloc.h>

#include "kmod.h"

/* Loaded whole and at once: struct hang_kallsyms is too large for a stack. */
struct table {
	struct hang_kallsyms ks;
	char info[VMCOREINFO_BYTES];
};

#if IS_ENABLED(CONFIG_VMCORE_INFO) || IS_ENABLED(CONFIG_CRASH_CORE)

/* VMCOREINFO is an ELF note: header, name, then the text. */
static int read_vmcoreinfo(struct hang_target *t, char *info, size_t *len)
{
	u64 note = (unsigned long)phys_to_virt(paddr_vmcoreinfo_note());
	struct elf_note head;

	if (t->ops->read(t, note, &head, sizeof(head)))
		return -EFAULT;
	if (!head.n_descsz || head.n_descsz > VMCOREINFO_BYTES ||
	    head.n_namesz > sizeof(VMCOREINFO_NOTE_NAME))
		return -EINVAL;
	note += sizeof(head) + ALIGN(head.n_namesz, 4);
	*len = head.n_descsz;
	return t->ops->read(t, note, info, *len);
}

#else

static int read_vmcoreinfo(struct hang_target *t, char *info, size_t *len)
{
	return -ENOENT;
}

#endif

struct hang_kallsyms *hang_symbols_open(struct hang_target *t, const char **why)
{
	struct table *table = vzalloc(sizeof(*table));
	size_t len;

	*why = "out of memory";
	if (!table)
		return NULL;
	hang_kallsyms_init(&table->ks, t);
	hang_kallsyms_want_rows(&table->ks);
	hang_kallsyms_want(&table->ks, "__start_BTF");
	hang_kallsyms_want(&table->ks, "__stop_BTF");
	*why = "VMCOREINFO can't be read";
	if (!read_vmcoreinfo(t, table->info, &len) &&
	    !hang_kallsyms_load(&table->ks, table->info, len, why))
		return &table->ks;
	vfree(table);
	return NULL;
}

void hang_symbols_close(struct hang_kallsyms *ks)
{
	if (ks)
		vfree(container_of(ks, struct table, ks));
}
