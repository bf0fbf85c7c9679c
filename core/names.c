// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of operations and flags, from the arrays the kernel keeps for its own
 * debugfs files. Bit numbers move even inside a stable series; these follow.
 * A name that can't be had is no fault: the number is shown instead.
 */
#include "core.h"

#define NAMES_MAX 64
#define NAME_MAX_LEN 32

static const enum hang_row_id array_rows[HANG_NAMES_COUNT] = {
	[HANG_OP] = L_sym_blk_op_name,
	[HANG_CMD_FLAG] = L_sym_cmd_flag_name,
	[HANG_RQF] = L_sym_rqf_name,
	[HANG_QUEUE_FLAG] = L_sym_blk_queue_flag_name,
	[HANG_HCTX_STATE] = L_sym_hctx_state_name,
};

static bool read_name(struct hang_work *w, const struct hang_names *names,
		      u32 n, char *buf, size_t size)
{
	struct hang_target *t = w->t;
	u64 addr;
	u32 i;

	if (n >= names->count ||
	    hang_target_uint(t, names->addr + n * t->word, t->word, &addr) ||
	    !hang_is_kernel_ptr(w, addr))
		return false;
	/* Byte by byte: a name may end just before a hole. */
	for (i = 0; i < size - 1; i++)
		if (t->ops->read(t, addr + i, buf + i, 1) || !buf[i])
			break;
	buf[i] = '\0';
	return buf[0] != '\0';
}

static int bit_of(struct hang_work *w, enum hang_names_id id, const char *name)
{
	char buf[NAME_MAX_LEN];
	u32 i;

	for (i = 0; i < w->names[id].count; i++)
		if (read_name(w, &w->names[id], i, buf, sizeof(buf)) &&
		    !strcmp(buf, name))
			return i;
	return -1;
}

void hang_names_load(struct hang_work *w)
{
	u32 id;

	for (id = 0; id < HANG_NAMES_COUNT; id++) {
		u64 addr = hang_loc(w, array_rows[id]);
		struct hang_names *names = &w->names[id];

		names->addr = addr;
		names->count = 0;
		if (!addr || w->t->ops->symbol_at(w->t, addr, &w->symbol) ||
		    w->symbol.start != addr)
			continue;
		names->count = hang_div64(w->symbol.size, w->t->word);
		if (names->count > NAMES_MAX)
			names->count = NAMES_MAX;
	}
	if (hang_has(w, L_enum_rqf_timed_out))
		w->timed_out_bit = hang_loc(w, L_enum_rqf_timed_out);
	else
		w->timed_out_bit = bit_of(w, HANG_RQF, "TIMED_OUT");
}

void hang_put_name(struct hang_work *w, struct hang_str *s,
		   enum hang_names_id id, u32 n)
{
	char buf[NAME_MAX_LEN];

	if (read_name(w, &w->names[id], n, buf, sizeof(buf)))
		hang_put(s, buf);
	else
		hang_put_dec(s, n);
}

void hang_put_bits(struct hang_work *w, struct hang_str *s,
		   enum hang_names_id id, u64 bits, u32 first)
{
	bool any = false;
	u32 bit;

	for (bit = first; bit < 64 && bits >> bit; bit++) {
		if (!(bits >> bit & 1))
			continue;
		if (any)
			hang_put_char(s, '|');
		hang_put_name(w, s, id, bit);
		any = true;
	}
	if (!any)
		hang_put_char(s, '-');
}

u32 hang_set_value(struct hang_work *w, struct hang_rec *rec, u32 field,
		   const struct hang_value_name *names, u32 count, s64 value)
{
	struct hang_str s;
	char buf[24];
	u32 i;

	hang_str_init(&s, buf, sizeof(buf));
	for (i = 0; i < count; i++)
		if (hang_has(w, names[i].row) &&
		    value == (s64)hang_loc(w, names[i].row))
			break;
	if (i < count)
		hang_put(&s, names[i].name);
	else
		hang_put_int(&s, value);
	hang_rec_str(rec, field, buf);
	return i;
}

bool hang_is_symbol(struct hang_work *w, u64 addr)
{
	return addr && !w->t->ops->symbol_at(w->t, addr, &w->symbol) &&
	       w->symbol.start == addr;
}

void hang_put_symbol(struct hang_work *w, struct hang_str *s, u64 addr)
{
	if (!hang_is_symbol(w, addr)) {
		hang_put_char(s, '?');
		return;
	}
	hang_put(s, w->symbol.name);
	if (w->symbol.module[0]) {
		hang_put(s, " [");
		hang_put(s, w->symbol.module);
		hang_put_char(s, ']');
	}
}
