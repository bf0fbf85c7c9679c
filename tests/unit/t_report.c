// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole report: the order of its lines, what is held back until something
 * belongs to it, and what becomes of lines for which there is no room.
 */
#include "fake.h"

#define MAX_LINES 2000

struct out {
	struct hang_report r;
	struct fake *f;
	char line[MAX_LINES][HANG_LINE_MAX];
	u32 lines;
	enum hang_answer answer;
};

static struct out o;

static void take_line(struct hang_report *r, const char *line)
{
	(void)r;
	assert(o.lines < MAX_LINES && strlen(line) < HANG_LINE_MAX);
	strcpy(o.line[o.lines++], line);
}

static void report(size_t size, u32 max_lines, bool pointers)
{
	o.lines = 0;
	o.r.buf = malloc(size ? size : 1);
	o.r.size = size;
	o.r.max_lines = max_lines;
	o.r.pointers = pointers;
	o.r.line = take_line;
	fake_attach(o.f);
	hang_report_begin(&o.r);
	hang_walk(o.f->w, &o.r.sink, false);
	o.answer = hang_report_finish(&o.r, o.f->w);
	free(o.r.buf);
}

static u32 count(const char *start)
{
	u32 i, n = 0;

	for (i = 0; i < o.lines; i++)
		n += !strncmp(o.line[i], start, strlen(start));
	return n;
}

static const char *find(const char *start)
{
	u32 i;

	for (i = 0; i < o.lines; i++)
		if (!strncmp(o.line[i], start, strlen(start)))
			return o.line[i];
	return "";
}

static u32 number(const char *line, const char *key)
{
	const char *p = strstr(line, key);

	return p ? strtoul(p + strlen(key), NULL, 10) : ~0u;
}

static const char *last(void)
{
	return o.lines ? o.line[o.lines - 1] : "";
}

/* Three requests of fda stranded, one of fdb on its way, fdc idle. */
static void make(void)
{
	struct fake_disk a, b, c;
	u32 i;

	o.f = fake_new();
	fake_disk(o.f, &a, .name = "fda", .hctxs = 2);
	fake_disk(o.f, &c, .name = "fdc");
	fake_disk(o.f, &b, .name = "fdb");
	fake_run(o.f, 1, "spinner", 5);
	fake_stall(o.f, 1, 121 * SEC);
	for (i = 0; i < 3; i++)
		fake_strand(o.f, 1, fake_rq(o.f, &a, .hctx = 1, .tag = 7 + i,
					    .state = FAKE_COMPLETE, .cpu = 1,
					    .age = (121 - i) * SEC));
	fake_rq(o.f, &b, .tag = 3, .state = FAKE_IN_FLIGHT, .age = MS);
}

static void test_order(void)
{
	u32 i, widest = 0;

	make();
	report(65536, 1000, false);
	is_u64(o.answer, HANG_ANSWER_FOUND, "answer");
	ok(!strncmp(o.line[0], "verdict id=completion-cpu-irqs-off ", 35),
	   "the verdict comes first");
	ok(!strncmp(last(), "end complete=1 ", 15), "the end comes last");
	is_str(o.line[o.lines - 2], o.line[0], "the verdict again before it");
	is_u64(number(last(), "lines="), o.lines, "lines are counted");
	is_u64(number(last(), "dropped="), 0, "none is dropped");
	is_u64(number(last(), "verdicts="), 1, "verdicts are counted");
	is_u64(count("verdict "), 2, "one verdict, twice");
	is_u64(count("dump "), 1, "dump");
	is_u64(count("looked "), 2, "looked, in two parts");
	is_u64(count("done "), 3, "requests on the list");
	is_u64(count("call "), 2, "one call, in two parts");
	is_u64(count("cpu cpu=1 "), 2, "CPU 1, in two parts");
	is_u64(count("cpu "), 2, "no CPU without anything to note");
	is_u64(count("disk disk=fda "), 1, "a disk that has requests");
	is_u64(count("disk disk=fdb "), 1, "another");
	is_u64(count("disk disk=fdc"), 0, "none that has nothing");
	is_u64(count("hctx disk=fda hctx=1 "), 2, "its busy hctx: 2 parts");
	is_u64(count("hctx disk=fda hctx=0 "), 0, "not its idle one");
	is_u64(count("rq disk=fda hctx=1 tag=7 itag=-1 "), 3, "rq: 3 parts");
	is_u64(count("total disk=fda allocated=0 issued=0 completed=3 "), 1,
	       "its total");
	for (i = 0; i < o.lines; i++) {
		const char *l = o.line[i];

		if ((!strncmp(l, "say ", 4) || !strncmp(l, "next ", 5) ||
		     !strncmp(l, "evidence ", 9)) && strlen(l) > widest)
			widest = strlen(l);
		if (strstr(l, "addr="))
			widest = 1000;
	}
	ok(widest <= HANG_WRAP, "sentences are wrapped: %u", widest);
	ok(count("say ") >= 1 && count("evidence ") >= 3 && count("next ") >= 1,
	   "sentences");
	fake_free(o.f);
}

static void test_pointers(void)
{
	char want[64];
	u32 i, n = 0;

	make();
	report(65536, 1000, true);
	for (i = 0; i < o.lines; i++)
		n += strstr(o.line[i], " addr=0xffff") != NULL;
	/* 3 done, 1 call, 2 disks, 2 hctxs, 4 requests. */
	is_u64(n, 12, "addresses, where asked for");
	snprintf(want, sizeof(want), "end complete=1 ");
	ok(!strncmp(last(), want, strlen(want)), "to the end");
	fake_free(o.f);
}

/* A limit on lines never changes the verdict. */
static void test_limits(size_t size, u32 max_lines)
{
	u32 all;

	make();
	report(65536, 1000, false);
	all = o.lines;
	report(size, max_lines, false);
	ok(!strncmp(o.line[0], "verdict id=completion-cpu-irqs-off ", 35),
	   "room %zu, %u lines: verdict first", size, max_lines);
	ok(!strncmp(last(), "end complete=0 ", 15),
	   "room %zu, %u lines: not complete", size, max_lines);
	is_u64(number(last(), "lines="), o.lines, "lines are counted");
	is_u64(number(last(), "dropped=") + o.lines, all, "so are the dropped");
	is_u64(o.answer, HANG_ANSWER_FOUND, "the answer is the same");
	is_str(o.line[o.lines - 2], o.line[0], "verdict last, too");
	fake_free(o.f);
}

/* However many requests there are, what sums them up is told. */
static void test_many(size_t size, u32 max_lines)
{
	struct fake_disk d;
	u32 i;

	o.f = fake_new();
	fake_disk(o.f, &d, .name = "fda");
	for (i = 0; i < 60; i++)
		fake_rq(o.f, &d, .tag = i, .state = FAKE_IN_FLIGHT, .age = SEC);
	report(size, max_lines, false);
	ok(number(last(), "dropped=") > 0, "room %zu, %u lines: too few", size,
	   max_lines);
	ok(count("rq ") > 3, "some requests are shown");
	is_u64(count("disk "), 1, "and their disk");
	is_u64(number(find("total "), "issued="), 60, "and how many there are");
	is_u64(count("looked "), 2, "and what was looked at");
	fake_free(o.f);
}

static void test_unclear(void)
{
	o.f = fake_new();
	fake_hole(o.f, fake_percpu(o.f, "blk_cpu_done", 2), -ENODATA);
	report(65536, 1000, false);
	is_u64(o.answer, HANG_ANSWER_UNCLEAR, "unclear");
	is_u64(count("verdict "), 0, "unclear is no verdict");
	ok(!strncmp(o.line[0], "say Could not see enough", 24), "it is said");
	is_str(find("fault "), "fault what=blk_cpu_done cpu=2 error=-61"
	       " why=\"page left out of the dump\"", "and why");
	ok(!strncmp(last(), "end complete=0 verdicts=0 ", 26), "end");
	fake_free(o.f);
}

static void test_no_hang(void)
{
	o.f = fake_new();
	report(65536, 1000, false);
	is_u64(o.answer, HANG_ANSWER_NONE, "no hang");
	ok(!strncmp(o.line[0], "verdict id=no-hang confidence=high ", 35),
	   "it is a verdict, and first");
	ok(!strncmp(last(), "end complete=1 verdicts=1 ", 26), "end");
	is_str(find("evidence "), "evidence looked at 4 CPUs, 0 queues,"
	       " 0 hardware queues, 0 tags", "what it rests on");
	fake_free(o.f);
}

/* A disk named to break lines: quotes are doubled, and no line is lost. */
static void test_long_head(void)
{
	struct fake_disk d;

	o.f = fake_new();
	fake_disk(o.f, &d, .name = "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\""
				   "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"");
	fake_rq(o.f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = 99 * SEC);
	report(65536, 1000, false);
	is_str(o.line[o.lines - 2], o.line[0],
	       "the verdict is whole also when repeated");
	fake_free(o.f);
}

static void test_many_faults(void)
{
	struct fake_disk d;
	u32 i;

	o.f = fake_new();
	fake_disk(o.f, &d, .name = "fda", .depth = 512);
	for (i = 0; i < 512; i++)
		fake_put_ptr(o.f, d.tags[0].rqs + 8 * i, 0xffff800000000100);
	for (i = 0; i < 512; i++)
		fake_tag_set(o.f, &d.tags[0], i);
	report(1 << 20, 1000, false);
	ok(count("fault ") <= 64, "not all faults are shown");
	is_u64(number(find("looked "), "faults="), 512, "but all are counted");
	fake_free(o.f);
}

int main(void)
{
	test_order();
	test_pointers();
	test_limits(65536, 5);
	test_limits(65536, 0);
	test_limits(300, 1000);
	test_limits(0, 1000);
	test_many(65536, 40);
	test_many(4000, 1000);
	test_unclear();
	test_no_hang();
	test_long_head();
	test_many_faults();
	return tap_end();
}
