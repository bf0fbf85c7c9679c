/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of BTF, for the two files that read them: btf.c indexes, and
 * btf_find.c looks up. The length of a record follows from its kind.
 */
#ifndef BLKHANG_BTF_RECORDS_H
#define BLKHANG_BTF_RECORDS_H

#include <blkhang/btf.h>

#define TYPE_SIZE 12
#define PROBES_MAX 512 /* places a name may be away from where it hashes to */

enum kind {
	K_INT = 1, K_PTR, K_ARRAY, K_STRUCT, K_UNION, K_ENUM, K_FWD, K_TYPEDEF,
	K_VOLATILE, K_CONST, K_RESTRICT, K_FUNC, K_FUNC_PROTO, K_VAR, K_DATASEC,
	K_FLOAT, K_DECL_TAG, K_TYPE_TAG, K_ENUM64, K_COUNT
};

/* Bytes behind a type record: fixed, and for each of its vlen entries. */
static const struct { u8 fixed, each; } extra[K_COUNT] = {
	[K_INT] = { 4, 0 },	   [K_ARRAY] = { 12, 0 },
	[K_STRUCT] = { 0, 12 },	   [K_UNION] = { 0, 12 },
	[K_ENUM] = { 0, 8 },	   [K_FUNC_PROTO] = { 0, 8 },
	[K_VAR] = { 4, 0 },	   [K_DATASEC] = { 0, 12 },
	[K_DECL_TAG] = { 4, 0 },   [K_ENUM64] = { 0, 12 },
};

struct type {
	const struct hang_btf *in; /* where its ids and strings count */
	u32 name;
	u32 kind;
	u32 vlen;
	bool kflag;
	u32 size_or_type;
	u32 at; /* offset of what follows the record */
};

static inline u32 byteswap(u32 v)
{
	return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static inline u32 get32(const struct hang_btf *btf, const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return btf->swap ? byteswap(v) : v;
}

static inline u32 word_at(const struct hang_btf *btf, u32 at)
{
	return get32(btf, btf->types + at);
}

static inline const char *string(const struct hang_btf *btf, u32 offset)
{
	if (btf->base && offset < btf->base->strings_len)
		return btf->base->strings + offset;
	if (btf->base)
		offset -= btf->base->strings_len;
	return offset < btf->strings_len ? btf->strings + offset : "";
}

/* Bytes of the record at offset at with all that follows it; 0: no record. */
static inline u32 record_len(const struct hang_btf *btf, u32 at)
{
	u32 left = btf->types_len - at;
	u32 info, kind;
	u64 len;

	if (at > btf->types_len || left < TYPE_SIZE)
		return 0;
	info = word_at(btf, at + 4);
	kind = info >> 24 & 0x7f;
	if (!kind || kind >= K_COUNT)
		return 0;
	len = TYPE_SIZE + extra[kind].fixed +
	      (u64)extra[kind].each * (info & 0xffffff);
	return len <= left ? len : 0;
}

/* Decodes the record at at, of which record_len() found the length. */
static inline void type_at(const struct hang_btf *btf, u32 at, struct type *t)
{
	u32 info = word_at(btf, at + 4);

	t->in = btf;
	t->name = word_at(btf, at);
	t->kind = info >> 24 & 0x7f;
	t->vlen = info & 0xffffff;
	t->kflag = info >> 31;
	t->size_or_type = word_at(btf, at + 8);
	t->at = at + TYPE_SIZE;
}

static inline bool is_enum(const struct type *t)
{
	return t->kind == K_ENUM || t->kind == K_ENUM64;
}

static inline bool is_aggregate(const struct type *t)
{
	return t->kind == K_STRUCT || t->kind == K_UNION;
}

static inline bool is_indexed(const struct type *t)
{
	return is_aggregate(t) || t->kind == K_TYPEDEF;
}

static inline u32 hash(const char *name)
{
	u32 h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (u8)*name) * 16777619u;
	return h ^ h >> 15;
}

#endif
