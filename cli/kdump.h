/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a kdump-compressed dump (the format of makedumpfile and diskdump,
 * header version 6, zlib).
 */
#ifndef BLKHANG_KDUMP_H
#define BLKHANG_KDUMP_H

#include <stdio.h>

#include <blkhang/port.h>

#define KDUMP_PAGE 4096

struct kdump_page {
	u64 pfn;
	u8 *data; /* KDUMP_PAGE bytes */
};

struct kdump_content {
	const char *release;	/* utsname fields that readers look at */
	u64 phys_base;
	u32 nr_cpus;
	const char *info;	/* VMCOREINFO */
	const void *notes;	/* ELF notes, VMCOREINFO's not among them */
	size_t notes_size;
	struct kdump_page *pages; /* sorted by pfn */
	size_t nr_pages;
};

/* Writes all of it to f; 0 or -errno. */
int kdump_write(FILE *f, const struct kdump_content *c);

#endif
