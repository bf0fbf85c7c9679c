// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine while it runs: a host that has a clock of its own, and lists
 * that change while they are read.
 */
#include "fake.h"

static int now(struct hang_target *t, u64 *ns)
{
	*ns = ((struct fake *)t)->now;
	return 0;
}

static int read_and_mend(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	struct fake *f = (struct fake *)t;
	int err = fake_read(f, addr, buf, len);

	if (addr == f->mend_at && !--f->mend_after)
		fake_put_ptr(f, f->mend_at, f->mend_to);
	return err;
}

void fake_live(struct fake *f, fake_read_fn read)
{
	f->ops = *f->t.ops;
	f->ops.now_ns = now;
	if (read)
		f->ops.read = read;
	f->t.ops = &f->ops;
}

void fake_mend(struct fake *f, u64 at, u64 to, int after)
{
	f->ops = *f->t.ops;
	f->ops.read = read_and_mend;
	f->t.ops = &f->ops;
	f->mend_at = at;
	f->mend_to = to;
	f->mend_after = after;
}
