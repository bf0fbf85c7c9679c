// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types from the BTF that the kernel looked at has in its memory, those of its
 * modules too: some hundred facts, for each of which gdb would search all debug
 * information from the start. Only while the layout is resolved.
 */
#include <stdlib.h>

#include "target_crash.h"

#define KERNEL_MAX (64 << 20)
#define MODULE_MAX (16 << 20)
#define PIECE (64 << 10)

struct types {
	struct hang_btf btf;
	void *data;
	void *index;
};

static int read_all(struct hang_target *t, u64 addr, u8 *data, size_t size)
{
	size_t at, len;
	int err = 0;

	for (at = 0; !err && at < size; at += len) {
		len = size - at < PIECE ? size - at : PIECE;
		err = t->ops->read(t, addr + at, data + at, len);
	}
	return err;
}

static int load_at(struct types *types, const struct hang_btf *base,
		   struct hang_target *t, u64 addr, size_t size)
{
	size_t index_size;
	const char *why;
	int err;

	types->data = malloc(size);
	if (!types->data)
		return -ENOMEM;
	err = read_all(t, addr, types->data, size);
	if (!err)
		err = hang_btf_open(&types->btf, base, types->data, size,
				    t->word, &index_size, &why);
	if (err)
		return err;
	types->index = calloc(1, index_size);
	if (!types->index)
		return -ENOMEM;
	hang_btf_index(&types->btf, types->index);
	return 0;
}

/* Into the chain that hangs on cr, so that a jump out of here loses nothing. */
static int add(struct hang_crash *cr, u64 addr, size_t size)
{
	struct types *types = calloc(1, sizeof(*types));
	struct hang_btf **end = cr->types ? &cr->types->next : &cr->types;
	int err;

	if (!types)
		return -ENOMEM;
	err = load_at(types, cr->types, &cr->target, addr, size);
	if (err) {
		free(types->index);
		free(types->data);
		free(types);
		return err;
	}
	types->btf.next = *end;
	*end = &types->btf;
	return 0;
}

static int add_types(struct hang_target *t, u64 addr, u32 size)
{
	if (!size || size > MODULE_MAX)
		return -EINVAL;
	return add(hang_to_crash(t), addr, size);
}

static int member(struct hang_target *t, const char *type, const char *path,
		  u32 *offset, u32 *size)
{
	return hang_btf_member(hang_to_crash(t)->types, type, path, offset,
			       size);
}

static int type_size(struct hang_target *t, const char *type, u32 *size)
{
	return hang_btf_struct_size(hang_to_crash(t)->types, type, size);
}

static int enumerator(struct hang_target *t, const char *name, s64 *value)
{
	return hang_btf_enumerator(hang_to_crash(t)->types, name, value);
}

int hang_crash_types_open(struct hang_crash *cr)
{
	struct hang_target *t = &cr->target;
	u64 start, stop;
	int err;

	if (t->ops->symbol(t, "__start_BTF", &start) ||
	    t->ops->symbol(t, "__stop_BTF", &stop) || stop <= start ||
	    stop - start > KERNEL_MAX)
		return -ENOENT;
	err = add(cr, start, stop - start);
	if (err)
		return err;
	cr->ops = *t->ops;
	cr->ops.member = member;
	cr->ops.type_size = type_size;
	cr->ops.enumerator = enumerator;
	cr->ops.add_types = add_types;
	t->ops = &cr->ops;
	return 0;
}

void hang_crash_types_close(struct hang_crash *cr)
{
	while (cr->types) {
		struct types *types = (struct types *)cr->types;

		cr->types = types->btf.next;
		free(types->index);
		free(types->data);
		free(types);
	}
}
