// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frozen file systems: on which disk, how far, and who waits; those on no disk,
 * many of them, and a list of super blocks that loops or ends nowhere.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d, e;

static void make(void)
{
	f = fake_new();
	fake_disk(f, &d, .name = "fda", .depth = 4);
	fake_disk(f, &e, .name = "fdb", .depth = 4);
}

static void wait_at(u64 sb, u32 level, u32 pid)
{
	fake_wait(f, fake_fs_head(f, sb, level), "percpu_rwsem_wake_function",
		  fake_sleeper(f, "touch", pid, 0, 40 * SEC));
}

static void test_frozen(void)
{
	u64 sb;

	make();
	fake_fs(f, &d, "fda1", 0);
	sb = fake_fs(f, &e, "fdb2", FAKE_FROZEN);
	wait_at(sb, 0, 500);
	wait_at(sb, 2, 501);
	fake_look(f);
	is_u64(fake_count(f, R_fs), 1, "one is frozen");
	is_str(rec_str(f, fs, 0, disk), "fdb", "on which disk");
	is_str(rec_str(f, fs, 0, id), "fdb2", "its name");
	is_str(rec_str(f, fs, 0, type), "ext4", "its type");
	is_u64(rec_u64(f, fs, 0, frozen), FAKE_FROZEN, "how far");
	is_u64(rec_u64(f, fs, 0, complete), 1, "all the way");
	is_u64(rec_u64(f, fs, 0, waiters), 2, "how many wait");
	is_u64(fake_count(f, R_wait), 2, "who waits");
	is_str(rec_str(f, wait, 0, what), "fs", "for what");
	is_str(rec_str(f, wait, 0, disk), "fdb", "of which disk");
	is_u64(rec_u64(f, wait, 0, pid), 500, "the first");
	is_u64(rec_u64(f, wait, 1, pid), 501, "the second");
	is_u64(fake_count(f, R_fault), 0, "no fault");
	fake_set(f, sb, "super_block.s_writers.frozen", 2);
	fake_look(f);
	is_u64(rec_u64(f, fs, 0, complete), 0, "not all the way");
	fake_free(f);
}

static void test_on_no_disk(void)
{
	make();
	fake_fs(f, NULL, "tmpfs", FAKE_FROZEN);
	fake_look(f);
	is_u64(fake_count(f, R_fs), 0, "on no disk");
	is_u64(fake_count(f, R_fault), 0, "which is no fault");
	fake_free(f);
}

static void test_many(void)
{
	u32 i;

	make();
	for (i = 0; i < HANG_FROZEN_MAX + 3; i++)
		fake_fs(f, &d, "fda", 1);
	fake_look(f);
	is_u64(fake_count(f, R_fs), HANG_FROZEN_MAX, "as many as there is room");
	is_u64(rec_u64(f, looked, 0, left_out), 3, "the others are counted");
	fake_free(f);
}

static void test_damaged(void)
{
	u64 sb;

	make();
	sb = fake_fs(f, &d, "fda1", FAKE_FROZEN);
	fake_put_ptr(f, sb + fake_offset(f, "super_block.s_list"),
		     sb + fake_offset(f, "super_block.s_list"));
	fake_look(f);
	is_u64(fake_count(f, R_fs), 1, "looping: it is told once");
	ok(fake_count(f, R_fault) >= 1, "looping: a fault");
	fake_free(f);
	make();
	sb = fake_fs(f, &d, "fda1", FAKE_FROZEN);
	fake_put_ptr(f, sb + fake_offset(f, "super_block.s_list"),
		     fake_nowhere(f, -EFAULT));
	fake_look(f);
	is_u64(fake_count(f, R_fs), 1, "ends nowhere: it is told");
	ok(fake_count(f, R_fault) >= 1, "ends nowhere: a fault");
	fake_free(f);
}

static void test_absent(void)
{
	static const char *const facts[] = {
		"super_blocks", "super_block.s_list", "super_block.s_bdev",
		"super_block.s_writers.frozen",
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(facts); i++) {
		make();
		fake_fs(f, &d, "fda1", FAKE_FROZEN);
		fake_drop(f, facts[i]);
		fake_look(f);
		is_u64(fake_count(f, R_fs), 0, "without %s", facts[i]);
		is_u64(fake_count(f, R_fault), 0, "%s: no fault", facts[i]);
		fake_free(f);
	}
	make();
	fake_fs(f, &d, "fda1", FAKE_FROZEN);
	fake_drop(f, "SB_FREEZE_COMPLETE");
	fake_look(f);
	ok(!rec_has(f, fs, 0, complete), "how far is a number alone");
	fake_free(f);
}

int main(void)
{
	test_frozen();
	test_on_no_disk();
	test_many();
	test_damaged();
	test_absent();
	return tap_end();
}
