// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts about the machine: CPUs that are stuck over something else, an idle
 * block layer below tasks that sleep; and the order of several verdicts.
 */
#include "verdict_base.h"

#define HUNG (130 * SEC)

static void test_stuck(void)
{
	static const char id[] = "cpu-stuck-elsewhere";

	make();
	fake_run(f, 2, "stuck", 90);
	fake_stall(f, 2, 20 * SEC);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "stuck: found");
	is_u64(fake_count(f, R_verdict), 1, "stuck: one verdict");
	is_str(rec_str(f, verdict, 0, id), id, "stuck: which");
	is_u64(rec_u64(f, verdict, 0, cpu), 2, "stuck: its CPU");
	ok(strstr(rec_str(f, evidence, 0, text), "it runs stuck"),
	   "stuck: what it runs");
	fake_free(f);
	make();
	fake_stall(f, 2, 5 * SEC);
	gone(id, "not for long enough");
	make();
	fake_stall(f, 2, 20 * SEC);
	fake_panic(f, 2);
	gone(id, "its own panic explains it");
	make();
	fake_stall(f, 2, 20 * SEC);
	fake_strand(f, 2, fake_rq(f, &d, .hctx = 0, .tag = 1, .cpu = 2,
				  .state = FAKE_COMPLETE, .age = OLD));
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "stranding: found");
	is_str(rec_str(f, verdict, 0, id), "completion-cpu-irqs-off",
	       "stranding: which");
	is_u64(fake_verdicts(f, id), 0, "stranding: said once");
	fake_free(f);
}

/* A task that sleeps and can't be killed. */
static void asleep(u64 slept)
{
	make();
	fake_sleep(f, fake_process(f, "mount", 300), 2, 1, slept);
}

static void test_idle(void)
{
	static const char id[] = "idle-look-above";
	struct fake_disk dm;

	asleep(HUNG);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "asleep: found");
	is_u64(fake_count(f, R_verdict), 1, "asleep: one verdict");
	is_str(rec_str(f, verdict, 0, id), id, "asleep: which");
	ok(strstr(rec_str(f, evidence, 0, text), "mount, pid 300"),
	   "asleep: its name");
	fake_free(f);
	asleep(OLD);
	none("not for long");
	asleep(HUNG);
	fake_rq(f, &d, .tag = 3, .age = SEC);
	none("there is a request, if a young one");
	asleep(HUNG);
	issued(OLD);
	is_it("device-owns-request", "a disk is at fault");
	asleep(HUNG);
	fake_dm(f, &dm, "dm-0");
	fake_in_flight(f, &dm, 1, 2);
	none("bios are in a device mapper");
	asleep(HUNG);
	fake_set(f, d.q, "request_queue.mq_freeze_depth", 1);
	none("a queue is frozen");
}

/* Those who sleep longest are named, of many. */
static void test_longest(void)
{
	u32 i;

	asleep(HUNG);
	for (i = 0; i < 20; i++)
		fake_sleep(f, fake_process(f, "other", 400 + i), 2, 1,
			   (150 + i * 7 % 20) * SEC);
	fake_look(f);
	is_u64(fake_count(f, R_asleep), 21, "all are told");
	ok(strstr(rec_str(f, say, 0, text), "21 tasks sleep"), "and counted");
	ok(strstr(rec_str(f, evidence, 0, text), "asleep (D) for 169"),
	   "the longest first");
	ok(strstr(rec_str(f, evidence, 1, text), "asleep (D) for 168"),
	   "then the next");
	fake_free(f);
}

/* A disk whose device has n old requests; or one whose queue is not run. */
static struct fake_disk more[4];

static void device_has(u32 i, const char *name, u32 n)
{
	fake_disk(f, &more[i], .name = name, .depth = 16);
	while (n--)
		fake_rq(f, &more[i], .tag = n, .state = FAKE_IN_FLIGHT,
			.age = OLD);
}

static void not_kicked(u32 i, const char *name)
{
	fake_disk(f, &more[i], .name = name, .depth = 16);
	fake_place(f, &more[i], 0,
		   fake_rq(f, &more[i], .tag = 1, .age = OLD),
		   HANG_AT_REQUEUE);
}

static void test_order(void)
{
	make();
	device_has(0, "fdb", 2);  /* medium */
	device_has(1, "fdc", 5);
	not_kicked(2, "fdd"); /* high */
	device_has(3, "fde", 3);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "several: found");
	is_u64(fake_count(f, R_verdict), 4, "several: verdicts");
	is_str(rec_str(f, verdict, 0, disk), "fdd", "the surest first");
	is_str(rec_str(f, verdict, 1, disk), "fdc", "then by how many wait");
	is_str(rec_str(f, verdict, 2, disk), "fde", "fewer");
	is_str(rec_str(f, verdict, 3, disk), "fdb", "fewest");
	fake_free(f);
}

int main(void)
{
	test_stuck();
	test_idle();
	test_longest();
	test_order();
	return tap_end();
}
