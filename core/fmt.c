// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text without printf: the core runs where there is none.
 */
#include <blkhang/fmt.h>

void hang_str_init(struct hang_str *s, char *buf, size_t size)
{
	s->buf = buf;
	s->size = size;
	s->len = 0;
	buf[0] = '\0';
}

void hang_put_char(struct hang_str *s, char c)
{
	if (s->len + 1 >= s->size)
		return;
	s->buf[s->len++] = c;
	s->buf[s->len] = '\0';
}

void hang_put(struct hang_str *s, const char *text)
{
	while (*text)
		hang_put_char(s, *text++);
}

static void put_radix(struct hang_str *s, u64 value, u32 radix, u32 min_digits)
{
	char digits[20];
	u32 n = 0;

	do {
		digits[n++] = "0123456789abcdef"[hang_mod64(value, radix)];
		value = hang_div64(value, radix);
	} while (value);
	while (n < min_digits)
		digits[n++] = '0';
	while (n)
		hang_put_char(s, digits[--n]);
}

void hang_put_dec(struct hang_str *s, u64 value)
{
	put_radix(s, value, 10, 1);
}

void hang_put_int(struct hang_str *s, s64 value)
{
	if (value < 0)
		hang_put_char(s, '-');
	hang_put_dec(s, value < 0 ? -(u64)value : (u64)value);
}

void hang_put_hex(struct hang_str *s, u64 value)
{
	hang_put(s, "0x");
	put_radix(s, value, 16, 1);
}

void hang_put_time(struct hang_str *s, u64 ns)
{
	u64 ms = hang_div64(ns, 1000000);

	hang_put_dec(s, hang_div64(ms, 1000));
	hang_put_char(s, '.');
	put_radix(s, hang_mod64(ms, 1000), 10, 3);
	hang_put_char(s, 's');
}

void hang_put_count(struct hang_str *s, u64 n, const char *thing)
{
	hang_put_dec(s, n);
	hang_put_char(s, ' ');
	hang_put(s, thing);
	if (n != 1)
		hang_put_char(s, 's');
}

size_t hang_piece(const char *text, size_t room)
{
	size_t len = strlen(text);
	size_t cut = room;

	if (len <= room)
		return len;
	while (cut && text[cut] != ' ')
		cut--;
	return cut ? cut : room;
}
