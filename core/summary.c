// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds the summary from records. What a record does not have stays unknown:
 * no field is taken for zero because it is absent.
 */
#include <blkhang/summary.h>

/* As many as core/rq.c has stages, in the same order. */
static const char *const stages[] = { "allocated", "issued", "completed",
				      "timedout" };

/*
 * The timer that looks for requests past their deadline is rounded to a second;
 * it is set anew for those that the driver wants more time for.
 */
#define OVERDUE_NS 5000000000ULL
#define REARMED_TIMES 10

enum { ALLOCATED, ISSUED, COMPLETED, TIMEDOUT };

/* Index of a name in names, or the index after the last. */
static u32 index_of(const char *const *names, u32 count, const char *name)
{
	u32 i = 0;

	while (i < count && strcmp(names[i], name))
		i++;
	return i;
}

static struct hang_cpu_sum *cpu_of(struct hang_summary *sum, u64 cpu)
{
	if (cpu >= sum->max_cpus) {
		sum->left_out++;
		return NULL;
	}
	if (cpu >= sum->used_cpus)
		sum->used_cpus = cpu + 1;
	return &sum->cpus[cpu];
}

static struct hang_disk_sum *disk_of(struct hang_summary *sum, const char *name)
{
	u32 i;

	/* Records of one disk come together. */
	if (sum->last_disk < sum->nr_disks &&
	    !strcmp(sum->disks[sum->last_disk].name, name))
		return &sum->disks[sum->last_disk];
	for (i = 0; i < sum->nr_disks; i++)
		if (!strcmp(sum->disks[i].name, name))
			break;
	if (i == sum->max_disks) {
		sum->left_out++;
		return NULL;
	}
	if (i == sum->nr_disks) {
		memset(&sum->disks[i], 0, sizeof(sum->disks[i]));
		hang_summary_copy(sum->disks[i].name, name,
				  sizeof(sum->disks[i].name));
		sum->nr_disks++;
	}
	sum->last_disk = i;
	return &sum->disks[i];
}

static void add_cpu_states(struct hang_cpu_sum *c, const struct hang_rec *rec)
{
	static const char *const csd[] = { "", "free", "locked", "queued" };
	static const char *const irqs[] = { "", "on", "off" };
	static const char *const daemon[] = { "", "sleeping", "runnable",
					      "running" };

	c->csd = index_of(csd, 4, hang_rec_text(rec, F_cpu_csd)) % 4;
	c->irqs = index_of(irqs, 3, hang_rec_text(rec, F_cpu_irqs)) % 3;
	c->ksoftirqd =
		index_of(daemon, 4, hang_rec_text(rec, F_cpu_ksoftirqd)) % 4;
}

static void add_cpu(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_cpu_sum *c = cpu_of(sum, hang_rec_get(rec, F_cpu_cpu));

	if (!c)
		return;
	c->looked = true;
	c->online = hang_rec_get(rec, F_cpu_online);
	if (!hang_rec_has(rec, F_cpu_done) || !hang_rec_has(rec, F_cpu_calls))
		c->faulty = true;
	c->done = hang_rec_get(rec, F_cpu_done);
	c->calls = hang_rec_get(rec, F_cpu_calls);
	c->pending_known = hang_rec_has(rec, F_cpu_block);
	c->block_pending = hang_rec_get(rec, F_cpu_block);
	c->serving_known = hang_rec_has(rec, F_cpu_serving);
	c->serving = hang_rec_get(rec, F_cpu_serving);
	c->tick_known = hang_rec_has(rec, F_cpu_late);
	c->late_ns = hang_rec_get(rec, F_cpu_late);
	c->ticks = hang_rec_get(rec, F_cpu_ticks);
	c->idle = hang_rec_get(rec, F_cpu_idle);
	c->panicked = hang_rec_get(rec, F_cpu_panicked);
	c->waited_ns = hang_rec_get(rec, F_cpu_waited);
	c->pid = hang_rec_get(rec, F_cpu_pid);
	hang_summary_copy(c->task, hang_rec_text(rec, F_cpu_task),
			  sizeof(c->task));
	add_cpu_states(c, rec);
}

static void add_cpu_disk(struct hang_cpu_sum *c, const char *name)
{
	u32 i;

	for (i = 0; i < c->nr_disks; i++)
		if (!strcmp(c->disk[i], name))
			return;
	if (i < HANG_CPU_DISKS)
		hang_summary_copy(c->disk[c->nr_disks++], name,
				  sizeof(c->disk[0]));
}

/* Of a request that has not been all its life where it is. */
static bool is_over(const struct hang_rec *rec, u32 age, u32 held, u32 limit)
{
	u64 max = hang_rec_get(rec, limit);

	return max && hang_rec_get(rec, hang_rec_has(rec, held) ? held : age) >
		      max;
}

/* A request that waits for this CPU, and whether it is past its limit there. */
static void add_stranded(struct hang_cpu_sum *c, u64 age, u64 limit, u64 seen,
			 bool over)
{
	c->over |= over;
	if (seen > 1)
		c->twice = true;
	if (age >= c->oldest_ns) {
		c->oldest_ns = age;
		c->limit_ns = limit;
	}
}

static void add_done(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_cpu_sum *c = cpu_of(sum, hang_rec_get(rec, F_done_cpu));

	if (!c)
		return;
	add_cpu_disk(c, hang_rec_text(rec, F_done_disk));
	add_stranded(c, hang_rec_get(rec, F_done_age),
		     hang_rec_get(rec, F_done_limit),
		     hang_rec_get(rec, F_done_seen),
		     is_over(rec, F_done_age, F_done_held, F_done_limit));
}

static void add_call(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_cpu_sum *c = cpu_of(sum, hang_rec_get(rec, F_call_cpu));

	if (!c || !hang_rec_get(rec, F_call_block))
		return;
	c->block_calls++;
	if (hang_rec_has(rec, F_call_disk))
		add_cpu_disk(c, hang_rec_text(rec, F_call_disk));
	add_stranded(c, hang_rec_get(rec, F_call_age),
		     hang_rec_get(rec, F_call_limit),
		     hang_rec_get(rec, F_call_seen),
		     is_over(rec, F_call_age, F_call_held, F_call_limit));
}

static void add_disk(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_disk_sum *d = disk_of(sum, hang_rec_text(rec, F_disk_disk));

	if (d)
		hang_summary_copy(d->ops, hang_rec_text(rec, F_disk_ops),
				  sizeof(d->ops));
}

/* An issued request past its limit: was it to be timed out, or put off again? */
static void add_deadline(struct hang_disk_sum *d, const struct hang_rec *rec,
			 u64 age)
{
	u64 timeout = d->queue.timeout_ns;

	if (hang_rec_get(rec, F_rq_over) >= OVERDUE_NS)
		d->overdue++;
	else if (timeout && age / REARMED_TIMES >= timeout)
		d->rearmed++;
}

static void add_rq(struct hang_summary *sum, const struct hang_rec *rec)
{
	u32 stage = index_of(stages, 4, hang_rec_text(rec, F_rq_stage));
	struct hang_disk_sum *d = disk_of(sum, hang_rec_text(rec, F_rq_disk));
	u64 limit = hang_rec_get(rec, F_rq_limit);
	u64 age = hang_rec_get(rec, F_rq_age);

	if (!d || stage > TIMEDOUT)
		return;
	d->stage[stage]++;
	if (stage == ALLOCATED && !hang_rec_has(rec, F_rq_at) &&
	    !hang_rec_has(rec, F_rq_plug))
		d->nowhere++;
	if (!is_over(rec, F_rq_age, F_rq_held, F_rq_limit))
		return;
	if (stage == ALLOCATED) {
		/* What a plug has ahead is nobody's I/O. */
		if (hang_rec_has(rec, F_rq_cached))
			return;
		d->over_left++;
		hang_summary_add_left(d, rec);
	} else if (stage == ISSUED || stage == TIMEDOUT) {
		d->over++;
		if (stage == ISSUED)
			add_deadline(d, rec, age);
		if (age > d->oldest_ns) {
			d->oldest_ns = age;
			d->limit_ns = limit;
		}
	} else if (!hang_rec_has(rec, F_rq_done)) {
		d->over_lost++;
	}
}

static void add_ring(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_disk_sum *d = disk_of(sum, hang_rec_text(rec, F_ring_disk));
	u64 device = hang_rec_get(rec, F_ring_device);
	u64 unkicked = hang_rec_get(rec, F_ring_unkicked);

	if (!d)
		return;
	/* Of a shared ring, these may be another disk's: they only excuse. */
	d->unkicked += unkicked;
	d->uncollected += hang_rec_get(rec, F_ring_uncollected);
	if (hang_rec_get(rec, F_ring_polled))
		d->unpolled += hang_rec_get(rec, F_ring_uncollected);
	d->rings_shared |= hang_rec_get(rec, F_ring_shared);
	d->rings_polled |= hang_rec_get(rec, F_ring_polled);
	if (!hang_rec_has(rec, F_ring_device) ||
	    hang_rec_get(rec, F_ring_shared))
		return;
	d->rings_known = true;
	d->with_device += device > unkicked ? device - unkicked : 0;
}

/* Records that only tell of their disk's queue. */
static void add_of_disk(struct hang_summary *sum, const struct hang_rec *rec)
{
	static const struct {
		u32 disk; /* the field that names it */
		void (*add)(struct hang_disk_sum *, const struct hang_rec *);
	} parts[R_COUNT] = {
		[R_queue] = { F_queue_disk, hang_summary_add_queue },
		[R_hctx] = { F_hctx_disk, hang_summary_add_hctx },
		[R_tags] = { F_tags_disk, hang_summary_add_tags },
		[R_qos] = { F_qos_disk, hang_summary_add_qos },
		[R_wait] = { F_wait_disk, hang_summary_add_wait },
		[R_plug] = { F_plug_disk, hang_summary_add_plug },
		[R_blocked] = { F_blocked_disk, hang_summary_add_blocked },
		[R_stack] = { F_stack_disk, hang_summary_add_stack },
		[R_throttle] = { F_throttle_disk, hang_summary_add_throttle },
		[R_zone] = { F_zone_disk, hang_summary_add_zone },
		[R_fs] = { F_fs_disk, hang_summary_add_fs },
		[R_sched] = { F_sched_disk, hang_summary_add_sched },
		[R_nvme] = { F_nvme_disk, hang_summary_add_nvme },
		[R_scsi] = { F_scsi_disk, hang_summary_add_scsi },
	};
	struct hang_disk_sum *d;

	if (!hang_rec_has(rec, parts[rec->type].disk))
		return;
	d = disk_of(sum, hang_rec_text(rec, parts[rec->type].disk));
	if (d)
		parts[rec->type].add(d, rec);
}

/* A hardware queue that waits for a tag may be another disk's. */
static void add_wait(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_disk_sum *d = disk_of(sum, hang_rec_text(rec, F_wait_disk));
	bool strands = d && d->strands[HANG_NEED_TAG];

	if (d)
		hang_summary_add_wait(d, rec);
	if (!strands || !hang_rec_has(rec, F_wait_for_disk))
		return;
	d = disk_of(sum, hang_rec_text(rec, F_wait_for_disk));
	if (d)
		d->tag_waits++;
}

/* The longest sleeper is the first. */
static void add_asleep(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_sleepers s = { 0 };
	u32 i;

	hang_sleepers_add(&s, hang_rec_get(rec, F_asleep_pid),
			  hang_rec_get(rec, F_asleep_slept),
			  hang_rec_text(rec, F_asleep_comm));
	sum->asleep++;
	for (i = 0; i < HANG_ASLEEP_NAMED; i++) {
		struct hang_sleepers shorter = sum->longest[i];

		if (shorter.count && shorter.slept_ns >= s.slept_ns)
			continue;
		sum->longest[i] = s;
		s = shorter;
	}
}

static void add_total(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_disk_sum *d = disk_of(sum, hang_rec_text(rec, F_total_disk));

	if (!d)
		return;
	d->unclear = hang_rec_get(rec, F_total_unclear);
	d->last_known = hang_rec_has(rec, F_total_last_issue);
	d->last_ns = hang_rec_get(rec, F_total_last_issue);
}

static void add_fault(struct hang_summary *sum, const struct hang_rec *rec)
{
	struct hang_disk_sum *d;
	struct hang_cpu_sum *c;

	sum->faults++;
	if (hang_rec_has(rec, F_fault_cpu)) {
		c = cpu_of(sum, hang_rec_get(rec, F_fault_cpu));
		if (c)
			c->faulty = true;
	} else if (hang_rec_has(rec, F_fault_disk)) {
		d = disk_of(sum, hang_rec_text(rec, F_fault_disk));
		if (d)
			d->faulty = true;
	} else {
		sum->left_out++;
	}
}

static void add_looked(struct hang_summary *sum, const struct hang_rec *rec)
{
	sum->looked_cpus = hang_rec_get(rec, F_looked_cpus);
	sum->looked_queues = hang_rec_get(rec, F_looked_queues);
	sum->looked_hctxs = hang_rec_get(rec, F_looked_hctxs);
	sum->looked_tags = hang_rec_get(rec, F_looked_tags);
	sum->left_out += hang_rec_get(rec, F_looked_left_out);
	sum->walked = true;
}

static void (*const adders[R_COUNT])(struct hang_summary *,
				     const struct hang_rec *) = {
	[R_cpu] = add_cpu,     [R_done] = add_done,   [R_call] = add_call,
	[R_disk] = add_disk,   [R_rq] = add_rq,	      [R_total] = add_total,
	[R_fault] = add_fault, [R_looked] = add_looked, [R_ring] = add_ring,
	[R_asleep] = add_asleep, [R_blocked] = add_of_disk,
	[R_stack] = add_of_disk, [R_throttle] = add_of_disk,
	[R_zone] = add_of_disk, [R_fs] = add_of_disk,
	[R_sched] = add_of_disk, [R_scsi] = add_of_disk,
	[R_nvme] = add_of_disk,
	[R_queue] = add_of_disk, [R_hctx] = add_of_disk,
	[R_tags] = add_of_disk, [R_qos] = add_of_disk,
	[R_wait] = add_wait, [R_plug] = add_of_disk,
};

void hang_summary_reset(struct hang_summary *sum)
{
	memset(sum->cpus, 0, sum->used_cpus * sizeof(*sum->cpus));
	sum->used_cpus = 0;
	sum->nr_disks = 0;
	sum->asleep = 0;
	memset(sum->longest, 0, sizeof(sum->longest));
	sum->last_disk = 0;
	sum->faults = 0;
	sum->left_out = 0;
	sum->looked_cpus = 0;
	sum->looked_queues = 0;
	sum->looked_hctxs = 0;
	sum->looked_tags = 0;
	sum->walked = false;
}

void hang_summary_add(struct hang_summary *sum, const struct hang_rec *rec)
{
	if (adders[rec->type])
		adders[rec->type](sum, rec);
}
