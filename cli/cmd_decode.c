// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blkhang decode: the report from a vmcore.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "show.h"
#include "vmcore.h"

#define NSEC_PER_SEC 1000000000ULL

struct options {
	struct show_options show;
	u64 age_ns;
	struct vmcore_options vmcore;
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "all", no_argument, NULL, 'a' },
	{ "age", required_argument, NULL, 't' },
	{ "pointers", no_argument, NULL, 'p' },
	{ "lacks", no_argument, NULL, 'l' },
	{ "vmlinux", required_argument, NULL, 'v' },
	{ "system-map", required_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int help(void)
{
	puts("Usage: blkhang decode [OPTION]... VMCORE\n"
	     "\n"
	     "Tells where every block request in a crash dump is, and who is at\n"
	     "fault. Reads ELF, kdump-compressed and flattened dumps; types and\n"
	     "symbols come from the dump itself.\n"
	     "\n"
	     "The report is for people to read; all that was found is in the\n"
	     "lines of --all, which are the same in every home of the decoder,\n"
	     "and in JSON.\n"
	     "\n"
	     "Options:\n"
	     "  -a, --all              each record on lines of its own\n"
	     "  -j, --json             write JSON\n"
	     "  -t, --age=SECONDS      a request older than this is stuck\n"
	     "                         (default: its own timeout)\n"
	     "  -p, --pointers         --all, with kernel addresses\n"
	     "  -l, --lacks            --all, with what this kernel does not have\n"
	     "      --vmlinux=FILE     symbols and BTF where the dump lacks them\n"
	     "      --system-map=FILE  symbols where the dump lacks them\n"
	     "      --help             show this text\n"
	     "\n"
	     "Exit status: 0 no hang, 1 a hang was found, 2 usage or input error,\n"
	     "3 could not see enough to say.");
	return hang_close_stdout(HANG_EXIT_OK);
}

static bool parse_age(const char *s, u64 *ns)
{
	char *end;
	double seconds = strtod(s, &end);

	if (end == s || *end || !(seconds > 0) || seconds > 1e9)
		return false;
	*ns = (u64)(seconds * NSEC_PER_SEC);
	return true;
}

/* 1 to go on, else what parse_options() was asked for is done: an exit code. */
static int parse_option(int c, struct options *opt, int *code)
{
	switch (c) {
	case 'j':
		opt->show.form = SHOW_JSON;
		return 1;
	case 'a':
		opt->show.form = SHOW_ALL;
		return 1;
	case 'p':
		opt->show.pointers = true;
		opt->show.form = SHOW_ALL;
		return 1;
	case 'l':
		opt->show.lacks = true;
		opt->show.form = SHOW_ALL;
		return 1;
	case 'v':
		opt->vmcore.vmlinux = optarg;
		return 1;
	case 's':
		opt->vmcore.system_map = optarg;
		return 1;
	case 't':
		if (parse_age(optarg, &opt->age_ns))
			return 1;
		hang_error("'%s' is no number of seconds", optarg);
		break;
	case 'h':
		*code = help();
		return 0;
	default:
		break;
	}
	hang_error("try 'blkhang decode --help'");
	*code = HANG_EXIT_ERROR;
	return 0;
}

static void print_missing(const struct hang_work *w, const char *path)
{
	u32 i;

	hang_error("%s: this kernel does not have what is needed:", path);
	for (i = 0; i < L_COUNT; i++)
		if (hang_rows[i].required && !w->layout.loc[i].alt)
			hang_error("  %s", hang_rows[i].spec);
}

static int decode(struct vmcore *vc, struct hang_work *w, const char *path,
		  const struct options *opt)
{
	struct hang_source src = { .path = path };
	const char *format = "dump";
	char type[64];

	kdump_get_string_attr(vc->ctx, KDUMP_ATTR_FILE_FORMAT, &format);
	snprintf(type, sizeof(type), "%s%s", vc->format, format);
	src.format = type;
	if (opt->age_ns)
		w->cfg.age_ns = opt->age_ns;
	vc->w = w;
	if (hang_attach(w)) {
		print_missing(w, path);
		return HANG_EXIT_UNCLEAR;
	}
	return show_work(w, &src, &opt->show);
}

static int run_on(const char *path, const struct options *opt)
{
	static const struct hang_caps caps = {
		.cpus = 8192, .queues = 8192, .requests = 262144,
	};
	struct vmcore *vc = vmcore_open(path, &opt->vmcore);
	struct hang_work *w = malloc(sizeof(*w));
	void *mem = calloc(1, hang_mem_size(&caps));
	int code = HANG_EXIT_ERROR;

	if (vc && w && mem) {
		hang_work_init(w, &vc->t, &caps, mem);
		code = decode(vc, w, path, opt);
	} else if (vc) {
		hang_error("out of memory");
	}
	free(mem);
	free(w);
	if (vc)
		vmcore_close(vc);
	return hang_close_stdout(code);
}

static int run(int argc, char **argv)
{
	struct options opt = { 0 };
	int code, c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "ajt:plh", long_options, NULL)) != -1)
		if (!parse_option(c, &opt, &code))
			return code;
	if (argc - optind != 1) {
		hang_error("%s; try 'blkhang decode --help'", argc == optind ?
			   "no dump given" : "more than one dump given");
		return HANG_EXIT_ERROR;
	}
	return run_on(argv[optind], &opt);
}

const struct hang_cmd hang_cmd_decode = {
	.name = "decode",
	.summary = "report from a vmcore",
	.run = run,
};
