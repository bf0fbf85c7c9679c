/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which physical memory an ELF dump really holds. libkdumpfile reads what lies
 * between segments, or behind the end of a file that was cut, as zeros; and a
 * list head of zeros looks like an empty list.
 */
#ifndef BLKHANG_ELFMAP_H
#define BLKHANG_ELFMAP_H

#include <stddef.h>

#include <blkhang/port.h>

struct elfmap;

/* NULL when the file is no ELF dump. It stays the caller's, and open. */
struct elfmap *elfmap_open(int fd, bool *truncated);
void elfmap_close(struct elfmap *map);

/*
 * Reads physical memory. 0, -ENODATA where the dump never had it, -EIO where
 * the file ends early or can't be read.
 */
int elfmap_read(const struct elfmap *map, u64 phys, void *buf, size_t len);

#endif
