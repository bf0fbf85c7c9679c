// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blkhang slice: a dump of only what the decoder reads. The decoder is run over
 * the original while every byte it touches is noted, with the page tables on
 * the way there; then those bytes are written, and all others in the same pages
 * are zero, but for the kernel's own image.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libkdumpfile/addrxlat.h>

#include "cmd.h"
#include "kdump.h"
#include "vmcore.h"

#define PAGE_MASK ((u64)KDUMP_PAGE - 1)
#define KERNEL_IMAGE 0xffffffff80000000ULL
#define REGS 27 /* of struct user_regs_struct */
#define PRSTATUS_SIZE 336
#define PRSTATUS_REG 112

static const char *const reg_names[REGS] = {
	"r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8",
	"rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip", "cs", "rflags",
	"rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs",
};

struct slicer {
	struct vmcore *vc;
	addrxlat_ctx_t *ax;
	addrxlat_sys_t *sys;
	struct kdump_page *pages;
	size_t count, room;
	u32 *slots; /* page numbers, hashed, to index + 1 */
	u32 nr_slots;
	bool failed;
};

static u32 slot_of(const struct slicer *s, u64 pfn)
{
	u32 i = (u32)(pfn * 2654435761u) & (s->nr_slots - 1);

	while (s->slots[i] && s->pages[s->slots[i] - 1].pfn != pfn)
		i = (i + 1) & (s->nr_slots - 1);
	return i;
}

static bool grow(struct slicer *s)
{
	size_t room = s->room ? s->room * 2 : 4096;
	struct kdump_page *pages = realloc(s->pages, room * sizeof(*pages));
	u32 *slots = calloc(room * 4, sizeof(*slots));
	size_t i;

	if (pages)
		s->pages = pages;
	if (!pages || !slots) {
		free(slots);
		s->failed = true;
		return false;
	}
	free(s->slots);
	s->slots = slots;
	s->nr_slots = room * 4;
	s->room = room;
	for (i = 0; i < s->count; i++)
		s->slots[slot_of(s, s->pages[i].pfn)] = i + 1;
	return true;
}

/* The page that will be written for pfn, zero at first. */
static u8 *page_at(struct slicer *s, u64 pfn)
{
	u32 i;

	if (s->count == s->room && !grow(s))
		return NULL;
	i = slot_of(s, pfn);
	if (!s->slots[i]) {
		u8 *data = calloc(1, KDUMP_PAGE);

		if (!data) {
			s->failed = true;
			return NULL;
		}
		s->pages[s->count].pfn = pfn;
		s->pages[s->count].data = data;
		s->slots[i] = ++s->count;
	}
	return s->pages[s->slots[i] - 1].data;
}

/* Copies bytes within one physical page from the original. */
static void keep_phys(struct slicer *s, u64 phys, size_t len)
{
	u8 *page = page_at(s, phys / KDUMP_PAGE);

	if (page && kdump_read(s->vc->ctx, KDUMP_MACHPHYSADDR, phys,
			       page + (phys & PAGE_MASK), &len) != KDUMP_OK)
		kdump_clear_err(s->vc->ctx);
}

/*
 * Walks the page tables to addr. Tables are kept whole: a reader may scan them
 * to find out how memory is mapped. False where addr is not mapped.
 */
static bool walk_tables(struct slicer *s, u64 addr, u64 *phys)
{
	addrxlat_step_t step = {
		.ctx = s->ax, .sys = s->sys,
		.meth = addrxlat_sys_get_meth(s->sys, ADDRXLAT_SYS_METH_PGT),
	};
	addrxlat_fulladdr_t at;

	if (addrxlat_launch(&step, addr) != ADDRXLAT_OK)
		return false;
	while (step.remain) {
		at = step.base;
		if (step.remain > 1 &&
		    addrxlat_fulladdr_conv(&at, ADDRXLAT_MACHPHYSADDR, s->ax,
					   s->sys) == ADDRXLAT_OK)
			keep_phys(s, at.addr & ~PAGE_MASK, KDUMP_PAGE);
		if (addrxlat_step(&step) != ADDRXLAT_OK)
			return false;
	}
	at = step.base;
	if (addrxlat_fulladdr_conv(&at, ADDRXLAT_MACHPHYSADDR, s->ax, s->sys) !=
	    ADDRXLAT_OK)
		return false;
	*phys = at.addr;
	return true;
}

/*
 * The kernel's and the modules' own code and data are kept by whole pages: they
 * are no user's, and a later decoder may want a neighbour.
 */
static void keep(struct slicer *s, u64 addr, u64 phys, size_t len)
{
	if (addr >= KERNEL_IMAGE)
		keep_phys(s, phys & ~PAGE_MASK, KDUMP_PAGE);
	else
		keep_phys(s, phys, len);
}

static void touched(struct vmcore *vc, u64 addr, size_t len)
{
	struct slicer *s = vc->opt.touched_arg;
	u64 phys;

	if (!s->ax && kdump_get_addrxlat(vc->ctx, &s->ax, &s->sys) != KDUMP_OK) {
		kdump_clear_err(vc->ctx);
		s->failed = true;
	}
	s->vc = vc;

	while (len && !s->failed) {
		size_t n = KDUMP_PAGE - (addr & PAGE_MASK);

		if (n > len)
			n = len;
		if (walk_tables(s, addr, &phys))
			keep(s, addr, phys, n);
		addr += n;
		len -= n;
	}
}

static int by_pfn(const void *a, const void *b)
{
	u64 x = ((const struct kdump_page *)a)->pfn;
	u64 y = ((const struct kdump_page *)b)->pfn;

	return x < y ? -1 : x > y;
}

/* One NT_PRSTATUS note for each CPU whose registers the original has. */
static void *make_notes(struct vmcore *vc, size_t *size, u32 *nr_cpus)
{
	static const char name[8] = "CORE";
	Elf64_Nhdr hdr = { sizeof("CORE"), PRSTATUS_SIZE, NT_PRSTATUS };
	size_t each = sizeof(hdr) + sizeof(name) + PRSTATUS_SIZE;
	kdump_num_t cpus = 0, value;
	u8 *notes, *p;
	u32 cpu, i;

	kdump_get_number_attr(vc->ctx, KDUMP_ATTR_NUM_CPUS, &cpus);
	*nr_cpus = cpus;
	notes = calloc(cpus + 1, each);
	p = notes;
	for (cpu = 0; notes && cpu < cpus; cpu++, p += each) {
		memcpy(p, &hdr, sizeof(hdr));
		memcpy(p + sizeof(hdr), name, sizeof(name));
		for (i = 0; i < REGS; i++) {
			char key[64];

			snprintf(key, sizeof(key), "cpu.%u.reg.%s", cpu,
				 reg_names[i]);
			if (kdump_get_number_attr(vc->ctx, key, &value) !=
			    KDUMP_OK) {
				kdump_clear_err(vc->ctx);
				continue;
			}
			memcpy(p + sizeof(hdr) + sizeof(name) + PRSTATUS_REG +
			       i * 8, &value, 8);
		}
	}
	*size = cpus * each;
	return notes;
}

static int write_out(struct slicer *s, const char *out)
{
	struct kdump_content c = { .release = "", .pages = s->pages,
				   .nr_pages = s->count,
				   .info = s->vc->info };
	const char *base;
	char release[64] = "";
	void *notes;
	FILE *f;
	int err;

	notes = make_notes(s->vc, &c.notes_size, &c.nr_cpus);
	c.notes = notes;
	base = hang_vmcoreinfo(c.info, strlen(c.info), "NUMBER(phys_base)");
	c.phys_base = base ? strtoull(base, NULL, 0) : 0;
	base = hang_vmcoreinfo(c.info, strlen(c.info), "OSRELEASE");
	if (base)
		sscanf(base, "%63[^\n]", release);
	c.release = release;
	qsort(s->pages, s->count, sizeof(*s->pages), by_pfn);
	f = fopen(out, "wbe");
	err = f && notes ? kdump_write(f, &c) : -errno;
	if (f && fclose(f) && !err)
		err = -errno;
	free(notes);
	if (err) {
		hang_error("%s: %s", out, strerror(-err));
		return HANG_EXIT_ERROR;
	}
	fprintf(stderr, "%s: %zu pages\n", out, s->count);
	return HANG_EXIT_OK;
}

static int slice(struct slicer *s, struct vmcore *vc, struct hang_work *w,
		 const char *out)
{
	if (!vc->info) {
		hang_error("a dump without VMCOREINFO can't be sliced");
		return HANG_EXIT_ERROR;
	}
	vc->w = w;
	if (hang_attach(w)) {
		hang_error("this kernel does not have what is needed");
		return HANG_EXIT_UNCLEAR;
	}
	hang_walk(w, NULL, false);
	/* So that symbols can be found which this decoder did not look for. */
	if (vc->have_ks && vc->ks.offsets)
		touched(vc, vc->ks.offsets, vc->ks.count * 4);
	if (!s->failed && s->count)
		return write_out(s, out);
	hang_error("page tables or memory could not be had");
	return HANG_EXIT_ERROR;
}

static void slicer_free(struct slicer *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->pages[i].data);
	free(s->pages);
	free(s->slots);
	if (s->sys)
		addrxlat_sys_decref(s->sys);
	if (s->ax)
		addrxlat_ctx_decref(s->ax);
}

static int run_on(const char *path, const char *out)
{
	static const struct hang_caps caps = {
		.cpus = 8192, .queues = 8192, .requests = 262144,
	};
	struct slicer s = { 0 };
	struct vmcore_options opt = { .touched = touched, .touched_arg = &s };
	struct vmcore *vc = vmcore_open(path, &opt);
	struct hang_work *w = malloc(sizeof(*w));
	void *mem = calloc(1, hang_mem_size(&caps));
	int code = HANG_EXIT_ERROR;

	if (vc && w && mem) {
		hang_work_init(w, &vc->t, &caps, mem);
		code = slice(&s, vc, w, out);
	}
	slicer_free(&s);
	free(mem);
	free(w);
	if (vc)
		vmcore_close(vc);
	return code;
}

static int help(void)
{
	puts("Usage: blkhang slice -o FILE VMCORE\n"
	     "\n"
	     "Writes a small kdump-compressed dump with only what 'blkhang decode'\n"
	     "reads: the same report from a file that can be attached to a bug.\n"
	     "Other bytes are zero, but for the kernel's own image.\n"
	     "\n"
	     "Options:\n"
	     "  -o, --output=FILE  the file to write\n"
	     "      --help         show this text");
	return hang_close_stdout(HANG_EXIT_OK);
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *out = NULL;
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
		if (c == 'h')
			return help();
		if (c != 'o')
			break;
		out = optarg;
	}
	if (c != -1 || !out || argc - optind != 1) {
		hang_error("one dump and -o FILE are needed; try 'blkhang slice"
			   " --help'");
		return HANG_EXIT_ERROR;
	}
	return run_on(argv[optind], out);
}

const struct hang_cmd hang_cmd_slice = {
	.name = "slice",
	.summary = "write a small dump of what decode reads",
	.run = run,
};
