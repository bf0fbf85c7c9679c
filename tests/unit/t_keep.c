// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * More requests than lines: the oldest are shown, of whatever disk, where they
 * came, and it is said of the others how many they are and how old.
 */
#include "fake.h"

#define MAX_LINES 5000
#define MANY 10000
#define DISKS 4

static struct {
	struct hang_report r;
	struct hang_kept kept[512];
	char buf[256 * 1024];
	char line[MAX_LINES][HANG_LINE_MAX];
	u32 lines;
} o;

static struct fake *f;

static void take_line(struct hang_report *r, const char *line)
{
	(void)r;
	assert(o.lines < MAX_LINES && strlen(line) < HANG_LINE_MAX);
	strcpy(o.line[o.lines++], line);
}

static void begin(u32 max_lines)
{
	o.lines = 0;
	o.r.buf = o.buf;
	o.r.size = sizeof(o.buf);
	o.r.kept = o.kept;
	o.r.max_kept = HANG_ARRAY_SIZE(o.kept);
	o.r.max_lines = max_lines;
	o.r.line = take_line;
	hang_report_begin(&o.r);
}

static void report(u32 max_lines)
{
	fake_attach(f);
	begin(max_lines);
	hang_walk(f->w, &o.r.sink, false);
	hang_report_finish(&o.r, f->w);
}

static u64 number(const char *line, const char *key)
{
	const char *p = strstr(line, key);

	return p ? strtoull(p + strlen(key), NULL, 10) : ~0ULL;
}

/* A time as it is printed, in ms. */
static u64 ms(const char *line, const char *key)
{
	const char *p = strstr(line, key);

	return p ? (u64)(strtod(p + strlen(key), NULL) * 1000 + 0.5) : ~0ULL;
}

static const char *last(void)
{
	return o.line[o.lines - 1];
}

/* The next line from *i on that is like this, or NULL. */
static const char *next(const char *start, const char *has, u32 *i)
{
	while (*i < o.lines) {
		const char *line = o.line[(*i)++];

		if (!strncmp(line, start, strlen(start)) && strstr(line, has))
			return line;
	}
	return NULL;
}

static u32 count(const char *start, const char *has)
{
	u32 i = 0, n = 0;

	while (next(start, has, &i))
		n++;
	return n;
}

/* Each request of the machine has an age of its own, in no order. */
static u64 scattered(u32 i)
{
	return 1000 + (u64)i * 7919 % MANY;
}

static u64 rising(u32 i)
{
	return 1000 + i;
}

static u64 falling(u32 i)
{
	return 1000 + MANY - i;
}

static void make(u64 (*age_ms)(u32 i), u32 requests)
{
	static const char *const names[] = { "fda", "fdb", "fdc", "fdd" };
	struct fake_disk d;
	u32 i, each = requests / DISKS;

	f = fake_new();
	for (i = 0; i < requests; i++) {
		if (i % each == 0)
			fake_disk(f, &d, .name = names[i / each], .depth = each);
		fake_rq(f, &d, .tag = i % each, .state = FAKE_IN_FLIGHT,
			.age = age_ms(i) * MS);
	}
}

/* What is shown are the oldest of the ages 1000 and up, in ms. */
static void check_oldest(u32 requests, const char *how)
{
	u32 i = 0, shown = 0, in_order = 1;
	u64 under = ms(last(), " under="), youngest = ~0ULL, before = 0;
	const char *line;

	while ((line = next("rq ", " stage=", &i))) {
		u64 age = ms(line, " age=");
		u64 place = (u64)line[10] << 32 | number(line, " tag=");

		youngest = age < youngest ? age : youngest;
		in_order &= place > before;
		before = place;
		shown++;
	}
	/* What sums up came later, and took the room of some. */
	ok(shown >= 50, "%s: requests have lines: %u", how, shown);
	is_u64(youngest, 1000 + requests - shown + (how[0] == 'f'),
	       "they are the oldest");
	ok(in_order, "each where it came");
	is_u64(under, youngest - 1, "the oldest of the others is told");
	is_u64(number(last(), " left="), requests - shown, "and how many");
	is_u64(count("rq ", ""), 3 * shown, "each is whole");
	ok(o.lines <= 200 + 20, "there are no more lines: %u", o.lines);
	ok(!strncmp(last(), "end complete=0 ", 15), "not complete");
	is_u64(number(last(), " lines="), o.lines, "lines are counted");
}

static void test_many(u64 (*age_ms)(u32 i), const char *how)
{
	make(age_ms, MANY);
	report(200);
	check_oldest(MANY, how);
	is_u64(count("total ", "issued=2500"), DISKS, "all disks are summed up");
	is_u64(count("looked ", ""), 2, "and what was looked at");
	is_u64(number(last(), " dropped="), 3 * number(last(), " left="),
	       "the lines left out are counted");
	fake_free(f);
}

/* With room for all, nothing differs from a report that keeps none. */
static void test_few(void)
{
	static char want[MAX_LINES][HANG_LINE_MAX];
	u32 i, lines, same = 0;

	make(scattered, 80);
	report(1000);
	lines = o.lines;
	memcpy(want, o.line, sizeof(want));
	begin(1000);
	o.r.kept = NULL;
	hang_walk(f->w, &o.r.sink, false);
	hang_report_finish(&o.r, f->w);
	is_u64(o.lines, lines, "room for all: as many lines");
	for (i = 0; i < lines; i++)
		same += !strcmp(want[i], o.line[i]);
	is_u64(same, lines, "the same, in the same order");
	ok(!strstr(last(), " left="), "none is said to be left out");
	fake_free(f);
}

static u64 alike(u32 i)
{
	(void)i;
	return 5000;
}

static void test_ties(void)
{
	make(alike, 400);
	report(100);
	is_u64(count("rq disk=fda ", " stage="), count("rq ", " stage="),
	       "same age: the first ones are shown");
	is_u64(ms(last(), " under="), 5000, "others are as old");
	is_u64(number(last(), " left=") + count("rq ", " stage="), 400,
	       "and counted");
	fake_free(f);
}

/* A request whose age is not known gives way to any other. */
static void test_unknown(void)
{
	struct fake_disk d;
	u32 i;

	f = fake_new();
	fake_disk(f, &d, .name = "fda", .depth = 400);
	for (i = 0; i < 400; i++)
		fake_rq(f, &d, .tag = i, .state = i < 390 ? 0 : FAKE_IN_FLIGHT,
			.age = 3 * SEC, .no_start = i < 390);
	report(48);
	is_u64(count("rq ", " stage=issued"), 10, "those with an age are shown");
	ok(count("rq ", " age=0.000s") <= 1, "others have what room is left");
	is_u64(number(last(), " left=") + count("rq ", " stage="), 400,
	       "and are counted");
	is_u64(ms(last(), " under="), 0, "as without an age");
	fake_free(f);
}

static void send(enum hang_rec_type type, u32 field, u64 n, u32 age_field,
		 u64 age)
{
	static struct hang_rec rec;

	hang_rec_start(&rec, type);
	hang_rec_set(&rec, field, n);
	if (age)
		hang_rec_set(&rec, age_field, age);
	o.r.sink.record(&o.r.sink, &rec);
}

/* What comes with a request stays and goes with it; what does not is no part. */
static void test_followers(void)
{
	u32 i, rqs;

	f = fake_new();
	fake_look(f);
	begin(21);
	for (i = 1; i <= 100; i++) {
		send(R_rq, F_rq_tag, i, F_rq_age, i * SEC);
		send(R_cmd, F_cmd_tag, i, 0, 0);
		send(R_blocked, F_blocked_pid, i, 0, 0);
	}
	send(R_total, F_total_allocated, 7, 0, 0);
	for (i = 1000; i <= 1100; i++)
		send(R_blocked, F_blocked_pid, i, 0, 0);
	hang_report_finish(&o.r, f->w);
	rqs = count("rq ", "");
	ok(rqs >= 3 && rqs <= 6, "the oldest requests");
	is_u64(count("rq tag=100", ""), 1, "the very oldest");
	is_u64(count("cmd tag=100", ""), 1, "with its command");
	ok(count("cmd ", "") == rqs || count("cmd ", "") == rqs - 1,
	   "as have others, but the youngest");
	is_u64(count("rq tag=99", "") + count("cmd tag=99", "") +
	       count("blocked pid=99", ""), 3, "and those who wait for them");
	is_u64(count("total ", ""), 1, "a record that sums up");
	is_u64(number(last(), " left="), 100 - rqs, "only requests are counted");
	ok(count("blocked pid=10", "") > 3, "room for others: %u",
	   count("blocked pid=10", ""));
	fake_free(f);
}

/* However much there was to tell before it, the request that hangs is told. */
static void test_late(void)
{
	u32 i;

	f = fake_new();
	fake_look(f);
	begin(80);
	for (i = 0; i < 200; i++)
		send(R_wait, F_wait_hctx, i, 0, 0);
	for (i = 0; i < 200; i++)
		send(R_total, F_total_allocated, 7, 0, 0);
	for (i = 1; i <= 20; i++)
		send(R_rq, F_rq_tag, i, F_rq_age, i * SEC);
	hang_report_finish(&o.r, f->w);
	is_u64(count("wait ", ""), 60, "late: records of which there are many");
	is_u64(count("total ", ""), 10, "records that sum up");
	is_u64(count("rq ", ""), 10, "and the oldest requests");
	is_u64(count("rq tag=20", ""), 1, "with the very oldest");
	fake_free(f);
}

int main(void)
{
	test_many(scattered, "scattered");
	test_many(rising, "rising");
	test_many(falling, "falling");
	test_few();
	test_ties();
	test_unknown();
	test_followers();
	test_late();
	return tap_end();
}
