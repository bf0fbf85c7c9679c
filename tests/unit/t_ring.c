// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of virtio, split and packed, a disk's own and shared ones: who has
 * a request, and what that means for whom is accused.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;
static u64 ring, used;

/* One hardware queue with one old request, issued, and its ring. */
static void make_on(struct fake *machine)
{
	u64 vblk, vqs;

	f = machine;
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

static void make(void)
{
	make_on(fake_new());
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
	is_verdict("device-interrupt-lost", "medium",
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

/* Another driver's queue has a device of another kind behind it. */
static void test_other_driver(void)
{
	make();
	fake_set(f, d.q, "request_queue.mq_ops",
		 fake_symbol(f, "other_mq_ops", "other", 64));
	fake_look(f);
	is_u64(fake_count(f, R_ring), 0, "another driver's data is left alone");
	fake_free(f);
}

#define PACKED_NUM 8

static u64 descs, states;

/* Members of a descriptor are little-endian everywhere. */
static void put_desc(u32 n, u32 id, u32 flags)
{
	u64 desc = descs + n * fake_sizeof(f, "vring_packed_desc");
	u64 at = desc + fake_offset(f, "vring_packed_desc.flags");

	fake_put(f, at, 1, flags & 0xff);
	fake_put(f, at + 1, 1, flags >> 8);
	at = desc + fake_offset(f, "vring_packed_desc.id");
	fake_put(f, at, 1, id & 0xff);
	fake_put(f, at + 1, 1, id >> 8);
}

/* A packed ring, of which the driver has taken all up to desc last. */
static void make_packed_on(struct fake *machine, u32 last, bool wrap)
{
	u32 i;

	make_on(machine);
	descs = fake_alloc(f, PACKED_NUM * fake_sizeof(f, "vring_packed_desc"));
	states = fake_alloc(f, PACKED_NUM *
			    fake_sizeof(f, "vring_desc_state_packed"));
	fake_set(f, ring, "vring_virtqueue.packed_ring", FAKE_PACKED);
	fake_set(f, ring, "vring_virtqueue.packed.vring.num", PACKED_NUM);
	fake_set(f, ring, "vring_virtqueue.packed.vring.desc", descs);
	fake_set(f, ring, "vring_virtqueue.packed.desc_state", states);
	fake_set(f, ring, "vring_virtqueue.packed.used_wrap_counter", wrap);
	fake_set(f, ring, "vring_virtqueue.last_used_idx", last);
	fake_set(f, ring, "vring_virtqueue.packed.next_avail_idx", last);
	/* From there on it is as the round before has left it. */
	for (i = 0; i < PACKED_NUM; i++)
		put_desc(i, 0, (i < last) == wrap ? 0x8080 : 0);
}

static void make_packed(u32 last, bool wrap)
{
	make_packed_on(fake_new(), last, wrap);
}

static u64 state_of(u32 id)
{
	return states + id * fake_sizeof(f, "vring_desc_state_packed");
}

/* The driver offers a buffer of so many descriptors, from desc at on. */
static void offer(u32 at, u32 id, u32 size, bool wrap)
{
	u64 vq = ring + fake_offset(f, "vring_virtqueue.vq");
	u32 i;

	fake_set(f, state_of(id), "vring_desc_state_packed.data", f->now);
	fake_set(f, state_of(id), "vring_desc_state_packed.num", size);
	for (i = 0; i < size; i++, at++) {
		bool now = at < PACKED_NUM ? wrap : !wrap;

		put_desc(at % PACKED_NUM, id, (now ? 0x80 : 0x8000) |
			 (i + 1 < size ? 1 : 0));
	}
	fake_set(f, ring, "vring_virtqueue.packed.next_avail_idx",
		 at % PACKED_NUM);
	fake_set(f, vq, "virtqueue.num_free", 1);
}

/* The device gives it back: its descriptors at that place. */
static void give_back(u32 at, u32 id, bool wrap)
{
	put_desc(at, id, wrap ? 0x8080 : 0);
}

static void is_ring(u32 device, u32 uncollected, u32 unkicked, const char *name)
{
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	is_u64(rec_u64(f, ring, 0, packed), 1, "%s: packed", name);
	is_u64(rec_u64(f, ring, 0, size), PACKED_NUM, "%s: size", name);
	is_u64(rec_u64(f, ring, 0, device), device, "%s: device", name);
	is_u64(rec_u64(f, ring, 0, uncollected), uncollected,
	       "%s: uncollected", name);
	is_u64(rec_u64(f, ring, 0, unkicked), unkicked, "%s: unkicked", name);
}

static void test_packed(struct fake *machine, const char *name)
{
	make_packed_on(machine, 5, true);
	fake_set(f, ring + fake_offset(f, "vring_virtqueue.vq"),
		 "virtqueue.num_free", PACKED_NUM);
	is_ring(0, 0, 0, name);
	offer(5, 2, 2, true);
	offer(7, 0, 2, true);
	is_ring(2, 0, 0, name);
	give_back(5, 2, true);
	is_ring(1, 1, 0, name);
	/* Out of order: what was offered last comes back first. */
	offer(1, 4, 2, false);
	give_back(7, 4, true);
	is_ring(1, 2, 0, name);
	give_back(1, 0, false);
	is_ring(0, 3, 0, name);
	fake_set(f, ring, "vring_virtqueue.num_added", 2);
	offer(1, 4, 2, false);
	is_ring(1, 2, 1, name);
	fake_free(f);
}

/* One counter or one bit: in newer kernels it is in the index. */
static void test_packed_wrap(void)
{
	make_packed(3, true);
	fake_drop(f, "vring_virtqueue.packed.used_wrap_counter");
	offer(3, 1, 1, true);
	offer(4, 2, 1, true);
	give_back(3, 2, true);
	fake_set(f, ring, "vring_virtqueue.last_used_idx", 0x8003);
	is_ring(1, 1, 0, "wrap bit set");
	fake_set(f, ring, "vring_virtqueue.last_used_idx", 3);
	is_ring(2, 0, 0, "wrap bit clear");
	fake_free(f);
}

static void test_packed_verdicts(void)
{
	make_packed(0, true);
	offer(0, 1, 1, true);
	is_verdict("device-owns-request", "high", "packed: the device has it");
	make_packed(0, true);
	offer(0, 1, 1, true);
	give_back(0, 1, true);
	is_verdict("device-interrupt-lost", "medium",
		   "packed: it was given back");
}

static void is_silent(const char *why, const char *name)
{
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "%s: answer", name);
	is_u64(fake_faults(f, why), 1, "%s: fault", name);
	ok(!rec_has(f, ring, 0, device), "%s: no counts", name);
	fake_free(f);
}

static void test_packed_damaged(void)
{
	make_packed(0, true);
	fake_set(f, ring, "vring_virtqueue.packed.vring.num", 0x7fffffff);
	is_silent("impossible size or index", "packed: size");
	make_packed(PACKED_NUM, true);
	is_silent("impossible size or index", "packed: index");
	make_packed(0, true);
	fake_set(f, ring, "vring_virtqueue.num_added", PACKED_NUM + 1);
	is_silent("impossible size or index", "packed: added");
	make_packed(0, true);
	offer(0, 1, 1, true);
	give_back(0, PACKED_NUM, true);
	is_silent("no such buffer", "packed: id");
	make_packed(0, true);
	offer(0, 1, 1, true);
	give_back(0, 1, true);
	fake_set(f, state_of(1), "vring_desc_state_packed.num", 0);
	is_silent("impossible buffer", "packed: buffer");
	make_packed(0, true);
	offer(0, 1, 1, true);
	give_back(0, 1, true);
	give_back(1, 1, true);
	is_silent("more given back", "packed: more");
	make_packed(0, true);
	offer(0, 1, 1, true);
	fake_set(f, ring, "vring_virtqueue.packed.vring.desc",
		 0xffffdead00000000);
	is_silent("not mapped", "packed: no descriptors");
	make_packed(0, true);
	fake_drop(f, "vring_packed_desc.flags");
	fake_look(f);
	is_u64(rec_u64(f, ring, 0, packed), 1, "packed: rows are missing");
	ok(!rec_has(f, ring, 0, device), "packed: no counts then");
	fake_free(f);
}

/* Layouts in which buffers come back in order are not looked into. */
static void test_in_order(void)
{
	make();
	fake_set(f, ring, "vring_virtqueue.packed_ring", FAKE_PACKED + 1);
	fake_look(f);
	is_u64(fake_count(f, R_ring), 1, "in order: a ring");
	ok(!rec_has(f, ring, 0, device), "in order: no counts");
	fake_free(f);
}

/* Two requests of sda, three in the ring: who put them there is not known. */
static void make_shared(u32 num_queues)
{
	u64 host, vscsi, vqs;

	make();
	host = fake_scsi_host(f, "virtscsi_host_template", 2, 88);
	fake_scsi(f, &d, host);
	fake_scsi_cmd(f, fake_field(f, d.q, "request_queue.queuedata"),
		      fake_get(f, d.tags[0].rqs + 5 * f->t.word, f->t.word),
		      0x28);
	vscsi = host + fake_offset(f, "Scsi_Host.hostdata");
	vqs = vscsi + fake_offset(f, "virtio_scsi.req_vqs");
	fake_set(f, vscsi, "virtio_scsi.num_queues", num_queues);
	fake_set(f, vqs, "virtio_scsi_vq.vq",
		 ring + fake_offset(f, "vring_virtqueue.vq"));
	indices(8, 5, 5);
}

static void test_shared(void)
{
	make_shared(1);
	fake_look(f);
	is_u64(rec_u64(f, ring, 0, shared), 1, "virtio-scsi: shared");
	is_u64(rec_u64(f, ring, 0, device), 3, "virtio-scsi: its requests");
	is_u64(rec_u64(f, ring, 0, size), 128, "virtio-scsi: its size");
	ok(!f->w->sum.disks[0].rings_known, "they are not taken for sda's");
	is_u64(f->w->sum.disks[0].with_device, 0, "nor counted");
	fake_free(f);
	make_shared(1);
	is_verdict("device-owns-request", "medium", "shared ring");
	make_shared(1);
	indices(8, 8, 5);
	is_verdict("unknown", "low", "shared, not collected");
	make_shared(0);
	fake_look(f);
	is_u64(fake_count(f, R_ring), 0, "more queues than rings: none");
	is_u64(fake_faults(f, "fewer than"), 1, "more queues than rings: fault");
	fake_free(f);
	make_shared(1);
	fake_drop(f, "virtio_scsi.req_vqs");
	fake_look(f);
	is_u64(fake_count(f, R_ring), 0, "types of virtio_scsi are not known");
	is_u64(fake_count(f, R_fault), 0, "which is no fault");
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
	test_other_driver();
	test_damaged();
	test_packed(fake_new(), "packed");
	test_packed(fake_new(.word = 8, .big_endian = true), "packed, big");
	test_packed(fake_new(.word = 4), "packed, small");
	test_packed_wrap();
	test_packed_verdicts();
	test_packed_damaged();
	test_in_order();
	test_shared();
	return tap_end();
}
