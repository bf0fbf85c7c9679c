// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lose.c - lose one completion IPI, or the softirq raise of one, for good
 *
 * A kprobe skips a single call of the function that sends the interrupt, or
 * of the one that marks the softirq pending. All else is left as the kernel
 * did it, so memory looks just as after a lost interrupt.
 *
 * Only block completions are hit. A probe further up notes, per CPU, that one
 * is on its way; interrupts are off from there to the skipped call, so the
 * note can't be taken for another's:
 *   smp_call_function_single_async(cpu, csd of a block completion)
 *       -> native_send_call_func_single_ipi(cpu)              lostipi
 *   __blk_mq_complete_request_remote()
 *       -> __raise_softirq_irqoff(BLOCK_SOFTIRQ)              lostraise
 */
#include <linux/atomic.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "hangmod.h"

#define NO_CPU (-1)

static atomic_t ipi_cpu = ATOMIC_INIT(NO_CPU);
static atomic_t raise_cpu = ATOMIC_INIT(NO_CPU);
static atomic_t ipis_seen, ipis_lost, raises_seen, raises_lost;
static DEFINE_PER_CPU(bool, sending_block_csd);
static DEFINE_PER_CPU(bool, in_block_csd);
static bool hooked;

static noinline void bare_return(void)
{
	barrier();
}

/*
 * Go on at an empty function with the stack as it is: that one returns to the
 * caller. The saved stack pointer itself can't be changed under ftrace.
 */
static int skip_call(struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)bare_return);
	return 1;
}

/* A probe with a post-handler may change ip and is never made a jump. */
static void keep_ip_changes(struct kprobe *p, struct pt_regs *regs,
			    unsigned long flags)
{
}

static int remote_entry(struct kprobe *p, struct pt_regs *regs)
{
	__this_cpu_write(in_block_csd, true);
	return 0;
}

static struct kprobe remote_probe = {
	.symbol_name = "__blk_mq_complete_request_remote",
	.pre_handler = remote_entry,
	.post_handler = keep_ip_changes,
};

static int raise_entry(struct kprobe *p, struct pt_regs *regs)
{
	int cpu = smp_processor_id();

	if (regs->di != BLOCK_SOFTIRQ || !__this_cpu_read(in_block_csd))
		return 0;
	__this_cpu_write(in_block_csd, false);
	atomic_inc(&raises_seen);
	if (atomic_cmpxchg(&raise_cpu, cpu, NO_CPU) != cpu)
		return 0;
	atomic_inc(&raises_lost);
	return skip_call(regs);
}

static struct kprobe raise_probe = {
	.symbol_name = "__raise_softirq_irqoff",
	.pre_handler = raise_entry,
	.post_handler = keep_ip_changes,
};

static int ipi_entry(struct kprobe *p, struct pt_regs *regs)
{
	int cpu = regs->di;

	if (!__this_cpu_read(sending_block_csd))
		return 0;
	atomic_inc(&ipis_seen);
	if (atomic_cmpxchg(&ipi_cpu, cpu, NO_CPU) != cpu)
		return 0;
	atomic_inc(&ipis_lost);
	return skip_call(regs);
}

static struct kprobe ipi_probe = {
	.symbol_name = "native_send_call_func_single_ipi",
	.pre_handler = ipi_entry,
	.post_handler = keep_ip_changes,
};

/* The probe may sit behind an ENDBR, the function pointer never does. */
static bool is_block_csd(const call_single_data_t *csd)
{
	return (unsigned long)remote_probe.addr - (unsigned long)csd->func <= 4;
}

static int async_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (!in_hardirq() || !is_block_csd((call_single_data_t *)regs->si))
		return 1;
	__this_cpu_write(sending_block_csd, true);
	return 0;
}

static int async_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	__this_cpu_write(sending_block_csd, false);
	return 0;
}

static struct kretprobe async_probe = {
	.kp.symbol_name = "smp_call_function_single_async",
	.entry_handler = async_entry,
	.handler = async_return,
	.maxactive = 64,
};

static struct kprobe *const probes[] = {
	&remote_probe, &raise_probe, &ipi_probe,
};

int lose_hook(void)
{
	int err;

	if (hooked)
		return 0;
	err = register_kprobes((struct kprobe **)probes, ARRAY_SIZE(probes));
	if (err)
		return err;
	err = register_kretprobe(&async_probe);
	if (err)
		unregister_kprobes((struct kprobe **)probes,
				   ARRAY_SIZE(probes));
	hooked = !err;
	return err;
}

static int arm(atomic_t *which, unsigned int cpu)
{
	if (!hooked)
		return -ENOENT;
	atomic_set(which, cpu);
	return 0;
}

int lose_ipi(unsigned int cpu)
{
	return arm(&ipi_cpu, cpu);
}

int lose_raise(unsigned int cpu)
{
	return arm(&raise_cpu, cpu);
}

/* What was lost can't be sent again from here; only stop losing more. */
void lose_undo(void)
{
	atomic_set(&ipi_cpu, NO_CPU);
	atomic_set(&raise_cpu, NO_CPU);
}

void lose_show(struct seq_file *m)
{
	seq_printf(m, "ipis=%d lost=%d raises=%d lost=%d",
		   atomic_read(&ipis_seen), atomic_read(&ipis_lost),
		   atomic_read(&raises_seen), atomic_read(&raises_lost));
}

void lose_exit(void)
{
	if (!hooked)
		return;
	unregister_kretprobe(&async_probe);
	unregister_kprobes((struct kprobe **)probes, ARRAY_SIZE(probes));
}
