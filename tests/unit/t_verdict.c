// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts: each one where all of its conditions hold, and then once for every
 * condition that is taken away, when it must be gone.
 */
#include "fake.h"

#define OLD (121 * SEC)
#define YOUNG (300 * MS)

struct machine {
	struct fake *f;
	struct fake_disk d;
	u64 rq[3];
};

/* Three requests of fda, finished and stranded on CPU 1, which runs a task. */
static void strand(struct machine *m, enum fake_style style, u64 age)
{
	u32 i;

	m->f = fake_new();
	fake_style(m->f, style);
	fake_disk(m->f, &m->d, .name = "fda");
	fake_run(m->f, 1, "worker", 99);
	for (i = 0; i < 3; i++) {
		m->rq[i] = fake_rq(m->f, &m->d, .tag = 20 + i, .cpu = 1,
				   .state = FAKE_COMPLETE, .age = age);
		fake_strand(m->f, 1, m->rq[i]);
	}
}

/* The call was taken, but whatever it raised is gone. */
static void take_call(struct machine *m)
{
	u64 csd = fake_percpu(m->f, "blk_cpu_csd", 1);

	if (fake_member(m->f, "request.csd")->gone == false)
		csd = m->rq[0] + fake_offset(m->f, "request.csd");
	fake_set(m->f, csd, "__call_single_data.node.u_flags", 0);
	fake_put_ptr(m->f, fake_percpu(m->f, "call_single_queue", 1), 0);
}

static void one(struct machine *m, const char *id, const char *name)
{
	is_u64(fake_look(m->f), HANG_ANSWER_FOUND, "%s: found", name);
	is_u64(fake_count(m->f, R_verdict), 1, "%s: one verdict", name);
	is_str(rec_str(m->f, verdict, 0, id), id, "%s: verdict", name);
	is_u64(rec_u64(m->f, verdict, 0, cpu), 1, "%s: its CPU", name);
	is_str(rec_str(m->f, verdict, 0, disk), "fda", "%s: its disk", name);
	is_u64(rec_u64(m->f, verdict, 0, requests), 3, "%s: requests", name);
	ok(fake_count(m->f, R_say) == 1, "%s: one sentence", name);
	ok(fake_count(m->f, R_evidence) >= 2, "%s: evidence", name);
	ok(fake_count(m->f, R_next) >= 1, "%s: what to do next", name);
	fake_free(m->f);
}

static void gone(struct machine *m, const char *id, const char *name)
{
	fake_look(m->f);
	is_u64(fake_verdicts(m->f, id), 0, "%s without: %s", id, name);
	fake_free(m->f);
}

static void test_irqs_off(enum fake_style style)
{
	static const char id[] = "completion-cpu-irqs-off";
	const char *name = fake_style_name(style);
	struct machine m;

	strand(&m, style, YOUNG);
	fake_stall(m.f, 1, 5 * SEC);
	one(&m, id, name);
	strand(&m, style, OLD);
	fake_stall(m.f, 1, 120 * SEC);
	m.f->cpu[1].irqs = 0;
	one(&m, id, name);

	strand(&m, style, OLD);
	gone(&m, id, "a late tick");
	strand(&m, style, YOUNG);
	fake_stall(m.f, 1, SEC);
	gone(&m, id, "a tick late enough");
	strand(&m, style, OLD);
	fake_stall(m.f, 1, 120 * SEC);
	m.f->cpu[1].irqs = 1;
	gone(&m, id, "interrupts off, its registers say");
	strand(&m, style, OLD);
	fake_stall(m.f, 2, 120 * SEC);
	gone(&m, id, "the CPU that has the requests");
	strand(&m, style, OLD);
	fake_stall(m.f, 1, 120 * SEC);
	fake_offline(m.f, 1);
	gone(&m, id, "being online");
	strand(&m, style, OLD);
	fake_stall(m.f, 1, 120 * SEC);
	fake_drop(m.f, "hrtimer_bases");
	gone(&m, id, "knowing of ticks");
}

/* A panic prints with interrupts off: a CPU's own panic is no proof. */
static void test_irqs_off_in_panic(void)
{
	struct machine m;

	strand(&m, FAKE_PERCPU_CSD, OLD);
	fake_stall(m.f, 1, 20 * SEC);
	fake_panic(m.f, 1);
	fake_look(m.f);
	is_u64(fake_verdicts(m.f, "completion-cpu-irqs-off"), 1,
	       "panicked: named");
	is_str(rec_str(m.f, verdict, 0, confidence), "low",
	       "panicked: but not surely");
	fake_free(m.f);

	strand(&m, FAKE_PERCPU_CSD, OLD);
	fake_stall(m.f, 1, 20 * SEC);
	fake_panic(m.f, 0);
	fake_look(m.f);
	is_str(rec_str(m.f, verdict, 0, confidence), "high",
	       "another CPU panicked: surely");
	fake_free(m.f);
}

/* Any CPU has its interrupts off now and then: registers alone prove nothing. */
static void test_irqs_off_by_registers(void)
{
	struct machine m;

	strand(&m, FAKE_PERCPU_CSD, OLD);
	fake_drop(m.f, "hrtimer_bases");
	m.f->cpu[1].irqs = 0;
	gone(&m, "completion-cpu-irqs-off", "ticks, with registers");
	strand(&m, FAKE_PERCPU_CSD, OLD);
	fake_drop(m.f, "hrtimer_bases");
	m.f->cpu[1].irqs = 0;
	one(&m, "unknown", "registers alone");
}

static void test_ipi_lost(enum fake_style style)
{
	static const char id[] = "completion-ipi-lost";
	const char *name = fake_style_name(style);
	struct machine m;

	strand(&m, style, OLD);
	one(&m, id, name);
	strand(&m, style, YOUNG);
	gone(&m, id, "age");
	strand(&m, style, OLD);
	fake_stall(m.f, 1, 120 * SEC);
	gone(&m, id, "a living CPU");
	strand(&m, style, OLD);
	fake_offline(m.f, 1);
	gone(&m, id, "being online");
	strand(&m, style, OLD);
	fake_drop(m.f, "hrtimer_bases");
	gone(&m, id, "knowing of ticks");
	strand(&m, style, OLD);
	fake_drop(m.f, "__blk_mq_complete_request_remote");
	gone(&m, id, "knowing the function");
	strand(&m, style, OLD);
	fake_hole(m.f, fake_percpu(m.f, "call_single_queue", 1), -ENODATA);
	gone(&m, id, "a queue that can be read");
	if (style == FAKE_LIST_HEAD)
		return;
	strand(&m, style, OLD);
	take_call(&m);
	gone(&m, id, "a queued call");
}

static void starve(struct machine *m, enum fake_style style, u64 age,
		   u64 waited)
{
	strand(m, style, age);
	take_call(m);
	fake_pending(m->f, 1, FAKE_BLOCK | 1);
	fake_ksoftirqd_wait(m->f, 1, waited);
}

static void test_starved(enum fake_style style)
{
	static const char id[] = "completion-softirq-starved";
	const char *name = fake_style_name(style);
	struct machine m;

	starve(&m, style, OLD, 100 * MS);
	one(&m, id, name);
	starve(&m, style, YOUNG, 9 * SEC);
	one(&m, id, name);
	starve(&m, style, YOUNG, 100 * MS);
	gone(&m, id, "age of any kind");
	starve(&m, style, OLD, 9 * SEC);
	fake_pending(m.f, 1, ~FAKE_BLOCK);
	gone(&m, id, "BLOCK pending");
	starve(&m, style, OLD, 9 * SEC);
	fake_ksoftirqd_run(m.f, 1);
	gone(&m, id, "ksoftirqd kept from running");
	starve(&m, style, OLD, 9 * SEC);
	fake_set(m.f, m.f->cpu[1].ksoftirqd, "task_struct.on_rq", 0);
	gone(&m, id, "ksoftirqd queued");
	starve(&m, style, OLD, 9 * SEC);
	fake_set(m.f, m.f->cpu[1].ksoftirqd, "task_struct.__state", 1);
	gone(&m, id, "ksoftirqd runnable");
	starve(&m, style, OLD, 9 * SEC);
	fake_serving(m.f, 1, true);
	gone(&m, id, "a CPU outside of softirqs");
	starve(&m, style, OLD, 9 * SEC);
	fake_stall(m.f, 1, 120 * SEC);
	gone(&m, id, "a living CPU");
	starve(&m, style, OLD, 9 * SEC);
	fake_drop(m.f, "__softirq_pending");
	gone(&m, id, "knowing what is pending");
	starve(&m, style, OLD, 9 * SEC);
	fake_put_ptr(m.f, fake_percpu(m.f, "blk_cpu_done", 1), 0);
	gone(&m, id, "requests");
}

static void lose(struct machine *m, enum fake_style style, u64 age)
{
	strand(m, style, age);
	take_call(m);
}

static void test_softirq_lost(enum fake_style style)
{
	static const char id[] = "completion-softirq-lost";
	const char *name = fake_style_name(style);
	struct machine m;

	lose(&m, style, OLD);
	one(&m, id, name);
	lose(&m, style, YOUNG);
	gone(&m, id, "age");
	lose(&m, style, OLD);
	fake_pending(m.f, 1, FAKE_BLOCK);
	gone(&m, id, "BLOCK not pending");
	lose(&m, style, OLD);
	fake_serving(m.f, 1, true);
	gone(&m, id, "a CPU outside of softirqs");
	lose(&m, style, OLD);
	fake_drop(m.f, "__preempt_count");
	gone(&m, id, "knowing whether it serves softirqs");
	lose(&m, style, OLD);
	fake_restore(m.f, "softirq_ctrl");
	gone(&m, id, "softirqs nesting in the preempt count");
	lose(&m, style, OLD);
	fake_drop(m.f, "__softirq_pending");
	gone(&m, id, "knowing what is pending");
	lose(&m, style, OLD);
	fake_hole(m.f, fake_percpu(m.f, "__softirq_pending", 1), -ENODATA);
	gone(&m, id, "the page of what is pending");
	lose(&m, style, OLD);
	fake_stall(m.f, 1, 120 * SEC);
	gone(&m, id, "a living CPU");
	lose(&m, style, OLD);
	fake_drop(m.f, "hrtimer_bases");
	gone(&m, id, "knowing of ticks");
	lose(&m, style, OLD);
	fake_kick(m.f, 1, m.rq[2]);
	gone(&m, id, "a free csd");
	lose(&m, style, OLD);
	fake_set(m.f, style == FAKE_RQ_CSD ?
		 m.rq[1] + fake_offset(m.f, "request.csd") :
		 fake_percpu(m.f, "blk_cpu_csd", 1),
		 "__call_single_data.node.u_flags", FAKE_LOCK);
	gone(&m, id, "an unlocked csd");
	lose(&m, style, OLD);
	fake_hole(m.f, fake_percpu(m.f, "call_single_queue", 1), -ENODATA);
	gone(&m, id, "a call queue that can be read");
}

/* Locked and on no queue: not one of the known causes, yet a hang. */
static void test_unknown(void)
{
	struct machine m;

	lose(&m, FAKE_PERCPU_CSD, OLD);
	fake_set(m.f, fake_percpu(m.f, "blk_cpu_csd", 1),
		 "__call_single_data.node.u_flags", FAKE_LOCK);
	one(&m, "unknown", "csd locked and on no queue");
	lose(&m, FAKE_PERCPU_CSD, YOUNG);
	fake_set(m.f, fake_percpu(m.f, "blk_cpu_csd", 1),
		 "__call_single_data.node.u_flags", FAKE_LOCK);
	gone(&m, "unknown", "age");
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_irqs_off(style);
		test_ipi_lost(style);
	}
	for (style = 0; style < FAKE_LIST_HEAD; style++) {
		test_starved(style);
		test_softirq_lost(style);
	}
	test_irqs_off_by_registers();
	test_irqs_off_in_panic();
	test_unknown();
	return tap_end();
}
