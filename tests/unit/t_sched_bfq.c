// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bfq: requests by process, those in service among them, queues that are met
 * again, damaged ones, and lists that change while they are walked.
 */
#include "fake.h"
#include "sched_base.h"

/* One of bfq's processes, with n requests. */
static u64 process(u32 pid, u32 n, const char *list, u32 index)
{
	u64 bfqq = fake_bfqq(f, &d, pid);
	u64 queued = bfqq + fake_offset(f, "bfq_queue.queued");

	fake_put(f, queued + 4 * (pid & 1), 4, n);
	while (n--)
		add(0, fake_list_at(f, bfqq, "bfq_queue.fifo", 0));
	if (list)
		fake_list_add_tail(
			f, fake_list_at(f, d.sched_data, list, index),
			bfqq + fake_offset(f, "bfq_queue.bfqq_list"));
	return bfqq;
}

#define ACTIVE "bfq_data.active_list"
#define IDLES "bfq_data.idle_list"

static void test_bfq(u32 word, bool big)
{
	u64 serve;

	make_on("bfq", word, big);
	serve = process(11, 2, NULL, 0);
	fake_set(f, d.sched_data, "bfq_data.in_service_queue", serve);
	fake_set(f, serve, "bfq_queue.dispatched", 4);
	process(12, 1, ACTIVE, 0);
	process((u32)-1, 3, ACTIVE, 1);
	fake_set(f, process(14, 0, IDLES, 0), "bfq_queue.dispatched", 1);
	process(15, 0, IDLES, 0);
	add(1, fake_list_at(f, d.sched_data, "bfq_data.dispatch", 0));
	fake_set(f, d.sched_data, "bfq_data.queued", 6);
	fake_set(f, d.sched_data, "bfq_data.tot_rq_in_driver", 5);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "bfq %u: answer", word);
	is_u64(fake_count(f, R_fault), 0, "bfq %u: no fault", word);
	is_u64(fake_count(f, R_sched), 6, "bfq %u: records", word);
	is_u64(get("all", 0, queued), 6, "bfq %u: all", word);
	is_u64(get("all", 0, dispatch), 1, "bfq %u: dispatch", word);
	is_u64(get("all", 0, driver), 5, "bfq %u: driver", word);
	is_u64(get("queue", 0, pid), 11, "bfq %u: in service", word);
	is_u64(get("queue", 0, service), 1, "bfq %u: it says so", word);
	is_u64(get("queue", 0, queued), 2, "bfq %u: its requests", word);
	is_u64(get("queue", 0, driver), 4, "bfq %u: its others", word);
	is_u64(get("queue", 1, pid), 12, "bfq %u: active", word);
	is_u64(get("queue", 1, service), 0, "bfq %u: not in service", word);
	is_u64(get("queue", 2, queued), 3, "bfq %u: other actuator", word);
	ok(!has("queue", 2, pid), "bfq %u: of several", word);
	is_u64(get("queue", 3, driver), 1, "bfq %u: idle, driver", word);
	ok(hang_rec_is_notable(fake_sched_rec(f, "queue", 3)), "bfq %u: noted",
	   word);
	ok(!hang_rec_is_notable(fake_sched_rec(f, "queue", 4)), "bfq %u: idle",
	   word);
	is_u64(fake_at(f, "sched"), 6, "bfq %u: requests", word);
	is_u64(fake_at(f, "sched-dispatch"), 1, "bfq %u: to dispatch", word);
	is_u64(rec_u64(f, looked, 0, sched), 6, "bfq %u: lists", word);
	is_u64(rec_u64(f, looked, 0, sched_empty), 2, "bfq %u: empty", word);
	fake_free(f);
}

/* A single active list, and the count of those with the driver renamed. */
static void test_bfq_old(void)
{
	f = fake_new();
	fake_drop(f, "bfq_data.num_actuators");
	fake_drop(f, "bfq_data.tot_rq_in_driver");
	fake_member(f, ACTIVE)->size = 2 * f->t.word;
	fake_member(f, "bfq_data.rq_in_driver")->size = 4;
	fake_disk(f, &d, .name = "fda", .sched_depth = 64);
	fake_sched(f, &d, "bfq");
	next_tag = 0;
	process(7, 2, ACTIVE, 0);
	fake_set(f, d.sched_data, "bfq_data.rq_in_driver", (u32)-1);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 0, "old bfq: no fault");
	is_u64(get("all", 0, driver), (u64)-1, "old bfq: driver, leaked");
	is_u64(get("queue", 0, queued), 2, "old bfq: active");
	fake_free(f);
}

/* Counted another way than by direction: nothing is taken for that. */
static void test_bfq_other_count(void)
{
	f = fake_new();
	fake_member(f, "bfq_queue.queued")->size = 4;
	fake_disk(f, &d, .name = "fda", .sched_depth = 64);
	fake_sched(f, &d, "bfq");
	next_tag = 0;
	process(8, 2, ACTIVE, 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "other count: answer");
	ok(!has("queue", 0, queued), "other count: not shown");
	is_u64(get("queue", 0, pid), 8, "other count: whose it is");
	is_u64(fake_at(f, "sched"), 2, "other count: its requests");
	fake_free(f);
}

static void test_bfq_damaged(void)
{
	u64 next, a, b;

	make("bfq");
	next = fake_offset(f, "bfq_queue.bfqq_list");
	a = process(1, 1, ACTIVE, 0);
	b = process(2, 2, ACTIVE, 0);
	fake_put_ptr(f, b + next, a + next);
	process(3, 1, ACTIVE, 1);
	fake_set(f, d.sched_data, "bfq_data.in_service_queue", a);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "bfq loops: unclear");
	is_u64(fake_faults(f, "loops"), 1, "bfq loops: one fault");
	is_u64(fake_count(f, R_sched), 4, "bfq loops: each shown once");
	is_u64(fake_at(f, "sched"), 4, "bfq loops: each has its place");
	is_u64(rec_u64(f, looked, 0, sched), 4, "bfq loops: each list once");
	fake_set(f, b, "bfq_queue.bfqd", d.q);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "of another: unclear");
	is_u64(fake_faults(f, "not of this scheduler"), 1, "of another: fault");
	is_u64(fake_at(f, "sched"), 2,
	       "of another: its requests are not taken");
	fake_free(f);

	make("bfq");
	a = process(1, 1, ACTIVE, 0);
	fake_put_ptr(f, fake_list_at(f, a, "bfq_queue.fifo", 0),
		     fake_nowhere(f, -EFAULT));
	fake_put(f, a + fake_offset(f, "bfq_queue.queued"), 4, 0xfffffff0);
	process(2, 1, ACTIVE, 0);
	fake_set(f, d.sched_data, "bfq_data.queued", (u32)-1);
	fake_set(f, d.sched_data, "bfq_data.in_service_queue",
		 fake_nowhere(f, -ENODATA));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "bfq rubbish: unclear");
	is_u64(fake_faults(f, "impossible number"), 2, "bfq rubbish: counts");
	is_u64(fake_faults(f, "not mapped"), 1, "bfq rubbish: a fifo");
	is_u64(fake_faults(f, "left out of"), 1, "bfq rubbish: in service");
	ok(!has("all", 0, queued), "bfq rubbish: not shown");
	ok(!has("queue", 0, queued), "bfq rubbish: nor that of one");
	is_u64(get("queue", 1, queued), 1, "bfq rubbish: the next one");
	fake_set(f, d.sched_data, "bfq_data.num_actuators", 9);
	fake_look(f);
	is_u64(fake_faults(f, "more actuators"), 1, "bfq rubbish: actuators");
	is_u64(fake_count(f, R_rq), 2, "bfq rubbish: all requests");
	fake_free(f);
}

/* A fifo, or the list of queues, ends nowhere; until it was read so often. */
static void test_live(bool fifo, int after, u32 faults)
{
	u64 bfqq, at;

	make("bfq");
	process(1, 1, ACTIVE, 0);
	bfqq = process(2, 2, ACTIVE, 0);
	at = fifo ? fake_list_at(f, bfqq, "bfq_queue.fifo", 0)
		  : bfqq + fake_offset(f, "bfq_queue.bfqq_list");
	fake_live(f, NULL);
	fake_mend(f, at, fake_get(f, at, 8), after);
	fake_put_ptr(f, at, fake_nowhere(f, -EFAULT));
	fake_look(f);
	is_u64(fake_count(f, R_fault), faults, "live %d: faults", after);
	is_u64(fake_count(f, R_sched), 3, "live %d: records", after);
	is_u64(rec_u64(f, looked, 0, sched), 3, "live %d: lists", after);
	is_u64(rec_u64(f, looked, 0, sched_empty), 1, "live %d: empty", after);
	is_u64(rec_u64(f, looked, 0, left_out), 0, "live %d: whole", after);
	fake_free(f);
}

int main(void)
{
	test_bfq(8, false);
	test_bfq(4, true);
	test_bfq_old();
	test_bfq_other_count();
	test_bfq_damaged();
	test_live(true, 1, 0);
	test_live(true, 4, 0);
	test_live(true, 1000, 1);
	test_live(false, 1, 0);
	test_live(false, 1000, 1);
	return tap_end();
}
