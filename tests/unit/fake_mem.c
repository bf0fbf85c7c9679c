// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sparse memory of the fake machine. Pages come into being when something is
 * put into them; all others are not mapped.
 */
#include "fake.h"

#define SLOTS 65536

static struct fake_page **slot_of(struct fake *f, u64 addr)
{
	u64 i = (addr / FAKE_PAGE) * 0x9e3779b97f4a7c15ULL >> 48;

	if (!f->slot) {
		f->slot = calloc(SLOTS, sizeof(*f->slot));
		f->page = calloc(SLOTS, sizeof(*f->page));
	}
	while (f->slot[i] && f->slot[i]->addr != addr)
		i = (i + 1) % SLOTS;
	return &f->slot[i];
}

static struct fake_page *page_at(struct fake *f, u64 addr, bool make)
{
	u64 base = addr & ~(u64)(FAKE_PAGE - 1);
	struct fake_page **p = slot_of(f, base);

	if (!*p && make) {
		assert(f->nr_pages < SLOTS / 2);
		*p = calloc(1, sizeof(**p));
		(*p)->addr = base;
		f->page[f->nr_pages++] = *p;
	}
	return *p;
}

void fake_mem_free(struct fake *f)
{
	u32 i;

	for (i = 0; i < f->nr_pages; i++)
		free(f->page[i]);
	free(f->page);
	free(f->slot);
}

u64 fake_alloc(struct fake *f, size_t size)
{
	u64 addr = f->next_addr;
	u64 at;

	/* Odd gaps, so that nothing is found by being next to something. */
	f->next_addr = (addr + size + 40 + 15) & ~15ULL;
	for (at = addr & ~(u64)(FAKE_PAGE - 1); at < addr + size;
	     at += FAKE_PAGE)
		page_at(f, at, true);
	return addr;
}

u64 fake_alloc_page(struct fake *f)
{
	u64 addr = (f->next_addr + FAKE_PAGE - 1) & ~(u64)(FAKE_PAGE - 1);

	/* A page to itself, and nothing after it. */
	f->next_addr = addr + 2 * FAKE_PAGE;
	page_at(f, addr, true);
	return addr;
}

void fake_write(struct fake *f, u64 addr, const void *data, size_t size)
{
	const u8 *p = data;

	for (; size; size--, addr++, p++)
		page_at(f, addr, true)->data[addr % FAKE_PAGE] = *p;
}

void fake_put(struct fake *f, u64 addr, u32 size, u64 value)
{
	u8 buf[8];
	u32 i;

	assert(size && size <= 8);
	for (i = 0; i < size; i++)
		buf[f->t.big_endian ? size - 1 - i : i] = value >> 8 * i;
	fake_write(f, addr, buf, size);
}

u64 fake_get(struct fake *f, u64 addr, u32 size)
{
	u64 value = 0;
	u8 buf[8] = { 0 };
	u32 i;

	assert(!fake_read(f, addr, buf, size));
	for (i = 0; i < size; i++)
		value |= (u64)buf[f->t.big_endian ? size - 1 - i : i] << 8 * i;
	return value;
}

void fake_put_ptr(struct fake *f, u64 addr, u64 value)
{
	fake_put(f, addr, f->t.word, value);
}

u64 fake_string(struct fake *f, const char *s)
{
	u64 addr = fake_alloc(f, strlen(s) + 1 + 32);

	fake_write(f, addr, s, strlen(s) + 1);
	return addr;
}

int fake_read(struct fake *f, u64 addr, void *buf, size_t len)
{
	u8 *to = buf;
	u64 at = addr;

	while (at < addr + len) {
		struct fake_page *p = page_at(f, at, false);
		size_t n = FAKE_PAGE - at % FAKE_PAGE;

		if (!p || p->err)
			return p ? p->err : -EFAULT;
		if (n > addr + len - at)
			n = addr + len - at;
		memcpy(to + (at - addr), p->data + at % FAKE_PAGE, n);
		at += n;
	}
	return 0;
}

void fake_hole(struct fake *f, u64 addr, int err)
{
	page_at(f, addr, true)->err = err;
}

u64 fake_nowhere(struct fake *f, int err)
{
	u64 addr = fake_alloc_page(f);

	fake_hole(f, addr, err);
	return addr + 0x80;
}

void fake_list_init(struct fake *f, u64 head)
{
	fake_put_ptr(f, head, head);
	fake_put_ptr(f, head + f->t.word, head);
}

void fake_list_add_tail(struct fake *f, u64 head, u64 node)
{
	u64 last = fake_get(f, head + f->t.word, f->t.word);

	fake_put_ptr(f, node, head);
	fake_put_ptr(f, node + f->t.word, last);
	fake_put_ptr(f, last, node);
	fake_put_ptr(f, head + f->t.word, node);
}

void fake_llist_add(struct fake *f, u64 head, u64 node)
{
	fake_put_ptr(f, node, fake_get(f, head, f->t.word));
	fake_put_ptr(f, head, node);
}
