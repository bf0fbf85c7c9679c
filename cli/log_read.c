// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a file of any size, a piece at a time, and looks at what is behind each
 * mark. Files in UTF-16 are made plain first, and messages that a journal has
 * written as numbers of bytes are made text.
 */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd.h"
#include "log.h"

#define PIECE (1UL << 20)

/* What a line can begin with; the last two are the bytes of LOG_MARK. */
static const char *const marks[] = {
	LOG_MARK, "98,108,107,104,97,110,103",
	"98, 108, 107, 104, 97, 110, 103",
};
#define MARKS HANG_ARRAY_SIZE(marks)
#define MARK_MAX 32

/* After so many damaged lines in one file, no time is spent on further ones. */
#define HARD_MAX 2000

enum wide { WIDE_NO, WIDE_LITTLE, WIDE_BIG };

struct reader {
	struct log *log;
	const char *path;
	enum wide wide;
	bool begun;
	u32 bad;
	int odd;     /* the first byte of a character that was cut, or -1 */
	size_t len;
	char *buf;   /* what is looked at: 2 * PIECE */
	char *bytes; /* as read: PIECE */
};

/* Numbers with commas between them, as text. */
static size_t from_numbers(const char *p, size_t n, char *out, size_t size)
{
	size_t used = 0, i = 0;

	while (i < n && used < size) {
		u32 v = 0, digits = 0;

		while (i < n && digits < 4 && p[i] >= '0' && p[i] <= '9') {
			v = v * 10 + (u32)(p[i++] - '0');
			digits++;
		}
		if (!digits || v > 255)
			break;
		out[used++] = (char)v;
		while (i < n && (p[i] == ',' || p[i] == ' ' || p[i] == '\n'))
			i++;
	}
	return used;
}

static void look_at(struct reader *r, const char *p, size_t n, u32 mark)
{
	char text[LOG_WINDOW];
	struct log_frame f;

	if (n > LOG_WINDOW)
		n = LOG_WINDOW;
	if (mark) {
		n = from_numbers(p, n, text, sizeof(text));
		p = text;
	}
	switch (log_find(p, n, r->bad < HARD_MAX, &f)) {
	case LOG_WHOLE:
		log_add(r->log, &f, r->path);
		break;
	case LOG_DAMAGED:
		r->bad++;
		log_add_damaged(r->log, &f);
		break;
	case LOG_ODD:
		r->bad++;
		break;
	case LOG_NONE:
		break;
	}
}

/* The place of a mark at or behind from, the end if there is none. */
static size_t next_mark(const struct reader *r, size_t from, u32 mark)
{
	const char *p = memmem(r->buf + from, r->len - from, marks[mark],
			       strlen(marks[mark]));

	return p ? (size_t)(p - r->buf) : r->len;
}

/* Looks at all marks that have enough behind them; what is left stays. */
static void scan(struct reader *r, bool last)
{
	size_t next[MARKS];
	size_t done = r->len > MARK_MAX ? r->len - MARK_MAX : 0;
	u32 i;

	for (i = 0; i < MARKS; i++)
		next[i] = next_mark(r, 0, i);
	for (;;) {
		u32 best = 0;

		for (i = 1; i < MARKS; i++)
			if (next[i] < next[best])
				best = i;
		if (next[best] == r->len)
			break;
		if (!last && r->len - next[best] < LOG_WINDOW) {
			if (next[best] < done)
				done = next[best];
			break;
		}
		look_at(r, r->buf + next[best], r->len - next[best], best);
		if (next[best] >= done)
			done = next[best] + 1;
		next[best] = next_mark(r, next[best] + 1, best);
	}
	if (last)
		done = r->len;
	memmove(r->buf, r->buf + done, r->len - done);
	r->len -= done;
}

/* A mark at the beginning says so, or where the zeroes are does. */
static enum wide is_wide(const char *p, size_t n)
{
	size_t zero[2] = { 0, 0 };
	size_t i;

	if (n >= 2 && !memcmp(p, "\xff\xfe", 2))
		return WIDE_LITTLE;
	if (n >= 2 && !memcmp(p, "\xfe\xff", 2))
		return WIDE_BIG;
	if (n > 512)
		n = 512;
	for (i = 0; i < n; i++)
		zero[i & 1] += !p[i];
	if (n < 16 || zero[0] + zero[1] < n / 3)
		return WIDE_NO;
	if (!zero[0])
		return WIDE_LITTLE;
	return zero[1] ? WIDE_NO : WIDE_BIG;
}

static char narrow(u32 c)
{
	if (c < 0x100)
		return (char)c;
	if (c == 0x201c || c == 0x201d)
		return '"';
	return c == 0x2018 || c == 0x2019 ? '\'' : '?';
}

static void take_wide(struct reader *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		u32 c = (u8)r->bytes[i];

		if (r->odd < 0) {
			r->odd = (int)c;
			continue;
		}
		c = r->wide == WIDE_LITTLE ? c << 8 | (u32)r->odd
					   : (u32)r->odd << 8 | c;
		r->odd = -1;
		r->buf[r->len++] = narrow(c);
	}
}

static void take(struct reader *r, size_t n)
{
	if (!r->begun)
		r->wide = is_wide(r->bytes, n);
	r->begun = true;
	if (r->wide) {
		take_wide(r, n);
	} else {
		memcpy(r->buf + r->len, r->bytes, n);
		r->len += n;
	}
	scan(r, false);
}

static bool read_all(struct reader *r, int fd)
{
	for (;;) {
		ssize_t n = read(fd, r->bytes, PIECE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			hang_error("%s: %s", r->path, strerror(errno));
			return false;
		}
		if (!n)
			break;
		take(r, (size_t)n);
	}
	scan(r, true);
	return true;
}

bool log_read(struct log *log, int fd, const char *path)
{
	struct reader r = { .log = log, .path = path, .odd = -1 };
	bool good = false;

	r.buf = malloc(2 * PIECE);
	r.bytes = malloc(PIECE);
	if (r.buf && r.bytes)
		good = read_all(&r, fd);
	else
		hang_error("out of memory");
	free(r.buf);
	free(r.bytes);
	return good;
}
