// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One dump: two samples of the machine, a verdict, and lines. Its whole state
 * is one block of memory.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include "kmod.h"

#define BUF_SIZE SZ_256K
#define KEPT 512 /* records of requests shown at most */
#define QUEUES 1024
#define REQUESTS 4096
#define CONFIRM_MS_MAX 1000 /* spent with interrupts off, at worst */
#define OUT_LINES 4096
#define WALK_NS (2 * NSEC_PER_SEC)
#define LOUD_NS (10 * NSEC_PER_SEC)

static unsigned int lines = 200;
module_param(lines, uint, 0644);
MODULE_PARM_DESC(lines,
		 "Lines of records printed to the log at most (default 200)");

static unsigned int confirm_ms = 50;
module_param(confirm_ms, uint, 0644);
MODULE_PARM_DESC(confirm_ms,
		 "Time between two samples in ms, at most 1000; 0: one sample (default 50)");

static unsigned int age_ms;
module_param(age_ms, uint, 0644);
MODULE_PARM_DESC(age_ms,
		 "Age in ms from which a request counts as stuck; 0: its timeout (default 0)");

static bool pointers;
module_param(pointers, bool, 0644);
MODULE_PARM_DESC(pointers,
		 "Print kernel addresses, which give away KASLR (default N)");

struct hang_dump *hang_dump_open(const struct hang_dump *from)
{
	struct hang_caps caps = {
		.cpus = nr_cpu_ids,
		.queues = QUEUES,
		.requests = REQUESTS,
	};
	size_t head = ALIGN(sizeof(struct hang_dump), sizeof(u64));
	size_t mem = ALIGN(hang_mem_size(&caps), sizeof(u64));
	size_t kept = KEPT * sizeof(struct hang_kept);
	struct hang_dump *d = vzalloc(head + mem + kept + BUF_SIZE);

	if (!d)
		return NULL;
	/* Two dumps in one log differ in id, and after a reboot nearly always. */
	d->id = get_random_u32();
	hang_live_init(&d->live);
	hang_work_init(&d->work, &d->live.target, &caps, (char *)d + head);
	d->report.kept = (void *)((char *)d + head + mem);
	d->report.max_kept = KEPT;
	d->report.buf = (char *)d + head + mem + kept;
	d->report.size = BUF_SIZE;
	if (from) {
		d->work.timed_out_bit = from->work.timed_out_bit;
		memcpy(d->work.names, from->work.names, sizeof(d->work.names));
	}
	return d;
}

void hang_dump_close(struct hang_dump *d)
{
	vfree(d);
}

/*
 * Only what is required: the rest is absent for a reason, which its row knows.
 * Without symbols or types everything is, and that has been said.
 */
static void say_lacks(const struct hang_layout *layout, bool each)
{
	u32 i;

	if (!layout->missing)
		return;
	for (i = 0; each && i < L_COUNT; i++)
		if (hang_rows[i].required && !hang_layout_has(layout, i))
			pr_warn("this kernel has no %s\n", hang_rows[i].spec);
	pr_warn("of what is needed, %u facts are missing: dumps can say no more than that\n",
		layout->missing);
}

void hang_dump_attach(struct hang_dump *d)
{
	struct hang_live *live = &d->live;
	const char *why;
	bool each;

	live->symbols = hang_symbols_open(&live->target, &why);
	if (!live->symbols)
		pr_warn("no symbols: %s\n", why);
	live->types = hang_types_open(&live->target, &why);
	if (!live->types && live->symbols)
		pr_warn("no types: %s\n", why);
	/* Lists are followed, and a walk out of time follows none. */
	hang_live_start(live, HANG_ATTACH_NS);
	hang_attach(&d->work);
	each = live->symbols && live->types;
	hang_types_close(live->types);
	hang_symbols_close(live->symbols);
	live->types = NULL;
	live->symbols = NULL;
	say_lacks(&d->work.layout, each);
}

/* What a dump goes by is fixed when it begins, the layout too. */
static void configure(struct hang_dump *d)
{
	hang_modules_layout(&d->work.layout);
	d->work.cfg.age_ns = (u64)READ_ONCE(age_ms) * NSEC_PER_MSEC;
	d->report.pointers = READ_ONCE(pointers);
}

static void pause_between(unsigned int ms, enum hang_wait wait)
{
	if (wait == HANG_WAIT_SLEEP) {
		msleep(ms);
		return;
	}
	while (ms--) {
		mdelay(1);
		touch_nmi_watchdog();
	}
}

static void walk(struct hang_dump *d, struct hang_sink *sink, bool confirm)
{
	hang_live_start(&d->live, WALK_NS);
	hang_walk(&d->work, sink, confirm);
}

static void run(struct hang_dump *d, enum hang_wait wait)
{
	unsigned int ms = min_t(unsigned int, READ_ONCE(confirm_ms),
				CONFIRM_MS_MAX);
	struct hang_report *r = &d->report;

	configure(d);
	d->live.may_sleep = wait == HANG_WAIT_SLEEP;
	d->live.stopped = wait == HANG_WAIT_NONE;
	if (d->live.stopped)
		ms = 0;
	if (d->work.layout.missing) {
		hang_report_begin(r);
		hang_lacks(&d->work, &r->sink, false);
	} else {
		if (ms) {
			walk(d, NULL, false);
			pause_between(ms, wait);
		}
		hang_report_begin(r);
		walk(d, &r->sink, ms);
	}
	hang_report_finish(r, &d->work);
}

/*
 * The level is "error" because the line may be printed later, by whoever holds
 * the console or by a printing thread, when the console level is no longer
 * raised: even a quiet boot shows errors.
 *
 * A slow console must not keep a CPU for ever: from some time on, what is no
 * verdict goes to the ring buffer alone. The last line always shows.
 */
static void line_to_log(struct hang_report *r, const char *line)
{
	struct hang_dump *d = container_of(r, struct hang_dump, report);
	struct hang_str s;

	hang_str_init(&s, d->frame, sizeof(d->frame));
	hang_frame(&s, d->id, ++d->n, line);
	/* Not pr_err(): the prefix is part of the frame. */
	if (ktime_get_mono_fast_ns() < d->quiet_ns || !strncmp(line, "end ", 4))
		printk(KERN_ERR "%s\n", d->frame);
	else
		printk(KERN_DEBUG "%s\n", d->frame);
	touch_nmi_watchdog();
}

void hang_dump_to_log(struct hang_dump *d, enum hang_wait wait)
{
	u64 now = ktime_get_mono_fast_ns();

	d->id = (d->id + 1) & 0xffff;
	d->n = 0;
	d->quiet_ns = now + LOUD_NS;
	d->report.max_lines = READ_ONCE(lines);
	d->report.line = line_to_log;
	run(d, wait);
}

/* Room for the end line is kept, which tells how many lines there should be. */
static void line_to_memory(struct hang_report *r, const char *line)
{
	struct hang_dump *d = container_of(r, struct hang_dump, report);
	size_t keep = strncmp(line, "end ", 4) ? HANG_LINE_MAX : 0;
	size_t len = strlen(line);

	if (d->out_len + len + 1 + keep > HANG_OUT_SIZE)
		return;
	memcpy(d->out + d->out_len, line, len);
	d->out_len += len;
	d->out[d->out_len++] = '\n';
}

void hang_dump_to_memory(struct hang_dump *d, char *out)
{
	d->out = out;
	d->out_len = 0;
	d->report.max_lines = OUT_LINES;
	d->report.line = line_to_memory;
	run(d, HANG_WAIT_SLEEP);
}
