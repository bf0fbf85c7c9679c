// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bios that the limits of cgroups keep back: of which cgroup, until when, and
 * what is said where counters, lists or names are damaged.
 */
#include "fake.h"

#define GROUPS 3

static struct fake *f;
static struct fake_disk d;
static u64 td, tg[GROUPS], blkg[GROUPS], dir[GROUPS];

static const char *line(enum hang_rec_type type, u32 n)
{
	static char buf[1024];
	struct hang_str s;
	u32 field = 0;

	hang_str_init(&s, buf, sizeof(buf));
	while (field < hang_rec_nr_fields(type))
		hang_render(&s, fake_rec(f, type, n), &field, false);
	return buf;
}

/* The root group, /a, and /a/b below it. */
static void make_as(enum fake_style style, bool bio)
{
	u64 cost, latency, cgroup;
	u32 i;

	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .bio = bio);
	td = fake_td(f, &d);
	dir[0] = fake_directory(f, "", 0);
	dir[1] = fake_directory(f, "a", dir[0]);
	dir[2] = fake_directory(f, "b", dir[1]);
	for (i = 0; i < GROUPS; i++) {
		blkg[i] = fake_group(f, &d, 71 + i, &cost, &latency);
		tg[i] = fake_throttle(f, &d, blkg[i], i ? tg[i - 1] : 0);
		cgroup = fake_field(f, fake_field(f, blkg[i], "blkcg_gq.blkcg"),
				    "blkcg.css.cgroup");
		fake_set(f, dir[i], "kernfs_node.id", 71 + i);
		fake_set(f, cgroup, "cgroup.kn", dir[i]);
	}
}

static void make(void)
{
	make_as(FAKE_PERCPU_CSD, false);
}

static u64 sq_of(u64 group)
{
	return group + fake_offset(f, "throtl_grp.service_queue");
}

static void set_time(u64 group, s64 jiffies)
{
	fake_set(f, group, "throtl_grp.flags", FAKE_TG_PENDING | 2);
	fake_set(f, group, "throtl_grp.disptime", f->jiffies + jiffies);
}

static void looked(u32 queues, u32 empty, const char *name)
{
	is_u64(rec_u64(f, looked, 0, throttle), queues, "%s: looked at", name);
	is_u64(rec_u64(f, looked, 0, throttle_empty), empty, "%s: empty", name);
}

static void test_nothing(void)
{
	int reads;

	f = fake_new();
	fake_disk(f, &d, .name = "fda");
	fake_look(f);
	reads = f->reads;
	fake_look(f);
	reads = f->reads - reads;
	looked(0, 0, "no limits");
	fake_free(f);
	make();
	fake_look(f);
	looked(1, 1, "limits, nothing kept back");
	is_u64(fake_count(f, R_throttle), 0, "nothing kept back: no record");
	f->reads = 0;
	fake_look(f);
	is_u64(f->reads, reads + 3, "which costs three reads");
	fake_free(f);
}

static void test_groups(enum fake_style style, bool bio)
{
	const char *name = fake_style_name(style);
	u32 i;

	make_as(style, bio);
	for (i = 0; i < 3; i++)
		fake_throttle_bio(f, td, tg[2], 0);
	fake_throttle_bio(f, td, tg[1], 1);
	set_time(tg[2], FAKE_HZ * 3);
	set_time(tg[1], -FAKE_HZ);
	fake_set(f, sq_of(tg[1]),
		 "throtl_service_queue.pending_timer.entry.pprev", dir[0]);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: no hang", name);
	is_u64(fake_count(f, R_throttle), 2, "%s: two groups", name);
	is_str(line(R_throttle, 0), "throttle disk=fda cgroup=72 reads=0 "
	       "writes=1 late=1.000s timer=0throttle disk=fda cgroup=72 "
	       "path=/a",
	       "late, and no timer");
	is_str(line(R_throttle, 1), "throttle disk=fda cgroup=73 reads=3 "
	       "writes=0 next=3.000s timer=1throttle disk=fda cgroup=73 "
	       "path=/a/b", "in three seconds");
	looked(4, 2, name);
	is_u64(fake_count(f, R_fault), 0, "%s: no fault", name);
	fake_free(f);
}

/* What waits for the limit on operations has been counted apart. */
static void test_both_lists(void)
{
	u64 at;

	make();
	at = fake_offset(f, "throtl_service_queue.nr_queued_iops");
	fake_throttle_bio(f, td, tg[1], 0);
	fake_put(f, sq_of(tg[1]) + at, 4, 5);
	fake_put(f, td + fake_offset(f, "throtl_data.nr_queued"), 4, 6);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "both limits: no hang");
	is_u64(rec_u64(f, throttle, 0, reads), 6, "both limits: added up");
	ok(!rec_has(f, throttle, 0, next) && !rec_has(f, throttle, 0, late),
	   "not in line: neither next nor late");
	fake_free(f);
}

static void test_root(void)
{
	make();
	fake_throttle_bio(f, td, tg[0], 1);
	fake_look(f);
	is_str(rec_str(f, throttle, 0, path), "/", "the root's path");
	is_u64(rec_u64(f, throttle, 0, cgroup), 71, "and number");
	fake_free(f);
}

/* Those that have passed all limits. */
static void test_top(enum fake_style style)
{
	bool old = style != FAKE_PERCPU_CSD;
	const char *list = old ? "throtl_qnode.bios" : "throtl_qnode.bios_iops";
	u64 sq, bio, other;

	make_as(style, false);
	sq = fake_td_queue(f, td);
	bio = fake_queue_bio(f, sq, 0, list, "end_bio_bh_io_sync", 0);
	other = fake_queue_bio(f, sq, 0, list, "end_bio_bh_io_sync", 0);
	fake_set(f, bio, "bio.bi_next", other);
	fake_set(f, other, "bio.bi_next", 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "top: a wrong tail");
	is_u64(fake_faults(f, "at its tail"), 1, "top: one fault");
	fake_set(f, bio, "bio.bi_next", 0);
	fake_queue_bio(f, sq, 1, list, "end_bio_bh_io_sync", 0);
	if (!old)
		fake_queue_bio(f, sq, 1, "throtl_qnode.bios_bps",
			       "end_bio_bh_io_sync", 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "top: no hang");
	is_str(line(R_throttle, 0), old ?
	       "throttle disk=fda reads=2 writes=1 work=idlethrottle disk=fda" :
	       "throttle disk=fda reads=2 writes=2 work=idlethrottle disk=fda",
	       "top: counted by its lists");
	fake_set(f, td, "throtl_data.dispatch_work.data", FAKE_WORK_PENDING);
	fake_look(f);
	is_str(rec_str(f, throttle, 0, work), "pending", "top: pending");
	looked(1, 0, "top");
	fake_free(f);
}

static void test_waiter(void)
{
	u64 task, completion;

	make();
	task = fake_process(f, "reader", 1234);
	fake_sleep(f, task, 2, 1, 50 * SEC);
	completion = fake_completion(f);
	fake_wait_for(f, completion, task);
	fake_throttle_bio(f, td, tg[2], 1);
	fake_look(f);
	ok(!rec_has(f, throttle, 0, pid), "nobody waits for a buffer");
	/* Not the first of the writes, but the first of the reads. */
	fake_queue_bio(f, sq_of(tg[2]), 0, "throtl_qnode.bios_bps",
		       "submit_bio_wait_endio", completion);
	fake_look(f);
	is_u64(rec_u64(f, throttle, 0, pid), 1234, "who waits for a read");
	is_str(rec_str(f, throttle, 0, comm), "reader", "and its name");
	fake_set(f, task, "task_struct.__state", 1);
	fake_look(f);
	ok(!rec_has(f, throttle, 0, pid), "one that can be woken is not named");
	fake_free(f);
}

static void test_path(void)
{
	char name[61];
	u64 kn;
	u32 i;

	make();
	memset(name, 'x', sizeof(name));
	name[60] = '\0';
	kn = dir[1];
	for (i = 0; i < 3; i++) {
		name[0] = 'p' + i;
		kn = fake_directory(f, name, kn);
	}
	fake_set(f, dir[2], "kernfs_node.__parent", kn);
	fake_throttle_bio(f, td, tg[2], 0);
	fake_look(f);
	is_u64(strlen(rec_str(f, throttle, 0, path)), 159, "cut: its length");
	ok(!strncmp(rec_str(f, throttle, 0, path), "...", 3), "cut: left");
	is_str(rec_str(f, throttle, 0, path) + 157, "/b", "cut: its end");
	fake_set(f, dir[1], "kernfs_node.__parent", kn);
	fake_set(f, kn, "kernfs_node.__parent", dir[1]);
	fake_set(f, kn, "kernfs_node.name", fake_string(f, "y"));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "a circle: no hang");
	ok(!strncmp(rec_str(f, throttle, 0, path), ".../", 4),
	   "a circle: has an end");
	fake_set(f, dir[2], "kernfs_node.name", fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no name: unclear");
	ok(!rec_has(f, throttle, 0, path), "no name: no path");
	is_u64(rec_u64(f, throttle, 0, cgroup), 73, "no name: a number");
	fake_free(f);
}

static void test_wrong_count(u32 in_disk, u32 faults)
{
	make();
	fake_throttle_bio(f, td, tg[1], 0);
	fake_put(f, td + fake_offset(f, "throtl_data.nr_queued"), 4, in_disk);
	fake_put(f, td + fake_offset(f, "throtl_data.nr_queued") + 4, 4, 1);
	fake_look(f);
	is_u64(fake_faults(f, "its groups have"), faults,
	       "%u bios in all, one in a group: faults", in_disk);
	is_u64(fake_count(f, R_throttle), 1, "%u bios in all: shown", in_disk);
	fake_free(f);
}

static void test_damaged(void)
{
	u64 head = fake_offset((make(), f), "request_queue.blkg_list");
	u64 node = fake_offset(f, "blkcg_gq.q_node");

	fake_throttle_bio(f, td, tg[1], 0);
	fake_put_ptr(f, blkg[2] + node, blkg[1] + node);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "groups loop: unclear");
	is_u64(fake_count(f, R_throttle), 1, "groups loop: each once");
	is_u64(fake_faults(f, "list loops"), 1, "groups loop: one fault");
	fake_put_ptr(f, blkg[2] + node, d.q + head);
	fake_put_ptr(f, blkg[2] + fake_offset(f, "blkcg_gq.pd") + 16,
		     fake_nowhere(f, -ENODATA) +
		     fake_offset(f, "throtl_grp.pd") - sq_of(0));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "a hole: unclear");
	is_u64(fake_faults(f, "left out"), 1, "a hole: one fault");
	is_u64(fake_count(f, R_throttle), 1, "a hole: the other is shown");
	fake_free(f);
	make();
	fake_queue_bio(f, fake_td_queue(f, td), 0, "throtl_qnode.bios_iops",
		       "end_bio_bh_io_sync", 0);
	head = fake_td_queue(f, td) +
	       fake_offset(f, "throtl_service_queue.queued");
	fake_put_ptr(f, fake_get(f, head, 8), fake_get(f, head, 8));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "qnodes loop: unclear");
	is_u64(fake_faults(f, "list loops"), 1, "qnodes loop: one fault");
	looked(1, 0, "qnodes loop");
	fake_put_ptr(f, head, fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "qnodes in a hole: unclear");
	fake_set(f, d.q, "request_queue.td", fake_nowhere(f, -EFAULT));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no throtl_data: unclear");
	looked(0, 0, "no throtl_data");
	fake_free(f);
}

static void test_drop(const char *what, u32 groups)
{
	make();
	fake_throttle_bio(f, td, tg[1], 0);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(fake_count(f, R_throttle), groups, "no %s: groups", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	fake_free(f);
}

static void test_drops(void)
{
	test_drop("request_queue.td", 0);
	test_drop("blkcg_policy_throtl", 0);
	test_drop("throtl_data.nr_queued", 0);
	test_drop("throtl_data.service_queue", 0);
	test_drop("throtl_service_queue", 0);
	test_drop("throtl_service_queue.queued", 0);
	test_drop("throtl_service_queue.nr_queued_iops", 0);
	test_drop("throtl_grp.pd", 0);
	test_drop("throtl_grp.service_queue", 0);
	test_drop("throtl_data.dispatch_work.data", 1);
	test_drop("throtl_service_queue.parent_sq", 1);
	test_drop("throtl_service_queue.pending_timer.entry.pprev", 1);
	test_drop("throtl_qnode.node", 1);
	test_drop("throtl_qnode.bios_iops", 1);
	test_drop("throtl_grp.disptime", 1);
	test_drop("throtl_grp.flags", 1);
	test_drop("THROTL_TG_PENDING", 1);
	test_drop("bio_list.head", 1);
	test_drop("bio_list.tail", 1);
	test_drop("kernfs_node.__parent", 1);
	test_drop("kernfs_node.name", 1);
}

static void test_top_drop(const char *what)
{
	make();
	fake_queue_bio(f, fake_td_queue(f, td), 0, "throtl_qnode.bios_iops",
		       "end_bio_bh_io_sync", 0);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "top, no %s: no hang", what);
	ok(!rec_has(f, throttle, 0, reads), "top, no %s: not known", what);
	is_u64(fake_count(f, R_fault), 0, "top, no %s: no fault", what);
	looked(1, 0, what);
	fake_free(f);
}

int main(void)
{
	u32 style;

	test_nothing();
	for (style = 0; style < FAKE_STYLES; style++) {
		test_groups(style, false);
		test_top(style);
	}
	test_groups(FAKE_PERCPU_CSD, true);
	test_both_lists();
	test_root();
	test_waiter();
	test_path();
	test_wrong_count(0, 1);
	test_wrong_count(1, 0);
	test_wrong_count(2, 0);
	test_wrong_count(3, 1);
	test_damaged();
	test_drops();
	test_top_drop("throtl_qnode.node");
	test_top_drop("throtl_qnode.bios_iops");
	test_top_drop("bio_list.head");
	test_top_drop("bio.bi_next");
	return tap_end();
}
