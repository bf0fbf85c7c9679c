/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols, and BTF, from files beside a dump: System.map, or vmlinux's symbol
 * table and .BTF section (no debug information is needed or read).
 */
#ifndef BLKHANG_SYMTAB_H
#define BLKHANG_SYMTAB_H

#include <blkhang/target.h>

struct symtab;

/* Load from a file; NULL after a message to stderr. */
struct symtab *symtab_from_map(const char *path);
struct symtab *symtab_from_vmlinux(const char *path);
void symtab_free(struct symtab *st);

/*
 * Moves all kernel addresses by offset (KASLR); per-CPU symbols that count from
 * zero stay as they are.
 */
void symtab_relocate(struct symtab *st, u64 offset);

int symtab_find(const struct symtab *st, const char *name, u64 *addr);
int symtab_at(const struct symtab *st, u64 addr, struct hang_symbol *sym);

/* The .BTF section of a vmlinux, malloc'ed; NULL without a message if none. */
void *symtab_btf(const char *vmlinux, size_t *size);

#endif
