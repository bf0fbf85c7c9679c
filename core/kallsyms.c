// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kallsyms: names are strings of byte codes, each of which stands for a token;
 * the first character of the expanded name is the type letter. A name's length
 * is one byte, or two where the first one's top bit is set. Symbols are sorted
 * by address. How addresses are stored has changed four times and can't be told
 * from outside, so each way is tried on _stext, whose address VMCOREINFO has.
 */
#include <blkhang/kallsyms.h>
#include <blkhang/layout.h>

#define SYMBOLS_MAX (1u << 22)
#define NAMES_MAX (1u << 26) /* bytes; ten times what any kernel has */
#define CODES_MAX 1024	      /* in one name; the kernel's own limit is 512 */

void hang_kallsyms_init(struct hang_kallsyms *ks, struct hang_target *t)
{
	memset(ks, 0, sizeof(*ks));
	ks->t = t;
	hang_kallsyms_want(ks, "_stext");
}

bool hang_kallsyms_want(struct hang_kallsyms *ks, const char *name)
{
	size_t len = strlen(name);
	u32 i;

	for (i = 0; i < ks->nr_wanted; i++)
		if (!strcmp(ks->wanted[i].name, name))
			return true;
	if (i == HANG_WANTED_MAX || len >= HANG_WANTED_NAME)
		return false;
	memcpy(ks->wanted[i].name, name, len + 1);
	ks->nr_wanted++;
	return true;
}

/* The symbol names in a row's alternates: "name|name:type.member". */
static void want_spec(struct hang_kallsyms *ks, const char *spec)
{
	char name[HANG_WANTED_NAME];

	while (*spec) {
		size_t n = 0;

		while (*spec && *spec != '|' && *spec != ':') {
			if (n < sizeof(name) - 1)
				name[n++] = *spec;
			spec++;
		}
		name[n] = '\0';
		hang_kallsyms_want(ks, name);
		while (*spec && *spec != '|')
			spec++;
		if (*spec)
			spec++;
	}
}

void hang_kallsyms_want_rows(struct hang_kallsyms *ks)
{
	u32 i;

	for (i = 0; i < L_COUNT; i++)
		if (hang_rows[i].kind == HANG_SYMBOL)
			want_spec(ks, hang_rows[i].spec);
}

static int read_uint(struct hang_kallsyms *ks, u64 addr, u32 size, u64 *value)
{
	return hang_target_uint(ks->t, addr, size, value);
}

/* Makes chunk hold names from offset at on: at least want bytes of them. */
static bool refill(struct hang_kallsyms *ks, u32 at, u32 want)
{
	u32 len = HANG_KS_CHUNK;

	ks->chunk_len = 0;
	/* The table may end before the chunk does, next to a hole. */
	while (ks->t->ops->read(ks->t, ks->names + at, ks->chunk, len)) {
		len /= 2;
		if (len < want)
			return false;
	}
	ks->chunk_at = at;
	ks->chunk_len = len;
	return true;
}

static inline const u8 *names_at(struct hang_kallsyms *ks, u32 at, u32 want)
{
	u32 in_chunk = at - ks->chunk_at;

	/* One comparison: what lies before the chunk wraps to far behind. */
	if ((u64)in_chunk + want > ks->chunk_len) {
		if (!refill(ks, at, want))
			return NULL;
		in_chunk = 0;
	}
	return ks->chunk + in_chunk;
}

/*
 * The codes of the name at *at, and how many; moves *at to the next name. NULL
 * when they can't be read.
 */
static inline const u8 *codes_at(struct hang_kallsyms *ks, u32 *at, u32 *count)
{
	const u8 *p = names_at(ks, *at, 2);
	u32 head = 1;

	if (!p)
		return NULL;
	*count = p[0];
	if (p[0] & 0x80) {
		*count = (p[0] & 0x7f) | p[1] << 7;
		head = 2;
	}
	if (!*count || *count > CODES_MAX)
		return NULL;
	p = names_at(ks, *at + head, *count);
	*at += head + *count;
	return p;
}

/* Expands codes into buf, without the type letter they begin with. */
static void expand(const struct hang_kallsyms *ks, const u8 *codes, u32 count,
		   char *buf, u32 size)
{
	bool first = true;
	u32 used = 0;

	for (; count; count--) {
		const char *c = ks->tokens + ks->token_index[*codes++];

		for (; *c; c++) {
			if (!first && used < size - 1)
				buf[used++] = *c;
			first = false;
		}
	}
	buf[used] = '\0';
}

static int load_tokens(struct hang_kallsyms *ks, u64 table, u64 index)
{
	u8 raw[64];
	u32 i, last;
	int err;

	for (i = 0; i < HANG_KS_TOKENS; i++) {
		if (i % 32 == 0) {
			err = ks->t->ops->read(ks->t, index + i * 2, raw,
					       sizeof(raw));
			if (err)
				return err;
		}
		ks->token_index[i] = hang_decode(ks->t, raw + i % 32 * 2, 2);
		if (ks->token_index[i] >= HANG_KS_TOKEN_BYTES - 64)
			return -EINVAL;
	}
	last = ks->token_index[HANG_KS_TOKENS - 1] + 64;
	memset(ks->tokens, 0, sizeof(ks->tokens));
	return ks->t->ops->read(ks->t, table, ks->tokens, last - 1);
}

/*
 * What can be told of a name without expanding it: its first and its last
 * character, then its length. Most names end there.
 */
struct shape {
	u64 last_of[64];	   /* by first character: last ones, mod 64 */
	u64 lengths_of[64];	   /* by first character: lengths */
	u8 length[HANG_KS_TOKENS]; /* of each token */
	char first[HANG_KS_TOKENS]; /* characters of each token, or '\0' */
	char second[HANG_KS_TOKENS];
	char last[HANG_KS_TOKENS];
};

static void shape_init(struct hang_kallsyms *ks, struct shape *sh)
{
	u32 i;

	memset(sh, 0, sizeof(*sh));
	for (i = 0; i < HANG_KS_TOKENS; i++) {
		const char *c = ks->tokens + ks->token_index[i];
		size_t n = strlen(c);

		sh->length[i] = n < 255 ? n : 255;
		sh->first[i] = c[0];
		sh->second[i] = n ? c[1] : '\0';
		sh->last[i] = n ? c[n - 1] : '\0';
	}
	for (i = 0; i < ks->nr_wanted; i++) {
		const char *name = ks->wanted[i].name;
		size_t n = strlen(name);

		if (!n)
			continue;
		sh->last_of[name[0] & 63] |= 1ULL << (name[n - 1] & 63);
		sh->lengths_of[name[0] & 63] |= 1ULL << n;
	}
}

/* The first character behind the type letter, '\0' for a name without any. */
static char first_char(const struct shape *sh, const u8 *codes, u32 count)
{
	if (sh->second[codes[0]])
		return sh->second[codes[0]];
	return count > 1 ? sh->first[codes[1]] : '\0';
}

static bool may_be_wanted(const struct shape *sh, const u8 *codes, u32 count)
{
	u32 first = first_char(sh, codes, count) & 63;
	u32 length = 0;
	u32 i;

	if (!(sh->last_of[first] >> (sh->last[codes[count - 1]] & 63) & 1))
		return false;
	for (i = 0; i < count; i++)
		length += sh->length[codes[i]];
	/* The type letter is part of the codes, not of the name. */
	return length > 1 && length <= HANG_WANTED_NAME &&
	       sh->lengths_of[first] >> (length - 1) & 1;
}

static void note_wanted(struct hang_kallsyms *ks, const char *name, u32 index)
{
	u32 i;

	for (i = 0; i < ks->nr_wanted; i++) {
		struct hang_wanted *want = &ks->wanted[i];

		/* Of several symbols of one name, the first is taken. */
		if (!want->found && want->name[0] == name[0] &&
		    !strcmp(want->name, name)) {
			want->found = true;
			want->index = index;
			return;
		}
	}
}

/* Reads every name once: notes markers, and where the wanted ones are. */
static int scan(struct hang_kallsyms *ks)
{
	char name[HANG_WANTED_NAME + 1];
	struct shape *sh = (struct shape *)ks->scratch;
	u32 at = 0;
	u32 i;

	shape_init(ks, sh);
	for (i = 0; i < ks->count; i++) {
		const u8 *codes;
		u32 count;

		/* The stride is a power of two; division is slow. */
		if (!(i & (ks->stride - 1)))
			ks->marker[i / ks->stride] = at;
		codes = codes_at(ks, &at, &count);
		if (!codes || at > NAMES_MAX)
			return -EINVAL;
		if (!may_be_wanted(sh, codes, count))
			continue;
		expand(ks, codes, count, name, sizeof(name));
		note_wanted(ks, name, i);
	}
	return 0;
}

static int addr_by(struct hang_kallsyms *ks, u8 encoding, u32 i, u64 *addr)
{
	u64 at = ks->offsets + (u64)i * 4;
	u64 raw;
	s64 off;
	int err;

	if (encoding == HANG_KS_ABSOLUTE)
		return ks->addresses ? read_uint(ks, ks->addresses +
						 (u64)i * ks->t->word,
						 ks->t->word, addr) : -ENOENT;
	if (!ks->offsets)
		return -ENOENT;
	err = read_uint(ks, at, 4, &raw);
	if (err)
		return err;
	off = (s32)(u32)raw;
	if (encoding == HANG_KS_PC_RELATIVE)
		*addr = at + off;
	else if (encoding == HANG_KS_BASE)
		*addr = ks->relative_base + raw;
	else
		*addr = off >= 0 ? (u64)off : ks->relative_base - 1 - off;
	return 0;
}

static int calibrate(struct hang_kallsyms *ks, u64 stext)
{
	const struct hang_wanted *want = &ks->wanted[0]; /* _stext */
	u64 addr;

	if (!want->found)
		return -EINVAL;
	for (ks->encoding = 0; ks->encoding < HANG_KS_ENCODINGS; ks->encoding++)
		if (!addr_by(ks, ks->encoding, want->index, &addr) &&
		    addr == stext)
			return 0;
	return -EINVAL;
}

static int find_tables(struct hang_kallsyms *ks, const char *info, size_t len,
		       u64 *table, u64 *index, u64 *stext)
{
	u64 num, base;

	if (hang_vmcoreinfo_symbol(info, len, "kallsyms_names", &ks->names) ||
	    hang_vmcoreinfo_symbol(info, len, "kallsyms_num_syms", &num) ||
	    hang_vmcoreinfo_symbol(info, len, "kallsyms_token_table", table) ||
	    hang_vmcoreinfo_symbol(info, len, "kallsyms_token_index", index) ||
	    hang_vmcoreinfo_symbol(info, len, "_stext", stext))
		return -ENOENT;
	hang_vmcoreinfo_symbol(info, len, "kallsyms_offsets", &ks->offsets);
	hang_vmcoreinfo_symbol(info, len, "kallsyms_addresses", &ks->addresses);
	if (!ks->offsets && !ks->addresses)
		return -ENOENT;
	if (!hang_vmcoreinfo_symbol(info, len, "kallsyms_relative_base", &base))
		read_uint(ks, base, ks->t->word, &ks->relative_base);
	if (read_uint(ks, num, 4, &num))
		return -EFAULT;
	ks->count = num;
	return num && num <= SYMBOLS_MAX ? 0 : -EINVAL;
}

int hang_kallsyms_load(struct hang_kallsyms *ks, const char *info, size_t len,
		       const char **why)
{
	u64 table, index, stext;
	int err;

	*why = "VMCOREINFO does not say where kallsyms is (kernel before 6.0?)";
	err = find_tables(ks, info, len, &table, &index, &stext);
	if (err == -ENOENT)
		return err;
	*why = "kallsyms can't be read, or is damaged";
	if (err || load_tokens(ks, table, index))
		return -EINVAL;
	ks->stride = 64;
	while (ks->count / ks->stride >= HANG_KS_MARKERS)
		ks->stride *= 2;
	if (scan(ks))
		return -EINVAL;
	*why = "kallsyms and VMCOREINFO disagree on _stext";
	return calibrate(ks, stext);
}

int hang_kallsyms_find(struct hang_kallsyms *ks, const char *name, u64 *addr)
{
	u32 i;

	for (i = 0; i < ks->nr_wanted; i++)
		if (ks->wanted[i].found && !strcmp(ks->wanted[i].name, name))
			return addr_by(ks, ks->encoding, ks->wanted[i].index,
				       addr);
	return -ENOENT;
}

/* Index of the first symbol whose address is above addr. */
static int upper_bound(struct hang_kallsyms *ks, u64 addr, u32 *index)
{
	u32 low = 0, high = ks->count;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		u64 at;
		int err = addr_by(ks, ks->encoding, mid, &at);

		if (err)
			return err;
		if (at <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	*index = low;
	return 0;
}

static int name_of(struct hang_kallsyms *ks, u32 i, char *buf, u32 size)
{
	u32 at = ks->marker[i / ks->stride];
	const u8 *codes = NULL;
	u32 count = 0;
	u32 n;

	for (n = i % ks->stride + 1; n; n--) {
		codes = codes_at(ks, &at, &count);
		if (!codes)
			return -EFAULT;
	}
	expand(ks, codes, count, buf, size);
	return 0;
}

int hang_kallsyms_at(struct hang_kallsyms *ks, u64 addr,
		     struct hang_symbol *sym)
{
	u32 above, i;
	u64 end, before;
	int err;

	err = upper_bound(ks, addr, &above);
	/* Below the first symbol, or above the last, which is _end. */
	if (err || !above || above == ks->count)
		return err ? err : -ENOENT;
	i = above - 1;
	if (addr_by(ks, ks->encoding, i, &sym->start) ||
	    addr_by(ks, ks->encoding, above, &end))
		return -EFAULT;
	/* Of several names for one place, the kernel shows the first. */
	while (i && !addr_by(ks, ks->encoding, i - 1, &before) &&
	       before == sym->start)
		i--;
	sym->size = end - sym->start;
	sym->module[0] = '\0';
	return name_of(ks, i, sym->name, sizeof(sym->name));
}
