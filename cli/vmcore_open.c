// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens a dump step by step, with a plain message for each way it can fail.
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
#define MODULE_BTF_MAX (16 << 20)
#define HUGE_PAGE (2 << 20)
#define LIBRARY_PAGES 64

/* Of utsname in the header of a kdump-compressed file. */
#define KDUMP_SYSNAME_AT 0x0c
#define KDUMP_MACHINE_AT 0x110

/* Where the kernel's half begins with four and with five levels of tables. */
#define KERNEL_MIN_4 0xffff800000000000ULL
#define KERNEL_MIN_5 0xff00000000000000ULL

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
	/* Of a file that was cut, what is mapped may end within a page of it. */
	kdump_set_number_attr(vc->ctx, KDUMP_ATTR_FILE_MMAP_POLICY,
			      KDUMP_MMAP_NEVER);
	if (kdump_open_fd(vc->ctx, vc->fd) != KDUMP_OK) {
		hang_error("%s: not a dump that can be read: %s", path,
			   kdump_get_err(vc->ctx));
		return false;
	}
	if (!is_supported(vc, path))
		return false;
	/* Pages are kept here too, and the library searches its own one by one. */
	kdump_set_number_attr(vc->ctx, "cache.size", LIBRARY_PAGES);
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
	if (vc->t.ops->symbol(&vc->t, "__start_BTF", &start) ||
	    vc->t.ops->symbol(&vc->t, "__stop_BTF", &stop))
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

		if (vmcore_read(vc, start + at, (u8 *)vc->btf_data + at, len))
			return false;
	}
	return true;
}

static bool index_btf(struct vmcore *vc, size_t size, const char **why)
{
	size_t mem_size;

	if (hang_btf_open(&vc->btf, NULL, vc->btf_data, size, vc->t.word, &mem_size,
			  why))
		return false;
	*why = "out of memory";
	vc->btf_mem = calloc(1, mem_size);
	if (!vc->btf_mem)
		return false;
	hang_btf_index(&vc->btf, vc->btf_mem);
	return true;
}

/* A module's BTF goes between the kernel's and those of other modules. */
int vmcore_add_types(struct hang_target *t, u64 addr, u32 size)
{
	struct vmcore *vc = (struct vmcore *)t;
	struct vmcore_types *m = &vc->module[vc->nr_modules];
	const char *why;
	size_t mem_size;
	int err = -ENOMEM;

	if (vc->nr_modules == VMCORE_MODULES || size > MODULE_BTF_MAX)
		return -E2BIG;
	m->data = malloc(size);
	if (m->data)
		err = vmcore_read(vc, addr, m->data, size);
	if (!err)
		err = hang_btf_open(&m->btf, &vc->btf, m->data, size,
				    vc->t.word, &mem_size, &why);
	if (!err)
		m->mem = calloc(1, mem_size);
	if (!m->mem) {
		free(m->data);
		m->data = NULL;
		return err ? err : -ENOMEM;
	}
	hang_btf_index(&m->btf, m->mem);
	m->btf.next = vc->btf.next;
	vc->btf.next = &m->btf;
	vc->nr_modules++;
	return 0;
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
	while (vc->nr_modules--) {
		free(vc->module[vc->nr_modules].data);
		free(vc->module[vc->nr_modules].mem);
	}
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
