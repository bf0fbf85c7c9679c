// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about requests that the driver was given, and that are past their
 * limit though no CPU keeps their completion: who has them, by its rings, and
 * whether anybody would time them out.
 */
#include "verdict.h"

/*
 * The rings hold as many as that, and the device was told of them. Where they
 * don't tell how many it has, they may still tell that it has not all of them.
 */
static bool rings_agree(const struct hang_disk_sum *d)
{
	if (d->rings_known)
		return !d->uncollected && d->with_device >= d->over;
	return !d->uncollected && d->over + d->unkicked <= hang_disk_issued(d);
}

/*
 * Surely only if the rings hold all that are issued: otherwise those that are
 * there may be others than those past their limit.
 */
static bool device_owns_surely(const struct hang_work *w,
			       const struct hang_disk_sum *d)
{
	return d->over && d->rings_known && rings_agree(d) &&
	       d->with_device >= hang_disk_issued(d) && !hang_any_cpu_is_stalled(w) &&
	       !hang_any_cpu_is_faulty(w);
}

static bool device_owns(const struct hang_work *w,
			const struct hang_disk_sum *d)
{
	/* Its interrupt might be waiting on a CPU that takes none. */
	return d->over && !d->rings_known && rings_agree(d) &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

/* The same, but not all CPUs could be seen. */
static bool device_owns_maybe(const struct hang_work *w,
			      const struct hang_disk_sum *d)
{
	return d->over && rings_agree(d) && !hang_any_cpu_is_stalled(w);
}

/* More are past their limit than the device can have. */
static bool others_than_device(const struct hang_work *w,
			       const struct hang_disk_sum *d)
{
	return d->rings_known && d->over > d->with_device &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

/* Nobody looks at a ring that is polled but those who wait. */
static bool interrupt_lost(const struct hang_work *w,
			   const struct hang_disk_sum *d)
{
	return !d->rings_polled && others_than_device(w, d) && d->uncollected && !d->unkicked;
}

/*
 * The rings don't tell how many the device has, but all that are issued are
 * finished ones. In a shared ring, these may be another disk's.
 */
static bool interrupt_lost_maybe(const struct hang_work *w,
				 const struct hang_disk_sum *d)
{
	return !d->rings_known && !d->rings_shared && !d->rings_polled &&
	       d->over && d->uncollected >= hang_disk_issued(d) && !d->unkicked &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

/* All that are issued are finished ones, so the old ones are. */
static bool not_polled(const struct hang_work *w, const struct hang_disk_sum *d)
{
	return d->over && d->unpolled >= hang_disk_issued(d) && !d->unkicked &&
	       !hang_any_cpu_is_stalled(w) && !hang_any_cpu_is_faulty(w);
}

/* The kernel would have asked the driver long ago what is to become of them. */
static bool timeout_dead(const struct hang_work *w,
			 const struct hang_disk_sum *d)
{
	return d->overdue && d->queue.timer_dead && !hang_any_cpu_is_stalled(w);
}

static bool timeout_in_freeze(const struct hang_work *w,
			      const struct hang_disk_sum *d)
{
	return timeout_dead(w, d) && d->queue.freeze;
}

/* Where no ring shows them, that they come and go with no end is all there is. */
static bool timeout_rearmed(const struct hang_work *w,
			    const struct hang_disk_sum *d)
{
	return d->rearmed && d->rearmed == d->over && !d->rings_known &&
	       rings_agree(d) && !hang_any_cpu_is_stalled(w) &&
	       !hang_any_cpu_is_faulty(w);
}

static bool not_kicked(const struct hang_work *w, const struct hang_disk_sum *d)
{
	return others_than_device(w, d) && d->unkicked && !d->uncollected;
}

static u32 device_requests(const struct hang_disk_sum *d)
{
	return d->over;
}

static void say_device(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put_requests(s, d, d->over);
	hang_put(s, d->over == 1 ? " was" : " were");
	hang_put(s, " issued to the device and not answered; nothing above the"
		    " driver holds");
	hang_put(s, d->over == 1 ? " it." : " them.");
}

static void put_finished(struct hang_str *s, const struct hang_disk_sum *d,
			 u32 n)
{
	hang_put(s, "The device finished ");
	hang_put_requests(s, d, n);
}

static void say_interrupt(struct hang_str *s, const struct hang_disk_sum *d)
{
	put_finished(s, d, d->uncollected);
	hang_put(s, ", which the driver did not collect: its interrupt was lost"
		    " or is not handled.");
}

static void say_not_kicked(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put_requests(s, d, d->unkicked);
	hang_put(s, d->unkicked == 1 ? " is" : " are");
	hang_put(s, " in the driver's ring, and the device was not told.");
}

static void say_not_polled(struct hang_str *s, const struct hang_disk_sum *d)
{
	put_finished(s, d, d->unpolled);
	hang_put(s, " in a queue that is polled and has no interrupt, and nobody"
		    " polls it.");
}

static void say_timeout(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put_requests(s, d, d->overdue);
	hang_put(s, d->overdue == 1 ? " is" : " are");
	hang_put(s, " past the deadline, and neither the timeout timer is armed"
		    " nor timeout_work queued: nobody will time them out");
	hang_put(s, d->queue.freeze ? ", and a freeze of the queue waits for"
				      " them." : ".");
}

static void say_rearmed(struct hang_str *s, const struct hang_disk_sum *d)
{
	hang_put_requests(s, d, d->rearmed);
	hang_put(s, d->rearmed == 1 ? " has" : " have");
	hang_put(s, " not been answered for many times the timeout of ");
	hang_put_time(s, d->queue.timeout_ns);
	hang_put(s, ": the driver does not fail them, each time it is asked it"
		    " waits again.");
}

static const struct hang_disk_row rows[] = {
	{ "timeout-in-freeze", "medium", timeout_in_freeze, device_requests,
	  say_timeout,
	  { "a kernel bug: keep the dump and report it",
	    "see who freezes the queue: sysrq-w" } },
	{ "timeout-dead", "high", timeout_dead, device_requests, say_timeout,
	  { "a kernel or driver bug: keep the dump and report it",
	    "why the device did not answer is another question: its driver's"
	    " log lines" } },
	{ "polled-not-polled", "medium", not_polled, device_requests,
	  say_not_polled,
	  { "find who submitted them: a task that polls has to go on doing so"
	    " (io_uring with IOPOLL, preadv2 with RWF_HIPRI)" } },
	{ "device-interrupt-lost", "medium", interrupt_lost, device_requests,
	  say_interrupt,
	  { "see the disk's line in /proc/interrupts, and whether its CPU takes"
	    " that interrupt",
	    "suspect interrupt controller, hypervisor, or a change of the"
	    " interrupt's affinity",
	    "a device slower than the limit, which has just answered, looks the"
	    " same: look twice" } },
	{ "device-interrupt-lost", "medium", interrupt_lost_maybe,
	  device_requests, say_interrupt,
	  { "see the disk's line in /proc/interrupts, and whether its CPU takes"
	    " that interrupt",
	    "suspect interrupt controller, hypervisor, or a change of the"
	    " interrupt's affinity",
	    "a device slower than the limit, which has just answered, looks the"
	    " same: look twice" } },
	{ "request-not-kicked", "high", not_kicked, device_requests,
	  say_not_kicked,
	  { "a fault of the driver, or of the block layer that ended a batch"
	    " without saying so: keep the dump and report it" } },
	{ "device-owns-request", "high", device_owns_surely, device_requests,
	  say_device,
	  { "look at the device, its link and its host; its driver's log lines" } },
	{ "timeout-rearmed", "medium", timeout_rearmed, device_requests,
	  say_rearmed,
	  { "look at what is behind the driver: a server, a link, a daemon",
	    "only the driver can give them up: disconnect or remove the disk" } },
	{ "device-owns-request", "medium", device_owns, device_requests,
	  say_device,
	  { "look at the device, its link and its host; its driver's log lines",
	    "a lost device interrupt looks the same: see if the disk's count in"
	    " /proc/interrupts still grows" } },
	{ "device-owns-request", "low", device_owns_maybe, device_requests,
	  say_device,
	  { "look at the device, its link and its host; its driver's log lines",
	    "a lost device interrupt looks the same: see if the disk's count in"
	    " /proc/interrupts still grows" } },
};

/* A disk that is made of others has no device that could own its requests. */
const struct hang_disk_row *hang_issued_row(const struct hang_work *w,
					    const struct hang_disk_sum *d)
{
	if (d->stacked)
		return NULL;
	return hang_row_that_holds(rows, HANG_ARRAY_SIZE(rows), w, d);
}
