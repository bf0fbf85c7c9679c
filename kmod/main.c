// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blkhang.ko: on a key, says where every block request is and who keeps it.
 *
 * It hooks nothing that runs, only that modules come and go: loaded and not
 * asked, it costs some memory. It loads on every kernel it can be built for, and
 * says what it can't see there.
 */
#include <linux/module.h>

#include "kmod.h"

static struct hang_dump *dump;

static int __init blkhang_init(void)
{
	int err;

	dump = hang_dump_open(NULL);
	if (!dump)
		return -ENOMEM;
	err = hang_modules_init(dump);
	if (err) {
		hang_dump_close(dump);
		return err;
	}
	hang_debugfs_init(dump);
	hang_trigger_init(dump);
	return 0;
}

static void __exit blkhang_exit(void)
{
	hang_trigger_exit();
	hang_debugfs_exit();
	hang_modules_exit();
	hang_dump_close(dump);
}

module_init(blkhang_init);
module_exit(blkhang_exit);

MODULE_AUTHOR("blkhang contributors");
MODULE_DESCRIPTION("Tells where block I/O hangs and who is at fault");
MODULE_VERSION(BLKHANG_VERSION);
MODULE_LICENSE("GPL");
