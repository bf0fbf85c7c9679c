// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Disks made of others are not accused of what those below explain; and have
 * no device that could own their requests.
 */
#include "fake.h"

#define OLD (40 * SEC) /* the limit is 30 s */

static struct fake *f;
static struct fake_disk low, loop, top;

/* dm on a loop disk on fda: an old request of loop0, and one of fda. */
static void make(u64 age_below)
{
	u64 lo, md;

	f = fake_new();
	fake_disk(f, &low, .name = "fda");
	lo = fake_loop(f, &loop, "loop0");
	fake_loop_file(f, lo, "image", &low, false);
	fake_loop_queue(f, lo, 0, fake_rq(f, &loop, .tag = 3, .age = OLD,
					  .state = FAKE_IN_FLIGHT));
	md = fake_dm(f, &top, "dm-0");
	fake_dm_table(f, md, (const char *const[]){ "linear", NULL }, 1);
	fake_dm_use(f, md, &loop);
	fake_rq(f, &low, .tag = 1, .age = age_below, .state = FAKE_IN_FLIGHT);
}

int main(void)
{
	make(OLD);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "all old: found");
	is_u64(fake_count(f, R_verdict), 1, "all old: one verdict");
	is_str(rec_str(f, verdict, 0, disk), "fda", "all old: the disk below");
	is_str(rec_str(f, verdict, 0, id), "device-owns-request",
	       "all old: its device");
	hang_judge(f->w, &f->sink);
	is_u64(fake_verdicts(f, "device-owns-request"), 2, "judged again");
	is_u64(fake_count(f, R_verdict), 2, "judged again: the same");
	fake_free(f);

	make(SEC);
	is_u64(fake_look(f), HANG_ANSWER_FOUND, "young below: found");
	is_u64(fake_count(f, R_verdict), 1, "young below: one verdict");
	is_str(rec_str(f, verdict, 0, id), "unknown", "young below: which");
	is_str(rec_str(f, verdict, 0, disk), "loop0", "young below: whose");
	fake_free(f);
	return tap_end();
}
