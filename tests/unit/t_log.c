// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A dump of which any lines are lost: whatever is left, no sentence is told
 * under another's verdict, no verdict is told twice, and none is made up.
 */
#include <stdlib.h>

#include "cmd.h"
#include "log.h"
#include "tap.h"

static const char *const two[] = {
	"verdict id=v0 confidence=high cpu=0 requests=1 empty=1",
	"say of 0",
	"evidence of 0",
	"next of 0",
	"verdict id=v1 confidence=high cpu=1 requests=1 empty=1",
	"say of 1",
	"evidence of 1",
	"dump release=6.1 cpus=1 online=1 hz=250 now=12.000s clock=timekeeper",
	"looked cpus=1 queues=1 hctxs=1 tags=1 left_out=0",
	"verdict id=v0 confidence=high cpu=0 requests=1 empty=1",
	"verdict id=v1 confidence=high cpu=1 requests=1 empty=1",
	"end complete=1 verdicts=2 lines=12 dropped=0",
};
#define TWO HANG_ARRAY_SIZE(two)

static struct told {
	struct hang_sink sink;
	struct log_loss *loss;
	u32 verdicts, sentences;
	int last; /* of which verdict the sentences are */
	bool bad;
} told;

void hang_error(const char *fmt, ...)
{
	(void)fmt;
}

static void take(struct hang_sink *sink, const struct hang_rec *rec)
{
	const char *text = hang_rec_text(rec, F_say_text);

	(void)sink;
	if (told.loss->anew)
		return;
	if (rec->type == R_verdict) {
		told.last = hang_rec_text(rec, F_verdict_id)[1] - '0';
		told.verdicts++;
		told.bad |= told.verdicts > 2;
	} else if (!strncmp(text, "of ", 3) && rec->type != R_dump) {
		told.sentences++;
		told.bad |= text[3] - '0' != told.last;
	}
}

/* Replays the lines whose bits are set. */
static int replay(const char *const *lines, u32 count, u32 left,
		  struct log_loss *loss)
{
	struct log *log = calloc(1, sizeof(*log));
	struct log_frame f = { 0x1234 };
	int code = -1;
	u32 i;

	for (i = 0; i < count; i++) {
		if (!(left >> i & 1))
			continue;
		f.n = i + 1;
		strcpy(f.line, lines[i]);
		log_add(log, &f, "x");
		log_add(log, &f, "y");
	}
	memset(&told, 0, sizeof(told));
	told.sink.record = take;
	told.loss = loss;
	told.last = -1;
	if (log->count == 1)
		code = log_replay(log, log->dumps[0], &told.sink, loss);
	log_free(log);
	free(log);
	return code;
}

static void test_any_lost(void)
{
	u32 bad = 0, wrong_code = 0, lost = 0, missed = 0;
	u32 left;

	for (left = 1; left < 1u << TWO; left++) {
		u32 there = __builtin_popcount(left);
		bool v0 = left & (1 << 0 | 1 << 9), v1 = left & (1 << 4 | 1 << 10);
		struct log_loss loss;
		int code = replay(two, TWO, left, &loss);

		bad += told.bad;
		wrong_code += code != (v0 || v1 ? HANG_EXIT_FOUND
						: HANG_EXIT_UNCLEAR);
		missed += told.verdicts != (u32)v0 + v1;
		lost += loss.lost + there != loss.lines ||
			loss.no_end == (left >> (TWO - 1) & 1);
	}
	is_u64(bad, 0, "no sentence is told under another's verdict");
	is_u64(missed, 0, "each verdict that is left is told once");
	is_u64(wrong_code, 0, "exit codes");
	is_u64(lost, 0, "what is lost is counted");
}

static void test_whole(void)
{
	struct log_loss loss;
	u32 all = (1 << TWO) - 1;

	is_u64(replay(two, TWO, all, &loss), HANG_EXIT_FOUND, "whole: code");
	is_u64(told.sentences, 5, "all sentences");
	ok(loss.complete && !loss.lost, "complete");
	replay(two, TWO, all & ~1u, &loss);
	is_u64(told.sentences, 5, "the first verdict from the end");
	replay(two, TWO, all & ~(1u << 4), &loss);
	is_u64(told.sentences, 5, "the second verdict from the end");
	ok(!loss.complete, "not complete");
	is_u64(loss.verdicts, 0, "none of them is missing");
	replay(two, TWO, all & ~(1u << 4 | 1u << 10), &loss);
	is_u64(told.verdicts, 1, "a verdict is lost");
	is_u64(loss.verdicts, 1, "that is counted");
}

static void test_no_verdict(void)
{
	static const char *const lines[] = {
		"say Could not see enough to say: 1 fault.",
		"evidence looked at 1 CPU",
		"dump release=6.1 cpus=1 online=1 hz=250 now=12.000s",
		"looked cpus=1 queues=1 left_out=1",
		"end complete=0 verdicts=0 lines=5 dropped=0",
	};
	struct log_loss loss;

	is_u64(replay(lines, 5, 0x1f, &loss), HANG_EXIT_UNCLEAR, "unclear");
	ok(!loss.anew, "as it was printed");
	is_u64(replay(lines, 5, 0x0f, &loss), HANG_EXIT_UNCLEAR, "no end");
	ok(!loss.anew, "its beginning is enough");
	is_u64(replay(lines, 5, 0x1c, &loss), HANG_EXIT_UNCLEAR, "no beginning");
	ok(!loss.anew, "its end is enough");
	is_u64(replay(lines, 5, 0x0c, &loss), HANG_EXIT_UNCLEAR, "neither");
	ok(loss.anew, "then nothing is known");
}

/* A device is not accused where a ring that was not printed might clear it. */
static void test_judge(void)
{
	static const char *const lines[] = {
		"dump release=6.1 cpus=1 online=1 hz=250 now=12.000s",
		"cpu cpu=0 online=1 done=0 calls=0 late=0.001s",
		"disk disk=vda major=254 minor=0 hctxs=1",
		"rq disk=vda hctx=0 tag=1 itag=-1 stage=issued age=90.000s seen=1",
		"rq disk=vda hctx=0 tag=1 itag=-1 state=1 limit=30.000s",
		"total disk=vda allocated=0 issued=1 completed=0",
		"looked cpus=1 queues=1 hctxs=1 tags=1 left_out=0",
		"looked rings=1 rings_empty=1",
		"verdict id=unknown confidence=low disk=vda requests=1 empty=1",
		"end complete=1 verdicts=1 lines=10 dropped=0",
	};
	static const char no_rings[] = "looked rings=0 rings_empty=0";
	const char *other[HANG_ARRAY_SIZE(lines)];
	struct log_loss loss;

	is_u64(replay(lines, 10, 0x2ff, &loss), HANG_EXIT_UNCLEAR,
	       "not judged: an empty ring");
	memcpy(other, lines, sizeof(lines));
	other[7] = no_rings;
	is_u64(replay(other, 10, 0x2ff, &loss), HANG_EXIT_FOUND,
	       "judged: no rings are known");
	ok(loss.anew, "anew");
	is_u64(replay(other, 10, 0x2fd, &loss), HANG_EXIT_UNCLEAR,
	       "not judged: a record is lost");
	is_u64(replay(other, 10, 0x0ff, &loss), HANG_EXIT_UNCLEAR,
	       "not judged: what was dropped is unknown");
}

int main(void)
{
	test_whole();
	test_any_lost();
	test_no_verdict();
	test_judge();
	return tap_end();
}
