// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens and indexes BTF.
 *
 * The format has grown: the header may be longer than it was (hdr_len rules),
 * and kind and vlen have wider fields, compatible with the old ones as long as
 * the bits in between are zero. An unknown kind ends the parse, since nothing
 * tells how long its record is; what came before it stays good.
 */
#include "btf_records.h"

#define MAGIC 0xeb9f
#define HDR_MIN 24

/* Whether a record brings names that one may look for. */
static inline bool is_named(u32 info)
{
	u32 kind = info >> 24 & 0x7f;

	return (1u << kind) & (1u << K_STRUCT | 1u << K_UNION | 1u << K_TYPEDEF |
			       1u << K_ENUM | 1u << K_ENUM64);
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

int hang_btf_open(struct hang_btf *btf, const struct hang_btf *base,
		  const void *data, size_t size, u32 word, size_t *mem_size,
		  const char **why)
{
	u32 markers;
	int err;

	memset(btf, 0, sizeof(*btf));
	btf->base = base;
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
