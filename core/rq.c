// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One request (include/linux/blk-mq.h): its stage, its age, and its record.
 *
 * Which time can be trusted differs. start_time_ns is cleared at allocation
 * where RQF_IO_STAT is no enumerator; where it is, newer kernels leave the
 * time of the tag's last user behind unless that flag is set. The deadline is
 * there on all: it is the jiffy of issue plus the timeout, and moves only when
 * a driver asks for more time, which makes a request look younger, not older.
 * io_start_time_ns is that of issue, but kept only where somebody asked for
 * statistics; it is cleared at allocation on all.
 */
#include "core.h"

static const char *const stage_names[] = {
	[HANG_ALLOCATED] = "allocated",
	[HANG_ISSUED] = "issued",
	[HANG_COMPLETED] = "completed",
	[HANG_TIMEDOUT] = "timedout",
};

/*
 * A deadline that has passed is noticed no later than that: the queue's timer is
 * rounded up to a second, and not set anew for half a second less.
 */
#define NOTICE_NS 2000000000ULL
#define PUT_OFF_TIMES 10

#define OP_MASK 0xff /* REQ_OP_BITS */
#define OP_BITS 8

static u64 get(const struct hang_work *w, enum hang_row_id row)
{
	return hang_snap_get(w, &w->rq_snap, row);
}

int hang_rq_load(struct hang_work *w, u64 rq)
{
	return hang_snap_load(w, &w->rq_snap, rq, L_size_rq);
}

static enum hang_stage stage_of(const struct hang_work *w)
{
	u64 state = get(w, L_rq_state);

	if (state == hang_loc(w, L_enum_rq_complete))
		return HANG_COMPLETED;
	if (w->timed_out_bit >= 0 && (get(w, L_rq_flags) >> w->timed_out_bit & 1))
		return HANG_TIMEDOUT;
	return state == hang_loc(w, L_enum_rq_in_flight) ? HANG_ISSUED
							 : HANG_ALLOCATED;
}

/*
 * ns since blk_mq_start_request(), 0 if it was never called. A driver may have
 * put off the deadline since, and then it looks younger.
 */
static u64 issued_ago(const struct hang_work *w)
{
	u64 issued = get(w, L_rq_deadline) - get(w, L_rq_timeout);

	if (!get(w, L_rq_deadline) || get(w, L_rq_state) == 0 ||
	    issued > w->clock.jiffies)
		return 0;
	return hang_jiffies_to_ns(w, w->clock.jiffies - issued);
}

u64 hang_rq_age(struct hang_work *w)
{
	u64 start = get(w, L_rq_start_time);
	bool trusted = start != 0;

	if (hang_has(w, L_enum_rqf_io_stat))
		trusted = get(w, L_rq_flags) >>
			  hang_loc(w, L_enum_rqf_io_stat) & 1;
	return trusted && start ? hang_since(w, start) : issued_ago(w);
}

static bool is_overdue(const struct hang_work *w)
{
	u64 deadline = get(w, L_rq_deadline);

	return w->clock.jiffies > deadline &&
	       hang_jiffies_to_ns(w, w->clock.jiffies - deadline) >= NOTICE_NS;
}

/*
 * Older than many timeouts: it is rather one whose deadline the driver puts off
 * each time than one that the scheduler has let wait for so long.
 */
static bool is_put_off(const struct hang_work *w, u64 age)
{
	return age / PUT_OFF_TIMES >
	       hang_jiffies_to_ns(w, get(w, L_rq_timeout));
}

/*
 * For how long, at least, it has been at the stage it is at. One that was issued
 * may have waited in a scheduler before. There is no time of completion, but a
 * finished request's deadline isn't put off any more.
 */
static u64 held_for(struct hang_work *w)
{
	u64 io_start = get(w, L_rq_io_start_time);
	enum hang_stage stage = stage_of(w);
	u64 age = hang_rq_age(w);
	u64 issued;

	if (stage == HANG_ALLOCATED)
		return age;
	if (stage == HANG_COMPLETED)
		return w->cfg.age_ns || is_overdue(w) ? age : 0;
	if (!io_start && (hang_snap_int(w, &w->rq_snap, L_rq_internal_tag) < 0 ||
			  is_put_off(w, age)))
		return age;
	issued = io_start ? hang_since(w, io_start) : issued_ago(w);
	return issued < age ? issued : age;
}

void hang_rq_show_age(struct hang_work *w, struct hang_rec *rec, u32 age_field,
		      u32 held_field)
{
	u64 age = hang_rq_age(w);
	u64 held = held_for(w);

	hang_rec_set(rec, age_field, age);
	if (held < age)
		hang_rec_set(rec, held_field, held);
}

u64 hang_rq_limit(struct hang_work *w)
{
	u64 timeout = get(w, L_rq_timeout);

	if (w->cfg.age_ns)
		return w->cfg.age_ns;
	if (!timeout)
		hang_read_member(w, get(w, L_rq_q), L_q_rq_timeout, &timeout);
	return hang_jiffies_to_ns(w, timeout);
}

u32 hang_rq_seen(struct hang_work *w)
{
	return hang_seen(w, w->rq_snap.addr,
			 get(w, L_rq_start_time) ^
			 get(w, L_rq_deadline) << 8 ^ get(w, L_rq_state));
}

static void show_deadline(struct hang_work *w, struct hang_rec *rec)
{
	u64 deadline = get(w, L_rq_deadline);
	u64 now = w->clock.jiffies;

	if (!deadline || get(w, L_rq_state) == 0)
		return;
	hang_rec_set(rec, F_rq_issued, issued_ago(w));
	if (deadline >= now)
		hang_rec_set(rec, F_rq_left,
			     hang_jiffies_to_ns(w, deadline - now));
	else
		hang_rec_set(rec, F_rq_over,
			     hang_jiffies_to_ns(w, now - deadline));
}

static void show_flags(struct hang_work *w, struct hang_rec *rec)
{
	u64 flags = get(w, L_rq_cmd_flags);
	struct hang_str s;

	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_name(w, &s, HANG_OP, flags & OP_MASK);
	hang_rec_str(rec, F_rq_op, w->text);
	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_bits(w, &s, HANG_CMD_FLAG, flags & ~(u64)OP_MASK, OP_BITS);
	hang_rec_str(rec, F_rq_flags, w->text);
	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_bits(w, &s, HANG_RQF, get(w, L_rq_flags), 0);
	hang_rec_str(rec, F_rq_rqf, w->text);
}

static void show_bio(struct hang_work *w, struct hang_rec *rec)
{
	u64 bio = get(w, L_rq_bio);
	struct hang_str s;

	w->bio_snap.len = 0;
	if (!bio || hang_snap_load(w, &w->bio_snap, bio, L_size_bio))
		return;
	hang_str_init(&s, w->text, sizeof(w->text));
	hang_put_symbol(w, &s, hang_snap_get(w, &w->bio_snap, L_bio_end_io));
	hang_rec_str(rec, F_rq_end_io, w->text);
}

static void count(struct hang_work *w, enum hang_stage stage, u64 age)
{
	w->totals.stage[stage]++;
	if (age > w->totals.oldest_ns)
		w->totals.oldest_ns = age;
	w->looked.requests++;
}

void hang_rq_emit(struct hang_work *w, u32 hctx, bool reserved)
{
	const char *at = hang_place_of(w, w->rq_snap.addr);
	enum hang_stage stage = stage_of(w);
	struct hang_rec *rec = &w->rec;
	u64 age = hang_rq_age(w);
	u64 task, cpu;
	u32 done;

	count(w, stage, age);
	hang_rec_start(rec, R_rq);
	hang_rec_str(rec, F_rq_disk, w->disk_name);
	hang_rec_set(rec, F_rq_hctx, hctx);
	hang_rec_set(rec, F_rq_tag, hang_snap_int(w, &w->rq_snap, L_rq_tag));
	hang_rec_set(rec, F_rq_itag,
		     hang_snap_int(w, &w->rq_snap, L_rq_internal_tag));
	hang_rec_str(rec, F_rq_stage, stage_names[stage]);
	if (at)
		hang_rec_str(rec, F_rq_at, at);
	if (!hang_read_member(w, get(w, L_rq_mq_ctx), L_ctx_cpu, &cpu))
		hang_rec_set(rec, F_rq_cpu, cpu);
	if (hang_map_get(&w->done, w->rq_snap.addr, &done))
		hang_rec_set(rec, F_rq_done, done);
	hang_rq_show_age(w, rec, F_rq_age, F_rq_held);
	hang_rec_set(rec, F_rq_seen, hang_rq_seen(w));
	hang_rec_set(rec, F_rq_state, get(w, L_rq_state));
	hang_rec_set(rec, F_rq_sector, get(w, L_rq_sector));
	hang_rec_set(rec, F_rq_bytes, get(w, L_rq_data_len));
	if (reserved)
		hang_rec_set(rec, F_rq_reserved, 1);
	show_deadline(w, rec);
	hang_rec_set(rec, F_rq_limit, hang_rq_limit(w));
	hang_rec_set(rec, F_rq_addr, w->rq_snap.addr);
	show_flags(w, rec);
	show_bio(w, rec);
	hang_plug_show(w, rec, w->rq_snap.addr);
	hang_upper_show(w, rec);
	task = hang_waiter_show(w, rec);
	hang_emit(w, rec);
	hang_blocked_emit(w, task);
	if (stage != HANG_ALLOCATED)
		hang_scsi_cmd_emit(w, hctx);
}
