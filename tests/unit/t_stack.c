// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Disks that are made of others: what they sit on, what waits within them, and
 * what is said of damaged ones.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d, low[16];
static u64 private;

static const char *const linear[] = { "linear", NULL };

static void lower_disks(u32 n)
{
	static char names[16][8];
	u32 i;

	for (i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "fd%c", 'a' + i);
		fake_disk(f, &low[i], .name = names[i]);
	}
}

static void make_dm(const char *const *types, u32 targets, u32 disks)
{
	u32 i;

	lower_disks(disks);
	private = fake_dm(f, &d, "dm-0");
	fake_dm_table(f, private, types, targets);
	for (i = 0; i < disks; i++)
		fake_dm_use(f, private, &low[i]);
}

static void test_dm(enum fake_style style, u32 word, bool big)
{
	static const char *const types[] = { "linear", "striped", NULL };
	const char *name = fake_style_name(style);

	f = fake_new(.word = word, .big_endian = big);
	fake_style(f, style);
	make_dm(types, 6, 2);
	fake_dm_use(f, private, &low[0]); /* another partition of it */
	fake_set(f, private, "mapped_device.flags", 3);
	fake_bios(f, private + fake_offset(f, "mapped_device.deferred"), 3);
	fake_in_flight(f, &d, 0, 9);
	fake_in_flight(f, &d, 2, -4); /* of those that began elsewhere */
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s %u: answer", name, word);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	is_u64(fake_count(f, R_stack), 1, "%s: of that disk alone", name);
	is_u64(rec_u64(f, looked, 0, stacks), 1, "%s: looked", name);
	is_str(rec_str(f, stack, 0, disk), "dm-0", "%s: disk", name);
	is_str(rec_str(f, stack, 0, kind), "dm", "%s: kind", name);
	is_u64(rec_u64(f, stack, 0, inflight), 5, "%s: in flight", name);
	is_u64(rec_u64(f, stack, 0, suspended), 1, "%s: suspended", name);
	is_u64(rec_u64(f, stack, 0, flags), 3, "%s: flags", name);
	is_u64(rec_u64(f, stack, 0, deferred), 3, "%s: deferred", name);
	is_str(rec_str(f, stack, 0, target), "linear|striped", "%s: types",
	       name);
	is_str(rec_str(f, stack, 0, on), "fda,fdb", "%s: lower disks", name);
	is_u64(rec_u64(f, stack, 0, addr), private, "%s: address", name);
	ok(hang_rec_is_notable(fake_rec(f, R_stack, 0)), "%s: noted", name);
	fake_free(f);
}

static void test_idle(void)
{
	f = fake_new();
	make_dm(linear, 1, 1);
	fake_set(f, private, "mapped_device.flags", 1);
	fake_in_flight(f, &d, 0, 1);
	fake_in_flight(f, &d, 1, -2);
	fake_look(f);
	is_u64(rec_u64(f, stack, 0, inflight), 0, "below zero is none");
	is_u64(rec_u64(f, stack, 0, suspended), 0, "about to be suspended");
	ok(!hang_rec_is_notable(fake_rec(f, R_stack, 0)), "not noted");
	fake_set(f, private, "mapped_device.map", 0);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "no table is no fault");
	ok(!rec_has(f, stack, 0, on), "and nothing is below it");
	fake_free(f);
}

/* Other disks have something else in private_data, and it is not read. */
static void test_other_driver(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_disk_ops(f, &d, "fake_fops", "fake_blk",
		      fake_nowhere(f, -EFAULT));
	fake_look(f);
	is_u64(fake_count(f, R_stack), 0, "another driver: no record");
	is_u64(fake_count(f, R_fault), 0, "another driver: not read");
	fake_disk_ops(f, &d, "dm_blk_dops", "other_mod",
		      fake_nowhere(f, -EFAULT));
	fake_look(f);
	is_u64(fake_count(f, R_stack), 0, "a name alike: no record");
	fake_free(f);
}

static void test_not_its_own(void)
{
	f = fake_new();
	make_dm(linear, 1, 1);
	fake_in_flight(f, &d, 0, 2);
	fake_set(f, private, "mapped_device.disk", low[0].gendisk);
	fake_look(f);
	is_u64(fake_faults(f, "does not belong to the disk"), 1,
	       "private_data of another disk");
	is_u64(rec_u64(f, stack, 0, inflight), 2, "still in flight");
	ok(!rec_has(f, stack, 0, on) && !rec_has(f, stack, 0, flags),
	   "nothing else is said");
	fake_free(f);
}

static void test_many(void)
{
	static const char *const types[] = { "a", "b", "c", "d", "e", NULL };

	f = fake_new();
	make_dm(types, 5, 14);
	fake_look(f);
	is_str(rec_str(f, stack, 0, target), "a|b|c|d|...", "many types");
	is_str(rec_str(f, stack, 0, on),
	       "fda,fdb,fdc,fdd,fde,fdf,fdg,fdh,fdi,fdj,fdk,fdl,...",
	       "many disks");
	fake_free(f);
	f = fake_new();
	make_dm(linear, 65, 1);
	fake_look(f);
	is_str(rec_str(f, stack, 0, target), "linear|...", "many targets");
	fake_free(f);
}

static void test_damaged(void)
{
	u64 table;

	f = fake_new();
	make_dm(linear, 1, 1);
	table = fake_field(f, private, "mapped_device.map");
	fake_set(f, table, "dm_table.num_targets", 0x40000000);
	fake_look(f);
	is_u64(fake_faults(f, "impossible number of targets"), 1,
	       "number of targets");
	ok(!rec_has(f, stack, 0, target), "no target is named");
	is_str(rec_str(f, stack, 0, on), "fda", "its disks still are");
	fake_set(f, private, "mapped_device.map", fake_nowhere(f, -ENODATA));
	fake_bios(f, private + fake_offset(f, "mapped_device.deferred"), 2);
	fake_look(f);
	ok(fake_count(f, R_fault) > 0, "table not in the dump");
	is_u64(rec_u64(f, stack, 0, deferred), 2, "what waits still is told");
	fake_free(f);
}

static void test_loops(void)
{
	u64 list, bio, table;

	f = fake_new();
	make_dm(linear, 1, 2);
	list = private + fake_offset(f, "mapped_device.deferred");
	fake_bios(f, list, 3);
	bio = fake_field(f, list, "bio_list.head");
	fake_set(f, fake_field(f, bio, "bio.bi_next"), "bio.bi_next", bio);
	table = fake_field(f, private, "mapped_device.map");
	fake_look(f);
	is_u64(fake_faults(f, "list loops"), 1, "deferred bios loop");
	fake_set(f, list, "bio_list.head", 0);
	list = table + fake_offset(f, "dm_table.devices");
	list = fake_get(f, list, f->t.word);
	fake_put_ptr(f, list, list);
	fake_look(f);
	is_u64(fake_faults(f, "list loops"), 1, "devices loop");
	is_str(rec_str(f, stack, 0, on), "fda", "each of them once");
	fake_free(f);
}

/* What a kernel does not tell of types: a name and what is in flight. */
static void test_no_types(void)
{
	static const char *const gone[] = {
		"mapped_device.disk", "mapped_device.flags",
		"mapped_device.map", "mapped_device.deferred",
	};
	u32 i;

	f = fake_new();
	make_dm(linear, 1, 1);
	fake_in_flight(f, &d, 3, 7);
	for (i = 0; i < HANG_ARRAY_SIZE(gone); i++)
		fake_drop(f, gone[i]);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "no types: no fault");
	is_u64(rec_u64(f, stack, 0, inflight), 7, "no types: in flight");
	ok(!rec_has(f, stack, 0, suspended), "no types: not known");
	fake_free(f);
}

static void test_multipath(void)
{
	u64 mp, path, dev;

	f = fake_new();
	lower_disks(2);
	private = fake_dm(f, &d, "dm-3");
	mp = fake_multipath(f, private);
	fake_dm_use(f, private, &low[0]);
	dev = fake_dm_use(f, private, &low[1]);
	fake_set(f, mp, "multipath.flags", 0xa);
	fake_set(f, mp, "multipath.nr_valid_paths", 1);
	fake_bios(f, mp + fake_offset(f, "multipath.queued_bios"), 4);
	path = fake_new_of(f, "pgpath");
	fake_set(f, path, "pgpath.path.dev", dev);
	fake_set(f, mp, "multipath.current_pgpath", path);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "multipath: no fault");
	is_str(rec_str(f, stack, 0, target), "multipath", "multipath: type");
	is_u64(rec_u64(f, stack, 0, paths), 1, "multipath: paths");
	is_u64(rec_u64(f, stack, 0, queued), 4, "multipath: queued");
	is_u64(rec_u64(f, stack, 0, mpath), 0xa, "multipath: its flags");
	is_str(rec_str(f, stack, 0, path), "fdb", "multipath: path in use");
	is_str(rec_str(f, stack, 0, on), "fda,fdb", "multipath: disks");
	fake_set(f, mp, "multipath.current_pgpath", 0);
	fake_set(f, mp, "multipath.nr_valid_paths", 0);
	fake_look(f);
	ok(rec_has(f, stack, 0, paths) && !rec_u64(f, stack, 0, paths),
	   "multipath: no path");
	ok(!rec_has(f, stack, 0, path), "multipath: none in use");
	fake_free(f);
}

static void test_md(bool old_name)
{
	f = fake_new();
	lower_disks(2);
	if (old_name)
		fake_drop(f, "md_personality.head.name");
	private = fake_md(f, &d, "md0");
	fake_md_use(f, private, &low[1]);
	fake_md_use(f, private, &low[0]);
	fake_set(f, private, "mddev.suspended", 2);
	fake_set(f, private, "mddev.recovery", 0x11);
	fake_set(f, private, "mddev.flags", 0x20);
	fake_in_flight(f, &d, 1, 6);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "md: no fault");
	is_str(rec_str(f, stack, 0, kind), "md", "md: kind");
	is_str(rec_str(f, stack, 0, target), "raid1", "md: level");
	is_str(rec_str(f, stack, 0, on), "fdb,fda", "md: disks");
	is_u64(rec_u64(f, stack, 0, suspended), 1, "md: suspended");
	is_u64(rec_u64(f, stack, 0, recovery), 0x11, "md: recovery");
	is_u64(rec_u64(f, stack, 0, flags), 0x20, "md: flags");
	is_u64(rec_u64(f, stack, 0, inflight), 6, "md: in flight");
	fake_set(f, private, "mddev.pers", 0);
	fake_look(f);
	ok(!rec_has(f, stack, 0, target), "md: not running");
	fake_free(f);
}

int main(void)
{
	u32 style;

	for (style = 0; style < FAKE_STYLES; style++)
		test_dm(style, 8, false);
	test_dm(FAKE_PERCPU_CSD, 4, true);
	test_idle();
	test_other_driver();
	test_not_its_own();
	test_many();
	test_damaged();
	test_loops();
	test_no_types();
	test_multipath();
	test_md(false);
	test_md(true);
	return tap_end();
}
