// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about a disk whose driver has nothing: requests, or tasks that want
 * to make one, wait above it. As long as the driver has a request that is not
 * too old, the disk moves, and who waits behind it is not stuck.
 *
 * Rows stand in the order in which one fault explains the next: a queue that
 * is quiesced does not run, and one that does not run gives no tag back.
 */
#include "verdict.h"

typedef const struct hang_disk_sum disk_sum;

static bool stranded(const struct hang_work *w, disk_sum *d,
		     enum hang_need need)
{
	return hang_waits_long(w, d, d->stranded_ns[need]);
}

static u32 left_to_run(disk_sum *d)
{
	return d->left_at[HANG_LEFT_DISPATCH] + d->left_at[HANG_LEFT_SW] +
	       d->left_at[HANG_LEFT_SCHED];
}

static u32 left(disk_sum *d)
{
	return d->over_left;
}

static u32 nowhere(disk_sum *d)
{
	return d->nowhere;
}

static u32 requeued(disk_sum *d)
{
	return d->left_at[HANG_LEFT_REQUEUE];
}

static u32 flushing(disk_sum *d)
{
	return d->left_at[HANG_LEFT_FLUSH];
}

static u32 plugged(disk_sum *d)
{
	return d->left_at[HANG_LEFT_PLUG];
}

/* Conditions */

static bool quiesced(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return d->queue.quiesce && left_to_run(d) + requeued(d);
}

static bool stopped(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return (d->queue.stopped && left_to_run(d)) ||
	       (d->queue.stopped_all && d->left_at[HANG_LEFT_SCHED]);
}

static bool inactive(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return d->queue.inactive && left_to_run(d);
}

static bool not_kicked(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return requeued(d) && d->queue.requeue_idle;
}

static bool not_run(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return (d->queue.idle && left_to_run(d)) ||
	       (d->left_at[HANG_LEFT_SCHED] && !d->queue.not_idle);
}

static bool held_in_plug(const struct hang_work *w, disk_sum *d)
{
	return plugged(d) && hang_waits_long(w, d, d->plugger.slept_ns);
}

static bool flush_stalled(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return flushing(d) == d->over_left && d->over_left;
}

static bool batch_above_share(const struct hang_work *w, disk_sum *d)
{
	return stranded(w, d, HANG_NEED_TAG) && d->tags.share &&
	       d->tags.wake_batch > d->tags.share;
}

static bool dispatch_wakeup_lost(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return d->tag_waits && d->left_at[HANG_LEFT_DISPATCH];
}

/*
 * None of them is anywhere: they were not handed on. A request is in that state
 * for a moment only, and passthrough ones may keep no time when they began.
 */
static bool tags_exhausted(const struct hang_work *w, disk_sum *d)
{
	return hang_waits_long(w, d, d->full_ns) && !d->tags.shared &&
	       d->nowhere == d->stage[HANG_ALLOCATED] &&
	       d->nowhere >= d->tags.depth;
}

static bool tag_wakeup_lost(const struct hang_work *w, disk_sum *d)
{
	return stranded(w, d, HANG_NEED_TAG);
}

static bool enters(const struct hang_work *w, disk_sum *d)
{
	return hang_waits_long(w, d, d->needs[HANG_NEED_ENTER].slept_ns) &&
	       d->queue.usage_known;
}

static bool frozen(const struct hang_work *w, disk_sum *d)
{
	return enters(w, d) && d->queue.freeze && !d->queue.usage;
}

static bool freezing(const struct hang_work *w, disk_sum *d)
{
	return enters(w, d) && d->queue.freeze && d->queue.usage > 0;
}

/* Who enters does not even sleep: he tries again and again. */
static bool ref_dead(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return !d->queue.freeze && d->queue.dead && d->queue.dead_twice;
}

/* A dump is one look: it is so for a moment whenever a freeze ends. */
static bool ref_dead_maybe(const struct hang_work *w, disk_sum *d)
{
	(void)w;
	return !d->queue.freeze && d->queue.dead && !d->queue.dead_once;
}

static bool pm_only(const struct hang_work *w, disk_sum *d)
{
	return enters(w, d) && d->queue.pm_only && d->queue.active;
}

static bool suspended(const struct hang_work *w, disk_sum *d)
{
	return enters(w, d) && d->queue.pm_only && d->queue.inactive_pm;
}

static bool qos_negative(const struct hang_work *w, disk_sum *d)
{
	return stranded(w, d, HANG_NEED_QOS) && d->qos_negative;
}

static bool qos_wakeup_lost(const struct hang_work *w, disk_sum *d)
{
	return stranded(w, d, HANG_NEED_QOS);
}

/* Sentences */

static void put_tasks(struct hang_str *s, disk_sum *d, enum hang_need need)
{
	hang_put_count(s, d->needs[need].count, "task");
}

static void say_quiesced(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, left_to_run(d) + requeued(d));
	hang_put(s, hang_waits(left_to_run(d) + requeued(d)));
	hang_put(s, ": the queue is quiesced, depth ");
	hang_put_dec(s, d->queue.quiesce);
	hang_put(s, ", and hands out nothing.");
}

static void say_stopped(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, left_to_run(d));
	hang_put(s, hang_waits(left_to_run(d)));
	hang_put(s, ": the driver stopped ");
	hang_put_count(s, d->queue.stopped_all, "hardware queue");
	hang_put(s, ", has nothing in flight, and did not start ");
	hang_put(s, d->queue.stopped_all == 1 ? "it again." : "them again.");
}

static void say_inactive(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, left_to_run(d));
	hang_put(s, hang_waits(left_to_run(d)));
	hang_put(s, ": ");
	hang_put_count(s, d->queue.inactive, "hardware queue");
	hang_put(s, " marked INACTIVE though a CPU of it is online.");
}

static void say_not_kicked(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, requeued(d));
	hang_put(s, " on the requeue list, and requeue_work is not queued:"
		    " nobody kicks the list.");
}

static void say_not_run(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, left_to_run(d));
	hang_put(s, hang_waits(left_to_run(d)));
	hang_put(s, " to be handed out, none is with the driver, and"
		    " run_work is not queued: nobody will run the queue.");
}

static void say_plugged(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, plugged(d));
	hang_put(s, " in the plug of ");
	hang_put(s, d->plugger.task);
	hang_put(s, ", pid ");
	hang_put_dec(s, d->plugger.pid);
	hang_put(s, ", which sleeps and did not submit them.");
}

static void say_flush(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, flushing(d));
	hang_put(s, hang_waits(flushing(d)));
	hang_put(s, " in the flush machinery, and no request is with the"
		    " driver that would move it on.");
}

static void put_bitmap(struct hang_str *s, disk_sum *d)
{
	hang_put(s, d->tags.sched ? "scheduler tags" : "driver tags");
	hang_put(s, " of ");
	hang_put(s, d->name);
	hang_put(s, ", hardware queue ");
	hang_put_dec(s, d->tags.hctx);
}

static void put_tag_waiters(struct hang_str *s, disk_sum *d)
{
	put_tasks(s, d, HANG_NEED_TAG);
	hang_put(s, hang_waits(d->needs[HANG_NEED_TAG].count));
	hang_put(s, " for ");
	put_bitmap(s, d);
}

static void say_batch(struct hang_str *s, disk_sum *d)
{
	put_tag_waiters(s, d);
	hang_put(s, ", all free: waking one takes a batch of ");
	hang_put_dec(s, d->tags.wake_batch);
	hang_put(s, " freed, and a user's share is ");
	hang_put_dec(s, d->tags.share);
	hang_put_char(s, '.');
}

static void say_tag_wakeup(struct hang_str *s, disk_sum *d)
{
	put_tag_waiters(s, d);
	hang_put(s, ", all ");
	hang_put_dec(s, d->tags.depth);
	hang_put(s, " of which are free: a wake-up was lost.");
}

static void say_dispatch_wakeup(struct hang_str *s, disk_sum *d)
{
	hang_put_requests(s, d, d->left_at[HANG_LEFT_DISPATCH]);
	hang_put(s, hang_waits(d->left_at[HANG_LEFT_DISPATCH]));
	hang_put(s, " to be handed out, and ");
	hang_put_count(s, d->tag_waits, "hardware queue");
	hang_put(s, " for a driver tag, all of which are free: a wake-up was"
		    " lost.");
}

static void say_exhausted(struct hang_str *s, disk_sum *d)
{
	put_tag_waiters(s, d);
	hang_put(s, ", all ");
	hang_put_dec(s, d->tags.depth);
	hang_put(s, " of which are taken by requests that were allocated and"
		    " never submitted.");
}

static void say_frozen(struct hang_str *s, disk_sum *d)
{
	hang_put(s, d->name);
	hang_put(s, " is frozen, depth ");
	hang_put_dec(s, d->queue.freeze);
	hang_put(s, ", its last user has left, and ");
	put_tasks(s, d, HANG_NEED_ENTER);
	hang_put(s, hang_waits(d->needs[HANG_NEED_ENTER].count));
	hang_put(s, " to enter: whoever froze it did not thaw it.");
}

static void say_freezing(struct hang_str *s, disk_sum *d)
{
	hang_put(s, "A freeze of ");
	hang_put(s, d->name);
	hang_put(s, " waits for ");
	hang_put_count(s, (u32)d->queue.usage, "user");
	hang_put(s, " of its queue, and all who enter wait for the freeze.");
}

static void say_ref_dead(struct hang_str *s, disk_sum *d)
{
	hang_put(s, "The usage counter of ");
	hang_put(s, d->name);
	hang_put(s, " is dead though nobody freezes it: nobody can enter.");
}

static void say_pm_only(struct hang_str *s, disk_sum *d)
{
	hang_put(s, d->name);
	hang_put(s, " lets only power management in, depth ");
	hang_put_dec(s, d->queue.pm_only);
	hang_put(s, ", though its device is active; ");
	put_tasks(s, d, HANG_NEED_ENTER);
	hang_put(s, hang_waits(d->needs[HANG_NEED_ENTER].count));
	hang_put(s, " to enter.");
}

static void say_suspended(struct hang_str *s, disk_sum *d)
{
	hang_put(s, d->name);
	hang_put(s, " is suspended and does not resume; ");
	put_tasks(s, d, HANG_NEED_ENTER);
	hang_put(s, hang_waits(d->needs[HANG_NEED_ENTER].count));
	hang_put(s, " to enter.");
}

static void put_throttled(struct hang_str *s, disk_sum *d)
{
	put_tasks(s, d, HANG_NEED_QOS);
	hang_put(s, " held back by ");
	hang_put(s, d->qos);
	hang_put(s, " of ");
	hang_put(s, d->name);
}

static void say_qos_negative(struct hang_str *s, disk_sum *d)
{
	put_throttled(s, d);
	hang_put(s, ", which counts less than nothing in flight.");
}

static void say_qos_wakeup(struct hang_str *s, disk_sum *d)
{
	put_throttled(s, d);
	hang_put(s, ", which has nothing in flight: a wake-up was lost.");
}

static u32 none(disk_sum *d)
{
	(void)d;
	return 0;
}

static const struct hang_disk_row rows[] = {
	{ "queue-quiesced", "medium", quiesced, left, say_quiesced,
	  { "find who quiesced it: a reset or removal of its controller under"
	    " way (sysrq-w), or one that ended and did not unquiesce" } },
	{ "hctx-stopped", "high", stopped, left, say_stopped,
	  { "a fault of the driver: it has to call"
	    " blk_mq_start_stopped_hw_queues()" } },
	{ "hctx-inactive", "high", inactive, left, say_inactive,
	  { "a kernel bug in CPU hotplug: keep the dump and report it" } },
	{ "requeue-not-kicked", "high", not_kicked, requeued, say_not_kicked,
	  { "a fault of the driver, or of its error recovery: it has to call"
	    " blk_mq_kick_requeue_list()" } },
	{ "plug-held", "high", held_in_plug, plugged, say_plugged,
	  { "see what that task waits for: its stack (sysrq-w, crash bt)" } },
	{ "tag-wakeup-lost", "high", dispatch_wakeup_lost, left,
	  say_dispatch_wakeup,
	  { "a kernel bug: any new I/O to the disk may wake it",
	    "keep the dump and report it" } },
	{ "queue-not-run", "medium", not_run, left_to_run, say_not_run,
	  { "on a live machine, writing run to the disk's state file in debugfs"
	    " shows whether that cures it",
	    "a kernel or driver bug: keep the dump and report it" } },
	{ "flush-stalled", "medium", flush_stalled, flushing, say_flush,
	  { "a kernel or driver bug: keep the dump and report it" } },
	{ "tag-batch-above-share", "high", batch_above_share, none, say_batch,
	  { "a kernel bug: more queue depth, or fewer disks that share the"
	    " tags, avoid it" } },
	{ "tag-wakeup-lost", "high", tag_wakeup_lost, none, say_tag_wakeup,
	  { "a kernel bug: any new I/O to the disk may wake them",
	    "keep the dump and report it" } },
	{ "tags-exhausted", "medium", tags_exhausted, nowhere, say_exhausted,
	  { "see who allocates requests and does not submit them: passthrough"
	    " commands, a driver's own" } },
	{ "queue-frozen", "medium", frozen, none, say_frozen,
	  { "find who froze it: a reset of its controller, a change of its"
	    " scheduler or depth (sysrq-w)" } },
	{ "freeze-waits", "low", freezing, left, say_freezing,
	  { "see the disk's requests below: the freeze goes on when they end",
	    "where it has none, its counter leaked: keep the dump" } },
	{ "queue-ref-dead", "medium", ref_dead, none, say_ref_dead,
	  { "a kernel or driver bug: keep the dump and report it" } },
	{ "queue-ref-dead", "low", ref_dead_maybe, none, say_ref_dead,
	  { "a freeze that has just ended looks the same: look at another dump,"
	    " or whether tasks run in __bio_queue_enter() (crash bt)",
	    "a kernel or driver bug: keep the dump and report it" } },
	{ "queue-pm-only", "high", pm_only, none, say_pm_only,
	  { "a kernel or driver bug: keep the dump and report it" } },
	{ "queue-suspended", "medium", suspended, none, say_suspended,
	  { "see in the log why its device, or one above it, does not resume" } },
	{ "qos-negative-inflight", "high", qos_negative, none, say_qos_negative,
	  { "a kernel bug: keep the dump and report it",
	    "don't turn the throttler off: that freezes the queue, which waits"
	    " for them" } },
	{ "qos-wakeup-lost", "high", qos_wakeup_lost, none, say_qos_wakeup,
	  { "a kernel bug: keep the dump and report it",
	    "don't turn the throttler off: that freezes the queue, which waits"
	    " for them" } },
};

const struct hang_disk_row *hang_queue_row(const struct hang_work *w,
					   const struct hang_disk_sum *d)
{
	if (!d->queue.known || !hang_nothing_below(w, d))
		return NULL;
	return hang_row_that_holds(rows, HANG_ARRAY_SIZE(rows), w, d);
}
