// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's disks that are made of others.
 */
#include "fake.h"

#define STATS_SIZE 0x80

void fake_disk_ops(struct fake *f, struct fake_disk *d, const char *ops,
		   const char *module, u64 private)
{
	fake_set(f, d->gendisk, "gendisk.fops",
		 fake_symbol(f, ops, module, 64));
	fake_set(f, d->gendisk, "gendisk.private_data", private);
}

u64 fake_bdev(struct fake *f, struct fake_disk *d)
{
	u64 bdev = fake_new_of(f, "block_device");

	fake_set(f, bdev, "block_device.bd_disk", d->gendisk);
	return bdev;
}

/* Every disk has room of its own in a page of each CPU. */
static void make_stats(struct fake *f, struct fake_disk *d)
{
	u64 stats = fake_symbol_addr(f, "fake_stats") +
		    STATS_SIZE * f->next_id;

	assert(STATS_SIZE * (f->next_id + 1) < FAKE_PAGE - 0x40);
	assert(fake_sizeof(f, "disk_stats") <= STATS_SIZE);
	if (!fake_member(f, "gendisk.part0.dkstats")->gone) {
		fake_set(f, d->gendisk, "gendisk.part0.dkstats", stats);
	} else {
		u64 part0 = fake_bdev(f, d);

		fake_set(f, part0, "block_device.bd_stats", stats);
		fake_set(f, d->gendisk, "gendisk.part0", part0);
	}
}

void fake_in_flight(struct fake *f, struct fake_disk *d, u32 cpu, s64 bios)
{
	u64 part0 = fake_field(f, d->gendisk, "gendisk.part0");
	u64 stats;

	if (!fake_member(f, "gendisk.part0.dkstats")->gone)
		stats = fake_field(f, d->gendisk, "gendisk.part0.dkstats");
	else
		stats = fake_field(f, part0, "block_device.bd_stats");
	stats += fake_percpu(f, "fake_stats", cpu) -
		 fake_symbol_addr(f, "fake_stats");
	if (f->t.word == 4)
		stats &= 0xffffffff;
	stats += fake_offset(f, "disk_stats.in_flight");
	/* Reads and writes. */
	fake_put_ptr(f, stats, (u64)(bios - 1));
	fake_put_ptr(f, stats + f->t.word, 1);
}

u64 fake_fs_head(struct fake *f, u64 sb, u32 level)
{
	return sb + fake_offset(f, "super_block.s_writers.rw_sem") +
	       level * fake_sizeof(f, "percpu_rw_semaphore") +
	       fake_offset(f, "percpu_rw_semaphore.waiters.head");
}

u64 fake_fs(struct fake *f, struct fake_disk *d, const char *id, u32 frozen)
{
	u64 sb = fake_new_of(f, "super_block");
	u64 type = fake_new_of(f, "file_system_type");
	u32 i;

	fake_set(f, type, "file_system_type.name", fake_string(f, "ext4"));
	fake_set(f, sb, "super_block.s_type", type);
	fake_write(f, sb + fake_offset(f, "super_block.s_id"), id,
		   strlen(id) + 1);
	fake_set(f, sb, "super_block.s_writers.frozen", frozen);
	if (d)
		fake_set(f, sb, "super_block.s_bdev", fake_bdev(f, d));
	for (i = 0; i < 3; i++)
		fake_list_init(f, fake_fs_head(f, sb, i));
	fake_list_add_tail(f, fake_symbol_addr(f, "super_blocks"),
			   sb + fake_offset(f, "super_block.s_list"));
	return sb;
}

void fake_bios(struct fake *f, u64 list, u32 n)
{
	while (n--)
		fake_bio_add(f, list, "bio_chain_endio", 0);
}

u64 fake_dm(struct fake *f, struct fake_disk *d, const char *name)
{
	u64 md = fake_new_of(f, "mapped_device");

	fake_disk(f, d, .name = name, .bio = true);
	make_stats(f, d);
	fake_set(f, md, "mapped_device.disk", d->gendisk);
	fake_disk_ops(f, d, "dm_blk_dops", "dm_mod", md);
	return md;
}

u64 fake_dm_table(struct fake *f, u64 md, const char *const *types, u32 n)
{
	u64 table = fake_new_of(f, "dm_table");
	u32 size = fake_sizeof(f, "dm_target");
	u64 targets = fake_alloc(f, n * size);
	u64 type[16];
	u32 i, kinds = 0;

	for (; types[kinds]; kinds++) {
		type[kinds] = fake_new_of(f, "target_type");
		fake_set(f, type[kinds], "target_type.name",
			 fake_string(f, types[kinds]));
	}
	for (i = 0; i < n; i++)
		fake_set(f, targets + i * size, "dm_target.type",
			 type[i % kinds]);
	fake_list_init(f, table + fake_offset(f, "dm_table.devices"));
	fake_set(f, table, "dm_table.num_targets", n);
	fake_set(f, table, "dm_table.targets", targets);
	fake_set(f, md, "mapped_device.map", table);
	return table;
}

u64 fake_dm_use(struct fake *f, u64 md, struct fake_disk *lower)
{
	u64 table = fake_field(f, md, "mapped_device.map");
	u64 internal = fake_new_of(f, "dm_dev_internal");
	u64 dev = fake_new_of(f, "dm_dev");

	fake_set(f, dev, "dm_dev.bdev", fake_bdev(f, lower));
	fake_set(f, internal, "dm_dev_internal.dm_dev", dev);
	fake_list_add_tail(f, table + fake_offset(f, "dm_table.devices"),
			   internal + fake_offset(f, "dm_dev_internal.list"));
	return dev;
}

u64 fake_multipath(struct fake *f, u64 md)
{
	static const char *const types[] = { "multipath", NULL };
	u64 mp = fake_new_of(f, "multipath");
	u64 table = fake_dm_table(f, md, types, 1);

	fake_set(f, fake_field(f, table, "dm_table.targets"),
		 "dm_target.private", mp);
	return mp;
}

u64 fake_md(struct fake *f, struct fake_disk *d, const char *name)
{
	u64 mddev = fake_new_of(f, "mddev");
	u64 pers = fake_new_of(f, "md_personality");

	fake_disk(f, d, .name = name, .bio = true);
	make_stats(f, d);
	fake_set(f, mddev, "mddev.gendisk", d->gendisk);
	fake_list_init(f, mddev + fake_offset(f, "mddev.disks"));
	fake_set(f, mddev, "mddev.pers", pers);
	fake_set(f, pers, fake_member(f, "md_personality.head.name")->gone ?
		 "md_personality.name" : "md_personality.head.name",
		 fake_string(f, "raid1"));
	fake_disk_ops(f, d, "md_fops", "md_mod", mddev);
	return mddev;
}

void fake_md_use(struct fake *f, u64 mddev, struct fake_disk *lower)
{
	u64 rdev = fake_new_of(f, "md_rdev");

	fake_set(f, rdev, "md_rdev.bdev", fake_bdev(f, lower));
	fake_list_add_tail(f, mddev + fake_offset(f, "mddev.disks"),
			   rdev + fake_offset(f, "md_rdev.same_set"));
}

u64 fake_loop(struct fake *f, struct fake_disk *d, const char *name)
{
	u64 lo = fake_new_of(f, "loop_device");

	fake_disk(f, d, .name = name);
	fake_set(f, lo, "loop_device.lo_disk", d->gendisk);
	fake_set(f, lo, "loop_device.lo_state", FAKE_LO_BOUND);
	fake_list_init(f, lo + fake_offset(f, "loop_device.rootcg_cmd_list"));
	fake_disk_ops(f, d, "lo_fops", "loop", lo);
	return lo;
}

static u64 make_inode(struct fake *f, struct fake_disk *on, bool itself)
{
	u64 both = fake_new_of(f, "bdev_inode");
	u64 inode = both + fake_offset(f, "bdev_inode.vfs_inode");
	u64 sb = fake_new_of(f, "super_block");

	assert(fake_sizeof(f, "block_device") <= 480);
	assert(fake_sizeof(f, "inode") <= 240);
	fake_set(f, inode, "inode.i_mode", itself ? 0060660 : 0100644);
	fake_set(f, inode, "inode.i_sb", sb);
	if (itself)
		fake_set(f, both + fake_offset(f, "bdev_inode.bdev"),
			 "block_device.bd_disk", on->gendisk);
	else if (on)
		fake_set(f, sb, "super_block.s_bdev", fake_bdev(f, on));
	return inode;
}

u64 fake_loop_file(struct fake *f, u64 lo, const char *name,
		   struct fake_disk *on, bool itself)
{
	u64 file = fake_new_of(f, "file");
	u64 dentry = fake_new_of(f, "dentry");
	u64 mapping = fake_new_of(f, "address_space");

	fake_set(f, mapping, "address_space.host", make_inode(f, on, itself));
	fake_set(f, dentry, "dentry.d_name.name", fake_string(f, name));
	fake_set(f, file, "file.f_mapping", mapping);
	fake_set(f, file, "file.f_path.dentry", dentry);
	fake_set(f, lo, "loop_device.lo_backing_file", file);
	return file;
}

u64 fake_loop_worker(struct fake *f, u64 lo, bool left)
{
	u64 worker = fake_new_of(f, "loop_worker");
	u64 node = worker + fake_offset(f, "loop_worker.rb_node");
	u64 at = lo + fake_offset(f, "loop_device.worker_tree.rb_node");
	u64 parent = 0;

	while (fake_get(f, at, f->t.word)) {
		parent = fake_get(f, at, f->t.word);
		at = parent + fake_offset(f, left ? "rb_node.rb_left"
						  : "rb_node.rb_right");
	}
	fake_set(f, worker, "loop_worker.lo", lo);
	fake_put_ptr(f, at, node);
	/* With a colour. */
	fake_set(f, node, "rb_node.__rb_parent_color", parent | 1);
	fake_list_init(f, worker + fake_offset(f, "loop_worker.cmd_list"));
	return worker;
}

void fake_loop_queue(struct fake *f, u64 lo, u64 worker, u64 rq)
{
	fake_list_add_tail(f, worker ?
			   worker + fake_offset(f, "loop_worker.cmd_list") :
			   lo + fake_offset(f, "loop_device.rootcg_cmd_list"),
			   rq + fake_sizeof(f, "request") +
			   fake_offset(f, "loop_cmd.list_entry"));
}

u64 fake_dm_clone(struct fake *f, u64 rq, u64 md, u64 orig)
{
	u64 tio = fake_new_of(f, "dm_target_io");
	u64 io = fake_new_of(f, "dm_io");
	u64 bio = tio + fake_offset(f, "dm_target_io.clone");

	assert(fake_sizeof(f, "bio") <=
	       fake_member(f, "dm_target_io.clone")->size);
	fake_set(f, io, "dm_io.md", md);
	fake_set(f, io, "dm_io.orig_bio", orig);
	fake_set(f, tio, "dm_target_io.io", io);
	fake_set(f, bio, "bio.bi_end_io",
		 fake_symbol(f, "clone_endio", "dm_mod", 64));
	if (rq)
		fake_set(f, rq, "request.bio", bio);
	return bio;
}
