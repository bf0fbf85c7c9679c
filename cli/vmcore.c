// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The core's questions, answered from an open dump.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "vmcore.h"

#define RFLAGS_IF 0x200

static struct vmcore *of(struct hang_target *t)
{
	return (struct vmcore *)t;
}

static int to_errno(kdump_status status)
{
	switch (status) {
	case KDUMP_OK:
		return 0;
	case KDUMP_ERR_NODATA:
		return -ENODATA;
	case KDUMP_ERR_EOF:
	case KDUMP_ERR_CORRUPT:
	case KDUMP_ERR_SYSTEM:
		return -EIO;
	default:
		return -EFAULT;
	}
}

static int read_as(struct vmcore *vc, kdump_addrspace_t as, u64 addr, void *buf,
		   size_t len)
{
	size_t got = len;
	kdump_status status = kdump_read(vc->ctx, as, addr, buf, &got);

	if (status == KDUMP_OK && got != len)
		return -ENODATA;
	if (status != KDUMP_OK)
		kdump_clear_err(vc->ctx);
	return to_errno(status);
}

static int to_phys(struct vmcore *vc, u64 addr, u64 *phys)
{
	addrxlat_fulladdr_t at = { .as = ADDRXLAT_KVADDR, .addr = addr };

	if (addrxlat_fulladdr_conv(&at, ADDRXLAT_MACHPHYSADDR, vc->ax,
				   vc->sys) != ADDRXLAT_OK) {
		addrxlat_ctx_clear_err(vc->ax);
		return -EFAULT;
	}
	*phys = at.addr;
	return 0;
}

/* How many bytes from addr on are in pages that follow one another. */
static size_t run_of_pages(struct vmcore *vc, u64 addr, u64 phys, size_t len)
{
	size_t n = VMCORE_PAGE - (addr & (VMCORE_PAGE - 1));
	u64 next;

	while (n < len && !to_phys(vc, addr + n, &next) && next == phys + n)
		n += VMCORE_PAGE;
	return n < len ? n : len;
}

/* Of an ELF dump, by ourselves: what it does not have is no zeros. */
static int read_elf(struct vmcore *vc, u64 addr, void *buf, size_t len)
{
	u8 *p = buf;
	u64 phys;
	int err;

	while (len) {
		size_t n;

		err = to_phys(vc, addr, &phys);
		if (err)
			return err;
		n = run_of_pages(vc, addr, phys, len);
		err = elfmap_read(vc->map, phys, p, n);
		if (err)
			return err;
		addr += n;
		p += n;
		len -= n;
	}
	return 0;
}

static int read_direct(struct vmcore *vc, u64 addr, void *buf, size_t len)
{
	return vc->map ? read_elf(vc, addr, buf, len)
		       : read_as(vc, KDUMP_KVADDR, addr, buf, len);
}

/* A page of the dump, kept: most reads are small and near one another. */
static const u8 *page_of(struct vmcore *vc, u64 addr)
{
	u64 start = addr & ~(u64)(VMCORE_PAGE - 1);
	struct vmcore_page *p = &vc->page[start / VMCORE_PAGE % VMCORE_PAGES];

	if (p->addr == start)
		return p->data;
	p->addr = 0;
	if (read_direct(vc, start, p->data, VMCORE_PAGE))
		return NULL;
	p->addr = start;
	return p->data;
}

int vmcore_read(struct vmcore *vc, u64 addr, void *buf, size_t len)
{
	int err = read_direct(vc, addr, buf, len);

	if (!err && vc->opt.touched)
		vc->opt.touched(vc, addr, len);
	return err;
}

static int op_read(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	u64 in_page = addr & (VMCORE_PAGE - 1);
	struct vmcore *vc = of(t);
	const u8 *page = NULL;

	if (in_page + len <= VMCORE_PAGE)
		page = page_of(vc, addr);
	if (!page)
		return vmcore_read(vc, addr, buf, len);
	memcpy(buf, page + in_page, len);
	if (vc->opt.touched)
		vc->opt.touched(vc, addr, len);
	return 0;
}

static int op_symbol(struct hang_target *t, const char *name, u64 *addr)
{
	struct vmcore *vc = of(t);

	if (vc->have_ks)
		return hang_kallsyms_find(&vc->ks, name, addr);
	return vc->symtab ? symtab_find(vc->symtab, name, addr) : -ENOENT;
}

static int find_symbol(struct vmcore *vc, u64 addr, struct hang_symbol *sym)
{
	int err = -ENOENT;

	if (vc->have_ks)
		err = hang_kallsyms_at(&vc->ks, addr, sym);
	else if (vc->symtab)
		err = symtab_at(vc->symtab, addr, sym);
	if (err && vc->w)
		err = hang_module_symbol_at(vc->w, addr, sym);
	return err;
}

static int op_symbol_at(struct hang_target *t, u64 addr,
			struct hang_symbol *sym)
{
	struct vmcore *vc = of(t);
	u32 i = (u32)(addr >> 3) * 2654435761u % VMCORE_NAMES;
	int err;

	/* The same few functions end all requests of a disk. */
	if (vc->name[i].addr == addr) {
		*sym = vc->name[i].sym;
		return 0;
	}
	err = find_symbol(vc, addr, sym);
	if (!err) {
		vc->name[i].addr = addr;
		vc->name[i].sym = *sym;
	}
	return err;
}

static int op_member(struct hang_target *t, const char *type, const char *path,
		     u32 *offset, u32 *size)
{
	return hang_btf_member(&of(t)->btf, type, path, offset, size);
}

static int op_struct_size(struct hang_target *t, const char *type, u32 *size)
{
	return hang_btf_struct_size(&of(t)->btf, type, size);
}

static int op_enumerator(struct hang_target *t, const char *name, s64 *value)
{
	return hang_btf_enumerator(&of(t)->btf, name, value);
}

static int saved_reg(struct vmcore *vc, u32 cpu, const char *name, u64 *value)
{
	kdump_num_t num;
	char key[40];

	snprintf(key, sizeof(key), "cpu.%u.reg.%s", cpu, name);
	if (kdump_get_number_attr(vc->ctx, key, &num) != KDUMP_OK) {
		kdump_clear_err(vc->ctx);
		return -ENODATA;
	}
	*value = num;
	return 0;
}

/*
 * The CPU that panics turns its interrupts off before it saves its registers,
 * within __crash_kexec(): these say nothing of what was before.
 */
static int op_irqs_on(struct hang_target *t, u32 cpu)
{
	struct hang_symbol sym;
	u64 flags, ip;

	if (saved_reg(of(t), cpu, "rflags", &flags) ||
	    saved_reg(of(t), cpu, "rip", &ip))
		return -ENODATA;
	if (flags & RFLAGS_IF)
		return 1;
	if (!op_symbol_at(t, ip, &sym) && !strcmp(sym.name, "__crash_kexec"))
		return -ENODATA;
	return 0;
}

const struct hang_target_ops vmcore_ops = {
	.read = op_read,
	.symbol = op_symbol,
	.symbol_at = op_symbol_at,
	.member = op_member,
	.type_size = op_struct_size,
	.enumerator = op_enumerator,
	.add_types = vmcore_add_types,
	.irqs_on = op_irqs_on,
};
