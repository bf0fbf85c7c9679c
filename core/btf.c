// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BTF: structs, unions, their members, and enumerators, by name.
 *
 * The format has grown: the header may be longer than it was (hdr_len rules),
 * and kind and vlen have wider fields, compatible with the old ones as long as
 * the bits in between are zero. The length of a type record follows from its
 * kind, so an unknown kind ends the parse; what came before it stays good.
 */
#include <blkhang/btf.h>

#define MAGIC 0xeb9f
#define HDR_MIN 24
#define TYPE_SIZE 12
#define DEPTH_MAX 8   /* anonymous members within one another */
#define MEMBERS_MAX (1u << 19) /* looked at for one member */
#define PROBES_MAX 512
#define CHAIN_MAX 32  /* typedefs and qualifiers of one another */

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
	u32 name;
	u32 kind;
	u32 vlen;
	bool kflag;
	u32 size_or_type;
	u32 at; /* offset of what follows the record */
};

static u32 byteswap(u32 v)
{
	return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static u32 get32(const struct hang_btf *btf, const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return btf->swap ? byteswap(v) : v;
}

static u32 word_at(const struct hang_btf *btf, u32 at)
{
	return get32(btf, btf->types + at);
}

static const char *string(const struct hang_btf *btf, u32 offset)
{
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
static void type_at(const struct hang_btf *btf, u32 at, struct type *t)
{
	u32 info = word_at(btf, at + 4);

	t->name = word_at(btf, at);
	t->kind = info >> 24 & 0x7f;
	t->vlen = info & 0xffffff;
	t->kflag = info >> 31;
	t->size_or_type = word_at(btf, at + 8);
	t->at = at + TYPE_SIZE;
}

/* Whether a record brings names that one may look for. */
static inline bool is_named(u32 info)
{
	u32 kind = info >> 24 & 0x7f;

	return (1u << kind) & (1u << K_STRUCT | 1u << K_UNION | 1u << K_TYPEDEF |
			       1u << K_ENUM | 1u << K_ENUM64);
}

static bool is_enum(const struct type *t)
{
	return t->kind == K_ENUM || t->kind == K_ENUM64;
}

static bool is_aggregate(const struct type *t)
{
	return t->kind == K_STRUCT || t->kind == K_UNION;
}

static bool is_indexed(const struct type *t)
{
	return is_aggregate(t) || t->kind == K_TYPEDEF;
}

static int read_header(struct hang_btf *btf, const u8 *data, size_t size,
		       const char **why)
{
	u32 hdr_len, type_off, str_off;
	u16 magic;

	if (size < HDR_MIN)
		return -EINVAL;
	memcpy(&magic, data, sizeof(magic));
	btf->swap = magic == (u16)(MAGIC << 8 | MAGIC >> 8);
	if (magic != MAGIC && !btf->swap)
		return -EINVAL;
	hdr_len = get32(btf, data + 4);
	type_off = get32(btf, data + 8);
	btf->types_len = get32(btf, data + 12);
	str_off = get32(btf, data + 16);
	btf->strings_len = get32(btf, data + 20);
	*why = "BTF sections lie outside the blob";
	if (hdr_len < HDR_MIN || hdr_len > size ||
	    (u64)hdr_len + type_off + btf->types_len > size ||
	    (u64)hdr_len + str_off + btf->strings_len > size)
		return -EMSGSIZE;
	btf->types = data + hdr_len + type_off;
	btf->strings = (const char *)data + hdr_len + str_off;
	*why = "BTF strings have no end";
	if (!btf->strings_len || btf->strings[btf->strings_len - 1])
		return -EMSGSIZE;
	return 0;
}

int hang_btf_open(struct hang_btf *btf, const void *data, size_t size, u32 word,
		  size_t *mem_size, const char **why)
{
	u32 markers;
	int err;

	memset(btf, 0, sizeof(*btf));
	btf->word = word;
	*why = "no BTF";
	err = read_header(btf, data, size, why);
	if (err)
		return err;
	/*
	 * Not counted, but bounded: no record is shorter than its head. Names
	 * are guessed: kernels bring one in some 90 bytes.
	 */
	markers = btf->types_len / TYPE_SIZE / HANG_BTF_STRIDE + 1;
	btf->nr_slots = 64;
	while (btf->nr_slots < btf->types_len / 64)
		btf->nr_slots *= 2;
	*mem_size = ((size_t)markers + btf->nr_slots) * sizeof(u32);
	return 0;
}

static u32 hash(const char *name)
{
	u32 h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (u8)*name) * 16777619u;
	return h ^ h >> 15;
}

/* Equal names take places one after the other, in the order of their types. */
static void add_name(struct hang_btf *btf, u32 name, u32 at)
{
	const char *s = string(btf, name);
	u32 i, n;

	if (!*s)
		return;
	i = hash(s) & (btf->nr_slots - 1);
	for (n = 0; btf->slots[i]; n++) {
		/* A small blob full of names, or many names that are equal. */
		if (n == PROBES_MAX) {
			btf->crowded = true;
			return;
		}
		i = (i + 1) & (btf->nr_slots - 1);
	}
	btf->slots[i] = at + 1;
}

static void add_names(struct hang_btf *btf, u32 at)
{
	struct type t;
	u32 i;

	type_at(btf, at, &t);
	if (!is_enum(&t)) {
		add_name(btf, t.name, at);
		return;
	}
	for (i = 0; i < t.vlen; i++)
		add_name(btf, word_at(btf, t.at + i * extra[t.kind].each), at);
}

void hang_btf_index(struct hang_btf *btf, void *mem)
{
	u32 at, len;

	btf->marker = mem;
	btf->slots = btf->marker +
		     btf->types_len / TYPE_SIZE / HANG_BTF_STRIDE + 1;
	for (at = 0; (len = record_len(btf, at)); at += len) {
		if (btf->nr_types % HANG_BTF_STRIDE == 0)
			btf->marker[btf->nr_types / HANG_BTF_STRIDE] = at;
		btf->nr_types++;
		if (is_named(word_at(btf, at + 4)))
			add_names(btf, at);
	}
	if (btf->types_len - at >= TYPE_SIZE)
		btf->stopped_kind = word_at(btf, at + 4) >> 24 & 0x7f;
}

/* Ids run from 1. */
static bool type_by_id(const struct hang_btf *btf, u32 id, struct type *t)
{
	u32 at, n;

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
static bool strip_type(const struct hang_btf *btf, struct type *t)
{
	u32 n;

	for (n = 0; n < CHAIN_MAX; n++) {
		switch (t->kind) {
		case K_TYPEDEF:
		case K_VOLATILE:
		case K_CONST:
		case K_RESTRICT:
		case K_TYPE_TAG:
			if (!type_by_id(btf, t->size_or_type, t))
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
	return type_by_id(btf, id, t) && strip_type(btf, t);
}

/* Finds a struct or union: by its tag first, else through a typedef. */
static bool find_aggregate(const struct hang_btf *btf, const char *name,
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
		if (!any && strip_type(btf, &t) && is_aggregate(&t)) {
			*found = t;
			any = true;
		}
	}
	return any;
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
static bool member_at(const struct hang_btf *btf, const struct type *t, u32 i,
		      const char **name, u32 *type, u32 *offset)
{
	u32 at = t->at + i * extra[t->kind].each;
	u32 bits = word_at(btf, at + 8);

	*name = string(btf, word_at(btf, at));
	*type = word_at(btf, at + 4);
	if (t->kflag && bits >> 24)
		return false;
	*offset = (t->kflag ? bits & 0xffffff : bits) / 8;
	return true;
}

/*
 * Looks for the first part of path in t and in the anonymous structs and
 * unions it holds.
 */
static bool find_member(const struct hang_btf *btf, const struct type *t,
			const char *path, u32 *offset, u32 *type)
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
		if (!member_at(btf, &l->t, l->next++, &name, type, &at))
			continue;
		if (*name && same_part(name, path)) {
			*offset = l->offset + at;
			return true;
		}
		if (*name || depth == DEPTH_MAX || !strip(btf, *type, &inner) ||
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
		count *= word_at(btf, t.at + 8);
		id = word_at(btf, t.at);
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
		if (!find_member(btf, &t, path, &at, &id))
			return -ENOENT;
		*offset += at;
		while (*path && *path != '.')
			path++;
		if (!*path)
			return size_of(btf, id, size);
		path++;
		if (!strip(btf, id, &t) || !is_aggregate(&t))
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

static bool value_in(const struct hang_btf *btf, const struct type *t,
		     const char *name, s64 *value)
{
	u32 i;

	for (i = 0; i < t->vlen; i++) {
		u32 at = t->at + i * extra[t->kind].each;
		u32 low;

		if (strcmp(string(btf, word_at(btf, at)), name))
			continue;
		low = word_at(btf, at + 4);
		if (t->kind == K_ENUM64)
			*value = (s64)((u64)word_at(btf, at + 8) << 32 | low);
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

	cursor_init(btf, &c, name);
	while (cursor_next(btf, &c, &t))
		if (is_enum(&t) && value_in(btf, &t, name, value))
			return 0;
	return -ENOENT;
}
