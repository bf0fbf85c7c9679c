// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's pages and buffers, who waits for them, and the vectors of
 * bios that they are in.
 */
#include "fake.h"

#define HEADS 256
#define VECS 1100

static const char info[] = "OSRELEASE=9.9.9-fake\nBUILD-ID=00\nPAGESIZE=8192\n";

static u64 head_of(struct fake *f, const char *table, u64 what)
{
	return fake_symbol_addr(f, table) +
	       (what >> 4) % HEADS * fake_sizeof(f, "wait_queue_head") +
	       fake_offset(f, "wait_queue_head.head");
}

static void make_table(struct fake *f, const char *table)
{
	u32 i;

	fake_symbol(f, table, NULL, HEADS * fake_sizeof(f, "wait_queue_head"));
	for (i = 0; i < HEADS; i++)
		fake_list_init(f, head_of(f, table, i << 4));
}

void fake_pages_init(struct fake *f)
{
	u32 size = fake_sizeof(f, "wait_queue_entry");
	u64 text = fake_alloc(f, FAKE_PAGE);

	assert(size <= fake_member(f, "wait_page_queue.wait")->size);
	assert(size <= fake_member(f, "wait_bit_queue_entry.wq_entry")->size);
	make_table(f, "folio_wait_table");
	make_table(f, "bit_wait_table");
	fake_symbol(f, "wake_page_function", NULL, 32);
	fake_symbol(f, "io_async_buf_func", NULL, 32);
	fake_symbol(f, "wake_bit_function", NULL, 32);
	fake_symbol(f, "var_wake_function", NULL, 32);
	fake_write(f, text, info, sizeof(info));
	fake_put_ptr(f, fake_symbol(f, "vmcoreinfo_data", NULL, f->t.word), text);
	fake_drop(f, "page.compound_info");
}

u32 fake_page_struct(struct fake *f)
{
	return fake_sizeof(f, "page");
}

/* Aligned as the kernel's are, so that a mask finds the first of a folio. */
u64 fake_pages(struct fake *f, u32 count)
{
	u64 size = count * fake_page_struct(f);
	u64 at = fake_alloc(f, 64 * 1024 + size);

	return (at + 64 * 1024 - 1) & ~(64 * 1024 - 1ULL);
}

void fake_folio(struct fake *f, u64 pages, u32 count, bool mask)
{
	u64 size = fake_page_struct(f);
	u64 span = 1;
	u32 i;

	while (span < count * size)
		span *= 2;
	fake_set(f, pages, "page.flags.f", 1ULL << FAKE_HEAD);
	for (i = 1; i < count; i++)
		fake_set(f, pages + i * size, "page.compound_head",
			 mask ? -span | 1 : pages | 1);
}

u64 fake_page_head(struct fake *f, u64 folio)
{
	return head_of(f, "folio_wait_table", folio);
}

u64 fake_bit_head(struct fake *f, u64 word)
{
	return head_of(f, "bit_wait_table", word);
}

static u64 add_entry(struct fake *f, u64 entry, u64 head, const char *func,
		     u64 task)
{
	fake_set(f, entry, "wait_queue_entry.private", task);
	fake_set(f, entry, "wait_queue_entry.func", fake_symbol_addr(f, func));
	fake_list_add_tail(f, head,
			   entry + fake_offset(f, "wait_queue_entry.entry"));
	return entry;
}

u64 fake_page_wait(struct fake *f, u64 folio, int bit, u64 task)
{
	u64 wait = fake_new_of(f, "wait_page_queue");

	fake_set(f, wait, "wait_page_queue.folio", folio);
	fake_set(f, wait, "wait_page_queue.bit_nr", (u32)bit);
	return add_entry(f, wait + fake_offset(f, "wait_page_queue.wait"),
			 fake_page_head(f, folio), "wake_page_function", task);
}

u64 fake_bit_wait(struct fake *f, u64 word, int bit, u64 task)
{
	u64 wait = fake_new_of(f, "wait_bit_queue_entry");

	fake_set(f, wait, "wait_bit_queue_entry.key.flags", word);
	fake_set(f, wait, "wait_bit_queue_entry.key.bit_nr", (u32)bit);
	return add_entry(f, wait + fake_offset(f, "wait_bit_queue_entry.wq_entry"),
			 fake_bit_head(f, word), "wake_bit_function", task);
}

u64 fake_buffer(struct fake *f, struct fake_disk *d, u64 page, u32 at, u32 size)
{
	u64 bh = fake_new_of(f, "buffer_head");
	u64 bdev = fake_new_of(f, "block_device");

	fake_set(f, bdev, "block_device.bd_disk", d->gendisk);
	fake_set(f, bh, "buffer_head.b_bdev", bdev);
	fake_set(f, bh, "buffer_head.b_state", 1 << FAKE_BH_LOCK | 1);
	fake_set(f, bh, "buffer_head.b_this_page", bh);
	fake_set(f, bh, "buffer_head.b_folio", page);
	fake_set(f, bh, "buffer_head.b_size", size);
	fake_set(f, bh, "buffer_head.b_data",
		 (fake_alloc(f, 64) & ~(u64)(FAKE_PAGE_SIZE - 1)) + at);
	return bh;
}

u64 fake_buffer_word(struct fake *f, u64 bh)
{
	return bh + fake_offset(f, "buffer_head.b_state");
}

u64 fake_vec(struct fake *f, u64 bio, u32 i)
{
	return fake_field(f, bio, "bio.bi_io_vec") +
	       i * fake_sizeof(f, "bio_vec");
}

void fake_bio_pages(struct fake *f, u64 bio, u64 page, u32 at, u32 bytes)
{
	u32 size = fake_sizeof(f, "bio_vec");
	u32 i = 0;

	if (!fake_field(f, bio, "bio.bi_io_vec"))
		fake_set(f, bio, "bio.bi_io_vec", fake_alloc(f, VECS * size));
	while (fake_field(f, fake_vec(f, bio, i), "bio_vec.bv_page"))
		i++;
	assert(i < VECS);
	fake_set(f, fake_vec(f, bio, i), "bio_vec.bv_page", page);
	fake_set(f, fake_vec(f, bio, i), "bio_vec.bv_offset", at);
	fake_set(f, fake_vec(f, bio, i), "bio_vec.bv_len", bytes);
	fake_set(f, bio, "bio.bi_iter.bi_size",
		 fake_field(f, bio, "bio.bi_iter.bi_size") + bytes);
}
