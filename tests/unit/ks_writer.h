/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a kallsyms table, and the VMCOREINFO that tells of it, into a fake
 * machine's memory.
 */
#ifndef BLKHANG_KS_WRITER_H
#define BLKHANG_KS_WRITER_H

#include <blkhang/kallsyms.h>

#include "fake.h"

#define KS_BASE 0xffffffff81000000ULL

struct ks_symbol {
	u64 addr;
	const char *name;
};

struct ks_writer {
	struct fake *f;
	enum hang_ks_encoding encoding;
	u64 num, names, table, index, offsets, base;
	u64 stext;
	u32 names_len;
	char info[2048];
	size_t info_len;
};

/* Codes below 32 stand for strings, those of printable characters for one. */
static const char *const ks_tokens[] = { [1] = "func_", [2] = "tex",
					 [3] = "Tstatic_" };

static inline void ks_write_tokens(struct ks_writer *k)
{
	struct fake *f = k->f;
	u32 at = 0, i;

	k->table = fake_alloc_page(f);
	k->index = fake_alloc_page(f);
	for (i = 0; i < 256; i++) {
		char one[2] = { i >= 32 && i < 127 ? i : '\0', '\0' };
		const char *s = one;

		if (i < HANG_ARRAY_SIZE(ks_tokens) && ks_tokens[i])
			s = ks_tokens[i];
		fake_put(f, k->index + 2 * i, 2, at);
		fake_write(f, k->table + at, s, strlen(s) + 1);
		at += strlen(s) + 1;
	}
}

static inline u32 ks_code(const char **s)
{
	u32 i;

	for (i = 1; i < HANG_ARRAY_SIZE(ks_tokens); i++) {
		size_t n = strlen(ks_tokens[i]);

		if (!strncmp(*s, ks_tokens[i], n)) {
			*s += n;
			return i;
		}
	}
	return (u8)*(*s)++;
}

static inline void ks_put_name(struct ks_writer *k, const char *name)
{
	u64 at = k->names + k->names_len;
	u8 codes[1024], head[2];
	const char *s;
	char full[1024];
	u32 n = 0, len;

	snprintf(full, sizeof(full), "T%s", name);
	for (s = full; *s;)
		codes[n++] = ks_code(&s);
	len = n < 128 ? 1 : 2;
	head[0] = n < 128 ? n : (n & 0x7f) | 0x80;
	head[1] = n >> 7;
	fake_write(k->f, at, head, len);
	fake_write(k->f, at + len, codes, n);
	k->names_len += len + n;
}

static inline u64 ks_encoded(struct ks_writer *k, u32 i, u64 addr)
{
	switch (k->encoding) {
	case HANG_KS_ABSOLUTE:
		return addr;
	case HANG_KS_BASE:
		return addr - KS_BASE;
	case HANG_KS_ABSOLUTE_PERCPU:
		return addr < KS_BASE ? addr : KS_BASE - 1 - addr;
	default:
		return addr - (k->offsets + (u64)i * 4);
	}
}

static inline void ks_info(struct ks_writer *k, const char *name, u64 addr)
{
	k->info_len += snprintf(k->info + k->info_len,
				sizeof(k->info) - k->info_len,
				"SYMBOL(%s)=%llx\n", name, addr);
}

static inline void ks_write_info(struct ks_writer *k)
{
	bool absolute = k->encoding == HANG_KS_ABSOLUTE;

	k->info_len = snprintf(k->info, sizeof(k->info),
			       "OSRELEASE=9.9\nPAGESIZE=4096\n");
	ks_info(k, "_stext", k->stext);
	ks_info(k, "kallsyms_names", k->names);
	ks_info(k, "kallsyms_num_syms", k->num);
	ks_info(k, "kallsyms_token_table", k->table);
	ks_info(k, "kallsyms_token_index", k->index);
	ks_info(k, absolute ? "kallsyms_addresses" : "kallsyms_offsets",
		k->offsets);
	if (k->encoding != HANG_KS_PC_RELATIVE)
		ks_info(k, "kallsyms_relative_base", k->base);
}

/* Symbols must be sorted by address, and _stext among them. */
static inline void ks_write(struct ks_writer *k, const struct ks_symbol *s,
			    u32 n)
{
	struct fake *f = k->f;
	u32 size = k->encoding == HANG_KS_ABSOLUTE ? 8 : 4;
	u32 i;

	ks_write_tokens(k);
	k->num = fake_alloc_page(f);
	k->base = k->num + 8;
	fake_put(f, k->num, 4, n);
	fake_put(f, k->base, 8, KS_BASE);
	k->names_len = 0;
	k->names = fake_alloc(f, n * 40 + 4096);
	/* PC-relative offsets reach 2 GB: the table is near the image. */
	k->offsets = KS_BASE + 0x1000000;
	for (i = 0; i < n; i++) {
		ks_put_name(k, s[i].name);
		fake_put(f, k->offsets + i * size, size,
			 ks_encoded(k, i, s[i].addr));
		if (!strcmp(s[i].name, "_stext"))
			k->stext = s[i].addr;
	}
	ks_write_info(k);
}

#endif
