// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records as lines of text, driven by the field table.
 */
#include <blkhang/format.h>

/* A value that would not survive being split at blanks is quoted. */
static bool needs_quotes(const char *s)
{
	if (!*s)
		return true;
	for (; *s; s++)
		if (*s == ' ' || *s == '"' || *s == '=' || *s == '\\')
			return true;
	return false;
}

static void put_string(struct hang_str *s, const char *text)
{
	if (!needs_quotes(text)) {
		hang_put(s, text);
		return;
	}
	hang_put_char(s, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			hang_put_char(s, '\\');
		hang_put_char(s, *text);
	}
	hang_put_char(s, '"');
}

static void put_value(struct hang_str *s, const struct hang_rec *rec, u32 f,
		      u8 kind)
{
	u64 v = rec->val[f];

	switch (kind) {
	case HANG_INT:
		hang_put_int(s, (s64)v);
		break;
	case HANG_HEX:
	case HANG_ADDR:
		hang_put_hex(s, v);
		break;
	case HANG_TIME:
		hang_put_time(s, v);
		break;
	case HANG_STR:
		put_string(s, hang_rec_text(rec, f));
		break;
	default:
		hang_put_dec(s, v);
	}
}

static void put_field(struct hang_str *s, const struct hang_rec *rec, u32 f,
		      bool pointers)
{
	const struct hang_field *field = &hang_rec_descs[rec->type].fields[f];

	if (!hang_rec_has(rec, f) || (field->kind == HANG_ADDR && !pointers))
		return;
	hang_put_char(s, ' ');
	hang_put(s, field->name);
	hang_put_char(s, '=');
	put_value(s, rec, f, field->kind);
}

void hang_render(struct hang_str *s, const struct hang_rec *rec, u32 *field,
		 bool pointers)
{
	const struct hang_rec_desc *desc = &hang_rec_descs[rec->type];
	u32 n = hang_rec_nr_fields(rec->type);
	u32 from = *field;
	u32 f;

	hang_put(s, desc->name);
	for (f = 0; f < from; f++)
		if (desc->fields[f].flags & HANG_KEY)
			put_field(s, rec, f, pointers);
	for (f = from; f < n; f++) {
		if (f > from && (desc->fields[f].flags & HANG_SPLIT))
			break;
		put_field(s, rec, f, pointers);
	}
	*field = f;
}

/* Fletcher's sum of 16 bits. */
static u32 checksum(const char *s)
{
	u32 a = 0, b = 0;

	for (; *s; s++) {
		a = (a + (u8)*s) % 255;
		b = (b + a) % 255;
	}
	return b << 8 | a;
}

static void put_hex4(struct hang_str *s, u32 v)
{
	int shift;

	for (shift = 12; shift >= 0; shift -= 4)
		hang_put_char(s, "0123456789abcdef"[v >> shift & 15]);
}

void hang_frame(struct hang_str *s, u32 id, u32 n, const char *line)
{
	static const char prefix[] = "blkhang: ";

	hang_put(s, prefix);
	hang_put_char(s, 'v');
	hang_put_dec(s, HANG_FORMAT);
	hang_put_char(s, ' ');
	put_hex4(s, id);
	hang_put_char(s, ' ');
	hang_put_dec(s, n);
	hang_put_char(s, ' ');
	hang_put(s, line);
	if (s->len < sizeof(prefix))
		return;
	n = checksum(s->buf + sizeof(prefix) - 1);
	hang_put(s, " *");
	put_hex4(s, n);
}
