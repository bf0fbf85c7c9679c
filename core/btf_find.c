// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structs, unions, their members, and enumerators in BTF, by name. A blob may
 * be hostile: every chain and every search has a bound.
 */
#include "btf_records.h"

#define DEPTH_MAX 8		/* anonymous members within one another */
#define MEMBERS_MAX (1u << 19)	/* looked at for one member */
#define CHAIN_MAX 32		/* typedefs and qualifiers of one another */

/* Ids run from 1. */
static bool type_by_id(const struct hang_btf *btf, u32 id, struct type *t)
{
	u32 at, n;

	if (btf->base && id > btf->base->nr_types)
		id -= btf->base->nr_types;
	else if (btf->base)
		btf = btf->base;
	if (!id || id > btf->nr_types)
		return false;
	at = btf->marker[(id - 1) / HANG_BTF_STRIDE];
	for (n = (id - 1) % HANG_BTF_STRIDE; n; n--)
		at += record_len(btf, at);
	type_at(btf, at, t);
	return true;
}

/*
 * Goes through the types that may bring a name: those in its slots, and, where
 * some found no room there, all types after them.
 */
struct cursor {
	u32 slot;
	u32 probes;
	u32 at;
	bool all;
};

static void cursor_init(const struct hang_btf *btf, struct cursor *c,
			const char *name)
{
	c->slot = hash(name) & (btf->nr_slots - 1);
	c->probes = 0;
	c->at = 0;
	c->all = false;
}

static bool cursor_next(const struct hang_btf *btf, struct cursor *c,
			struct type *t)
{
	u32 len, found;

	if (!c->all) {
		found = btf->slots[c->slot];
		if (found && c->probes++ <= PROBES_MAX) {
			c->slot = (c->slot + 1) & (btf->nr_slots - 1);
			type_at(btf, found - 1, t);
			return true;
		}
		c->all = true;
	}
	if (!btf->crowded)
		return false;
	len = record_len(btf, c->at);
	if (!len)
		return false;
	type_at(btf, c->at, t);
	c->at += len;
	return true;
}

/* Walks typedefs and qualifiers down to what they stand for. */
static bool strip_type(struct type *t)
{
	u32 n;

	for (n = 0; n < CHAIN_MAX; n++) {
		switch (t->kind) {
		case K_TYPEDEF:
		case K_VOLATILE:
		case K_CONST:
		case K_RESTRICT:
		case K_TYPE_TAG:
			if (!type_by_id(t->in, t->size_or_type, t))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

static bool strip(const struct hang_btf *btf, u32 id, struct type *t)
{
	return type_by_id(btf, id, t) && strip_type(t);
}

/* Finds a struct or union: by its tag first, else through a typedef. */
static bool find_in_one(const struct hang_btf *btf, const char *name,
			struct type *found)
{
	struct cursor c;
	bool any = false;
	struct type t;

	cursor_init(btf, &c, name);
	while (cursor_next(btf, &c, &t)) {
		if (!is_indexed(&t) || strcmp(string(btf, t.name), name))
			continue;
		if (is_aggregate(&t)) {
			*found = t;
			return true;
		}
		if (!any && strip_type(&t) && is_aggregate(&t)) {
			*found = t;
			any = true;
		}
	}
	return any;
}

static bool find_aggregate(const struct hang_btf *btf, const char *name,
			   struct type *found)
{
	for (; btf; btf = btf->next)
		if (find_in_one(btf, name, found))
			return true;
	return false;
}

static bool same_part(const char *name, const char *path)
{
	while (*name && *name == *path) {
		name++;
		path++;
	}
	return !*name && (!*path || *path == '.');
}

struct level {
	struct type t;
	u32 next;   /* member to look at */
	u32 offset; /* bytes from the start of the outermost struct */
};

/* Member i of an aggregate: name, type and place. False for a bit field. */
static bool member_at(const struct type *t, u32 i, const char **name, u32 *type,
		      u32 *offset)
{
	u32 at = t->at + i * extra[t->kind].each;
	u32 bits = word_at(t->in, at + 8);

	*name = string(t->in, word_at(t->in, at));
	*type = word_at(t->in, at + 4);
	if (t->kflag && bits >> 24)
		return false;
	*offset = (t->kflag ? bits & 0xffffff : bits) / 8;
	return true;
}

/*
 * Looks for the first part of path in t and in the anonymous structs and
 * unions it holds.
 */
static bool find_member(const struct type *t, const char *path, u32 *offset,
			u32 *type)
{
	struct level stack[DEPTH_MAX];
	struct type inner;
	u32 budget = MEMBERS_MAX;
	u32 depth = 1;

	stack[0].t = *t;
	stack[0].next = 0;
	stack[0].offset = 0;
	while (depth && budget--) {
		struct level *l = &stack[depth - 1];
		const char *name;
		u32 at;

		if (l->next == l->t.vlen) {
			depth--;
			continue;
		}
		if (!member_at(&l->t, l->next++, &name, type, &at))
			continue;
		if (*name && same_part(name, path)) {
			*offset = l->offset + at;
			return true;
		}
		if (*name || depth == DEPTH_MAX || !strip(l->t.in, *type, &inner) ||
		    !is_aggregate(&inner))
			continue;
		stack[depth].t = inner;
		stack[depth].next = 0;
		stack[depth].offset = l->offset + at;
		depth++;
	}
	return false;
}

static int size_of(const struct hang_btf *btf, u32 id, u32 *size)
{
	u64 count = 1;
	struct type t;
	u32 n;

	for (n = 0; n < CHAIN_MAX; n++) {
		if (!strip(btf, id, &t))
			return -ENOENT;
		if (t.kind != K_ARRAY)
			break;
		count *= word_at(t.in, t.at + 8);
		id = word_at(t.in, t.at);
		btf = t.in;
		if (count >> 32)
			return -EOVERFLOW;
	}
	switch (t.kind) {
	case K_PTR:
		count *= btf->word;
		break;
	case K_INT:
	case K_STRUCT:
	case K_UNION:
	case K_ENUM:
	case K_ENUM64:
	case K_FLOAT:
		count *= t.size_or_type;
		break;
	default:
		return -ENOENT;
	}
	*size = (u32)count;
	return count >> 32 ? -EOVERFLOW : 0;
}

int hang_btf_member(const struct hang_btf *btf, const char *type,
		    const char *path, u32 *offset, u32 *size)
{
	struct type t;
	u32 at, id = 0;

	*offset = 0;
	if (!find_aggregate(btf, type, &t))
		return -ENOENT;
	for (;;) {
		if (!find_member(&t, path, &at, &id))
			return -ENOENT;
		*offset += at;
		while (*path && *path != '.')
			path++;
		if (!*path)
			return size_of(t.in, id, size);
		path++;
		if (!strip(t.in, id, &t) || !is_aggregate(&t))
			return -ENOENT;
	}
}

int hang_btf_struct_size(const struct hang_btf *btf, const char *type,
			 u32 *size)
{
	struct type t;

	if (!find_aggregate(btf, type, &t))
		return -ENOENT;
	*size = t.size_or_type;
	return 0;
}

static bool value_in(const struct type *t, const char *name, s64 *value)
{
	u32 i;

	for (i = 0; i < t->vlen; i++) {
		u32 at = t->at + i * extra[t->kind].each;
		u32 low;

		if (strcmp(string(t->in, word_at(t->in, at)), name))
			continue;
		low = word_at(t->in, at + 4);
		if (t->kind == K_ENUM64)
			*value = (s64)((u64)word_at(t->in, at + 8) << 32 | low);
		else
			*value = t->kflag ? (s64)(s32)low : (s64)low;
		return true;
	}
	return false;
}

int hang_btf_enumerator(const struct hang_btf *btf, const char *name,
			s64 *value)
{
	struct cursor c;
	struct type t;

	for (; btf; btf = btf->next) {
		cursor_init(btf, &c, name);
		while (cursor_next(btf, &c, &t))
			if (is_enum(&t) && value_in(&t, name, value))
				return 0;
	}
	return -ENOENT;
}
