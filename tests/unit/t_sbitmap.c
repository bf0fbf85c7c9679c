// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sbitmaps: which bits are busy, cleared ones, the last word cut short, and
 * bitmaps whose numbers make no sense.
 */
#include "fake.h"

static u32 bits[256], nr_bits;

static int note_bit(struct hang_work *w, u32 bit, void *arg)
{
	(void)w;
	(void)arg;
	if (nr_bits < HANG_ARRAY_SIZE(bits))
		bits[nr_bits] = bit;
	nr_bits++;
	return 0;
}

struct map {
	struct fake *f;
	u64 sb;
	u64 words;
};

static void map_open(struct map *m, u32 depth, u32 shift, u32 word)
{
	u32 n = (depth + (1u << shift) - 1) >> shift;
	struct fake *f = fake_new(.word = word);

	m->f = f;
	m->sb = fake_new_of(f, "sbitmap");
	m->words = fake_alloc_page(f);
	assert(n * fake_sizeof(f, "sbitmap_word") <= FAKE_PAGE);
	fake_set(f, m->sb, "sbitmap.depth", depth);
	fake_set(f, m->sb, "sbitmap.shift", shift);
	fake_set(f, m->sb, "sbitmap.map_nr", n);
	fake_set(f, m->sb, "sbitmap.map", m->words);
	fake_attach(f);
	f->w->sink = &f->sink;
}

static u64 word_at(struct map *m, u32 i)
{
	return m->words + i * fake_sizeof(m->f, "sbitmap_word");
}

static void set_word(struct map *m, u32 i, u64 word, u64 cleared)
{
	fake_set(m->f, word_at(m, i), "sbitmap_word.word", word);
	fake_set(m->f, word_at(m, i), "sbitmap_word.cleared", cleared);
}

static int walk(struct map *m, u32 *depth, u32 *busy)
{
	nr_bits = 0;
	*depth = 0;
	*busy = 0;
	m->f->nr_recs = 0;
	return hang_for_each_sbit(m->f->w, m->sb, depth, busy, note_bit, NULL);
}

static void test_bits(u32 word)
{
	struct map m;
	u32 depth, busy;

	map_open(&m, 40, 4, word);
	set_word(&m, 0, 0x8001, 0);
	set_word(&m, 1, 0x000f, 0x0006);
	/* Bits above the depth of 40 are no tags: 8 are left in this word. */
	set_word(&m, 2, 0xffff, 0x0f);
	is_u64(walk(&m, &depth, &busy), 0, "bits, word %u", word);
	is_u64(depth, 40, "depth, word %u", word);
	is_u64(busy, 8, "busy, word %u", word);
	ok(bits[0] == 0 && bits[1] == 15 && bits[2] == 16 && bits[3] == 19 &&
	   bits[4] == 36 && bits[7] == 39 && nr_bits == 8,
	   "the right bits, word %u", word);
	ok(hang_sbit_is_set(m.f->w, m.sb, 19), "19 is set");
	ok(!hang_sbit_is_set(m.f->w, m.sb, 17), "17 is set and cleared");
	ok(!hang_sbit_is_set(m.f->w, m.sb, 40), "40 is past the end");
	ok(!hang_sbit_is_set(m.f->w, m.sb, ~0u), "-1 is past the end");
	is_u64(m.f->nr_recs, 0, "no faults");
	fake_free(m.f);
}

static void test_whole_words(void)
{
	struct map m;
	u32 depth, busy;

	map_open(&m, 128, 6, 8);
	set_word(&m, 0, ~0ULL, 1ULL << 63);
	set_word(&m, 1, 1ULL << 63, 0);
	is_u64(walk(&m, &depth, &busy), 0, "words of 64 bits");
	is_u64(busy, 64, "words of 64 bits: busy");
	is_u64(bits[63], 127, "words of 64 bits: the last one");
	fake_free(m.f);
}

static void test_no_cleared(void)
{
	struct map m;
	u32 depth, busy;

	map_open(&m, 16, 4, 8);
	set_word(&m, 0, 0xff, 0x0f);
	memset(&m.f->w->layout.loc[L_sb_word_cleared], 0,
	       sizeof(m.f->w->layout.loc[0]));
	walk(&m, &depth, &busy);
	is_u64(busy, 8, "a kernel without deferred clearing");
	fake_free(m.f);
}

static void test_empty(void)
{
	struct map m;
	u32 depth, busy;

	map_open(&m, 0, 4, 8);
	fake_set(m.f, m.sb, "sbitmap.map", 0);
	is_u64(walk(&m, &depth, &busy), 0, "depth 0 without a map is fine");
	is_u64(depth + busy + m.f->nr_recs, 0, "depth 0: nothing, no fault");
	fake_free(m.f);
}

static void test_rubbish(const char *member, u64 value)
{
	struct map m;
	u32 depth, busy;

	map_open(&m, 48, 4, 8);
	set_word(&m, 0, 1, 0);
	fake_set(m.f, m.sb, member, value);
	is_u64(walk(&m, &depth, &busy), -EINVAL, "%s %#llx: error", member,
	       value);
	is_u64(depth + busy + nr_bits, 0, "%s %#llx: nothing", member, value);
	is_u64(fake_faults(m.f, "disagree"), 1, "%s %#llx: fault", member,
	       value);
	ok(!hang_sbit_is_set(m.f->w, m.sb, 0), "%s %#llx: no bit set", member,
	   value);
	fake_free(m.f);
}

static void test_hole(void)
{
	struct map m;
	u32 depth, busy, far;

	map_open(&m, 48, 4, 8);
	set_word(&m, 0, 1, 0);
	/* The map ends where a page ends: its last word lies in a hole. */
	far = fake_sizeof(m.f, "sbitmap_word") * 2;
	fake_set(m.f, m.sb, "sbitmap.map", m.words + FAKE_PAGE - far);
	set_word(&m, 0, 0, 0);
	m.words += FAKE_PAGE - far;
	set_word(&m, 0, 0x3, 0);
	set_word(&m, 1, 0x4, 0);
	fake_hole(m.f, m.words + far, -ENODATA);
	walk(&m, &depth, &busy);
	is_u64(busy, 3, "words that can be read count");
	is_u64(fake_faults(m.f, "left out"), 1, "the one that can't: a fault");
	fake_set(m.f, m.sb, "sbitmap.map", 0x10);
	walk(&m, &depth, &busy);
	is_u64(busy, 0, "map points nowhere: no bits");
	ok(fake_faults(m.f, "not mapped"), "map points nowhere: faults");
	fake_free(m.f);
}

int main(void)
{
	test_bits(8);
	test_bits(4);
	test_whole_words();
	test_no_cleared();
	test_empty();
	test_rubbish("sbitmap.depth", 0xffffffff);
	test_rubbish("sbitmap.depth", 0x10000000);
	test_rubbish("sbitmap.depth", 49);
	test_rubbish("sbitmap.shift", 7);
	test_rubbish("sbitmap.shift", 0xffffffff);
	test_rubbish("sbitmap.map_nr", 0xffffffff);
	test_rubbish("sbitmap.map_nr", 0);
	test_hole();
	return tap_end();
}
