/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the core share among themselves; hosts include walk.h.
 *
 * Functions that read return 0 or a negative errno. A failed read has already
 * been turned into a fault record when they return, so callers only decide
 * whether they can go on.
 */
#ifndef BLKHANG_CORE_H
#define BLKHANG_CORE_H

#include <blkhang/fmt.h>
#include <blkhang/walk.h>

/* rd.c: reading */

/* Reads len bytes; a failure becomes a fault record that names what. */
int hang_read(struct hang_work *w, u64 addr, void *buf, size_t len,
	      const char *what);

/* Reads an unsigned integer of 1, 2, 4 or 8 bytes. */
int hang_read_uint(struct hang_work *w, u64 addr, u32 size, u64 *value,
		   const char *what);

/* Reads a pointer of the target's word size. */
int hang_read_ptr(struct hang_work *w, u64 addr, u64 *value, const char *what);

/* Reads the member that row describes from the structure at base. */
int hang_read_member(struct hang_work *w, u64 base, enum hang_row_id row,
		     u64 *value);

/* Reads a string of at most size - 1 bytes; always terminated. */
int hang_read_str(struct hang_work *w, u64 addr, char *buf, size_t size,
		  const char *what);

/* Copies a structure of which size_row tells the size. */
int hang_snap_load(struct hang_work *w, struct hang_snap *snap, u64 addr,
		   enum hang_row_id size_row);

/* A member of a copied structure; absent rows and short copies give 0. */
u64 hang_snap_get(const struct hang_work *w, const struct hang_snap *snap,
		  enum hang_row_id row);

/* The same, sign-extended from the member's size. */
s64 hang_snap_int(const struct hang_work *w, const struct hang_snap *snap,
		  enum hang_row_id row);

/* The same, also where the copy ends too early; false where it isn't known. */
bool hang_snap_member(struct hang_work *w, const struct hang_snap *snap,
		      enum hang_row_id row, u64 *value);

/* Sets a field to a member, if that is known. */
void hang_snap_show(struct hang_work *w, const struct hang_snap *snap,
		    struct hang_rec *rec, u32 field, enum hang_row_id row);

/* Reports something that is wrong though it could be read. */
void hang_fault(struct hang_work *w, const char *what, u64 addr, int err,
		const char *why);

/* Offset, size, enumerator or address of a row; 0 where it is absent. */
static inline u64 hang_loc(const struct hang_work *w, enum hang_row_id row)
{
	return w->layout.loc[row].value;
}

static inline bool hang_has(const struct hang_work *w, enum hang_row_id row)
{
	return hang_layout_has(&w->layout, row);
}

/* Whether all of these rows are there. */
bool hang_has_all(const struct hang_work *w, const enum hang_row_id *rows,
		  u32 count);

/* Whether v can be a pointer into the kernel. */
bool hang_is_kernel_ptr(const struct hang_work *w, u64 v);

/* Passes a record to the summary and to the sink. */
void hang_emit(struct hang_work *w, const struct hang_rec *rec);

/* True when the host wants the walk to end. */
bool hang_interrupted(const struct hang_work *w);

/* map.c */

/* Adds key or changes its value; false when the map is full. */
bool hang_map_put(struct hang_map *map, u64 key, u32 value);

/* True when no other key can be added. */
bool hang_map_is_full(const struct hang_map *map);

/* True and the value, if key is there. */
bool hang_map_get(const struct hang_map *map, u64 key, u32 *value);
void hang_map_clear(struct hang_map *map);

/*
 * How often a thing was seen: 1, or 2 when the sample before had met the same
 * identity. identity is any number that changes when the thing does.
 */
u32 hang_seen(struct hang_work *w, u64 addr, u64 identity);

/* list.c: lists, bounded and checked for loops */

/* A circular list_head. */
int hang_for_each_list(struct hang_work *w, u64 head, hang_node_fn fn,
		       void *arg, const char *what);

/* A chain that ends with NULL; next is where in a node the next one stands. */
int hang_for_each_next(struct hang_work *w, u64 node, u64 next,
		       hang_node_fn fn, void *arg, const char *what);

/* A klist: nodes are those of n_node; dead ones are walked too. */
int hang_for_each_klist(struct hang_work *w, u64 klist, hang_node_fn fn,
			void *arg, const char *what);

/*
 * Fills order with the nodes of an llist, which is newest first, or of a
 * list_head used as a queue; of a list longer than HANG_LIST_KEEP the oldest
 * ones. order->count is the whole, up to where an error ended the walk.
 * order->each, if not NULL, is called for every node.
 */
int hang_llist_oldest_first(struct hang_work *w, u64 head,
			    struct hang_order *order, const char *what);
int hang_list_oldest_first(struct hang_work *w, u64 head,
			   struct hang_order *order, const char *what);

/*
 * The same by either of them, for lists that a running kernel takes from and
 * adds to all the time: what makes no sense is read again, up to a limit.
 */
typedef int (*hang_order_fn)(struct hang_work *w, u64 head,
			     struct hang_order *order, const char *what);
int hang_order_load(struct hang_work *w, hang_order_fn fn, u64 head,
		    struct hang_order *order, const char *what);

/* The same for a chain that ends with NULL, as hang_for_each_next() has it. */
int hang_next_in_order(struct hang_work *w, u64 node, u64 next,
		       struct hang_order *order, const char *what);

/* sbitmap.c */

/* A home that has a clock of the target's own looks at a running kernel. */
static inline bool hang_is_live(const struct hang_work *w)
{
	return w->t->ops->now_ns != NULL;
}

/* A running kernel changes a list while it is walked; another try helps. */
static inline u32 hang_list_tries(const struct hang_work *w)
{
	return hang_is_live(w) ? 3 : 1;
}

/* Called for each set bit; anything but 0 ends the walk and is returned. */
typedef int (*hang_bit_fn)(struct hang_work *w, u32 bit, void *arg);

/* Set bits of the sbitmap at sb: word & ~cleared. Adds to *depth and *busy. */
int hang_for_each_sbit(struct hang_work *w, u64 sb, u32 *depth, u32 *busy,
		       hang_bit_fn fn, void *arg);

/* Whether one bit is set; false also when it can't be read. */
bool hang_sbit_is_set(struct hang_work *w, u64 sb, u32 bit);

/* xarray.c: the entry at index of an xarray, 0 if there is none. */
int hang_xarray_get(struct hang_work *w, u64 xa, u64 index, u64 *entry);

/* cpumask.c */
enum hang_mask { HANG_POSSIBLE, HANG_ONLINE, HANG_ACTIVE };
int hang_cpumask_load(struct hang_work *w);
bool hang_cpu_is(const struct hang_work *w, enum hang_mask mask, u32 cpu);
u32 hang_cpu_count(const struct hang_work *w, enum hang_mask mask);

/* How many CPUs are in the mask at addr, and how many of these are online. */
int hang_cpumask_count(struct hang_work *w, u64 addr, const char *what,
		       u32 *cpus, u32 *online);

/* Address on one CPU of what a per-CPU pointer points to. */
int hang_percpu_ptr(struct hang_work *w, u64 ptr, u32 cpu, u64 *addr);

/* Address of a per-CPU variable on one CPU. */
int hang_percpu(struct hang_work *w, enum hang_row_id row, u32 cpu, u64 *addr);

/* The clock of the CPU's run queue, sched_clock() in ns. */
int hang_run_clock(struct hang_work *w, u32 cpu, u64 *clock);

/* clock.c */
void hang_clock_load(struct hang_work *w);

/* Nanoseconds since then, 0 if it lies ahead. */
u64 hang_since(const struct hang_work *w, u64 then_ns);
u64 hang_jiffies_to_ns(const struct hang_work *w, u64 jiffies);

/*
 * modbtf.c: offers the target, which can take in types, the BTF of those
 * modules whose types the layout has rows for.
 */
void hang_module_types_load(struct hang_work *w);

/* names.c: the kernel's own names for its bits and numbers */
void hang_names_load(struct hang_work *w);

/* Appends the name of one number, or the number itself. */
void hang_put_name(struct hang_work *w, struct hang_str *s,
		   enum hang_names_id id, u32 n);

/* Appends names of set bits from bit first on, joined by '|'. */
void hang_put_bits(struct hang_work *w, struct hang_str *s,
		   enum hang_names_id id, u64 bits, u32 first);

/* What the kernel calls one value of an enumeration: see hang_set_value(). */
struct hang_value_name {
	enum hang_row_id row; /* tells the value, or that there is none */
	const char *name;
};

/*
 * Sets a field to the name of a value, or to the number. The index of the name,
 * or count.
 */
u32 hang_set_value(struct hang_work *w, struct hang_rec *rec, u32 field,
		   const struct hang_value_name *names, u32 count, s64 value);

/* Appends "name" or "name [module]" of the symbol at addr, or "?". */
void hang_put_symbol(struct hang_work *w, struct hang_str *s, u64 addr);

/* Whether a symbol begins at addr, which then is in w->symbol. */
bool hang_is_symbol(struct hang_work *w, u64 addr);

/* cpu.c: every possible CPU's completion side */
void hang_walk_cpus(struct hang_work *w);
bool hang_cpu_is_idle(struct hang_work *w, u32 cpu);

/*
 * When the CPU's next timer interrupt is due, CLOCK_MONOTONIC in ns; -ENODATA
 * where none is armed, which is no fault.
 */
int hang_tick_expires(struct hang_work *w, u32 cpu, u64 *expires);

/*
 * Whether that is its tick. Not while it comes up, until it has switched to high
 * resolution. What can't be read is taken to be there.
 */
bool hang_has_tick_timer(struct hang_work *w, u32 cpu);

/* done.c: blk_cpu_done. Loads w->done_order, then emits what it holds. */
int hang_done_load(struct hang_work *w, u32 cpu);
void hang_done_emit(struct hang_work *w, u32 cpu);

/* True when a request on w->done_order has a locked csd of its own. */
bool hang_done_csd_locked(struct hang_work *w);

/* call.c: call_single_queue, likewise with w->call_order. */
int hang_calls_load(struct hang_work *w, u32 cpu);
void hang_calls_emit(struct hang_work *w, u32 cpu);

/* How many of w->call_order complete block requests. */
u32 hang_calls_for_block(struct hang_work *w);

/* disk.c: finds every request queue, through its disk or its tag set */
void hang_queues_load(struct hang_work *w);

/*
 * Fills w->disk_name with the name of q's disk, or, where it has none, with a
 * stand-in made of the queue's id.
 */
void hang_disk_name(struct hang_work *w, u64 q);

/* Whether disk is a gendisk that was found, of a queue that was. */
bool hang_disk_is_known(struct hang_work *w, u64 disk);

/* queue.c: every request queue with its hardware queues */
void hang_walk_queues(struct hang_work *w);

/* How many hardware queues the queue in w->q_snap has; 0 for rubbish. */
u32 hang_nr_hctxs(const struct hang_work *w);

/* The address of the ith of them, 0 if it is not there. */
int hang_hctx_addr(struct hang_work *w, u32 i, u64 *hctx);

/* sched.c: what the scheduler of the queue in w->q_snap holds */
void hang_walk_sched(struct hang_work *w);

/* A scheduler's name, an array of so many bytes on the kernels that had one. */
#define HANG_SCHED_NAME 17
bool hang_sched_name(struct hang_work *w, u64 elevator, char *name,
		     size_t size);

/* qstate.c: emits the state of the queue in w->q_snap */
void hang_queue_emit(struct hang_work *w);

/* hctx.c: sets the fields that show the state of a hardware queue */
void hang_hctx_show(struct hang_work *w, struct hang_rec *rec, u64 hctx);

/*
 * place.c: lists on which requests wait. Begun with the queue's own; then those
 * of each of its hardware queues are added.
 */
void hang_places_begin(struct hang_work *w, u64 q);
void hang_places_add(struct hang_work *w, u64 hctx);

/*
 * Walks the list at head, one of those of owner that are such a place; where
 * there are others, it adds to their number. What they hold altogether can't
 * be told once it is said to be unknown. Returns the number on this one, which
 * is 0xffffffff if it is unknown.
 */
u32 hang_place_walk(struct hang_work *w, u64 owner, u64 head,
		    enum hang_place place);
void hang_place_unknown(struct hang_work *w, u64 owner, enum hang_place place);

/* Requests on lists of owner, a queue or hardware queue; false: unknown. */
bool hang_place_count(const struct hang_work *w, u64 owner,
		      enum hang_place place, u32 *count);

/*
 * Walks one more list of requests, linked by queuelist, all of which are at
 * place; *count is how many were found. In silence (w->hush) an error leaves
 * no trace, so that the caller can try again.
 */
int hang_place_list(struct hang_work *w, u64 head, enum hang_place place,
		    u32 *count);

/* Whether a thing that holds such lists was walked already; and that it was. */
bool hang_place_seen(const struct hang_work *w, u64 addr);
void hang_place_see(struct hang_work *w, u64 addr);

/* The name of the list that rq is on, or NULL. */
const char *hang_place_of(const struct hang_work *w, u64 rq);

/*
 * flush.c: which list of a flush queue is pending, and which is running while
 * these differ; false, and a fault, if that can't be told.
 */
struct hang_flush_idx {
	u32 pending;
	u32 running;
};
bool hang_flush_idx(struct hang_work *w, u64 fq, struct hang_flush_idx *idx);

/* Emits the state of a hardware queue's flush queue. */
struct hang_hctx;
void hang_flush_emit(struct hang_work *w, const struct hang_hctx *hctx);

/* tags.c: every request of a hardware queue */
struct hang_hctx {
	u64 q;
	u64 addr;
	u64 tags;
	u64 sched_tags;
	u64 fq;
	u64 flush_rq;
	u32 num;
	bool shared;	 /* tags are the whole set's, and walked but once */
	bool has_tags;	 /* and it is the one they are walked with */
	bool flush_seen; /* the flush request was found by its tag */
	struct {
		u32 depth, busy;
	} count[2][2];	 /* by scheduler or not, by reserved or not */
};
void hang_walk_tags(struct hang_work *w, struct hang_hctx *hctx);

/* Address of the sbitmap_queue of a bitmap_tags member, embedded or not. */
int hang_sbq_of(struct hang_work *w, u64 tags, enum hang_row_id row, u64 *sbq);

/*
 * lastissue.c: how long ago the queue in w->q_snap gave a request to its driver
 * for the last time; less than a stall may be any such. False: not known.
 */
bool hang_last_issue(struct hang_work *w, u64 *ago_ns);

/*
 * stack.c: a disk that is made of others, the gendisk of the queue in
 * w->q_snap; 0 and all other disks are none.
 */
void hang_walk_stack(struct hang_work *w, u64 disk);

/* The loop_device behind a gendisk, 0 where it is no loop disk. */
u64 hang_stack_loop_of(struct hang_work *w, u64 disk);

/* stack_loop.c: adds the lists of the workers of loop_device lo to its places. */
void hang_loop_places(struct hang_work *w, u64 q, u64 lo);

/*
 * upper.c: sets the field that names the disk whose I/O the request in
 * w->rq_snap carries, by its first bio in w->bio_snap.
 */
void hang_upper_show(struct hang_work *w, struct hang_rec *rec);

/*
 * The bio from which the one in w->bio_snap was made by the disk above. -ENOENT
 * where there is none that is known.
 */
int hang_upper_bio(struct hang_work *w, u64 *bio);

/* Sets a field to the name of the loop disk that a task works for, if it does. */
void hang_upper_show_worker(struct hang_work *w, struct hang_rec *rec,
			    u64 task, u32 field);

/* waitq.c: wait queues. head is the list_head in a wait_queue_head. */
struct hang_wait_at {
	const char *what;
	int hctx;	 /* -1: none */
	int ws;		 /* -1: none */
	u64 hctx_addr;	 /* may be what waits, 0: none */
};

/* Looks at a wait queue, and says how many entries it has. */
u32 hang_waitq_count(struct hang_work *w, u64 head);

/* The same for one whose list is known to be empty. */
void hang_waitq_empty(struct hang_work *w);

/* Emits a wait record for each of those just counted. */
void hang_waitq_emit(struct hang_work *w, u64 head,
		     const struct hang_wait_at *at);

/* tagwait.c: who waits for the tags of a hardware queue */
void hang_walk_tag_waits(struct hang_work *w, const struct hang_hctx *hctx);

/*
 * blkg.c: calls fn for each cgroup that the queue in w->q_snap knows and for
 * which the policy whose number is at plid has data, pd. An error where not
 * all could be found; -ENOENT where the kernel has no such policy.
 */
typedef void (*hang_group_fn)(struct hang_work *w, u64 blkg, u64 pd, void *arg);
int hang_for_each_group(struct hang_work *w, enum hang_row_id plid,
			hang_group_fn fn, void *arg);

/* The kernfs_node of the cgroup that a blkcg_gq is for. */
int hang_group_node(struct hang_work *w, u64 blkg, u64 *kn);

/*
 * The path of a cgroup from the root of its hierarchy, as "/a/b"; where it has
 * no room in buf, its end behind "...". *path points into buf, or to a constant.
 */
int hang_cgroup_path(struct hang_work *w, u64 kn, char *buf, size_t size,
		     const char **path);

/* throttle.c: bios that the limits of cgroups keep back from w->q_snap */
void hang_walk_throttle(struct hang_work *w);

/* zone.c: zones of the disk of w->q_snap that writes have to wait for */
void hang_walk_zones(struct hang_work *w);

/* queuewait.c: who waits to enter the queue in w->q_snap, or is throttled */
void hang_walk_queue_waits(struct hang_work *w);

/* rq.c: one request, from a copy in w->rq_snap */
enum hang_stage { HANG_ALLOCATED, HANG_ISSUED, HANG_COMPLETED, HANG_TIMEDOUT };

int hang_rq_load(struct hang_work *w, u64 rq);

/* Nanoseconds since the request began, 0 where that can't be known. */
u64 hang_rq_age(struct hang_work *w);

/*
 * Sets a record's fields: the age, and where it is less, how long it has surely
 * been at the stage it is at.
 */
void hang_rq_show_age(struct hang_work *w, struct hang_rec *rec, u32 age_field,
		      u32 held_field);

/* How long it has to be at its stage to count as stuck. */
u64 hang_rq_limit(struct hang_work *w);

/* How often this same request was seen: see hang_seen(). */
u32 hang_rq_seen(struct hang_work *w);

/* Emits the copied request as one of hardware queue hctx, and counts it. */
void hang_rq_emit(struct hang_work *w, u32 hctx, bool reserved);

#include "device.h"
#include "tasks.h"

#endif
