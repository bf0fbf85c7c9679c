// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding queues: through the class, through tag sets, hidden ones and those
 * without a disk; partitions are passed over; damage ends only what it hits.
 */
#include "fake.h"

static struct fake *f;

static void test_kinds(enum fake_style style)
{
	const char *name = fake_style_name(style);
	struct fake_disk a, b, c, d;

	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &a, .name = "fda", .hctxs = 3);
	fake_partition(f, &a, 1);
	fake_partition(f, &a, 200);
	fake_disk(f, &b, .name = "fhid", .hidden = true);
	fake_disk(f, &c, .name = "fbio", .bio = true);
	fake_partition(f, &c, 15);
	fake_disk(f, &d, .name = "a32-characters-long-name-of-disk");
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: answer", name);
	is_u64(fake_count(f, R_disk), 4, "%s: disks, no partitions", name);
	is_str(rec_str(f, disk, 0, disk), "fda", "%s: name", name);
	is_u64(rec_u64(f, disk, 0, major), 250, "%s: major", name);
	is_u64(rec_u64(f, disk, 0, minor), 16, "%s: minor", name);
	is_u64(rec_u64(f, disk, 0, hctxs), 3, "%s: hctxs", name);
	is_str(rec_str(f, disk, 0, ops), "fake_mq_ops [fake_blk]", "%s: ops",
	       name);
	ok(!rec_has(f, disk, 0, hidden), "%s: not hidden", name);
	is_u64(rec_u64(f, disk, 1, hidden), 1, "%s: hidden", name);
	is_u64(rec_u64(f, disk, 2, bio), 1, "%s: bio based", name);
	is_str(rec_str(f, disk, 2, ops), "", "%s: which has no ops", name);
	is_str(rec_str(f, disk, 3, disk), "a32-characters-long-name-of-disk",
	       "%s: a name of 32 characters", name);
	is_u64(rec_u64(f, looked, 0, queues), 4, "%s: looked at", name);
	is_u64(rec_u64(f, looked, 0, hctxs), 5, "%s: hctxs looked at", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no faults", name);
	fake_free(f);
}

/* A disk being removed is in no class, but its tag set has its queue. */
static void test_unlisted(void)
{
	struct fake_disk a, b, c;

	f = fake_new();
	fake_disk(f, &a, .name = "fda");
	fake_disk(f, &b, .name = "gone", .unlisted = true, .with = &a);
	fake_disk(f, &c, .bare = true, .with = &a);
	fake_rq(f, &b, .tag = 3, .state = FAKE_IN_FLIGHT, .age = 99 * SEC);
	fake_look(f);
	is_u64(fake_count(f, R_disk), 3, "unlisted: found by tag set");
	is_str(rec_str(f, disk, 1, disk), "gone", "removed: its name");
	is_str(rec_str(f, disk, 2, disk), "queue-3", "no disk: the queue's id");
	ok(!rec_has(f, disk, 2, major), "no disk: no numbers");
	is_str(rec_str(f, verdict, 0, disk), "gone", "and it can be accused");
	fake_free(f);
}

static void test_hidden_unknown(void)
{
	struct fake_disk a;

	f = fake_new();
	fake_drop(f, "GENHD_FL_HIDDEN");
	fake_disk(f, &a, .name = "fhid", .hidden = true);
	fake_look(f);
	is_u64(fake_count(f, R_disk), 1, "flag unknown: shown");
	ok(!rec_has(f, disk, 0, hidden), "flag unknown: not marked");
	fake_free(f);
}

/* Three disks; the middle one's device is damaged. */
static void test_damaged(const char *spec, u64 base_of_dev, u64 value,
			 const char *name)
{
	struct fake_disk d[3];
	u64 at;

	f = fake_new();
	fake_disk(f, &d[0], .name = "fda");
	fake_disk(f, &d[1], .name = "fdb");
	fake_disk(f, &d[2], .name = "fdc");
	at = base_of_dev ? d[1].gendisk :
	     d[1].dev - fake_offset(f, "block_device.bd_device");
	fake_set(f, at, spec, value);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: unclear", name);
	ok(fake_count(f, R_fault), "%s: fault", name);
	is_str(hang_rec_text(fake_rec(f, R_disk, fake_count(f, R_disk) - 1),
			     F_disk_disk), "fdc", "%s: the last disk", name);
	fake_free(f);
}

static void test_class(void)
{
	struct fake_disk d;
	u64 kset, node;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	kset = fake_get(f, fake_symbol_addr(f, "class_kset"), 8);
	node = fake_get(f, kset + fake_offset(f, "kset.list"), 8);
	/* The first class points to itself: 'block' is never reached. */
	fake_put_ptr(f, node, node);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "classes loop: unclear");
	is_u64(fake_faults(f, "not found"), 1, "class not found: fault");
	fake_put_ptr(f, fake_symbol_addr(f, "class_kset"), 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no classes: unclear");
	ok(fake_count(f, R_cpu) == 4, "no classes: CPUs are looked at");
	fake_hole(f, fake_symbol_addr(f, "class_kset"), -ENODATA);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "class_kset left out");
	fake_free(f);
}

static void test_devices_loop(void)
{
	struct fake_disk d[2];
	u64 head, node;

	f = fake_new();
	fake_disk(f, &d[0], .name = "fda");
	fake_disk(f, &d[1], .name = "fdb");
	head = f->block_devices + fake_offset(f, "klist.k_list");
	node = fake_get(f, head, 8);
	fake_put_ptr(f, fake_get(f, node, 8), node);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "devices loop: unclear");
	is_u64(fake_count(f, R_disk), 2, "devices loop: each disk once");
	is_u64(fake_faults(f, "loops"), 1, "devices loop: fault");
	fake_free(f);
}

static void test_queue_damage(const char *spec, u64 value)
{
	struct fake_disk d[2];

	f = fake_new();
	fake_disk(f, &d[0], .name = "fda", .hctxs = 2);
	fake_disk(f, &d[1], .name = "fdb");
	fake_rq(f, &d[1], .tag = 3, .state = FAKE_IN_FLIGHT);
	fake_set(f, d[0].q, spec, value);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s %#llx: unclear", spec,
	       value);
	ok(fake_count(f, R_fault), "%s %#llx: fault", spec, value);
	is_str(rec_str(f, rq, 0, disk), "fdb", "%s %#llx: the rest", spec,
	       value);
	fake_free(f);
}

static void test_too_many(void)
{
	struct fake_disk d;
	u32 i;

	f = fake_new();
	for (i = 0; i < 40; i++)
		fake_disk(f, &d, .name = "many", .depth = 1);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "40 queues, room for 32");
	is_u64(fake_count(f, R_disk), 32, "32 of them are shown");
	is_u64(rec_u64(f, looked, 0, left_out), 8, "and 8 left out");
	fake_free(f);
}

static void test_array_holes(void)
{
	struct fake_disk d;
	u64 array;

	f = fake_new();
	fake_style(f, FAKE_LIST_HEAD);
	fake_disk(f, &d, .name = "fda", .hctxs = 4);
	fake_rq(f, &d, .hctx = 3, .tag = 1, .state = FAKE_IN_FLIGHT);
	array = fake_field(f, d.q, "request_queue.queue_hw_ctx");
	fake_put_ptr(f, array + 8, 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no hctx at 1: fine");
	is_u64(rec_u64(f, looked, 0, hctxs), 3, "three looked at");
	is_u64(fake_count(f, R_rq), 1, "the last one's request");
	fake_put_ptr(f, array + 8, d.hctx[2]);
	fake_look(f);
	is_u64(fake_faults(f, "not its place"), 1, "hctx at a wrong place");
	fake_free(f);
}

static void test_control_characters(void)
{
	struct fake_disk d;

	f = fake_new();
	fake_disk(f, &d, .name = "a\n\x1b[31m\xff\"b");
	fake_look(f);
	is_str(rec_str(f, disk, 0, disk), "a??[31m?\"b",
	       "a name can't break a line or a terminal");
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++)
		test_kinds(style);
	test_unlisted();
	test_hidden_unknown();
	test_damaged("block_device.bd_disk", 0, 0x10, "bd_disk in user space");
	test_damaged("block_device.bd_disk", 0, 0xffffffff12345678,
		     "bd_disk not mapped");
	test_damaged("gendisk.queue", 1, 0xdead000000000100, "queue poisoned");
	test_class();
	test_devices_loop();
	test_queue_damage("request_queue.nr_hw_queues", 0xffffffff);
	test_queue_damage("request_queue.nr_hw_queues", 0x7fffffff);
	test_queue_damage("request_queue.tag_set", 0x77);
	
	test_too_many();
	test_array_holes();
	test_control_characters();
	return tap_end();
}
