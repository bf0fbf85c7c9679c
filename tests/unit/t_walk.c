// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The walk as a whole: a machine in health, in both byte orders and word
 * sizes and of each kind, shows its disks and says that nothing hangs.
 */
#include "fake.h"

static void test_healthy(u32 word, bool big, enum fake_style style)
{
	struct fake *f = fake_new(.word = word, .big_endian = big, .cpus = 3);
	struct fake_disk d;
	char name[64];

	snprintf(name, sizeof(name), "%u bit %s endian, %s", word * 8,
		 big ? "big" : "little", fake_style_name(style));
	fake_style(f, style);
	fake_disk(f, &d, .name = "fda", .hctxs = 2);
	fake_rq(f, &d, .hctx = 1, .tag = 40, .state = FAKE_IN_FLIGHT,
		.age = 2 * SEC, .cpu = 2, .sector = 1234567890123,
		.bytes = 4096);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "%s: answer", name);
	is_u64(fake_count(f, R_fault), 0, "%s: no faults", name);
	is_u64(fake_verdicts(f, "no-hang"), 1, "%s: no-hang", name);
	is_u64(fake_count(f, R_cpu), 3, "%s: CPUs", name);
	is_u64(fake_count(f, R_rq), 1, "%s: requests", name);
	is_str(rec_str(f, rq, 0, disk), "fda", "%s: disk", name);
	is_u64(rec_u64(f, rq, 0, tag), 40, "%s: tag", name);
	is_u64(rec_u64(f, rq, 0, hctx), 1, "%s: hctx", name);
	is_u64(rec_u64(f, rq, 0, cpu), 2, "%s: cpu", name);
	is_u64(rec_u64(f, rq, 0, sector), 1234567890123, "%s: sector", name);
	is_u64(rec_u64(f, rq, 0, bytes), 4096, "%s: bytes", name);
	is_u64(rec_u64(f, rq, 0, age), 2 * SEC, "%s: age", name);
	is_u64(rec_u64(f, rq, 0, issued), 2 * SEC, "%s: issued", name);
	is_u64(rec_u64(f, rq, 0, left), 28 * SEC, "%s: left", name);
	is_u64(rec_u64(f, rq, 0, limit), 30 * SEC, "%s: limit", name);
	is_str(rec_str(f, rq, 0, stage), "issued", "%s: stage", name);
	is_str(rec_str(f, dump, 0, release), "9.9.9-fake", "%s: release", name);
	is_u64(rec_u64(f, dump, 0, hz), FAKE_HZ, "%s: hz", name);
	is_u64(rec_u64(f, dump, 0, now), 5000 * SEC, "%s: now", name);
	fake_free(f);
}

int main(void)
{
	int style;

	for (style = 0; style < FAKE_STYLES; style++) {
		test_healthy(8, false, style);
		test_healthy(8, true, style);
		test_healthy(4, false, style);
		test_healthy(4, true, style);
	}
	return tap_end();
}
