// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * xarray look-up (include/linux/xarray.h, lib/xarray.c). A head whose low bits
 * are 2 and that lies above 4096 is a tagged pointer to a node; any other is
 * the entry at index 0 itself.
 */
#include "core.h"

#define SLOTS 64
#define HEIGHT_MAX 11 /* nodes of 6 bits that a 64-bit index needs */

static bool is_node(u64 entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

/* One step down: replaces *entry, and cuts *index to what lies below it. */
static int descend(struct hang_work *w, u64 *index, u64 *entry)
{
	u64 node = *entry - 2;
	u64 shift;
	u64 slot;
	int err;

	err = hang_read_member(w, node, L_xa_shift, &shift);
	if (err)
		return err;
	if (shift >= 64) {
		hang_fault(w, "xa_node", node, -EINVAL, "impossible shift");
		return -EINVAL;
	}
	slot = *index >> shift;
	*index &= (1ULL << shift) - 1;
	*entry = 0;
	if (slot >= SLOTS)
		return 0;
	return hang_read_ptr(w,
			     node + hang_loc(w, L_xa_slots) + slot * w->t->word,
			     entry, "xa_node.slots");
}

int hang_xarray_get(struct hang_work *w, u64 xa, u64 index, u64 *entry)
{
	u32 height = 0;
	int err;

	err = hang_read_member(w, xa, L_xa_head, entry);
	if (!err && !is_node(*entry) && index)
		*entry = 0;
	while (!err && is_node(*entry)) {
		if (height++ == HEIGHT_MAX) {
			hang_fault(w, "xarray", xa, -ELOOP, "nodes loop");
			return -ELOOP;
		}
		err = descend(w, &index, entry);
	}
	return err;
}
