// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of virtio-blk: who has a request, and what that means for whom is
 * accused.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;
static u64 ring, used;

/* One hardware queue with one old request, issued, and its ring. */
static void make(void)
{
	u64 vblk, vqs;

	f = fake_new();
	fake_disk(f, &d, .name = "vda");
	fake_rq(f, &d, .tag = 5, .cpu = 2, .state = FAKE_IN_FLIGHT,
		.age = 31 * SEC);
	fake_set(f, d.q, "request_queue.mq_ops",
		 fake_symbol(f, "virtio_mq_ops", "virtio_blk", 64));
	ring = fake_new_of(f, "vring_virtqueue");
	used = fake_new_of(f, "vring_used");
	vqs = fake_new_of(f, "virtio_blk_vq");
	vblk = fake_new_of(f, "virtio_blk");
	fake_set(f, d.q, "request_queue.queuedata", vblk);
	fake_set(f, vblk, "virtio_blk.vqs", vqs);
	fake_set(f, vqs, "virtio_blk_vq.vq",
		 ring + fake_offset(f, "vring_virtqueue.vq"));
	fake_set(f, ring, "vring_virtqueue.split.vring.num", 128);
	fake_set(f, ring, "vring_virtqueue.split.vring.used", used);
}

static void indices(u32 avail, u32 given_back, u32 taken)
{
	fake_set(f, ring, "vring_virtqueue.split.avail_idx_shadow", avail);
	fake_set(f, used, "vring_used.idx", given_back);
	fake_set(f, ring, "vring_virtqueue.last_used_idx", taken);
}

static void is_verdict(const char *id, const char *confidence, const char *name)
{
	fake_look(f);
	is_u64(fake_count(f, R_verdict), 1, "%s: one verdict", name);
	is_str(rec_str(f, verdict, 0, id), id, "%s: which", name);
	is_str(rec_str(f, verdict, 0, confidence), confidence, "%s: how sure",
	       name);
	fake_free(f);
}

static void test_indices(void)
{
	make();
	indices(3, 0xfffe, 0xfffd);
	fake_set(f, ring, "vring_virtqueue.num_added", 2);
	fake_look(f);
	is_u64(rec_u64(f, ring, 0, size), 128, "size");
	is_u64(rec_u64(f, ring, 0, device), 5, "with the device, wrapped");
	is_u64(rec_u64(f, ring, 0, uncollected), 1, "not collected");
	is_u64(rec_u64(f, ring, 0, unkicked), 2, "not kicked");
	is_u64(rec_u64(f, ring, 0, broken), 0, "not broken");
	fake_free(f);
}

static void test_verdicts(void)
{
	make();
	indices(8, 7, 7);
	is_verdict("device-owns-request", "high", "the device has it");
	make();
	indices(8, 8, 7);
	is_verdict("device-interrupt-lost", "high",
		   "the device has given it back");
	make();
	indices(8, 8, 8);
	is_verdict("unknown", "low", "the ring has it not");
	make();
	indices(8, 7, 7);
	fake_set(f, ring, "vring_virtqueue.num_added", 1);
	is_verdict("request-not-kicked", "high",
		   "the device was not told of it");
	make();
	indices(9, 7, 7);
	fake_set(f, ring, "vring_virtqueue.num_added", 1);
	is_verdict("device-owns-request", "high", "it was told of the old one");
	make();
	indices(8, 7, 7);
	fake_rq(f, &d, .tag = 6, .cpu = 2, .state = FAKE_IN_FLIGHT, .age = SEC);
	is_verdict("device-owns-request", "low", "it may be the young one");
	make();
	indices(9, 7, 7);
	fake_rq(f, &d, .tag = 6, .cpu = 2, .state = FAKE_IN_FLIGHT, .age = SEC);
	is_verdict("device-owns-request", "high", "it has both");
	make();
	indices(8, 7, 7);
	fake_hole(f, fake_percpu(f, "blk_cpu_done", 3), -ENODATA);
	is_verdict("device-owns-request", "low", "a CPU could not be seen");
	make();
	fake_drop(f, "vring_used.idx");
	is_verdict("device-owns-request", "medium", "the ring is unknown");
}

static void test_not_split(void)
{
	make();
	fake_set(f, ring, "vring_virtqueue.packed_ring", 1);
	fake_look(f);
	is_u64(rec_u64(f, ring, 0, packed), 1, "packed");
	ok(!rec_has(f, ring, 0, device), "and not taken for a split ring");
	fake_free(f);

	make();
	fake_set(f, d.q, "request_queue.mq_ops",
		 fake_symbol(f, "other_mq_ops", "other", 64));
	fake_look(f);
	is_u64(fake_count(f, R_ring), 0, "another driver's data is left alone");
	fake_free(f);
}

static void test_damaged(void)
{
	make();
	fake_set(f, d.q, "request_queue.queuedata", 0x1234);
	fake_look(f);
	is_u64(fake_count(f, R_ring), 0, "no ring to be read");
	ok(fake_count(f, R_fault) > 0, "a fault says so");
	is_u64(fake_verdicts(f, "device-owns-request"), 1,
	       "the rest of the answer");
	fake_free(f);
}

int main(void)
{
	test_indices();
	test_verdicts();
	test_not_split();
	test_damaged();
	return tap_end();
}
