// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kallsyms reader on a damaged table: bytes and words of names, tokens,
 * offsets and counts replaced, and VMCOREINFO cut or pointing elsewhere.
 */
#define FUZZ_MAIN
#include "../fuzz/fuzz.h"
#include "ks_writer.h"

#define SYMBOLS 300

static struct ks_writer make(struct fuzz *z)
{
	struct ks_writer k = { .encoding = fuzz_below(z, HANG_KS_ENCODINGS) };
	static struct ks_symbol symbols[SYMBOLS];
	static char names[SYMBOLS][24];
	u32 i;

	for (i = 0; i < SYMBOLS; i++) {
		snprintf(names[i], sizeof(names[i]), "func_%u", i);
		symbols[i].name = i ? names[i] : "_stext";
		symbols[i].addr = KS_BASE + i * 16;
	}
	k.f = fake_new(.cpus = 1);
	ks_write(&k, symbols, SYMBOLS);
	return k;
}

static void damage(struct fuzz *z, struct ks_writer *k)
{
	const u64 where[] = { k->names, k->table, k->index, k->offsets,
			      k->num };
	u64 at = where[fuzz_below(z, HANG_ARRAY_SIZE(where))];

	switch (fuzz_below(z, 8)) {
	case 0:
		fake_hole(k->f, at, -ENODATA);
		break;
	case 1:
		k->info[fuzz_below(z, k->info_len)] = fuzz_next(z);
		break;
	case 2:
		k->info_len = fuzz_below(z, k->info_len + 1);
		break;
	case 3:
	case 4:
		fake_put(k->f, at + fuzz_below(z, 600), 1, fuzz_value(z));
		break;
	default:
		fake_put(k->f, at + fuzz_below(z, 600), 4, fuzz_value(z));
	}
}

static void one(u64 seed)
{
	static struct hang_kallsyms ks;
	struct fuzz z = { seed };
	struct ks_writer k = make(&z);
	u32 n = 1 + fuzz_below(&z, 4);
	struct hang_symbol sym;
	const char *why;
	char *info;
	u64 addr;

	while (n--)
		damage(&z, &k);
	/* Exactly as long as it says, so that a sanitizer sees what is read. */
	info = malloc(k.info_len + 1);
	info = realloc(info, k.info_len ? k.info_len : 1);
	memcpy(info, k.info, k.info_len);
	hang_kallsyms_init(&ks, &k.f->t);
	hang_kallsyms_want(&ks, "func_17");
	hang_kallsyms_want(&ks, "func_299");
	if (!hang_kallsyms_load(&ks, info, k.info_len, &why)) {
		hang_kallsyms_find(&ks, "func_17", &addr);
		for (n = 0; n < 20; n++)
			if (!hang_kallsyms_at(&ks, KS_BASE + n * 333, &sym) &&
			    strlen(sym.name) >= sizeof(sym.name))
				abort();
		hang_kallsyms_at(&ks, fuzz_value(&z), &sym);
	}
	free(info);
	fake_free(k.f);
}

int main(int argc, char **argv)
{
	fuzz_main(argc, argv, 300, one);
	return tap_end();
}
