// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a line of a dump in what became of it. What can be undone is undone in
 * a fixed order, the least first, until the line's own checksum fits. A frame is
 * believed for that alone, so there must not be too many tries: each of them
 * makes one damaged line in 65025 look whole.
 */
#define _GNU_SOURCE /* memmem */
#include "log_line.h"

#define TEXT_MAX 1024
#define HEAD_BYTES 96

static const char head[] = LOG_MARK ": v";

static u32 hex_digits(const char *s, u32 count, u32 *value)
{
	u32 i;

	*value = 0;
	for (i = 0; i < count; i++) {
		const char *digits = "0123456789abcdef";
		const char *d = s[i] ? strchr(digits, s[i]) : NULL;

		if (!d)
			break;
		*value = *value << 4 | (u32)(d - digits);
	}
	return i;
}

static const char *decimal(const char *s, u32 *value)
{
	const char *p = s;

	for (*value = 0; *p >= '0' && *p <= '9' && p - s < 9; p++)
		*value = *value * 10 + (u32)(*p - '0');
	return p == s ? NULL : p;
}

/* What follows the head: format, id and running number; the line, or NULL. */
static const char *read_head(const char *text, struct log_frame *f)
{
	const char *p = text + sizeof(head) - 1;
	u32 format;

	if (strncmp(text, head, sizeof(head) - 1))
		return NULL;
	p = decimal(p, &format);
	if (!p || format != HANG_FORMAT || *p++ != ' ' ||
	    hex_digits(p, 4, &f->id) != 4 || p[4] != ' ')
		return NULL;
	p = decimal(p + 5, &f->n);
	return p && f->n && *p == ' ' ? p + 1 : NULL;
}

/* Fletcher's sum as in hang_frame(), up to each place where it may stand. */
static bool read_line(const char *text, const char *line, struct log_frame *f)
{
	const char *p = text + sizeof(LOG_MARK ": ") - 1;
	u32 a = 0, b = 0, sum;

	for (; *p; p++) {
		if (p > line && p[0] == ' ' && p[1] == '*' &&
		    hex_digits(p + 2, 4, &sum) == 4 && sum == (b << 8 | a))
			break;
		a = (a + (u8)*p) % 255;
		b = (b + a) % 255;
	}
	if (!*p || (size_t)(p - line) >= sizeof(f->line))
		return false;
	memcpy(f->line, line, p - line);
	f->line[p - line] = '\0';
	return true;
}

enum log_found log_read_frame(const char *text, struct log_frame *f)
{
	const char *line = read_head(text, f);

	if (!line)
		return LOG_ODD;
	return read_line(text, line, f) ? LOG_WHOLE : LOG_DAMAGED;
}

/* Up to the next line's mark: a line that was cut may lack its end. */
static size_t window(const char *raw, size_t len)
{
	const char *next;

	if (len > LOG_WINDOW)
		len = LOG_WINDOW;
	next = len > sizeof(head) ? memmem(raw + 1, len - 1, head,
					   sizeof(head) - 1) : NULL;
	return next ? (size_t)(next - raw) : len;
}

/* A cheap look at what begins here, however it is encoded. */
static bool has_head(const char *raw, size_t len)
{
	char text[HEAD_BYTES + 1], tidy[HEAD_BYTES + 1];
	u32 join;

	if (len > HEAD_BYTES)
		len = HEAD_BYTES;
	if (len >= sizeof(head) && !memcmp(raw, head, sizeof(head) - 1))
		return true;
	if (!memchr(raw, 'v', len))
		return false;
	log_decode(raw, len, LOG_QP | LOG_HTML | LOG_ESCAPES, text,
		   sizeof(text));
	for (join = 0; join <= LOG_JOINS; join += LOG_JOINS) {
		log_tidy(text, join, tidy, sizeof(tidy));
		if (!strncmp(tidy, head, sizeof(head) - 1))
			return true;
	}
	return false;
}

static enum log_found find_alone(const char *text, struct log_frame *f)
{
	char tidy[TEXT_MAX];

	/* As it was written: most are. */
	if (log_read_frame(text, f) == LOG_WHOLE)
		return LOG_WHOLE;
	log_tidy(text, LOG_ALONE, tidy, sizeof(tidy));
	return log_read_frame(tidy, f);
}

/* All ways to join the lines of text. */
static enum log_found find_joined(const char *text, struct log_frame *f)
{
	enum log_found found = find_alone(text, f);
	char tidy[TEXT_MAX];
	u32 breaks, join;

	if (found == LOG_WHOLE)
		return found;
	log_tidy(text, LOG_ALONE | LOG_CUT, tidy, sizeof(tidy));
	if (log_read_frame(tidy, f) == LOG_WHOLE)
		return LOG_WHOLE;
	breaks = log_tidy(text, 0, tidy, sizeof(tidy));
	if (strncmp(tidy, head, sizeof(head) - 1))
		return found;
	/* Words and columns are the usual places to break all of a line. */
	for (join = 0; breaks && join <= LOG_JOINS; join++) {
		u32 mask = join == 0 ? 0 : LOG_JOINS + 1 - join;

		if (breaks < 4 && mask >> breaks && mask != LOG_JOINS)
			continue;
		log_tidy(text, mask, tidy, sizeof(tidy));
		if (log_read_frame(tidy, f) == LOG_WHOLE)
			return LOG_WHOLE;
	}
	return found;
}

enum log_found log_find(const char *raw, size_t len, bool hard,
			struct log_frame *f)
{
	static const u32 codings[] = {
		0, LOG_QP, LOG_HTML, LOG_ESCAPES, LOG_QP | LOG_HTML,
		LOG_HTML | LOG_ESCAPES, LOG_QP | LOG_HTML | LOG_ESCAPES,
	};
	enum log_found found = LOG_ODD;
	struct log_frame damaged = { 0 };
	char text[LOG_WINDOW + 1];
	u32 i;

	if (!has_head(raw, len))
		return LOG_NONE;
	len = window(raw, len);
	if (!hard) {
		log_decode(raw, len, 0, text, sizeof(text));
		return find_alone(text, f);
	}
	for (i = 0; i < HANG_ARRAY_SIZE(codings); i++) {
		enum log_found now;

		/* Where a coding is not met, the text has been tried. */
		if (log_decode(raw, len, codings[i], text, sizeof(text)) !=
		    codings[i])
			continue;
		now = find_joined(text, f);
		if (now == LOG_WHOLE)
			return now;
		if (now == LOG_DAMAGED && found == LOG_ODD) {
			found = now;
			damaged = *f;
		}
	}
	*f = damaged;
	return found;
}
