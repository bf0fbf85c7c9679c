// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A device-mapper disk (drivers/md/dm-core.h): its table of targets, the disks
 * that the table uses, and the bios that wait for it to be resumed.
 *
 * The bits of mapped_device.flags are macros, which nothing in a kernel tells.
 * The one that dm/suspended in sysfs shows has had its number since dm came
 * into the kernel; the others are left as a number.
 */
#include "stack.h"

#define DM_SUSPENDED 1 /* DMF_SUSPENDED */

#define TARGETS_MAX (1u << 20) /* DM_MAX_TARGETS */
#define TARGETS_SHOWN 64
#define TYPES_SHOWN 4
#define NAME_LEN 32

/* Types of targets as they are found, each once. */
struct types {
	struct hang_str text;
	u64 type[TYPES_SHOWN];
	u32 count;
	bool more;
};

static int add_name(struct hang_work *w, struct types *types, u64 type,
		    char *name)
{
	u64 addr;

	if (hang_read_member(w, type, L_dm_type_name, &addr) ||
	    hang_read_str(w, addr, name, NAME_LEN, "target_type.name"))
		return -EFAULT;
	if (types->count)
		hang_put_char(&types->text, '|');
	hang_put(&types->text, name);
	types->type[types->count++] = type;
	return 0;
}

/* A multipath target is the only one of its table. */
static int add_target(struct hang_work *w, struct types *types, u64 target)
{
	char name[NAME_LEN] = "";
	u64 type, private;
	u32 i;
	int err;

	if (hang_read_member(w, target, L_dm_target_type, &type))
		return -EFAULT;
	for (i = 0; i < types->count; i++)
		if (types->type[i] == type)
			return 0;
	if (types->count == TYPES_SHOWN) {
		types->more = true;
		return 0;
	}
	err = add_name(w, types, type, name);
	if (err || strcmp(name, "multipath"))
		return err;
	if (hang_read_member(w, target, L_dm_target_private, &private))
		return -EFAULT;
	return hang_stack_multipath(w, private);
}

static int show_targets(struct hang_work *w, u64 table)
{
	struct types types = { .count = 0 };
	u64 nr, targets;
	int err = 0;
	u32 i;

	if (!hang_has(w, L_size_dm_target) || !hang_has(w, L_dm_target_type) ||
	    !hang_has(w, L_dm_type_name))
		return 0;
	if (hang_read_member(w, table, L_dmt_nr, &nr) ||
	    hang_read_member(w, table, L_dmt_targets, &targets))
		return -EFAULT;
	if (nr > TARGETS_MAX) {
		hang_fault(w, "dm_table.num_targets", table, -EINVAL,
			   "impossible number of targets");
		return -EINVAL;
	}
	hang_str_init(&types.text, w->text, sizeof(w->text));
	types.more = nr > TARGETS_SHOWN;
	for (i = 0; !err && i < nr && i < TARGETS_SHOWN; i++)
		err = add_target(w, &types, targets +
				 i * hang_loc(w, L_size_dm_target));
	if (err || !nr)
		return err;
	if (types.more)
		hang_put(&types.text, "|...");
	hang_rec_str(&w->rec, F_stack_target, w->text);
	return 0;
}

static int device_found(struct hang_work *w, u64 node, void *arg)
{
	u64 dev, bdev;

	if (hang_read_member(w, node - hang_loc(w, L_dm_dev_list),
			     L_dm_dev_dev, &dev) ||
	    hang_read_member(w, dev, L_dm_dev_bdev, &bdev))
		return -EFAULT;
	return hang_lower_add(w, arg, bdev);
}

static int show_devices(struct hang_work *w, u64 table)
{
	struct hang_lower lower;
	int err;

	if (!hang_has(w, L_dmt_devices) || !hang_has(w, L_dm_dev_list) ||
	    !hang_has(w, L_dm_dev_dev) || !hang_has(w, L_dm_dev_bdev))
		return 0;
	hang_lower_init(w, &lower);
	err = hang_for_each_list(w, table + hang_loc(w, L_dmt_devices),
				 device_found, &lower, "dm_table.devices");
	if (lower.count)
		hang_rec_str(&w->rec, F_stack_on, w->text);
	return err;
}

/* A disk that has no table yet, or none any more, has nothing below it. */
static int show_table(struct hang_work *w, u64 md)
{
	u64 table;
	int err, err2;

	if (!hang_has(w, L_dm_map) || !hang_has(w, L_dmt_nr))
		return 0;
	err = hang_read_member(w, md, L_dm_map, &table);
	if (err || !table)
		return err;
	err = show_targets(w, table);
	err2 = show_devices(w, table);
	return err ? err : err2;
}

static int show_flags(struct hang_work *w, u64 md)
{
	u64 flags;

	if (!hang_has(w, L_dm_flags))
		return 0;
	if (hang_read_member(w, md, L_dm_flags, &flags))
		return -EFAULT;
	hang_rec_set(&w->rec, F_stack_flags, flags);
	hang_rec_set(&w->rec, F_stack_suspended, flags >> DM_SUSPENDED & 1);
	return 0;
}

static int show_deferred(struct hang_work *w, u64 md)
{
	u32 count;
	int err;

	if (!hang_has(w, L_dm_deferred))
		return 0;
	err = hang_bio_list_count(w, md + hang_loc(w, L_dm_deferred),
				  "mapped_device.deferred", &count);
	if (!err || count)
		hang_rec_set(&w->rec, F_stack_deferred, count);
	if (count)
		hang_stack_show_waiter(w, md + hang_loc(w, L_dm_deferred));
	return err;
}

int hang_stack_dm(struct hang_work *w, u64 md)
{
	int err = show_flags(w, md);
	int err2 = show_deferred(w, md);
	int err3 = show_table(w, md);

	return err ? err : err2 ? err2 : err3;
}
