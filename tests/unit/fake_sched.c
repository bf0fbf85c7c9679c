// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's I/O schedulers: what each keeps for a disk.
 */
#include "fake.h"

#define PRIOS 3
#define DOMAINS 4
#define TOKENS 20

static void make_array(struct fake *f, const char *spec, u32 n,
		       const char *type)
{
	struct fake_member *m = fake_member(f, spec);

	assert(n * fake_sizeof(f, type) <= m->size);
	m->size = n * fake_sizeof(f, type);
}

void fake_sched_types(struct fake *f)
{
	make_array(f, "deadline_data.per_prio", PRIOS, "dd_per_prio");
	make_array(f, "kyber_queue_data.domain_tokens", DOMAINS,
		   "sbitmap_queue");
	make_array(f, "kyber_hctx_data.domain_wait", DOMAINS, "sbq_wait");
}

u64 fake_list_at(struct fake *f, u64 base, const char *spec, u32 n)
{
	return base + fake_offset(f, spec) + n * 2 * f->t.word;
}

static void init_lists(struct fake *f, u64 base, const char *spec, u32 n)
{
	while (n--)
		fake_list_init(f, fake_list_at(f, base, spec, n));
}

void fake_queue_on(struct fake *f, u64 head, u64 rq)
{
	fake_list_add_tail(f, head, rq + fake_offset(f, "request.queuelist"));
}

u64 fake_dd_prio(struct fake *f, struct fake_disk *d, u32 prio)
{
	return d->sched_data + fake_offset(f, "deadline_data.per_prio") +
	       prio * fake_sizeof(f, "dd_per_prio");
}

static void make_deadline(struct fake *f, struct fake_disk *d)
{
	u32 i;

	d->sched_data = fake_new_of(f, "deadline_data");
	init_lists(f, d->sched_data, "deadline_data.fifo_list", 2);
	init_lists(f, d->sched_data, "deadline_data.dispatch", 1);
	if (fake_member(f, "deadline_data.per_prio")->gone)
		return;
	for (i = 0; i < PRIOS; i++) {
		u64 prio = fake_dd_prio(f, d, i);

		init_lists(f, prio, "dd_per_prio.fifo_list", 2);
		init_lists(f, prio, "dd_per_prio.dispatch", 1);
	}
}

/* Lists of actuators that there are none of are left as they are. */
static void make_bfq(struct fake *f, struct fake_disk *d)
{
	d->sched_data = fake_new_of(f, "bfq_data");
	init_lists(f, d->sched_data, "bfq_data.dispatch", 1);
	init_lists(f, d->sched_data, "bfq_data.idle_list", 1);
	if (fake_member(f, "bfq_data.num_actuators")->gone) {
		init_lists(f, d->sched_data, "bfq_data.active_list", 1);
		return;
	}
	init_lists(f, d->sched_data, "bfq_data.active_list", 2);
	fake_set(f, d->sched_data, "bfq_data.num_actuators", 2);
}

u64 fake_bfqq(struct fake *f, struct fake_disk *d, u32 pid)
{
	u64 bfqq = fake_new_of(f, "bfq_queue");

	fake_set(f, bfqq, "bfq_queue.bfqd", d->sched_data);
	fake_set(f, bfqq, "bfq_queue.pid", pid);
	init_lists(f, bfqq, "bfq_queue.fifo", 1);
	return bfqq;
}

static u64 token_queue(struct fake *f, struct fake_disk *d, u32 domain)
{
	return d->sched_data +
	       fake_offset(f, "kyber_queue_data.domain_tokens") +
	       domain * fake_sizeof(f, "sbitmap_queue");
}

static void make_tokens(struct fake *f, struct fake_disk *d, u32 domain)
{
	u64 sb = token_queue(f, d, domain) + fake_offset(f, "sbitmap_queue.sb");
	u64 words = fake_alloc(f, 2 * fake_sizeof(f, "sbitmap_word"));

	fake_set(f, sb, "sbitmap.depth", TOKENS);
	fake_set(f, sb, "sbitmap.shift", 5);
	fake_set(f, sb, "sbitmap.map_nr", 1);
	fake_set(f, sb, "sbitmap.map", words);
}

void fake_tokens(struct fake *f, struct fake_disk *d, u32 domain, u32 taken)
{
	u64 sb = token_queue(f, d, domain) + fake_offset(f, "sbitmap_queue.sb");
	u64 word = fake_field(f, sb, "sbitmap.map");

	/* Others were taken, too, and are free again. */
	fake_set(f, word, "sbitmap_word.word", (1u << TOKENS) - 1);
	fake_set(f, word, "sbitmap_word.cleared",
		 ((1u << TOKENS) - 1) & ~((1u << taken) - 1));
}

static u64 wait_entry(struct fake *f, u64 khd, u32 domain)
{
	return khd + fake_offset(f, "kyber_hctx_data.domain_wait") +
	       domain * fake_sizeof(f, "sbq_wait") +
	       fake_offset(f, "sbq_wait.wait.entry");
}

static void make_kyber_hctx(struct fake *f, struct fake_disk *d, u32 i)
{
	u64 khd = fake_new_of(f, "kyber_hctx_data");
	u64 kcqs = fake_alloc(f, FAKE_CTXS * fake_sizeof(f, "kyber_ctx_queue"));
	u32 n;

	fake_set(f, d->hctx[i], "blk_mq_hw_ctx.sched_data", khd);
	fake_set(f, khd, "kyber_hctx_data.kcqs", kcqs);
	init_lists(f, khd, "kyber_hctx_data.rqs", DOMAINS);
	for (n = 0; n < FAKE_CTXS; n++)
		init_lists(f, fake_kcq(f, d, i, n), "kyber_ctx_queue.rq_list",
			   DOMAINS);
	for (n = 0; n < DOMAINS; n++)
		fake_list_init(f, wait_entry(f, khd, n));
}

u64 fake_kcq(struct fake *f, struct fake_disk *d, u32 hctx, u32 ctx)
{
	u64 khd = fake_field(f, d->hctx[hctx], "blk_mq_hw_ctx.sched_data");

	return fake_field(f, khd, "kyber_hctx_data.kcqs") +
	       ctx * fake_sizeof(f, "kyber_ctx_queue");
}

void fake_token_wait(struct fake *f, struct fake_disk *d, u32 hctx, u32 domain)
{
	u64 khd = fake_field(f, d->hctx[hctx], "blk_mq_hw_ctx.sched_data");
	u64 head = fake_alloc(f, 2 * f->t.word);

	fake_list_init(f, head);
	fake_list_add_tail(f, head, wait_entry(f, khd, domain));
}

static void make_kyber(struct fake *f, struct fake_disk *d)
{
	u32 i;

	d->sched_data = fake_new_of(f, "kyber_queue_data");
	for (i = 0; i < DOMAINS; i++)
		make_tokens(f, d, i);
	for (i = 0; i < d->nr_hctxs; i++)
		make_kyber_hctx(f, d, i);
}

void fake_sched(struct fake *f, struct fake_disk *d, const char *name)
{
	u64 type = fake_field(f, d->elevator, "elevator_queue.type");

	fake_set(f, type, "elevator_type.elevator_name", fake_string(f, name));
	if (!strcmp(name, "mq-deadline"))
		make_deadline(f, d);
	else if (!strcmp(name, "bfq"))
		make_bfq(f, d);
	else
		make_kyber(f, d);
	fake_set(f, d->elevator, "elevator_queue.elevator_data", d->sched_data);
}

u32 fake_at(struct fake *f, const char *place)
{
	u32 n = 0, i;

	for (i = 0; i < fake_count(f, R_rq); i++)
		n += !strcmp(rec_str(f, rq, i, at), place);
	return n;
}

const struct hang_rec *fake_sched_rec(struct fake *f, const char *part, u32 n)
{
	static const struct hang_rec none;
	u32 i;

	for (i = 0; i < fake_count(f, R_sched); i++)
		if (!strcmp(rec_str(f, sched, i, part), part) && !n--)
			return fake_rec(f, R_sched, i);
	return &none;
}
