// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sbitmaps (include/linux/sbitmap.h). A bit is busy when it is set in word and
 * not in cleared: freeing sets cleared, and word follows later. Words are an
 * array whose stride is the size of the structure, cache line padding and all.
 */
#include "core.h"

/* blk-mq allows 10240 tags a queue; far above that a depth is rubbish. */
#define DEPTH_MAX 65536

struct sb {
	u64 map;
	u64 depth;
	u64 map_nr;
	u64 shift;
};

static int sb_load(struct hang_work *w, u64 addr, struct sb *sb)
{
	int err;

	err = hang_read_member(w, addr, L_sb_depth, &sb->depth);
	if (!err)
		err = hang_read_member(w, addr, L_sb_shift, &sb->shift);
	if (!err)
		err = hang_read_member(w, addr, L_sb_map_nr, &sb->map_nr);
	if (!err)
		err = hang_read_member(w, addr, L_sb_map, &sb->map);
	if (err)
		return err;
	if (sb->shift > 6 || sb->depth > DEPTH_MAX ||
	    sb->map_nr != (sb->depth + (1ULL << sb->shift) - 1) >> sb->shift) {
		hang_fault(w, "sbitmap", addr, -EINVAL,
			   "depth, shift and words disagree");
		return -EINVAL;
	}
	return 0;
}

static int word_load(struct hang_work *w, const struct sb *sb, u32 i, u64 *busy)
{
	u64 word = sb->map + i * hang_loc(w, L_size_sb_word);
	u64 cleared = 0;
	int err;

	err = hang_read_member(w, word, L_sb_word_word, busy);
	if (!err && hang_has(w, L_sb_word_cleared))
		err = hang_read_member(w, word, L_sb_word_cleared, &cleared);
	*busy &= ~cleared;
	return err;
}

static int walk_word(struct hang_work *w, u64 busy, u32 first, u32 bits,
		     u32 *count, hang_bit_fn fn, void *arg)
{
	u32 bit;
	int err;

	for (bit = 0; bit < bits && busy >> bit; bit++) {
		if (!(busy >> bit & 1))
			continue;
		(*count)++;
		err = fn(w, first + bit, arg);
		if (err)
			return err;
	}
	return 0;
}

int hang_for_each_sbit(struct hang_work *w, u64 addr, u32 *depth, u32 *busy,
		       hang_bit_fn fn, void *arg)
{
	struct sb sb;
	u64 bits;
	u32 i;
	int err;

	err = sb_load(w, addr, &sb);
	if (err)
		return err;
	*depth += sb.depth;
	for (i = 0; i < sb.map_nr; i++) {
		u32 first = i << sb.shift;
		u32 len = 1u << sb.shift;

		if (len > sb.depth - first)
			len = sb.depth - first;
		err = word_load(w, &sb, i, &bits);
		if (!err)
			err = walk_word(w, bits, first, len, busy, fn, arg);
		if (err == -EINTR || hang_interrupted(w))
			return -EINTR;
	}
	return 0;
}

bool hang_sbit_is_set(struct hang_work *w, u64 addr, u32 bit)
{
	struct sb sb;
	u64 busy;

	if (sb_load(w, addr, &sb) || bit >= sb.depth)
		return false;
	if (word_load(w, &sb, bit >> sb.shift, &busy))
		return false;
	return busy >> (bit & ((1u << sb.shift) - 1)) & 1;
}
