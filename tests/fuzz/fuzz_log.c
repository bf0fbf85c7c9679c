// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of logs that anybody may have written, found and parsed: whatever they
 * are, what comes of them is a record that can be rendered, within its bounds.
 */
#include "log_line.h"
#ifndef LIBFUZZER
#define FUZZ_MAIN
#include "fuzz.h"
#else
#include <stdlib.h>
#endif

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char line[HANG_LINE_MAX];
	struct hang_rec rec, other;
	struct log_frame f;
	struct hang_str s;
	char *raw = malloc(size + 1);
	u32 field = 0;

	memcpy(raw, data, size);
	raw = realloc(raw, size ? size : 1); /* so that no byte more is read */
	if (log_find(raw, size, size & 1, &f) == LOG_WHOLE &&
	    strlen(f.line) >= sizeof(f.line))
		abort();
	free(raw);
	if (size >= sizeof(line))
		size = sizeof(line) - 1;
	memcpy(line, data, size);
	line[size] = '\0';
	if (!log_parse(&rec, line))
		return 0;
	if (rec.type >= R_COUNT || rec.text_used > HANG_REC_TEXT)
		abort();
	other = rec;
	log_merge(&other, &rec);
	while (field < hang_rec_nr_fields(rec.type)) {
		hang_str_init(&s, line, sizeof(line));
		hang_render(&s, &other, &field, true);
	}
	return 0;
}

#ifndef LIBFUZZER /* which has a main() of its own */

static const char *const pieces[] = {
	"=\n", "=3D", "=2", "=", "&lt;", "&#x41;", "&#", "&nbsp;", "<br>", "\\n",
	"\\x5c", "\\u001b", "\\u", "\\", "#033[1m", "\033[31m", "\033[", "\033",
	"^[[0m", "^[", "[", "[32m", "** 3 printk messages dropped **\n", "**",
	"[   12.123456] x\n", "[12.", "\r\n> > ", "\n", "\r\r\n", "\n<14>", "\n<1",
	"\xc2\xa0", "\xc2", "\xe2\x80\x9d", "\xef\xbb\xbf", "blkhang: v1 ", "\"",
	" ", " *", " *0000", "say ... ", "late=1.500s", "task=\"", "cpu=", "",
};

static void spoil(struct fuzz *z, char *text, size_t size)
{
	u32 n = fuzz_below(z, 6);

	while (n--) {
		const char *piece = pieces[fuzz_below(z, HANG_ARRAY_SIZE(pieces))];
		size_t len = strlen(text), more = strlen(piece);
		size_t at = fuzz_below(z, len + 1);

		if (len + more + 1 > size || !(len + more))
			return;
		memmove(text + at + more, text + at, len - at + 1);
		memcpy(text + at, piece, more);
		if (!fuzz_below(z, 4))
			text[fuzz_below(z, len + more)] = (char)fuzz_value(z);
	}
}

static void one(u64 seed)
{
	struct fuzz z = { seed };
	char line[512], text[4096];
	struct hang_rec rec;
	struct hang_str s;
	u32 type = fuzz_below(&z, R_COUNT), f = 0;

	hang_rec_start(&rec, type);
	for (f = 0; f < hang_rec_nr_fields(type); f++) {
		u8 kind = hang_rec_descs[type].fields[f].kind;

		if (!fuzz_below(&z, 4))
			continue;
		if (kind == HANG_STR)
			hang_rec_str(&rec, f, pieces[fuzz_below(&z,
					     HANG_ARRAY_SIZE(pieces))]);
		else
			hang_rec_set(&rec, f, fuzz_value(&z));
	}
	f = 0;
	hang_str_init(&s, line, sizeof(line));
	hang_render(&s, &rec, &f, true);
	hang_str_init(&s, text, sizeof(text));
	if (fuzz_below(&z, 4))
		hang_frame(&s, (u32)fuzz_below(&z, 65536), 1, line);
	else
		hang_put(&s, line);
	spoil(&z, text, sizeof(text));
	LLVMFuzzerTestOneInput((const u8 *)text, strlen(text));
}

int main(int argc, char **argv)
{
	fuzz_main(argc, argv, 4000, one);
	return tap_end();
}

#endif
