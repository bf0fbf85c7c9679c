// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report for people: faults, strings that are not what they should be, and
 * names for all places.
 */
#include "people_lines.h"

static void put_fault(const char *what, const char *disk)
{
	hang_rec_start(&rec, R_fault);
	hang_rec_str(&rec, F_fault_what, what);
	if (disk)
		hang_rec_str(&rec, F_fault_disk, disk);
	else
		hang_rec_set(&rec, F_fault_cpu, 2);
	hang_rec_str(&rec, F_fault_why, "list loops");
	put();
}

static void test_faults(void)
{
	char what[80];
	u32 i;

	begin();
	put_fault("list", "fda");
	put_fault("tree", NULL);
	put_fault("list", "fdb");
	put_looked(9, 0);
	hang_people_finish(&p);
	i = at("9 faults: could not be read");
	is_str(line[i + 1], "  TIMES  WHAT  AT     WHY", "faults");
	is_str(line[i + 2], "      2  list  fda    list loops", "twice");
	is_str(line[i + 3], "      1  tree  CPU 2  list loops", "once");
	is_str(line[i + 4], "  and 6 more; --all", "those not shown");
	begin();
	for (i = 0; i < 30; i++) {
		snprintf(what, sizeof(what), "%u%*s", i % 15, 70, "long");
		put_fault(what, NULL);
	}
	hang_people_finish(&p);
	ok(at("30 faults") >= 0, "all are counted");
	is_str(first("  and "), "  and 10 more; --all", "if not shown");
}

/* Whatever a record holds, a terminal gets printable ASCII. */
static void test_hostile(void)
{
	static const char evil[] = "a\033[31m\n\r\x80\xff\177z";
	u32 i, bad = 0;
	const char *c;

	begin();
	put_verdict(evil, evil, evil);
	put_text(R_say, evil);
	put_text(R_evidence, evil);
	put_text(R_next, evil);
	put_blocked(1, SEC, evil, evil);
	/* Made by somebody who does not care. */
	for (i = 0; i < rec.text_used; i++)
		if (rec.text[i])
			rec.text[i] = '\033';
	rec.val[F_blocked_slept] = 2 * SEC;
	put();
	put_fault(evil, evil);
	put_looked(1, 0);
	hang_people_finish(&p);
	for (i = 0; i < lines; i++)
		for (c = line[i]; *c; c++)
			bad += *c < ' ' || *c > '~';
	is_u64(bad, 0, "nothing but printable ASCII");
	ok(count("a?[31m") > 4, "the rest is there");
	ok(count("  ????????????  ") == 1, "though as question marks");
}

/* Strings as long as a record has room for. */
static void test_long(void)
{
	char text[HANG_REC_TEXT];
	u32 i;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	begin();
	put_verdict(text, "high", "fda");
	put_text(R_say, text);
	for (i = 0; i < 200; i++)
		put_text(R_evidence, text);
	put_blocked(1, SEC, text, "fda");
	put_blocked(2, SEC, "io", text);
	put_looked(0, 0);
	hang_people_finish(&p);
	ok(!strncmp(line[0], "HANG: xxxx", 10), "a line is cut");
	ok(!strncmp(line[1], "  xxxx", 6), "and goes on");
	is_str(first("Looked"), "Looked at", "to the end");
	memset(text, ' ', sizeof(text) - 1);
	begin();
	put_text(R_say, text);
	hang_people_finish(&p);
	ok(lines > 1, "all blank");
}

/* Every place of which it is told how many were empty. */
static void test_places(void)
{
	const struct hang_field *fields = hang_rec_descs[R_looked].fields;
	u32 f, pairs = 0, parts = 0;
	const char *c;

	begin();
	hang_rec_start(&rec, R_looked);
	for (f = 0; f < hang_rec_nr_fields(R_looked); f++) {
		bool empty = strstr(fields[f].name, "_empty") != NULL;

		pairs += empty;
		hang_rec_set(&rec, f, empty ? 1 : 2);
	}
	put();
	hang_people_finish(&p);
	for (f = at("  held something: "); (int)f < at("  empty: "); f++)
		for (c = line[f]; *c; c++)
			parts += *c == ',' && (c[1] == ' ' || !c[1]);
	is_u64(parts + 1, pairs, "all places have a name");
}

int main(void)
{
	test_faults();
	test_hostile();
	test_long();
	test_places();
	return tap_end();
}
