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
#include <unistd.h>

#include "elfmap.h"

struct range {
	u64 start;
	u64 end;    /* of what the segment should hold */
	u64 here;   /* of what the file has of it */
	u64 offset; /* of start, in the file */
};

struct elfmap {
	int fd;
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

	if (ph->p_type != PT_LOAD || !ph->p_filesz ||
	    ph->p_paddr + ph->p_filesz < ph->p_paddr)
		return;
	if (have < ph->p_filesz)
		*truncated = true;
	else
		have = ph->p_filesz;
	r->start = ph->p_paddr;
	r->end = ph->p_paddr + ph->p_filesz;
	r->here = ph->p_paddr + have;
	r->offset = ph->p_offset;
	map->count++;
}

/*
 * Segments may overlap: QEMU's "-p" maps one page many times. Of each only what
 * those before it do not have is left, so that every byte is in one place.
 */
static void part(struct elfmap *map)
{
	size_t i, n = 0;
	u64 from = 0;

	qsort(map->range, map->count, sizeof(map->range[0]), by_start);
	for (i = 0; i < map->count; i++) {
		struct range r = map->range[i];

		if (r.start < from) {
			if (r.here <= from)
				continue;
			r.offset += from - r.start;
			r.start = from;
		}
		map->range[n++] = r;
		from = r.here;
	}
	map->count = n;
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
		part(map);
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
	if (map)
		map->fd = fd;
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

/* Where phys is in the file, and how much of len follows it there. */
static int locate(const struct elfmap *map, u64 phys, size_t *len, u64 *at)
{
	const struct range *r = find(map, phys);

	if (!r || phys >= r->end)
		return -ENODATA;
	if (phys >= r->here)
		return -EIO;
	if (*len > r->here - phys)
		*len = r->here - phys;
	*at = r->offset + (phys - r->start);
	return 0;
}

int elfmap_read(const struct elfmap *map, u64 phys, void *buf, size_t len)
{
	u8 *p = buf;

	while (len) {
		size_t n = len;
		ssize_t got;
		u64 at;
		int err = locate(map, phys, &n, &at);

		if (err)
			return err;
		got = pread(map->fd, p, n, at);
		if (got <= 0)
			return -EIO;
		phys += got;
		p += got;
		len -= got;
	}
	return 0;
}
