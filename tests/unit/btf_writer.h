/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes BTF blobs, sound and unsound ones. Types are numbered from 1 in the
 * order in which they are begun.
 */
#ifndef BLKHANG_BTF_WRITER_H
#define BLKHANG_BTF_WRITER_H

#include <assert.h>
#include <stdlib.h>

#include <blkhang/btf.h>

enum { BTF_INT = 1, BTF_PTR, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM,
       BTF_FWD, BTF_TYPEDEF, BTF_VOLATILE, BTF_CONST, BTF_RESTRICT, BTF_FUNC,
       BTF_FUNC_PROTO, BTF_VAR, BTF_DATASEC, BTF_FLOAT, BTF_DECL_TAG,
       BTF_TYPE_TAG, BTF_ENUM64 };

#define BTF_MAX (1 << 22)

struct btf_writer {
	bool swap;
	u32 hdr_len;	/* 0: 24 */
	u32 nr;		/* types so far */
	u32 info_at;	/* of the type begun last */
	u32 types_len, strings_len;
	u8 *types, *strings;
	u8 *blob;	/* after btf_finish(): exactly size bytes */
	size_t size;
};

static inline u32 btf_order(const struct btf_writer *b, u32 v)
{
	return b->swap ? __builtin_bswap32(v) : v;
}

static inline void btf_word(struct btf_writer *b, u32 v)
{
	v = btf_order(b, v);
	assert(b->types_len + 4 <= BTF_MAX);
	memcpy(b->types + b->types_len, &v, 4);
	b->types_len += 4;
}

static inline u32 btf_string(struct btf_writer *b, const char *s)
{
	u32 at = b->strings_len;

	if (!s || !*s)
		return 0;
	assert(at + strlen(s) + 1 <= BTF_MAX);
	memcpy(b->strings + at, s, strlen(s) + 1);
	b->strings_len += strlen(s) + 1;
	return at;
}

static inline void btf_begin(struct btf_writer *b)
{
	bool swap = b->swap;
	u32 hdr_len = b->hdr_len;

	memset(b, 0, sizeof(*b));
	b->swap = swap;
	b->hdr_len = hdr_len;
	b->types = malloc(BTF_MAX);
	b->strings = malloc(BTF_MAX);
	b->strings[0] = '\0';
	b->strings_len = 1;
}

/* Any type: what follows its record is written by the caller. */
static inline u32 btf_type(struct btf_writer *b, u32 kind, const char *name,
			   bool kflag, u32 vlen, u32 size_or_type)
{
	btf_word(b, btf_string(b, name));
	b->info_at = b->types_len;
	btf_word(b, (u32)kflag << 31 | kind << 24 | vlen);
	btf_word(b, size_or_type);
	return ++b->nr;
}

static inline u32 btf_int(struct btf_writer *b, const char *name, u32 size)
{
	u32 id = btf_type(b, BTF_INT, name, false, 0, size);

	btf_word(b, size * 8);
	return id;
}

static inline u32 btf_array(struct btf_writer *b, u32 type, u32 count)
{
	u32 id = btf_type(b, BTF_ARRAY, NULL, false, 0, 0);

	btf_word(b, type);
	btf_word(b, 1);
	btf_word(b, count);
	return id;
}

/* One more entry of the type begun last. */
static inline void btf_count_entry(struct btf_writer *b)
{
	u32 info;

	memcpy(&info, b->types + b->info_at, 4);
	info = btf_order(b, btf_order(b, info) + 1);
	memcpy(b->types + b->info_at, &info, 4);
}

/* bit is where the member begins; with bits it is a bit field. */
static inline void btf_member(struct btf_writer *b, const char *name, u32 type,
			      u32 bit, u32 bits)
{
	btf_word(b, btf_string(b, name));
	btf_word(b, type);
	btf_word(b, bits << 24 | bit);
	btf_count_entry(b);
}

static inline void btf_value(struct btf_writer *b, const char *name, u32 value)
{
	btf_word(b, btf_string(b, name));
	btf_word(b, value);
	btf_count_entry(b);
}

static inline void btf_value64(struct btf_writer *b, const char *name,
			       u64 value)
{
	btf_word(b, btf_string(b, name));
	btf_word(b, (u32)value);
	btf_word(b, value >> 32);
	btf_count_entry(b);
}

static inline void btf_finish(struct btf_writer *b)
{
	u32 hdr = b->hdr_len ? b->hdr_len : 24;
	u32 words[6] = { 0, hdr, 0, b->types_len, b->types_len,
			 b->strings_len };
	u16 magic = 0xeb9f;
	u32 i;

	b->size = hdr + b->types_len + b->strings_len;
	b->blob = calloc(1, b->size);
	for (i = 1; i < 6; i++) {
		words[i] = btf_order(b, words[i]);
		memcpy(b->blob + i * 4, &words[i], 4);
	}
	if (b->swap)
		magic = __builtin_bswap16(magic);
	memcpy(b->blob, &magic, 2);
	b->blob[2] = 1;
	memcpy(b->blob + hdr, b->types, b->types_len);
	memcpy(b->blob + hdr + b->types_len, b->strings, b->strings_len);
	free(b->types);
	free(b->strings);
}

#endif
