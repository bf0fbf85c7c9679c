/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout: where the kernel under examination keeps what the core needs.
 * Rows stand in core/layout.def and are resolved once, through the target.
 */
#ifndef BLKHANG_LAYOUT_H
#define BLKHANG_LAYOUT_H

#include "target.h"

enum hang_row_id {
#define MEMBER(id, need, spec, why) L_##id,
#define SIZE(id, need, spec, why) L_size_##id,
#define ENUM(id, need, spec, why) L_enum_##id,
#define SYMBOL(id, need, spec, why) L_sym_##id,
#include "../../core/layout.def"
#undef MEMBER
#undef SIZE
#undef ENUM
#undef SYMBOL
	L_COUNT
};

enum hang_row_kind { HANG_MEMBER, HANG_SIZE, HANG_ENUM, HANG_SYMBOL };

struct hang_row {
	const char *name; /* the row's id, for messages */
	const char *spec; /* alternates, newest first, split by '|' */
	const char *why;  /* what absence means */
	u8 kind;	  /* enum hang_row_kind */
	bool required;
};

/* One resolved row. */
struct hang_loc {
	u64 value; /* offset, size, enumerator or address */
	u32 size;  /* bytes of a member, else 0 */
	u8 alt;	   /* which alternate it is, from 1; 0: absent */
	bool late; /* by hang_layout_retry() */
};

struct hang_layout {
	struct hang_loc loc[L_COUNT];
	u32 missing; /* required rows that are absent */
};

extern const struct hang_row hang_rows[L_COUNT];

/*
 * Resolves every row through t. Absence is no error here: look at
 * layout->missing, and ask hang_layout_has() for single rows. When symbols is
 * false, SYMBOL rows are left alone (a check of types without a kernel).
 */
void hang_layout_resolve(struct hang_layout *layout, struct hang_target *t,
			 bool symbols);

/*
 * Tries again those rows, other than symbols, that were absent when all were
 * resolved. What an earlier try has found is forgotten.
 */
void hang_layout_retry(struct hang_layout *layout, struct hang_target *t);

/* True when the row was found. */
static inline bool hang_layout_has(const struct hang_layout *layout,
				   enum hang_row_id id)
{
	return layout->loc[id].alt != 0;
}

#endif
