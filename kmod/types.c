// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types of the running kernel, from its own BTF, so that the module does not
 * depend on private headers or on what it was built against. Of the megabytes
 * that are read here, only the layout's few hundred numbers are kept.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include "kmod.h"

#define BTF_MAX SZ_64M

struct types {
	struct hang_btf btf;
	void *blob;
	void *index;
};

static int read_blob(struct hang_target *t, u64 addr, u8 *blob, size_t len)
{
	size_t at, n;

	for (at = 0; at < len; at += n) {
		n = min_t(size_t, len - at, SZ_64K);
		if (t->ops->read(t, addr + at, blob + at, n))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

static int load_at(struct types *types, const struct hang_btf *base,
		   struct hang_target *t, u64 addr, size_t size,
		   const char **why)
{
	size_t index_size;

	*why = "out of memory";
	types->blob = vmalloc(size);
	if (!types->blob)
		return -ENOMEM;
	*why = "the kernel's BTF can't be read";
	if (read_blob(t, addr, types->blob, size))
		return -EFAULT;
	if (hang_btf_open(&types->btf, base, types->blob, size, sizeof(long),
			  &index_size, why))
		return -EINVAL;
	*why = "out of memory";
	types->index = vzalloc(index_size);
	if (!types->index)
		return -ENOMEM;
	hang_btf_index(&types->btf, types->index);
	return 0;
}

/* Where it is does not change, while symbols are known but during load. */
static u64 start, stop;

static int load(struct types *types, struct hang_target *t, const char **why)
{
	*why = "the kernel has no BTF (CONFIG_DEBUG_INFO_BTF off?)";
	if (!stop && (t->ops->symbol(t, "__start_BTF", &start) ||
		      t->ops->symbol(t, "__stop_BTF", &stop)))
		return -ENOENT;
	if (stop <= start || stop - start > BTF_MAX)
		return -ENOENT;
	return load_at(types, NULL, t, start, stop - start, why);
}

int hang_types_add(struct hang_btf *kernel, struct hang_target *t, u64 addr,
		   u32 size)
{
	struct types *types;
	const char *why;
	int err;

	if (!size || size > BTF_MAX)
		return -EINVAL;
	types = vzalloc(sizeof(*types));
	if (!types)
		return -ENOMEM;
	err = load_at(types, kernel, t, addr, size, &why);
	if (err) {
		hang_types_close(&types->btf);
		return err;
	}
	types->btf.next = kernel->next;
	kernel->next = &types->btf;
	return 0;
}

struct hang_btf *hang_types_open(struct hang_target *t, const char **why)
{
	struct types *types = vzalloc(sizeof(*types));

	*why = "out of memory";
	if (!types)
		return NULL;
	if (!load(types, t, why))
		return &types->btf;
	hang_types_close(&types->btf);
	return NULL;
}

void hang_types_close(struct hang_btf *btf)
{
	while (btf) {
		struct types *types = container_of(btf, struct types, btf);

		btf = btf->next;
		vfree(types->index);
		vfree(types->blob);
		vfree(types);
	}
}
