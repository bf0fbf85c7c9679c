// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /sys/kernel/debug/blkhang: the same dump for a program or a shell. Files can
 * only be read, and only by root, which is also what lockdown lets through.
 * Each open is a dump of its own, on memory of its own.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>

#include "kmod.h"

static const struct hang_dump *attached;
static struct dentry *dir;

struct text {
	size_t len;
	char data[];
};

static int dump_open(struct inode *inode, struct file *file)
{
	struct hang_dump *d;
	struct text *text;

	if (file->f_mode & FMODE_WRITE)
		return -EACCES;
	text = vmalloc(sizeof(*text) + HANG_OUT_SIZE);
	d = hang_dump_open(attached);
	if (!text || !d) {
		hang_dump_close(d);
		vfree(text);
		return -ENOMEM;
	}
	hang_dump_to_memory(d, text->data);
	text->len = d->out_len;
	hang_dump_close(d);
	file->private_data = text;
	return 0;
}

static ssize_t dump_read(struct file *file, char __user *buf, size_t len,
			 loff_t *pos)
{
	struct text *text = file->private_data;

	return simple_read_from_buffer(buf, len, pos, text->data, text->len);
}

static int dump_release(struct inode *inode, struct file *file)
{
	vfree(file->private_data);
	return 0;
}

static const struct file_operations dump_fops = {
	.owner = THIS_MODULE,
	.open = dump_open,
	.read = dump_read,
	.llseek = default_llseek,
	.release = dump_release,
};

static int version_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "version=%s format=%d\n", BLKHANG_VERSION, HANG_FORMAT);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(version);

static int types_show(struct seq_file *m, void *unused)
{
	bool pending;
	u32 looked = hang_modules_looked(&pending);

	seq_printf(m, "looked=%u pending=%d\n", looked, pending);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(types);

void hang_debugfs_init(const struct hang_dump *d)
{
	attached = d;
	dir = debugfs_create_dir("blkhang", NULL);
	if (IS_ERR(dir)) {
		pr_warn("no debugfs: only the sysrq key can be used\n");
		return;
	}
	debugfs_create_file("dump", 0400, dir, NULL, &dump_fops);
	debugfs_create_file("types", 0400, dir, NULL, &types_fops);
	debugfs_create_file("version", 0400, dir, NULL, &version_fops);
}

void hang_debugfs_exit(void)
{
	debugfs_remove(dir);
}
