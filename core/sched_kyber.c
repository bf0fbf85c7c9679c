// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kyber (block/kyber-iosched.c). Each hardware queue has a list for each domain
 * of operations, and so has each software queue under it: a request waits on
 * the latter first, and is moved when its domain is served. To be handed out it
 * takes a token of its domain, of which there are so many for the whole disk;
 * where none is left, the hardware queue waits for one.
 */
#include "sched.h"

#define DOMAINS_MAX 8
#define CTX_MAX 8192

static const struct hang_sched_part domains[] = {
	{ L_enum_kyber_read, "read" },
	{ L_enum_kyber_write, "write" },
	{ L_enum_kyber_discard, "discard" },
	{ L_enum_kyber_other, "other" },
};

/* How many domains there are; 0 if the types don't agree about it. */
static u32 nr_domains(const struct hang_work *w)
{
	u32 list = 2 * w->t->word;
	u32 n = w->layout.loc[L_khd_rqs].size / list;

	if (n > DOMAINS_MAX || w->layout.loc[L_kcq_list].size != n * list ||
	    w->layout.loc[L_kqd_tokens].size != n * hang_loc(w, L_size_sbq))
		return 0;
	return n;
}

static void start(struct hang_work *w, u32 domain)
{
	hang_sched_start_nth(w, domain, domains, HANG_ARRAY_SIZE(domains));
}

static int count_only(struct hang_work *w, u32 bit, void *arg)
{
	(void)w;
	(void)bit;
	(void)arg;
	return 0;
}

static void emit_tokens(struct hang_work *w, u64 kqd, u32 domain)
{
	u64 sbq = kqd + hang_loc(w, L_kqd_tokens) +
		  domain * hang_loc(w, L_size_sbq);
	u32 depth = 0, taken = 0;

	start(w, domain);
	if (!hang_for_each_sbit(w, sbq + hang_loc(w, L_sbq_sb), &depth, &taken,
				count_only, NULL)) {
		hang_rec_set(&w->rec, F_sched_tokens, depth);
		hang_rec_set(&w->rec, F_sched_taken, taken);
	}
	hang_rec_set(&w->rec, F_sched_addr, sbq);
	hang_emit(w, &w->rec);
}

/* Waiting, the entry is linked to another one. */
static void show_wait(struct hang_work *w, u64 khd, u32 domain, u32 n)
{
	u64 entry = khd + hang_loc(w, L_khd_wait) +
		    hang_loc(w, L_sbq_wait_entry) +
		    domain * (w->layout.loc[L_khd_wait].size / n);
	u64 next;

	if (hang_has(w, L_khd_wait) && hang_has(w, L_sbq_wait_entry) &&
	    !hang_read_ptr(w, entry, &next, "kyber_hctx_data.domain_wait"))
		hang_rec_set(&w->rec, F_sched_waiting, next && next != entry);
}

struct kyber_hctx {
	u64 khd;
	u64 kcqs;
	u32 num;
	u32 nr_ctx;
};

static void emit_domain(struct hang_work *w, const struct kyber_hctx *h,
			u32 domain, u32 n)
{
	u64 list = domain * 2 * w->t->word;
	u64 kcq_list = h->kcqs + hang_loc(w, L_kcq_list) + list;
	struct hang_sched_count c = { 0 };
	u32 i;

	start(w, domain);
	hang_rec_set(&w->rec, F_sched_hctx, h->num);
	hang_sched_list(w, h->khd + hang_loc(w, L_khd_rqs) + list,
			HANG_AT_SCHED, &c);
	for (i = 0; i < h->nr_ctx && !hang_interrupted(w); i++)
		hang_sched_list(w, kcq_list + i * hang_loc(w, L_size_kcq),
				HANG_AT_SCHED, &c);
	hang_sched_set(w, F_sched_queued, &c);
	show_wait(w, h->khd, domain, n);
	hang_rec_set(&w->rec, F_sched_addr, h->khd);
	hang_emit(w, &w->rec);
}

static void walk_hctx(struct hang_work *w, u64 hctx, u32 num, u32 n)
{
	struct kyber_hctx h = { .num = num };
	u64 nr_ctx;
	u32 domain;

	/* What can't be read of hctx is reported when that is shown. */
	w->hush = true;
	if (hang_read_member(w, hctx, L_hctx_sched_data, &h.khd) ||
	    hang_read_member(w, hctx, L_hctx_nr_ctx, &nr_ctx))
		h.khd = 0;
	w->hush = false;
	if (!h.khd || nr_ctx > CTX_MAX ||
	    hang_read_member(w, h.khd, L_khd_kcqs, &h.kcqs))
		return;
	h.nr_ctx = nr_ctx;
	for (domain = 0; domain < n; domain++)
		emit_domain(w, &h, domain, n);
}

static void walk(struct hang_work *w, u64 kqd)
{
	u32 hctxs = hang_nr_hctxs(w);
	u32 n = nr_domains(w);
	u32 i;
	u64 hctx;
	int err;

	for (i = 0; i < n; i++)
		emit_tokens(w, kqd, i);
	for (i = 0; n && i < hctxs && !hang_interrupted(w); i++) {
		w->hush = true;
		err = hang_hctx_addr(w, i, &hctx);
		w->hush = false;
		if (!err && hctx)
			walk_hctx(w, hctx, i, n);
	}
}

const struct hang_sched hang_sched_kyber = {
	.name = "kyber",
	.rows = { L_kqd_tokens, L_khd_rqs, L_khd_kcqs, L_size_kcq, L_kcq_list,
		  L_size_sbq, L_hctx_sched_data, L_hctx_nr_ctx },
	.walk = walk,
};
