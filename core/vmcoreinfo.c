// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VMCOREINFO: lines of KEY=value that the kernel keeps for those who read its
 * memory (kernel/vmcore_info.c).
 */
#include <blkhang/kallsyms.h>

const char *hang_vmcoreinfo(const char *info, size_t len, const char *key)
{
	size_t klen = strlen(key);
	size_t at = 0;

	while (at + klen < len) {
		if (!memcmp(info + at, key, klen) && info[at + klen] == '=')
			return info + at + klen + 1;
		while (at < len && info[at] != '\n')
			at++;
		at++;
	}
	return NULL;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

int hang_vmcoreinfo_symbol(const char *info, size_t len, const char *name,
			   u64 *addr)
{
	const char *end = info + len;
	const char *p;
	char key[64];
	size_t n = strlen(name);

	if (n + 9 > sizeof(key))
		return -ENOENT;
	memcpy(key, "SYMBOL(", 7);
	memcpy(key + 7, name, n);
	memcpy(key + 7 + n, ")", 2);
	p = hang_vmcoreinfo(info, len, key);
	if (!p || p == end || hex_digit(*p) < 0)
		return -ENOENT;
	for (*addr = 0; p < end && hex_digit(*p) >= 0; p++)
		*addr = *addr << 4 | hex_digit(*p);
	return 0;
}
