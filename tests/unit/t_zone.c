// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zones that writes have to wait for: locks of older kernels, write plugs of
 * newer ones, and tables and chains that make no sense.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static const char *line(u32 n)
{
	static char buf[512];
	struct hang_str s;
	u32 field = 0;

	hang_str_init(&s, buf, sizeof(buf));
	hang_render(&s, fake_rec(f, R_zone, n), &field, false);
	return buf;
}

static void make_as(enum fake_style style, bool bio)
{
	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .bio = bio);
}

static void make(void)
{
	make_as(FAKE_PERCPU_CSD, false);
	fake_zoned(f, &d, 9);
}

static void looked(u32 zones, u32 empty, const char *name)
{
	is_u64(rec_u64(f, looked, 0, zones), zones, "%s: looked at", name);
	is_u64(rec_u64(f, looked, 0, zones_empty), empty, "%s: empty", name);
}

static int cost(void)
{
	f->reads = 0;
	fake_look(f);
	return f->reads;
}

static void test_not_zoned(enum fake_style style)
{
	const char *name = fake_style_name(style);
	int reads;

	make_as(style, false);
	fake_drop(f, "request_queue.limits.chunk_sectors");
	fake_look(f);
	reads = cost();
	looked(0, 0, name);
	fake_free(f);
	make_as(style, false);
	fake_look(f);
	is_u64(cost(), reads - (style != FAKE_LIST_HEAD), "%s: nothing to read",
	       name);
	fake_free(f);
}

static void add_bios(u64 wplug, u32 n)
{
	u64 list = wplug + fake_offset(f, "blk_zone_wplug.bio_list");

	while (n--)
		fake_bio_add(f, list, "end_bio_bh_io_sync", 0);
}

static void test_wplugs(bool bio)
{
	u64 wplug;

	make_as(FAKE_PERCPU_CSD, bio);
	fake_zoned(f, &d, 9);
	fake_look(f);
	looked(0, 0, "no plugs");
	fake_wplug(f, &d, 7, 40);
	wplug = fake_wplug(f, &d, 300, 41);
	add_bios(wplug, 3);
	fake_set(f, wplug, "blk_zone_wplug.flags", 5);
	fake_set(f, wplug, "blk_zone_wplug.wp_offset", 96);
	fake_set(f, wplug, "blk_zone_wplug.ref", 6);
	fake_set(f, wplug, "blk_zone_wplug.bio_work.data", FAKE_WORK_PENDING);
	wplug = fake_wplug(f, &d, 300, 42);
	fake_set(f, wplug, "blk_zone_wplug.flags", 1);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "plugs: no hang");
	is_u64(fake_count(f, R_zone), 2, "plugs: those that hold back");
	is_str(line(0), "zone disk=fda zone=42 bios=0 plugged=1 flags=0x1 "
	       "work=idle ref=1 wp=0", "a write under way");
	is_str(line(1), "zone disk=fda zone=41 bios=3 plugged=1 flags=0x5 "
	       "work=pending ref=6 wp=96", "and others that wait");
	looked(3, 1, "plugs");
	is_u64(fake_count(f, R_fault), 0, "plugs: no fault");
	fake_set(f, d.gendisk, "gendisk.zone_wplugs_hash", 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no table: no hang");
	looked(0, 0, "no table");
	fake_free(f);
}

/* A plug that is not plugged and yet has bios. */
static void test_left_behind(void)
{
	make();
	add_bios(fake_wplug(f, &d, 0, 9), 1);
	fake_look(f);
	is_str(line(0), "zone disk=fda zone=9 bios=1 plugged=0 flags=0x0 "
	       "work=idle ref=1 wp=0", "not plugged, with a bio");
	fake_free(f);
}

static void test_locks(enum fake_style style)
{
	bool old = style == FAKE_LIST_HEAD;
	const char *name = fake_style_name(style);
	u64 map;

	make_as(style, false);
	map = fake_alloc(f, 3000);
	fake_set(f, d.q, "request_queue.limits.chunk_sectors", 8192);
	if (old) {
		fake_set(f, d.q, "request_queue.seq_zones_wlock", map);
		fake_set(f, d.q, "request_queue.nr_zones", 17000);
	} else {
		fake_set(f, d.gendisk, "gendisk.seq_zones_wlock", map);
		fake_set(f, d.gendisk, "gendisk.nr_zones", 17000);
	}
	fake_look(f);
	looked(17000, 17000, name);
	fake_put(f, map, 8, 1 | 1ULL << 63);
	fake_put(f, map + 2048, 8, 1 << 5);
	fake_put(f, map + 16999 / 64 * 8, 8, 3ULL << (16999 % 64));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(fake_count(f, R_zone), 4, "%s: locked", name);
	is_str(line(0), "zone disk=fda zone=0 locked=1", "the first");
	is_u64(rec_u64(f, zone, 1, zone), 63, "%s: the last of a word", name);
	is_u64(rec_u64(f, zone, 2, zone), 2048 * 8 + 5, "%s: further on", name);
	is_u64(rec_u64(f, zone, 3, zone), 16999, "%s: the last of all", name);
	looked(17000, 16996, name);
	if (old)
		fake_set(f, d.q, "request_queue.nr_zones", 0xfffffff0);
	else
		fake_set(f, d.gendisk, "gendisk.nr_zones", 0xfffffff0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: rubbish: unclear", name);
	is_u64(fake_faults(f, "number of zones"), 1, "%s: one fault", name);
	fake_free(f);
}

static void test_no_locks(void)
{
	make_as(FAKE_RQ_CSD, false);
	fake_set(f, d.q, "request_queue.limits.chunk_sectors", 8192);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "striped, no zones: no hang");
	looked(0, 0, "striped, no zones");
	fake_set(f, d.gendisk, "gendisk.nr_zones", 17000);
	fake_set(f, d.gendisk, "gendisk.seq_zones_wlock",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "locks in a hole: unclear");
	is_u64(fake_faults(f, "left out"), 1, "locks in a hole: one fault");
	fake_free(f);
}

static void test_damaged(void)
{
	u64 node = fake_offset((make(), f), "blk_zone_wplug.node");
	u64 list = fake_offset(f, "blk_zone_wplug.bio_list");
	u64 a = fake_wplug(f, &d, 3, 1), b = fake_wplug(f, &d, 3, 2);

	fake_set(f, a, "blk_zone_wplug.flags", 1);
	fake_set(f, b, "blk_zone_wplug.flags", 1);
	fake_put_ptr(f, a + node, b + node);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "chain loops: unclear");
	is_u64(fake_faults(f, "list loops"), 1, "chain loops: one fault");
	is_u64(fake_count(f, R_zone), 2, "chain loops: each once");
	fake_put_ptr(f, a + node, 0);
	add_bios(a, 2);
	fake_set(f, a + list, "bio_list.tail", a);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "wrong tail: unclear");
	is_u64(fake_faults(f, "at its tail"), 1, "wrong tail: one fault");
	ok(!rec_has(f, zone, 1, bios), "wrong tail: not counted");
	is_u64(rec_u64(f, zone, 1, plugged), 1, "wrong tail: shown");
	fake_set(f, a + list, "bio_list.head", fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "bios in a hole: unclear");
	fake_set(f, b, "blk_zone_wplug.disk", d.q);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "another disk's: unclear");
	is_u64(fake_faults(f, "of this disk"), 1, "another disk's: one fault");
	is_u64(fake_count(f, R_zone), 1, "another disk's: not shown");
	fake_set(f, d.gendisk, "gendisk.zone_wplugs_hash_bits", 4000000000);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "rubbish: unclear");
	is_u64(fake_faults(f, "of the hash table"), 1, "rubbish: one fault");
	fake_set(f, d.gendisk, "gendisk.zone_wplugs_hash_bits", 9);
	fake_set(f, d.gendisk, "gendisk.zone_wplugs_hash",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "table in a hole: unclear");
	fake_free(f);
}

/* Plugs of a running kernel come and go: nothing is blamed for it. */
static void test_live(void)
{
	u64 wplug, node;

	make();
	fake_live(f, NULL);
	node = fake_offset(f, "blk_zone_wplug.node");
	fake_set(f, fake_wplug(f, &d, 8, 1), "blk_zone_wplug.disk", 0);
	wplug = fake_wplug(f, &d, 8, 2);
	fake_set(f, wplug, "blk_zone_wplug.flags", 1);
	add_bios(wplug, 1);
	fake_set(f, wplug + fake_offset(f, "blk_zone_wplug.bio_list"),
		 "bio_list.tail", wplug);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "live: no hang");
	is_u64(fake_count(f, R_fault), 0, "live: no fault");
	is_u64(fake_count(f, R_zone), 1, "live: the other one is shown");
	ok(!rec_has(f, zone, 0, bios), "live: bios that move are not counted");
	fake_put_ptr(f, wplug + node, 0xffffdead00000000);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "live, freed: no hang");
	is_u64(fake_count(f, R_fault), 0, "live, freed: no fault");
	fake_free(f);
}

static void test_drop(const char *what, u32 zones)
{
	make();
	fake_set(f, fake_wplug(f, &d, 8, 1), "blk_zone_wplug.flags", 1);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(fake_count(f, R_zone), zones, "no %s: zones", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	fake_free(f);
}

int main(void)
{
	u32 style;

	for (style = 0; style < FAKE_STYLES; style++)
		test_not_zoned(style);
	test_wplugs(false);
	test_wplugs(true);
	test_left_behind();
	test_locks(FAKE_RQ_CSD);
	test_locks(FAKE_LIST_HEAD);
	test_no_locks();
	test_damaged();
	test_live();
	test_drop("request_queue.limits.chunk_sectors", 1);
	test_drop("request_queue.disk", 0);
	test_drop("gendisk.zone_wplugs_hash", 0);
	test_drop("gendisk.zone_wplugs_hash_bits", 0);
	test_drop("gendisk.nr_zone_wplugs", 1);
	test_drop("blk_zone_wplug", 0);
	test_drop("blk_zone_wplug.node", 0);
	test_drop("blk_zone_wplug.disk", 0);
	test_drop("blk_zone_wplug.zone_no", 0);
	test_drop("blk_zone_wplug.flags", 0);
	test_drop("blk_zone_wplug.bio_list", 0);
	test_drop("blk_zone_wplug.bio_work.data", 1);
	test_drop("blk_zone_wplug.ref", 1);
	test_drop("blk_zone_wplug.wp_offset", 1);
	return tap_end();
}
