// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drivers that come and go while we are there: their types are in modules, and
 * a layout holds for those that are loaded.
 *
 * A notifier only says so to a work item. That resolves, in process context and
 * on memory of its own, a whole new layout beside the one in use, and puts it in
 * its place by one store of a pointer. A dump copies what it finds there when it
 * begins, and goes by the copy; so it may come in any context and at any moment,
 * and neither waits for the other. The old layout is freed after a grace period;
 * on a machine that hangs so badly that none ends, it is not freed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "kmod.h"

struct known {
	struct rcu_head rcu;
	struct hang_layout layout;
};

static struct known __rcu *known; /* changed by init, then by the work alone */
static struct workqueue_struct *queue;
static const struct hang_dump *attached;

static atomic_t moves = ATOMIC_INIT(0); /* how often a module came or went */
static int settled;			/* moves that the layout knows of */
static u32 looked;

/* The reader's section is a copy of some KB: no grace period waits for a dump. */
void hang_modules_layout(struct hang_layout *layout)
{
	rcu_read_lock();
	*layout = rcu_dereference(known)->layout;
	rcu_read_unlock();
}

u32 hang_modules_looked(bool *pending)
{
	*pending = READ_ONCE(settled) != atomic_read(&moves);
	return READ_ONCE(looked);
}

static int publish(const struct hang_layout *layout)
{
	struct known *new = kvmalloc(sizeof(*new), GFP_KERNEL);
	struct known *old = rcu_dereference_protected(known, true);

	if (!new)
		return -ENOMEM;
	new->layout = *layout;
	rcu_assign_pointer(known, new);
	WRITE_ONCE(looked, looked + 1);
	if (old)
		kvfree_rcu(old, rcu);
	return 0;
}

/* Sets d's layout to what holds now; false: it can't be known. */
static bool resolve(struct hang_dump *d)
{
	struct hang_live *live = &d->live;
	const char *why;

	hang_modules_layout(&d->work.layout);
	if (!hang_layout_has(&d->work.layout, L_sym_btf_modules))
		return false;
	live->types = hang_types_open(&live->target, &why);
	if (!live->types) {
		pr_warn("types of modules: %s\n", why);
		return false;
	}
	live->may_sleep = true;
	hang_live_start(live, HANG_ATTACH_NS);
	hang_attach_modules(&d->work);
	hang_types_close(live->types);
	live->types = NULL;
	return true;
}

/*
 * While it looks, a module may go, and its types be freed under its hands. Then
 * what was found is let go: the notifier has queued the work once more.
 */
static void look_again(struct work_struct *unused)
{
	int seen = atomic_read(&moves);
	struct hang_dump *d;

	if (!rcu_access_pointer(known))
		return;
	d = hang_dump_open(attached);
	if (!d || (resolve(d) && atomic_read(&moves) == seen &&
		   publish(&d->work.layout)))
		pr_warn("types of modules: out of memory\n");
	hang_dump_close(d);
	WRITE_ONCE(settled, seen);
}
static DECLARE_WORK(work, look_again);

/*
 * A module has its types when it is coming, before its own code runs: what hangs
 * in there can be looked at.
 */
static int module_moved(struct notifier_block *nb, unsigned long state,
			void *module)
{
	if ((state == MODULE_STATE_COMING || state == MODULE_STATE_GOING) &&
	    hang_module_has_types(((struct module *)module)->name)) {
		atomic_inc(&moves);
		queue_work(queue, &work);
	}
	return NOTIFY_DONE;
}

/* The last one: those who keep the list of types have been told before. */
static struct notifier_block module_block = {
	.notifier_call = module_moved,
	.priority = INT_MIN,
};

static void stop(void)
{
	unregister_module_notifier(&module_block);
	/* Waits for the work, after which nobody queues it. */
	destroy_workqueue(queue);
}

int hang_modules_init(struct hang_dump *d)
{
	int seen, err;

	/* Not bound, so that no CPU that hangs can keep it. */
	queue = alloc_workqueue("blkhang", WQ_UNBOUND, 0);
	if (!queue)
		return -ENOMEM;
	err = register_module_notifier(&module_block);
	if (err) {
		destroy_workqueue(queue);
		return err;
	}
	attached = d;
	seen = atomic_read(&moves);
	hang_dump_attach(d);
	settled = seen;
	err = publish(&d->work.layout);
	if (err)
		stop();
	/* What came meanwhile found no layout to go on from. */
	else if (atomic_read(&moves) != seen)
		queue_work(queue, &work);
	return err;
}

void hang_modules_exit(void)
{
	stop();
	/* No dump can begin any more, and none is under way. */
	kvfree(rcu_dereference_protected(known, true));
}
