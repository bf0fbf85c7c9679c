// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole core on a machine whose memory is damaged: words replaced by
 * numbers that hurt, pointers turned towards other things, pages left out.
 * Whatever it finds, it comes to its end, soon, and says so in an end line.
 */
#define FUZZ_MAIN
#include "../fuzz/fuzz.h"
#include "fake.h"

#define READS_MAX 3000000

static struct fake *f;
static struct fake_page *sound; /* copies of all pages */
static u64 sound_now, sound_jiffies;
static bool ended;

static void take_line(struct hang_report *r, const char *line)
{
	(void)r;
	for (; *line; line++)
		if (*line < ' ' || *line > '~')
			abort();
}

static void take_last(struct hang_report *r, const char *line)
{
	take_line(r, line);
	ended = !strncmp(line, "end ", 4);
}

/* Bios that are no requests yet. */
static void make_held(struct fake_disk *d, enum fake_style style)
{
	u64 td = fake_td(f, d), tg = 0;
	u64 cost, latency, wplug;
	u32 i;

	for (i = 0; i < 3; i++) {
		tg = fake_throttle(f, d, fake_group(f, d, i, &cost, &latency),
				   tg);
		fake_throttle_bio(f, td, tg, i % 2);
	}
	if (style != FAKE_PERCPU_CSD)
		return;
	fake_queue_bio(f, fake_td_queue(f, td), 0, "throtl_qnode.bios_iops",
		       "submit_bio_wait_endio", fake_completion(f));
	fake_zoned(f, d, 5);
	for (i = 0; i < 6; i++) {
		wplug = fake_wplug(f, d, i / 2, i);
		fake_set(f, wplug, "blk_zone_wplug.flags", i % 2);
		fake_bio_add(f, wplug +
			     fake_offset(f, "blk_zone_wplug.bio_list"),
			     "end_bio_bh_io_sync", 0);
	}
}

/* Disks made of those that are there, each with all it can have. */
static void make_stacks(struct fake_disk *a, struct fake_disk *b)
{
	struct fake_disk dm, mp, md, loop;
	u64 at, worker;

	at = fake_dm(f, &dm, "dm-0");
	fake_dm_table(f, at, (const char *const[]){ "linear", "crypt", NULL },
		      3);
	fake_dm_use(f, at, a);
	fake_dm_use(f, at, b);
	fake_bios(f, at + fake_offset(f, "mapped_device.deferred"), 3);
	fake_in_flight(f, &dm, 1, 2);
	fake_dm_clone(f, fake_rq(f, a, .tag = 20, .state = FAKE_IN_FLIGHT), at,
		      fake_bio(f, 0, "bio_chain_endio", 0));
	at = fake_dm(f, &mp, "dm-1");
	fake_bios(f, fake_multipath(f, at) +
		  fake_offset(f, "multipath.queued_bios"), 2);
	at = fake_md(f, &md, "md0");
	fake_md_use(f, at, a);
	fake_md_use(f, at, b);
	at = fake_loop(f, &loop, "loop0");
	fake_loop_file(f, at, "image", a, false);
	fake_loop_queue(f, at, 0, fake_rq(f, &loop, .tag = 3));
	worker = fake_loop_worker(f, at, true);
	fake_loop_worker(f, at, false);
	fake_loop_queue(f, at, worker, fake_rq(f, &loop, .tag = 4));
}

/* Another scheduler for each style, and the list of it that rq is on. */
static u64 sched_list(struct fake_disk *d, enum fake_style style, u32 i)
{
	u64 bfqq;

	if (style == FAKE_LIST_HEAD)
		return fake_list_at(f, fake_dd_prio(f, d, i % 3),
				    "dd_per_prio.fifo_list", i % 2);
	if (style == FAKE_PERCPU_CSD)
		return fake_list_at(f, fake_kcq(f, d, i % 2, 0),
				    "kyber_ctx_queue.rq_list", i % 4);
	bfqq = fake_bfqq(f, d, i + 1);
	fake_list_add_tail(f, fake_list_at(f, d->sched_data,
					   "bfq_data.active_list", i % 2),
			   bfqq + fake_offset(f, "bfq_queue.bfqq_list"));
	return fake_list_at(f, bfqq, "bfq_queue.fifo", 0);
}

static void make_sched(struct fake_disk *d, enum fake_style style)
{
	static const char *const names[FAKE_STYLES] = {
		"kyber", "bfq", "mq-deadline",
	};
	u32 i;

	fake_sched(f, d, names[style]);
	for (i = 0; i < 12; i++) {
		u64 rq = fake_rq(f, d, .hctx = i % 2,
				 .tag = i % 4 ? (int)i : -1, .itag = i,
				 .state = i % 4 ? FAKE_IN_FLIGHT : 0,
				 .age = i * 7 * SEC);

		if (i % 4 == 0)
			fake_queue_on(f, sched_list(d, style, i / 4), rq);
	}
}

/* One whose flush is sent, under its tag, two that wait, and data. */
static void make_flush(struct fake_disk *d, enum fake_style style)
{
	static const enum hang_place places[] = {
		HANG_AT_FLUSH_RUNNING, HANG_AT_FLUSH_PENDING,
		HANG_AT_FLUSH_PENDING, HANG_AT_FLUSH_DATA,
	};
	u64 flush_rq = d->flush_rq[1];
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(places); i++) {
		u64 rq = fake_rq(f, d, .hctx = 1, .tag = 20 + i);

		if (places[i] != HANG_AT_FLUSH_DATA || style != FAKE_PERCPU_CSD)
			fake_place(f, d, 1, rq, places[i]);
	}
	fake_set(f, flush_rq, "request.mq_ctx", d->ctx[1][0]);
	fake_set(f, flush_rq, "request.mq_hctx", d->hctx[1]);
	fake_set(f, flush_rq, "request.state", FAKE_IN_FLIGHT);
	fake_set(f, flush_rq, "request.tag", 20);
	fake_put_ptr(f, d->tags[1].rqs + 20 * f->t.word, flush_rq);
	fake_flush_idx(f, d->fq[1], 1, 0);
}

/* Tasks that wait for pages and buffers, and a request that has these. */
static void make_blocked(struct fake_disk *d, u64 rq)
{
	u64 bio = fake_bio(f, rq, "end_bio_bh_io_sync", 0);
	u64 pages = fake_pages(f, 16);
	u32 size = fake_page_struct(f);
	u32 i;

	fake_folio(f, pages, 4, false);
	for (i = 0; i < 6; i++)
		fake_page_wait(f, pages + i * size, FAKE_LOCKED,
			       fake_process(f, "reader", 200 + i));
	for (i = 6; i < 8; i++)
		fake_bit_wait(f, fake_buffer_word(f, fake_buffer(f, d, pages +
						  i * size, 1024, 1024)),
			      FAKE_BH_LOCK, fake_process(f, "stat", 200 + i));
	fake_bit_wait(f, fake_alloc(f, 8), 3, fake_process(f, "other", 210));
	fake_bio_pages(f, bio, pages, 512, 5 * FAKE_PAGE_SIZE);
	bio = fake_bio(f, rq, "end_bio_bh_io_sync", 0);
	fake_bio_pages(f, bio, pages + 6 * size, 0, 2 * FAKE_PAGE_SIZE);
}

static void make(enum fake_style style)
{
	struct fake_disk a, b, c;
	u32 i;

	f = fake_new();
	fake_style(f, style);
	fake_disk(f, &a, .name = "fda", .hctxs = 3, .depth = 40, .reserved = 2);
	fake_disk(f, &b, .name = "fdb", .hctxs = 2, .sched_depth = 24);
	fake_disk(f, &c, .name = "fdc", .with = &a, .unlisted = true);
	fake_partition(f, &a, 1);
	fake_run(f, 1, "busy", 7);
	fake_ksoftirqd_wait(f, 1, SEC);
	for (i = 0; i < 12; i++)
		fake_strand(f, i % 4, fake_rq(f, &a, .hctx = i % 3, .tag = i,
					      .cpu = i % 4, .age = i * 9 * SEC,
					      .state = FAKE_COMPLETE));
	make_sched(&b, style);
	make_held(&a, style);
	make_flush(&a, style);
	make_blocked(&b, fake_rq(f, &b, .hctx = 0, .tag = 15, .itag = 13,
				 .state = FAKE_IN_FLIGHT));
	fake_call_irq_work(f, 2, fake_symbol_addr(f, "fake_mq_ops"));
	fake_call_wake(f, 2, "waker", 9);
	make_stacks(&a, &b);
	fake_attach(f);
	sound = calloc(f->nr_pages, sizeof(*sound));
	for (i = 0; i < f->nr_pages; i++)
		sound[i] = *f->page[i];
	sound_now = f->now;
	sound_jiffies = f->jiffies;
}

static void unmake(void)
{
	free(sound);
	fake_free(f);
}

static void restore(void)
{
	u32 i;

	for (i = 0; i < f->nr_pages; i++)
		if (memcmp(f->page[i], &sound[i], sizeof(sound[i])))
			*f->page[i] = sound[i];
	f->now = sound_now;
	f->jiffies = sound_jiffies;
}

/* Words of a page that hold something: the others are never looked at. */
static u32 pick_word(struct fuzz *z, u32 page)
{
	u32 i, at = 0;

	for (i = 0; i < 16; i++) {
		u64 word;

		at = fuzz_below(z, FAKE_PAGE / 8) * 8;
		memcpy(&word, f->page[page]->data + at, 8);
		if (word)
			break;
	}
	return at;
}

static void damage(struct fuzz *z, u32 page)
{
	u8 *data = f->page[page]->data;
	u32 at = pick_word(z, page);
	struct fake_page *other;
	u64 v;

	switch (fuzz_below(z, 6)) {
	case 0:
		f->page[page]->err = fuzz_below(z, 2) ? -ENODATA : -EFAULT;
		return;
	case 1:
		data[at + fuzz_below(z, 8)] = fuzz_next(z);
		return;
	case 2: /* somewhere into the machine */
	case 3:
		other = f->page[fuzz_below(z, f->nr_pages)];
		v = other->addr + pick_word(z, fuzz_below(z, f->nr_pages));
		break;
	case 4: /* what another word holds */
		other = f->page[fuzz_below(z, f->nr_pages)];
		memcpy(&v, other->data + fuzz_below(z, FAKE_PAGE / 8) * 8, 8);
		break;
	default:
		v = fuzz_value(z);
	}
	memcpy(data + at, &v, fuzz_below(z, 2) ? 8 : 4);
}

static void walk(struct fuzz *z)
{
	static struct hang_report r;
	static struct hang_kept kept[16];
	static char room[16384];
	u32 again;

	for (again = 0; again < 2; again++) {
		r.buf = room;
		r.size = fuzz_below(z, sizeof(room));
		r.max_lines = fuzz_below(z, 300);
		r.kept = fuzz_below(z, 2) ? kept : NULL;
		r.max_kept = HANG_ARRAY_SIZE(kept);
		r.pointers = fuzz_below(z, 2);
		r.line = take_last;
		f->reads = 0;
		ended = false;
		hang_report_begin(&r);
		hang_walk(f->w, &r.sink, again);
		hang_report_finish(&r, f->w);
		if (!ended || f->reads > READS_MAX) {
			fprintf(stderr, "no end line, or %d reads\n", f->reads);
			abort();
		}
		fake_pass(f, 20 * MS);
	}
}

static void one(u64 seed)
{
	struct fuzz z = { seed };
	u32 n = 1 + fuzz_below(&z, 12);

	while (n--)
		damage(&z, fuzz_below(&z, f->nr_pages));
	walk(&z);
	restore();
}

int main(int argc, char **argv)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		make(style);
		fuzz_main(argc, argv, 600, one);
		unmake();
	}
	return tap_end();
}
