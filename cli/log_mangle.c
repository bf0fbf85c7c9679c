// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What mail programs, web pages, terminals and loggers do to text, undone. The
 * tables have one row for each thing; a row takes as many bytes as it knows at
 * the place it is shown, or none, and says which character they stand for.
 */
#define _GNU_SOURCE /* memmem */
#include "log_line.h"

#define NOTHING -1
#define BREAKS_MAX 12

/* c counts only where something is taken. */
typedef size_t (*take_fn)(const char *p, size_t n, int *c);

static bool starts(const char *p, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && !memcmp(p, with, len);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int nibble(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* So many hexadecimal digits, -1 if they are not. */
static int hex(const char *p, u32 digits)
{
	int v = 0;

	while (digits--) {
		int d = nibble(*p++);

		if (d < 0)
			return -1;
		v = v << 4 | d;
	}
	return v;
}

/* Characters that are written for plain ones. */
static int plain(u32 c)
{
	switch (c) {
	case 0xa0:
		return ' ';
	case 0x2018:
	case 0x2019:
		return '\'';
	case 0x201c:
	case 0x201d:
		return '"';
	case 0x200b:
	case 0xfeff:
		return NOTHING;
	}
	return c < 0x80 ? (int)c : '?';
}

/* Blanks, and what marks a quotation or a line that goes on. */
static size_t quote_length(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n) {
		if (p[i] == '<' && n - i > 2 && is_digit(p[i + 1])) {
			size_t j = i + 1;

			while (j < n && is_digit(p[j]))
				j++;
			if (j == n || p[j] != '>')
				break;
			i = j + 1;
		} else if (p[i] && strchr("> |\t+\r", p[i])) {
			i++;
		} else {
			break;
		}
	}
	return i;
}

static size_t line_end(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && (p[i] == '\r' || p[i] == ' ' || p[i] == '\t'))
		i++;
	return i < n && p[i] == '\n' ? i + 1 : 0;
}

/* The same where each blank counts: a mark has one behind it at most. */
static size_t strict_quote_length(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] == '>') {
		i++;
		i += i < n && p[i] == ' ';
	}
	return i;
}

/* =3D, or = at the end of a line, which goes on behind its quotation marks. */
static size_t take_qp(const char *p, size_t n, int *c)
{
	size_t end;

	if (*p != '=')
		return 0;
	end = line_end(p + 1, n - 1);
	if (end) {
		*c = NOTHING;
		end++;
		return end + strict_quote_length(p + end, n - end);
	}
	*c = n > 2 ? hex(p + 1, 2) : -1;
	if (*c < 0)
		return 0;
	return 3;
}

static size_t take_numbered(const char *p, size_t n, int *c)
{
	u32 base = n > 3 && (p[2] | 0x20) == 'x' ? 16 : 10;
	size_t i = base == 16 ? 3 : 2;
	u32 value = 0;

	for (; i < n && i < 9 && p[i] != ';'; i++) {
		int d = nibble(p[i]);

		if (d < 0 || d >= (int)base)
			return 0;
		value = value * base + (u32)d;
	}
	if (i == n || p[i] != ';')
		return 0;
	*c = plain(value);
	return i + 1;
}

static size_t take_html(const char *p, size_t n, int *c)
{
	static const struct {
		const char *name;
		int c;
	} names[] = {
		{ "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' },
		{ "&quot;", '"' }, { "&apos;", '\'' }, { "&nbsp;", ' ' },
		{ "&lsquo;", '\'' }, { "&rsquo;", '\'' }, { "&ldquo;", '"' },
		{ "&rdquo;", '"' }, { "<br>", '\n' }, { "<br/>", '\n' },
		{ "<br />", '\n' },
	};
	u32 i;

	if (starts(p, n, "&#"))
		return take_numbered(p, n, c);
	for (i = 0; i < HANG_ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i].name);

		if (!starts(p, n, names[i].name))
			continue;
		*c = names[i].c;
		return len + (*c == '\n' ? line_end(p + len, n - len) : 0);
	}
	return 0;
}

/* \n \" \x5c \u001b as in JSON and the kernel's own logs, #033 as in rsyslog's. */
static size_t take_escape(const char *p, size_t n, int *c)
{
	static const char from[] = "nrt\"\\/", to[] = "\n\r\t\"\\/";
	const char *found;

	if (starts(p, n, "#033")) {
		*c = '\033';
		return 4;
	}
	if (*p != '\\' || n < 2)
		return 0;
	found = p[1] ? strchr(from, p[1]) : NULL;
	if (found) {
		*c = to[found - from];
		return 2;
	}
	if (p[1] == 'x' && n >= 4 && hex(p + 2, 2) >= 0) {
		*c = hex(p + 2, 2);
		return 4;
	}
	if (p[1] == 'u' && n >= 6 && hex(p + 2, 4) >= 0) {
		*c = plain((u32)hex(p + 2, 4));
		return 6;
	}
	return 0;
}

u32 log_decode(const char *raw, size_t len, u32 codings, char *out, size_t size)
{
	static const struct {
		u32 coding;
		take_fn take;
	} rows[] = {
		{ LOG_QP, take_qp },
		{ LOG_HTML, take_html },
		{ LOG_ESCAPES, take_escape },
	};
	size_t used = 0, i = 0;
	u32 met = 0;

	while (i < len && used + 1 < size) {
		size_t n = 0;
		u32 row;
		int c;

		for (row = 0; row < HANG_ARRAY_SIZE(rows) && !n; row++) {
			if (!(codings & rows[row].coding))
				continue;
			n = rows[row].take(raw + i, len - i, &c);
			if (n)
				met |= rows[row].coding;
		}
		if (!n || c != NOTHING)
			out[used++] = n ? (char)c : raw[i];
		i += n ? n : 1;
	}
	out[used] = '\0';
	return met;
}

/* ESC [ ... m and the like, also where only ^[ or nothing is left of the ESC. */
static size_t take_colour(const char *p, size_t n, int *c)
{
	bool real = *p == '\033';
	size_t i = real, start;

	*c = NOTHING;
	if (starts(p, n, "^[")) {
		real = true;
		i = 2;
	}
	if (i == n || p[i] != '[')
		return *p == '\033';
	start = ++i;
	while (i < n && (is_digit(p[i]) || p[i] == ';' || p[i] == '?'))
		i++;
	if (i == n || !(real ? p[i] >= '@' && p[i] <= '~'
			     : p[i] == 'm' && i > start))
		return *p == '\033';
	return i + 1;
}

static size_t take_utf8(const char *p, size_t n, int *c)
{
	static const struct {
		const char *bytes;
		int c;
	} rows[] = {
		{ "\xc2\xa0", ' ' }, { "\xe2\x80\x98", '\'' },
		{ "\xe2\x80\x99", '\'' }, { "\xe2\x80\x9c", '"' },
		{ "\xe2\x80\x9d", '"' }, { "\xe2\x80\x8b", NOTHING },
		{ "\xef\xbb\xbf", NOTHING }, { "\xa0", ' ' },
	};
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(rows); i++) {
		if (!starts(p, n, rows[i].bytes))
			continue;
		*c = rows[i].c;
		return strlen(rows[i].bytes);
	}
	return 0;
}

/* The kernel's own words on a console that is too slow: ** ... ** in a line. */
static size_t take_lost(const char *p, size_t n, int *c)
{
	size_t i = 2;

	if (!starts(p, n, "**"))
		return 0;
	while (i < n && i < 64 && p[i] != '*' && p[i] != '\n')
		i++;
	if (!starts(p + i, n - i, "**") ||
	    !memmem(p, i, "printk message", 14))
		return 0;
	*c = NOTHING;
	return i + 2 + line_end(p + i + 2, n - i - 2);
}

/* [  412.000123] */
static bool is_stamp(const char *p, size_t n)
{
	size_t i = 1, dot;

	while (i < n && p[i] == ' ')
		i++;
	dot = i;
	while (dot < n && is_digit(p[dot]))
		dot++;
	if (p[0] != '[' || dot == i || dot + 7 >= n || p[dot] != '.')
		return false;
	for (i = dot + 1; i < dot + 7; i++)
		if (!is_digit(p[i]))
			return false;
	return p[dot + 7] == ']';
}

/* All that stands in a line and is no part of it. */
static size_t take_foreign(const char *p, size_t n, int *c)
{
	static const take_fn rows[] = { take_colour, take_utf8, take_lost };
	u32 row;

	if (*p > ' ' && *p < 0x7f && !strchr("[^*", *p))
		return 0;
	for (row = 0; row < HANG_ARRAY_SIZE(rows); row++) {
		int instead;
		size_t used = rows[row](p, n, &instead);

		if (!used)
			continue;
		*c = instead;
		return used;
	}
	if (*p == '\n' || ((u8)*p >= ' ' && *p != 0x7f))
		return 0;
	*c = *p == '\t' ? ' ' : NOTHING;
	return 1;
}

struct tidy {
	const char *text;
	size_t len;
	u32 join;
	u32 breaks;
	char *out;
	size_t used;
};

/* What is at the end of a line, 0: the text ends here. */
static size_t take_break(struct tidy *t, size_t i, int *c)
{
	u32 bit = t->breaks < 4 ? t->breaks : 3;

	if (t->join & LOG_ALONE || t->breaks == BREAKS_MAX)
		return 0;
	while (t->used && t->out[t->used - 1] == ' ')
		t->used--;
	t->breaks++;
	*c = t->join >> bit & 1 ? NOTHING : ' ';
	return 1 + quote_length(t->text + i + 1, t->len - i - 1);
}

/* Another's line that begins within ours; ours goes on behind it. */
static size_t take_cut(struct tidy *t, size_t i, int *c)
{
	const char *end = memchr(t->text + i, '\n', t->len - i);

	t->join &= ~LOG_CUT;
	*c = NOTHING;
	return end ? (size_t)(end - t->text) + 1 - i : 0;
}

u32 log_tidy(const char *text, u32 join, char *out, size_t size)
{
	struct tidy t = { text, strlen(text), join, 0, out, 0 };
	size_t i = 0;

	while (i < t.len && t.used + 1 < size) {
		int c = text[i];
		size_t n = take_foreign(text + i, t.len - i, &c);
		bool kept = false;

		if (!n && c == '\n') {
			n = take_break(&t, i, &c);
		} else if (!n && t.join & LOG_CUT &&
			   is_stamp(text + i, t.len - i)) {
			n = take_cut(&t, i, &c);
		} else if (!n) {
			n = 1;
			kept = true;
		}
		if (!n)
			break;
		i += n;
		if (kept || c != NOTHING)
			out[t.used++] = (char)c;
	}
	out[t.used] = '\0';
	return t.breaks;
}
