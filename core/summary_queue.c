// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The part of the summary that says of a disk why requests don't get to the
 * driver: its queue, its hardware queues, its tags, and who waits.
 */
#include <blkhang/summary.h>

void hang_summary_copy(char *to, const char *from, size_t size)
{
	size_t n = 0;

	while (n < size - 1 && from[n]) {
		to[n] = from[n];
		n++;
	}
	to[n] = '\0';
}

static bool is(const struct hang_rec *rec, u32 field, const char *text)
{
	return !strcmp(hang_rec_text(rec, field), text);
}

/* Whether word is one of those in a text joined by '|'. */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (*text) {
		const char *end = text;

		while (*end && *end != '|')
			end++;
		if ((size_t)(end - text) == len && !memcmp(text, word, len))
			return true;
		text = *end ? end + 1 : end;
	}
	return false;
}

void hang_summary_add_queue(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_queue_sum *q = &d->queue;

	q->known = true;
	q->freeze = hang_rec_get(rec, F_queue_freeze);
	q->usage_known = hang_rec_has(rec, F_queue_usage);
	q->usage = (s64)hang_rec_get(rec, F_queue_usage);
	q->dead = hang_rec_get(rec, F_queue_dead);
	q->quiesce = hang_rec_get(rec, F_queue_quiesce);
	q->pm_only = hang_rec_get(rec, F_queue_pm_only);
	q->active = is(rec, F_queue_rpm, "active");
	q->requeue_idle = is(rec, F_queue_requeue_work, "idle");
	q->timeout_ns = hang_rec_get(rec, F_queue_timeout);
	/* Where quiesces are not counted, there is a flag. */
	if (has_word(hang_rec_text(rec, F_queue_flags), "QUIESCED") &&
	    !q->quiesce)
		q->quiesce = 1;
}

/* Where the kernel has no names for its bits, none of them is known. */
static bool has_names(const char *text)
{
	return *text && !(*text >= '0' && *text <= '9');
}

/* What holds back a hardware queue that has requests to hand out. */
static void add_waiting(struct hang_queue_sum *q, const struct hang_rec *rec)
{
	const char *state = hang_rec_text(rec, F_hctx_state);

	if (has_word(state, "STOPPED"))
		q->stopped++;
	else if (has_word(state, "INACTIVE"))
		q->inactive += hang_rec_get(rec, F_hctx_online) != 0;
	else if (hang_rec_get(rec, F_hctx_dispatch_wait))
		q->waiting++;
	else if (has_names(state) && is(rec, F_hctx_run_work, "idle"))
		q->idle++;
}

void hang_summary_add_hctx(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	const char *state = hang_rec_text(rec, F_hctx_state);
	struct hang_queue_sum *q = &d->queue;

	if (hang_rec_get(rec, F_hctx_dispatch) || hang_rec_get(rec, F_hctx_sw))
		add_waiting(q, rec);
	/* One that could run is enough for those in the scheduler. */
	if (has_word(state, "STOPPED"))
		q->stopped_all++;
	else if (!has_names(state) || !is(rec, F_hctx_run_work, "idle"))
		q->not_idle++;
}

void hang_summary_add_tags(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_tags_sum *t = &d->tags;
	u64 share = hang_rec_get(rec, F_tags_share);
	u64 batch = hang_rec_get(rec, F_tags_wake_batch);
	bool above = share && batch > share;

	if (!hang_rec_get(rec, F_tags_waiters))
		return;
	if (!above && (hang_rec_get(rec, F_tags_busy) || t->free))
		return;
	if (t->above_share)
		return;
	t->free = !hang_rec_get(rec, F_tags_busy);
	t->above_share = above;
	t->sched = is(rec, F_tags_kind, "sched");
	t->hctx = hang_rec_get(rec, F_tags_hctx);
	t->depth = hang_rec_get(rec, F_tags_depth);
	t->waiters = hang_rec_get(rec, F_tags_waiters);
	t->wake_batch = batch;
	t->share = share;
}

void hang_summary_add_qos(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	bool negative = hang_rec_get(rec, F_qos_negative);
	bool unthrottled = hang_rec_get(rec, F_qos_waiters) &&
			   hang_rec_has(rec, F_qos_inflight) &&
			   !hang_rec_get(rec, F_qos_inflight);

	if (!negative && !unthrottled)
		return;
	d->qos_negative |= negative;
	d->qos_unthrottled |= unthrottled;
	hang_summary_copy(d->qos, hang_rec_text(rec, F_qos_id),
			  sizeof(d->qos));
}

static void add_sleeper(struct hang_sleepers *s, u32 pid, u64 slept,
			const char *task)
{
	s->count++;
	if (s->pid && slept <= s->slept_ns)
		return;
	s->pid = pid;
	s->slept_ns = slept;
	hang_summary_copy(s->task, task, sizeof(s->task));
}

void hang_summary_add_wait(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	static const struct {
		const char *what;
		enum hang_need need;
	} needs[] = {
		{ "tag", HANG_NEED_TAG },
		{ "sched-tag", HANG_NEED_TAG },
		{ "reserved-tag", HANG_NEED_TAG },
		{ "reserved-sched-tag", HANG_NEED_TAG },
		{ "enter", HANG_NEED_ENTER },
		{ "freeze", HANG_NEED_ENTER },
		{ "pm", HANG_NEED_ENTER },
		{ "qos", HANG_NEED_QOS },
	};
	u32 i;

	if (!hang_rec_has(rec, F_wait_pid))
		return;
	for (i = 0; i < HANG_ARRAY_SIZE(needs); i++)
		if (is(rec, F_wait_what, needs[i].what))
			add_sleeper(&d->needs[needs[i].need],
				    hang_rec_get(rec, F_wait_pid),
				    hang_rec_get(rec, F_wait_slept),
				    hang_rec_text(rec, F_wait_comm));
}

/* A task that runs may be about to submit what it has. */
void hang_summary_add_plug(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	if (hang_rec_get(rec, F_plug_requests) &&
	    hang_rec_has(rec, F_plug_slept) && !is(rec, F_plug_state, "R"))
		add_sleeper(&d->plugger, hang_rec_get(rec, F_plug_pid),
			    hang_rec_get(rec, F_plug_slept),
			    hang_rec_text(rec, F_plug_task));
}

void hang_summary_add_left(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	static const struct {
		const char *at;
		enum hang_left left;
	} lefts[] = {
		{ "dispatch", HANG_LEFT_DISPATCH },
		{ "sw", HANG_LEFT_SW },
		{ "requeue", HANG_LEFT_REQUEUE },
		{ "flush", HANG_LEFT_FLUSH },
		{ "flush-pending", HANG_LEFT_FLUSH },
		{ "flush-running", HANG_LEFT_FLUSH },
		{ "flush-data", HANG_LEFT_FLUSH },
		{ "sched", HANG_LEFT_SCHED },
		{ "sched-dispatch", HANG_LEFT_SCHED },
	};
	enum hang_left left = HANG_LEFT_NOWHERE;
	u64 age = hang_rec_get(rec, F_rq_age);
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(lefts); i++)
		if (is(rec, F_rq_at, lefts[i].at))
			left = lefts[i].left;
	if (left == HANG_LEFT_NOWHERE && hang_rec_has(rec, F_rq_plug))
		left = HANG_LEFT_PLUG;
	d->left_at[left]++;
	if (age > d->left_oldest_ns) {
		d->left_oldest_ns = age;
		d->left_limit_ns = hang_rec_get(rec, F_rq_limit);
	}
}
