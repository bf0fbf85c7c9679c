// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zones of a zoned disk that writes have to wait for (block/blk-zoned.c). The
 * writes to a zone have to arrive in order, so there is one at a time. That was
 * seen to by a lock for each zone, a bit in a bitmap, until zones got write
 * plugs: these stand in a hash table, and the bios that wait stand in them.
 *
 * A plug stays for as long as its zone is partly written, and most hold nothing
 * back. They are freed by RCU, so in a running kernel what is read may be one
 * that has just left, which then is passed over.
 */
#include "core.h"

#define ZONES_MAX (1u << 24)
#define HASH_BITS_MAX 16
#define WPLUG_PLUGGED 1 /* BLK_ZONE_WPLUG_PLUGGED, a macro */

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->held_snap, row);
}

static void begin(struct hang_work *w, u64 zone)
{
	hang_rec_start(&w->rec, R_zone);
	hang_rec_str(&w->rec, F_zone_disk, w->disk_name);
	hang_rec_set(&w->rec, F_zone_zone, zone);
}

/* Copies a part of a table, and says how long it is; 0 if it can't be read. */
static u32 load_part(struct hang_work *w, u64 addr, u64 left, const char *what)
{
	struct hang_snap *part = &w->part_snap;
	u32 len = left < sizeof(part->data) ? left : sizeof(part->data);

	return hang_read(w, addr, part->data, len, what) ? 0 : len;
}

static u64 word_at(const struct hang_work *w, u32 at)
{
	return hang_decode(w->t, w->part_snap.data + at, w->t->word);
}

/* The locks of one word, the first of which is that of zone first. */
static void emit_locked(struct hang_work *w, u64 word, u64 addr, u32 first,
			u32 nr)
{
	u32 bits = 8 * w->t->word;
	u32 i;

	for (i = 0; i < bits && first + i < nr; i++) {
		w->looked.zones++;
		if (!(word >> i & 1)) {
			w->looked.zones_empty++;
			continue;
		}
		begin(w, first + i);
		hang_rec_set(&w->rec, F_zone_locked, 1);
		hang_rec_set(&w->rec, F_zone_addr, addr);
		hang_emit(w, &w->rec);
	}
}

static void walk_locks(struct hang_work *w, u64 map, u64 nr)
{
	u32 bits = 8 * w->t->word;
	u64 size = (nr + bits - 1) / bits * w->t->word;
	u64 done = 0;
	u32 len, at;

	if (nr > ZONES_MAX) {
		hang_fault(w, "nr_zones", map, -EINVAL,
			   "impossible number of zones");
		return;
	}
	while (done < size && !hang_interrupted(w)) {
		len = load_part(w, map + done, size - done, "seq_zones_wlock");
		if (!len)
			return;
		for (at = 0; at < len; at += w->t->word)
			emit_locked(w, word_at(w, at), map + done + at,
				    (done + at) * 8, nr);
		done += len;
	}
}

static u64 first_bio(struct hang_work *w)
{
	u64 bio;

	return hang_read_member(w, w->held_snap.addr +
				hang_loc(w, L_wplug_bios), L_bio_list_head,
				&bio) ? 0 : bio;
}

static void emit_wplug(struct hang_work *w)
{
	static const struct hang_task_fields fields = {
		.pid = F_zone_pid, .comm = F_zone_comm, .slept = F_zone_slept,
	};
	struct hang_rec *rec = &w->rec;
	u64 flags = get(w, L_wplug_flags);
	u32 bios;
	int err;

	err = hang_bio_list_count(w, w->held_snap.addr +
				  hang_loc(w, L_wplug_bios),
				  "blk_zone_wplug.bio_list", &bios);
	w->looked.zones++;
	if (!err && !bios && !(flags & WPLUG_PLUGGED)) {
		w->looked.zones_empty++;
		return;
	}
	begin(w, get(w, L_wplug_zone));
	if (!err)
		hang_rec_set(rec, F_zone_bios, bios);
	hang_rec_set(rec, F_zone_plugged, !!(flags & WPLUG_PLUGGED));
	hang_rec_set(rec, F_zone_flags, flags);
	if (hang_has(w, L_wplug_work))
		hang_rec_str(rec, F_zone_work,
			     hang_work_state(w, w->held_snap.addr +
					     hang_loc(w, L_wplug_work),
					     get(w, L_wplug_work), 0));
	if (hang_has(w, L_wplug_ref))
		hang_rec_set(rec, F_zone_ref, get(w, L_wplug_ref));
	if (hang_has(w, L_wplug_wp))
		hang_rec_set(rec, F_zone_wp, get(w, L_wplug_wp));
	hang_bio_show_waiter(w, rec, first_bio(w), &fields);
	hang_rec_set(rec, F_zone_addr, w->held_snap.addr);
	hang_emit(w, rec);
}

static void look_at_wplug(struct hang_work *w, u64 node, u64 disk)
{
	u64 wplug = node - hang_loc(w, L_wplug_node);

	w->hush = hang_is_live(w);
	if (!hang_snap_load(w, &w->held_snap, wplug, L_size_wplug)) {
		if (get(w, L_wplug_disk) == disk)
			emit_wplug(w);
		else
			hang_fault(w, "blk_zone_wplug", wplug, -EINVAL,
				   "is not of this disk");
	}
	w->hush = false;
}

/* One chain of the hash table. */
static void walk_chain(struct hang_work *w, u64 first, u64 disk)
{
	u32 tries = hang_list_tries(w);
	u32 i;
	int err;

	w->hush = hang_is_live(w);
	do
		err = hang_next_in_order(w, first, 0, &w->wait_order,
					 "zone_wplugs_hash");
	while (err && --tries && !hang_interrupted(w));
	w->hush = false;
	for (i = 0; i < w->wait_order.kept && !hang_interrupted(w); i++)
		look_at_wplug(w, w->wait_order.addr[i], disk);
	w->looked.left_out += w->wait_order.count > w->wait_order.kept;
}

static void walk_wplugs(struct hang_work *w, u64 disk, u64 table, u64 bits)
{
	u64 size, done = 0;
	u32 len, at;

	if (bits > HASH_BITS_MAX) {
		hang_fault(w, "zone_wplugs_hash_bits", disk, -EINVAL,
			   "impossible size of the hash table");
		return;
	}
	size = (u64)w->t->word << bits;
	while (done < size && !hang_interrupted(w)) {
		len = load_part(w, table + done, size - done,
				"zone_wplugs_hash");
		if (!len)
			return;
		for (at = 0; at < len; at += w->t->word)
			if (word_at(w, at))
				walk_chain(w, word_at(w, at), disk);
		done += len;
	}
}

static bool has_wplugs(const struct hang_work *w)
{
	return hang_has(w, L_disk_wplugs) && hang_has(w, L_disk_wplugs_bits) &&
	       hang_has(w, L_size_wplug) && hang_has(w, L_wplug_node) &&
	       hang_has(w, L_wplug_disk) && hang_has(w, L_wplug_zone) &&
	       hang_has(w, L_wplug_flags) && hang_has(w, L_wplug_bios);
}

static void walk_disk(struct hang_work *w, u64 disk)
{
	u64 table, bits, nr, map;

	if (has_wplugs(w)) {
		if (!hang_read_member(w, disk, L_disk_wplugs, &table) &&
		    table &&
		    !hang_read_member(w, disk, L_disk_wplugs_bits, &bits) &&
		    (hang_read_member(w, disk, L_disk_nr_wplugs, &nr) || nr))
			walk_wplugs(w, disk, table, bits);
	} else if (!hang_read_member(w, disk, L_disk_wlock, &map) && map &&
		   !hang_read_member(w, disk, L_disk_nr_zones, &nr)) {
		walk_locks(w, map, nr);
	}
}

void hang_walk_zones(struct hang_work *w)
{
	const struct hang_snap *q = &w->q_snap;
	u64 chunk, disk, nr, map;

	/* This is the size of a zone, and zero on most disks that have none. */
	if (hang_snap_member(w, q, L_q_chunk, &chunk) && !chunk)
		return;
	if (hang_has(w, L_q_wlock)) {
		if (hang_snap_member(w, q, L_q_wlock, &map) && map &&
		    hang_snap_member(w, q, L_q_nr_zones, &nr))
			walk_locks(w, map, nr);
	} else if (hang_snap_member(w, q, L_q_disk, &disk) && disk) {
		walk_disk(w, disk);
	}
}
