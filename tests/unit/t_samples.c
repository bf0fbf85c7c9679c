// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two samples: that a thing is still there is evidence of age only if it is
 * the same thing, and if its CPU has had its chance in between.
 */
#include "fake.h"

#define YOUNG (3 * SEC) /* and yet not past its limit */
#define JUST_NOW SEC	/* two samples prove nothing of this */
#define GAP (20 * MS)

struct machine {
	struct fake *f;
	struct fake_disk d;
	u64 rq;
};

static void open_aged(struct machine *m, enum fake_style style, bool lost,
		      u64 age)
{
	m->f = fake_new();
	fake_style(m->f, style);
	fake_disk(m->f, &m->d, .name = "fda");
	fake_run(m->f, 1, "worker", 99);
	m->rq = fake_rq(m->f, &m->d, .tag = 20, .cpu = 1, .age = age,
			.state = FAKE_COMPLETE);
	if (lost)
		fake_done(m->f, 1, m->rq);
	else
		fake_strand(m->f, 1, m->rq);
}

static void open_with(struct machine *m, enum fake_style style, bool lost)
{
	open_aged(m, style, lost, YOUNG);
}

/* Takes both samples; whether id comes out of the second. */
static void both(struct machine *m, const char *id, u32 want, const char *name)
{
	is_u64(fake_verdicts(m->f, id), want, "%s: %s", name,
	       want ? id : "no verdict");
	if (!want)
		is_u64(m->f->answer, HANG_ANSWER_NONE, "%s: no hang", name);
	fake_free(m->f);
}

static void first(struct machine *m, const char *name)
{
	is_u64(fake_look(m->f), HANG_ANSWER_NONE, "%s: one sample is no proof",
	       name);
	fake_pass(m->f, GAP);
}

static void test_still_there(enum fake_style style, bool lost)
{
	const char *id = lost ? "completion-softirq-lost"
			      : "completion-ipi-lost";
	const char *name = fake_style_name(style);
	struct machine m;

	open_with(&m, style, lost);
	first(&m, name);
	fake_look_again(m.f);
	is_u64(rec_u64(m.f, rq, 0, seen), 2, "%s: seen twice", name);
	is_u64(hang_rec_get(fake_cpu_rec(m.f, 1), F_cpu_ticks), 5,
	       "%s: ticks between", name);
	both(&m, id, 1, name);

	open_aged(&m, style, lost, JUST_NOW);
	first(&m, name);
	fake_look_again(m.f);
	both(&m, id, 0, "begun just now");

	open_with(&m, style, lost);
	fake_look(m.f);
	fake_time(m.f, m.f->now + GAP, m.f->jiffies + 5);
	fake_look_again(m.f);
	is_u64(hang_rec_get(fake_cpu_rec(m.f, 1), F_cpu_ticks), 0,
	       "%s: no tick between", name);
	both(&m, id, 0, name);

	open_with(&m, style, lost);
	fake_look(m.f);
	fake_pass(m.f, 4 * MS);
	fake_look_again(m.f);
	is_u64(hang_rec_get(fake_cpu_rec(m.f, 1), F_cpu_ticks), 1,
	       "%s: one tick may have been on its way", name);
	both(&m, id, 0, name);
}

/* The same request and tag, but used anew: as under load. */
static void reuse(struct machine *m)
{
	fake_set(m->f, m->rq, "request.start_time_ns", m->f->now - MS);
	fake_set(m->f, m->rq, "request.deadline",
		 m->f->jiffies + m->d.timeout);
}

static void test_reused(enum fake_style style, bool lost)
{
	const char *id = lost ? "completion-softirq-lost"
			      : "completion-ipi-lost";
	const char *name = fake_style_name(style);
	struct machine m;

	open_with(&m, style, lost);
	first(&m, name);
	reuse(&m);
	fake_look_again(m.f);
	is_u64(rec_u64(m.f, rq, 0, seen), 1, "%s: reused, seen once", name);
	both(&m, id, 0, name);
}

/*
 * Under load the csd of a CPU is often in flight, each time for others: it is
 * the same csd, but not the same call.
 */
static void test_busy_csd(void)
{
	u64 head, later;
	struct machine m;

	open_with(&m, FAKE_PERCPU_CSD, false);
	first(&m, "csd in flight twice");
	head = fake_percpu(m.f, "blk_cpu_done", 1);
	fake_tag_clear(m.f, &m.d.tags[0], 20);
	later = fake_rq(m.f, &m.d, .tag = 31, .cpu = 1, .age = MS,
			.state = FAKE_COMPLETE);
	fake_put_ptr(m.f, head, 0);
	fake_done(m.f, 1, later);
	fake_look_again(m.f);
	is_u64(rec_u64(m.f, done, 0, seen), 1, "another request is seen once");
	both(&m, "completion-ipi-lost", 0, "csd in flight twice");
}

/*
 * A second sample that meets the CPU inside its timer interrupt can't tell how
 * late its tick is, but those that it took meanwhile are proof that it lives.
 */
static void test_in_timer_interrupt(bool lost)
{
	const char *id = lost ? "completion-softirq-lost"
			      : "completion-ipi-lost";
	struct machine m;
	u32 ticks;

	for (ticks = 0; ticks < 2; ticks++) {
		open_with(&m, FAKE_PERCPU_CSD, lost);
		fake_look(m.f);
		if (ticks)
			fake_pass(m.f, GAP);
		fake_set(m.f, fake_percpu(m.f, "hrtimer_bases", 1),
			 "hrtimer_cpu_base.expires_next", 0x7fffffffffffffff);
		fake_look_again(m.f);
		ok(!hang_rec_has(fake_cpu_rec(m.f, 1), F_cpu_late),
		   "how late is not known");
		both(&m, id, ticks, ticks ? "took ticks" : "took none");
	}
}

static void test_samples_start_anew(void)
{
	struct machine m;

	open_with(&m, FAKE_PERCPU_CSD, true);
	first(&m, "a first sample");
	is_u64(fake_look(m.f), HANG_ANSWER_NONE,
	       "another first sample remembers nothing");
	is_u64(rec_u64(m.f, rq, 0, seen), 1, "and so sees things once");
	fake_free(m.f);
}

int main(void)
{
	int style, lost;

	for (style = 0; style < FAKE_STYLES; style++) {
		for (lost = 0; lost < 2; lost++) {
			/* Without llists, no list shows a lost softirq. */
			if (lost && style == FAKE_LIST_HEAD)
				continue;
			test_still_there(style, lost);
			test_reused(style, lost);
		}
	}
	test_in_timer_interrupt(false);
	test_in_timer_interrupt(true);
	test_busy_csd();
	test_samples_start_anew();
	return tap_end();
}
