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
#include <blkhang/people.h>

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
	struct hang_people people;
	u64 default_age_ns;
	bool attached;
	bool debug; /* types were taken from debug information */
	void *mem;
	char *buf;
};

struct options {
	bool all;
	bool pointers;
	bool lacks;
	bool debug;
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
	hang_crash_types_close(&session->crash);
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

static void attach(struct session *ses)
{
	hang_crash_hold();
	if (!ses->debug)
		hang_crash_types_open(&ses->crash);
	ses->attached = !hang_attach(&ses->work);
	hang_crash_types_close(&ses->crash);
	hang_crash_release();
}

/* Opens the session at first use; false: it has been said why not. */
static bool session_open(bool debug)
{
	struct session *ses;

	if (session && session->attached && session->debug == debug)
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
	ses->debug = debug;
	attach(ses);
	if (!ses->attached) {
		error(INFO, "this kernel lacks what is needed:\n");
		print_lacks(ses, false);
	}
	hang_crash_end(&ses->crash);
	return ses->attached;
}

static void print_people_line(struct hang_people *p, enum hang_tone tone,
			      const char *line)
{
	(void)p;
	(void)tone;
	print_line(line);
}

static void report_people(struct session *ses)
{
	struct hang_people *p = &ses->people;

	p->line = print_people_line;
	p->all = "blkhang -a";
	p->explain = "!blkhang explain";
	hang_people_begin(p);
	hang_walk(&ses->work, &p->sink, false);
	hang_judge(&ses->work, &p->sink);
	hang_people_finish(p);
}

static void report_all(struct session *ses, const struct options *opt)
{
	struct hang_report *r = &ses->report;

	r->buf = ses->buf;
	r->size = REPORT_SIZE;
	r->max_lines = LINES_MAX;
	r->pointers = opt->pointers;
	r->line = print_report_line;
	hang_report_begin(r);
	hang_walk(&ses->work, &r->sink, false);
	hang_report_finish(r, &ses->work);
}

static void report(struct session *ses, const struct options *opt)
{
	ses->work.cfg.age_ns = opt->age_ns ? opt->age_ns : ses->default_age_ns;
	if (opt->all)
		report_all(ses, opt);
	else
		report_people(ses);
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

	while ((c = getopt(argcnt, args, "adlpt:")) != EOF) {
		switch (c) {
		case 'a':
			opt->all = true;
			break;
		case 'd':
			opt->debug = true;
			break;
		case 'l':
			opt->lacks = true;
			break;
		case 'p':
			opt->all = opt->pointers = true;
			break;
		case 't':
			if (!parse_age(optarg, &opt->age_ns))
				return false;
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
	if (!session_open(opt.debug))
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
	"[-adp] [-t seconds] | [-d] -l",
	"  Walks every CPU's completion queues and every disk's tags, and tells who is",
	"  at fault: each verdict with the evidence it rests on, the tasks that wait",
	"  and for what, what to do next, how many requests are at which stage, and",
	"  what was looked at. Stages are allocated, issued to the driver, completed",
	"  but not ended, and timed out; \"dev -d\" counts only those that are issued.",
	"",
	"  With -a, everything that was found is printed instead: CPUs, disks, hardware",
	"  queues and requests, and what could not be read, as \"fault\". Each line",
	"  begins with its type and stands alone, so that it can be searched for. CPUs",
	"  and queues with nothing to tell are left out.",
	"",
	"  A request counts as stuck when it is older than its timeout. In a dump",
	"  taken before that, give a limit with -t.",
	"",
	"  Types, those of modules too, are told by the kernel itself, by its BTF.",
	"  Where it has none, they come from debug information: for what is in",
	"  modules use \"mod -s\" before, and the first use takes some seconds.",
	"",
	"    -a          Print all that was found, each record on lines of its own.",
	"    -p          The same, with kernel addresses: requests, queues, calls.",
	"    -d          Take types from debug information even so.",
	"    -t seconds  A request older than this is stuck.",
	"    -l          Print instead which facts this kernel does not have, and",
	"                what that means.",
	"\nEXAMPLES",
	"  Ask who is at fault six seconds into a hang:\n",
	"    crash> blkhang -t 5",
	"    HANG: CPU 1 was never told of 3 finished requests of vda: the call is queued, the CPU runs and takes",
	"      ticks, so the IPI was lost.",
	"      completion-ipi-lost, confidence high, CPU 1, disk vda, 3 requests",
	"      - blk_cpu_done: 3 requests; call_single_queue: 1 for block completion",
	"      - oldest of them began 6.461s ago, limit 5.000s",
	"      - its timer tick is not overdue",
	"      - it runs io, pid 142",
	"",
	"    3 waiting tasks",
	"      PID  COMMAND  STATE   SLEPT  WAITS FOR",
	"      145  io       D      6.463s  its I/O on vda, hctx 0, tag 218, completed",
	"      143  io       D      6.445s  its I/O on vda, hctx 0, tag 219, completed",
	"      144  io       D      6.440s  its I/O on vda, hctx 0, tag 220, completed",
	"",
	"    What to do",
	"      - suspect interrupt controller, hypervisor or CPU erratum",
	"      - the queue also runs when that CPU goes idle: stop what keeps it busy",
	"      - more about it: !blkhang explain completion-ipi-lost",
	"    ...",
	"",
	"  See all requests, one line each:\n",
	"    crash> blkhang -a | grep '^rq.*stage='",
	"    rq disk=vda hctx=0 tag=218 itag=157 stage=completed op=READ cpu=1 done=1 age=6.461s seen=1",
	"    rq disk=vda hctx=0 tag=219 itag=158 stage=completed op=READ cpu=1 done=1 age=6.445s seen=1",
	"    rq disk=vda hctx=0 tag=220 itag=159 stage=completed op=READ cpu=1 done=1 age=6.438s seen=1",
	"",
	"  Look at one of them by its address:\n",
	"    crash> blkhang -p | grep itag=157 | grep -o addr=.*",
	"    addr=0xffff8cf9db05eb80",
	"    crash> struct request.state,tag 0xffff8cf9db05eb80",
	"      state = MQ_RQ_COMPLETE,",
	"      tag = 218,",
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
