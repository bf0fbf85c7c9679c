// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The record tables, made from record.def, and access to a record's fields.
 */
#include <blkhang/record.h>

#define DEC HANG_DEC
#define INT HANG_INT
#define HEX HANG_HEX
#define ADDR HANG_ADDR
#define TIME HANG_TIME
#define BOOL HANG_BOOL
#define STR HANG_STR
#define KEY HANG_KEY
#define NOTE HANG_NOTE
#define SPLIT HANG_SPLIT
#define AGE HANG_AGE
#define HELD HANG_HELD
#define NOTED HANG_NOTED
#define BELONGS HANG_BELONGS
#define SENTENCE HANG_SENTENCE
#define MANY HANG_MANY
#define FOLLOWS HANG_FOLLOWS

static const struct hang_field all_fields[] = {
#define RECORD(type, name, flags)
#define FIELD(type, name, kind, flags) { #name, kind, flags },
#include <blkhang/record.def>
#undef RECORD
#undef FIELD
};

/* Where each type's fields begin in all_fields, and where they end. */
enum {
#define RECORD(type, name, flags) \
	A_##type, A_##type##__before = A_##type - 1,
#define FIELD(type, name, kind, flags) A_##type##_##name,
#include <blkhang/record.def>
#undef RECORD
#undef FIELD
	A_COUNT
};

const struct hang_rec_desc hang_rec_descs[R_COUNT] = {
#define RECORD(type, name, flags) { name, flags, &all_fields[A_##type] },
#define FIELD(type, name, kind, flags)
#include <blkhang/record.def>
#undef RECORD
#undef FIELD
};

/* A record says which of its fields it has in so many bits. */
#define RECORD(type, name, flags)
#define FIELD(type, name, kind, flags) \
	_Static_assert(F_##type##_##name < HANG_REC_FIELDS, \
		       #type "." #name " has no room");
#include <blkhang/record.def>
#undef RECORD
#undef FIELD

static const u16 first_field[R_COUNT + 1] = {
#define RECORD(type, name, flags) A_##type,
#define FIELD(type, name, kind, flags)
#include <blkhang/record.def>
#undef RECORD
#undef FIELD
	A_COUNT
};

u32 hang_rec_nr_fields(u32 type)
{
	return first_field[type + 1] - first_field[type];
}

void hang_rec_start(struct hang_rec *rec, enum hang_rec_type type)
{
	rec->type = type;
	rec->have = 0;
	rec->text_used = 0;
}

void hang_rec_set(struct hang_rec *rec, u32 field, u64 value)
{
	rec->val[field] = value;
	rec->have |= 1u << field;
}

void hang_rec_str(struct hang_rec *rec, u32 field, const char *s)
{
	u32 at = rec->text_used;
	u32 n = 0;

	if (at >= HANG_REC_TEXT)
		return;
	for (; s[n] && at + n < HANG_REC_TEXT - 1; n++)
		rec->text[at + n] = s[n] >= ' ' && s[n] <= '~' ? s[n] : '?';
	rec->text[at + n] = '\0';
	rec->text_used = at + n + 1;
	hang_rec_set(rec, field, at);
}

bool hang_rec_has(const struct hang_rec *rec, u32 field)
{
	return rec->have & (1u << field);
}

u64 hang_rec_get(const struct hang_rec *rec, u32 field)
{
	return hang_rec_has(rec, field) ? rec->val[field] : 0;
}

const char *hang_rec_text(const struct hang_rec *rec, u32 field)
{
	return hang_rec_has(rec, field) ? &rec->text[rec->val[field]] : "";
}

bool hang_rec_is_notable(const struct hang_rec *rec)
{
	const struct hang_rec_desc *desc = &hang_rec_descs[rec->type];
	u32 f;

	if (!(desc->flags & HANG_NOTED))
		return true;
	for (f = 0; f < hang_rec_nr_fields(rec->type); f++)
		if ((desc->fields[f].flags & HANG_NOTE) && hang_rec_get(rec, f))
			return true;
	return false;
}
