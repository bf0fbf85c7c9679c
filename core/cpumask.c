// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU masks and per-CPU addresses. A mask is only as long as nr_cpu_ids: BTF's
 * sizeof(struct cpumask) may be more than what is allocated.
 */
#include "core.h"

#define MASK_CPUS (sizeof(((struct hang_work *)0)->cpu_mask[0]) * 8)

static int mask_load(struct hang_work *w, enum hang_row_id row, u64 *mask,
		     u32 cpus)
{
	u64 addr = hang_loc(w, row);
	u32 i;
	int err;

	for (i = 0; i * 8 * w->t->word < cpus; i++) {
		u64 word;

		err = hang_read_ptr(w, addr + i * w->t->word, &word,
				    hang_rows[row].name);
		if (err)
			return err;
		if (w->t->word == 4 && (i & 1))
			mask[i / 2] |= word << 32;
		else
			mask[w->t->word == 4 ? i / 2 : i] = word;
	}
	return 0;
}

int hang_cpumask_load(struct hang_work *w)
{
	u64 cpus;
	int err;

	memset(w->cpu_mask, 0, sizeof(w->cpu_mask));
	w->nr_cpus = 0;
	err = hang_read_uint(w, hang_loc(w, L_sym_nr_cpu_ids), 4, &cpus,
			     "nr_cpu_ids");
	if (err)
		return err;
	if (!cpus || cpus > MASK_CPUS) {
		hang_fault(w, "nr_cpu_ids", hang_loc(w, L_sym_nr_cpu_ids),
			   -EINVAL, "impossible number of CPUs");
		return -EINVAL;
	}
	if (cpus > w->caps.cpus) {
		w->looked.left_out += cpus - w->caps.cpus;
		cpus = w->caps.cpus;
	}
	w->nr_cpus = cpus;
	err = mask_load(w, L_sym_cpu_possible_mask, w->cpu_mask[HANG_POSSIBLE],
			cpus);
	if (!err)
		err = mask_load(w, L_sym_cpu_online_mask,
				w->cpu_mask[HANG_ONLINE], cpus);
	if (!err && hang_has(w, L_sym_cpu_active_mask))
		err = mask_load(w, L_sym_cpu_active_mask,
				w->cpu_mask[HANG_ACTIVE], cpus);
	return err;
}

bool hang_cpu_is(const struct hang_work *w, enum hang_mask mask, u32 cpu)
{
	return cpu < w->nr_cpus && w->cpu_mask[mask][cpu / 64] >> (cpu % 64) & 1;
}

u32 hang_cpu_count(const struct hang_work *w, enum hang_mask mask)
{
	u32 count = 0;
	u32 cpu;

	for (cpu = 0; cpu < w->nr_cpus; cpu++)
		count += hang_cpu_is(w, mask, cpu);
	return count;
}

int hang_cpumask_count(struct hang_work *w, u64 addr, const char *what,
		       u32 *cpus, u32 *online)
{
	u32 bits = 8 * w->t->word;
	u64 word = 0;
	u32 cpu;

	*cpus = 0;
	*online = 0;
	for (cpu = 0; cpu < w->nr_cpus; cpu++, word >>= 1) {
		int err = 0;

		if (!(cpu % bits))
			err = hang_read_ptr(w, addr + cpu / 8, &word, what);
		if (err)
			return err;
		*cpus += word & 1;
		*online += word & 1 && hang_cpu_is(w, HANG_ONLINE, cpu);
	}
	return 0;
}

int hang_percpu(struct hang_work *w, enum hang_row_id row, u32 cpu, u64 *addr)
{
	*addr = 0;
	if (!hang_has(w, row))
		return -ENOENT;
	return hang_percpu_ptr(w, hang_loc(w, row), cpu, addr);
}

int hang_percpu_ptr(struct hang_work *w, u64 ptr, u32 cpu, u64 *addr)
{
	u64 table = hang_loc(w, L_sym_per_cpu_offset);
	u64 offset;
	int err;

	*addr = 0;
	err = hang_read_ptr(w, table + (u64)cpu * w->t->word, &offset,
			    "__per_cpu_offset");
	if (err)
		return err;
	/* The sum wraps where per-CPU symbols count from zero. */
	*addr = ptr + offset;
	if (w->t->word == 4)
		*addr &= 0xffffffff;
	return 0;
}
