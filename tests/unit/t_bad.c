// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine of which something is missing: each page in turn, each row of the
 * layout, or the time to look at it all. A hang is never turned into health by
 * that, nor health into a hang.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;

static void make(enum fake_style style, bool hung)
{
	u32 i;

	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .hctxs = 2, .depth = 32);
	fake_run(f, 1, "worker", 9);
	for (i = 0; i < 3; i++)
		fake_strand(f, 1, fake_rq(f, &d, .hctx = 1, .tag = i, .cpu = 1,
					  .state = FAKE_COMPLETE,
					  .age = (hung ? 121 : 1) * SEC));
	fake_rq(f, &d, .tag = 9, .state = FAKE_IN_FLIGHT, .age = SEC);
	fake_attach(f);
}

/* Every page but what the attach alone needs. */
static void test_each_page(enum fake_style style, bool hung, int err)
{
	u32 i, wrong = 0, pages, changed = 0;
	enum hang_answer never = hung ? HANG_ANSWER_NONE : HANG_ANSWER_FOUND;

	make(style, hung);
	pages = f->nr_pages;
	is_u64(fake_look(f), hung ? HANG_ANSWER_FOUND : HANG_ANSWER_NONE,
	       "%s, hung %d", fake_style_name(style), hung);
	for (i = 0; i < pages; i++) {
		f->page[i]->err = err;
		fake_look(f);
		if (f->answer == never) {
			wrong++;
			printf("# wrong without page %#llx\n",
			       f->page[i]->addr);
		}
		if (f->answer != HANG_ANSWER_UNCLEAR && !hung &&
		    fake_count(f, R_fault))
			wrong++;
		changed += fake_count(f, R_fault) != 0;
		f->page[i]->err = 0;
	}
	is_u64(wrong, 0, "%s, hung %d, any page gone (%d): never wrong",
	       fake_style_name(style), hung, err);
	ok(changed > 20, "and %u of %u pages are missed", changed, pages);
	fake_free(f);
}

/* The host may want to end at any moment. */
static void test_interrupted(bool hung)
{
	enum hang_answer never = hung ? HANG_ANSWER_NONE : HANG_ANSWER_FOUND;
	u32 n, total, wrong = 0, late = 0, early = 0;

	make(FAKE_PERCPU_CSD, hung);
	f->reads = 0;
	fake_look(f);
	total = f->reads;
	for (n = 1; n < total; n++) {
		f->reads = 0;
		f->interrupt_after = n;
		fake_look(f);
		wrong += f->answer == never;
		early += f->answer == HANG_ANSWER_NONE;
		late += f->reads > (int)n + 400;
	}
	is_u64(wrong, 0, "hung %d, interrupted anywhere: never wrong", hung);
	is_u64(early, 0, "hung %d, interrupted anywhere: no all-clear", hung);
	is_u64(late, 0, "hung %d, interrupted anywhere: ends soon", hung);
	fake_free(f);
}

static int attach(void)
{
	static struct hang_work w;
	const struct hang_caps caps = { 4, 4, 64 };
	void *mem = calloc(1, hang_mem_size(&caps));
	int err;

	hang_work_init(&w, &f->t, &caps, mem);
	err = hang_attach(&w);
	free(mem);
	return err;
}

/* Drops each alternate of a row that this machine has. */
static bool drop_row(const struct hang_row *row)
{
	char spec[200], *p, *colon;
	bool any = false;
	u32 i;

	snprintf(spec, sizeof(spec), "%s", row->spec);
	for (p = strtok(spec, "|"); p; p = strtok(NULL, "|")) {
		colon = strchr(p, ':');
		if (colon)
			*colon = '\0';
		for (i = 0; i < f->nr_symbols; i++) {
			if (row->kind == HANG_SYMBOL &&
			    !strcmp(f->symbol[i].name, p)) {
				f->symbol[i].gone = true;
				any = true;
			}
		}
		for (i = 0; i < f->nr_members; i++) {
			char full[80];

			if (row->kind != HANG_MEMBER)
				break;
			snprintf(full, sizeof(full), "%s.%s",
				 f->member[i].type, f->member[i].path);
			if (!strcmp(full, p)) {
				f->member[i].gone = true;
				any = true;
			}
		}
		for (i = 0; i < f->nr_enumerators; i++) {
			if (row->kind == HANG_ENUM &&
			    !strcmp(f->enumerator[i].name, p)) {
				f->enumerator[i].gone = true;
				any = true;
			}
		}
	}
	return any;
}

static void test_each_row(void)
{
	u32 i, tried = 0;

	for (i = 0; i < L_COUNT; i++) {
		const struct hang_row *row = &hang_rows[i];
		bool dropped;

		f = fake_new();
		fake_disk(f, &d, .name = "fda");
		fake_rq(f, &d, .tag = 1, .state = FAKE_IN_FLIGHT, .age = SEC);
		dropped = drop_row(row);
		tried += dropped;
		if (dropped && row->required) {
			is_u64(attach(), -ENOENT, "without %s: said at attach",
			       row->name);
		} else if (dropped) {
			fake_look(f);
			ok(f->answer != HANG_ANSWER_FOUND,
			   "without %s: nobody is accused", row->name);
			ok(*row->why, "%s: says what absence means",
			   row->name);
		}
		fake_free(f);
	}
	ok(tried > 80, "%u rows were tried", tried);
}

static void test_lacks(void)
{
	f = fake_new();
	fake_attach(f);
	f->nr_recs = 0;
	hang_lacks(f->w, &f->sink, false);
	is_u64(f->nr_recs, 0, "a machine that lacks nothing required");
	hang_lacks(f->w, &f->sink, true);
	ok(f->nr_recs > 5, "but something optional");
	is_u64(fake_count(f, R_lack), f->nr_recs, "as lack records");
	ok(*hang_rec_text(&f->rec[0], F_lack_why), "with a reason");
	fake_free(f);
}

static void test_small_room(void)
{
	const struct hang_caps caps = { .cpus = 2, .queues = 1, .requests = 1 };
	static struct hang_work w;
	void *mem;

	make(FAKE_PERCPU_CSD, true);
	mem = calloc(1, hang_mem_size(&caps));
	hang_work_init(&w, &f->t, &caps, mem);
	is_u64(hang_attach(&w), 0, "small room: attached");
	f->nr_recs = 0;
	hang_walk(&w, &f->sink, false);
	ok(hang_judge(&w, &f->sink) != HANG_ANSWER_NONE,
	   "small room: no all-clear");
	is_u64(fake_count(f, R_cpu), 2, "small room: CPUs that fit");
	free(mem);
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_each_page(style, true, -ENODATA);
		test_each_page(style, false, -EFAULT);
	}
	test_interrupted(true);
	test_interrupted(false);
	test_each_row();
	test_lacks();
	test_small_room();
	return tap_end();
}
