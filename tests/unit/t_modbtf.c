// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types in modules: which are offered to the target, and what becomes of rows
 * when a module with their types comes or goes.
 */
#include "fake.h"

/* Fields of this test's own. */
enum { LIST = 16, MODULE = 8, BTF = 40, NAME = 24, DATA = 8, DATA_SIZE = 32 };

static struct fake *f;
static struct hang_target_ops ops;
static u64 offered[8];
static u32 nr_offered;
static const char *comes; /* with the types that are offered */

static int take_types(struct hang_target *t, u64 addr, u32 size)
{
	(void)t;
	offered[nr_offered++ % 8] = addr + size;
	if (comes)
		fake_restore(f, comes);
	return 0;
}

static void set_row(enum hang_row_id row, u64 value, u32 size)
{
	f->w->layout.loc[row] = (struct hang_loc){ value, size, 1, false };
}

/* The kernel has the type, but for one member, whose row was not found. */
static void open_machine(const char *lacks)
{
	f = fake_new();
	nr_offered = 0;
	comes = NULL;
	ops = *f->t.ops;
	ops.add_types = take_types;
	f->t.ops = &ops;
	fake_list_init(f, fake_symbol(f, "btf_modules", NULL, 16));
	fake_drop(f, lacks);
	fake_attach(f);
	set_row(L_btfm_list, LIST, 16);
	set_row(L_btfm_module, MODULE, 8);
	set_row(L_btfm_btf, BTF, 8);
	set_row(L_mod_name, NAME, 56);
	set_row(L_btf_data, DATA, 8);
	set_row(L_btf_data_size, DATA_SIZE, 4);
}

static u64 add_module(const char *name, u64 data, u32 size)
{
	u64 entry = fake_alloc(f, 64), mod = fake_alloc(f, 128);
	u64 btf = fake_alloc(f, 64);

	fake_write(f, mod + NAME, name, strlen(name) + 1);
	fake_put_ptr(f, btf + DATA, data);
	fake_put(f, btf + DATA_SIZE, 4, size);
	fake_put_ptr(f, entry + MODULE, mod);
	fake_put_ptr(f, entry + BTF, btf);
	fake_list_add_tail(f, fake_symbol_addr(f, "btf_modules"), entry + LIST);
	return entry;
}

static bool has(enum hang_row_id row)
{
	return hang_layout_has(&f->w->layout, row);
}

static void test_offered(void)
{
	open_machine("nvme_queue.qid");
	add_module("nvme", 0xffff888000001000, 0x20);
	add_module("nvme_fabrics", 0xffff888000002000, 0x30);
	add_module("dm_mod", 0xffff888000003000, 0x40);
	hang_attach_modules(f->w);
	is_u64(nr_offered, 2, "modules that rows are for, and no other");
	is_u64(offered[0], 0xffff888000001020, "the first one's address, size");
	is_u64(offered[1], 0xffff888000003040, "and the second one's");
	ok(hang_module_has_types("nvme") &&
	   !hang_module_has_types("nvme_fabrics") && !hang_module_has_types(""),
	   "the same by name");
	fake_free(f);
}

static void test_comes_and_goes(void)
{
	open_machine("nvme_queue.qid");
	ok(!has(L_nvmeq_qid) && has(L_nvmeq_dev), "a row is absent");
	add_module("nvme", 0xffff888000001000, 0x20);
	comes = "nvme_queue.qid";
	hang_attach_modules(f->w);
	ok(has(L_nvmeq_qid), "found with the types of a module");
	is_u64(hang_loc(f->w, L_nvmeq_qid), fake_offset(f, "nvme_queue.qid"),
	       "it is what they say");
	fake_drop(f, "nvme_queue.qid");
	fake_drop(f, "nvme_queue.dev");
	comes = NULL;
	hang_attach_modules(f->w);
	ok(!has(L_nvmeq_qid), "forgotten when the module has gone");
	ok(has(L_nvmeq_dev), "what the kernel had is not asked for again");
	hang_attach_modules(f->w);
	ok(!has(L_nvmeq_qid) && has(L_nvmeq_dev), "nor the next time");
	fake_free(f);
}

/* A required row is missing as long as it is not there. */
static void test_missing(void)
{
	open_machine("nvme_queue.qid");
	f->w->layout.loc[L_rq_tag] = (struct hang_loc){ .late = true };
	f->w->layout.missing = 1;
	hang_attach_modules(f->w);
	ok(has(L_rq_tag), "a required row has come");
	is_u64(f->w->layout.missing, 0, "and is missing no longer");
	fake_drop(f, "request.tag");
	hang_attach_modules(f->w);
	ok(!has(L_rq_tag), "it has gone");
	is_u64(f->w->layout.missing, 1, "and is missing");
	hang_attach_modules(f->w);
	is_u64(f->w->layout.missing, 1, "but once");
	fake_free(f);
}

static void test_no_types(void)
{
	open_machine("nvme_queue.qid");
	ops.add_types = NULL;
	fake_restore(f, "nvme_queue.qid");
	add_module("nvme", 0xffff888000001000, 0x20);
	hang_attach_modules(f->w);
	ok(!has(L_nvmeq_qid), "a host that takes no types is not asked again");
	is_u64(nr_offered, 0, "nor offered any");
	fake_free(f);
}

int main(void)
{
	test_offered();
	test_comes_and_goes();
	test_missing();
	test_no_types();
	return tap_end();
}
