// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line of text back into a record: the opposite of core/text.c, driven by the
 * same table.
 */
#include "log_line.h"

static bool parse_number(const char **s, u32 base, u64 *value)
{
	const char *p = *s;
	u64 v = 0;

	for (;; p++) {
		u32 digit;

		if (*p >= '0' && *p <= '9')
			digit = *p - '0';
		else if (base == 16 && *p >= 'a' && *p <= 'f')
			digit = *p - 'a' + 10;
		else
			break;
		if (v > (~0ULL - digit) / base)
			return false;
		v = v * base + digit;
	}
	if (p == *s)
		return false;
	*s = p;
	*value = v;
	return true;
}

static bool parse_int(const char **s, u64 *value)
{
	bool minus = **s == '-';

	*s += minus;
	if (!parse_number(s, 10, value))
		return false;
	if (*value > (u64)1 << 63 || (*value == (u64)1 << 63 && !minus))
		return false;
	if (minus)
		*value = -*value;
	return true;
}

/* Seconds with three decimals, and an s. */
static bool parse_time(const char **s, u64 *value)
{
	u64 ms;
	const char *start;

	if (!parse_number(s, 10, value) || *(*s)++ != '.')
		return false;
	start = *s;
	if (!parse_number(s, 10, &ms) || *s - start != 3 || *(*s)++ != 's')
		return false;
	if (*value > (~0ULL - ms * 1000000) / 1000000000)
		return false;
	*value = *value * 1000000000 + ms * 1000000;
	return true;
}

static bool parse_hex(const char **s, u64 *value)
{
	if ((*s)[0] != '0' || (*s)[1] != 'x')
		return false;
	*s += 2;
	return parse_number(s, 16, value);
}

/* What is not quoted ends at a blank. */
static bool parse_string(const char **s, char *out)
{
	bool quoted = **s == '"';
	const char *p = *s + quoted;

	while (*p && *p != (quoted ? '"' : ' ')) {
		if (quoted && *p == '\\' && p[1])
			p++;
		*out++ = *p++;
	}
	*out = '\0';
	if (quoted && *p++ != '"')
		return false;
	*s = p;
	return true;
}

static bool parse_value(struct hang_rec *rec, u32 f, u8 kind, const char **s)
{
	char text[HANG_LINE_MAX];
	bool good;
	u64 value;

	switch (kind) {
	case HANG_STR:
		if (!parse_string(s, text))
			return false;
		hang_rec_str(rec, f, text);
		return true;
	case HANG_INT:
		good = parse_int(s, &value);
		break;
	case HANG_HEX:
	case HANG_ADDR:
		good = parse_hex(s, &value);
		break;
	case HANG_TIME:
		good = parse_time(s, &value);
		break;
	default:
		good = parse_number(s, 10, &value);
	}
	if (good)
		hang_rec_set(rec, f, value);
	return good;
}

static size_t word_length(const char *s, char end)
{
	size_t n = 0;

	while (s[n] && s[n] != end && s[n] != ' ')
		n++;
	return n;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

/* One field; one that is not known may be of a later version. */
static bool parse_field(struct hang_rec *rec, const char **s)
{
	const struct hang_field *fields = hang_rec_descs[rec->type].fields;
	size_t len = word_length(*s, '=');
	char text[HANG_LINE_MAX];
	u32 f;

	if (!len || (*s)[len] != '=')
		return false;
	for (f = 0; f < hang_rec_nr_fields(rec->type); f++)
		if (is_word(*s, len, fields[f].name))
			break;
	*s += len + 1;
	if (f == hang_rec_nr_fields(rec->type))
		return parse_string(s, text);
	return parse_value(rec, f, fields[f].kind, s);
}

bool log_parse(struct hang_rec *rec, const char *line)
{
	size_t len = word_length(line, ' ');
	u32 type;

	if (strlen(line) >= HANG_LINE_MAX)
		return false;
	for (type = 0; type < R_COUNT; type++)
		if (is_word(line, len, hang_rec_descs[type].name))
			break;
	if (type == R_COUNT)
		return false;
	hang_rec_start(rec, type);
	line += len;
	if (hang_rec_descs[type].flags & HANG_SENTENCE) {
		/* Those have one field each: the text. */
		if (*line++ != ' ')
			return false;
		hang_rec_str(rec, F_say_text, line);
		return true;
	}
	while (*line == ' ') {
		line++;
		if (!parse_field(rec, &line))
			return false;
	}
	return !*line;
}

static bool same_value(const struct hang_rec *a, const struct hang_rec *b,
		       u32 f, u8 kind)
{
	if (hang_rec_has(a, f) != hang_rec_has(b, f))
		return false;
	if (kind == HANG_STR)
		return !strcmp(hang_rec_text(a, f), hang_rec_text(b, f));
	return hang_rec_get(a, f) == hang_rec_get(b, f);
}

/* Whether part has the keys of rec, and only fields behind a later split. */
static bool continues(const struct hang_rec *rec, const struct hang_rec *part)
{
	const struct hang_field *fields = hang_rec_descs[rec->type].fields;
	bool split = false, any = false;
	u32 f;

	for (f = 0; f < hang_rec_nr_fields(rec->type); f++) {
		if (fields[f].flags & HANG_KEY) {
			if (!same_value(rec, part, f, fields[f].kind))
				return false;
			continue;
		}
		if (fields[f].flags & HANG_SPLIT)
			split = true;
		if (hang_rec_has(rec, f)) {
			if (any)
				return false;
			split = false;
		}
		if (hang_rec_has(part, f)) {
			if (!split)
				return false;
			any = true;
		}
	}
	return any;
}

/* A sentence says itself that it goes on. */
static bool merge_sentence(struct hang_rec *rec, const struct hang_rec *part)
{
	const char *more = hang_rec_text(part, F_say_text);
	char text[HANG_REC_TEXT];
	struct hang_str s;
	u32 type = rec->type;

	if (strncmp(more, HANG_GOES_ON, strlen(HANG_GOES_ON)))
		return false;
	hang_str_init(&s, text, sizeof(text));
	hang_put(&s, hang_rec_text(rec, F_say_text));
	hang_put(&s, more + strlen(HANG_GOES_ON));
	hang_rec_start(rec, type);
	hang_rec_str(rec, F_say_text, text);
	return true;
}

bool log_merge(struct hang_rec *rec, const struct hang_rec *part)
{
	const struct hang_field *fields = hang_rec_descs[rec->type].fields;
	u32 f;

	if (rec->type != part->type)
		return false;
	if (hang_rec_descs[rec->type].flags & HANG_SENTENCE)
		return merge_sentence(rec, part);
	if (!continues(rec, part))
		return false;
	for (f = 0; f < hang_rec_nr_fields(rec->type); f++) {
		if (!hang_rec_has(part, f) || fields[f].flags & HANG_KEY)
			continue;
		if (fields[f].kind == HANG_STR)
			hang_rec_str(rec, f, hang_rec_text(part, f));
		else
			hang_rec_set(rec, f, part->val[f]);
	}
	return true;
}
