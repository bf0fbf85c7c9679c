// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BTF reader: finding members, sizes and enumerators in blobs that are as
 * they should be, in either byte order and with either header.
 */
#include "btf_writer.h"
#include "tap.h"

static struct hang_btf btf;
static void *mem;

static int open_blob(const struct btf_writer *b, const char **why)
{
	size_t size = 0;
	int err = hang_btf_open(&btf, NULL, b->blob, b->size, 8, &size, why);

	mem = NULL;
	if (!err) {
		mem = calloc(1, size);
		hang_btf_index(&btf, mem);
	}
	return err;
}

static void close_blob(struct btf_writer *b)
{
	free(mem);
	free(b->blob);
}

static void member_is(const char *type, const char *path, u32 offset, u32 size)
{
	u32 o = ~0u, s = ~0u;
	int err = hang_btf_member(&btf, type, path, &o, &s);

	is_u64(err, 0, "%s.%s: found", type, path);
	is_u64(o, offset, "%s.%s: offset", type, path);
	is_u64(s, size, "%s.%s: size", type, path);
}

static void no_member(const char *type, const char *path)
{
	u32 o, s;

	is_u64(hang_btf_member(&btf, type, path, &o, &s), -ENOENT,
	       "%s.%s: not found", type, path);
}

static void value_is(const char *name, s64 value)
{
	s64 v = 0;

	is_u64(hang_btf_enumerator(&btf, name, &v), 0, "%s: found", name);
	is_u64(v, value, "%s: value", name);
}

/*
 * struct outer {
 *	int a;
 *	struct { union { long b; struct inner c; }; int d[3][5]; };
 *	typedef'd const volatile struct inner *p;
 *	cinner e; unsigned f:3; fwd *g;
 * };
 */
static void write_types(struct btf_writer *b)
{
	u32 i, l, inner, anon_union, anon, chain, fwd, arr;

	i = btf_int(b, "int", 4);
	l = btf_int(b, "long", 8);
	inner = btf_type(b, BTF_STRUCT, "inner", false, 0, 24);
	btf_member(b, "x", i, 32, 0);
	btf_member(b, "y", l, 128, 0);
	anon_union = btf_type(b, BTF_UNION, NULL, false, 0, 24);
	btf_member(b, "b", l, 0, 0);
	btf_member(b, "c", inner, 0, 0);
	arr = btf_array(b, i, 5);
	arr = btf_array(b, arr, 3);
	anon = btf_type(b, BTF_STRUCT, NULL, false, 0, 84);
	btf_member(b, NULL, anon_union, 0, 0);
	btf_member(b, "d", arr, 24 * 8, 0);
	chain = btf_type(b, BTF_CONST, NULL, false, 0, inner);
	chain = btf_type(b, BTF_VOLATILE, NULL, false, 0, chain);
	chain = btf_type(b, BTF_TYPE_TAG, "rcu", false, 0, chain);
	chain = btf_type(b, BTF_TYPEDEF, "cinner", false, 0, chain);
	chain = btf_type(b, BTF_TYPEDEF, "ccinner", false, 0, chain);
	fwd = btf_type(b, BTF_FWD, "fwd", false, 0, 0);
	fwd = btf_type(b, BTF_PTR, NULL, false, 0, fwd);
	btf_type(b, BTF_STRUCT, "outer", true, 0, 200);
	btf_member(b, "a", i, 0, 0);
	btf_member(b, NULL, anon, 64, 0);
	btf_member(b, "p", fwd, 100 * 8, 0);
	btf_member(b, "e", chain, 112 * 8, 0);
	btf_member(b, "f", i, 136 * 8, 3);
	btf_member(b, "g", fwd, 144 * 8, 0);
	btf_member(b, "h", fwd - 1, 152 * 8, 0);
}

static void write_rest(struct btf_writer *b)
{
	u32 i;

	btf_type(b, BTF_ENUM, "plain", false, 0, 4);
	btf_value(b, "ZERO", 0);
	btf_value(b, "BIG", 0xffffffff);
	btf_type(b, BTF_ENUM, NULL, true, 0, 4);
	btf_value(b, "MINUS", (u32)-7);
	btf_type(b, BTF_ENUM64, NULL, false, 0, 8);
	btf_value64(b, "WIDE", 0x123456789abcdef0);
	btf_value64(b, "WIDE_MINUS", (u64)-1);
	/* All other kinds, to be stepped over. */
	btf_type(b, BTF_FUNC_PROTO, NULL, false, 2, 1);
	for (i = 0; i < 4; i++)
		btf_word(b, 0);
	btf_type(b, BTF_FUNC, "func", false, 1, b->nr);
	btf_type(b, BTF_VAR, "var", false, 0, 1);
	btf_word(b, 1);
	btf_type(b, BTF_DATASEC, ".data", false, 1, 8);
	for (i = 0; i < 3; i++)
		btf_word(b, 0);
	btf_type(b, BTF_FLOAT, "double", false, 0, 8);
	btf_type(b, BTF_DECL_TAG, "tag", false, 0, 1);
	btf_word(b, 0);
	btf_type(b, BTF_RESTRICT, NULL, false, 0, 1);
	btf_type(b, BTF_STRUCT, "last", false, 0, 8);
	btf_member(b, "z", 1, 32, 0);
}

static void check_types(void)
{
	u32 size;

	member_is("outer", "a", 0, 4);
	member_is("outer", "b", 8, 8);
	member_is("outer", "c", 8, 24);
	member_is("outer", "c.y", 24, 8);
	member_is("outer", "d", 32, 60);
	member_is("outer", "p", 100, 8);
	member_is("outer", "e", 112, 24);
	member_is("outer", "e.x", 116, 4);
	member_is("ccinner", "y", 16, 8);
	no_member("outer", "f");	/* a bit field has no address */
	no_member("outer", "h");	/* of unknown size */
	no_member("outer", "g.x");	/* pointers are not followed */
	no_member("outer", "a.x");
	no_member("outer", "bb");
	no_member("outer", "");
	no_member("outer", "c.");
	no_member("oute", "a");
	no_member("", "a");
	no_member("int", "a");
	is_u64(hang_btf_struct_size(&btf, "outer", &size), 0, "size of struct");
	is_u64(size, 200, "size of struct: value");
	is_u64(hang_btf_struct_size(&btf, "ccinner", &size), 0, "of typedef");
	is_u64(size, 24, "size of typedef: value");
	is_u64(hang_btf_struct_size(&btf, "int", &size), -ENOENT, "of int");
	is_u64(hang_btf_struct_size(&btf, "fwd", &size), -ENOENT, "of fwd");
}

static void check_values(void)
{
	s64 v;

	member_is("last", "z", 4, 4);
	value_is("ZERO", 0);
	value_is("BIG", 0xffffffff);
	value_is("MINUS", -7);
	value_is("WIDE", 0x123456789abcdef0);
	value_is("WIDE_MINUS", -1);
	is_u64(hang_btf_enumerator(&btf, "NONE", &v), -ENOENT, "no such value");
	is_u64(hang_btf_enumerator(&btf, "plain", &v), -ENOENT,
	       "an enum's tag");
	is_u64(hang_btf_enumerator(&btf, "", &v), -ENOENT, "no name");
}

static void test_sound(bool swap, u32 hdr_len)
{
	struct btf_writer b = { .swap = swap, .hdr_len = hdr_len };
	const char *why;

	btf_begin(&b);
	write_types(&b);
	write_rest(&b);
	btf_finish(&b);
	is_u64(open_blob(&b, &why), 0, "opens, swap %d, header %u", swap,
	       hdr_len);
	is_u64(btf.nr_types, b.nr, "all types are seen");
	is_u64(btf.stopped_kind, 0, "to the end");
	check_types();
	check_values();
	close_blob(&b);
}

/* A module's types: ids and strings go on where the kernel's end. */
static void write_module(struct btf_writer *b, const struct btf_writer *kernel)
{
	u32 first = kernel->nr;

	btf_begin(b);
	btf_type(b, BTF_STRUCT, "driver", false, 0, 48);
	btf_member(b, "lock", 1, 0, 0);
	btf_member(b, "own", first + 2, 64, 0);
	btf_type(b, BTF_STRUCT, "part", false, 0, 16);
	btf_member(b, "x", 1, 32, 0);
	btf_type(b, BTF_ENUM, "mode", false, 0, 4);
	btf_value(b, "DRIVER_MODE", 5);
	btf_finish(b);
}

/* Names in a module's BTF are offsets from the end of the kernel's strings. */
static void shift_strings(struct btf_writer *b, u32 by)
{
	static const u32 names[] = { 0, 12, 24, 36, 48, 60, 72 };
	u32 i, hdr = 24;

	for (i = 0; i < HANG_ARRAY_SIZE(names); i++) {
		u32 v;

		memcpy(&v, b->blob + hdr + names[i], 4);
		v += by;
		memcpy(b->blob + hdr + names[i], &v, 4);
	}
}

static void test_module(void)
{
	struct btf_writer kernel = { 0 }, module = { 0 };
	struct hang_btf split;
	const char *why;
	size_t index_size;
	void *index;

	btf_begin(&kernel);
	write_types(&kernel);
	write_rest(&kernel);
	btf_finish(&kernel);
	open_blob(&kernel, &why);
	write_module(&module, &kernel);
	shift_strings(&module, btf.strings_len);
	is_u64(hang_btf_open(&split, &btf, module.blob, module.size, 8,
			     &index_size, &why), 0, "module opens");
	index = calloc(1, index_size);
	hang_btf_index(&split, index);
	btf.next = &split;
	is_u64(split.nr_types, 3, "module's types");
	member_is("driver", "lock", 0, 4);
	member_is("driver", "own.x", 12, 4);
	value_is("DRIVER_MODE", 5);
	member_is("outer", "c.y", 24, 8);
	no_member("driver", "none");
	free(index);
	free(module.blob);
	btf.next = NULL;
	close_blob(&kernel);
}

/* A struct is preferred to a typedef of the same name; vlen may be wide. */
static void test_names(void)
{
	struct btf_writer b = { 0 };
	const char *why;
	char name[16];
	u32 i, n;

	btf_begin(&b);
	n = btf_int(&b, "int", 4);
	i = btf_type(&b, BTF_STRUCT, "other", false, 0, 4);
	btf_type(&b, BTF_TYPEDEF, "thing", false, 0, i);
	btf_type(&b, BTF_STRUCT, "thing", false, 0, 77);
	btf_type(&b, BTF_STRUCT, "wide", false, 0, 400000);
	for (i = 0; i < 70000; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		btf_member(&b, name, n, i * 32, 0);
	}
	btf_finish(&b);
	is_u64(open_blob(&b, &why), 0, "opens");
	hang_btf_struct_size(&btf, "thing", &n);
	is_u64(n, 77, "the struct, not the typedef");
	member_is("wide", "m69999", 69999 * 4, 4);
	close_blob(&b);
}

static void test_unknown_kind(void)
{
	struct btf_writer b = { 0 };
	const char *why;

	btf_begin(&b);
	write_types(&b);
	btf_type(&b, 20, "new", false, 3, 0);
	btf_type(&b, BTF_STRUCT, "beyond", false, 0, 8);
	btf_finish(&b);
	is_u64(open_blob(&b, &why), 0, "unknown kind: opens");
	is_u64(btf.stopped_kind, 20, "unknown kind: says which");
	is_u64(btf.nr_types, b.nr - 2, "unknown kind: ends there");
	check_types();
	no_member("beyond", "x");
	close_blob(&b);
}

int main(void)
{
	test_sound(false, 0);
	test_sound(true, 0);
	test_sound(false, 32);
	test_sound(true, 40);
	test_names();
	test_unknown_kind();
	test_module();
	return tap_end();
}
