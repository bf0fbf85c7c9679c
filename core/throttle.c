// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bios that the limits of cgroups keep back (io.max, block/blk-throttle.c).
 *
 * Each group has a queue of its own for each disk. What it lets go on moves to
 * its parent's, and from the topmost group's to the disk's, from where a work
 * item submits it. The disk counts what is in all groups together, so these are
 * looked at only if that is not zero. What is on the disk's own queue is not in
 * that count, nor, in older kernels, in any: its lists are walked.
 *
 * A queue holds its bios by where they came from, in qnodes, which are taken in
 * turn. There are two lists in each where bios wait for the limit on bytes
 * first, and then for that on operations, which is then the one to be served.
 *
 * A group waits for its time on the tree of its parent, whose timer dispatches
 * it. One that has bios and is not on that tree is dispatched by nobody.
 */
#include "core.h"

#define PATH_SIZE 160

enum { READS, WRITES, DIRECTIONS };

struct throttled {
	u64 sq;	  /* throtl_service_queue; its copy is in w->held_snap */
	u64 td;	  /* throtl_data, of the disk's own queue */
	u64 tg;	  /* throtl_grp, of a cgroup's */
	u64 blkg;
	bool known[DIRECTIONS];
	u32 count[DIRECTIONS];
};

/* All that are queued in the groups, and whether each of them could be read. */
struct total {
	u64 count[DIRECTIONS];
	bool all;
};

/* Element dir of an array of two at that row of the copied queue. */
static u64 element(const struct hang_work *w, enum hang_row_id row, u32 dir)
{
	const struct hang_loc *loc = &w->layout.loc[row];
	u32 size = loc->size / DIRECTIONS;

	if (!loc->alt || size > 8 || loc->value + loc->size > w->held_snap.len)
		return 0;
	return hang_decode(w->t, w->held_snap.data + loc->value + dir * size,
			   size);
}

static u64 list_at(const struct hang_work *w, u64 sq, u32 dir)
{
	return sq + hang_loc(w, L_sq_lists) + dir * 2 * w->t->word;
}

/* The first node of a list in the copied queue; 0 if it is empty. */
static u64 first_node(const struct hang_work *w, u64 sq, u32 dir)
{
	u64 at = hang_loc(w, L_sq_lists) + dir * 2 * w->t->word;
	u64 node;

	if (at + w->t->word > w->held_snap.len)
		return 0;
	node = hang_decode(w->t, w->held_snap.data + at, w->t->word);
	return node == list_at(w, sq, dir) ? 0 : node;
}

static bool has_lists(const struct hang_work *w)
{
	return hang_has(w, L_qnode_node) && hang_has(w, L_qnode_bios) &&
	       hang_has(w, L_bio_list_head);
}

static int qnode_found(struct hang_work *w, u64 node, void *arg)
{
	u64 qnode = node - hang_loc(w, L_qnode_node);
	u32 *count = arg;
	u32 n;
	int err;

	err = hang_bio_list_count(w, qnode + hang_loc(w, L_qnode_bios),
				  "throtl_qnode", &n);
	*count += n;
	if (!err && hang_has(w, L_qnode_bios_bps)) {
		err = hang_bio_list_count(w, qnode +
					  hang_loc(w, L_qnode_bios_bps),
					  "throtl_qnode", &n);
		*count += n;
	}
	return err;
}

/* Counts what is on the lists of a queue; not known if one can't be read. */
static void count_lists(struct hang_work *w, struct throttled *t)
{
	u32 tries, dir;
	int err;

	for (dir = 0; dir < DIRECTIONS; dir++) {
		if (!first_node(w, t->sq, dir)) {
			t->known[dir] = true;
			continue;
		}
		if (!has_lists(w))
			continue;
		tries = hang_list_tries(w);
		w->hush = hang_is_live(w);
		do {
			t->count[dir] = 0;
			err = hang_for_each_list(w, list_at(w, t->sq, dir),
						 qnode_found, &t->count[dir],
						 "throtl_service_queue");
		} while (err && --tries && !hang_interrupted(w));
		w->hush = false;
		t->known[dir] = !err;
	}
}

static void count_group(struct hang_work *w, struct throttled *t)
{
	u32 dir;

	for (dir = 0; dir < DIRECTIONS; dir++) {
		t->known[dir] = true;
		t->count[dir] = element(w, L_sq_queued, dir) +
				element(w, L_sq_queued_bps, dir);
	}
}

/* Whether t has been seen to hold nothing. */
static bool is_empty(const struct throttled *t)
{
	return t->known[READS] && t->known[WRITES] && !t->count[READS] &&
	       !t->count[WRITES];
}

static void show_cgroup(struct hang_work *w, struct hang_rec *rec, u64 blkg)
{
	const char *path;
	u64 kn, id;

	if (hang_group_node(w, blkg, &kn))
		return;
	if (!hang_read_member(w, kn, L_kn_id, &id))
		hang_rec_set(rec, F_throttle_cgroup, id);
	if (!hang_cgroup_path(w, kn, w->text, PATH_SIZE, &path))
		hang_rec_str(rec, F_throttle_path, path);
}

/* When the group is to be dispatched, if it is in line for that. */
static void show_time(struct hang_work *w, struct hang_rec *rec, u64 tg)
{
	u32 shift = 64 - 8 * w->t->word;
	u64 flags, disptime;
	s64 ahead;

	if (!hang_has(w, L_enum_tg_pending) || !w->clock.hz ||
	    hang_read_member(w, tg, L_tg_flags, &flags) ||
	    !(flags & hang_loc(w, L_enum_tg_pending)) ||
	    hang_read_member(w, tg, L_tg_disptime, &disptime))
		return;
	/* Jiffies wrap. */
	ahead = (s64)((disptime - w->clock.jiffies) << shift) >> shift;
	if (ahead >= 0)
		hang_rec_set(rec, F_throttle_next,
			     hang_jiffies_to_ns(w, ahead));
	else
		hang_rec_set(rec, F_throttle_late,
			     hang_jiffies_to_ns(w, -ahead));
}

static void show_timer(struct hang_work *w, struct hang_rec *rec)
{
	u64 parent = hang_snap_get(w, &w->held_snap, L_sq_parent);
	u64 pprev;

	if (parent && !hang_read_member(w, parent, L_sq_timer, &pprev))
		hang_rec_set(rec, F_throttle_timer, pprev != 0);
}

static void show_work(struct hang_work *w, struct hang_rec *rec, u64 td)
{
	u64 data;

	if (!hang_read_member(w, td, L_td_work, &data))
		hang_rec_str(rec, F_throttle_work, hang_work_state(w, td + hang_loc(w, L_td_work), data,
				     0));
}

/* The bio that is the next to go on, of one direction; 0 if there is none. */
static u64 first_bio(struct hang_work *w, u64 sq, u32 dir)
{
	u64 node = first_node(w, sq, dir);
	u64 qnode = node - hang_loc(w, L_qnode_node);
	u64 bio;

	if (!node || !has_lists(w) ||
	    hang_read_member(w, qnode + hang_loc(w, L_qnode_bios),
			     L_bio_list_head, &bio))
		return 0;
	if (!bio && hang_has(w, L_qnode_bios_bps))
		hang_read_member(w, qnode + hang_loc(w, L_qnode_bios_bps),
				 L_bio_list_head, &bio);
	return bio;
}

static void show_waiter(struct hang_work *w, struct hang_rec *rec, u64 sq)
{
	static const struct hang_task_fields fields = {
		.pid = F_throttle_pid, .comm = F_throttle_comm,
		.slept = F_throttle_slept,
	};
	u64 bio;

	w->hush = hang_is_live(w);
	bio = first_bio(w, sq, READS);
	if (!bio)
		bio = first_bio(w, sq, WRITES);
	hang_bio_show_waiter(w, rec, bio, &fields);
	w->hush = false;
}

static void emit(struct hang_work *w, const struct throttled *t)
{
	struct hang_rec *rec = &w->rec;

	w->looked.throttle++;
	if (is_empty(t)) {
		w->looked.throttle_empty++;
		return;
	}
	hang_rec_start(rec, R_throttle);
	hang_rec_str(rec, F_throttle_disk, w->disk_name);
	if (t->known[READS])
		hang_rec_set(rec, F_throttle_reads, t->count[READS]);
	if (t->known[WRITES])
		hang_rec_set(rec, F_throttle_writes, t->count[WRITES]);
	if (t->tg) {
		show_cgroup(w, rec, t->blkg);
		show_time(w, rec, t->tg);
		show_timer(w, rec);
	} else {
		show_work(w, rec, t->td);
	}
	show_waiter(w, rec, t->sq);
	hang_rec_set(rec, F_throttle_addr, t->sq);
	hang_emit(w, rec);
}

static void group_found(struct hang_work *w, u64 blkg, u64 pd, void *arg)
{
	struct throttled t = { .tg = pd - hang_loc(w, L_tg_pd), .blkg = blkg };
	struct total *total = arg;

	t.sq = t.tg + hang_loc(w, L_tg_sq);
	if (hang_snap_load(w, &w->held_snap, t.sq, L_size_throtl_sq)) {
		total->all = false;
		return;
	}
	count_group(w, &t);
	total->count[READS] += t.count[READS];
	total->count[WRITES] += t.count[WRITES];
	emit(w, &t);
}

/*
 * A bio that is just being moved is in the disk's count, and in no group's. In
 * a running kernel the counters change while the groups are looked at.
 */
static void walk_groups(struct hang_work *w, u64 td, const u64 *want)
{
	struct total total = { .all = true };
	u32 dir;
	int err;

	err = hang_for_each_group(w, L_sym_throtl_plid, group_found, &total);
	for (dir = 0; dir < DIRECTIONS; dir++) {
		if (err || !total.all || hang_is_live(w) ||
		    want[dir] - total.count[dir] <= 1)
			continue;
		hang_fault(w, "throtl_data.nr_queued", td, -EINVAL,
			   "is not what its groups have");
	}
}

static bool has_rows(const struct hang_work *w)
{
	return hang_has(w, L_td_queued) && hang_has(w, L_td_sq) &&
	       hang_has(w, L_size_throtl_sq) && hang_has(w, L_sq_lists) &&
	       hang_has(w, L_sq_queued) && hang_has(w, L_tg_pd) &&
	       hang_has(w, L_tg_sq);
}

void hang_walk_throttle(struct hang_work *w)
{
	u32 size = w->layout.loc[L_td_queued].size / DIRECTIONS;
	u64 at = hang_loc(w, L_td_queued);
	struct throttled t = { 0 };
	u64 want[DIRECTIONS];

	if (!has_rows(w) || !hang_snap_member(w, &w->q_snap, L_q_td, &t.td) ||
	    !t.td)
		return;
	t.sq = t.td + hang_loc(w, L_td_sq);
	if (hang_snap_load(w, &w->held_snap, t.sq, L_size_throtl_sq) ||
	    hang_read_uint(w, t.td + at, size, &want[READS], "nr_queued") ||
	    hang_read_uint(w, t.td + at + size, size, &want[WRITES],
			   "nr_queued"))
		return;
	count_lists(w, &t);
	emit(w, &t);
	if (want[READS] || want[WRITES])
		walk_groups(w, t.td, want);
}
