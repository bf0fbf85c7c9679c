/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records: the only thing that leaves the walk. A record is a value of its
 * own, with no pointer into anything, so that sinks may keep copies.
 */
#ifndef BLKHANG_RECORD_H
#define BLKHANG_RECORD_H

#include "port.h"

#define HANG_REC_FIELDS 32
#define HANG_REC_TEXT 384

enum hang_rec_type {
#define RECORD(type, name, flags) R_##type,
#define FIELD(type, name, kind, flags)
#include "record.def"
#undef RECORD
#undef FIELD
	R_COUNT
};

/* Field numbers, from 0 within each record type: F_rq_tag, ... */
enum hang_rec_field {
#define RECORD(type, name, flags) F_##type##__before = -1,
#define FIELD(type, name, kind, flags) F_##type##_##name,
#include "record.def"
#undef RECORD
#undef FIELD
};

enum hang_kind {
	HANG_DEC,
	HANG_INT,
	HANG_HEX,
	HANG_ADDR,
	HANG_TIME,
	HANG_BOOL,
	HANG_STR,
};

#define HANG_KEY 1
#define HANG_NOTE 2
#define HANG_SPLIT 4
#define HANG_AGE 8
#define HANG_HELD 1
#define HANG_NOTED 2
#define HANG_BELONGS 4
#define HANG_SENTENCE 8
#define HANG_MANY 16
#define HANG_FOLLOWS 32

struct hang_field {
	const char *name;
	u8 kind; /* enum hang_kind */
	u8 flags;
};

struct hang_rec_desc {
	const char *name;
	u8 flags;
	const struct hang_field *fields;
};

extern const struct hang_rec_desc hang_rec_descs[R_COUNT];

/* How many fields a record of this type has. */
u32 hang_rec_nr_fields(u32 type);

struct hang_rec {
	u32 type;
	u32 have;			/* bit f set: field f has a value */
	u32 text_used;
	u64 val[HANG_REC_FIELDS];	/* STR: offset into text */
	char text[HANG_REC_TEXT];
};

/* Empties rec and makes it a record of this type. */
void hang_rec_start(struct hang_rec *rec, enum hang_rec_type type);

/* Sets a field that is not a string. INT fields take a cast s64. */
void hang_rec_set(struct hang_rec *rec, u32 field, u64 value);

/*
 * Sets a string field; characters that are not printable ASCII become '?', so
 * that no name in a damaged kernel can break a line or a terminal. What does
 * not fit is cut.
 */
void hang_rec_str(struct hang_rec *rec, u32 field, const char *s);

/* Whether a field has a value. */
bool hang_rec_has(const struct hang_rec *rec, u32 field);

/* The value of a field, 0 if it has none. */
u64 hang_rec_get(const struct hang_rec *rec, u32 field);

/* The value of a string field, "" if it has none. */
const char *hang_rec_text(const struct hang_rec *rec, u32 field);

/* Whether a NOTED record has anything to note; true for all others. */
bool hang_rec_is_notable(const struct hang_rec *rec);

#endif
