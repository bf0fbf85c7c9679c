// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds every request queue. Disks come from the class "block", hidden ones
 * too: class_kset lists all classes, each within a subsys_private
 * (drivers/base/base.h). A disk that is being removed is no longer in its class
 * while its queue may be what hangs, and some queues never had a disk; so the
 * list of queues that share a tag set is followed as well. Admin queues of NVMe
 * share none: their controllers are in a class too.
 */
#include "core.h"

#define TAG_SET_SEEN 0xffffffff

static void add_queue(struct hang_work *w, u64 q, u64 disk)
{
	u32 i;

	if (!q || hang_map_get(&w->queue_map, q, &i))
		return;
	if (w->nr_queues == w->caps.queues ||
	    !hang_map_put(&w->queue_map, q, w->nr_queues)) {
		w->looked.left_out++;
		return;
	}
	w->queues[w->nr_queues].addr = q;
	w->queues[w->nr_queues].disk = disk;
	w->nr_queues++;
}

/* The gendisk of a whole disk's device; 0 for a partition's. */
static int disk_of(struct hang_work *w, u64 dev, u64 *disk)
{
	bool embedded = hang_has(w, L_disk_part0_dev);
	u64 base, partno;
	int err;

	*disk = 0;
	if (embedded) {
		/* part0 within gendisk; a partition's hd_struct is laid alike. */
		base = dev - hang_loc(w, L_disk_part0_dev);
		err = hang_read_member(w, base, L_disk_part0_partno, &partno);
	} else {
		base = dev - hang_loc(w, L_bdev_device);
		err = hang_read_member(w, base, hang_has(w, L_bdev_partno) ?
				       L_bdev_partno : L_bdev_flags, &partno);
		partno &= 0xff;
	}
	if (err || partno)
		return err;
	if (!embedded)
		return hang_read_member(w, base, L_bdev_disk, disk);
	*disk = base;
	return 0;
}

static int device_found(struct hang_work *w, u64 node, void *arg)
{
	u64 priv = node - hang_loc(w, L_knode_node) -
		   hang_loc(w, L_dp_knode_class);
	u64 dev, disk, q;

	(void)arg;
	if (!hang_read_member(w, priv, L_dp_device, &dev) &&
	    !disk_of(w, dev, &disk) && disk &&
	    !hang_read_member(w, disk, L_disk_queue, &q))
		add_queue(w, q, disk);
	return 0;
}

struct class_search {
	const char *name;
	u64 sp; /* its subsys_private */
};

/* Ends the walk of class_kset with 1 when the class is found. */
static int class_found(struct hang_work *w, u64 node, void *arg)
{
	struct class_search *search = arg;
	u64 base = node - hang_loc(w, L_kobj_entry) - hang_loc(w, L_sp_subsys);
	u64 class, name;
	char buf[8];

	if (hang_read_member(w, base, L_sp_class, &class) || !class ||
	    hang_read_member(w, class, L_class_name, &name) ||
	    hang_read_str(w, name, buf, sizeof(buf), "class.name"))
		return 0;
	if (strcmp(buf, search->name))
		return 0;
	search->sp = base;
	return 1;
}

static bool walk_class(struct hang_work *w, u64 kset, const char *name,
		       hang_node_fn fn, const char *what)
{
	struct class_search search = { .name = name };

	hang_for_each_list(w, kset + hang_loc(w, L_kset_list), class_found,
			   &search, "class_kset");
	if (search.sp)
		hang_for_each_klist(w, search.sp + hang_loc(w, L_sp_devices),
				    fn, NULL, what);
	return search.sp;
}

/* The queue for commands to an NVMe controller itself; it never has a disk. */
static int ctrl_found(struct hang_work *w, u64 node, void *arg)
{
	u64 priv = node - hang_loc(w, L_knode_node) -
		   hang_loc(w, L_dp_knode_class);
	u64 dev, q;

	(void)arg;
	if (!hang_read_member(w, priv, L_dp_device, &dev) &&
	    !hang_read_member(w, dev - hang_loc(w, L_nvme_ctrl_device),
			      L_nvme_admin_q, &q) && hang_is_kernel_ptr(w, q))
		add_queue(w, q, 0);
	return 0;
}

static void walk_classes(struct hang_work *w)
{
	u64 kset;

	if (hang_read_ptr(w, hang_loc(w, L_sym_class_kset), &kset, "class_kset"))
		return;
	if (!walk_class(w, kset, "block", device_found, "class block"))
		hang_fault(w, "class block", kset, -ENOENT, "not found");
	if (hang_has(w, L_nvme_ctrl_device) && hang_has(w, L_nvme_admin_q))
		walk_class(w, kset, "nvme", ctrl_found, "class nvme");
}

static int sharer_found(struct hang_work *w, u64 node, void *arg)
{
	u64 q = node - hang_loc(w, L_q_tag_set_list);
	u64 disk = 0;

	(void)arg;
	if (hang_has(w, L_q_disk) && hang_read_member(w, q, L_q_disk, &disk))
		return 0;
	add_queue(w, q, disk);
	return 0;
}

static void walk_tag_set(struct hang_work *w, u64 q)
{
	u64 set, ops;
	u32 seen;

	if (hang_read_member(w, q, L_q_mq_ops, &ops) || !ops ||
	    hang_read_member(w, q, L_q_tag_set, &set) || !set ||
	    hang_map_get(&w->queue_map, set, &seen))
		return;
	hang_map_put(&w->queue_map, set, TAG_SET_SEEN);
	hang_for_each_list(w, set + hang_loc(w, L_set_tag_list), sharer_found,
			   NULL, "tag_list");
}

void hang_queues_load(struct hang_work *w)
{
	u32 i;

	w->nr_queues = 0;
	hang_map_clear(&w->queue_map);
	walk_classes(w);
	for (i = 0; i < w->nr_queues && !hang_interrupted(w); i++)
		walk_tag_set(w, w->queues[i].addr);
}

static u64 known_disk(const struct hang_work *w, u64 q)
{
	u32 i;

	if (!hang_map_get(&w->queue_map, q, &i) || i >= w->nr_queues)
		return 0;
	return w->queues[i].disk;
}

void hang_disk_name(struct hang_work *w, u64 q)
{
	u64 disk = known_disk(w, q);
	struct hang_str s;
	u64 id;

	hang_str_init(&s, w->disk_name, sizeof(w->disk_name));
	if (!disk && hang_has(w, L_q_disk))
		hang_read_member(w, q, L_q_disk, &disk);
	if (disk && !hang_read_str(w, disk + hang_loc(w, L_disk_name),
				   w->disk_name, sizeof(w->disk_name),
				   "gendisk.disk_name"))
		return;
	hang_str_init(&s, w->disk_name, sizeof(w->disk_name));
	hang_put(&s, "queue-");
	if (hang_read_member(w, q, L_q_id, &id))
		hang_put_char(&s, '?');
	else
		hang_put_dec(&s, id);
}

bool hang_disk_is_known(struct hang_work *w, u64 disk)
{
	u64 q;
	u32 i;

	return !hang_read_member(w, disk, L_disk_queue, &q) &&
	       hang_map_get(&w->queue_map, q, &i) && i < w->nr_queues &&
	       w->queues[i].disk == disk;
}
