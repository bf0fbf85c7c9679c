// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NVMe: rings by phase and head, controllers by state, bios that wait for a
 * path, and what of it excuses the device from being accused.
 */
#include "fake.h"

#define DEPTH 16

static struct fake *f;
static struct fake_disk d;
static u64 nvmeq, cqes, ctrl, ns;

static void ops(const char *name)
{
	fake_set(f, d.q, "request_queue.mq_ops",
		 fake_symbol(f, name, "nvme", 64));
}

static void queue(u64 hctx, u32 qid, u64 dev)
{
	nvmeq = fake_new_of(f, "nvme_queue");
	cqes = fake_alloc(f, DEPTH * fake_sizeof(f, "nvme_completion"));
	fake_set(f, hctx, "blk_mq_hw_ctx.driver_data", nvmeq);
	fake_set(f, nvmeq, "nvme_queue.dev", dev);
	fake_set(f, nvmeq, "nvme_queue.q_depth", DEPTH);
	fake_set(f, nvmeq, "nvme_queue.qid", qid);
	fake_set(f, nvmeq, "nvme_queue.cq_phase", 1);
	fake_set(f, nvmeq, "nvme_queue.cqes", cqes);
}

/* A disk of one namespace with two queues: the last one is looked at. */
static void make_as(u32 word, bool big_endian)
{
	u64 dev;

	f = fake_new(.word = word, .big_endian = big_endian);
	fake_disk(f, &d, .name = "nvme3n1", .hctxs = 2);
	ops("nvme_mq_ops");
	dev = fake_new_of(f, "nvme_dev");
	ctrl = dev + fake_offset(f, "nvme_dev.ctrl");
	fake_set(f, ctrl, "nvme_ctrl.instance", 3);
	fake_set(f, ctrl, "nvme_ctrl.queue_count", 5);
	fake_set(f, ctrl, "nvme_ctrl.state", 2);
	ns = fake_new_of(f, "nvme_ns");
	fake_set(f, ns, "nvme_ns.ctrl", ctrl);
	fake_set(f, d.q, "request_queue.queuedata", ns);
	queue(d.hctx[0], 1, dev);
	queue(d.hctx[1], 2, dev);
}

static void make(void)
{
	make_as(8, false);
}

/* Status of entry i, little-endian as the device writes it. */
static void post(u32 i, u32 phase)
{
	u64 at = cqes + i * fake_sizeof(f, "nvme_completion") +
		 fake_offset(f, "nvme_completion.status");

	fake_put(f, at, 1, 0x80 | phase);
	fake_put(f, at + 1, 1, phase ? 0x02 : 0x43);
}

static void is_ring(u64 uncollected, u64 unkicked, const char *name)
{
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	is_u64(fake_count(f, R_ring), 2, "%s: two rings", name);
	is_u64(rec_u64(f, ring, 1, uncollected), uncollected,
	       "%s: not collected", name);
	ok(rec_has(f, ring, 1, uncollected), "%s: which is known", name);
	is_u64(rec_u64(f, ring, 1, unkicked), unkicked, "%s: not announced",
	       name);
	is_u64(rec_u64(f, ring, 1, size), DEPTH, "%s: size", name);
	is_u64(rec_u64(f, ring, 1, qid), 2, "%s: qid", name);
	ok(!rec_has(f, ring, 1, device), "%s: what the device has is unknown",
	   name);
	is_u64(rec_u64(f, looked, 0, rings), 2, "%s: two looked at", name);
}

static void test_posted(u32 word, bool big_endian)
{
	u32 i;

	make_as(word, big_endian);
	is_ring(0, 0, "new");
	is_u64(rec_u64(f, looked, 0, rings_empty), 2, "new: both are empty");
	ok(!rec_u64(f, ring, 1, shared), "new: of one disk");
	fake_free(f);

	/* Once round: entries before the head are of this phase too. */
	make_as(word, big_endian);
	fake_set(f, nvmeq, "nvme_queue.cq_head", 4);
	for (i = 0; i < 7; i++)
		post(i, 1);
	is_ring(3, 0, "first time round");
	is_u64(rec_u64(f, ring, 1, cq_head), 4, "its head");
	is_u64(rec_u64(f, ring, 1, phase), 1, "its phase");
	is_u64(rec_u64(f, looked, 0, rings_empty), 1, "one is not empty");
	fake_free(f);

	/* Past the end, the phase is the other one. */
	make_as(word, big_endian);
	fake_set(f, nvmeq, "nvme_queue.cq_head", DEPTH - 2);
	fake_set(f, nvmeq, "nvme_queue.cq_phase", 0);
	for (i = 0; i < DEPTH; i++)
		post(i, i < 3);
	is_ring(5, 0, "wrapped");
	fake_free(f);

	/* As many as there can be. */
	make_as(word, big_endian);
	for (i = 0; i < DEPTH - 1; i++)
		post(i, 1);
	is_ring(DEPTH - 1, 0, "full");
	fake_free(f);
}

static void test_unkicked(void)
{
	make();
	fake_set(f, nvmeq, "nvme_queue.sq_tail", 9);
	fake_set(f, nvmeq, "nvme_queue.last_sq_tail", 7);
	is_ring(0, 2, "two commands");
	is_u64(rec_u64(f, ring, 1, sq_tail), 9, "the tail");
	fake_free(f);

	make();
	fake_set(f, nvmeq, "nvme_queue.sq_tail", 1);
	fake_set(f, nvmeq, "nvme_queue.last_sq_tail", DEPTH - 2);
	is_ring(0, 3, "past the end");
	fake_free(f);

	make();
	fake_drop(f, "nvme_queue.last_sq_tail");
	fake_set(f, nvmeq, "nvme_queue.sq_tail", 9);
	is_ring(0, 0, "not kept");
	ok(!rec_has(f, ring, 1, unkicked), "not kept: not known");
	fake_free(f);
}

static void test_issued(void)
{
	make();
	fake_rq(f, &d, .tag = 5, .hctx = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_rq(f, &d, .tag = 6, .hctx = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_rq(f, &d, .tag = 7, .hctx = 0, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_rq(f, &d, .tag = 8, .hctx = 1, .age = SEC);
	is_ring(0, 0, "issued");
	is_u64(rec_u64(f, ring, 0, issued), 1, "issued to the first");
	is_u64(rec_u64(f, ring, 1, issued), 2, "issued to the second");
	is_u64(rec_u64(f, nvme, 0, issued), 3, "issued to the controller");
	is_u64(rec_u64(f, total, 0, issued), 3, "counted once");
	fake_free(f);
}

static void test_polled(void)
{
	make();
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.type", 0);
	fake_look(f);
	is_u64(rec_u64(f, ring, 0, polled), 0, "by interrupt");
	is_u64(rec_u64(f, ring, 1, polled), 1, "polled");
	fake_free(f);
	make();
	fake_drop(f, "HCTX_TYPE_POLL");
	fake_look(f);
	ok(!rec_has(f, ring, 1, polled), "not known whether polled");
	fake_free(f);
}

static void test_shared(void)
{
	struct fake_disk other;

	make();
	fake_disk(f, &other, .name = "nvme3n2", .hctxs = 2, .with = &d);
	fake_look(f);
	is_u64(rec_u64(f, ring, 1, shared), 1, "two namespaces share a ring");
	fake_free(f);
}

static void test_states(void)
{
	static const struct {
		u32 state;
		const char *name;
	} states[] = {
		{ 6, "new" }, { 2, "live" }, { 0, "resetting" },
		{ 5, "connecting" }, { 1, "deleting" },
		{ 3, "deleting-noio" }, { 4, "dead" }, { 77, "77" },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(states); i++) {
		make();
		ops(i % 2 ? "nvme_tcp_mq_ops" : "nvme_mq_ops");
		fake_set(f, ctrl, "nvme_ctrl.state", states[i].state);
		fake_look(f);
		is_str(rec_str(f, nvme, 0, state), states[i].name, "state");
		is_str(rec_str(f, nvme, 0, ctrl), "nvme3", "controller");
		is_u64(rec_u64(f, nvme, 0, queues), 5, "queues");
		is_u64(rec_u64(f, nvme, 0, odd), states[i].state != 2,
		       "%s: odd", states[i].name);
		is_u64(fake_count(f, R_ring), i % 2 ? 0 : 2, "rings on PCI");
		fake_free(f);
	}
}

static void test_admin(void)
{
	make();
	ops("nvme_mq_admin_ops");
	fake_set(f, d.q, "request_queue.queuedata", 0);
	fake_set(f, ctrl, "nvme_ctrl.state", 0);
	fake_look(f);
	is_u64(fake_count(f, R_ring), 2, "admin: rings");
	is_str(rec_str(f, nvme, 0, ctrl), "nvme3", "admin: its controller");
	is_str(rec_str(f, nvme, 0, state), "resetting", "admin: its state");
	fake_free(f);

	/* A queue to connect with has no namespace. */
	make();
	ops("nvme_tcp_mq_ops");
	fake_set(f, d.q, "request_queue.queuedata", 0);
	fake_look(f);
	is_u64(fake_count(f, R_nvme) + fake_count(f, R_fault), 0,
	       "no namespace, no controller, no fault");
	fake_free(f);
}

/* A controller without a namespace, as sysfs knows it. */
static void test_admin_alone(void)
{
	u64 priv;

	make();
	ops("nvme_mq_admin_ops");
	priv = fake_new_of(f, "device_private");
	fake_set(f, priv, "device_private.device",
		 ctrl + fake_offset(f, "nvme_ctrl.ctrl_device"));
	fake_set(f, ctrl, "nvme_ctrl.admin_q", d.q);
	fake_list_init(f, f->block_devices + fake_offset(f, "klist.k_list"));
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, queues), 0, "no class knows of it");
	fake_list_add_tail(f, f->nvme_devices + fake_offset(f, "klist.k_list"),
			   priv + fake_offset(f, "device_private.knode_class") +
			   fake_offset(f, "klist_node.n_node"));
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, queues), 1, "its class does");
	is_str(rec_str(f, nvme, 0, ctrl), "nvme3", "and leads to it");
	is_u64(fake_count(f, R_ring), 2, "and to its ring");
	fake_set(f, ctrl, "nvme_ctrl.admin_q", (u64)-12);
	fake_look(f);
	is_u64(rec_u64(f, looked, 0, queues) + fake_count(f, R_fault), 0,
	       "an error is no queue");
	fake_free(f);
}

static void test_others(void)
{
	make();
	ops("scsi_mq_ops");
	fake_look(f);
	is_u64(fake_count(f, R_nvme) + fake_count(f, R_ring), 0,
	       "another driver's data is left alone");
	is_u64(rec_u64(f, looked, 0, rings), 0, "and not counted");
	fake_free(f);

	make();
	fake_drop(f, "nvme_ctrl.state");
	fake_drop(f, "nvme_queue.cqes");
	fake_look(f);
	is_u64(fake_count(f, R_nvme) + fake_count(f, R_ring) +
	       fake_count(f, R_fault), 0, "types unknown: nothing");
	fake_free(f);
}

/* One thing of the last ring is rubbish: the other one is still told. */
static void is_damaged(u32 rings, const char *why, const char *name)
{
	fake_look(f);
	is_u64(fake_count(f, R_ring), rings, "%s: rings", name);
	is_u64(fake_faults(f, why), 1, "%s: a fault", name);
	ok(rings < 2 || !rec_has(f, ring, 1, uncollected),
	   "%s: what was not collected is not known", name);
	fake_free(f);
}

static void test_damaged(void)
{
	static const char impossible[] = "impossible depth, head or phase";
	u32 i;

	make();
	fake_set(f, nvmeq, "nvme_queue.q_depth", 0);
	is_damaged(1, impossible, "no depth");
	make();
	fake_set(f, nvmeq, "nvme_queue.q_depth", 1 << 20);
	is_damaged(1, impossible, "very deep");
	make();
	fake_set(f, nvmeq, "nvme_queue.cq_head", DEPTH);
	is_damaged(1, impossible, "a head outside");
	make();
	fake_set(f, nvmeq, "nvme_queue.cq_phase", 2);
	is_damaged(1, impossible, "no such phase");
	make();
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.driver_data",
		 fake_nowhere(f, -ENODATA));
	is_damaged(1, "page left out of the dump", "no queue");
	make();
	fake_set(f, nvmeq, "nvme_queue.cqes", fake_nowhere(f, -ENODATA));
	is_damaged(2, "page left out of the dump", "no entries");
	make();
	for (i = 0; i < DEPTH; i++)
		post(i, 1);
	post(0, 0);
	fake_set(f, nvmeq, "nvme_queue.cq_head", 1);
	is_damaged(2, "more completions than the queue can hold", "all posted");
	make();
	fake_set(f, nvmeq, "nvme_queue.sq_tail", DEPTH);
	fake_look(f);
	is_u64(fake_faults(f, "impossible tail"), 1, "a tail outside: fault");
	ok(!rec_has(f, ring, 1, unkicked), "a tail outside: not known");
	fake_free(f);
	make();
	fake_set(f, d.q, "request_queue.queuedata", fake_nowhere(f, -ENODATA));
	fake_look(f);
	is_u64(fake_count(f, R_nvme), 0, "no namespace to be read");
	is_u64(fake_count(f, R_fault), 1, "and a fault");
	is_u64(fake_count(f, R_ring), 2, "but rings");
	fake_free(f);
}

/* In a running kernel entries are taken as they are counted. */
static u32 takes;

static int read_and_take(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	int err = fake_read((struct fake *)t, addr, buf, len);
	u64 head, end;

	end = cqes + DEPTH * fake_sizeof(f, "nvme_completion");
	if (takes && addr >= cqes && addr < end) {
		takes--;
		head = fake_field(f, nvmeq, "nvme_queue.cq_head");
		fake_set(f, nvmeq, "nvme_queue.cq_head", head + 1);
	}
	return err;
}

static void test_live(u32 n, bool known, u64 uncollected)
{
	u32 i;

	make();
	for (i = 0; i < 12; i++)
		post(i, 1);
	fake_live(f, read_and_take);
	takes = n;
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "live: no fault");
	is_u64(rec_has(f, ring, 1, uncollected), known,
	       "%u are taken meanwhile: known or not", n);
	is_u64(rec_u64(f, ring, 1, uncollected), uncollected,
	       "%u are taken meanwhile: the others", n);
	takes = 0;
	fake_free(f);
}

static void test_head(void)
{
	u64 head, bio[3];
	u32 i;

	f = fake_new();
	fake_disk(f, &d, .name = "nvme3n1", .bio = true);
	head = fake_new_of(f, "nvme_ns_head");
	fake_set(f, d.gendisk, "gendisk.private_data", head);
	fake_set(f, d.gendisk, "gendisk.fops",
		 fake_symbol(f, "nvme_ns_head_ops", "nvme_core", 64));
	fake_look(f);
	is_u64(rec_u64(f, nvme, 0, requeue), 0, "no bio waits for a path");
	for (i = 0; i < 3; i++)
		bio[i] = fake_bio_add(f, head +
				      fake_offset(f, "nvme_ns_head.requeue_list"),
				      "bio_chain_endio", 0);
	fake_look(f);
	is_u64(rec_u64(f, nvme, 0, requeue), 3, "three wait");
	is_u64(fake_count(f, R_fault), 0, "no fault");
	fake_set(f, bio[2], "bio.bi_next", bio[0]);
	fake_look(f);
	is_u64(fake_faults(f, "list loops"), 1, "they loop");
	is_u64(fake_count(f, R_nvme), 0, "and are not counted");
	fake_set(f, d.gendisk, "gendisk.fops",
		 fake_symbol(f, "other_ops", "other", 64));
	fake_look(f);
	is_u64(fake_count(f, R_nvme) + fake_count(f, R_fault), 0,
	       "another's private data is left alone");
	fake_free(f);
}

static void old_request(void)
{
	make();
	fake_rq(f, &d, .tag = 5, .hctx = 1, .state = FAKE_IN_FLIGHT,
		.age = 31 * SEC);
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

static void test_verdicts(void)
{
	struct fake_disk other;

	old_request();
	is_verdict("device-owns-request", "medium", "nothing denies it");
	old_request();
	post(0, 1);
	is_verdict("device-interrupt-lost", "medium",
		   "the device has finished one");
	old_request();
	post(0, 1);
	fake_rq(f, &d, .tag = 6, .hctx = 1, .state = FAKE_IN_FLIGHT,
		.age = SEC);
	is_verdict("unknown", "low", "it may have finished the other");
	old_request();
	post(0, 1);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.type", 0);
	is_verdict("polled-not-polled", "medium",
		   "nobody waits for its interrupt");
	old_request();
	post(0, 1);
	fake_set(f, d.hctx[1], "blk_mq_hw_ctx.type", 0);
	fake_rq(f, &d, .tag = 6, .hctx = 1, .state = FAKE_IN_FLIGHT,
		.age = SEC);
	is_verdict("unknown", "low", "polled: it may have finished the other");
	old_request();
	fake_set(f, nvmeq, "nvme_queue.sq_tail", 1);
	is_verdict("unknown", "low", "the device was not told");
	old_request();
	fake_set(f, nvmeq, "nvme_queue.sq_tail", 1);
	fake_rq(f, &d, .tag = 6, .hctx = 1, .state = FAKE_IN_FLIGHT,
		.age = SEC);
	is_verdict("device-owns-request", "medium", "it was told of the old");
	old_request();
	fake_disk(f, &other, .name = "nvme3n2", .hctxs = 2, .with = &d);
	is_verdict("device-owns-request", "medium", "shared");
	old_request();
	post(0, 1);
	fake_hole(f, fake_percpu(f, "blk_cpu_done", 3), -ENODATA);
	is_verdict("unknown", "low", "finished, and a CPU could not be seen");
}

int main(void)
{
	test_posted(8, false);
	test_posted(8, true);
	test_posted(4, true);
	test_unkicked();
	test_issued();
	test_polled();
	test_shared();
	test_states();
	test_admin();
	test_admin_alone();
	test_others();
	test_damaged();
	test_live(0, true, 12);
	test_live(1, true, 11);
	test_live(100, false, 0);
	test_head();
	test_verdicts();
	return tap_end();
}
