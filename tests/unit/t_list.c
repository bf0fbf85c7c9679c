// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list walkers: order, bounds, loops of every shape, and nodes that are
 * not there.
 */
#include "fake.h"

static u64 nodes[2000];

static u64 make_nodes(struct fake *f, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		nodes[i] = fake_alloc(f, 32);
	return fake_alloc(f, 32);
}

static struct hang_order order;

static int llist(struct fake *f, u64 head)
{
	f->nr_recs = 0;
	f->w->sink = &f->sink;
	return hang_llist_oldest_first(f->w, head, &order, "a list");
}

static int list(struct fake *f, u64 head)
{
	f->nr_recs = 0;
	f->w->sink = &f->sink;
	return hang_list_oldest_first(f->w, head, &order, "a list");
}

/* Whether order holds nodes[first], nodes[first + 1] and so on. */
static bool is_in_order(u32 first, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (order.addr[i] != nodes[first + i])
			return false;
	return order.kept == n;
}

static bool has_twice(void)
{
	u32 i, j;

	for (i = 0; i < order.kept; i++)
		for (j = i + 1; j < order.kept; j++)
			if (order.addr[i] == order.addr[j])
				return true;
	return false;
}

/* An llist to which nodes[0] was added first, nodes[n - 1] last. */
static u64 make_llist(struct fake *f, u32 n)
{
	u64 head = make_nodes(f, n);
	u32 i;

	for (i = 0; i < n; i++)
		fake_llist_add(f, head, nodes[i]);
	return head;
}

static void test_llist(u32 n)
{
	struct fake *f = fake_new();
	u32 kept = n < HANG_LIST_KEEP ? n : HANG_LIST_KEEP;
	u64 head = make_llist(f, n);

	fake_attach(f);
	is_u64(llist(f, head), 0, "llist of %u: walked", n);
	is_u64(order.count, n, "llist of %u: counted", n);
	ok(is_in_order(0, kept), "llist of %u: the oldest first", n);
	is_u64(f->nr_recs, 0, "llist of %u: no faults", n);
	fake_free(f);
}

static void test_list(u32 n)
{
	struct fake *f = fake_new();
	u32 kept = n < HANG_LIST_KEEP ? n : HANG_LIST_KEEP;
	u64 head = make_nodes(f, n);
	u32 i;

	fake_attach(f);
	fake_list_init(f, head);
	for (i = 0; i < n; i++)
		fake_list_add_tail(f, head, nodes[i]);
	is_u64(list(f, head), 0, "list of %u: walked", n);
	is_u64(order.count, n, "list of %u: counted", n);
	ok(is_in_order(0, kept), "list of %u: the oldest first", n);
	fake_free(f);
}

/* tail nodes lead into a loop of the others. */
static void test_loop(u32 tail, u32 loop, bool doubly)
{
	struct fake *f = fake_new();
	u64 head = make_nodes(f, tail + loop);
	u32 n = tail + loop;
	char name[64];
	u32 i;
	int err;

	snprintf(name, sizeof(name), "%s, %u into a loop of %u",
		 doubly ? "list" : "llist", tail, loop);
	fake_attach(f);
	fake_put_ptr(f, head, nodes[0]);
	for (i = 0; i < n; i++)
		fake_put_ptr(f, nodes[i], nodes[i + 1 < n ? i + 1 : tail]);
	err = doubly ? list(f, head) : llist(f, head);
	is_u64(err, -ELOOP, "%s: ends", name);
	is_u64(fake_faults(f, "list loops"), 1, "%s: one fault", name);
	ok(order.count <= 3 * n, "%s: soon", name);
	is_u64(order.count, n, "%s: each node counts once", name);
	ok(!has_twice(), "%s: no node is kept twice", name);
	fake_free(f);
}

static void test_too_long(void)
{
	struct fake *f = fake_new();
	u64 head = make_llist(f, 600);

	fake_attach(f);
	f->w->cfg.list_max = 500;
	is_u64(llist(f, head), -E2BIG, "list over its bound: ends");
	is_u64(order.count, 500, "list over its bound: that many counted");
	is_u64(fake_faults(f, "list too long"), 1, "list over bound: fault");
	ok(f->w->looked.left_out, "list over its bound: something left out");
	fake_free(f);
}

static void test_broken(u64 next, int err, const char *why, const char *name)
{
	struct fake *f = fake_new();
	u64 head = make_llist(f, 10);

	fake_attach(f);
	if (next == 1)
		next = fake_nowhere(f, err);
	fake_put_ptr(f, nodes[4], next);
	is_u64(llist(f, head), err, "%s: error", name);
	/* The node that isn't there is known, for somebody points to it. */
	is_u64(order.count, 7, "%s: what came before is kept", name);
	ok(order.addr[1] == nodes[4] && order.addr[6] == nodes[9],
	   "%s: in order", name);
	is_u64(fake_faults(f, why), 1, "%s: fault", name);
	is_u64(fake_count(f, R_fault), 1, "%s: one fault", name);
	fake_free(f);
}

static void test_null_in_list(void)
{
	struct fake *f = fake_new();
	u64 head = fake_alloc(f, 16);

	fake_attach(f);
	ok(list(f, head) < 0, "list_head never initialised: error");
	is_u64(fake_faults(f, "null pointer"), 1,
	       "list_head never initialised: fault says null pointer");
	fake_free(f);
}

static int stop_at(struct hang_work *w, u64 node, void *arg)
{
	(void)w;
	return node == *(u64 *)arg ? 7 : 0;
}

static void test_stop(void)
{
	struct fake *f = fake_new();
	u64 head = make_nodes(f, 5);
	u32 i;

	fake_attach(f);
	fake_list_init(f, head);
	for (i = 0; i < 5; i++)
		fake_list_add_tail(f, head, nodes[i]);
	is_u64(hang_for_each_list(f->w, head, stop_at, &nodes[2], "x"), 7,
	       "a callback ends the walk, and its value is returned");
	fake_free(f);
}

static void test_interrupted(void)
{
	struct fake *f = fake_new();
	u64 head = make_llist(f, 200);

	fake_attach(f);
	f->interrupt_after = f->reads + 50;
	is_u64(llist(f, head), -EINTR, "interrupted: ends");
	ok(order.count < 60, "interrupted: soon");
	fake_free(f);
}

int main(void)
{
	static const u32 sizes[] = { 0, 1, 2, 3, HANG_LIST_KEEP - 1,
				     HANG_LIST_KEEP, HANG_LIST_KEEP + 1,
				     2 * HANG_LIST_KEEP, 1000 };
	static const u32 loops[][2] = { { 0, 1 }, { 0, 2 }, { 1, 1 }, { 1, 2 },
					{ 5, 3 }, { 7, 1 }, { 100, 37 } };
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(sizes); i++) {
		test_llist(sizes[i]);
		test_list(sizes[i]);
	}
	for (i = 0; i < HANG_ARRAY_SIZE(loops); i++) {
		test_loop(loops[i][0], loops[i][1], false);
		test_loop(loops[i][0], loops[i][1], true);
	}
	test_too_long();
	test_broken(1, -EFAULT, "not mapped", "next not mapped");
	test_broken(1, -ENODATA, "left out", "next in an excluded page");
	test_broken(0x1234, -EFAULT, "not mapped", "next in user space");
	test_broken(~0ULL, -EFAULT, "not mapped", "next all ones");
	test_null_in_list();
	test_stop();
	test_interrupted();
	return tap_end();
}
