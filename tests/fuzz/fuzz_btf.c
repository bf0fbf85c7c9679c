// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BTF reader on damaged blobs: a sound one with a few of its words, or of
 * its bytes, replaced; cut anywhere; or nothing but noise. Built with
 * -DLIBFUZZER -fsanitize=fuzzer it takes its input from libFuzzer instead.
 */
#ifndef LIBFUZZER
#define FUZZ_MAIN
#endif
#include "../fuzz/fuzz.h"
#include "btf_writer.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const types[] = { "a", "b", "c", "t", "", "int" };
	static const char *const paths[] = { "x", "y", "y.x", "z.y.x", "" };
	struct hang_btf btf;
	u32 i, j, offset, len;
	size_t mem_size;
	const char *why;
	void *mem;
	s64 value;

	if (hang_btf_open(&btf, NULL, data, size, size & 1 ? 4 : 8, &mem_size, &why))
		return 0;
	if (mem_size > size * 16 + 1024)
		abort();
	mem = calloc(1, mem_size);
	hang_btf_index(&btf, mem);
	for (i = 0; i < HANG_ARRAY_SIZE(types); i++) {
		hang_btf_struct_size(&btf, types[i], &len);
		for (j = 0; j < HANG_ARRAY_SIZE(paths); j++)
			hang_btf_member(&btf, types[i], paths[j], &offset,
					&len);
	}
	hang_btf_enumerator(&btf, "E1", &value);
	hang_btf_enumerator(&btf, "E2", &value);
	free(mem);
	return 0;
}

#ifndef LIBFUZZER /* which has a main() of its own */

static void write_sound(struct btf_writer *b)
{
	u32 i, a, u;

	btf_begin(b);
	i = btf_int(b, "int", 4);
	a = btf_type(b, BTF_STRUCT, "a", false, 0, 24);
	btf_member(b, "x", i, 0, 0);
	u = btf_type(b, BTF_UNION, NULL, false, 0, 16);
	btf_member(b, "y", a, 0, 0);
	btf_member(b, "q", i, 0, 0);
	btf_type(b, BTF_STRUCT, "b", true, 0, 40);
	btf_member(b, NULL, u, 64, 0);
	btf_member(b, "z", u, 128, 0);
	btf_member(b, "f", i, 200, 5);
	u = btf_type(b, BTF_TYPEDEF, "t", false, 0, b->nr);
	u = btf_array(b, u, 7);
	btf_type(b, BTF_STRUCT, "c", false, 0, 400);
	btf_member(b, "x", u, 0, 0);
	btf_type(b, BTF_ENUM, "e", false, 0, 4);
	btf_value(b, "E1", 1);
	btf_type(b, BTF_ENUM64, "e64", false, 0, 8);
	btf_value64(b, "E2", 2);
	btf_finish(b);
}

static void damage(struct fuzz *z, u8 *data, size_t size)
{
	u32 n = 1 + fuzz_below(z, 6);

	while (n--) {
		size_t at = fuzz_below(z, size);
		u32 v = fuzz_below(z, 2) ? fuzz_value(z) : fuzz_below(z, 20);

		if (fuzz_below(z, 2)) {
			data[at] = v;
		} else if (size >= 4) {
			at = fuzz_below(z, size / 4) * 4;
			memcpy(data + at, &v, 4);
		}
	}
}

static void one(u64 seed)
{
	struct fuzz z = { seed };
	struct btf_writer b = { .swap = fuzz_below(&z, 2) };
	size_t size, i;
	u8 *data;

	write_sound(&b);
	size = fuzz_below(&z, 4) ? b.size : fuzz_below(&z, b.size + 1);
	data = malloc(size + 1);
	data = realloc(data, size ? size : 1);
	memcpy(data, b.blob, size);
	if (size)
		damage(&z, data, size);
	if (!fuzz_below(&z, 16))
		for (i = 24; i < size; i++)
			data[i] = fuzz_next(&z);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	free(b.blob);
}

int main(int argc, char **argv)
{
	fuzz_main(argc, argv, 4000, one);
	return tap_end();
}

#endif
