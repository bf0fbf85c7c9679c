// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BTF reader on blobs that are not as they should be. Run with a sanitizer
 * that sees reads past the end: each blob is exactly as long as it says.
 */
#include "btf_writer.h"
#include "tap.h"

static int look_at(const u8 *data, size_t size, const char **why)
{
	struct hang_btf btf;
	size_t mem_size = 0;
	u8 *blob = malloc(size ? size : 1);
	u32 offset, len;
	void *mem;
	s64 value;
	int err;

	if (size)
		memcpy(blob, data, size);
	err = hang_btf_open(&btf, NULL, blob, size, 8, &mem_size, why);
	if (!err) {
		mem = calloc(1, mem_size);
		hang_btf_index(&btf, mem);
		hang_btf_member(&btf, "s", "a.b.c", &offset, &len);
		hang_btf_member(&btf, "s", "x", &offset, &len);
		hang_btf_member(&btf, "td", "x", &offset, &len);
		hang_btf_struct_size(&btf, "s", &len);
		hang_btf_enumerator(&btf, "E", &value);
		free(mem);
	}
	free(blob);
	return err;
}

static void write_sound(struct btf_writer *b)
{
	u32 i, s;

	btf_begin(b);
	i = btf_int(b, "int", 4);
	s = btf_type(b, BTF_STRUCT, "s", false, 0, 16);
	btf_member(b, "x", i, 0, 0);
	btf_member(b, NULL, s, 32, 0);
	btf_member(b, "a", s, 64, 0);
	btf_type(b, BTF_TYPEDEF, "td", false, 0, s);
	btf_array(b, s, 3);
	btf_type(b, BTF_ENUM, "e", false, 0, 4);
	btf_value(b, "E", 1);
	btf_type(b, BTF_ENUM64, "e64", false, 0, 8);
	btf_value64(b, "E64", 1);
	btf_finish(b);
}

static void test_truncated(void)
{
	struct btf_writer b = { 0 };
	const char *why = NULL;
	size_t n, bad = 0;

	write_sound(&b);
	for (n = 0; n < b.size; n++)
		bad += !look_at(b.blob, n, &why) || !why || !*why;
	is_u64(bad, 0, "a blob cut short anywhere is refused, and why is said");
	is_u64(look_at(b.blob, b.size, &why), 0, "and not cut it is taken");
	free(b.blob);
}

/* Sections may be cut by the header too, within a blob that is whole. */
static void test_sections(void)
{
	struct btf_writer b = { 0 };
	const char *why;
	u32 field, v, good = 0;

	write_sound(&b);
	for (field = 4; field < 24; field += 4) {
		u32 kept;

		memcpy(&kept, b.blob + field, 4);
		for (v = 0; v < b.size + 8; v++) {
			memcpy(b.blob + field, &v, 4);
			good += look_at(b.blob, b.size, &why) <= 0;
		}
		for (v = 0xfffffff0; v; v++) {
			memcpy(b.blob + field, &v, 4);
			good += look_at(b.blob, b.size, &why) < 0;
		}
		memcpy(b.blob + field, &kept, 4);
	}
	is_u64(good, 5 * (b.size + 8 + 16), "any value in any header field");
	free(b.blob);
}

/* Every word of the types replaced by values that hurt. */
static void test_words(void)
{
	static const u32 values[] = { 0, 1, 2, 3, 6, 0x7fffffff, 0xffffffff,
				      0x04ffffff, 0x84ffffff, 0x06ffffff,
				      0x03000000, 0x14000000, 0x08000000 };
	struct btf_writer b = { 0 };
	const char *why;
	u32 at, i, n = 0;

	write_sound(&b);
	for (at = 24; at + 4 <= b.size; at += 4) {
		u32 kept;

		memcpy(&kept, b.blob + at, 4);
		for (i = 0; i < HANG_ARRAY_SIZE(values); i++) {
			memcpy(b.blob + at, &values[i], 4);
			look_at(b.blob, b.size, &why);
			n++;
		}
		memcpy(b.blob + at, &kept, 4);
	}
	ok(n > 100, "any word replaced: %u blobs survived", n);
	free(b.blob);
}

static void test_not_btf(void)
{
	u8 zeros[64] = { 0 };
	const char *why;

	is_u64(look_at(zeros, sizeof(zeros), &why), -EINVAL, "zeros");
	is_u64(look_at(zeros, 0, &why), -EINVAL, "nothing");
	zeros[0] = 0x9f;
	zeros[1] = 0xeb;
	is_u64(look_at(zeros, sizeof(zeros), &why), -EMSGSIZE, "magic alone");
}

static struct hang_btf btf;
static void *mem;

static void open_blob(struct btf_writer *b)
{
	const char *why;
	size_t size;

	btf_finish(b);
	is_u64(hang_btf_open(&btf, NULL, b->blob, b->size, 8, &size, &why), 0,
	       "opens");
	mem = calloc(1, size);
	hang_btf_index(&btf, mem);
}

static void close_blob(struct btf_writer *b)
{
	free(mem);
	free(b->blob);
}

static void test_loops(void)
{
	struct btf_writer b = { 0 };
	u32 size, offset, big, i;

	btf_begin(&b);
	btf_type(&b, BTF_TYPEDEF, "self", false, 0, 1);
	btf_type(&b, BTF_TYPEDEF, "two", false, 0, 3);
	btf_type(&b, BTF_CONST, NULL, false, 0, 2);
	btf_array(&b, 4, 1); /* of itself */
	btf_type(&b, BTF_STRUCT, "s", false, 0, 8);
	btf_member(&b, "selves", 1, 0, 0);
	btf_member(&b, "arrays", 4, 0, 0);
	btf_member(&b, "far", 12345, 0, 0);
	btf_member(&b, "none", 0, 0, 0);
	big = btf_int(&b, "int", 4);
	for (i = 0; i < 3; i++)
		big = btf_array(&b, big, 0xffffffff);
	btf_type(&b, BTF_STRUCT, "huge", false, 0, 8);
	btf_member(&b, "m", big, 0, 0);
	open_blob(&b);
	is_u64(hang_btf_struct_size(&btf, "self", &size), -ENOENT,
	       "typedef loop");
	is_u64(hang_btf_struct_size(&btf, "two", &size), -ENOENT,
	       "typedef loop of two");
	is_u64(hang_btf_member(&btf, "s", "selves", &offset, &size), -ENOENT,
	       "member of a looping type");
	is_u64(hang_btf_member(&btf, "s", "arrays", &offset, &size), -ENOENT,
	       "array of itself");
	is_u64(hang_btf_member(&btf, "s", "far", &offset, &size), -ENOENT,
	       "type id out of range");
	is_u64(hang_btf_member(&btf, "s", "none", &offset, &size), -ENOENT,
	       "type id 0");
	is_u64(hang_btf_member(&btf, "huge", "m", &offset, &size), -EOVERFLOW,
	       "array of 2^96 elements");
	close_blob(&b);
}

static void test_strings(void)
{
	struct btf_writer b = { 0 };
	u32 size;

	btf_begin(&b);
	btf_type(&b, BTF_STRUCT, "good", false, 0, 5);
	btf_type(&b, BTF_STRUCT, "x", false, 0, 6);
	/* The second one's name lies far outside. */
	memset(b.types + 12, 0xff, 3);
	open_blob(&b);
	is_u64(hang_btf_struct_size(&btf, "good", &size), 0, "the good one");
	is_u64(hang_btf_struct_size(&btf, "x", &size), -ENOENT,
	       "a name out of range is no name");
	close_blob(&b);
}

/* A zero where a type should be is no end that was meant. */
static void test_kind_zero(void)
{
	struct btf_writer b = { 0 };

	btf_begin(&b);
	btf_type(&b, BTF_STRUCT, "one", false, 0, 5);
	btf_type(&b, 0, NULL, false, 0, 0);
	btf_type(&b, BTF_STRUCT, "lost", false, 0, 5);
	open_blob(&b);
	is_u64(btf.nr_types, 1, "kind 0 ends the parse");
	close_blob(&b);
}

/*
 * Anonymous members that are the struct itself: looked through one by one,
 * there would be 60^8 of them.
 */
static void look_up_bomb(void)
{
	u32 offset, size;

	hang_btf_member(&btf, "bomb", "x", &offset, &size);
}

static void test_bomb(void)
{
	struct btf_writer b = { 0 };
	u32 i, s;

	btf_begin(&b);
	s = btf_type(&b, BTF_STRUCT, "bomb", false, 0, 8);
	for (i = 0; i < 60; i++)
		btf_member(&b, NULL, s, 0, 0);
	open_blob(&b);
	ok(ends_within(3, look_up_bomb), "a look-up ends in bounded time");
	close_blob(&b);
}

/* As many equal names as a damaged blob can hold must not cost their square. */
static struct btf_writer equal;

static void open_equal(void)
{
	const char *why;
	size_t size;
	s64 value;

	if (hang_btf_open(&btf, NULL, equal.blob, equal.size, 8, &size, &why))
		abort();
	mem = calloc(1, size);
	hang_btf_index(&btf, mem);
	if (hang_btf_enumerator(&btf, "SAME", &value))
		abort();
}

static void test_equal_names(void)
{
	u32 i, name;

	btf_begin(&equal);
	name = btf_string(&equal, "SAME");
	btf_type(&equal, BTF_ENUM, "e", false, 300000, 4);
	for (i = 0; i < 300000; i++) {
		btf_word(&equal, name);
		btf_word(&equal, i);
	}
	btf_finish(&equal);
	ok(ends_within(3, open_equal),
	   "equal names are indexed in bounded time");
	free(equal.blob);
}

int main(void)
{
	test_truncated();
	test_sections();
	test_words();
	test_not_btf();
	test_loops();
	test_strings();
	test_kind_zero();
	test_equal_names();
	test_bomb();
	return tap_end();
}
