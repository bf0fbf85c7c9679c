// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kallsyms reader: each way in which addresses have been stored, long
 * names, names that occur twice, aliases, and tables that are damaged.
 */
#include "ks_writer.h"

#define LONG \
	"a_name_of_two_hundred_characters_and_a_few_a_name_of_two_hundred_" \
	"characters_and_a_few_a_name_of_two_hundred_characters_and_a_few_" \
	"a_name_of_two_hundred_characters_and_a_few_a_name_of_two_hundred_ch"

static const struct ks_symbol symbols[] = {
	{ KS_BASE, "_stext" },
	{ KS_BASE + 0x100, "func_one" },
	{ KS_BASE + 0x180, "twice" },
	{ KS_BASE + 0x200, LONG },
	{ KS_BASE + 0x300, "alias_a" },
	{ KS_BASE + 0x300, "alias_b" },
	{ KS_BASE + 0x300, "alias_c" },
	{ KS_BASE + 0x380, "twice" },
	{ KS_BASE + 0x400, "func_last" },
	{ KS_BASE + 0x500, "_end" },
};

static struct hang_kallsyms ks;
static const char *why;

static int load(struct ks_writer *k)
{
	hang_kallsyms_init(&ks, &k->f->t);
	hang_kallsyms_want(&ks, "func_one");
	hang_kallsyms_want(&ks, "twice");
	hang_kallsyms_want(&ks, "func_last");
	hang_kallsyms_want(&ks, "func_las");
	hang_kallsyms_want(&ks, "missing");
	hang_kallsyms_want(&ks, "_end");
	why = NULL;
	return hang_kallsyms_load(&ks, k->info, k->info_len, &why);
}

static void finds(const char *name, u64 want)
{
	u64 addr = 0;

	is_u64(hang_kallsyms_find(&ks, name, &addr), 0, "%s: found", name);
	is_u64(addr, want, "%s: its address", name);
}

static void at(u64 addr, const char *name, u64 start, u64 size)
{
	struct hang_symbol s = { 0 };

	is_u64(hang_kallsyms_at(&ks, addr, &s), 0, "%#llx: found", addr);
	is_str(s.name, name, "%#llx: name", addr);
	is_u64(s.start, start, "%#llx: start", addr);
	is_u64(s.size, size, "%#llx: size", addr);
	is_str(s.module, "", "%#llx: the kernel's own", addr);
}

static void not_at(u64 addr)
{
	struct hang_symbol s;

	is_u64(hang_kallsyms_at(&ks, addr, &s), -ENOENT, "%#llx: none", addr);
}

static void test_encoding(enum hang_ks_encoding encoding, bool big)
{
	struct ks_writer k = { .encoding = encoding };
	u64 addr;

	k.f = fake_new(.big_endian = big);
	ks_write(&k, symbols, HANG_ARRAY_SIZE(symbols));
	is_u64(load(&k), 0, "encoding %d, big endian %d", encoding, big);
	is_u64(ks.encoding, encoding, "encoding told by _stext");
	is_u64(ks.count, HANG_ARRAY_SIZE(symbols), "count");
	finds("_stext", KS_BASE);
	finds("func_one", KS_BASE + 0x100);
	finds("func_last", KS_BASE + 0x400);
	finds("twice", KS_BASE + 0x180);
	finds("_end", KS_BASE + 0x500);
	is_u64(hang_kallsyms_find(&ks, "missing", &addr), -ENOENT, "missing");
	is_u64(hang_kallsyms_find(&ks, "func_las", &addr), -ENOENT,
	       "the beginning of a name is none");
	is_u64(hang_kallsyms_find(&ks, "alias_a", &addr), -ENOENT,
	       "not asked for");
	at(KS_BASE, "_stext", KS_BASE, 0x100);
	at(KS_BASE + 0xff, "_stext", KS_BASE, 0x100);
	at(KS_BASE + 0x17f, "func_one", KS_BASE + 0x100, 0x80);
	at(KS_BASE + 0x300, "alias_a", KS_BASE + 0x300, 0x80);
	at(KS_BASE + 0x37f, "alias_a", KS_BASE + 0x300, 0x80);
	at(KS_BASE + 0x3f0, "twice", KS_BASE + 0x380, 0x80);
	at(KS_BASE + 0x4ff, "func_last", KS_BASE + 0x400, 0x100);
	not_at(KS_BASE - 1);
	not_at(KS_BASE + 0x500);
	not_at(0);
	not_at(~0ULL);
	fake_free(k.f);
}

static void test_long_name(void)
{
	struct ks_writer k = { .encoding = HANG_KS_BASE };
	struct hang_symbol s;
	char want[HANG_SYM_NAME];

	k.f = fake_new();
	ks_write(&k, symbols, HANG_ARRAY_SIZE(symbols));
	load(&k);
	memcpy(want, LONG, sizeof(want) - 1);
	want[sizeof(want) - 1] = '\0';
	hang_kallsyms_at(&ks, KS_BASE + 0x210, &s);
	is_str(s.name, want, "a long name is cut, those after it are right");
	fake_free(k.f);
}

/* Values below the image stand for themselves: per-CPU variables. */
static void test_percpu(void)
{
	static const struct ks_symbol with[] = {
		{ 0, "func_zero" }, { 0x1f000, "func_one" },
		{ KS_BASE, "_stext" }, { KS_BASE + 0x7000, "_end" },
	};
	struct ks_writer k = { .encoding = HANG_KS_ABSOLUTE_PERCPU };

	k.f = fake_new();
	ks_write(&k, with, HANG_ARRAY_SIZE(with));
	is_u64(load(&k), 0, "per-CPU symbols");
	finds("func_one", 0x1f000);
	finds("_stext", KS_BASE);
	at(0x1f004, "func_one", 0x1f000, KS_BASE - 0x1f000);
	fake_free(k.f);
}

/* Thousands of symbols: markers are used, and hold for every one. */
static void test_many(u32 n)
{
	struct ks_symbol *many = calloc(n, sizeof(*many));
	struct ks_writer k = { .encoding = HANG_KS_PC_RELATIVE };
	char (*names)[24] = calloc(n, sizeof(*names));
	struct hang_symbol s;
	u32 i, bad = 0;

	for (i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "func_%u", i);
		many[i].name = i ? names[i] : "_stext";
		many[i].addr = KS_BASE + i * 16;
	}
	k.f = fake_new();
	ks_write(&k, many, n);
	is_u64(load(&k), 0, "%u symbols", n);
	for (i = 1; i + 1 < n; i += 61)
		bad += hang_kallsyms_at(&ks, KS_BASE + i * 16 + 5, &s) ||
		       strcmp(s.name, names[i]);
	is_u64(bad, 0, "%u symbols: each has its name", n);
	fake_free(k.f);
	free(many);
	free(names);
}

static int load_damaged(struct ks_writer *k)
{
	int err = load(k);

	ok(err && why && *why, "why: %s", why);
	return err;
}

static struct ks_writer sound(void)
{
	struct ks_writer k = { .encoding = HANG_KS_ABSOLUTE_PERCPU };

	k.f = fake_new();
	ks_write(&k, symbols, HANG_ARRAY_SIZE(symbols));
	return k;
}

static void test_counts(u32 count)
{
	struct ks_writer k = sound();

	fake_put(k.f, k.num, 4, count);
	is_u64(load_damaged(&k), -EINVAL, "num_syms %u", count);
	fake_free(k.f);
}

static void test_info(void)
{
	struct ks_writer k = sound();
	static const char *const needed[] = {
		"SYMBOL(_stext)", "SYMBOL(kallsyms_names)",
		"SYMBOL(kallsyms_num_syms)", "SYMBOL(kallsyms_token_table)",
		"SYMBOL(kallsyms_token_index)", "SYMBOL(kallsyms_offsets)",
	};
	size_t len = k.info_len;
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(needed); i++) {
		char *p = strstr(k.info, needed[i]);

		*p = 'X';
		is_u64(load_damaged(&k), -ENOENT, "without %s", needed[i]);
		*p = 'S';
	}
	/* Any length: a note may be cut, and has no end of its own. */
	for (i = 0; i < len; i++) {
		char *cut = malloc(i + 1);

		memcpy(cut, k.info, i);
		hang_kallsyms_init(&ks, &k.f->t);
		hang_kallsyms_load(&ks, cut, i, &why);
		free(cut);
	}
	ok(true, "VMCOREINFO cut at any length");
	fake_free(k.f);
}

static void test_damaged(void)
{
	struct ks_writer k = sound();
	u32 i;

	ks_info(&k, "_stext", 0);
	memcpy(strstr(k.info, "_stext)=") + 8, "1234567", 7);
	is_u64(load_damaged(&k), -EINVAL, "_stext elsewhere");
	fake_free(k.f);

	k = sound();
	fake_hole(k.f, k.names, -ENODATA);
	is_u64(load_damaged(&k), -EINVAL, "names left out");
	fake_free(k.f);

	k = sound();
	fake_hole(k.f, k.table, -ENODATA);
	is_u64(load_damaged(&k), -EINVAL, "tokens left out");
	fake_free(k.f);

	k = sound();
	fake_hole(k.f, k.offsets, -ENODATA);
	is_u64(load_damaged(&k), -EINVAL, "offsets left out");
	fake_free(k.f);

	k = sound();
	for (i = 0; i < 256; i++)
		fake_put(k.f, k.index + 2 * i, 2, 0xffff);
	is_u64(load_damaged(&k), -EINVAL, "token index of all ones");
	fake_free(k.f);

	k = sound();
	for (i = 0; i < k.names_len; i++)
		fake_put(k.f, k.names + i, 1, 0xff);
	is_u64(load_damaged(&k), -EINVAL, "names of all ones");
	fake_free(k.f);

	k = sound();
	for (i = 0; i < k.names_len; i++)
		fake_put(k.f, k.names + i, 1, 0);
	is_u64(load_damaged(&k), -EINVAL, "names of all zeros");
	fake_free(k.f);
}

/* Offsets that can't be read later on end a look-up, and no more. */
static void test_lost_later(void)
{
	struct ks_writer k = sound();
	struct hang_symbol s;
	u64 addr;

	load(&k);
	fake_hole(k.f, k.offsets, -ENODATA);
	ok(hang_kallsyms_find(&ks, "func_one", &addr) < 0, "find: an error");
	ok(hang_kallsyms_at(&ks, KS_BASE, &s) < 0, "at: an error");
	fake_free(k.f);
}

static void test_wants(void)
{
	struct fake *f = fake_new();
	char name[16];
	u32 i;

	hang_kallsyms_init(&ks, &f->t);
	hang_kallsyms_want_rows(&ks);
	ok(ks.nr_wanted < HANG_WANTED_MAX, "all rows fit: %u", ks.nr_wanted);
	ok(!hang_kallsyms_want(&ks, "a_name_that_is_forty_characters_long_now"),
	   "a name too long is refused");
	for (i = 0; i < HANG_WANTED_MAX; i++) {
		snprintf(name, sizeof(name), "w%u", i);
		hang_kallsyms_want(&ks, name);
	}
	ok(!hang_kallsyms_want(&ks, "one_more"), "one too many is refused");
	ok(hang_kallsyms_want(&ks, "w0"), "one that is there is not");
	fake_free(f);
}

int main(void)
{
	int encoding;

	for (encoding = 0; encoding < HANG_KS_ENCODINGS; encoding++) {
		test_encoding(encoding, false);
		test_encoding(encoding, true);
	}
	test_long_name();
	test_percpu();
	test_many(3000);
	test_many(70000);
	test_counts(0);
	test_counts(0xffffffff);
	test_counts(HANG_ARRAY_SIZE(symbols) + 100000);
	test_info();
	test_damaged();
	test_lost_later();
	test_wants();
	return tap_end();
}
