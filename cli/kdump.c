// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kdump-compressed format: a header, a sub-header with the notes behind
 * it, two bitmaps of page frames (those that exist, those that are here), a
 * descriptor for each page, and the pages, each deflated by itself.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "kdump.h"

#define UTS_LEN 65
#define COMPRESSED_ZLIB 1
#define HEADER_VERSION 6

struct uts {
	char sysname[UTS_LEN];
	char nodename[UTS_LEN];
	char release[UTS_LEN];
	char version[UTS_LEN];
	char machine[UTS_LEN];
	char domainname[UTS_LEN];
};

struct header {
	char signature[8];
	s32 header_version;
	struct uts uts;
	u64 time[2];
	u32 status;
	s32 block_size;
	s32 sub_hdr_blocks;
	u32 bitmap_blocks;
	u32 max_mapnr;
	u32 total_ram_blocks;
	u32 device_blocks;
	u32 written_blocks;
	u32 current_cpu;
	s32 nr_cpus;
};

struct sub_header {
	u64 phys_base;
	s32 dump_level;
	s32 split;
	u64 start_pfn;
	u64 end_pfn;
	u64 offset_vmcoreinfo;
	u64 size_vmcoreinfo;
	u64 offset_note;
	u64 size_note;
	u64 offset_eraseinfo;
	u64 size_eraseinfo;
	u64 start_pfn_64;
	u64 end_pfn_64;
	u64 max_mapnr_64;
};

struct page_desc {
	u64 offset;
	u32 size;
	u32 flags;
	u64 page_flags;
};

static u64 blocks(u64 bytes)
{
	return (bytes + KDUMP_PAGE - 1) / KDUMP_PAGE;
}

static int put_at(FILE *f, u64 at, const void *data, size_t len)
{
	if (fseeko(f, at, SEEK_SET) || fwrite(data, 1, len, f) != len)
		return errno ? -errno : -EIO;
	return 0;
}

/* The VMCOREINFO note followed by the others; malloc'ed. */
static u8 *join_notes(const struct kdump_content *c, size_t *size,
		      size_t *info_at)
{
	static const char name[12] = "VMCOREINFO";
	size_t info_len = strlen(c->info);
	size_t padded = (info_len + 3) & ~(size_t)3;
	Elf64_Nhdr hdr = { sizeof("VMCOREINFO"), info_len, 0 };
	u8 *p;

	*info_at = sizeof(hdr) + sizeof(name);
	*size = *info_at + padded + c->notes_size;
	p = calloc(1, *size);
	if (!p)
		return NULL;
	memcpy(p, &hdr, sizeof(hdr));
	memcpy(p + sizeof(hdr), name, sizeof(name));
	memcpy(p + *info_at, c->info, info_len);
	if (c->notes_size)
		memcpy(p + *info_at + padded, c->notes, c->notes_size);
	return p;
}

static int write_headers(FILE *f, const struct kdump_content *c, u64 max_pfn,
			 u64 sub_blocks, u64 bitmap_blocks,
			 const struct sub_header *sub)
{
	struct header h = {
		.signature = { 'K', 'D', 'U', 'M', 'P', ' ', ' ', ' ' },
		.header_version = HEADER_VERSION,
		.block_size = KDUMP_PAGE,
		.status = COMPRESSED_ZLIB,
		.sub_hdr_blocks = sub_blocks,
		.bitmap_blocks = bitmap_blocks,
		.max_mapnr = max_pfn,
		.nr_cpus = c->nr_cpus,
	};
	int err;

	strcpy(h.uts.sysname, "Linux");
	strcpy(h.uts.nodename, "(none)");
	strncpy(h.uts.release, c->release, UTS_LEN - 1);
	strcpy(h.uts.version, "#1");
	strcpy(h.uts.machine, "x86_64");
	strcpy(h.uts.domainname, "(none)");
	err = put_at(f, 0, &h, sizeof(h));
	return err ? err : put_at(f, KDUMP_PAGE, sub, sizeof(*sub));
}

static int write_bitmaps(FILE *f, const struct kdump_content *c, u64 at,
			 u64 bitmap_blocks)
{
	size_t half = bitmap_blocks / 2 * KDUMP_PAGE;
	u8 *bits = calloc(1, half);
	size_t i;
	int err;

	if (!bits)
		return -ENOMEM;
	/* Pages that are not here are left out, not missing: same bits. */
	for (i = 0; i < c->nr_pages; i++)
		bits[c->pages[i].pfn / 8] |= 1 << (c->pages[i].pfn & 7);
	err = put_at(f, at, bits, half);
	if (!err)
		err = put_at(f, at + half, bits, half);
	free(bits);
	return err;
}

static int write_pages(FILE *f, const struct kdump_content *c, u64 at)
{
	u64 data_at = at + c->nr_pages * sizeof(struct page_desc);
	u8 out[KDUMP_PAGE + 64]; /* worth it only when smaller */
	size_t i;
	int err = 0;

	for (i = 0; !err && i < c->nr_pages; i++) {
		struct page_desc desc = { .offset = data_at };
		const u8 *data = c->pages[i].data;
		uLongf len = sizeof(out);

		if (compress2(out, &len, data, KDUMP_PAGE, 9) == Z_OK &&
		    len < KDUMP_PAGE) {
			desc.flags = COMPRESSED_ZLIB;
			data = out;
		} else {
			len = KDUMP_PAGE;
		}
		desc.size = len;
		err = put_at(f, at + i * sizeof(desc), &desc, sizeof(desc));
		if (!err)
			err = put_at(f, data_at, data, len);
		data_at += len;
	}
	return err;
}

int kdump_write(FILE *f, const struct kdump_content *c)
{
	struct sub_header sub = { .phys_base = c->phys_base, .dump_level = 31 };
	u64 max_pfn = c->pages[c->nr_pages - 1].pfn + 1;
	u64 bitmap_blocks = 2 * blocks((max_pfn + 7) / 8);
	u64 notes_at = KDUMP_PAGE + sizeof(sub);
	u64 sub_blocks, bitmap_at;
	size_t notes_size, info_at;
	u8 *notes = join_notes(c, &notes_size, &info_at);
	int err;

	if (!notes)
		return -ENOMEM;
	sub_blocks = blocks(sizeof(sub) + notes_size);
	sub.offset_note = notes_at;
	sub.size_note = notes_size;
	sub.offset_vmcoreinfo = notes_at + info_at;
	sub.size_vmcoreinfo = strlen(c->info);
	sub.max_mapnr_64 = max_pfn;
	sub.end_pfn_64 = max_pfn;
	err = write_headers(f, c, max_pfn, sub_blocks, bitmap_blocks, &sub);
	if (!err)
		err = put_at(f, notes_at, notes, notes_size);
	free(notes);
	bitmap_at = (1 + sub_blocks) * KDUMP_PAGE;
	if (!err)
		err = write_bitmaps(f, c, bitmap_at, bitmap_blocks);
	if (!err)
		err = write_pages(f, c, bitmap_at + bitmap_blocks * KDUMP_PAGE);
	return err;
}
