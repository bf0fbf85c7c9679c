// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's bios that are no requests yet: those that the limits of
 * cgroups keep back, and those that wait for a zone of a zoned disk.
 */
#include "fake.h"

#define PLID 2

void fake_held_init(struct fake *f)
{
	u32 list = fake_sizeof(f, "bio_list");
	u32 sq = fake_sizeof(f, "throtl_service_queue");

	/* What has one of them within has room for it. */
	assert(list <= fake_member(f, "throtl_qnode.bios")->size);
	assert(list <= fake_member(f, "blk_zone_wplug.bio_list")->size);
	assert(sq <= fake_member(f, "throtl_data.service_queue")->size);
	assert(sq <= fake_member(f, "throtl_grp.service_queue")->size);
	fake_set(f, fake_symbol(f, "blkcg_policy_throtl", NULL, 128),
		 "blkcg_policy.plid", PLID);
}

void fake_held_style(struct fake *f, enum fake_style style)
{
	static const struct {
		const char *what;
		bool there[FAKE_STYLES]; /* in the order of enum fake_style */
	} facts[] = {
		{ "request_queue.seq_zones_wlock", { false, false, true } },
		{ "request_queue.nr_zones", { false, false, true } },
		{ "gendisk.seq_zones_wlock", { false, true, false } },
		{ "gendisk.nr_zones", { true, true, false } },
		{ "gendisk.zone_wplugs_hash", { true, false, false } },
		{ "gendisk.zone_wplugs_hash_bits", { true, false, false } },
		{ "gendisk.nr_zone_wplugs", { true, false, false } },
		{ "blk_zone_wplug", { true, false, false } },
		{ "throtl_service_queue.nr_queued", { false, true, true } },
		{ "throtl_service_queue.nr_queued_bps",
		  { true, false, false } },
		{ "throtl_service_queue.nr_queued_iops",
		  { true, false, false } },
		{ "throtl_qnode.bios", { false, true, true } },
		{ "throtl_qnode.bios_bps", { true, false, false } },
		{ "throtl_qnode.bios_iops", { true, false, false } },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(facts); i++) {
		if (facts[i].there[style])
			fake_restore(f, facts[i].what);
		else
			fake_drop(f, facts[i].what);
	}
}

u64 fake_bio_add(struct fake *f, u64 list, const char *end_io, u64 private)
{
	u64 bio = fake_bio(f, 0, end_io, private);
	u64 last = fake_field(f, list, "bio_list.tail");

	if (last)
		fake_set(f, last, "bio.bi_next", bio);
	else
		fake_set(f, list, "bio_list.head", bio);
	fake_set(f, list, "bio_list.tail", bio);
	return bio;
}

static u64 list_of(struct fake *f, u64 sq, u32 dir)
{
	return sq + fake_offset(f, "throtl_service_queue.queued") +
	       dir * 2 * f->t.word;
}

static void sq_init(struct fake *f, u64 sq, u64 parent)
{
	fake_list_init(f, list_of(f, sq, 0));
	fake_list_init(f, list_of(f, sq, 1));
	fake_set(f, sq, "throtl_service_queue.parent_sq", parent);
}

u64 fake_td_queue(struct fake *f, u64 td)
{
	return td + fake_offset(f, "throtl_data.service_queue");
}

u64 fake_td(struct fake *f, struct fake_disk *d)
{
	u64 td = fake_new_of(f, "throtl_data");

	sq_init(f, fake_td_queue(f, td), 0);
	fake_set(f, d->q, "request_queue.td", td);
	return td;
}

u64 fake_throttle(struct fake *f, struct fake_disk *d, u64 blkg, u64 parent)
{
	u64 td = fake_field(f, d->q, "request_queue.td");
	u64 tg = fake_new_of(f, "throtl_grp");
	u64 sq = fake_offset(f, "throtl_grp.service_queue");

	sq_init(f, tg + sq, parent ? parent + sq : fake_td_queue(f, td));
	fake_put_ptr(f, blkg + fake_offset(f, "blkcg_gq.pd") + PLID * f->t.word,
		     tg + fake_offset(f, "throtl_grp.pd"));
	return tg;
}

u64 fake_queue_bio(struct fake *f, u64 sq, u32 dir, const char *list,
		   const char *end_io, u64 private)
{
	u64 qnode = fake_new_of(f, "throtl_qnode");

	fake_list_add_tail(f, list_of(f, sq, dir),
			   qnode + fake_offset(f, "throtl_qnode.node"));
	return fake_bio_add(f, qnode + fake_offset(f, list), end_io, private);
}

static void add_one(struct fake *f, u64 base, const char *spec, u32 dir)
{
	u64 at = base + fake_offset(f, spec) + dir * 4;

	fake_put(f, at, 4, fake_get(f, at, 4) + 1);
}

u64 fake_throttle_bio(struct fake *f, u64 td, u64 tg, u32 dir)
{
	u64 sq = tg + fake_offset(f, "throtl_grp.service_queue");

	add_one(f, td, "throtl_data.nr_queued", dir);
	if (fake_member(f, "throtl_service_queue.nr_queued_bps")->gone) {
		add_one(f, sq, "throtl_service_queue.nr_queued", dir);
		return fake_queue_bio(f, sq, dir, "throtl_qnode.bios",
				      "end_bio_bh_io_sync", 0);
	}
	add_one(f, sq, "throtl_service_queue.nr_queued_bps", dir);
	return fake_queue_bio(f, sq, dir, "throtl_qnode.bios_bps",
			      "end_bio_bh_io_sync", 0);
}

u64 fake_directory(struct fake *f, const char *name, u64 parent)
{
	u64 kn = fake_new_of(f, "kernfs_node");

	fake_set(f, kn, "kernfs_node.name", fake_string(f, name));
	fake_set(f, kn, "kernfs_node.__parent", parent);
	return kn;
}

void fake_zoned(struct fake *f, struct fake_disk *d, u32 bits)
{
	fake_set(f, d->q, "request_queue.limits.chunk_sectors", 8192);
	fake_set(f, d->gendisk, "gendisk.nr_zones", 512);
	fake_set(f, d->gendisk, "gendisk.zone_wplugs_hash_bits", bits);
	fake_set(f, d->gendisk, "gendisk.zone_wplugs_hash",
		 fake_alloc(f, (size_t)f->t.word << bits));
}

u64 fake_wplug(struct fake *f, struct fake_disk *d, u32 chain, u32 zone)
{
	u64 table = fake_field(f, d->gendisk, "gendisk.zone_wplugs_hash");
	u64 wplug = fake_new_of(f, "blk_zone_wplug");
	u64 node = wplug + fake_offset(f, "blk_zone_wplug.node");
	u64 head = table + chain * f->t.word;

	fake_set(f, wplug, "blk_zone_wplug.disk", d->gendisk);
	fake_set(f, wplug, "blk_zone_wplug.zone_no", zone);
	fake_set(f, wplug, "blk_zone_wplug.ref", 1);
	fake_put_ptr(f, node, fake_get(f, head, f->t.word));
	fake_put_ptr(f, head, node);
	fake_set(f, d->gendisk, "gendisk.nr_zone_wplugs",
		 fake_field(f, d->gendisk, "gendisk.nr_zone_wplugs") + 1);
	return wplug;
}
