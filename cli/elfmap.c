// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PT_LOAD segments of an ELF dump, sorted by physical address, against the
 * length of the file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "elfmap.h"

struct range {
	u64 start;
	u64 end;  /* of what the segment should hold */
	u64 here; /* of what the file has of it */
};

struct elfmap {
	size_t count;
	struct range range[];
};

static int by_start(const void *a, const void *b)
{
	u64 x = ((const struct range *)a)->start;
	u64 y = ((const struct range *)b)->start;

	return x < y ? -1 : x > y;
}

static void add(struct elfmap *map, const GElf_Phdr *ph, u64 size,
		bool *truncated)
{
	struct range *r = &map->range[map->count];
	u64 have = ph->p_offset < size ? size - ph->p_offset : 0;

	if (ph->p_type != PT_LOAD || !ph->p_filesz)
		return;
	if (have < ph->p_filesz)
		*truncated = true;
	else
		have = ph->p_filesz;
	r->start = ph->p_paddr;
	r->end = ph->p_paddr + ph->p_filesz;
	r->here = ph->p_paddr + have;
	map->count++;
}

/* Segments may overlap: QEMU's "-p" maps one page many times. */
static void merge(struct elfmap *map)
{
	size_t i, n = 0;

	qsort(map->range, map->count, sizeof(map->range[0]), by_start);
	for (i = 1; i < map->count; i++) {
		struct range *last = &map->range[n];
		const struct range *r = &map->range[i];

		if (r->start > last->here) {
			map->range[++n] = *r;
			continue;
		}
		if (r->here > last->here)
			last->here = r->here;
		if (r->end > last->end)
			last->end = r->end;
	}
	if (map->count)
		map->count = n + 1;
}

static struct elfmap *load(Elf *elf, u64 size, bool *truncated)
{
	struct elfmap *map;
	GElf_Phdr ph;
	size_t n, i;

	if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &n) || !n)
		return NULL;
	map = calloc(1, sizeof(*map) + n * sizeof(map->range[0]));
	for (i = 0; map && i < n; i++)
		if (gelf_getphdr(elf, i, &ph))
			add(map, &ph, size, truncated);
	if (map)
		merge(map);
	return map;
}

struct elfmap *elfmap_open(int fd, bool *truncated)
{
	struct elfmap *map = NULL;
	struct stat st;
	Elf *elf;

	elf_version(EV_CURRENT);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		map = load(elf, st.st_size, truncated);
	elf_end(elf);
	return map;
}

void elfmap_close(struct elfmap *map)
{
	free(map);
}

/* The last range that starts at or below phys. */
static const struct range *find(const struct elfmap *map, u64 phys)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (map->range[mid].start <= phys)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &map->range[low - 1] : NULL;
}

int elfmap_check(const struct elfmap *map, u64 phys, size_t len)
{
	const struct range *r = find(map, phys);

	if (!r || phys + len > r->end)
		return -ENODATA;
	return phys + len > r->here ? -EIO : 0;
}
