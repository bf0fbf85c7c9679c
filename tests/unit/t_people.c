// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report for people: rendered from records made by hand, and from those of
 * a walk over a machine.
 */
#include "people_lines.h"

static void put_wait(const char *what, u32 pid)
{
	hang_rec_start(&rec, R_wait);
	hang_rec_str(&rec, F_wait_disk, "fda");
	hang_rec_str(&rec, F_wait_what, what);
	hang_rec_str(&rec, F_wait_kind, pid ? "task" : "hctx");
	if (pid) {
		hang_rec_set(&rec, F_wait_pid, pid);
		hang_rec_str(&rec, F_wait_comm, "io");
		hang_rec_set(&rec, F_wait_slept, pid * SEC);
	}
	put();
}

static void test_order(void)
{
	begin();
	put_blocked(11, 9 * SEC, "reader", "fda");
	put_looked(0, 0);
	put_verdict("device-owns-request", "high", "fda");
	put_text(R_say, "Said.");
	put_text(R_evidence, "an old request");
	put_text(R_next, "look at it");
	hang_people_finish(&p);
	is_str(line[0], "HANG: Said.", "the verdict comes first");
	is_u64(tone[0], HANG_BAD, "and is bad news");
	is_str(line[1], "  device-owns-request, confidence high, disk fda",
	       "its id");
	is_str(line[2], "  - an old request", "what it rests on");
	is_str(line[3], "", "a blank line between parts");
	is_str(line[4], "1 waiting task", "who waits");
	is_u64(tone[4], HANG_TITLE, "a title");
	is_str(line[5], "  PID  COMMAND  STATE   SLEPT  WAITS FOR", "a table");
	is_str(line[6], "   11  reader   D      9.000s  a page of fda, hctx 2,"
			" tag 7, issued", "its row");
	is_str(line[8], "What to do", "what to do");
	is_str(line[9], "  - look at it", "that");
	is_str(line[10], "  - more about it: blkhang explain"
			 " device-owns-request", "and where there is more");
	is_str(line[12], "Looked at", "what was looked at");
	is_str(line[13], "  1 queue", "how much");
	is_str(line[14], "  held something: 1 dispatch list", "what was there");
	is_str(line[15], "  empty: 4 dispatch lists", "what was not");
	is_str(line[16], "  everything could be read; each request and queue:"
			 " --all", "and no more");
	is_u64(lines, 17, "that is all");
}

static void test_heads(void)
{
	static const struct {
		const char *id, *confidence, *head;
		enum hang_tone tone;
	} cases[] = {
		{ "no-hang", "high", "NO HANG: X", HANG_GOOD },
		{ "no-hang", "medium", "NO HANG: X", HANG_GOOD },
		{ "plug-held", "high", "HANG: X", HANG_BAD },
		{ "plug-held", "medium", "HANG: X", HANG_BAD },
		{ "plug-held", "low", "HANG, cause uncertain: X", HANG_BAD },
		{ "unknown", "low", "HANG, cause uncertain: X", HANG_BAD },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(cases); i++) {
		begin();
		put_verdict(cases[i].id, cases[i].confidence, NULL);
		put_text(R_say, "X");
		put_looked(0, 0);
		hang_people_finish(&p);
		is_str(line[0], cases[i].head, "%s, %s", cases[i].id,
		       cases[i].confidence);
		is_u64(tone[0], cases[i].tone, "its tone");
		ok(at("What to do") < 0, "nothing to do");
		ok(!count("waiting"), "nobody waits");
	}
}

/* All that a verdict's record may say. */
static void test_details(void)
{
	begin();
	put_verdict("plug-held", "high", "fda");
	begin();
	hang_rec_set(&rec, F_verdict_cpu, 3);
	hang_rec_set(&rec, F_verdict_requests, 1);
	put();
	hang_people_finish(&p);
	is_str(line[0], "HANG: plug-held", "a verdict without a sentence");
	is_str(line[1], "  plug-held, confidence high, CPU 3, disk fda,"
			" 1 request", "details");
	ok(count("incomplete: the records do not go to the end"),
	   "without its end");
}

static void test_no_answer(void)
{
	begin();
	hang_people_finish(&p);
	is_str(line[0], "NO ANSWER: no verdict is in these records.",
	       "no records at all");
	is_u64(tone[0], HANG_UNSURE, "is no good news");
	is_u64(count("everything could be read"), 0, "and not everything");
	begin();
	put_looked(2, 0);
	put_text(R_say, "Could not see enough to say: 2 faults.");
	put_text(R_evidence, "looked at 4 CPUs");
	hang_people_finish(&p);
	is_str(line[0], "NO ANSWER: Could not see enough to say: 2 faults.",
	       "could not see enough");
	is_str(line[1], "  - looked at 4 CPUs", "what was seen");
	ok(count("incomplete: see the faults"), "and why not");
	begin();
	put_looked(0, 1);
	hang_people_finish(&p);
	ok(count("incomplete: there was more than"), "no room");
	begin();
	put_looked(0, 0);
	hang_rec_start(&rec, R_end);
	hang_rec_set(&rec, F_end_dropped, 3);
	put();
	hang_people_finish(&p);
	ok(count("incomplete: records were dropped"), "dropped on the way");
}

/* The longest sleepers, longest first; of equals, the first. */
static void test_many_waiters(void)
{
	char want[32];
	u32 i;

	begin();
	for (i = 0; i < 25; i++)
		put_blocked(100 + i, (i % 5) * SEC, "x", "fda");
	hang_people_finish(&p);
	i = at("25 waiting tasks");
	for (u32 n = 0; n < HANG_PEOPLE_ROWS; n++) {
		snprintf(want, sizeof(want), "  %u  x ",
			 100 + n % 5 * 5 + (n < 5 ? 4 : 3));
		ok(!strncmp(line[i + 2 + n], want, strlen(want)),
		   "row %u: '%s'", n, want);
	}
	is_str(line[i + 12], "  and 15 more; --all", "the others are counted");
	is_str(line[i + 13], "", "and no more");
}

static void test_waits(void)
{
	static const struct { const char *what, *words; } cases[] = {
		{ "tag", "a driver tag of fda" },
		{ "reserved-sched-tag", "a reserved scheduler tag of fda" },
		{ "freeze", "the freeze of fda" },
		{ "pm", "power management of fda" },
		{ "enter", "the queue of fda" },
		{ "qos", "a throttler of fda" },
		{ "things", "things of fda" },
	};
	u32 i;

	begin();
	put_wait("tag", 0);
	hang_people_finish(&p);
	is_u64(count("waiting"), 0, "a hardware queue is no task");
	for (i = 0; i < HANG_ARRAY_SIZE(cases); i++) {
		begin();
		put_wait(cases[i].what, 3);
		hang_people_finish(&p);
		ok(count(cases[i].words) == 1, "waits for %s", cases[i].words);
	}
	begin();
	put_blocked(5, SEC, "io", NULL);
	hang_people_finish(&p);
	ok(count("a page, in no request that was found"), "no request");
	begin();
	hang_rec_start(&rec, R_throttle);
	hang_rec_str(&rec, F_throttle_disk, "fda");
	hang_rec_set(&rec, F_throttle_pid, 9);
	hang_rec_str(&rec, F_throttle_comm, "dd");
	put();
	hang_people_finish(&p);
	is_str(line[at("1 waiting") + 2], "    9  dd                     its"
	       " I/O, held by io.max, on fda", "no state, no time");
}

static void put_asleep(u32 pid, u64 slept)
{
	hang_rec_start(&rec, R_asleep);
	hang_rec_set(&rec, F_asleep_pid, pid);
	hang_rec_str(&rec, F_asleep_state, "D");
	hang_rec_set(&rec, F_asleep_slept, slept);
	hang_rec_str(&rec, F_asleep_comm, "jbd2");
	put();
}

/* Who sleeps for long is told even if it is not known what for; but once. */
static void test_asleep(void)
{
	u32 i;

	begin();
	for (i = 0; i < 30; i++)
		put_asleep(100 + i, (100 - i) * SEC);
	put_asleep(200, SEC / 2);
	for (i = 0; i < 4; i++)
		put_blocked(100 + i, (100 - i) * SEC, "io", "fda");
	put_wait("fs", 120);
	hang_people_finish(&p);
	is_u64(at("5 waiting tasks"), lines ? at("  PID") - 1 : 0, "waiters");
	ok(count("a thaw of the file system on fda") == 1, "one of a freeze");
	i = at("25 other tasks asleep (D), not found what for");
	is_str(line[i + 1], "  PID  COMMAND  STATE    SLEPT", "the others");
	is_str(line[i + 2], "  104  jbd2     D      96.000s", "the longest");
	is_str(line[i + 7], "  109  jbd2     D      91.000s", "and so on");
	is_str(line[i + 8], "  and 19 more; --all", "the rest is counted");
	begin();
	put_asleep(7, 2 * SEC);
	put_blocked(7, 2 * SEC, "io", "fda");
	hang_people_finish(&p);
	is_u64(count("asleep"), 0, "nobody else sleeps");
}

static void test_several(void)
{
	begin();
	put_verdict("plug-held", "high", "fda");
	put_text(R_say, "One.");
	put_text(R_next, "do this");
	put_verdict("unknown", "low", "fdb");
	put_text(R_say, "Two.");
	put_text(R_next, "do that");
	put_verdict("plug-held", "high", "fdc");
	put_text(R_say, "Three.");
	put_text(R_next, "do this");
	hang_people_finish(&p);
	is_str(first("HANG 1"), "HANG 1 of 3: One.", "one");
	is_str(first("HANG 2"), "HANG 2 of 3, cause uncertain: Two.", "two");
	is_str(first("HANG 3"), "HANG 3 of 3: Three.", "three");
	is_u64(count("do this"), 1, "what is the same is said once");
	is_str(line[at("What to do") + 1], "  plug-held", "for whom");
	is_str(line[at("    - do that") - 1], "  unknown", "each its own");
	is_u64(count("blkhang explain plug-held"), 1, "where there is more");
	is_u64(count("blkhang explain unknown"), 1, "for each");
}

static void test_very_many(void)
{
	char disk[8];
	u32 i;

	begin();
	for (i = 0; i < 40; i++) {
		snprintf(disk, sizeof(disk), "fd%u", i);
		put_verdict("plug-held", "high", disk);
		put_text(R_say, disk);
		put_text(R_evidence, disk);
		put_text(R_next, "do this");
	}
	hang_people_finish(&p);
	is_u64(count("HANG "), HANG_PEOPLE_ROWS, "not all are told");
	is_str(first("  and 30 more"), "  and 30 more verdicts; --all",
	       "but counted");
	is_u64(count("do this"), 1, "and what to do");
}

/* A log has its verdicts twice, and its records behind them. */
static void test_log_order(void)
{
	begin();
	put_verdict("plug-held", "high", "fda");
	put_text(R_say, "One.");
	put_blocked(11, 9 * SEC, "reader", "fda");
	put_looked(0, 0);
	put_verdict("plug-held", "high", "fda");
	hang_people_finish(&p);
	is_str(line[0], "HANG: One.", "one verdict, though it came twice");
}

/* What a walk over a machine gives. */
static void test_machine(void)
{
	struct fake *f = fake_new();
	struct fake_disk a, b;
	u32 i;

	fake_disk(f, &a, .name = "fda");
	fake_disk(f, &b, .name = "fdb");
	fake_run(f, 1, "spinner", 5);
	fake_stall(f, 1, 121 * SEC);
	for (i = 0; i < 3; i++)
		fake_strand(f, 1, fake_rq(f, &a, .tag = 7 + i,
					  .state = FAKE_COMPLETE, .cpu = 1,
					  .age = (121 - i) * SEC));
	fake_rq(f, &b, .tag = 3, .state = FAKE_IN_FLIGHT, .age = MS);
	fake_attach(f);
	begin();
	hang_walk(f->w, &p.sink, false);
	is_u64(hang_judge(f->w, &p.sink), HANG_ANSWER_FOUND, "a hang");
	hang_people_finish(&p);
	is_str(line[0], "HANG: CPU 1 takes no interrupts; 3 finished requests"
			" of fda can't be ended there.", "is told");
	i = at("Requests");
	is_str(line[i + 1], "  DISK  ALLOCATED  ISSUED  COMPLETED  TIMED OUT "
			    "   OLDEST", "disks");
	is_str(line[i + 2], "  fda           0       0          3          0 "
			    " 121.000s", "the oldest first");
	is_str(line[i + 3], "  fdb           0       1          0          0 "
			    "   0.001s", "then the other");
	ok(count("4 of 4 CPUs online"), "the machine");
	ok(count("everything could be read"), "all of it");
	fake_free(f);
}

int main(void)
{
	test_order();
	test_heads();
	test_details();
	test_no_answer();
	test_many_waiters();
	test_waits();
	test_asleep();
	test_several();
	test_very_many();
	test_log_order();
	test_machine();
	return tap_end();
}
