// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loop disks: the file behind one, and the requests its workers have.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d, low;
static u64 lo;

static void make(u32 word, bool big)
{
	f = fake_new(.word = word, .big_endian = big);
	fake_disk(f, &low, .name = "fda");
	lo = fake_loop(f, &d, "loop0");
}

static u64 issued(u32 tag)
{
	return fake_rq(f, &d, .tag = tag, .state = FAKE_IN_FLIGHT, .age = SEC);
}

/* The place of the request with that tag. */
static const char *place_of(u32 tag)
{
	u32 i;

	for (i = 0; i < fake_count(f, R_rq); i++)
		if (rec_u64(f, rq, i, tag) == tag)
			return rec_str(f, rq, i, at);
	return "no such request";
}

static void test_workers(u32 word, bool big)
{
	static const bool left[] = { false, true, false, true };
	u64 worker[4];
	u32 i;

	make(word, big);
	fake_loop_file(f, lo, "image", &low, false);
	for (i = 0; i < 4; i++)
		worker[i] = fake_loop_worker(f, lo, left[i]);
	/* One that is neither the first nor the last in order. */
	fake_loop_worker(f, lo, false);
	issued(1);
	fake_loop_queue(f, lo, 0, issued(2));
	fake_loop_queue(f, lo, 0, issued(3));
	for (i = 0; i < 4; i++)
		fake_loop_queue(f, lo, worker[i], issued(4 + i));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%u: answer", word);
	is_u64(fake_count(f, R_fault), 0, "%u: no fault", word);
	is_u64(rec_u64(f, stack, 0, queued), 6, "%u: queued", word);
	is_str(place_of(1), "", "%u: one is begun with", word);
	for (i = 2; i < 8; i++)
		is_str(place_of(i), "loop-worker", "%u: request %u", word, i);
	is_u64(rec_u64(f, total, 1, issued), 7, "%u: all count once", word);
	is_str(rec_str(f, stack, 0, kind), "loop", "%u: kind", word);
	is_str(rec_str(f, stack, 0, state), "bound", "%u: state", word);
	is_str(rec_str(f, stack, 0, file), "image", "%u: file", word);
	is_str(rec_str(f, stack, 0, on), "fda", "%u: disk", word);
	ok(!rec_has(f, stack, 0, inflight), "%u: its requests tell", word);
	fake_free(f);
}

static void test_files(void)
{
	make(8, false);
	fake_loop_file(f, lo, "fda", &low, true);
	fake_set(f, lo, "loop_device.lo_flags", 0x10);
	fake_look(f);
	is_str(rec_str(f, stack, 0, on), "fda", "a disk itself: disk");
	is_u64(rec_u64(f, stack, 0, flags), 0x10, "flags");
	ok(!hang_rec_is_notable(fake_rec(f, R_stack, 0)), "nothing waits");
	fake_loop_file(f, lo, "memfd", NULL, false);
	fake_look(f);
	is_str(rec_str(f, stack, 0, file), "memfd", "no disk: file");
	ok(!rec_has(f, stack, 0, on), "no disk: none is named");
	fake_set(f, lo, "loop_device.lo_backing_file", 0);
	fake_set(f, lo, "loop_device.lo_state", 4);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "unbound: no fault");
	is_str(rec_str(f, stack, 0, state), "unbound", "unbound: state");
	ok(!rec_has(f, stack, 0, file), "unbound: no file");
	fake_set(f, lo, "loop_device.lo_state", 99);
	fake_look(f);
	is_str(rec_str(f, stack, 0, state), "99", "a state without a name");
	fake_free(f);
}

static void test_damaged_tree(void)
{
	u64 a, b, node;

	make(8, false);
	a = fake_loop_worker(f, lo, false);
	b = fake_loop_worker(f, lo, false);
	fake_loop_queue(f, lo, a, issued(1));
	fake_loop_queue(f, lo, b, issued(2));
	node = b + fake_offset(f, "loop_worker.rb_node");
	fake_set(f, node, "rb_node.rb_left", node);
	fake_look(f);
	is_u64(fake_faults(f, "tree too deep"), 1, "a loop to the left");
	ok(!rec_has(f, stack, 0, queued), "how many is not known");
	fake_set(f, node, "rb_node.rb_left", 0);
	fake_set(f, node, "rb_node.rb_right",
		 a + fake_offset(f, "loop_worker.rb_node"));
	fake_look(f);
	is_u64(fake_faults(f, "tree too large"), 1, "a loop to the right");
	is_u64(rec_u64(f, total, 1, issued), 2, "requests count once");
	fake_set(f, node, "rb_node.rb_right", fake_nowhere(f, -ENODATA));
	fake_look(f);
	ok(fake_count(f, R_fault) > 0, "a node not in the dump");
	is_str(place_of(1), "loop-worker", "what was found is told");
	fake_free(f);
}

static void test_no_workers(void)
{
	make(8, false);
	fake_drop(f, "loop_device.rootcg_cmd_list");
	issued(1);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "one thread: no fault");
	ok(!rec_has(f, stack, 0, queued), "one thread: not counted");
	fake_free(f);
}

int main(void)
{
	test_workers(8, false);
	test_workers(4, true);
	test_files();
	test_damaged_tree();
	test_no_workers();
	return tap_end();
}
