// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's layout, its symbols, and the target operations that tell
 * them. Members are placed one after the other with gaps in between, in an
 * order that is no kernel's.
 */
#include "fake.h"
#include "fake_rows.h"

static void grow_type(struct fake *f, const char *type, u32 end)
{
	u32 i;

	for (i = 0; i < f->nr_types; i++)
		if (!strcmp(f->type[i].type, type))
			break;
	if (i == f->nr_types) {
		assert(i < HANG_ARRAY_SIZE(f->type));
		f->type[f->nr_types++].type = type;
	}
	f->type[i].size = (end + 7) & ~7u;
}

static void add_member(struct fake *f, const char *type, const char *path,
		       u32 offset, u32 size)
{
	struct fake_member *m = &f->member[f->nr_members++];

	assert(f->nr_members <= HANG_ARRAY_SIZE(f->member));
	m->type = type;
	m->path = path;
	m->offset = offset;
	m->size = size;
}

static void place_members(struct fake *f)
{
	u32 at = 0, gap = 0, i;

	for (i = 0; i < HANG_ARRAY_SIZE(members); i++) {
		int size = members[i].size;
		u32 bytes = size < 0 ? -size * f->t.word : (u32)size;

		if (!size)
			bytes = 3 * fake_sizeof(f, members[i].path);

		if (!i || strcmp(members[i].type, members[i - 1].type))
			at = 8;
		gap = (gap * 5 + 3) % 7;
		at = ((at + 7) & ~7u) + gap * 8;
		add_member(f, members[i].type, members[i].path, at, bytes);
		at += bytes;
		grow_type(f, members[i].type, at + 24);
	}
	for (i = 0; i < HANG_ARRAY_SIZE(inner); i++) {
		struct fake_member *m = fake_member(f, inner[i].within);

		add_member(f, m->type, strchr(inner[i].spec, '.') + 1,
			   m->offset + inner[i].words * f->t.word,
			   strstr(inner[i].spec, "u_flags") ? 4 : f->t.word);
	}
	fake_sched_types(f);
	fake_member(f, "super_block.s_writers.rw_sem")->size =
		3 * fake_sizeof(f, "percpu_rw_semaphore");
	/* There is a byte of bit-fields before it. */
	fake_member(f, "blk_flush_queue.rq_status")->offset++;
	/* A seqcount is rounded up to what follows it, and is all there is. */
	fake_member(f, "seqcount_raw_spinlock.sequence")->offset = 0;
	grow_type(f, "seqcount_raw_spinlock", 4);
	f->type[f->nr_types - 1].size = 12;
}

void fake_types_init(struct fake *f)
{
	u32 i;

	place_members(f);
	for (i = 0; i < HANG_ARRAY_SIZE(enumerators); i++) {
		f->enumerator[i].name = enumerators[i].name;
		f->enumerator[i].value = enumerators[i].value;
		f->nr_enumerators++;
	}
}

static struct fake_member *find_member(struct fake *f, const char *type,
				       const char *path)
{
	u32 i;

	for (i = 0; i < f->nr_members; i++)
		if (!strcmp(f->member[i].type, type) &&
		    !strcmp(f->member[i].path, path))
			return &f->member[i];
	return NULL;
}

struct fake_member *fake_member(struct fake *f, const char *spec)
{
	const char *dot = strchr(spec, '.');
	struct fake_member *m;
	char type[40];

	assert(dot && dot - spec < (int)sizeof(type));
	memcpy(type, spec, dot - spec);
	type[dot - spec] = '\0';
	m = find_member(f, type, dot + 1);
	if (!m) {
		fprintf(stderr, "no such member: %s\n", spec);
		abort();
	}
	return m;
}

u64 fake_offset(struct fake *f, const char *spec)
{
	return fake_member(f, spec)->offset;
}

void fake_set(struct fake *f, u64 base, const char *spec, u64 value)
{
	struct fake_member *m = fake_member(f, spec);

	fake_put(f, base + m->offset, m->size, value);
}

u64 fake_field(struct fake *f, u64 base, const char *spec)
{
	struct fake_member *m = fake_member(f, spec);

	return fake_get(f, base + m->offset, m->size);
}

u32 fake_sizeof(struct fake *f, const char *type)
{
	u32 i;

	for (i = 0; i < f->nr_types; i++)
		if (!strcmp(f->type[i].type, type))
			return f->type[i].size;
	fprintf(stderr, "no such type: %s\n", type);
	abort();
}

u64 fake_new_of(struct fake *f, const char *type)
{
	return fake_alloc(f, fake_sizeof(f, type));
}

static struct fake_symbol *find_symbol(struct fake *f, const char *name)
{
	u32 i;

	for (i = 0; i < f->nr_symbols; i++)
		if (!strcmp(f->symbol[i].name, name))
			return &f->symbol[i];
	return NULL;
}

static void set_gone(struct fake *f, const char *what, bool gone)
{
	struct fake_symbol *s = find_symbol(f, what);
	u32 i;

	if (strchr(what, '.')) {
		fake_member(f, what)->gone = gone;
		return;
	}
	for (i = 0; i < f->nr_enumerators; i++) {
		if (!strcmp(f->enumerator[i].name, what)) {
			f->enumerator[i].gone = gone;
			return;
		}
	}
	/* Some symbols are named like their type. */
	for (i = 0; !s && i < f->nr_types; i++) {
		if (!strcmp(f->type[i].type, what)) {
			f->type[i].gone = gone;
			return;
		}
	}
	if (!s) {
		fprintf(stderr, "no such thing: %s\n", what);
		abort();
	}
	s->gone = gone;
}

void fake_drop(struct fake *f, const char *what)
{
	set_gone(f, what, true);
}

void fake_restore(struct fake *f, const char *what)
{
	set_gone(f, what, false);
}

u64 fake_symbol(struct fake *f, const char *name, const char *module, u64 size)
{
	struct fake_symbol *s = find_symbol(f, name);

	if (s)
		return s->addr;
	assert(f->nr_symbols < HANG_ARRAY_SIZE(f->symbol));
	s = &f->symbol[f->nr_symbols++];
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->module = module ? module : "";
	s->size = size;
	s->addr = fake_alloc(f, size);
	return s->addr;
}

u64 fake_symbol_addr(struct fake *f, const char *name)
{
	struct fake_symbol *s = find_symbol(f, name);

	assert(s);
	return s->addr;
}

void fake_names(struct fake *f, const char *symbol, const char *const *names,
		u32 count)
{
	u64 addr = fake_symbol(f, symbol, NULL, count * f->t.word);
	u32 i;

	for (i = 0; i < count; i++)
		fake_put_ptr(f, addr + i * f->t.word,
			     names[i] ? fake_string(f, names[i]) : 0);
}

static int op_read(struct hang_target *t, u64 addr, void *buf, size_t len)
{
	struct fake *f = (struct fake *)t;

	f->reads++;
	return fake_read(f, addr, buf, len);
}

static int op_symbol(struct hang_target *t, const char *name, u64 *addr)
{
	struct fake_symbol *s = find_symbol((struct fake *)t, name);

	if (!s || s->gone)
		return -ENOENT;
	*addr = s->addr;
	return 0;
}

static int op_symbol_at(struct hang_target *t, u64 addr,
			struct hang_symbol *sym)
{
	struct fake *f = (struct fake *)t;
	u32 i;

	for (i = 0; i < f->nr_symbols; i++) {
		struct fake_symbol *s = &f->symbol[i];

		if (s->gone || addr < s->addr || addr >= s->addr + s->size)
			continue;
		sym->start = s->addr;
		sym->size = s->size;
		snprintf(sym->name, sizeof(sym->name), "%s", s->name);
		snprintf(sym->module, sizeof(sym->module), "%s", s->module);
		return 0;
	}
	return -ENOENT;
}

static int op_member(struct hang_target *t, const char *type, const char *path,
		     u32 *offset, u32 *size)
{
	struct fake_member *m = find_member((struct fake *)t, type, path);

	if (!m || m->gone)
		return -ENOENT;
	*offset = m->offset;
	*size = m->size;
	return 0;
}

static int op_struct_size(struct hang_target *t, const char *type, u32 *size)
{
	struct fake *f = (struct fake *)t;
	u32 i;

	for (i = 0; i < f->nr_types; i++) {
		if (!strcmp(f->type[i].type, type) && !f->type[i].gone) {
			*size = f->type[i].size;
			return 0;
		}
	}
	return -ENOENT;
}

static int op_enumerator(struct hang_target *t, const char *name, s64 *value)
{
	struct fake *f = (struct fake *)t;
	u32 i;

	for (i = 0; i < f->nr_enumerators; i++) {
		if (!strcmp(f->enumerator[i].name, name) &&
		    !f->enumerator[i].gone) {
			*value = f->enumerator[i].value;
			return 0;
		}
	}
	return -ENOENT;
}

static int op_irqs_on(struct hang_target *t, u32 cpu)
{
	return ((struct fake *)t)->cpu[cpu].irqs;
}

static bool op_interrupted(struct hang_target *t)
{
	struct fake *f = (struct fake *)t;

	return f->interrupt_after && f->reads >= f->interrupt_after;
}

const struct hang_target_ops fake_ops = {
	.read = op_read,
	.symbol = op_symbol,
	.symbol_at = op_symbol_at,
	.member = op_member,
	.type_size = op_struct_size,
	.enumerator = op_enumerator,
	.irqs_on = op_irqs_on,
	.interrupted = op_interrupted,
};
