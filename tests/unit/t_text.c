// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text: numbers, strings and lines; and the order of a report's lines, what is
 * held back, what is dropped, and what is never lost.
 */
#include "fake.h"

static char buf[HANG_LINE_MAX];
static struct hang_str s;
static struct hang_rec rec;

static const char *part(u32 *field, bool pointers)
{
	hang_str_init(&s, buf, sizeof(buf));
	hang_render(&s, &rec, field, pointers);
	return buf;
}

static const char *whole(void)
{
	u32 f = 0;

	return part(&f, false);
}

static void test_strings(void)
{
	hang_str_init(&s, buf, sizeof(buf));
	hang_put_dec(&s, 0);
	hang_put_char(&s, ' ');
	hang_put_dec(&s, ~0ULL);
	hang_put_char(&s, ' ');
	hang_put_int(&s, -1);
	hang_put_char(&s, ' ');
	hang_put_int(&s, (s64)(1ULL << 63));
	hang_put_char(&s, ' ');
	hang_put_hex(&s, 0xffff888012345678);
	hang_put_char(&s, ' ');
	hang_put_time(&s, 1000000);
	hang_put_char(&s, ' ');
	hang_put_time(&s, 121805 * MS);
	hang_put_char(&s, ' ');
	hang_put_count(&s, 1, "tag");
	hang_put_char(&s, ' ');
	hang_put_count(&s, 0, "tag");
	is_str(buf, "0 18446744073709551615 -1 -9223372036854775808"
		    " 0xffff888012345678 0.001s 121.805s 1 tag 0 tags",
	       "numbers");
	hang_str_init(&s, buf, 5);
	hang_put(&s, "123456");
	hang_put_dec(&s, 7);
	is_str(buf, "1234", "what does not fit is cut");
	hang_str_init(&s, buf, 1);
	hang_put(&s, "x");
	is_str(buf, "", "room for nothing");
}

static void test_quoting(void)
{
	static const struct { const char *value, *line; } cases[] = {
		{ "plain", "lack row=plain" },
		{ "", "lack row=\"\"" },
		{ "two words", "lack row=\"two words\"" },
		{ "a=b", "lack row=\"a=b\"" },
		{ "say \"x\"", "lack row=\"say \\\"x\\\"\"" },
		{ "back\\slash", "lack row=\"back\\\\slash\"" },
		{ "t\tn\nr\re\x1bz\x7f\x80", "lack row=t?n?r?e?z??" },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(cases); i++) {
		hang_rec_start(&rec, R_lack);
		hang_rec_str(&rec, F_lack_row, cases[i].value);
		is_str(whole(), cases[i].line, "quoting %u", i);
	}
}

static void make_rq(void)
{
	hang_rec_start(&rec, R_rq);
	hang_rec_str(&rec, F_rq_disk, "fda");
	hang_rec_set(&rec, F_rq_hctx, 2);
	hang_rec_set(&rec, F_rq_tag, (u64)-1);
	hang_rec_set(&rec, F_rq_itag, 9);
	hang_rec_str(&rec, F_rq_stage, "issued");
	hang_rec_set(&rec, F_rq_age, 1500 * MS);
	hang_rec_set(&rec, F_rq_state, 3);
	hang_rec_set(&rec, F_rq_addr, 0xffff000000001000);
	hang_rec_str(&rec, F_rq_flags, "SYNC|META");
}

static void test_split(void)
{
	u32 f = 0;

	make_rq();
	is_str(part(&f, true), "rq disk=fda hctx=2 tag=-1 itag=9 stage=issued"
			       " age=1.500s", "first part");
	is_str(part(&f, true), "rq disk=fda hctx=2 tag=-1 itag=9 state=3"
			       " addr=0xffff000000001000",
	       "second part repeats the keys");
	is_str(part(&f, true), "rq disk=fda hctx=2 tag=-1 itag=9"
			       " flags=SYNC|META", "third part");
	is_u64(f, hang_rec_nr_fields(R_rq), "and that is all");
	f = F_rq_state;
	is_str(part(&f, false), "rq disk=fda hctx=2 tag=-1 itag=9 state=3",
	       "no addresses unless asked for");
}

static void test_record(void)
{
	char long_text[600];

	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	hang_rec_start(&rec, R_lack);
	hang_rec_str(&rec, F_lack_row, long_text);
	hang_rec_str(&rec, F_lack_why, "late");
	is_u64(strlen(hang_rec_text(&rec, F_lack_row)), HANG_REC_TEXT - 1,
	       "a long string is cut");
	is_str(hang_rec_text(&rec, F_lack_why), "", "no room: no string");
	is_u64(hang_rec_get(&rec, F_lack_why), 0, "no room: no value");
	hang_rec_start(&rec, R_cpu);
	hang_rec_set(&rec, F_cpu_cpu, 3);
	hang_rec_set(&rec, F_cpu_done, 0);
	ok(!hang_rec_is_notable(&rec), "a CPU without anything to note");
	hang_rec_set(&rec, F_cpu_block, 1);
	ok(hang_rec_is_notable(&rec), "a CPU with something to note");
	hang_rec_start(&rec, R_fault);
	ok(hang_rec_is_notable(&rec), "a fault is always");
}

/* Fletcher's sum, once more and differently. */
static u32 sum_of(const char *text)
{
	u32 a = 0, b = 0;

	while (*text) {
		a += (u8)*text++;
		b += a % 255;
	}
	return b % 255 << 8 | a % 255;
}

static void test_frame(void)
{
	char want[128], body[64];

	hang_str_init(&s, buf, sizeof(buf));
	hang_frame(&s, 0xbeef, 12, "cpu cpu=1");
	snprintf(body, sizeof(body), "v%d beef 12 cpu cpu=1", HANG_FORMAT);
	snprintf(want, sizeof(want), "blkhang: %s *%04x", body, sum_of(body));
	is_str(buf, want, "a frame");
	hang_str_init(&s, buf, 20);
	hang_frame(&s, 1, 1, "a line too long for that");
	is_u64(strlen(buf), 19, "a frame that is cut");
}

int main(void)
{
	test_strings();
	test_quoting();
	test_split();
	test_record();
	test_frame();
	return tap_end();
}
