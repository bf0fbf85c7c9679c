// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's flush queues. The two indexes have no name here either:
 * they are in the byte before rq_status.
 */
#include "fake.h"

static u64 member(struct fake *f, u64 fq, const char *name)
{
	char spec[64];

	snprintf(spec, sizeof(spec), "blk_flush_queue.%s", name);
	return fq + fake_offset(f, spec);
}

void fake_flush_bits(struct fake *f, u64 fq, u32 bits)
{
	fake_put(f, member(f, fq, "rq_status") - 1, 1, bits);
}

void fake_flush_idx(struct fake *f, u64 fq, u32 pending, u32 running)
{
	bool big = f->t.big_endian;

	fake_flush_bits(f, fq, pending << (big ? 7 : 0) |
				       running << (big ? 6 : 1));
}

void fake_flush_init(struct fake *f, u64 fq)
{
	u64 lists = member(f, fq, "flush_queue");

	fake_list_init(f, lists);
	fake_list_init(f, lists + 2 * f->t.word);
	if (!fake_member(f, "blk_flush_queue.flush_data_in_flight.next")->gone)
		fake_list_init(f, member(f, fq, "flush_data_in_flight"));
	/* Last errors are next to the indexes. */
	fake_set(f, fq, "blk_flush_queue.rq_status", 0xff);
	fake_flush_idx(f, fq, 1, 1);
}

u64 fake_flush_head(struct fake *f, u64 fq, enum hang_place place)
{
	u64 lists = member(f, fq, "flush_queue");

	if (place == HANG_AT_FLUSH_DATA)
		return member(f, fq, "flush_data_in_flight");
	return lists + (place == HANG_AT_FLUSH_PENDING) * 2 * f->t.word;
}
