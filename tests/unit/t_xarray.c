// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * xarray look-ups: no node, one, two levels, gaps, and damage.
 */
#include "fake.h"

static u64 make_node(struct fake *f, u32 shift)
{
	u64 node = fake_new_of(f, "xa_node");

	fake_set(f, node, "xa_node.shift", shift);
	return node;
}

static void set_slot(struct fake *f, u64 node, u32 slot, u64 entry)
{
	fake_put_ptr(f, node + fake_offset(f, "xa_node.slots") +
		     slot * f->t.word, entry);
}

static u64 get(struct fake *f, u64 xa, u64 index, int want_err)
{
	u64 entry = 0;
	int err;

	f->nr_recs = 0;
	f->w->sink = &f->sink;
	err = hang_xarray_get(f->w, xa, index, &entry);
	is_u64(err, want_err, "index %llu: returns %d", index, want_err);
	return err ? 0 : entry;
}

static u64 make_xa(struct fake *f, u64 head)
{
	u64 xa = fake_new_of(f, "xarray");

	fake_set(f, xa, "xarray.xa_head", head);
	return xa;
}

static void test_shapes(u32 word)
{
	struct fake *f = fake_new(.word = word);
	u64 a = fake_alloc(f, 16), b = fake_alloc(f, 16);
	u64 top = make_node(f, 6), low = make_node(f, 0), xa;

	fake_attach(f);
	xa = make_xa(f, 0);
	is_u64(get(f, xa, 0, 0), 0, "empty: nothing at 0");
	is_u64(get(f, xa, 5, 0), 0, "empty: nothing at 5");
	xa = make_xa(f, a);
	is_u64(get(f, xa, 0, 0), a, "one entry is the head itself");
	is_u64(get(f, xa, 1, 0), 0, "and there is no other");
	set_slot(f, low, 0, a);
	set_slot(f, low, 63, b);
	xa = make_xa(f, low + 2);
	is_u64(get(f, xa, 0, 0), a, "one node: 0");
	is_u64(get(f, xa, 63, 0), b, "one node: 63");
	is_u64(get(f, xa, 7, 0), 0, "one node: a gap");
	is_u64(get(f, xa, 64, 0), 0, "one node: past its end");
	is_u64(get(f, xa, ~0ULL, 0), 0, "one node: far past its end");
	set_slot(f, top, 3, low + 2);
	xa = make_xa(f, top + 2);
	is_u64(get(f, xa, 3 * 64 + 63, 0), b, "two nodes");
	is_u64(get(f, xa, 2 * 64, 0), 0, "two nodes: a gap");
	is_u64(f->nr_recs, 0, "no faults");
	fake_free(f);
}

static void test_damage(void)
{
	struct fake *f = fake_new();
	u64 node = make_node(f, 0), xa;
	u32 i;

	fake_attach(f);
	/* Every slot leads back to the node itself. */
	for (i = 0; i < 64; i++)
		set_slot(f, node, i, node + 2);
	xa = make_xa(f, node + 2);
	get(f, xa, 5, -ELOOP);
	is_u64(fake_faults(f, "nodes loop"), 1, "a node within itself: fault");
	fake_set(f, node, "xa_node.shift", 64);
	get(f, xa, 5, -EINVAL);
	is_u64(fake_faults(f, "impossible shift"), 1, "shift 64: fault");
	fake_set(f, node, "xa_node.shift", 255);
	get(f, xa, 0, -EINVAL);
	fake_set(f, node, "xa_node.shift", 63);
	get(f, xa, 0, -ELOOP);
	xa = make_xa(f, fake_nowhere(f, -ENODATA) + 2);
	get(f, xa, 1, -ENODATA);
	is_u64(fake_faults(f, "left out"), 1, "node in an excluded page");
	xa = make_xa(f, 0x5002);
	get(f, xa, 1, -EFAULT);
	get(f, fake_nowhere(f, -EFAULT), 1, -EFAULT);
	fake_free(f);
}

int main(void)
{
	test_shapes(8);
	test_shapes(4);
	test_damage();
	return tap_end();
}
