// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists in somebody else's memory. Each walk has a bound and looks for loops
 * by Brent's method: a marker moves to the current node at every power of two,
 * and meeting it again means that the list runs in a circle.
 */
#include "core.h"

struct guard {
	u64 marker;
	u32 steps;
	u32 next_power;
};

/* 0 to go on; else the walk ends here, and a fault says why. */
static int guard_step(struct hang_work *w, struct guard *g, u64 node,
		      const char *what)
{
	if (!node) {
		hang_fault(w, what, node, -EFAULT, "null pointer");
		return -EFAULT;
	}
	if (node == g->marker) {
		hang_fault(w, what, node, -ELOOP, "list loops");
		return -ELOOP;
	}
	if (++g->steps > w->cfg.list_max) {
		hang_fault(w, what, node, -E2BIG, "list too long");
		w->looked.left_out += !w->hush;
		return -E2BIG;
	}
	if (g->steps >= g->next_power) {
		g->marker = node;
		g->next_power *= 2;
	}
	return hang_interrupted(w) ? -EINTR : 0;
}

int hang_for_each_list(struct hang_work *w, u64 head, hang_node_fn fn,
		       void *arg, const char *what)
{
	struct guard g = { .next_power = 1 };
	u64 node;
	int err;

	err = hang_read_ptr(w, head, &node, what);
	while (!err && node != head) {
		err = guard_step(w, &g, node, what);
		if (!err)
			err = fn(w, node, arg);
		if (!err)
			err = hang_read_ptr(w, node, &node, what);
	}
	return err;
}

int hang_for_each_next(struct hang_work *w, u64 node, u64 next,
		       hang_node_fn fn, void *arg, const char *what)
{
	struct guard g = { .next_power = 1 };
	int err = 0;

	while (!err && node) {
		err = guard_step(w, &g, node, what);
		if (!err)
			err = fn(w, node, arg);
		if (!err)
			err = hang_read_ptr(w, node + next, &node, what);
	}
	return err;
}

int hang_for_each_klist(struct hang_work *w, u64 klist, hang_node_fn fn,
			void *arg, const char *what)
{
	/* A klist is a list_head of klist_node.n_node. */
	return hang_for_each_list(w, klist + hang_loc(w, L_klist_list), fn,
				  arg, what);
}

static void order_add(struct hang_order *order, u64 node)
{
	order->addr[order->count % HANG_LIST_KEEP] = node;
	order->count++;
}

/* A list that loops was walked more than once around. */
static void order_forget_repeats(struct hang_order *order)
{
	u32 i, j;

	if (order->count > HANG_LIST_KEEP)
		return;
	for (i = 1; i < order->count; i++) {
		for (j = 0; j < i; j++) {
			if (order->addr[j] == order->addr[i]) {
				order->count = i;
				return;
			}
		}
	}
}

static void reverse(u64 *a, u32 from, u32 to)
{
	while (from + 1 < to) {
		u64 tmp = a[from];

		a[from++] = a[--to];
		a[to] = tmp;
	}
}

/*
 * Turns the ring, whose next write would go to count % KEEP, into a list that
 * begins with what was written last.
 */
static void order_newest_last_to_first(struct hang_order *order)
{
	u32 keep = order->count < HANG_LIST_KEEP ? order->count : HANG_LIST_KEEP;
	u32 cut = order->count % HANG_LIST_KEEP;

	order->kept = keep;
	if (keep < HANG_LIST_KEEP || !cut) {
		reverse(order->addr, 0, keep);
		return;
	}
	reverse(order->addr, 0, cut);
	reverse(order->addr, cut, keep);
}

int hang_llist_oldest_first(struct hang_work *w, u64 head,
			    struct hang_order *order, const char *what)
{
	struct guard g = { .next_power = 1 };
	u64 node;
	int err;

	order->count = 0;
	order->kept = 0;
	err = hang_read_ptr(w, head, &node, what);
	while (!err && node) {
		err = guard_step(w, &g, node, what);
		if (err)
			break;
		order_add(order, node);
		if (order->each)
			order->each(w, node, NULL);
		err = hang_read_ptr(w, node, &node, what);
	}
	if (err == -ELOOP)
		order_forget_repeats(order);
	order_newest_last_to_first(order);
	return err;
}

static int keep_node(struct hang_work *w, u64 node, void *arg)
{
	struct hang_order *order = arg;

	if (order->count < HANG_LIST_KEEP)
		order->addr[order->count] = node;
	order->count++;
	return order->each ? order->each(w, node, NULL) : 0;
}

static void keep_done(struct hang_order *order, int err)
{
	if (err == -ELOOP)
		order_forget_repeats(order);
	order->kept = order->count < HANG_LIST_KEEP ? order->count
						    : HANG_LIST_KEEP;
}

int hang_list_oldest_first(struct hang_work *w, u64 head,
			   struct hang_order *order, const char *what)
{
	int err;

	order->count = 0;
	err = hang_for_each_list(w, head, keep_node, order, what);
	keep_done(order, err);
	return err;
}

int hang_next_in_order(struct hang_work *w, u64 node, u64 next,
		       struct hang_order *order, const char *what)
{
	int err;

	order->count = 0;
	err = hang_for_each_next(w, node, next, keep_node, order, what);
	keep_done(order, err);
	return err;
}

int hang_order_load(struct hang_work *w, hang_order_fn fn, u64 head,
		    struct hang_order *order, const char *what)
{
	u32 tries = hang_list_tries(w);
	int err;

	do {
		w->hush = --tries != 0;
		err = fn(w, head, order, what);
		w->hush = false;
	} while (err && tries && !hang_interrupted(w));
	return err;
}
