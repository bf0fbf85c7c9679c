// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolves the rows of layout.def. Presence decides: each row lists the names
 * its fact has had, newest first, and the first one the target knows wins.
 */
#include <blkhang/layout.h>

#define REQ true
#define OPT false

const struct hang_row hang_rows[L_COUNT] = {
#define MEMBER(id, need, spec, why) { #id, spec, why, HANG_MEMBER, need },
#define SIZE(id, need, spec, why) { "size_" #id, spec, why, HANG_SIZE, need },
#define ENUM(id, need, spec, why) { "enum_" #id, spec, why, HANG_ENUM, need },
#define SYMBOL(id, need, spec, why) { "sym_" #id, spec, why, HANG_SYMBOL, need },
#include "layout.def"
};

#undef REQ
#undef OPT

#define SPEC_MAX 96

/* Splits "a.b" at the first sep; returns the rest, or NULL without one. */
static char *split(char *s, char sep)
{
	for (; *s; s++) {
		if (*s == sep) {
			*s = '\0';
			return s + 1;
		}
	}
	return NULL;
}

static int resolve_member(struct hang_target *t, char *spec, u64 *value,
			  u32 *size)
{
	char *path = split(spec, '.');
	u32 offset;
	int err;

	if (!path)
		return -EINVAL;
	err = t->ops->member(t, spec, path, &offset, size);
	if (!err)
		*value = offset;
	return err;
}

static int resolve_symbol(struct hang_target *t, char *spec, u64 *value)
{
	char *member = split(spec, ':');
	u64 offset = 0;
	u32 size;
	int err;

	err = t->ops->symbol(t, spec, value);
	if (!err && member)
		err = resolve_member(t, member, &offset, &size);
	if (!err)
		*value += offset;
	return err;
}

static int resolve_one(struct hang_target *t, u8 kind, char *spec,
		       struct hang_loc *loc)
{
	u32 size = 0;
	s64 value = 0;
	int err;

	switch (kind) {
	case HANG_MEMBER:
		return resolve_member(t, spec, &loc->value, &loc->size);
	case HANG_SIZE:
		err = t->ops->type_size(t, spec, &size);
		loc->value = size;
		return err;
	case HANG_ENUM:
		err = t->ops->enumerator(t, spec, &value);
		loc->value = (u64)value;
		return err;
	default:
		return resolve_symbol(t, spec, &loc->value);
	}
}

/* Copies the alternate at s, up to '|', into buf; returns the next or NULL. */
static const char *next_alternate(const char *s, char *buf)
{
	size_t n = 0;

	while (*s && *s != '|') {
		if (n < SPEC_MAX - 1)
			buf[n++] = *s;
		s++;
	}
	buf[n] = '\0';
	return *s ? s + 1 : NULL;
}

static void resolve_row(struct hang_target *t, const struct hang_row *row,
			struct hang_loc *loc)
{
	const char *s = row->spec;
	char spec[SPEC_MAX];
	u8 alt = 0;

	while (s) {
		s = next_alternate(s, spec);
		alt++;
		if (!resolve_one(t, row->kind, spec, loc)) {
			loc->alt = alt;
			return;
		}
	}
	memset(loc, 0, sizeof(*loc));
}

void hang_layout_retry(struct hang_layout *layout, struct hang_target *t)
{
	u32 i;

	for (i = 0; i < L_COUNT; i++) {
		struct hang_loc *loc = &layout->loc[i];
		bool had = loc->alt;

		if (hang_rows[i].kind == HANG_SYMBOL || (had && !loc->late))
			continue;
		resolve_row(t, &hang_rows[i], loc);
		loc->late = true;
		if (hang_rows[i].required && had != (loc->alt != 0))
			layout->missing += had ? 1 : -1;
	}
}

void hang_layout_resolve(struct hang_layout *layout, struct hang_target *t,
			 bool symbols)
{
	u32 i;

	memset(layout, 0, sizeof(*layout));
	for (i = 0; i < L_COUNT; i++) {
		if (hang_rows[i].kind == HANG_SYMBOL && !symbols)
			continue;
		resolve_row(t, &hang_rows[i], &layout->loc[i]);
		if (hang_rows[i].required && !layout->loc[i].alt)
			layout->missing++;
	}
}
