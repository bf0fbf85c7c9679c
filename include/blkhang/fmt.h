/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded string under construction. Nothing here fails: what does not fit
 * is cut, and the string is always terminated.
 */
#ifndef BLKHANG_FMT_H
#define BLKHANG_FMT_H

#include "port.h"

struct hang_str {
	char *buf;
	size_t size;
	size_t len;
};

/* Begins an empty string in buf, which holds size bytes (at least 1). */
void hang_str_init(struct hang_str *s, char *buf, size_t size);

/* Appends one character, a string, a number, or hexadecimal digits. */
void hang_put_char(struct hang_str *s, char c);
void hang_put(struct hang_str *s, const char *text);
void hang_put_dec(struct hang_str *s, u64 value);
void hang_put_int(struct hang_str *s, s64 value);
void hang_put_hex(struct hang_str *s, u64 value);

/* Appends nanoseconds as seconds with three decimals: "12.345s". */
void hang_put_time(struct hang_str *s, u64 ns);

/* Appends "n thing" or "n things". */
void hang_put_count(struct hang_str *s, u64 n, const char *thing);

/* How many characters of text fit a line, broken at a blank if possible. */
size_t hang_piece(const char *text, size_t room);

#endif
