// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * skip.c - a function of the kernel that is not called, as if it had been left
 * out or had come too early
 *
 * A probe is set on it beforehand, for that needs every CPU; from a given moment
 * on its next calls are skipped, and give 0. All else is left as the kernel did
 * it.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "hangmod.h"

static atomic_t left = ATOMIC_INIT(0);
static atomic_t skipped;
static char symbol[KSYM_NAME_LEN];
static unsigned long last_si; /* second argument of the last call */
static bool hooked;

static noinline unsigned long nothing(void)
{
	barrier();
	return 0;
}

static int entry(struct kprobe *p, struct pt_regs *regs)
{
	WRITE_ONCE(last_si, regs->si);
	if (atomic_dec_if_positive(&left) < 0)
		return 0;
	atomic_inc(&skipped);
	instruction_pointer_set(regs, (unsigned long)nothing);
	return 1;
}

/* A probe with a post-handler may change ip and is never made a jump. */
static void keep_ip_changes(struct kprobe *p, struct pt_regs *regs,
			    unsigned long flags)
{
}

static struct kprobe probe = {
	.symbol_name = symbol,
	.pre_handler = entry,
	.post_handler = keep_ip_changes,
};

int skip_hook(const char *function)
{
	int err;

	if (hooked)
		return -EBUSY;
	strscpy(symbol, function, sizeof(symbol));
	err = register_kprobe(&probe);
	hooked = !err;
	return err;
}

int skip_calls(unsigned int count)
{
	if (!hooked)
		return -ENOENT;
	atomic_set(&left, count);
	return 0;
}

/*
 * The function has to be wbt_rqw_done(): its second argument is what is counted,
 * a struct rq_wait (block/blk-rq-qos.h).
 */
int skip_negative(void)
{
	struct {
		wait_queue_head_t wait;
		atomic_t inflight;
	} *rqw = (void *)READ_ONCE(last_si);

	if (!rqw || strcmp(symbol, "wbt_rqw_done"))
		return -ENOENT;
	atomic_set(&rqw->inflight, -1);
	return 0;
}

void skip_undo(void)
{
	atomic_set(&left, 0);
}

void skip_show(struct seq_file *m)
{
	seq_printf(m, " skipped=%d", atomic_read(&skipped));
}

void skip_exit(void)
{
	if (hooked)
		unregister_kprobe(&probe);
}
