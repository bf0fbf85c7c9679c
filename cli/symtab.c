// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sorted table of symbols read from System.map or vmlinux.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "symtab.h"

/* Below this a value is a per-CPU offset or a constant, not an address. */
#define ADDRESS_MIN 0xff00000000000000ULL

struct entry {
	u64 addr;
	char *name;
};

struct symtab {
	struct entry *entry;
	size_t count, room;
};

static bool add(struct symtab *st, u64 addr, const char *name)
{
	if (st->count == st->room) {
		size_t room = st->room ? st->room * 2 : 4096;
		struct entry *p = realloc(st->entry, room * sizeof(*p));

		if (!p)
			return false;
		st->entry = p;
		st->room = room;
	}
	st->entry[st->count].addr = addr;
	st->entry[st->count].name = strdup(name);
	return st->entry[st->count++].name != NULL;
}

static int by_addr(const void *a, const void *b)
{
	u64 x = ((const struct entry *)a)->addr;
	u64 y = ((const struct entry *)b)->addr;

	return x < y ? -1 : x > y;
}

static struct symtab *finish(struct symtab *st, const char *path)
{
	if (st->count) {
		qsort(st->entry, st->count, sizeof(*st->entry), by_addr);
		return st;
	}
	hang_error("%s: no symbols in it", path);
	symtab_free(st);
	return NULL;
}

struct symtab *symtab_from_map(const char *path)
{
	struct symtab *st = calloc(1, sizeof(*st));
	FILE *f = fopen(path, "re");
	unsigned long long addr;
	char line[1024], name[512], type;

	if (!st || !f) {
		hang_error("%s: %s", path, strerror(errno));
		free(st);
		if (f)
			fclose(f);
		return NULL;
	}
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %511s", &addr, &type, name) == 3 &&
		    !add(st, addr, name))
			break;
	fclose(f);
	return finish(st, path);
}

/* Opens an ELF file; NULL if it is none. */
static Elf *open_elf(const char *path, int *fd)
{
	Elf *elf = NULL;

	elf_version(EV_CURRENT);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0)
		elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		elf = NULL;
	}
	if (!elf && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return elf;
}

static Elf_Data *section(Elf *elf, u32 type, const char *name, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	size_t strndx;

	if (elf_getshdrstrndx(elf, &strndx))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *s;

		if (!gelf_getshdr(scn, shdr) || shdr->sh_type != type)
			continue;
		s = elf_strptr(elf, strndx, shdr->sh_name);
		if (s && !strcmp(s, name))
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

static void add_elf_symbols(struct symtab *st, Elf *elf)
{
	GElf_Shdr shdr;
	Elf_Data *data = section(elf, SHT_SYMTAB, ".symtab", &shdr);
	size_t i, n;

	n = data && shdr.sh_entsize ? shdr.sh_size / shdr.sh_entsize : 0;
	for (i = 0; i < n; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym) || !sym.st_name ||
		    sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, shdr.sh_link, sym.st_name);
		if (name && *name && !add(st, sym.st_value, name))
			return;
	}
}

struct symtab *symtab_from_vmlinux(const char *path)
{
	struct symtab *st = calloc(1, sizeof(*st));
	Elf *elf;
	int fd;

	elf = st ? open_elf(path, &fd) : NULL;
	if (!elf) {
		hang_error("%s: not a readable ELF file", path);
		free(st);
		return NULL;
	}
	add_elf_symbols(st, elf);
	elf_end(elf);
	close(fd);
	return finish(st, path);
}

void *symtab_btf(const char *vmlinux, size_t *size)
{
	void *copy = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;
	Elf *elf;
	int fd;

	elf = open_elf(vmlinux, &fd);
	if (!elf)
		return NULL;
	data = section(elf, SHT_PROGBITS, ".BTF", &shdr);
	if (data && data->d_buf && data->d_size) {
		copy = malloc(data->d_size);
		if (copy)
			memcpy(copy, data->d_buf, data->d_size);
		*size = data->d_size;
	}
	elf_end(elf);
	close(fd);
	return copy;
}

void symtab_free(struct symtab *st)
{
	size_t i;

	for (i = 0; st && i < st->count; i++)
		free(st->entry[i].name);
	if (st)
		free(st->entry);
	free(st);
}

void symtab_relocate(struct symtab *st, u64 offset)
{
	size_t i;

	for (i = 0; i < st->count; i++)
		if (st->entry[i].addr >= ADDRESS_MIN)
			st->entry[i].addr += offset;
}

int symtab_find(const struct symtab *st, const char *name, u64 *addr)
{
	size_t i;

	for (i = 0; i < st->count; i++) {
		if (!strcmp(st->entry[i].name, name)) {
			*addr = st->entry[i].addr;
			return 0;
		}
	}
	return -ENOENT;
}

int symtab_at(const struct symtab *st, u64 addr, struct hang_symbol *sym)
{
	size_t low = 0, high = st->count, i;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (st->entry[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || low == st->count)
		return -ENOENT;
	for (i = low - 1; i && st->entry[i - 1].addr == st->entry[i].addr;)
		i--;
	sym->start = st->entry[i].addr;
	sym->size = st->entry[low].addr - sym->start;
	sym->module[0] = '\0';
	snprintf(sym->name, sizeof(sym->name), "%s", st->entry[i].name);
	return 0;
}
