// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints where BTF begins and ends in a dump, for the benchmark's base line,
 * which is not to pay for finding it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "../../cli/cmd.h"
#include "../../cli/vmcore.h"

void hang_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int main(int argc, char **argv)
{
	struct vmcore_options opt = { 0 };
	struct vmcore *vc = argc == 2 ? vmcore_open(argv[1], &opt) : NULL;
	u64 start, stop;

	if (!vc || hang_kallsyms_find(&vc->ks, "__start_BTF", &start) ||
	    hang_kallsyms_find(&vc->ks, "__stop_BTF", &stop))
		return 1;
	printf("0x%llx 0x%llx\n", start, stop);
	vmcore_close(vc);
	return 0;
}
