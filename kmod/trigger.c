// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What starts a dump to the log: a sysrq key, and, if wanted, a panic.
 *
 * Both come in any context: the key under rcu_read_lock() and often in hard
 * interrupt, the panic with the other CPUs stopped, perhaps in the middle of a
 * dump. One bit says that a dump is under way; who finds it set, leaves.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/notifier.h>
#ifdef HAVE_PANIC_NOTIFIER_H /* else kernel.h has it */
#include <linux/panic_notifier.h>
#endif
#include <linux/string.h>
#include <linux/sysrq.h>

#include "kmod.h"

static char *key = "y";
module_param(key, charp, 0444);
MODULE_PARM_DESC(key,
		 "Letter or digit of the sysrq key (default y; x or W if that is taken)");

static bool on_panic;
module_param(on_panic, bool, 0644);
MODULE_PARM_DESC(on_panic,
		 "Dump at panic; with kdump needs crash_kexec_post_notifiers (default N)");

static struct hang_dump *dump;
static unsigned long busy;
static char registered; /* the key, 0: none */

/*
 * The sysrq code has put the console level back to what it was before it calls
 * a handler. Raised here, just enough for the dump to show.
 */
#define SHOWS_ERRORS (LOGLEVEL_ERR + 1)

static int console_raise(void)
{
	int level = console_loglevel;

	if (level < SHOWS_ERRORS)
		console_loglevel = SHOWS_ERRORS;
	return level;
}

static void console_restore(int level)
{
	/* Unless somebody else has set it meanwhile. */
	if (level < SHOWS_ERRORS && console_loglevel == SHOWS_ERRORS)
		console_loglevel = level;
}

static void trigger(enum hang_wait wait)
{
	int level;

	if (test_and_set_bit_lock(0, &busy)) {
		pr_err("a dump is already under way\n");
		return;
	}
	level = console_raise();
	hang_dump_to_log(dump, wait);
	console_restore(level);
	clear_bit_unlock(0, &busy);
}

/*
 * The handler's argument was an int until "tty: sysrq: switch sysrq handlers from
 * int to u8". With control flow integrity a function must have the very type it
 * is called by.
 */
typedef typeof(_Generic(((struct sysrq_key_op *)0)->handler,
			void (*)(u8): (u8)0, default: 0)) sysrq_key_t;

static void key_pressed(sysrq_key_t pressed)
{
	trigger(HANG_WAIT_SPIN);
}

static char help[] = "block-io-hang(y)";

static const struct sysrq_key_op key_op = {
	.handler = key_pressed,
	.help_msg = help,
	.action_msg = "Show where block I/O hangs",
	.enable_mask = SYSRQ_ENABLE_DUMP,
};

static int panicked(struct notifier_block *nb, unsigned long event, void *text)
{
	if (READ_ONCE(on_panic))
		trigger(HANG_WAIT_NONE);
	return NOTIFY_DONE;
}

static struct notifier_block panic_block = {
	.notifier_call = panicked,
};

/*
 * Shift is easily missed: no upper case of a key that reboots, crashes, kills
 * or unmounts.
 */
static bool is_usable(char c)
{
	return isalnum(c) && !(isupper(c) && strchr("bcefiou", tolower(c)));
}

static bool take_key(char c)
{
	if (!is_usable(c))
		return false;
	help[sizeof(help) - 3] = c;
	if (register_sysrq_key(c, &key_op))
		return false;
	registered = c;
	return true;
}

static void say_if_forbidden(void)
{
	int mask = sysrq_mask();

	if (mask != 1 && !(mask & SYSRQ_ENABLE_DUMP))
		pr_notice("kernel.sysrq=%d forbids it from keyboard and serial line; sysctl kernel.sysrq=%d allows it\n",
			  mask, mask | SYSRQ_ENABLE_DUMP);
}

static void find_key(void)
{
	static const char others[] = "yxW";
	size_t i;

	if (strlen(key) != 1 || !take_key(key[0])) {
		pr_warn("sysrq key '%s' is taken or can't be used\n", key);
		for (i = 0; others[i] && !take_key(others[i]); i++)
			;
	}
	if (!registered) {
		pr_warn("no sysrq key is free\n");
		return;
	}
	pr_info("%s: Alt-SysRq-%c shows where block I/O hangs\n",
		BLKHANG_VERSION, registered);
	say_if_forbidden();
}

void hang_trigger_init(struct hang_dump *d)
{
	dump = d;
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	find_key();
}

void hang_trigger_exit(void)
{
	/* Both wait until nobody is in there any more. */
	if (registered)
		unregister_sysrq_key(registered, &key_op);
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
}
