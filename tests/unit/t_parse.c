// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of a log back into records: every type with every kind of field, whole
 * and in parts, comes back as it was, but for what text does not hold (times
 * below a millisecond, addresses where they are not printed).
 */
#include "log_line.h"
#include "tap.h"

#define ROUNDS 200
#define MS 1000000ULL

static u64 seed = 1;

/* splitmix64 */
static u64 next_random(void)
{
	u64 v = seed += 0x9e3779b97f4a7c15;

	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
	v = (v ^ v >> 27) * 0x94d049bb133111eb;
	return v ^ v >> 31;
}

static u64 random_number(u8 kind)
{
	u64 v = next_random() >> next_random() % 64;

	switch (kind) {
	case HANG_BOOL:
		return v & 1;
	case HANG_INT:
		return next_random() & 1 ? v : -v;
	case HANG_TIME:
		return v - v % MS;
	}
	return v;
}

static const char *random_text(char *buf)
{
	u32 len = next_random() % 12;
	u32 i;

	for (i = 0; i < len; i++)
		buf[i] = next_random() % 4 ? 'a' + next_random() % 26
					   : ' ' + next_random() % 95;
	buf[i] = '\0';
	return buf;
}

/* Keys are always there, of all else each field may be. */
static void fill(struct hang_rec *rec, u32 type)
{
	const struct hang_field *fields = hang_rec_descs[type].fields;
	char text[16];
	u32 f;

	hang_rec_start(rec, type);
	for (f = 0; f < hang_rec_nr_fields(type); f++) {
		if (!(fields[f].flags & HANG_KEY) && next_random() % 4 == 0)
			continue;
		if (fields[f].kind == HANG_STR)
			hang_rec_str(rec, f, random_text(text));
		else
			hang_rec_set(rec, f, random_number(fields[f].kind));
	}
}

static bool same(const struct hang_rec *a, const struct hang_rec *b,
		 bool pointers)
{
	const struct hang_field *fields = hang_rec_descs[a->type].fields;
	u32 f;

	if (a->type != b->type)
		return false;
	for (f = 0; f < hang_rec_nr_fields(a->type); f++) {
		if (fields[f].kind == HANG_ADDR && !pointers) {
			if (hang_rec_has(b, f))
				return false;
			continue;
		}
		if (hang_rec_has(a, f) != hang_rec_has(b, f) ||
		    strcmp(fields[f].kind == HANG_STR ? hang_rec_text(a, f) : "",
			   fields[f].kind == HANG_STR ? hang_rec_text(b, f) : ""))
			return false;
		if (fields[f].kind != HANG_STR &&
		    hang_rec_get(a, f) != hang_rec_get(b, f))
			return false;
	}
	return true;
}

static char frame[HANG_LINE_MAX];

/* Renders a part, frames it, finds it, parses it. */
static bool through(const struct hang_rec *rec, u32 *f, bool pointers,
		    struct hang_rec *back)
{
	char line[HANG_LINE_MAX];
	struct log_frame found;
	struct hang_str s;

	hang_str_init(&s, line, sizeof(line));
	hang_render(&s, rec, f, pointers);
	hang_str_init(&s, frame, sizeof(frame));
	hang_frame(&s, 0xbeef, 7, line);
	return log_find(frame, strlen(frame), false, &found) == LOG_WHOLE &&
	       found.id == 0xbeef && found.n == 7 &&
	       !strcmp(found.line, line) && log_parse(back, found.line);
}

/* As hang_report does: a part without a field of its own is not printed. */
static bool has_fields(const struct hang_rec *rec, u32 from, u32 to,
		       bool pointers)
{
	const struct hang_field *fields = hang_rec_descs[rec->type].fields;

	for (; from < to; from++)
		if (hang_rec_has(rec, from) &&
		    (pointers || fields[from].kind != HANG_ADDR))
			return true;
	return false;
}

static bool round_trip(u32 type, bool pointers)
{
	struct hang_rec rec, back, part;
	bool first = true;
	u32 f = 0, from;

	fill(&rec, type);
	while (f < hang_rec_nr_fields(type)) {
		from = f;
		if (!through(&rec, &f, pointers, &part))
			return false;
		if (!has_fields(&rec, from, f, pointers) && from)
			continue;
		if (!first && !log_merge(&back, &part))
			return false;
		if (first)
			back = part;
		first = false;
	}
	return same(&rec, &back, pointers);
}

static void test_round_trip(void)
{
	u32 type, n;

	for (type = 0; type < R_COUNT; type++) {
		u32 good = 0;

		if (hang_rec_descs[type].flags & HANG_SENTENCE)
			continue;
		for (n = 0; n < ROUNDS; n++)
			good += round_trip(type, n & 1);
		is_u64(good, ROUNDS, "%s comes back", hang_rec_descs[type].name);
		if (good < ROUNDS)
			printf("#   last: %s\n", frame);
	}
}

static void test_sentences(void)
{
	struct hang_rec rec, part;

	ok(log_parse(&rec, "say CPU 1 takes = \"no"), "a sentence");
	is_u64(rec.type, R_say, "its type");
	is_str(hang_rec_text(&rec, F_say_text), "CPU 1 takes = \"no", "its text");
	log_parse(&part, "say ... more");
	ok(log_merge(&rec, &part), "goes on");
	log_parse(&part, "say ...over");
	ok(log_merge(&rec, &part), "goes on within a word");
	is_str(hang_rec_text(&rec, F_say_text), "CPU 1 takes = \"no moreover",
	       "put together");
	log_parse(&part, "say other");
	ok(!log_merge(&rec, &part), "another sentence is another");
	log_parse(&part, "next ... more");
	ok(!log_merge(&rec, &part), "another type goes not on with it");
}

/* Two records may look like parts of one. */
static void test_parts(void)
{
	static const struct {
		const char *a, *b;
		bool merge;
	} cases[] = {
		{ "call cpu=1 n=0 type=async", "call cpu=1 disk=vda", true },
		{ "call cpu=1 n=0 type=async", "call cpu=2 disk=vda", false },
		{ "call cpu=1 n=0", "call cpu=1 n=1", false },
		{ "call cpu=1 disk=vda", "call cpu=1 n=1", false },
		{ "call cpu=1 disk=vda", "call cpu=1 func=f", true },
		{ "call cpu=1 n=0", "call cpu=1 type=async", false },
		{ "rq disk=a hctx=0 tag=1 itag=2 at=x",
		  "rq disk=a hctx=0 tag=1 itag=3 state=1", false },
		{ "rq disk=a tag=1 itag=2 at=x",
		  "rq disk=a hctx=0 tag=1 itag=2 state=1", false },
		{ "looked cpus=1", "looked dispatch=2", true },
		{ "done cpu=1 n=0", "call cpu=1 disk=vda", false },
	};
	struct hang_rec a, b;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(cases); i++) {
		log_parse(&a, cases[i].a);
		log_parse(&b, cases[i].b);
		is_u64(log_merge(&a, &b), cases[i].merge, "%s + %s",
		       cases[i].a, cases[i].b);
	}
}

static void test_bad_lines(void)
{
	static const char *const lines[] = {
		"", " ", "nonsense cpu=1", "cpu cpu", "cpu cpu=", "cpu cpu=x",
		"cpu cpu=1 ", "cpu  cpu=1", "cpu cpu=18446744073709551616",
		"cpu late=1", "cpu late=1.5s", "cpu late=1.500",
		"cpu late=99999999999.000s", "cpu pending=5", "cpu pending=0x",
		"cpu pending=0x10000000000000000", "cpu task=\"open",
		"rq tag=--1", "rq tag=9223372036854775808",
		"rq tag=-9223372036854775809", "say",
	};
	struct hang_rec rec;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(lines); i++)
		ok(!log_parse(&rec, lines[i]), "no record: '%s'", lines[i]);
	ok(log_parse(&rec, "cpu cpu=1 new=\"a b\" done=2"),
	   "a field of a later version");
	is_u64(hang_rec_get(&rec, F_cpu_done), 2, "is passed over");
	ok(log_parse(&rec, "rq tag=-9223372036854775808"), "the least number");
	is_u64(hang_rec_get(&rec, F_rq_tag), 1ULL << 63, "its value");
}

static const char line[] = "cpu cpu=1 done=3 late=1.500s task=\"a b\"";

/* That line in its frame, with from replaced by to. */
static const char *mangle(const char *from, const char *to)
{
	static char text[600];
	size_t len = strlen(from);
	struct hang_str s;
	const char *p;

	hang_str_init(&s, frame, sizeof(frame));
	hang_frame(&s, 0xab, 3, line);
	hang_str_init(&s, text, sizeof(text));
	for (p = frame; *p; p++) {
		if (len && !strncmp(p, from, len)) {
			hang_put(&s, to);
			p += len - 1;
		} else {
			hang_put_char(&s, *p);
		}
	}
	hang_put(&s, "\nwhat follows");
	return text;
}

/* What a log may have made of a line; NULL: what must not be believed. */
static void test_mangled(void)
{
	static const struct {
		const char *from, *to, *what;
	} cases[] = {
		{ "", "", "as it was" },
		{ "=", "=3D", "quoted-printable" },
		{ " done", "=\n done", "a soft break" },
		{ " done", "=\r\n> > done", NULL },
		{ "\"", "&quot;", "entities" },
		{ "\"", "\\\"", "escapes" },
		{ "\"", "\xe2\x80\x9d", "smart quotes" },
		{ " done", "\xc2\xa0" "done", "a hard blank" },
		{ " done", "\n> done", "wrapped and quoted" },
		{ "one=", "\r\none=", "wrapped by a terminal" },
		{ "one=", "\r\r\none=", "and by another" },
		{ " done", " \033[33mdone\033[0m", "colour" },
		{ "one=", "** 57 printk messages dropped **\none=",
		  "a mark of lost messages" },
		{ "one=", "[   12.123456] hello\none=", "another's line" },
		{ "blkhang:", "blkhang\033[0m:", "colour at the mark" },
		{ "*", "* ", NULL },
		{ "done=3", "done=4", NULL },
		{ "done=3", "done=", NULL },
		{ "v1", "v2", NULL },
		{ "00ab", "ab", NULL },
	};
	struct log_frame f;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(cases); i++) {
		const char *text = mangle(cases[i].from, cases[i].to);

		is_u64(log_find(text, strlen(text), true, &f) == LOG_WHOLE &&
		       !strcmp(f.line, line) && f.id == 0xab && f.n == 3,
		       cases[i].what != NULL, "%s: '%s' for '%s'",
		       cases[i].what ? cases[i].what : "not believed",
		       cases[i].to, cases[i].from);
	}
}

int main(void)
{
	test_round_trip();
	test_sentences();
	test_parts();
	test_bad_lines();
	test_mangled();
	return tap_end();
}
