// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * call_single_queue: entries of every type, told apart before any field of
 * theirs is believed.
 */
#include "fake.h"

static void test_types(u32 word)
{
	struct fake *f = fake_new(.word = word);
	u64 func = fake_symbol(f, "some_func", "some_mod", 32);
	u64 work = fake_symbol(f, "work_func", NULL, 32);

	/* Added first means oldest. */
	fake_call(f, 1, FAKE_ASYNC | FAKE_LOCK, func, 5);
	fake_call(f, 1, FAKE_SYNC, func + 4, 0);
	fake_call_irq_work(f, 1, work);
	fake_call_wake(f, 1, "sleepy head", 4321);
	fake_call(f, 1, 0x500, func, 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "calls: no hang in that");
	is_u64(fake_count(f, R_call), 5, "calls: five");
	is_str(rec_str(f, call, 0, type), "async", "async: type");
	is_u64(rec_u64(f, call, 0, lock), 1, "async: locked");
	is_str(rec_str(f, call, 0, func), "some_func [some_mod]",
	       "async: function and module");
	is_u64(rec_u64(f, call, 0, block), 0, "async: not block's");
	is_str(rec_str(f, call, 1, type), "sync", "sync: type");
	is_u64(rec_u64(f, call, 1, lock), 0, "sync: not locked");
	is_str(rec_str(f, call, 1, func), "?", "no function begins there");
	is_str(rec_str(f, call, 2, type), "irq_work", "irq_work: type");
	is_str(rec_str(f, call, 2, func), "work_func", "irq_work: function");
	ok(!rec_has(f, call, 2, lock), "irq_work: has no csd lock");
	is_str(rec_str(f, call, 3, type), "ttwu", "wake-up: type");
	ok(!rec_has(f, call, 3, func), "wake-up: has no function");
	is_u64(rec_u64(f, call, 3, pid), 4321, "wake-up: pid");
	is_str(rec_str(f, call, 3, task), "sleepy head", "wake-up: task");
	is_str(rec_str(f, call, 4, type), "unknown", "unknown type: says so");
	ok(!rec_has(f, call, 4, func), "unknown type: no function is read");
	is_u64(hang_rec_get(fake_cpu_rec(f, 1), F_cpu_calls), 5, "count");
	is_u64(hang_rec_get(fake_cpu_rec(f, 2), F_cpu_calls), 0, "others");
	is_u64(fake_count(f, R_fault), 0, "no faults");
	fake_free(f);
}

/*
 * An irq_work and a task whose memory, read as a csd, would be a call that
 * completes block requests.
 */
static void test_not_csds(void)
{
	struct fake *f = fake_new();
	u64 remote = fake_symbol_addr(f, "__blk_mq_complete_request_remote");
	u64 at = fake_offset(f, "__call_single_data.func") -
		 fake_offset(f, "__call_single_data.node");
	u64 work = fake_call_irq_work(f, 1, 0);
	u64 task = fake_call_wake(f, 1, "t", 1);

	fake_put_ptr(f, work + fake_offset(f, "irq_work.node.llist") + at,
		     remote);
	fake_put_ptr(f, task + fake_offset(f, "task_struct.wake_entry.llist") +
		     at, remote);
	fake_look(f);
	is_u64(rec_u64(f, call, 0, block), 0, "irq_work is no block call");
	is_u64(rec_u64(f, call, 1, block), 0, "a wake-up is no block call");
	is_str(hang_rec_text(fake_cpu_rec(f, 1), F_cpu_csd), "free",
	       "so the csd is free");
	fake_free(f);
}

/* Before the types came, every entry was a csd. */
static void test_no_types(void)
{
	struct fake *f = fake_new();
	u64 func = fake_symbol(f, "old_func", NULL, 16);

	fake_drop(f, "CSD_FLAG_TYPE_MASK");
	fake_drop(f, "CSD_TYPE_ASYNC");
	fake_drop(f, "CSD_TYPE_SYNC");
	fake_drop(f, "CSD_TYPE_IRQ_WORK");
	fake_drop(f, "CSD_TYPE_TTWU");
	fake_call(f, 0, FAKE_LOCK, func, 0);
	fake_look(f);
	is_str(rec_str(f, call, 0, func), "old_func", "untyped: function");
	is_u64(rec_u64(f, call, 0, lock), 1, "untyped: lock");
	fake_free(f);
}

static void test_block(enum fake_style style)
{
	struct fake *f = fake_new();
	const char *name = fake_style_name(style);
	bool own = style != FAKE_PERCPU_CSD;
	struct fake_disk d;
	u64 rq;

	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 7, .state = FAKE_COMPLETE, .cpu = 1,
		     .age = 3 * SEC);
	fake_strand(f, 1, rq);
	fake_look(f);
	is_u64(fake_count(f, R_call), 1, "%s: a call", name);
	is_u64(rec_u64(f, call, 0, block), 1, "%s: it is block's", name);
	is_u64(rec_u64(f, call, 0, lock), 1, "%s: it is locked", name);
	is_str(rec_str(f, call, 0, func), "__blk_mq_complete_request_remote",
	       "%s: function", name);
	is_str(rec_str(f, call, 0, disk), own ? "fda" : "", "%s: disk", name);
	is_u64(rec_u64(f, call, 0, tag), own ? 7 : 0, "%s: tag", name);
	is_u64(rec_u64(f, call, 0, age), own ? 3 * SEC : 0, "%s: age", name);
	is_str(hang_rec_text(fake_cpu_rec(f, 1), F_cpu_csd), "queued",
	       "%s: csd", name);
	is_str(hang_rec_text(fake_cpu_rec(f, 0), F_cpu_csd), "free",
	       "%s: csd of others", name);
	fake_free(f);
}

static void test_locked(enum fake_style style)
{
	struct fake *f = fake_new();
	const char *name = fake_style_name(style);
	struct fake_disk d;
	u64 rq, csd;

	fake_style(f, style);
	fake_disk(f, &d, .name = "fda");
	rq = fake_rq(f, &d, .tag = 7, .state = FAKE_COMPLETE, .cpu = 1);
	fake_done(f, 1, rq);
	csd = style == FAKE_PERCPU_CSD ? fake_percpu(f, "blk_cpu_csd", 1) :
					 rq + fake_offset(f, "request.csd");
	fake_set(f, csd, "__call_single_data.node.u_flags", FAKE_LOCK);
	fake_look(f);
	is_str(hang_rec_text(fake_cpu_rec(f, 1), F_cpu_csd), "locked",
	       "locked and not queued, %s", name);
	fake_free(f);
}

static void test_damaged(void)
{
	struct fake *f = fake_new();
	u64 csd;

	csd = fake_call(f, 1, FAKE_ASYNC, 0x42, 0);
	fake_put_ptr(f, csd + fake_offset(f, "__call_single_data.node"),
		     fake_nowhere(f, -EFAULT));
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "next gone: unclear");
	is_str(rec_str(f, call, 0, func), "?", "func 0x42 has no name");
	is_u64(rec_u64(f, fault, 0, cpu), 1, "next gone: charged");
	fake_hole(f, fake_percpu(f, "call_single_queue", 3), -ENODATA);
	fake_look(f);
	ok(!hang_rec_has(fake_cpu_rec(f, 3), F_cpu_calls),
	   "head gone: no count is made up");
	fake_put_ptr(f, fake_percpu(f, "call_single_queue", 1),
		     csd + fake_offset(f, "__call_single_data.node"));
	fake_put_ptr(f, csd + fake_offset(f, "__call_single_data.node"),
		     csd + fake_offset(f, "__call_single_data.node"));
	fake_look(f);
	is_u64(fake_count(f, R_call), 1, "self loop: the entry once");
	fake_free(f);
}

int main(void)
{
	int style;

	test_types(8);
	test_types(4);
	test_not_csds();
	test_no_types();
	for (style = 0; style < FAKE_STYLES; style++)
		test_block(style);
	test_locked(FAKE_PERCPU_CSD);
	test_locked(FAKE_RQ_CSD);
	test_damaged();
	return tap_end();
}
