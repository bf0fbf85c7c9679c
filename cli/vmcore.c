// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens a dump step by step, with a plain message for each way it can fail,
 * and answers the core's questions from it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "flat.h"
#include "vmcore.h"

#define BTF_MAX (256 << 20)
#define HUGE_PAGE (2 << 20)
#define RFLAGS_IF 0x200

/* Of utsname in the header of a kdump-compressed file. */
#define KDUMP_SYSNAME_AT 0x0c
#define KDUMP_MACHINE_AT 0x110

/* Where the kernel's half begins with four and with five levels of tables. */
#define KERNEL_MIN_4 0xffff800000000000ULL
#define KERNEL_MIN_5 0xff00000000000000ULL

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

/* Within a page of an ELF dump: what it does not have is no zeros. */
static int read_elf(struct vmcore *vc, u64 addr, void *buf, size_t len)
{
	addrxlat_fulladdr_t at = { .as = ADDRXLAT_KVADDR, .addr = addr };
	int err;

	if (addrxlat_fulladdr_conv(&at, ADDRXLAT_MACHPHYSADDR, vc->ax,
				   vc->sys) != ADDRXLAT_OK) {
		addrxlat_ctx_clear_err(vc->ax);
		return -EFAULT;
	}
	err = elfmap_check(vc->map, at.addr, len);
	if (err)
		return err;
	return read_as(vc, KDUMP_MACHPHYSADDR, at.addr, buf, len);
}

static int read_direct(struct vmcore *vc, u64 addr, void *buf, size_t len)
{
	u8 *p = buf;
	int err = 0;

	if (!vc->map)
		return read_as(vc, KDUMP_KVADDR, addr, buf, len);
	while (!err && len) {
		size_t n = VMCORE_PAGE - (addr & (VMCORE_PAGE - 1));

		if (n > len)
			n = len;
		err = read_elf(vc, addr, p, n);
		addr += n;
		p += n;
		len -= n;
	}
	return err;
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

static int read_noted(struct vmcore *vc, u64 addr, void *buf, size_t len)
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
		return read_noted(vc, addr, buf, len);
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

static int op_irqs_on(struct hang_target *t, u32 cpu)
{
	kdump_num_t flags;
	char key[40];

	snprintf(key, sizeof(key), "cpu.%u.reg.rflags", cpu);
	if (kdump_get_number_attr(of(t)->ctx, key, &flags) != KDUMP_OK) {
		kdump_clear_err(of(t)->ctx);
		return -ENODATA;
	}
	return !!(flags & RFLAGS_IF);
}

static const struct hang_target_ops vmcore_ops = {
	.read = op_read,
	.symbol = op_symbol,
	.symbol_at = op_symbol_at,
	.member = op_member,
	.type_size = op_struct_size,
	.enumerator = op_enumerator,
	.irqs_on = op_irqs_on,
};

static bool map_elf(struct vmcore *vc, const char *path)
{
	vc->map = elfmap_open(vc->fd, &vc->truncated);
	if (vc->truncated)
		hang_error("%s: ends early; going on with what there is", path);
	return true;
}

static bool open_file(struct vmcore *vc, const char *path)
{
	const char *why;
	struct stat st;
	int flat;

	vc->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (vc->fd < 0 || fstat(vc->fd, &st)) {
		hang_error("%s: %s", path, strerror(errno));
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		hang_error("%s: is a directory, not a dump", path);
		return false;
	}
	if (S_ISREG(st.st_mode) && !st.st_size) {
		hang_error("%s: is empty", path);
		return false;
	}
	vc->format = "";
	if (!hang_flat_is(vc->fd))
		return map_elf(vc, path);
	flat = hang_flat_open(vc->fd, &vc->truncated, &why);
	if (flat < 0) {
		hang_error("%s: %s: %s", path, why, strerror(-flat));
		return false;
	}
	close(vc->fd);
	vc->fd = flat;
	vc->format = "flattened ";
	return map_elf(vc, path);
}

/*
 * QEMU leaves most of the utsname in a kdump header empty, and libkdumpfile
 * then does not believe the machine's name that is there. Told before the file
 * is opened, it reads the registers too.
 */
static void settle_arch(struct vmcore *vc)
{
	static const char machine[] = KDUMP_ARCH_X86_64;
	char buf[KDUMP_MACHINE_AT + sizeof(machine)];

	if (pread(vc->fd, buf, sizeof(buf), 0) == sizeof(buf) &&
	    !memcmp(buf, "KDUMP   ", 8) && !buf[KDUMP_SYSNAME_AT] &&
	    !memcmp(buf + KDUMP_MACHINE_AT, machine, sizeof(machine)))
		kdump_set_string_attr(vc->ctx, KDUMP_ATTR_ARCH_NAME, machine);
}

static bool is_supported(struct vmcore *vc, const char *path)
{
	kdump_num_t order = KDUMP_LITTLE_ENDIAN;
	const char *arch = "unknown";

	kdump_get_string_attr(vc->ctx, KDUMP_ATTR_ARCH_NAME, &arch);
	if (strcmp(arch, KDUMP_ARCH_X86_64)) {
		hang_error("%s: is of architecture %s; only x86_64 is supported",
			   path, arch);
		return false;
	}
	kdump_get_number_attr(vc->ctx, KDUMP_ATTR_BYTE_ORDER, &order);
	vc->t.big_endian = order == KDUMP_BIG_ENDIAN;
	return true;
}

static bool open_dump(struct vmcore *vc, const char *path)
{
	vc->ctx = kdump_new();
	if (!vc->ctx) {
		hang_error("out of memory");
		return false;
	}
	settle_arch(vc);
	if (kdump_open_fd(vc->ctx, vc->fd) != KDUMP_OK) {
		hang_error("%s: not a dump that can be read: %s", path,
			   kdump_get_err(vc->ctx));
		return false;
	}
	if (!is_supported(vc, path))
		return false;
	if (kdump_set_string_attr(vc->ctx, KDUMP_ATTR_OSTYPE, "linux") !=
	    KDUMP_OK) {
		hang_error("%s: no Linux kernel found in it: %s", path,
			   kdump_get_err(vc->ctx));
		return false;
	}
	if (vc->map && kdump_get_addrxlat(vc->ctx, &vc->ax, &vc->sys) !=
	    KDUMP_OK) {
		hang_error("%s: %s", path, kdump_get_err(vc->ctx));
		return false;
	}
	return true;
}

static void read_vmcoreinfo(struct vmcore *vc)
{
	const char *la57;
	size_t len;

	vc->t.kernel_min = KERNEL_MIN_4;
	if (kdump_vmcoreinfo_raw(vc->ctx, &vc->info) != KDUMP_OK) {
		kdump_clear_err(vc->ctx);
		vc->info = NULL;
		return;
	}
	len = strlen(vc->info);
	la57 = hang_vmcoreinfo(vc->info, len, "NUMBER(pgtable_l5_enabled)");
	if (la57 && *la57 == '1')
		vc->t.kernel_min = KERNEL_MIN_5;
}

/* False if the supplement has a symbol elsewhere than VMCOREINFO says. */
static bool agrees(struct vmcore *vc, const char *name)
{
	u64 theirs, ours;

	if (hang_vmcoreinfo_symbol(vc->info, strlen(vc->info), name, &theirs))
		return true;
	return symtab_find(vc->symtab, name, &ours) || ours == theirs;
}

static bool load_supplement(struct vmcore *vc)
{
	const char *system_map = vc->opt.system_map;
	const char *vmlinux = vc->opt.vmlinux;
	const char *offset = NULL;

	if (!vmlinux && !system_map)
		return true;
	vc->symtab = system_map ? symtab_from_map(system_map)
				: symtab_from_vmlinux(vmlinux);
	if (!vc->symtab)
		return false;
	if (!vc->info)
		return true;
	offset = hang_vmcoreinfo(vc->info, strlen(vc->info), "KERNELOFFSET");
	if (offset)
		symtab_relocate(vc->symtab, strtoull(offset, NULL, 16));
	if (agrees(vc, "_stext") && agrees(vc, "init_uts_ns"))
		return true;
	hang_error("%s: is not of the kernel in this dump",
		   system_map ? system_map : vmlinux);
	return false;
}

static bool load_symbols(struct vmcore *vc, const char *path)
{
	const char *why = "the dump has no VMCOREINFO";

	hang_kallsyms_init(&vc->ks, &vc->t);
	hang_kallsyms_want_rows(&vc->ks);
	hang_kallsyms_want(&vc->ks, "__start_BTF");
	hang_kallsyms_want(&vc->ks, "__stop_BTF");
	if (vc->info && !hang_kallsyms_load(&vc->ks, vc->info,
					    strlen(vc->info), &why)) {
		vc->have_ks = true;
		return true;
	}
	if (vc->symtab)
		return true;
	hang_error("%s: no symbols: %s", path, why);
	if (!vc->info)
		hang_error("QEMU writes it only with '-device vmcoreinfo' and"
			   " the guest's qemu_fw_cfg module loaded");
	hang_error("give the kernel's own with --system-map or --vmlinux");
	return false;
}

/* Megabytes, read once: a page fault for each page would show. */
static void *btf_room(size_t size)
{
	void *p = NULL;

	if (posix_memalign(&p, HUGE_PAGE, size))
		return NULL;
	madvise(p, size & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
	return p;
}

static bool btf_from_dump(struct vmcore *vc, size_t *size, const char **why)
{
	u64 start, stop, at;

	*why = "the kernel has none (CONFIG_DEBUG_INFO_BTF off)";
	if (op_symbol(&vc->t, "__start_BTF", &start) ||
	    op_symbol(&vc->t, "__stop_BTF", &stop))
		return false;
	*why = "its size is impossible";
	if (stop <= start || stop - start > BTF_MAX)
		return false;
	*size = stop - start;
	*why = "out of memory";
	vc->btf_data = btf_room(*size);
	if (!vc->btf_data)
		return false;
	*why = "it can't be read from the dump";
	for (at = 0; at < *size; at += 1 << 16) {
		size_t len = *size - at < 1 << 16 ? *size - at : 1 << 16;

		if (read_noted(vc, start + at, (u8 *)vc->btf_data + at, len))
			return false;
	}
	return true;
}

static bool index_btf(struct vmcore *vc, size_t size, const char **why)
{
	size_t mem_size;

	if (hang_btf_open(&vc->btf, vc->btf_data, size, vc->t.word, &mem_size,
			  why))
		return false;
	*why = "out of memory";
	vc->btf_mem = calloc(1, mem_size);
	if (!vc->btf_mem)
		return false;
	hang_btf_index(&vc->btf, vc->btf_mem);
	return true;
}

static bool load_types(struct vmcore *vc, const char *path)
{
	const char *why;
	size_t size;

	if (btf_from_dump(vc, &size, &why) && index_btf(vc, size, &why))
		return true;
	if (vc->opt.vmlinux) {
		free(vc->btf_data);
		vc->btf_data = symtab_btf(vc->opt.vmlinux, &size);
		if (vc->btf_data && index_btf(vc, size, &why))
			return true;
	}
	hang_error("%s: no BTF, so no types: %s", path, why);
	return false;
}

void vmcore_close(struct vmcore *vc)
{
	symtab_free(vc->symtab);
	free(vc->btf_mem);
	free(vc->btf_data);
	free(vc->info);
	elfmap_close(vc->map);
	if (vc->sys)
		addrxlat_sys_decref(vc->sys);
	if (vc->ax)
		addrxlat_ctx_decref(vc->ax);
	if (vc->ctx)
		kdump_free(vc->ctx);
	if (vc->fd >= 0)
		close(vc->fd);
	free(vc);
}

struct vmcore *vmcore_open(const char *path, const struct vmcore_options *opt)
{
	struct vmcore *vc = calloc(1, sizeof(*vc));

	if (!vc) {
		hang_error("out of memory");
		return NULL;
	}
	vc->fd = -1;
	vc->opt = *opt;
	vc->t.ops = &vmcore_ops;
	vc->t.word = 8;
	if (open_file(vc, path) && open_dump(vc, path)) {
		read_vmcoreinfo(vc);
		if (load_supplement(vc) && load_symbols(vc, path) &&
		    load_types(vc, path))
			return vc;
	}
	vmcore_close(vc);
	return NULL;
}
