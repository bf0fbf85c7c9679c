/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the fake machine that only some tests have: limits of cgroups,
 * zones, disks on disks, SCSI, schedulers, flushes, pages. A part of fake.h.
 */
#ifndef BLKHANG_FAKE_AREAS_H
#define BLKHANG_FAKE_AREAS_H

/* fake_held.c: bios that limits of cgroups keep back, and zoned disks */
void fake_held_init(struct fake *f);
void fake_held_style(struct fake *f, enum fake_style style);

/* Appends a bio to a bio_list; its address. */
u64 fake_bio_add(struct fake *f, u64 list, const char *end_io, u64 private);

/* Limits on a disk, none of them set; its throtl_data, and its own queue. */
u64 fake_td(struct fake *f, struct fake_disk *d);
u64 fake_td_queue(struct fake *f, u64 td);

/* The same of a cgroup; its throtl_grp, below that of another or, 0, at the top. */
u64 fake_throttle(struct fake *f, struct fake_disk *d, u64 blkg, u64 parent);

/* One more bio, queued in a group by itself: 0 reads, 1 writes. */
u64 fake_throttle_bio(struct fake *f, u64 td, u64 tg, u32 dir);

/* One more bio on a queue that does not count them; a qnode of its own. */
u64 fake_queue_bio(struct fake *f, u64 sq, u32 dir, const char *list,
		   const char *end_io, u64 private);

/* A directory of cgroups, by its name and the one it is in; 0: the root. */
u64 fake_directory(struct fake *f, const char *name, u64 parent);

/* A zoned disk with a table of write plugs of so many bits; and a plug. */
void fake_zoned(struct fake *f, struct fake_disk *d, u32 bits);
u64 fake_wplug(struct fake *f, struct fake_disk *d, u32 chain, u32 zone);

/* fake_stack.c: disks that are made of others; each gives private_data */
u64 fake_dm(struct fake *f, struct fake_disk *d, const char *name);
u64 fake_md(struct fake *f, struct fake_disk *d, const char *name);
u64 fake_loop(struct fake *f, struct fake_disk *d, const char *name);

/* These operations and private_data a disk has from now on. */
void fake_disk_ops(struct fake *f, struct fake_disk *d, const char *ops,
		   const char *module, u64 private);

/* A block_device of the disk, which may be any part of it. */
u64 fake_bdev(struct fake *f, struct fake_disk *d);

/* So many bios more have begun on this CPU than ended there. */
void fake_in_flight(struct fake *f, struct fake_disk *d, u32 cpu, s64 bios);

/* n bios on a bio_list. */
void fake_bios(struct fake *f, u64 list, u32 n);

/* A dm table of n targets of these types in turn; and a disk that it uses. */
u64 fake_dm_table(struct fake *f, u64 md, const char *const *types, u32 n);
u64 fake_dm_use(struct fake *f, u64 md, struct fake_disk *lower);

/* The struct multipath of a table that has such a target. */
u64 fake_multipath(struct fake *f, u64 md);
void fake_md_use(struct fake *f, u64 mddev, struct fake_disk *lower);

/*
 * A file system on that disk, frozen so far, and the wait queue of one of the
 * three levels.
 */
u64 fake_fs(struct fake *f, struct fake_disk *d, const char *id, u32 frozen);
u64 fake_fs_head(struct fake *f, u64 sb, u32 level);

/* The file of a loop; on a file system of that disk, or the disk itself. */
u64 fake_loop_file(struct fake *f, u64 lo, const char *name,
		   struct fake_disk *on, bool itself);

/* A worker of another cgroup, right of those there are or left of them. */
u64 fake_loop_worker(struct fake *f, u64 lo, bool left);

/* Gives a request to that worker, 0: that of the root cgroup. */
void fake_loop_queue(struct fake *f, u64 lo, u64 worker, u64 rq);

/* A bio that dm has made of another, and sent to the disk below. */
u64 fake_dm_clone(struct fake *f, u64 rq, u64 md, u64 orig);
/* fake_scsi.c: a SCSI host, which runs, with its error handler asleep */
u64 fake_scsi_host(struct fake *f, const char *driver, u32 number, u32 eh_pid);

/* Makes d a SCSI disk of that host: its device, which runs and is idle. */
u64 fake_scsi(struct fake *f, struct fake_disk *d, u64 host);

/* So many of the device's budget are taken. */
void fake_scsi_busy(struct fake *f, u64 sdev, u32 busy);

/* The command of a request, three seconds old. */
u64 fake_scsi_cmd(struct fake *f, u64 sdev, u64 rq, u8 opcode);
/* fake_sched.c: schedulers of a disk that has tags for one */

/* Members that are arrays of other types. */
void fake_sched_types(struct fake *f);

/* The disk's scheduler is this one: mq-deadline, bfq or kyber; it is empty. */
void fake_sched(struct fake *f, struct fake_disk *d, const char *name);

/* The address of a list: its nth, of the member in the structure at base. */
u64 fake_list_at(struct fake *f, u64 base, const char *spec, u32 n);

/* Puts rq on a list of requests. */
void fake_queue_on(struct fake *f, u64 head, u64 rq);

/* What mq-deadline has for a priority, by the value of its enumerator. */
u64 fake_dd_prio(struct fake *f, struct fake_disk *d, u32 prio);

/* A bfq_queue of that process, on no list. */
u64 fake_bfqq(struct fake *f, struct fake_disk *d, u32 pid);

/* What kyber has for software queue ctx of hardware queue hctx. */
u64 fake_kcq(struct fake *f, struct fake_disk *d, u32 hctx, u32 ctx);

/* A domain's tokens: the first of so many are taken. */
void fake_tokens(struct fake *f, struct fake_disk *d, u32 domain, u32 taken);

/* The hardware queue waits for a token of that domain. */
void fake_token_wait(struct fake *f, struct fake_disk *d, u32 hctx, u32 domain);

/* How many requests were found at that place. */
u32 fake_at(struct fake *f, const char *place);

/* The nth record of that part of a scheduler, or an empty one. */
const struct hang_rec *fake_sched_rec(struct fake *f, const char *part, u32 n);

/* fake_flush.c: a flush queue of a hardware queue, fq of a disk */
void fake_flush_init(struct fake *f, u64 fq);

/* Which list is pending, and which is running. */
void fake_flush_idx(struct fake *f, u64 fq, u32 pending, u32 running);

/* The same as a byte. */
void fake_flush_bits(struct fake *f, u64 fq, u32 bits);

/* The head of a list; the second one is pending unless told otherwise. */
u64 fake_flush_head(struct fake *f, u64 fq, enum hang_place place);

/* fake_pages.c: pages, those who wait for them, and the bios they are in */
void fake_pages_init(struct fake *f);

/* So many pages next to each other, each by itself; the size of one. */
u64 fake_pages(struct fake *f, u32 count);
u32 fake_page_struct(struct fake *f);

/* Makes them one folio; its other pages have a pointer or a mask. */
void fake_folio(struct fake *f, u64 pages, u32 count, bool mask);

/* One of the heads of a table, by what is waited for. */
u64 fake_page_head(struct fake *f, u64 folio);
u64 fake_bit_head(struct fake *f, u64 word);

/* Who waits for a bit of a page, and of any other word; the entry. */
u64 fake_page_wait(struct fake *f, u64 folio, int bit, u64 task);
u64 fake_bit_wait(struct fake *f, u64 word, int bit, u64 task);

/* A locked buffer of that disk: so many bytes of a page. */
u64 fake_buffer(struct fake *f, struct fake_disk *d, u64 page, u32 at, u32 size);
u64 fake_buffer_word(struct fake *f, u64 bh);

/* Adds bytes to a bio, which begin in that page. */
void fake_bio_pages(struct fake *f, u64 bio, u64 page, u32 at, u32 bytes);
u64 fake_vec(struct fake *f, u64 bio, u32 i);

#endif
