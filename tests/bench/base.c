// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bare minimum that anything without debug information must do: open the
 * dump with libkdumpfile and read all of its BTF. Arguments: dump, and the
 * addresses where BTF begins and ends.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include <libkdumpfile/kdumpfile.h>

int main(int argc, char **argv)
{
	kdump_ctx_t *ctx = kdump_new();
	unsigned long long start, stop;
	size_t len;
	char *buf;

	if (argc != 4 || !ctx)
		return 2;
	start = strtoull(argv[2], NULL, 16);
	stop = strtoull(argv[3], NULL, 16);
	len = stop - start;
	buf = malloc(len);
	/* QEMU's kdump headers do not say it in a way the library believes. */
	kdump_set_string_attr(ctx, KDUMP_ATTR_ARCH_NAME, KDUMP_ARCH_X86_64);
	if (!buf || kdump_open_fd(ctx, open(argv[1], O_RDONLY)) != KDUMP_OK ||
	    kdump_set_string_attr(ctx, KDUMP_ATTR_OSTYPE, "linux") != KDUMP_OK ||
	    kdump_read(ctx, KDUMP_KVADDR, start, buf, &len) != KDUMP_OK) {
		fprintf(stderr, "base: %s\n", kdump_get_err(ctx));
		return 2;
	}
	kdump_free(ctx);
	return 0;
}
