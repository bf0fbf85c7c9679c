// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command "blkhang" of crash: options, memory and output. The constructor
 * only registers it, so that an extend line in .crashrc costs nothing; layout
 * and memory come with the first use, and stay until the extension is unloaded.
 *
 * Crash leaves a command by longjmp() at Ctrl-C, anywhere: so all that is owned
 * hangs on one static pointer, and a session half made is thrown away.
 */
#include <blkhang/format.h>

#include "target_crash.h"

#include <defs.h>

#define LINES_MAX 100000
#define REPORT_SIZE (32 << 20) /* touched only as far as lines need it */
#define AGE_MAX_SEC 1000000000UL
#define NSEC_PER_SEC 1000000000ULL

struct session {
	struct hang_crash crash;
	struct hang_work work;
	struct hang_report report;
	u64 default_age_ns;
	bool attached;
	void *mem;
	char *buf;
};

struct options {
	bool pointers;
	bool lacks;
	u64 age_ns; /* 0: not given */
};

static struct session *session;

static const struct hang_caps caps = {
	.cpus = 8192,
	.queues = 4096,
	.requests = 65536,
};

static void session_close(void)
{
	if (!session)
		return;
	free(session->mem);
	free(session->buf);
	free(session);
	session = NULL;
}

static bool session_alloc(void)
{
	session = calloc(1, sizeof(*session));
	if (!session)
		return false;
	session->mem = calloc(1, hang_mem_size(&caps));
	session->buf = malloc(REPORT_SIZE);
	return session->mem && session->buf;
}

static void print_line(const char *line)
{
	fprintf(fp, "%s\n", line);
}

static void print_report_line(struct hang_report *r, const char *line)
{
	(void)r;
	print_line(line);
}

static void print_record(struct hang_sink *sink, const struct hang_rec *rec)
{
	char line[HANG_LINE_MAX];
	u32 field = 0;

	(void)sink;
	while (field < hang_rec_nr_fields(rec->type)) {
		struct hang_str s;

		hang_str_init(&s, line, sizeof(line));
		hang_render(&s, rec, &field, true);
		print_line(line);
	}
}

static void print_lacks(struct session *ses, bool optional)
{
	struct hang_sink sink = { .record = print_record };

	hang_lacks(&ses->work, &sink, optional);
}

/* Opens the session at first use; false: it has been said why not. */
static bool session_open(void)
{
	struct session *ses;

	if (session && session->attached)
		return true;
	session_close();
	if (!session_alloc()) {
		error(INFO, "not enough memory\n");
		return false;
	}
	ses = session;
	hang_crash_init(&ses->crash);
	hang_crash_begin(&ses->crash);
	hang_work_init(&ses->work, &ses->crash.target, &caps, ses->mem);
	ses->default_age_ns = ses->work.cfg.age_ns;
	hang_crash_hold();
	ses->attached = !hang_attach(&ses->work);
	hang_crash_release();
	if (!ses->attached) {
		error(INFO, "this kernel lacks what is needed:\n");
		print_lacks(ses, false);
	}
	hang_crash_end(&ses->crash);
	return ses->attached;
}

static void report(struct session *ses, const struct options *opt)
{
	struct hang_report *r = &ses->report;

	r->buf = ses->buf;
	r->size = REPORT_SIZE;
	r->max_lines = LINES_MAX;
	r->pointers = opt->pointers;
	r->line = print_report_line;
	ses->work.cfg.age_ns = opt->age_ns ? opt->age_ns : ses->default_age_ns;
	hang_report_begin(r);
	hang_walk(&ses->work, &r->sink, false);
	hang_report_finish(r, &ses->work);
}

static bool parse_age(const char *text, u64 *age_ns)
{
	unsigned long sec;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	sec = strtoul(text, &end, 10);
	if (*end || !sec || sec > AGE_MAX_SEC)
		return false;
	*age_ns = sec * NSEC_PER_SEC;
	return true;
}

static bool parse_options(struct options *opt)
{
	int c;

	while ((c = getopt(argcnt, args, "a:lp")) != EOF) {
		switch (c) {
		case 'a':
			if (!parse_age(optarg, &opt->age_ns))
				return false;
			break;
		case 'l':
			opt->lacks = true;
			break;
		case 'p':
			opt->pointers = true;
			break;
		default:
			return false;
		}
	}
	return optind == argcnt;
}

static void cmd_blkhang(void)
{
	struct options opt = { 0 };

	if (!parse_options(&opt)) {
		cmd_usage(pc->curcmd, SYNOPSIS);
		return;
	}
	if (!session_open())
		return;
	hang_crash_begin(&session->crash);
	if (opt.lacks)
		print_lacks(session, true);
	else
		report(session, &opt);
	hang_crash_end(&session->crash);
}

static char *help_blkhang[] = {
	"blkhang",
	"where every block I/O request is, and who is at fault",
	"[-p] [-a seconds] | -l",
	"  Walks every CPU's completion queues and every disk's tags, and tells for",
	"  each request whether it is allocated, issued to the driver, completed but",
	"  not ended, or timed out. Completed ones are shown as well: \"dev -d\" counts",
	"  only those that are issued. Verdicts stand first, each with the evidence",
	"  it rests on and with what to do next; then follow CPUs, disks, hardware",
	"  queues and requests, and what could not be read, as \"fault\". CPUs and",
	"  queues with nothing to tell are left out. Each line begins with its type",
	"  and stands alone, so that it can be searched for.",
	"",
	"  A request counts as stuck when it is older than its timeout. In a dump",
	"  taken before that, give a limit with -a.",
	"",
	"  The first use takes a second or two: it looks up the kernel's types.",
	"",
	"    -p          Print kernel addresses too: requests, queues, calls.",
	"    -a seconds  A request older than this is stuck.",
	"    -l          Print instead which facts this kernel does not have, and",
	"                what that means.",
	"\nEXAMPLES",
	"  Ask who is at fault six seconds into a hang:\n",
	"    crash> blkhang -a 5 | head -9",
	"    verdict id=completion-ipi-lost confidence=high cpu=1 disk=vda requests=2 empty=9",
	"    say CPU 1 was never told of 2 finished requests of vda: the call is queued,",
	"    say the CPU runs and takes ticks, so the IPI was lost.",
	"    evidence blk_cpu_done: 2 requests; call_single_queue: 1 for block completion",
	"    evidence oldest of them began 6.044s ago, limit 5.000s",
	"    evidence its timer tick is not overdue",
	"    evidence it runs io, pid 132",
	"    next suspect interrupt controller, hypervisor or CPU erratum",
	"    next the queue also runs when that CPU goes idle: stop what keeps it busy",
	"",
	"  See all requests, one line each:\n",
	"    crash> blkhang | grep stage=",
	"    rq disk=vda hctx=0 tag=88 itag=152 stage=completed op=READ cpu=1 done=1 age=6.044s seen=1",
	"    rq disk=vda hctx=0 tag=89 itag=153 stage=completed op=READ cpu=1 done=1 age=6.038s seen=1",
	"    rq disk=vdd hctx=0 tag=64 itag=64 stage=issued op=READ cpu=2 age=6.029s seen=1",
	"",
	"  Look at one of them by its address:\n",
	"    crash> blkhang -p | grep tag=64 | grep -o addr=.*",
	"    addr=0xffff8a4cd3446000",
	"    crash> struct request.state,tag 0xffff8a4cd3446000",
	"      state = MQ_RQ_IN_FLIGHT,",
	"      tag = 64,",
	NULL
};

static struct command_table_entry commands[] = {
	{ "blkhang", cmd_blkhang, help_blkhang, 0 },
	{ NULL, NULL, NULL, 0 },
};

static void __attribute__((constructor)) blkhang_load(void)
{
	register_extension(commands);
}

static void __attribute__((destructor)) blkhang_unload(void)
{
	session_close();
}
