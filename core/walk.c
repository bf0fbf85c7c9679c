// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of things: attach once; then, for each walk, the clock and the
 * queues first, the CPUs next (they tell which requests are on a completion
 * list), then the tasks (which requests are in a plug) and who waits for pages
 * and buffers, and at last every request of every queue.
 */
#include "core.h"

#define DEFAULT_STALL_NS 2000000000ULL
#define DEFAULT_LIST_MAX 65536

struct carver {
	u8 *next; /* NULL: only count */
	size_t used;
};

static void *carve(struct carver *c, size_t count, size_t size)
{
	void *p = c->next ? c->next + c->used : NULL;

	c->used += (count * size + 7) & ~(size_t)7;
	return p;
}

static void carve_map(struct carver *c, struct hang_map *map, u32 cap)
{
	map->key = carve(c, cap, sizeof(*map->key));
	map->value = carve(c, cap, sizeof(*map->value));
	map->cap = cap;
	map->used = 0;
}

static u32 power_of_two(u32 at_least)
{
	u32 n = 64;

	while (n < at_least)
		n *= 2;
	return n;
}

static size_t lay_out(struct hang_work *w, const struct hang_caps *caps,
		      void *mem)
{
	struct carver c = { .next = mem };

	w->sum.cpus = carve(&c, caps->cpus, sizeof(*w->sum.cpus));
	w->sum.disks = carve(&c, caps->queues, sizeof(*w->sum.disks));
	w->queues = carve(&c, caps->queues, sizeof(*w->queues));
	carve_map(&c, &w->queue_map, power_of_two(caps->queues * 3));
	carve_map(&c, &w->done, power_of_two(caps->requests));
	carve_map(&c, &w->seen, power_of_two(caps->requests));
	carve_map(&c, &w->place, power_of_two(caps->requests));
	carve_map(&c, &w->plugged, power_of_two(caps->requests));
	carve_map(&c, &w->working, power_of_two(caps->queues * 3));
	w->awaited = carve(&c, caps->requests / 2, sizeof(*w->awaited));
	carve_map(&c, &w->awaiting, 2 * power_of_two(caps->requests));
	return c.used;
}

size_t hang_mem_size(const struct hang_caps *caps)
{
	/* Each carving is rounded, so this bounds what lay_out() uses. */
	return (size_t)caps->cpus * sizeof(struct hang_cpu_sum) +
	       (size_t)caps->queues * (sizeof(struct hang_disk_sum) +
				       sizeof(struct hang_queue)) +
	       (size_t)caps->requests / 2 * sizeof(struct hang_awaited) +
	       (2 * (size_t)power_of_two(caps->queues * 3) +
		6 * (size_t)power_of_two(caps->requests)) * 12 + 20 * 8;
}

void hang_work_init(struct hang_work *w, struct hang_target *t,
		    const struct hang_caps *caps, void *mem)
{
	memset(w, 0, sizeof(*w));
	w->t = t;
	w->caps = *caps;
	w->cfg.stall_ns = DEFAULT_STALL_NS;
	w->cfg.list_max = DEFAULT_LIST_MAX;
	w->at_cpu = -1;
	w->timed_out_bit = -1;
	lay_out(w, caps, mem);
	w->sum.max_cpus = caps->cpus;
	w->sum.max_disks = caps->queues;
	w->max_awaited = caps->requests / 2;
}

void hang_attach_modules(struct hang_work *w)
{
	if (!w->t->ops->add_types)
		return;
	hang_module_types_load(w);
	hang_layout_retry(&w->layout, w->t);
}

int hang_attach(struct hang_work *w)
{
	hang_layout_resolve(&w->layout, w->t, true);
	hang_attach_modules(w);
	if (w->layout.missing)
		return -ENOENT;
	hang_names_load(w);
	return 0;
}

static void emit_dump(struct hang_work *w)
{
	struct hang_rec *rec = &w->rec;
	char release[65];

	hang_rec_start(rec, R_dump);
	if (!hang_read_str(w, hang_loc(w, L_sym_uts_release), release,
			   sizeof(release), "utsname.release"))
		hang_rec_str(rec, F_dump_release, release);
	hang_rec_set(rec, F_dump_cpus, hang_cpu_count(w, HANG_POSSIBLE));
	hang_rec_set(rec, F_dump_online, hang_cpu_count(w, HANG_ONLINE));
	if (w->clock.hz)
		hang_rec_set(rec, F_dump_hz, w->clock.hz);
	hang_rec_set(rec, F_dump_now, w->clock.now_ns);
	hang_rec_str(rec, F_dump_clock, w->clock.source);
	hang_emit(w, rec);
}

static u32 flush_lists(const u32 *counts)
{
	u32 sum = 0;
	u32 i;

	for (i = HANG_AT_FLUSH; i <= HANG_AT_FLUSH_DATA; i++)
		sum += counts[i];
	return sum;
}

static void show_lists(struct hang_work *w, struct hang_rec *rec)
{
	const u32 *lists = w->looked.lists;
	const u32 *empty = w->looked.empty;

	hang_rec_set(rec, F_looked_dispatch, lists[HANG_AT_DISPATCH]);
	hang_rec_set(rec, F_looked_dispatch_empty, empty[HANG_AT_DISPATCH]);
	hang_rec_set(rec, F_looked_requeue, lists[HANG_AT_REQUEUE]);
	hang_rec_set(rec, F_looked_requeue_empty, empty[HANG_AT_REQUEUE]);
	hang_rec_set(rec, F_looked_sw, lists[HANG_AT_SW]);
	hang_rec_set(rec, F_looked_sw_empty, empty[HANG_AT_SW]);
	hang_rec_set(rec, F_looked_flush, flush_lists(lists));
	hang_rec_set(rec, F_looked_flush_empty, flush_lists(empty));
	hang_rec_set(rec, F_looked_sched, lists[HANG_AT_SCHED] +
		     lists[HANG_AT_SCHED_DISPATCH]);
	hang_rec_set(rec, F_looked_sched_empty, empty[HANG_AT_SCHED] +
		     empty[HANG_AT_SCHED_DISPATCH]);
}

static void emit_looked(struct hang_work *w)
{
	struct hang_rec *rec = &w->rec;

	if (hang_interrupted(w))
		w->looked.left_out++;
	hang_rec_start(rec, R_looked);
	hang_rec_set(rec, F_looked_cpus, w->looked.cpus);
	hang_rec_set(rec, F_looked_queues, w->looked.queues);
	hang_rec_set(rec, F_looked_hctxs, w->looked.hctxs);
	hang_rec_set(rec, F_looked_tags, w->looked.tags);
	hang_rec_set(rec, F_looked_requests, w->looked.requests);
	hang_rec_set(rec, F_looked_tasks, w->looked.tasks);
	hang_rec_set(rec, F_looked_plugs, w->looked.plugs);
	hang_rec_set(rec, F_looked_faults, w->looked.faults);
	hang_rec_set(rec, F_looked_left_out, w->looked.left_out);
	show_lists(w, rec);
	hang_rec_set(rec, F_looked_waits, w->looked.waits);
	hang_rec_set(rec, F_looked_waits_empty, w->looked.waits_empty);
	hang_rec_set(rec, F_looked_throttle, w->looked.throttle);
	hang_rec_set(rec, F_looked_throttle_empty, w->looked.throttle_empty);
	hang_rec_set(rec, F_looked_zones, w->looked.zones);
	hang_rec_set(rec, F_looked_zones_empty, w->looked.zones_empty);
	hang_rec_set(rec, F_looked_stacks, w->looked.stacks);
	hang_rec_set(rec, F_looked_rings, w->looked.rings);
	hang_rec_set(rec, F_looked_rings_empty, w->looked.rings_empty);
	hang_rec_set(rec, F_looked_pages, w->looked.pages);
	hang_rec_set(rec, F_looked_pages_empty, w->looked.pages_empty);
	hang_emit(w, rec);
}

void hang_ring_emit(struct hang_work *w, const struct hang_rec *rec)
{
	w->looked.rings++;
	w->looked.rings_empty += hang_rec_has(rec, F_ring_uncollected) &&
				 !hang_rec_is_notable(rec);
	hang_emit(w, rec);
}

void hang_walk(struct hang_work *w, struct hang_sink *sink, bool confirm)
{
	w->sink = sink;
	w->confirming = confirm;
	if (!confirm)
		hang_map_clear(&w->seen);
	hang_map_clear(&w->done);
	hang_map_clear(&w->plugged);
	hang_map_clear(&w->working);
	memset(&w->known, 0, sizeof(w->known));
	hang_summary_reset(&w->sum);
	memset(&w->looked, 0, sizeof(w->looked));
	if (hang_cpumask_load(w))
		w->looked.left_out++;
	hang_clock_load(w);
	emit_dump(w);
	hang_queues_load(w);
	hang_walk_cpus(w);
	hang_walk_tasks(w);
	hang_walk_page_waits(w);
	hang_frozen_load(w);
	hang_walk_queues(w);
	hang_blocked_rest(w);
	emit_looked(w);
}

void hang_lacks(struct hang_work *w, struct hang_sink *sink, bool optional)
{
	struct hang_rec *rec = &w->rec;
	u32 i;

	w->sink = sink;
	for (i = 0; i < L_COUNT; i++) {
		if (w->layout.loc[i].alt ||
		    (!optional && !hang_rows[i].required))
			continue;
		hang_rec_start(rec, R_lack);
		hang_rec_str(rec, F_lack_row, hang_rows[i].spec);
		hang_rec_str(rec, F_lack_why, hang_rows[i].required ?
			     "required" : hang_rows[i].why);
		hang_emit(w, rec);
	}
}
