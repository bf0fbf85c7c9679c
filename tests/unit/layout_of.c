// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolves the layout rows against raw BTF files and prints, for each file,
 * which rows are absent. Exits with 1 when a required row is. Symbols are not
 * looked at: BTF has none.
 */
#include <stdio.h>
#include <stdlib.h>

#include <blkhang/btf.h>
#include <blkhang/layout.h>

struct btf_target {
	struct hang_target t;
	struct hang_btf btf;
};

static int op_member(struct hang_target *t, const char *type, const char *path,
		     u32 *offset, u32 *size)
{
	return hang_btf_member(&((struct btf_target *)t)->btf, type, path,
			       offset, size);
}

static int op_struct_size(struct hang_target *t, const char *type, u32 *size)
{
	return hang_btf_struct_size(&((struct btf_target *)t)->btf, type, size);
}

static int op_enumerator(struct hang_target *t, const char *name, s64 *value)
{
	return hang_btf_enumerator(&((struct btf_target *)t)->btf, name, value);
}

static const struct hang_target_ops ops = {
	.member = op_member,
	.type_size = op_struct_size,
	.enumerator = op_enumerator,
};

static void *load(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	void *data = NULL;
	long len;

	if (!f)
		return NULL;
	if (!fseek(f, 0, SEEK_END) && (len = ftell(f)) > 0) {
		rewind(f);
		data = malloc(len);
		if (data && fread(data, 1, len, f) != (size_t)len) {
			free(data);
			data = NULL;
		}
		*size = len;
	}
	fclose(f);
	return data;
}

static int check(const char *path)
{
	struct btf_target target = { .t = { .ops = &ops, .word = 8 } };
	struct hang_layout layout;
	const char *why = "can't be read";
	size_t size = 0, mem_size;
	void *data = load(path, &size);
	void *mem;
	u32 i;

	if (!data || hang_btf_open(&target.btf, NULL, data, size, 8, &mem_size, &why)) {
		printf("%s: %s\n", path, why);
		free(data);
		return 1;
	}
	mem = calloc(1, mem_size);
	hang_btf_index(&target.btf, mem);
	hang_layout_resolve(&layout, &target.t, false);
	printf("%s: %u types, %u required rows missing\n", path,
	       target.btf.nr_types, layout.missing);
	for (i = 0; i < L_COUNT; i++)
		if (hang_rows[i].kind != HANG_SYMBOL && !layout.loc[i].alt)
			printf("  %s %s: %s\n", hang_rows[i].required ?
			       "MISSING" : "absent", hang_rows[i].spec,
			       hang_rows[i].why);
	free(mem);
	free(data);
	return layout.missing != 0;
}

int main(int argc, char **argv)
{
	int bad = 0;
	int i;

	for (i = 1; i < argc; i++)
		bad |= check(argv[i]);
	return bad;
}
