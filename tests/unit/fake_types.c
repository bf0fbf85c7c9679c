// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's layout, its symbols, and the target operations that tell
 * them. Members are placed one after the other with gaps in between, in an
 * order that is no kernel's.
 */
#include "fake.h"

/* Sizes below zero count words; zero: three of the type of that name. */
static const struct { const char *type, *path; int size; } members[] = {
	{ "request", "timeout", 4 },
	{ "request", "ipi_list", -2 },
	{ "request", "csd", 240 },
	{ "request", "state", 4 },
	{ "request", "__sector", 8 },
	{ "request", "rq_flags", 4 },
	{ "request", "io_start_time_ns", 8 },
	{ "request", "mq_hctx", -1 },
	{ "request", "deadline", -1 },
	{ "request", "internal_tag", 4 },
	{ "request", "bio", -1 },
	{ "request", "q", -1 },
	{ "request", "start_time_ns", 8 },
	{ "request", "cmd_flags", 4 },
	{ "request", "tag", 4 },
	{ "request", "mq_ctx", -1 },
	{ "request", "__data_len", 4 },
	{ "bio", "bi_end_io", -1 },
	{ "blk_mq_ctx", "cpu", 4 },
	{ "blk_mq_hw_ctx", "sched_tags", -1 },
	{ "blk_mq_hw_ctx", "queue_num", 4 },
	{ "blk_mq_hw_ctx", "fq", -1 },
	{ "blk_mq_hw_ctx", "tags", -1 },
	{ "blk_mq_hw_ctx", "queue", -1 },
	{ "blk_mq_hw_ctx", "dispatch_wait", 240 },
	{ "blk_flush_queue", "flush_rq", -1 },
	{ "blk_mq_tags", "static_rqs", -1 },
	{ "blk_mq_tags", "breserved_tags", 480 },
	{ "blk_mq_tags", "active_queues", 4 },
	{ "blk_mq_tags", "nr_reserved_tags", 4 },
	{ "blk_mq_tags", "rqs", -1 },
	{ "blk_mq_tags", "bitmap_tags", 480 },
	{ "blk_mq_tags", "nr_tags", 4 },
	{ "blk_mq_tag_set", "shared_tags", -1 },
	{ "blk_mq_tag_set", "tag_list", -2 },
	{ "blk_mq_tag_set", "active_queues_shared_sbitmap", 4 },
	{ "sbitmap_queue", "wake_index", 4 },
	{ "sbitmap_queue", "sb", 160 },
	{ "sbitmap_queue", "ws_active", 4 },
	{ "sbitmap_queue", "wakeup_cnt", 4 },
	{ "sbitmap_queue", "ws", -1 },
	{ "sbitmap_queue", "min_shallow_depth", 4 },
	{ "sbitmap_queue", "completion_cnt", 4 },
	{ "sbitmap_queue", "wake_batch", 4 },
	{ "sbq_wait_state", "wait_cnt", 4 },
	{ "sbq_wait_state", "wait.head", -2 },
	{ "wait_queue_entry", "func", -1 },
	{ "wait_queue_entry", "entry", -2 },
	{ "wait_queue_entry", "private", -1 },
	{ "rq_qos_wait_data", "task", -1 },
	{ "rq_qos_wait_data", "wq", 240 },
	{ "rq_qos", "next", -1 },
	{ "rq_qos", "id", 4 },
	{ "rq_wait", "inflight", 4 },
	{ "rq_wait", "wait.head", -2 },
	{ "ioc_gq", "waitq.head", -2 },
	{ "ioc_gq", "pd", 32 },
	{ "iolatency_grp", "rq_wait", 0 },
	{ "iolatency_grp", "pd", 32 },
	{ "blkcg_gq", "pd", -5 },
	{ "blkcg_gq", "blkcg", -1 },
	{ "blkcg_gq", "q_node", -2 },
	{ "blkcg", "css.cgroup", -1 },
	{ "cgroup", "kn", -1 },
	{ "kernfs_node", "id", 8 },
	{ "blkcg_policy", "plid", 4 },
	{ "rq_wb", "wb_background", 4 },
	{ "rq_wb", "rqos", 240 },
	{ "rq_wb", "rq_wait", 0 },
	{ "rq_wb", "wb_normal", 4 },
	{ "sbitmap", "map", -1 },
	{ "sbitmap", "map_nr", 4 },
	{ "sbitmap", "shift", 4 },
	{ "sbitmap", "depth", 4 },
	{ "sbitmap_word", "cleared", -1 },
	{ "sbitmap_word", "word", -1 },
	{ "request_queue", "id", 4 },
	{ "request_queue", "elevator", -1 },
	{ "request_queue", "tag_set_list", -2 },
	{ "request_queue", "queue_hw_ctx", -1 },
	{ "request_queue", "rq_timeout", 4 },
	{ "request_queue", "hctx_table", 64 },
	{ "request_queue", "tag_set", -1 },
	{ "request_queue", "disk", -1 },
	{ "request_queue", "nr_hw_queues", 4 },
	{ "request_queue", "mq_freeze_wq.head", -2 },
	{ "request_queue", "rq_qos", -1 },
	{ "request_queue", "blkg_list", -2 },
	{ "request_queue", "pm_only", 4 },
	{ "request_queue", "mq_freeze_depth", 4 },
	{ "request_queue", "mq_ops", -1 },
	{ "gendisk", "flags", 4 },
	{ "gendisk", "part0.partno", 4 },
	{ "gendisk", "queue", -1 },
	{ "gendisk", "disk_name", 32 },
	{ "gendisk", "major", 4 },
	{ "gendisk", "part0.__dev", 128 },
	{ "gendisk", "first_minor", 4 },
	{ "block_device", "bd_partno", 1 },
	{ "block_device", "bd_device", 128 },
	{ "block_device", "__bd_flags", 4 },
	{ "block_device", "bd_disk", -1 },
	{ "kset", "list", -2 },
	{ "kset", "kobj.entry", -2 },
	{ "subsys_private", "class", -1 },
	{ "subsys_private", "subsys", 240 },
	{ "subsys_private", "klist_devices", 96 },
	{ "class", "name", -1 },
	{ "klist", "k_list", -2 },
	{ "klist_node", "n_node", -2 },
	{ "device_private", "device", -1 },
	{ "device_private", "knode_class", 96 },
	{ "xarray", "xa_head", -1 },
	{ "xa_node", "slots", -64 },
	{ "xa_node", "shift", 1 },
	{ "__call_single_data", "info", -1 },
	{ "__call_single_data", "node", 48 },
	{ "__call_single_data", "func", -1 },
	{ "irq_work", "func", -1 },
	{ "irq_work", "node.llist", 48 },
	{ "irq_cpustat_t", "__softirq_pending", 4 },
	{ "pcpu_hot", "preempt_count", 4 },
	{ "pcpu_hot", "softirq_pending", 2 },
	{ "rq", "idle", -1 },
	{ "rq", "clock", 8 },
	{ "rq", "clock_task", 8 },
	{ "rq", "curr", -1 },
	{ "task_struct", "pid", 4 },
	{ "task_struct", "thread_info.cpu", 4 },
	{ "task_struct", "se.exec_start", 8 },
	{ "task_struct", "sched_info.last_queued", 8 },
	{ "task_struct", "comm", 16 },
	{ "task_struct", "wake_entry.llist", 48 },
	{ "task_struct", "on_rq", 4 },
	{ "task_struct", "__state", 4 },
	{ "hrtimer_cpu_base", "expires_next", 8 },
	{ "hrtimer_cpu_base", "nr_events", 4 },
	{ "tk_data", "timekeeper", 400 },
	{ "timekeeper", "tkr_mono.shift", 4 },
	{ "timekeeper", "ntp_tick", 8 },
	{ "timekeeper", "tkr_mono.xtime_nsec", 8 },
	{ "timekeeper", "tkr_mono.base", 8 },
	{ "uts_namespace", "name.release", 65 },
	{ "seqcount_raw_spinlock", "sequence", 4 },
};

/* Members at a fixed distance from another one, in words. */
static const struct { const char *spec, *within; int words; } inner[] = {
	{ "request.ipi_list.prev", "request.ipi_list", 1 },
	{ "blk_mq_tags.bitmap_tags.sb", "blk_mq_tags.bitmap_tags", 0 },
	{ "__call_single_data.node.llist", "__call_single_data.node", 0 },
	{ "__call_single_data.node.u_flags", "__call_single_data.node", 3 },
};

static const struct { const char *name; s64 value; } enumerators[] = {
	{ "GENHD_FL_HIDDEN", FAKE_HIDDEN },
	{ "CSD_FLAG_LOCK", FAKE_LOCK },
	{ "CSD_FLAG_TYPE_MASK", 0x700 },
	{ "CSD_TYPE_ASYNC", FAKE_ASYNC },
	{ "CSD_TYPE_SYNC", FAKE_SYNC },
	{ "CSD_TYPE_IRQ_WORK", FAKE_IRQ_WORK },
	{ "CSD_TYPE_TTWU", FAKE_TTWU },
	{ "BLOCK_SOFTIRQ", 6 },
	{ "MQ_RQ_COMPLETE", FAKE_COMPLETE },
	{ "MQ_RQ_IN_FLIGHT", FAKE_IN_FLIGHT },
	{ "__RQF_TIMED_OUT", 19 },
	{ "__RQF_IO_STAT", 11 },
	{ "RQ_QOS_WBT", 2 },
	{ "RQ_QOS_LATENCY", 0 },
	{ "RQ_QOS_COST", 1 },
};

static void grow_type(struct fake *f, const char *type, u32 end)
{
	u32 i;

	for (i = 0; i < f->nr_types; i++)
		if (!strcmp(f->type[i].type, type))
			break;
	if (i == f->nr_types) {
		assert(i < HANG_ARRAY_SIZE(f->type));
		f->type[f->nr_types++].type = type;
	}
	f->type[i].size = (end + 7) & ~7u;
}

static void add_member(struct fake *f, const char *type, const char *path,
		       u32 offset, u32 size)
{
	struct fake_member *m = &f->member[f->nr_members++];

	assert(f->nr_members <= HANG_ARRAY_SIZE(f->member));
	m->type = type;
	m->path = path;
	m->offset = offset;
	m->size = size;
}

static void place_members(struct fake *f)
{
	u32 at = 0, gap = 0, i;

	for (i = 0; i < HANG_ARRAY_SIZE(members); i++) {
		int size = members[i].size;
		u32 bytes = size < 0 ? -size * f->t.word : (u32)size;

		if (!size)
			bytes = 3 * fake_sizeof(f, members[i].path);

		if (!i || strcmp(members[i].type, members[i - 1].type))
			at = 8;
		gap = (gap * 5 + 3) % 7;
		at = ((at + 7) & ~7u) + gap * 8;
		add_member(f, members[i].type, members[i].path, at, bytes);
		at += bytes;
		grow_type(f, members[i].type, at + 24);
	}
	for (i = 0; i < HANG_ARRAY_SIZE(inner); i++) {
		struct fake_member *m = fake_member(f, inner[i].within);

		add_member(f, m->type, strchr(inner[i].spec, '.') + 1,
			   m->offset + inner[i].words * f->t.word,
			   strstr(inner[i].spec, "u_flags") ? 4 : f->t.word);
	}
	/* A seqcount is rounded up to what follows it, and is all there is. */
	fake_member(f, "seqcount_raw_spinlock.sequence")->offset = 0;
	grow_type(f, "seqcount_raw_spinlock", 4);
	f->type[f->nr_types - 1].size = 12;
}

void fake_types_init(struct fake *f)
{
	u32 i;

	place_members(f);
	for (i = 0; i < HANG_ARRAY_SIZE(enumerators); i++) {
		f->enumerator[i].name = enumerators[i].name;
		f->enumerator[i].value = enumerators[i].value;
		f->nr_enumerators++;
	}
}

static struct fake_member *find_member(struct fake *f, const char *type,
				       const char *path)
{
	u32 i;

	for (i = 0; i < f->nr_members; i++)
		if (!strcmp(f->member[i].type, type) &&
		    !strcmp(f->member[i].path, path))
			return &f->member[i];
	return NULL;
}

struct fake_member *fake_member(struct fake *f, const char *spec)
{
	const char *dot = strchr(spec, '.');
	struct fake_member *m;
	char type[40];

	assert(dot && dot - spec < (int)sizeof(type));
	memcpy(type, spec, dot - spec);
	type[dot - spec] = '\0';
	m = find_member(f, type, dot + 1);
	if (!m) {
		fprintf(stderr, "no such member: %s\n", spec);
		abort();
	}
	return m;
}

u64 fake_offset(struct fake *f, const char *spec)
{
	return fake_member(f, spec)->offset;
}

void fake_set(struct fake *f, u64 base, const char *spec, u64 value)
{
	struct fake_member *m = fake_member(f, spec);

	fake_put(f, base + m->offset, m->size, value);
}

u64 fake_field(struct fake *f, u64 base, const char *spec)
{
	struct fake_member *m = fake_member(f, spec);

	return fake_get(f, base + m->offset, m->size);
}

u32 fake_sizeof(struct fake *f, const char *type)
{
	u32 i;

	for (i = 0; i < f->nr_types; i++)
		if (!strcmp(f->type[i].type, type))
			return f->type[i].size;
	fprintf(stderr, "no such type: %s\n", type);
	abort();
}

u64 fake_new_of(struct fake *f, const char *type)
{
	return fake_alloc(f, fake_sizeof(f, type));
}

static struct fake_symbol *find_symbol(struct fake *f, const char *name)
{
	u32 i;

	for (i = 0; i < f->nr_symbols; i++)
		if (!strcmp(f->symbol[i].name, name))
			return &f->symbol[i];
	return NULL;
}

static void set_gone(struct fake *f, const char *what, bool gone)
{
	struct fake_symbol *s = find_symbol(f, what);
	u32 i;

	if (strchr(what, '.')) {
		fake_member(f, what)->gone = gone;
		return;
	}
	for (i = 0; i < f->nr_enumerators; i++) {
		if (!strcmp(f->enumerator[i].name, what)) {
			f->enumerator[i].gone = gone;
			return;
		}
	}
	/* Some symbols are named like their type. */
	for (i = 0; !s && i < f->nr_types; i++) {
		if (!strcmp(f->type[i].type, what)) {
			f->type[i].gone = gone;
			return;
		}
	}
	if (!s) {
		fprintf(stderr, "no such thing: %s\n", what);
		abort();
	}
	s->gone = gone;
}

void fake_drop(struct fake *f, const char *what)
{
	set_gone(f, what, true);
}

void fake_restore(struct fake *f, const char *what)
{
	set_gone(f, what, false);
}

u64 fake_symbol(struct fake *f, const char *name, const char *module, u64 size)
{
	struct fake_symbol *s = find_symbol(f, name);

	if (s)
		return s->addr;
	assert(f->nr_symbols < HANG_ARRAY_SIZE(f->symbol));
	s = &f->symbol[f->nr_symbols++];
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->module = module ? module : "";
	s->size = size;
	s->addr = fake_alloc(f, size);
	return s->addr;
}

u64 fake_symbol_addr(struct fake *f, const char *name)
{
	struct fake_symbol *s = find_symbol(f, name);

	assert(s);
	return s->addr;
}

void fake_names(struct fake *f, const char *symbol, const char *const *names,
		u32 count)
{
	u64 addr = fake_symbol(f, symbol, NULL, count * f->t.word);
	u32 i;

	for (i = 0; i < count; i++)
		fake_put_ptr(f, addr + i * f->t.word,
			     names[i] ? fake_string(f, names[i]) : 0);
}

static int op_read(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	struct fake *f = (struct fake *)t;

	f->reads++;
	return fake_read(f, addr, buf, len);
}

static int op_symbol(struct hang_target *t, const char *name, u64 *addr)
{
	struct fake_symbol *s = find_symbol((struct fake *)t, name);

	if (!s || s->gone)
		return -ENOENT;
	*addr = s->addr;
	return 0;
}

static int op_symbol_at(struct hang_target *t, u64 addr,
			struct hang_symbol *sym)
{
	struct fake *f = (struct fake *)t;
	u32 i;

	for (i = 0; i < f->nr_symbols; i++) {
		struct fake_symbol *s = &f->symbol[i];

		if (s->gone || addr < s->addr || addr >= s->addr + s->size)
			continue;
		sym->start = s->addr;
		sym->size = s->size;
		snprintf(sym->name, sizeof(sym->name), "%s", s->name);
		snprintf(sym->module, sizeof(sym->module), "%s", s->module);
		return 0;
	}
	return -ENOENT;
}

static int op_member(struct hang_target *t, const char *type, const char *path,
		     u32 *offset, u32 *size)
{
	struct fake_member *m = find_member((struct fake *)t, type, path);

	if (!m || m->gone)
		return -ENOENT;
	*offset = m->offset;
	*size = m->size;
	return 0;
}

static int op_struct_size(struct hang_target *t, const char *type, u32 *size)
{
	struct fake *f = (struct fake *)t;
	u32 i;

	for (i = 0; i < f->nr_types; i++) {
		if (!strcmp(f->type[i].type, type) && !f->type[i].gone) {
			*size = f->type[i].size;
			return 0;
		}
	}
	return -ENOENT;
}

static int op_enumerator(struct hang_target *t, const char *name, s64 *value)
{
	struct fake *f = (struct fake *)t;
	u32 i;

	for (i = 0; i < f->nr_enumerators; i++) {
		if (!strcmp(f->enumerator[i].name, name) &&
		    !f->enumerator[i].gone) {
			*value = f->enumerator[i].value;
			return 0;
		}
	}
	return -ENOENT;
}

static int op_irqs_on(struct hang_target *t, u32 cpu)
{
	return ((struct fake *)t)->cpu[cpu].irqs;
}

static bool op_interrupted(struct hang_target *t)
{
	struct fake *f = (struct fake *)t;

	return f->interrupt_after && f->reads >= f->interrupt_after;
}

const struct hang_target_ops fake_ops = {
	.read = op_read,
	.symbol = op_symbol,
	.symbol_at = op_symbol_at,
	.member = op_member,
	.type_size = op_struct_size,
	.enumerator = op_enumerator,
	.irqs_on = op_irqs_on,
	.interrupted = op_interrupted,
};
