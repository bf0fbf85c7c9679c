// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - control file of hangmod: parses a command, calls the part it is for
 *
 * Nothing here sleeps or sends an IPI once a hang is on, so that a shell on
 * a healthy CPU can still give commands and read the counters.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "hangmod.h"

static struct dentry *dir;

/*
 * A wake-up without work is harmless to ksoftirqd, but from then on it is
 * runnable, as it is after any burst of softirqs. What that means for the
 * softirqs raised later differs by kernel: see scenario 004.
 */
static int wake_ksoftirqd(unsigned int cpu)
{
	char name[TASK_COMM_LEN];
	struct task_struct *p;
	int ret = -ESRCH;

	snprintf(name, sizeof(name), "ksoftirqd/%u", cpu);
	rcu_read_lock();
	for_each_process(p) {
		if (!(p->flags & PF_KTHREAD) || strcmp(p->comm, name))
			continue;
		wake_up_process(p);
		ret = 0;
		break;
	}
	rcu_read_unlock();
	return ret;
}

static int undo(void)
{
	irqsoff_undo();
	bdev_unwatch();
	lose_undo();
	plant_undo();
	plug_undo();
	skip_undo();
	disk_undo();
	return 0;
}

static int run_cpu_command(const char *cmd, unsigned int cpu, unsigned int arg)
{
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -ENODEV;
	if (!strcmp(cmd, "arm"))
		return irqsoff_arm(cpu);
	if (!strcmp(cmd, "irqsoff"))
		return irqsoff_start(cpu, arg);
	if (!strcmp(cmd, "lostipi"))
		return lose_ipi(cpu);
	if (!strcmp(cmd, "lostraise"))
		return lose_raise(cpu);
	if (!strcmp(cmd, "plug"))
		return plug_start(cpu, arg);
	if (!strcmp(cmd, "wake"))
		return wake_ksoftirqd(cpu);
	return -EINVAL;
}

/* Not handled means pending, not lost: once on again, it comes. */
static int switch_irq(const char *how, unsigned int irq)
{
	if (!strcmp(how, "off"))
		disable_irq_nosync(irq);
	else if (!strcmp(how, "on"))
		enable_irq(irq);
	else
		return -EINVAL;
	return 0;
}

static int run_command(const char *line)
{
	unsigned int cpu, arg = 0;
	char cmd[16], word[40];

	if (sscanf(line, "skipping %u", &arg) == 1)
		return skip_calls(arg);
	if (sscanf(line, "%15s %u %u", cmd, &cpu, &arg) >= 2)
		return run_cpu_command(cmd, cpu, arg);
	if (sscanf(line, "skip %39s", word) == 1)
		return skip_hook(word);
	if (sscanf(line, "disk %15s", word) == 1)
		return disk_mode(word);
	if (sscanf(line, "plant %15s", word) == 1)
		return plant(word);
	if (sscanf(line, "timeout %15s %u", word, &arg) == 2)
		return bdev_timeout(word, arg);
	if (sscanf(line, "irq %15s %u", word, &arg) == 2)
		return switch_irq(word, arg);
	if (sscanf(line, "watch %15s", word) == 1)
		return bdev_watch(word);
	if (sscanf(line, "block %39s", word) == 1)
		return bdev_block(word);
	if (sysfs_streq(line, "plugsleep"))
		return plug_sleep();
	if (sysfs_streq(line, "negative"))
		return skip_negative();
	if (sysfs_streq(line, "hook"))
		return lose_hook();
	if (sysfs_streq(line, "undo"))
		return undo();
	return -EINVAL;
}

static ssize_t ctl_write(struct file *file, const char __user *buf, size_t len,
			 loff_t *pos)
{
	char line[64];
	int err;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, len))
		return -EFAULT;
	line[len] = '\0';
	err = run_command(line);
	return err ? err : len;
}

static int ctl_show(struct seq_file *m, void *unused)
{
	lose_show(m);
	disk_show(m);
	skip_show(m);
	plug_show(m);
	seq_putc(m, '\n');
	return 0;
}

static int ctl_open(struct inode *inode, struct file *file)
{
	return single_open(file, ctl_show, NULL);
}

static const struct file_operations ctl_fops = {
	.owner = THIS_MODULE,
	.open = ctl_open,
	.read = seq_read,
	.write = ctl_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int __init hangmod_init(void)
{
	int err = disk_init();

	if (err)
		return err;
	dir = debugfs_create_dir("hangmod", NULL);
	debugfs_create_file("ctl", 0600, dir, NULL, &ctl_fops);
	return 0;
}

static void __exit hangmod_exit(void)
{
	debugfs_remove_recursive(dir);
	irqsoff_exit();
	lose_exit();
	skip_exit();
	plant_undo();
	plug_exit();
	disk_exit();
}

module_init(hangmod_init);
module_exit(hangmod_exit);
MODULE_DESCRIPTION("makes block I/O hangs in a test guest");
MODULE_LICENSE("GPL");
