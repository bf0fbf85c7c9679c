// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols of modules, from the symbol tables they carry in memory. A name that
 * can't be had is no fault; so reads here are plain ones.
 */
#include "core.h"

#define MODULES_MAX 2048
#define SYMBOLS_MAX (1u << 20)

/* Elf64_Sym, by the ELF specification; 32-bit targets are not served. */
#define SYM_SIZE 24
#define SYM_SHNDX 6
#define SYM_VALUE 8
#define SYM_BATCH 16

static int peek(struct hang_work *w, u64 addr, u32 size, u64 *value)
{
	*value = 0;
	if (!hang_is_kernel_ptr(w, addr))
		return -EFAULT;
	return hang_target_uint(w->t, addr, size, value);
}

static int peek_member(struct hang_work *w, u64 base, enum hang_row_id row,
		       u64 *value)
{
	const struct hang_loc *loc = &w->layout.loc[row];

	*value = 0;
	if (!loc->alt)
		return -ENOENT;
	return peek(w, base + loc->value, loc->size, value);
}

static bool within(struct hang_work *w, u64 mem, enum hang_row_id base_row,
		   enum hang_row_id size_row, u64 addr)
{
	u64 base, size;

	return !peek_member(w, mem, base_row, &base) &&
	       !peek_member(w, mem, size_row, &size) && base &&
	       addr >= base && addr - base < size;
}

static bool module_has(struct hang_work *w, u64 mod, u64 addr)
{
	u64 each = hang_loc(w, L_size_mod_memory);
	u64 mem = mod + hang_loc(w, L_mod_mem);
	u64 end = mem + w->layout.loc[L_mod_mem].size;

	if (!hang_has(w, L_mod_mem))
		return within(w, mod, L_mod_core_base, L_mod_core_size, addr);
	for (; each && mem + each <= end; mem += each)
		if (within(w, mem, L_mod_mem_base, L_mod_mem_size, addr))
			return true;
	return false;
}

static int find_module(struct hang_work *w, u64 addr, u64 *mod)
{
	u64 head = hang_loc(w, L_sym_modules);
	u64 node = head;
	u32 n;

	if (!head || !hang_has(w, L_mod_list))
		return -ENOENT;
	for (n = 0; n < MODULES_MAX; n++) {
		if (peek(w, node, w->t->word, &node) || node == head)
			return -ENOENT;
		*mod = node - hang_loc(w, L_mod_list);
		if (module_has(w, *mod, addr))
			return 0;
	}
	return -ENOENT;
}

struct best {
	u64 addr;  /* looked for */
	u64 start; /* highest symbol at or below it */
	u64 next;  /* lowest symbol above it */
	u32 name;  /* offset into the string table */
};

static void consider(const struct hang_target *t, const u8 *sym, struct best *b)
{
	u64 value = hang_decode(t, sym + SYM_VALUE, 8);
	u32 name = hang_decode(t, sym, 4);

	/* Undefined symbols belong to others; nameless ones are sections. */
	if (!name || !hang_decode(t, sym + SYM_SHNDX, 2))
		return;
	if (value <= b->addr && value > b->start) {
		b->start = value;
		b->name = name;
	} else if (value > b->addr && value < b->next) {
		b->next = value;
	}
}

static int search(struct hang_work *w, u64 symtab, u64 num, struct best *b)
{
	u8 batch[SYM_SIZE * SYM_BATCH];
	u64 i;
	u32 k;

	for (i = 0; i < num; i += SYM_BATCH) {
		u32 n = num - i < SYM_BATCH ? num - i : SYM_BATCH;
		int err = w->t->ops->read(w->t, symtab + i * SYM_SIZE, batch,
					  n * SYM_SIZE);

		if (err)
			return err;
		for (k = 0; k < n; k++)
			consider(w->t, batch + k * SYM_SIZE, b);
	}
	return b->start ? 0 : -ENOENT;
}

/* A string that may end just before a hole. */
static void peek_str(struct hang_work *w, u64 addr, char *buf, u32 size)
{
	u64 c = 1;
	u32 n;

	for (n = 0; n < size - 1 && c; n++) {
		if (peek(w, addr + n, 1, &c))
			break;
		buf[n] = c;
	}
	buf[n] = '\0';
}

int hang_module_symbol_at(struct hang_work *w, u64 addr,
			  struct hang_symbol *sym)
{
	struct best b = { .addr = addr, .next = HANG_NEVER };
	u64 mod, tables, symtab, strtab, num;

	if (w->t->word != 8 || find_module(w, addr, &mod) ||
	    peek_member(w, mod, L_mod_kallsyms, &tables) ||
	    peek_member(w, tables, L_mk_symtab, &symtab) ||
	    peek_member(w, tables, L_mk_strtab, &strtab) ||
	    peek_member(w, tables, L_mk_num, &num) || num > SYMBOLS_MAX ||
	    search(w, symtab, num, &b))
		return -ENOENT;
	sym->start = b.start;
	sym->size = b.next == HANG_NEVER ? 0 : b.next - b.start;
	peek_str(w, strtab + b.name, sym->name, sizeof(sym->name));
	peek_str(w, mod + hang_loc(w, L_mod_name), sym->module,
		 sizeof(sym->module));
	return 0;
}
