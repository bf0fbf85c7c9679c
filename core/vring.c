// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of virtio (drivers/virtio/virtio_ring.c): who owns a request, the
 * device or the driver?
 *
 * Of a split ring, indices only ever grow, modulo 2^16: avail is what the
 * driver has offered, used what the device has given back, last_used what the
 * driver has taken. num_added was offered but the device has not been told.
 *
 * A packed ring has descriptors only, which the device overwrites to give a
 * buffer back. Two of their flags are equal to each other and to a counter,
 * which turns over with each round, where the device did so. A buffer may
 * take several descriptors: num_added counts those. What is outstanding is in
 * desc_state, by the buffer's id.
 */
#include "core.h"

#define DESC_F_NEXT 1	 /* VRING_DESC_F_NEXT */
#define DESC_AVAIL_BIT 7 /* VRING_PACKED_DESC_F_AVAIL */
#define DESC_USED_BIT 15 /* VRING_PACKED_DESC_F_USED */
#define WRAP_BIT 15	 /* VRING_PACKED_EVENT_F_WRAP_CTR */

#define PACKED_MAX 32768 /* a packed ring can't be larger */

static void show_split(struct hang_work *w, struct hang_rec *rec, u64 ring)
{
	u64 num, used_at, used, last, avail, added;

	if (!hang_has(w, L_vring_used_idx) ||
	    hang_read_member(w, ring, L_vq_num, &num) ||
	    hang_read_member(w, ring, L_vq_used, &used_at) ||
	    hang_read_member(w, used_at, L_vring_used_idx, &used) ||
	    hang_read_member(w, ring, L_vq_last_used, &last) ||
	    hang_read_member(w, ring, L_vq_avail_shadow, &avail) ||
	    hang_read_member(w, ring, L_vq_num_added, &added))
		return;
	hang_rec_set(rec, F_ring_size, num);
	hang_rec_set(rec, F_ring_device, (avail - used) & 0xffff);
	hang_rec_set(rec, F_ring_uncollected, (used - last) & 0xffff);
	hang_rec_set(rec, F_ring_unkicked, added);
}

struct packed {
	u64 num, free, added, desc, state, next, last;
	bool wrap;
	u32 outstanding, uncollected, unkicked;
};

static const enum hang_row_id packed_rows[] = {
	L_vq_packed_num,     L_vq_num_free,	  L_vq_num_added,
	L_vq_packed_desc,    L_vq_packed_state,	  L_vq_packed_next,
	L_vq_last_used,	     L_size_packed_desc,  L_packed_desc_id,
	L_packed_desc_flags, L_size_packed_state, L_packed_state_data,
	L_packed_state_num,
};

static int bad_ring(struct hang_work *w, u64 addr, const char *why)
{
	hang_fault(w, "packed ring", addr, -EINVAL, why);
	return -EINVAL;
}

static int packed_load(struct hang_work *w, u64 ring, struct packed *p)
{
	u64 vq = ring + hang_loc(w, L_vq_vq);
	u64 wrap;

	if (hang_read_member(w, ring, L_vq_packed_num, &p->num) ||
	    hang_read_member(w, vq, L_vq_num_free, &p->free) ||
	    hang_read_member(w, ring, L_vq_num_added, &p->added) ||
	    hang_read_member(w, ring, L_vq_packed_desc, &p->desc) ||
	    hang_read_member(w, ring, L_vq_packed_state, &p->state) ||
	    hang_read_member(w, ring, L_vq_packed_next, &p->next) ||
	    hang_read_member(w, ring, L_vq_last_used, &p->last))
		return -EFAULT;
	if (hang_has(w, L_vq_packed_wrap)) {
		if (hang_read_member(w, ring, L_vq_packed_wrap, &wrap))
			return -EFAULT;
	} else {
		wrap = p->last >> WRAP_BIT & 1;
		p->last &= (1u << WRAP_BIT) - 1;
	}
	p->wrap = wrap;
	if (p->num > PACKED_MAX || p->last >= p->num || p->next >= p->num ||
	    p->free > p->num || p->added > p->num)
		return bad_ring(w, ring, "impossible size or index");
	return 0;
}

/* A member of descriptor n; both are of 16 bits, the lower byte first. */
static int desc_member(struct hang_work *w, const struct packed *p, u32 n,
		       enum hang_row_id row, u32 *value)
{
	u64 desc = p->desc + n * hang_loc(w, L_size_packed_desc);
	u8 buf[2] = { 0, 0 };
	int err;

	err = hang_read(w, desc + hang_loc(w, row), buf, sizeof(buf),
			hang_rows[row].name);
	*value = buf[0] | buf[1] << 8;
	return err;
}

static u64 state_at(const struct hang_work *w, const struct packed *p, u32 id)
{
	return p->state + id * hang_loc(w, L_size_packed_state);
}

static int count_outstanding(struct hang_work *w, struct packed *p)
{
	u64 data;
	u32 id;
	int err;

	p->outstanding = 0;
	for (id = 0; p->free < p->num && id < p->num; id++) {
		err = hang_read_member(w, state_at(w, p, id),
				       L_packed_state_data, &data);
		if (err)
			return err;
		p->outstanding += data != 0;
	}
	return 0;
}

/* The buffer with that id takes so many descriptors. */
static int buffer_size(struct hang_work *w, const struct packed *p, u32 id,
		       u64 *size)
{
	int err;

	if (id >= p->num)
		return bad_ring(w, p->desc, "no such buffer");
	err = hang_read_member(w, state_at(w, p, id), L_packed_state_num, size);
	if (!err && (!*size || *size > p->num))
		err = bad_ring(w, state_at(w, p, id), "impossible buffer");
	return err;
}

static int count_uncollected(struct hang_work *w, struct packed *p)
{
	u64 seen, size;
	u32 at = p->last;
	bool wrap = p->wrap;
	u32 flags, id;

	p->uncollected = 0;
	for (seen = 0; p->outstanding && seen < p->num; seen += size) {
		if (desc_member(w, p, at, L_packed_desc_flags, &flags))
			return -EFAULT;
		if ((flags >> DESC_AVAIL_BIT & 1) != wrap ||
		    (flags >> DESC_USED_BIT & 1) != wrap)
			break;
		if (desc_member(w, p, at, L_packed_desc_id, &id) ||
		    buffer_size(w, p, id, &size))
			return -EFAULT;
		p->uncollected++;
		at += size;
		if (at >= p->num) {
			at -= p->num;
			wrap = !wrap;
		}
	}
	if (p->uncollected > p->outstanding)
		return bad_ring(w, p->desc, "more given back than offered");
	return 0;
}

/* Buffers among the last descriptors: each has one that none follows. */
static int count_unkicked(struct hang_work *w, struct packed *p)
{
	u32 at = p->next >= p->added ? p->next - p->added
				     : p->next + p->num - p->added;
	u32 flags, i;

	p->unkicked = 0;
	for (i = 0; i < p->added; i++) {
		if (desc_member(w, p, at, L_packed_desc_flags, &flags))
			return -EFAULT;
		p->unkicked += !(flags & DESC_F_NEXT);
		at = at + 1 < p->num ? at + 1 : 0;
	}
	return 0;
}

static int packed_count(struct hang_work *w, u64 ring, struct packed *p)
{
	int err;

	err = packed_load(w, ring, p);
	if (!err)
		err = count_outstanding(w, p);
	if (!err)
		err = count_uncollected(w, p);
	if (!err)
		err = count_unkicked(w, p);
	return err;
}

static void show_packed(struct hang_work *w, struct hang_rec *rec, u64 ring)
{
	u32 tries = hang_list_tries(w);
	struct packed p;
	int err;

	if (!hang_has_all(w, packed_rows, HANG_ARRAY_SIZE(packed_rows)))
		return;
	do {
		w->hush = --tries != 0;
		err = packed_count(w, ring, &p);
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
	if (err)
		return;
	hang_rec_set(rec, F_ring_size, p.num);
	hang_rec_set(rec, F_ring_device, p.outstanding - p.uncollected);
	hang_rec_set(rec, F_ring_uncollected, p.uncollected);
	hang_rec_set(rec, F_ring_unkicked, p.unkicked);
}

void hang_vring_show(struct hang_work *w, struct hang_rec *rec, u64 ring)
{
	u64 packed = hang_has(w, L_enum_vq_layout_packed) ?
			     hang_loc(w, L_enum_vq_layout_packed) : 1;
	u64 layout, broken;

	if (!hang_read_member(w, ring, L_vq_broken, &broken))
		hang_rec_set(rec, F_ring_broken, broken);
	if (hang_read_member(w, ring, L_vq_packed, &layout))
		return;
	/* In the other layouts the device gives back in order, and in batches. */
	if (!layout)
		show_split(w, rec, ring);
	if (layout != packed)
		return;
	hang_rec_set(rec, F_ring_packed, 1);
	show_packed(w, rec, ring);
}
