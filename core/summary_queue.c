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

bool hang_has_word(const char *text, const char *word, char sep)
{
	size_t len = strlen(word);

	while (*text) {
		const char *end = text;

		while (*end && *end != sep)
			end++;
		if ((size_t)(end - text) == len && !memcmp(text, word, len))
			return true;
		text = *end ? end + 1 : end;
	}
	return false;
}

/* Whether a bit is set, of those that are joined by '|'. */
static bool has_word(const char *bits, const char *bit)
{
	return hang_has_word(bits, bit, '|');
}

void hang_summary_add_queue(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_queue_sum *q = &d->queue;

	q->known = true;
	q->freeze = hang_rec_get(rec, F_queue_freeze);
	q->usage_known = hang_rec_has(rec, F_queue_usage);
	q->usage = (s64)hang_rec_get(rec, F_queue_usage);
	q->dead = hang_rec_get(rec, F_queue_dead);
	q->dead_twice = hang_rec_get(rec, F_queue_dead_seen) > 1;
	q->dead_once = hang_rec_has(rec, F_queue_dead_seen) &&
		       hang_rec_get(rec, F_queue_dead_seen) < 2;
	q->quiesce = hang_rec_get(rec, F_queue_quiesce);
	q->pm_only = hang_rec_get(rec, F_queue_pm_only);
	q->active = is(rec, F_queue_rpm, "active");
	q->inactive_pm = is(rec, F_queue_rpm, "suspended") ||
			 is(rec, F_queue_rpm, "suspending") ||
			 is(rec, F_queue_rpm, "resuming");
	q->timer_dead = hang_rec_has(rec, F_queue_timer) &&
			!hang_rec_get(rec, F_queue_timer) &&
			is(rec, F_queue_timeout_work, "idle");
	q->lists_empty = hang_rec_has(rec, F_queue_requeue) &&
			 !hang_rec_get(rec, F_queue_requeue) &&
			 !hang_rec_get(rec, F_queue_flush);
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
	else if (!hang_rec_get(rec, F_hctx_dispatch_wait) && has_names(state) &&
		 is(rec, F_hctx_run_work, "idle"))
		q->idle++;
}

void hang_summary_add_hctx(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	const char *state = hang_rec_text(rec, F_hctx_state);
	struct hang_queue_sum *q = &d->queue;

	if (hang_rec_get(rec, F_hctx_dispatch) || hang_rec_get(rec, F_hctx_sw))
		add_waiting(q, rec);
	if (!hang_rec_has(rec, F_hctx_dispatch) ||
	    hang_rec_get(rec, F_hctx_dispatch) || hang_rec_get(rec, F_hctx_flush))
		q->lists_empty = false;
	/* One that could run is enough for those in the scheduler. */
	if (has_word(state, "STOPPED"))
		q->stopped_all++;
	else if (!has_names(state) || !is(rec, F_hctx_run_work, "idle"))
		q->not_idle++;
}

void hang_summary_add_tags(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	struct hang_tags_sum *t = &d->last_tags;

	d->strands[HANG_NEED_TAG] = hang_rec_has(rec, F_tags_busy) &&
				    !hang_rec_get(rec, F_tags_busy);
	t->full = hang_rec_has(rec, F_tags_busy) &&
		  hang_rec_get(rec, F_tags_busy) ==
			  hang_rec_get(rec, F_tags_depth);
	t->shared = hang_rec_get(rec, F_tags_shared);
	t->sched = is(rec, F_tags_kind, "sched");
	t->hctx = hang_rec_get(rec, F_tags_hctx);
	t->depth = hang_rec_get(rec, F_tags_depth);
	t->wake_batch = hang_rec_get(rec, F_tags_wake_batch);
	t->share = hang_rec_get(rec, F_tags_share);
}

/* Only a counter that is known can be wrong. */
void hang_summary_add_qos(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	d->strands[HANG_NEED_QOS] = hang_rec_has(rec, F_qos_inflight) &&
				    (s64)hang_rec_get(rec, F_qos_inflight) <= 0;
	d->last_negative = hang_rec_get(rec, F_qos_negative);
	hang_summary_copy(d->last_qos, hang_rec_text(rec, F_qos_id),
			  sizeof(d->last_qos));
}

/* One who waits where nothing will wake him; the longest is the one to tell. */
static void add_stranded(struct hang_disk_sum *d, enum hang_need need, u64 slept)
{
	if (need == HANG_NEED_TAG && d->last_tags.full && slept > d->full_ns) {
		d->full_ns = slept;
		d->tags = d->last_tags;
	}
	if (!d->strands[need] || slept <= d->stranded_ns[need])
		return;
	d->stranded_ns[need] = slept;
	if (need == HANG_NEED_TAG) {
		d->tags = d->last_tags;
	} else {
		d->qos_negative = d->last_negative;
		hang_summary_copy(d->qos, d->last_qos, sizeof(d->qos));
	}
}

void hang_sleepers_add(struct hang_sleepers *s, u32 pid, u64 slept,
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
		{ "fs", HANG_NEED_FS },
	};
	u64 slept = hang_rec_get(rec, F_wait_slept);
	u32 i;

	if (!hang_rec_has(rec, F_wait_pid))
		return;
	for (i = 0; i < HANG_ARRAY_SIZE(needs); i++) {
		if (!is(rec, F_wait_what, needs[i].what))
			continue;
		hang_sleepers_add(&d->needs[needs[i].need],
				  hang_rec_get(rec, F_wait_pid), slept,
				  hang_rec_text(rec, F_wait_comm));
		add_stranded(d, needs[i].need, slept);
	}
}

/* A task that runs may be about to submit what it has. */
void hang_summary_add_plug(struct hang_disk_sum *d, const struct hang_rec *rec)
{
	if (hang_rec_get(rec, F_plug_requests) &&
	    hang_rec_has(rec, F_plug_slept) && !is(rec, F_plug_state, "R"))
		hang_sleepers_add(&d->plugger, hang_rec_get(rec, F_plug_pid),
				  hang_rec_get(rec, F_plug_slept),
				  hang_rec_text(rec, F_plug_task));
}

void hang_summary_add_blocked(struct hang_disk_sum *d,
			      const struct hang_rec *rec)
{
	hang_sleepers_add(&d->needs[HANG_NEED_RQ],
			  hang_rec_get(rec, F_blocked_pid),
			  hang_rec_get(rec, F_blocked_slept),
			  hang_rec_text(rec, F_blocked_comm));
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
	/* Plugs are looked at before; it has to be that of the one who sleeps. */
	if (left == HANG_LEFT_NOWHERE && hang_rec_has(rec, F_rq_plug) &&
	    hang_rec_get(rec, F_rq_plug) == d->plugger.pid)
		left = HANG_LEFT_PLUG;
	d->left_at[left]++;
	d->left_reads += is(rec, F_rq_op, "READ");
	if (age > d->left_oldest_ns) {
		d->left_oldest_ns = age;
		d->left_limit_ns = hang_rec_get(rec, F_rq_limit);
	}
}
