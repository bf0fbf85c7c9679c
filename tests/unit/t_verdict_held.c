// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about what holds back bios before they are requests, and SCSI
 * commands: each made by its own fault, and gone without one of its conditions.
 */
#include "verdict_base.h"

static u64 sdev, host;

static u64 sleeping(u64 slept)
{
	u64 task = fake_process(f, "dd", 400);

	fake_sleep(f, task, 2, 1, slept);
	return task;
}

/* A bio on that list for which a task has waited so long; 0: nobody does. */
static void bio_on(u64 list, u64 slept)
{
	u64 completion = fake_completion(f);

	fake_bio_add(f, list, "submit_bio_wait_endio", completion);
	if (slept)
		fake_wait_for(f, completion, sleeping(slept));
}

static void make_scsi(u32 state)
{
	make();
	host = fake_scsi_host(f, "fake_template", 3, 44);
	sdev = fake_scsi(f, &d, host);
	fake_set(f, host, "Scsi_Host.shost_state", state);
}

/* A command that the driver has, so old. */
static void sent(u64 age)
{
	fake_scsi_cmd(f, sdev, fake_rq(f, &d, .hctx = 0, .tag = 7, .age = age,
				       .state = FAKE_IN_FLIGHT), 0x28);
}

static void test_recovery(void)
{
	static const char id[] = "scsi-recovery";
	struct fake_disk other;

	make_scsi(9);
	sent(OLD);
	is_it(id, "in recovery");
	make_scsi(9);
	left(HANG_AT_DISPATCH, OLD);
	is_it(id, "in recovery, with others waiting");
	make_scsi(9);
	sent(YOUNG);
	none("in recovery, and young");
	make_scsi(FAKE_SHOST_RUNNING);
	sent(OLD);
	is_it("device-owns-request", "not in recovery");
	make_scsi(9);
	sent(OLD);
	fake_disk(f, &other, .name = "fdb", .depth = 4);
	fake_scsi_cmd(f, fake_scsi(f, &other, host),
		      fake_rq(f, &other, .tag = 1, .state = FAKE_IN_FLIGHT,
			      .age = OLD), 0x28);
	is_it(id, "two disks of one host");
	make_scsi(9);
	sent(OLD);
	fake_set(f, sdev, "scsi_device.host", 0);
	gone(id, "the host is not known");
}

static void test_scsi_blocked(void)
{
	static const char id[] = "scsi-device-blocked";

	make_scsi(FAKE_SHOST_RUNNING);
	fake_set(f, sdev, "scsi_device.sdev_state", 11);
	fake_set(f, d.q, "request_queue.quiesce_depth", 1);
	left(HANG_AT_DISPATCH, OLD);
	is_it(id, "blocked, and so quiesced");
	make_scsi(FAKE_SHOST_RUNNING);
	fake_set(f, sdev, "scsi_device.sdev_state", 11);
	left(HANG_AT_DISPATCH, YOUNG);
	none("blocked for a short time");
	make_scsi(FAKE_SHOST_RUNNING);
	fake_set(f, sdev, "scsi_device.sdev_state", 11);
	none("blocked with nothing to do");
	make_scsi(FAKE_SHOST_RUNNING);
	left(HANG_AT_DISPATCH, OLD);
	gone(id, "not blocked");
}

static void test_budget(void)
{
	static const char id[] = "scsi-budget-leaked";
	u32 depth;

	make_scsi(FAKE_SHOST_RUNNING);
	depth = fake_field(f, sdev, "scsi_device.queue_depth");
	fake_set(f, sdev, "scsi_device.queue_depth", 4);
	fake_scsi_busy(f, sdev, 4);
	left(HANG_AT_SW, OLD);
	is_it(id, "all is taken");
	make_scsi(FAKE_SHOST_RUNNING);
	fake_set(f, sdev, "scsi_device.queue_depth", 4);
	fake_scsi_busy(f, sdev, 3);
	left(HANG_AT_SW, OLD);
	is_it("queue-not-run", "one is left");
	make_scsi(FAKE_SHOST_RUNNING);
	fake_set(f, sdev, "scsi_device.queue_depth", 4);
	fake_scsi_busy(f, sdev, 4);
	left(HANG_AT_SW, OLD);
	sent(SEC);
	none("the driver has one");
	ok(depth > 4, "the depth is set here");
}

/* A dm disk beside fda, which has nothing. */
static u64 make_dm(struct fake_disk *dm)
{
	f = fake_new();
	return fake_dm(f, dm, "fda");
}

static void test_suspended(void)
{
	static const char id[] = "dm-suspended";
	struct fake_disk dm;
	u64 md, list;

	md = make_dm(&dm);
	list = md + fake_offset(f, "mapped_device.deferred");
	fake_set(f, md, "mapped_device.flags", 2);
	bio_on(list, OLD);
	is_it(id, "suspended");
	md = make_dm(&dm);
	fake_set(f, md, "mapped_device.flags", 2);
	bio_on(list, YOUNG);
	none("suspended for a short time");
	md = make_dm(&dm);
	fake_set(f, md, "mapped_device.flags", 2);
	bio_on(list, 0);
	fake_look(f);
	is_str(rec_str(f, verdict, 0, id), "no-hang", "nobody waits");
	ok(strstr(rec_str(f, evidence, 0, text), "held while it is suspended"),
	   "but it is said");
	fake_free(f);
	md = make_dm(&dm);
	fake_set(f, md, "mapped_device.flags", 0);
	bio_on(list, OLD);
	gone(id, "not suspended");
}

static void test_no_path(void)
{
	static const char id[] = "dm-no-path";
	struct fake_disk dm;
	u64 md, mp;

	md = make_dm(&dm);
	mp = fake_multipath(f, md);
	bio_on(mp + fake_offset(f, "multipath.queued_bios"), OLD);
	is_it(id, "no path");
	md = make_dm(&dm);
	mp = fake_multipath(f, md);
	bio_on(mp + fake_offset(f, "multipath.queued_bios"), YOUNG);
	none("no path for a short time");
	md = make_dm(&dm);
	mp = fake_multipath(f, md);
	fake_set(f, mp, "multipath.nr_valid_paths", 2);
	bio_on(mp + fake_offset(f, "multipath.queued_bios"), OLD);
	gone(id, "there are paths");
}

/* A group with a bio, so long past its turn, with its timer armed or not. */
static void throttled(s64 late, bool timer)
{
	u64 td, tg, cost, latency;

	make();
	td = fake_td(f, &d);
	tg = fake_throttle(f, &d, fake_group(f, &d, 71, &cost, &latency), 0);
	fake_set(f, fake_td_queue(f, td),
		 "throtl_service_queue.pending_timer.entry.pprev",
		 timer ? 8 : 0);
	fake_throttle_bio(f, td, tg, 0);
	fake_set(f, tg, "throtl_grp.flags", FAKE_TG_PENDING);
	fake_set(f, tg, "throtl_grp.disptime",
		 f->jiffies - late * FAKE_HZ / (s64)SEC);
}

/* A bio that has passed all limits, with the work item in that state. */
static void passed(u64 slept, u64 work)
{
	u64 completion, td;

	make();
	td = fake_td(f, &d);
	fake_set(f, td, "throtl_data.dispatch_work.data", work);
	completion = fake_completion(f);
	fake_queue_bio(f, fake_td_queue(f, td), 0, "throtl_qnode.bios_iops",
		       "submit_bio_wait_endio", completion);
	fake_wait_for(f, completion, sleeping(slept));
}

static void test_throttle(void)
{
	static const char id[] = "throttle-stalled";

	throttled(OLD, false);
	is_it(id, "nothing will dispatch it");
	throttled(OLD, true);
	gone(id, "a timer will");
	throttled(YOUNG, false);
	none("it is late, but not for long");
	throttled(-60 * (s64)SEC, true);
	fake_look(f);
	is_str(rec_str(f, verdict, 0, id), "no-hang", "as it was meant to be");
	ok(strstr(rec_str(f, evidence, 0, text), "held by io.max"),
	   "but it is said");
	fake_free(f);
	passed(OLD, 0);
	is_it(id, "nothing will submit it");
	passed(OLD, FAKE_WORK_PENDING);
	gone(id, "a work item will");
	passed(YOUNG, 0);
	none("nobody has waited for long");
}

#define WRITE 1
#define READ 0

/* A write that waits in the scheduler, and a zone that is locked or not. */
static void zone_locked(u32 op, u32 locked, u64 age)
{
	u64 map, rq;

	f = fake_new();
	fake_style(f, FAKE_RQ_CSD);
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .sched_depth = 16);
	map = fake_alloc(f, 64);
	fake_put_ptr(f, map, locked);
	fake_set(f, d.q, "request_queue.limits.chunk_sectors", 8192);
	fake_set(f, d.gendisk, "gendisk.seq_zones_wlock", map);
	fake_set(f, d.gendisk, "gendisk.nr_zones", 16);
	fake_sched(f, &d, "mq-deadline");
	rq = fake_rq(f, &d, .tag = -1, .itag = 3, .flags = op, .age = age);
	fake_queue_on(f, fake_list_at(f, fake_dd_prio(f, &d, 0),
				      "dd_per_prio.fifo_list", 0), rq);
}

static void test_zone_locked(void)
{
	static const char id[] = "zone-lock-stuck";

	zone_locked(WRITE, 2, OLD);
	is_it(id, "locked");
	zone_locked(WRITE, 0, OLD);
	gone(id, "not locked");
	zone_locked(READ, 2, OLD);
	gone(id, "a read, which does not wait for it");
	zone_locked(WRITE, 2, YOUNG);
	none("not for long");
	zone_locked(WRITE, 2, OLD);
	fake_rq(f, &d, .tag = 5, .itag = 5, .age = SEC);
	gone(id, "another, which may have the lock");
}

static void zone_plugged(u64 slept, u64 work)
{
	u64 wplug;

	make();
	fake_zoned(f, &d, 4);
	wplug = fake_wplug(f, &d, 3, 40);
	fake_set(f, wplug, "blk_zone_wplug.flags", 1);
	fake_set(f, wplug, "blk_zone_wplug.bio_work.data", work);
	bio_on(wplug + fake_offset(f, "blk_zone_wplug.bio_list"), slept);
}

static void test_zone_plugged(void)
{
	static const char id[] = "zone-lock-stuck";

	zone_plugged(OLD, 0);
	is_it(id, "plugged");
	zone_plugged(YOUNG, 0);
	none("not for long");
	zone_plugged(OLD, FAKE_WORK_PENDING);
	gone(id, "its work is queued");
	zone_plugged(OLD, 0);
	issued(SEC);
	none("a write is on its way");
}

static void bfq(u32 in_driver, u64 age)
{
	u64 bfqq, rq;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .sched_depth = 16);
	fake_sched(f, &d, "bfq");
	bfqq = fake_bfqq(f, &d, 12);
	rq = fake_rq(f, &d, .tag = -1, .itag = 3, .age = age);
	fake_queue_on(f, fake_list_at(f, bfqq, "bfq_queue.fifo", 0), rq);
	fake_list_add_tail(f, fake_list_at(f, d.sched_data,
					   "bfq_data.active_list", 0),
			   bfqq + fake_offset(f, "bfq_queue.bfqq_list"));
	fake_set(f, d.sched_data, "bfq_data.tot_rq_in_driver", in_driver);
}

static void kyber(u32 taken, u32 domain)
{
	u64 rq;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .sched_depth = 16);
	fake_sched(f, &d, "kyber");
	rq = fake_rq(f, &d, .tag = -1, .itag = 3, .age = OLD);
	fake_queue_on(f, fake_list_at(f, fake_kcq(f, &d, 0, 0),
				      "kyber_ctx_queue.rq_list", domain), rq);
	fake_tokens(f, &d, 3, taken);
}

static void test_sched(void)
{
	static const char id[] = "sched-accounting-leak";
	u32 all = 64, n;

	bfq(2, OLD);
	is_it(id, "bfq counts two in the driver");
	bfq(0, OLD);
	is_it("queue-not-run", "bfq counts none");
	bfq(2, YOUNG);
	none("not for long");
	bfq(2, OLD);
	fake_rq(f, &d, .tag = 5, .itag = 5, .age = SEC);
	gone(id, "one is on its way");
	for (n = 1; n < all; n++) {
		kyber(n, 3);
		fake_look(f);
		if (fake_verdicts(f, id))
			break;
		fake_free(f);
	}
	ok(n < all, "kyber: all tokens of its domain are taken");
	is_u64(hang_rec_get(fake_sched_rec(f, "read", 0), F_sched_tokens), n,
	       "kyber: all there are");
	fake_free(f);
	kyber(n, 1);
	gone(id, "those of another domain");
}

static void frozen(u32 level, u64 slept)
{
	make();
	fake_wait(f, fake_fs_head(f, fake_fs(f, &d, "fda1", level), 0),
		  "percpu_rwsem_wake_function",
		  fake_sleeper(f, "touch", 500, 0, slept));
}

static void test_frozen(void)
{
	static const char id[] = "fs-frozen";

	frozen(FAKE_FROZEN, OLD);
	is_it(id, "frozen");
	frozen(2, OLD);
	is_it(id, "being frozen");
	frozen(FAKE_FROZEN, YOUNG);
	none("not for long");
	frozen(0, OLD);
	gone(id, "not frozen");
	frozen(FAKE_FROZEN, OLD);
	issued(OLD);
	is_it("device-owns-request", "the device explains it");
}

int main(void)
{
	test_recovery();
	test_scsi_blocked();
	test_budget();
	test_suspended();
	test_no_path();
	test_throttle();
	test_zone_locked();
	test_zone_plugged();
	test_sched();
	test_frozen();
	return tap_end();
}
