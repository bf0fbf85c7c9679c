// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's disks: queues, hardware queues, tags, requests, and the
 * ways in which a finished request waits for its CPU.
 */
#include "fake.h"

/* Bits of one word that are used: fewer than fit, as on real machines. */
#define SB_SHIFT 4

static u64 make_sbitmap(struct fake *f, u64 sbq, u32 depth, u64 *map)
{
	u32 words = (depth + (1 << SB_SHIFT) - 1) >> SB_SHIFT;
	u64 sb = sbq + fake_offset(f, "sbitmap_queue.sb");

	*map = fake_alloc(f, (words + 1) * fake_sizeof(f, "sbitmap_word"));
	fake_set(f, sb, "sbitmap.depth", depth);
	fake_set(f, sb, "sbitmap.shift", SB_SHIFT);
	fake_set(f, sb, "sbitmap.map_nr", words);
	fake_set(f, sb, "sbitmap.map", *map);
	fake_ws_init(f, sbq);
	return sb;
}

/* Where an sbitmap_queue of tags is: in it, or pointed to. */
static u64 make_sbq(struct fake *f, u64 tags, const char *spec)
{
	u64 at = tags + fake_offset(f, spec);
	u64 sbq;

	assert(fake_sizeof(f, "sbitmap_queue") <=
	       fake_member(f, "blk_mq_tags.bitmap_tags")->size);
	if (!fake_member(f, "blk_mq_tags.bitmap_tags.sb")->gone)
		return at;
	sbq = fake_new_of(f, "sbitmap_queue");
	fake_put_ptr(f, at, sbq);
	return sbq;
}

/* A request that was used before, and is free; the driver's part follows it. */
static u64 make_rq(struct fake *f, u64 q)
{
	u64 rq = fake_alloc(f, fake_sizeof(f, "request") +
			    fake_sizeof(f, "scsi_cmnd"));

	fake_set(f, rq, "request.q", q);
	fake_set(f, rq, "request.tag", (u32)-1);
	fake_set(f, rq, "request.internal_tag", (u32)-1);
	return rq;
}

static void make_tags(struct fake *f, struct fake_tags *t, u64 q, u32 depth,
		      u32 reserved)
{
	u32 i;

	t->addr = fake_new_of(f, "blk_mq_tags");
	t->depth = depth;
	t->reserved = reserved;
	t->rqs = fake_alloc(f, depth * f->t.word);
	t->static_rqs = fake_alloc(f, depth * f->t.word);
	fake_set(f, t->addr, "blk_mq_tags.nr_tags", depth);
	fake_set(f, t->addr, "blk_mq_tags.nr_reserved_tags", reserved);
	fake_set(f, t->addr, "blk_mq_tags.rqs", t->rqs);
	fake_set(f, t->addr, "blk_mq_tags.static_rqs", t->static_rqs);
	t->sb = make_sbitmap(f, make_sbq(f, t->addr, "blk_mq_tags.bitmap_tags"),
			     depth - reserved, &t->map);
	t->rsb = make_sbitmap(f, make_sbq(f, t->addr,
					  "blk_mq_tags.breserved_tags"),
			      reserved, &t->rmap);
	for (i = 0; i < depth; i++)
		fake_put_ptr(f, t->static_rqs + i * f->t.word, make_rq(f, q));
}

static u64 tag_word(struct fake *f, struct fake_tags *t, u32 tag, u64 *bit)
{
	u64 map = tag < t->reserved ? t->rmap : t->map;

	if (tag >= t->reserved)
		tag -= t->reserved;
	*bit = 1ULL << (tag & ((1 << SB_SHIFT) - 1));
	return map + (tag >> SB_SHIFT) * fake_sizeof(f, "sbitmap_word");
}

void fake_tag_set(struct fake *f, struct fake_tags *t, u32 tag)
{
	u64 bit, word = tag_word(f, t, tag, &bit);

	fake_set(f, word, "sbitmap_word.word",
		 fake_field(f, word, "sbitmap_word.word") | bit);
	fake_set(f, word, "sbitmap_word.cleared",
		 fake_field(f, word, "sbitmap_word.cleared") & ~bit);
}

/* As the kernel frees a tag: by marking it cleared, and leaving it set. */
void fake_tag_clear(struct fake *f, struct fake_tags *t, u32 tag)
{
	u64 bit, word = tag_word(f, t, tag, &bit);

	fake_set(f, word, "sbitmap_word.cleared",
		 fake_field(f, word, "sbitmap_word.cleared") | bit);
}

static void init_list(struct fake *f, u64 base, const char *spec, u32 n)
{
	fake_list_init(f, base + fake_offset(f, spec) + n * 2 * f->t.word);
}

/* Software queues of hardware queue i, with three lists each, all empty. */
static void make_ctxs(struct fake *f, struct fake_disk *d, u32 i)
{
	u64 ctxs = fake_alloc(f, FAKE_CTXS * f->t.word);
	u32 c, type;

	for (c = 0; c < FAKE_CTXS; c++) {
		d->ctx[i][c] = fake_new_of(f, "blk_mq_ctx");
		for (type = 0; type < 3; type++)
			init_list(f, d->ctx[i][c], "blk_mq_ctx.rq_lists", type);
		fake_put_ptr(f, ctxs + c * f->t.word, d->ctx[i][c]);
	}
	fake_set(f, d->hctx[i], "blk_mq_hw_ctx.ctxs", ctxs);
	fake_set(f, d->hctx[i], "blk_mq_hw_ctx.nr_ctx", FAKE_CTXS);
}

/* What a hardware queue has besides tags; it serves all CPUs. */
static void make_hctx_state(struct fake *f, struct fake_disk *d, u32 i)
{
	u64 mask = fake_alloc(f, 16);
	u64 hctx = d->hctx[i];
	u32 cpu;

	for (cpu = 0; cpu < f->nr_cpus; cpu += 32)
		fake_put(f, mask + (f->t.big_endian && f->t.word == 8 ?
				    (cpu / 8) ^ 4 : cpu / 8), 4,
			 f->nr_cpus - cpu < 32 ?
			 (1ULL << (f->nr_cpus - cpu)) - 1 : 0xffffffff);
	fake_set(f, hctx, "blk_mq_hw_ctx.cpumask", mask);
	fake_set(f, hctx, "blk_mq_hw_ctx.type", FAKE_TYPE_DEFAULT);
	init_list(f, hctx, "blk_mq_hw_ctx.dispatch", 0);
	init_list(f, hctx, "blk_mq_hw_ctx.dispatch_wait.entry", 0);
	fake_flush_init(f, d->fq[i]);
	make_ctxs(f, d, i);
}

static void make_hctx(struct fake *f, struct fake_disk *d, u32 i)
{
	u64 hctx = fake_new_of(f, "blk_mq_hw_ctx");
	u64 fq = fake_new_of(f, "blk_flush_queue");

	d->hctx[i] = hctx;
	d->fq[i] = fq;
	make_hctx_state(f, d, i);
	d->flush_rq[i] = make_rq(f, d->q);
	fake_set(f, fq, "blk_flush_queue.flush_rq", d->flush_rq[i]);
	fake_set(f, hctx, "blk_mq_hw_ctx.queue_num", i);
	fake_set(f, hctx, "blk_mq_hw_ctx.queue", d->q);
	fake_set(f, hctx, "blk_mq_hw_ctx.fq", fq);
	fake_set(f, hctx, "blk_mq_hw_ctx.tags", d->tags[i].addr);
	if (d->sched_depth)
		fake_set(f, hctx, "blk_mq_hw_ctx.sched_tags",
			 d->sched[i].addr);
}

/* Both ways to find hardware queues; the layout says which one is true. */
static void link_hctxs(struct fake *f, struct fake_disk *d)
{
	u64 array = fake_alloc(f, FAKE_HCTXS * f->t.word);
	u64 xa = d->q + fake_offset(f, "request_queue.hctx_table");
	u64 node = fake_new_of(f, "xa_node");
	u32 i;

	for (i = 0; i < d->nr_hctxs; i++) {
		fake_put_ptr(f, array + i * f->t.word, d->hctx[i]);
		fake_put_ptr(f, node + fake_offset(f, "xa_node.slots") +
			     i * f->t.word, d->hctx[i]);
	}
	if (!fake_member(f, "request_queue.hctx_table")->gone)
		fake_set(f, xa, "xarray.xa_head", d->nr_hctxs == 1 ?
			 d->hctx[0] : node + 2);
	else
		fake_set(f, d->q, "request_queue.queue_hw_ctx", array);
}

static void make_set(struct fake *f, struct fake_disk *d,
		     const struct fake_disk_desc *desc)
{
	u32 depth = desc->depth ? desc->depth : 64;
	u32 i;

	if (desc->with) {
		d->set = desc->with->set;
		d->shared = desc->with->shared;
		memcpy(d->tags, desc->with->tags, sizeof(d->tags));
		return;
	}
	d->set = fake_new_of(f, "blk_mq_tag_set");
	d->shared = desc->shared;
	fake_list_init(f, d->set + fake_offset(f, "blk_mq_tag_set.tag_list"));
	for (i = 0; i < d->nr_hctxs; i++) {
		if (i && d->shared)
			d->tags[i] = d->tags[0];
		else
			make_tags(f, &d->tags[i], d->q, depth, desc->reserved);
	}
	if (d->shared)
		fake_set(f, d->set, "blk_mq_tag_set.shared_tags",
			 d->tags[0].addr);
}

static void add_device(struct fake *f, u64 dev)
{
	u64 priv = fake_new_of(f, "device_private");

	fake_set(f, priv, "device_private.device", dev);
	fake_list_add_tail(f, f->block_devices + fake_offset(f, "klist.k_list"),
			   priv + fake_offset(f, "device_private.knode_class") +
			   fake_offset(f, "klist_node.n_node"));
}

static u64 make_bdev(struct fake *f, u64 disk, u32 partno)
{
	u64 bdev = fake_new_of(f, "block_device");

	fake_set(f, bdev, "block_device.bd_disk", disk);
	fake_set(f, bdev, "block_device.bd_partno", partno);
	/* Above the partition's number there are flags. */
	fake_set(f, bdev, "block_device.__bd_flags", 0x300 | partno);
	return bdev + fake_offset(f, "block_device.bd_device");
}

static void make_gendisk(struct fake *f, struct fake_disk *d,
			 const struct fake_disk_desc *desc)
{
	u64 disk = fake_new_of(f, "gendisk");

	d->gendisk = disk;
	assert(strlen(desc->name) <= 32);
	fake_write(f, disk + fake_offset(f, "gendisk.disk_name"), desc->name,
		   strlen(desc->name));
	fake_set(f, disk, "gendisk.major", 250);
	fake_set(f, disk, "gendisk.first_minor", 16 * f->next_id);
	fake_set(f, disk, "gendisk.queue", d->q);
	fake_set(f, disk, "gendisk.flags", desc->hidden ? FAKE_HIDDEN : 1);
	fake_set(f, d->q, "request_queue.disk", disk);
	if (fake_member(f, "gendisk.part0.__dev")->gone)
		d->dev = make_bdev(f, disk, 0);
	else
		d->dev = disk + fake_offset(f, "gendisk.part0.__dev");
	if (!desc->unlisted)
		add_device(f, d->dev);
}

void fake_partition(struct fake *f, struct fake_disk *d, u32 partno)
{
	u64 part;

	if (fake_member(f, "gendisk.part0.__dev")->gone) {
		add_device(f, make_bdev(f, d->gendisk, partno));
		return;
	}
	/* An hd_struct, which has no gendisk around it. */
	part = fake_new_of(f, "gendisk");
	fake_set(f, part, "gendisk.part0.partno", partno);
	add_device(f, part + fake_offset(f, "gendisk.part0.__dev"));
}

static void make_elevator(struct fake *f, struct fake_disk *d)
{
	u64 elevator = fake_new_of(f, "elevator_queue");
	u64 type = fake_new_of(f, "elevator_type");

	fake_set(f, d->q, "request_queue.elevator", elevator);
	fake_set(f, elevator, "elevator_queue.type", type);
	d->elevator = elevator;
	fake_set(f, type, "elevator_type.elevator_name",
		 fake_string(f, "fake-deadline"));
}

/* A queue in use: its counter is per CPU, biased, and holds itself. */
static void make_usage(struct fake *f, struct fake_disk *d)
{
	u64 biased = 1 | 1ULL << (8 * f->t.word - 1);

	assert(f->next_id < 400);
	d->usage_cpus = fake_symbol_addr(f, "fake_usage") + 8 * f->next_id;
	fake_set(f, d->q, "request_queue.q_usage_counter.percpu_count_ptr",
		 d->usage_cpus);
	if (fake_member(f, "request_queue.q_usage_counter.data")->gone) {
		d->usage = d->q + fake_offset(f,
				"request_queue.q_usage_counter.count");
	} else {
		u64 data = fake_new_of(f, "percpu_ref_data");

		fake_set(f, d->q, "request_queue.q_usage_counter.data", data);
		d->usage = data + fake_offset(f, "percpu_ref_data.count");
	}
	fake_put_ptr(f, d->usage, biased);
}

static void make_queue(struct fake *f, struct fake_disk *d,
		       const struct fake_disk_desc *desc)
{
	u64 list = fake_offset(f, "request_queue.tag_set_list");
	u32 i;

	make_set(f, d, desc);
	d->sched_depth = desc->sched_depth;
	for (i = 0; i < d->nr_hctxs; i++) {
		if (desc->sched_depth)
			make_tags(f, &d->sched[i], d->q, desc->sched_depth, 0);
		make_hctx(f, d, i);
	}
	link_hctxs(f, d);
	fake_set(f, d->q, "request_queue.mq_ops",
		 fake_symbol(f, "fake_mq_ops", "fake_blk", 64));
	fake_set(f, d->q, "request_queue.nr_hw_queues", d->nr_hctxs);
	fake_set(f, d->q, "request_queue.tag_set", d->set);
	if (desc->sched_depth)
		make_elevator(f, d);
	init_list(f, d->q, "request_queue.requeue_list", 0);
	init_list(f, d->q, "request_queue.flush_list", 0);
	fake_set(f, d->q, "request_queue.nr_requests",
		 desc->sched_depth ? desc->sched_depth : d->tags[0].depth);
	fake_list_add_tail(f, d->set + fake_offset(f,
			   "blk_mq_tag_set.tag_list"), d->q + list);
}

void fake_disk_open(struct fake *f, struct fake_disk *d,
		    const struct fake_disk_desc *desc)
{
	memset(d, 0, sizeof(*d));
	d->q = fake_new_of(f, "request_queue");
	d->nr_hctxs = desc->hctxs ? desc->hctxs : 1;
	d->timeout = 30 * FAKE_HZ;
	assert(d->nr_hctxs <= FAKE_HCTXS);
	fake_set(f, d->q, "request_queue.id", ++f->next_id);
	fake_set(f, d->q, "request_queue.rq_timeout", d->timeout);
	fake_set(f, d->q, "request_queue.rpm_status", FAKE_RPM_ACTIVE);
	make_usage(f, d);
	fake_queue_waits_init(f, d->q);
	if (!desc->bio)
		make_queue(f, d, desc);
	if (!desc->bare)
		make_gendisk(f, d, desc);
}

static u64 object_of(struct fake *f, struct fake_disk *d,
		     const struct fake_rq_desc *desc)
{
	struct fake_tags *t = &d->tags[desc->hctx];
	u32 w = f->t.word;
	u64 rq;

	if (!d->sched_depth)
		return fake_get(f, t->static_rqs + desc->tag * w, w);
	t = &d->sched[desc->hctx];
	fake_tag_set(f, t, desc->itag);
	rq = fake_get(f, t->static_rqs + desc->itag * w, w);
	fake_set(f, rq, "request.internal_tag", desc->itag);
	return rq;
}

static void set_times(struct fake *f, struct fake_disk *d, u64 rq,
		      const struct fake_rq_desc *desc)
{
	u64 issued = f->jiffies - desc->age * FAKE_HZ / SEC;

	fake_set(f, rq, "request.timeout", d->timeout);
	if (desc->state)
		fake_set(f, rq, "request.deadline", issued + d->timeout);
	fake_set(f, rq, "request.start_time_ns",
		 desc->no_start ? 0 : f->now - desc->age);
	fake_set(f, rq, "request.rq_flags",
		 desc->rqf | (desc->no_start ? 0 : FAKE_IO_STAT));
}

u64 fake_rq_open(struct fake *f, struct fake_disk *d,
		 const struct fake_rq_desc *desc)
{
	u64 ctx = fake_new_of(f, "blk_mq_ctx");
	u64 rq = object_of(f, d, desc);
	struct fake_tags *t = &d->tags[desc->hctx];

	fake_set(f, ctx, "blk_mq_ctx.cpu", desc->cpu);
	fake_set(f, rq, "request.q", d->q);
	fake_set(f, rq, "request.mq_ctx", ctx);
	fake_set(f, rq, "request.mq_hctx", d->hctx[desc->hctx]);
	fake_set(f, rq, "request.tag", desc->tag);
	fake_set(f, rq, "request.state", desc->state);
	fake_set(f, rq, "request.cmd_flags", desc->flags);
	fake_set(f, rq, "request.__sector", desc->sector);
	fake_set(f, rq, "request.__data_len", desc->bytes);
	set_times(f, d, rq, desc);
	/* As for any request that is started. */
	if (desc->state == FAKE_IN_FLIGHT)
		fake_set(f, d->q, "request_queue.timeout.entry.pprev", d->q);
	if (desc->tag >= 0) {
		fake_tag_set(f, t, desc->tag);
		fake_put_ptr(f, t->rqs + desc->tag * f->t.word, rq);
	}
	return rq;
}

void fake_place(struct fake *f, struct fake_disk *d, u32 hctx, u64 rq,
		enum hang_place place)
{
	const char *link = "request.queuelist";
	u64 head;

	switch (place) {
	case HANG_AT_DISPATCH:
		head = d->hctx[hctx] + fake_offset(f, "blk_mq_hw_ctx.dispatch");
		break;
	case HANG_AT_REQUEUE:
		head = d->q + fake_offset(f, "request_queue.requeue_list");
		break;
	case HANG_AT_FLUSH:
		head = d->q + fake_offset(f, "request_queue.flush_list");
		break;
	case HANG_AT_FLUSH_PENDING:
	case HANG_AT_FLUSH_RUNNING:
	case HANG_AT_FLUSH_QUEUE:
	case HANG_AT_FLUSH_DATA:
		head = fake_flush_head(f, d->fq[hctx], place);
		if (!fake_member(f, "request.flush.list")->gone)
			link = "request.flush.list";
		break;
	case HANG_AT_SCHED:
	case HANG_AT_SCHED_DISPATCH:
		assert(!"see fake_sched.c");
		return;
	default:
		head = d->ctx[hctx][FAKE_CTXS - 1] +
		       fake_offset(f, "blk_mq_ctx.rq_lists") +
		       FAKE_TYPE_DEFAULT * 2 * f->t.word;
	}
	fake_list_add_tail(f, head, rq + fake_offset(f, link));
}

void fake_done(struct fake *f, u32 cpu, u64 rq)
{
	u64 head = fake_percpu(f, "blk_cpu_done", cpu);
	u64 node = rq + fake_offset(f, "request.ipi_list");

	if (fake_member(f, "request.ipi_list.prev")->gone)
		fake_llist_add(f, head, node);
	else
		fake_list_add_tail(f, head, node);
}

u64 fake_kick(struct fake *f, u32 cpu, u64 rq)
{
	u64 head = fake_percpu(f, "call_single_queue", cpu);
	u64 csd = fake_percpu(f, "blk_cpu_csd", cpu);
	bool own = !fake_member(f, "request.csd")->gone;

	if (own)
		csd = rq + fake_offset(f, "request.csd");
	fake_set(f, csd, "__call_single_data.func",
		 fake_symbol_addr(f, "__blk_mq_complete_request_remote"));
	fake_set(f, csd, "__call_single_data.info", own ? rq : 0);
	fake_set(f, csd, "__call_single_data.node.u_flags",
		 FAKE_ASYNC | FAKE_LOCK);
	fake_llist_add(f, head,
		       csd + fake_offset(f, "__call_single_data.node"));
	return csd;
}

void fake_strand(struct fake *f, u32 cpu, u64 rq)
{
	u64 head = fake_percpu(f, "blk_cpu_done", cpu);
	bool first;

	if (!fake_member(f, "request.ipi_list.prev")->gone) {
		fake_kick(f, cpu, rq);
		return;
	}
	first = !fake_get(f, head, f->t.word);
	fake_done(f, cpu, rq);
	if (first)
		fake_kick(f, cpu, rq);
}
