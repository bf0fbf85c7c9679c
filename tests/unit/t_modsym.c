// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols of modules, out of the modules' own tables, of both kinds of kernel:
 * with one core_layout, and with several pieces of memory.
 */
#include "fake.h"

#define TEXT 0xffffffffc0000000ULL

struct module {
	u64 addr, tables, symtab, strtab;
	u32 num, strings;
};

static struct fake *f;
static struct hang_symbol sym;

/* Fields of struct module, of this test's own. */
enum { LIST = 24, NAME = 56, TABLES = 200, MEM = 256, CORE_BASE = 400,
       CORE_SIZE = 416, MEM_EACH = 48, MEM_BASE = 8, MEM_SIZE = 32,
       MK_SYMTAB = 8, MK_NUM = 24, MK_STRTAB = 40 };

static void set_row(enum hang_row_id row, u64 value, u32 size)
{
	f->w->layout.loc[row].value = value;
	f->w->layout.loc[row].size = size;
	f->w->layout.loc[row].alt = 1;
}

static void open_machine(bool pieces)
{
	u64 head;

	f = fake_new();
	head = fake_symbol(f, "modules", NULL, 16);
	fake_list_init(f, head);
	fake_attach(f);
	set_row(L_mod_list, LIST, 16);
	set_row(L_mod_name, NAME, 56);
	set_row(L_mod_kallsyms, TABLES, 8);
	set_row(L_mk_symtab, MK_SYMTAB, 8);
	set_row(L_mk_num, MK_NUM, 4);
	set_row(L_mk_strtab, MK_STRTAB, 8);
	if (pieces) {
		set_row(L_mod_mem, MEM, 3 * MEM_EACH);
		set_row(L_size_mod_memory, MEM_EACH, 0);
		set_row(L_mod_mem_base, MEM_BASE, 8);
		set_row(L_mod_mem_size, MEM_SIZE, 4);
	} else {
		set_row(L_mod_core_base, CORE_BASE, 8);
		set_row(L_mod_core_size, CORE_SIZE, 4);
	}
}

static void add_module(struct module *m, const char *name, u64 base, u32 size)
{
	u64 head = fake_symbol_addr(f, "modules");

	memset(m, 0, sizeof(*m));
	m->addr = fake_alloc(f, 512);
	m->tables = fake_alloc(f, 64);
	m->symtab = fake_alloc(f, 24 * 64);
	m->strtab = fake_alloc(f, 1024);
	m->strings = 1;
	fake_write(f, m->addr + NAME, name, strlen(name) + 1);
	fake_put(f, m->addr + TABLES, 8, m->tables);
	fake_put(f, m->tables + MK_SYMTAB, 8, m->symtab);
	fake_put(f, m->tables + MK_STRTAB, 8, m->strtab);
	/* The second of its pieces of memory, or the only one. */
	fake_put(f, m->addr + MEM + MEM_EACH + MEM_BASE, 8, base);
	fake_put(f, m->addr + MEM + MEM_EACH + MEM_SIZE, 4, size);
	fake_put(f, m->addr + CORE_BASE, 8, base);
	fake_put(f, m->addr + CORE_SIZE, 4, size);
	fake_list_add_tail(f, head, m->addr + LIST);
}

static void add_symbol(struct module *m, const char *name, u64 value, u32 shndx)
{
	u64 at = m->symtab + 24 * m->num;

	fake_put(f, at, 4, name ? m->strings : 0);
	fake_put(f, at + 6, 2, shndx);
	fake_put(f, at + 8, 8, value);
	if (name) {
		fake_write(f, m->strtab + m->strings, name, strlen(name) + 1);
		m->strings += strlen(name) + 1;
	}
	fake_put(f, m->tables + MK_NUM, 4, ++m->num);
}

static int at(u64 addr)
{
	memset(&sym, 0, sizeof(sym));
	return hang_module_symbol_at(f->w, addr, &sym);
}

static void test_found(bool pieces)
{
	struct module a, b;

	open_machine(pieces);
	add_module(&a, "first_mod", TEXT, 0x1000);
	add_module(&b, "second_mod", TEXT + 0x4000, 0x2000);
	add_symbol(&a, "elsewhere", TEXT + 0x10, 0);
	add_symbol(&a, NULL, TEXT + 0x20, 1);
	add_symbol(&b, "later", TEXT + 0x4800, 1);
	add_symbol(&b, "outside", TEXT + 0x4100, 0);
	add_symbol(&b, "wanted", TEXT + 0x4100, 2);
	add_symbol(&b, NULL, TEXT + 0x4108, 2);
	is_u64(at(TEXT + 0x4110), 0, "found, pieces %d", pieces);
	is_str(sym.name, "wanted", "name");
	is_str(sym.module, "second_mod", "module");
	is_u64(sym.start, TEXT + 0x4100, "start");
	is_u64(sym.size, 0x700, "size");
	is_u64(at(TEXT + 0x5fff), 0, "to the module's end");
	is_str(sym.name, "later", "the last one");
	is_u64(at(TEXT + 0x6000), -ENOENT, "past its end");
	is_u64(at(TEXT + 0x40ff), -ENOENT, "before its first symbol");
	is_u64(at(TEXT + 0x100), -ENOENT, "no symbols of its own");
	is_u64(at(TEXT + 0x3000), -ENOENT, "between modules");
	is_u64(at(0), -ENOENT, "0");
	fake_free(f);
}

static void test_damaged(void)
{
	struct module a, b;

	open_machine(true);
	add_module(&a, "a", TEXT, 0x1000);
	add_module(&b, "b", TEXT + 0x4000, 0x1000);
	add_symbol(&a, "here", TEXT + 0x10, 1);
	fake_put(f, a.tables + MK_NUM, 4, 0xffffffff);
	is_u64(at(TEXT + 0x20), -ENOENT, "2^32 symbols");
	fake_put(f, a.tables + MK_NUM, 4, 1);
	is_u64(at(TEXT + 0x20), 0, "one symbol");
	fake_put(f, a.tables + MK_STRTAB, 8, fake_nowhere(f, -ENODATA));
	is_u64(at(TEXT + 0x20), 0, "names left out");
	is_str(sym.name, "", "no name is made up");
	fake_put(f, a.tables + MK_SYMTAB, 8, fake_nowhere(f, -ENODATA));
	is_u64(at(TEXT + 0x20), -ENOENT, "symbols left out");
	fake_put(f, a.addr + TABLES, 8, 0x10);
	is_u64(at(TEXT + 0x20), -ENOENT, "tables nowhere");
	/* The list runs in a circle that does not come to its head. */
	fake_put(f, b.addr + LIST, 8, a.addr + LIST);
	is_u64(at(TEXT + 0x8000), -ENOENT, "modules loop");
	fake_put(f, b.addr + LIST, 8, 0x18);
	is_u64(at(TEXT + 0x8000), -ENOENT, "next module nowhere");
	is_u64(f->nr_recs, 0, "and none of that is a fault");
	fake_free(f);
}

int main(void)
{
	test_found(true);
	test_found(false);
	test_damaged();
	return tap_end();
}
