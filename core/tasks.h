/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks: what they keep in their plugs, and what they wait for. A part of
 * core.h.
 */
#ifndef BLKHANG_TASKS_H
#define BLKHANG_TASKS_H

/* Pids are below (PID_MAX_LIMIT). */
#define HANG_PID_MAX (4u << 20)

/* task.c: sets the fields that show a task; addr 0 sets none. */
void hang_task_show(struct hang_work *w, struct hang_rec *rec, u64 task,
		    u32 f_pid, u32 f_comm);

/* The fields of a record that tell of a task which waits. */
struct hang_task_fields {
	u32 pid, comm, state, slept;
};

/*
 * Sets state and sleep of a task; and all of these fields. False, with a fault,
 * if that is no task, for all that can be seen; what names it to the fault.
 */
void hang_task_show_sleep(struct hang_work *w, struct hang_rec *rec, u64 task,
			  u32 f_state, u32 f_slept);
bool hang_task_show_waiting(struct hang_work *w, struct hang_rec *rec,
			    u64 task, const struct hang_task_fields *f,
			    const char *what);

/*
 * Whether a task in that state waits for something that should not take long,
 * as the kernel's watchdog for hung tasks has it: neither a signal nor idling is
 * expected.
 */
bool hang_state_is_stuck(u64 state);

/* The letter ps shows for a state, as "D". */
const char *hang_task_letter(u64 state);

/* Whether a CPU runs the task just now. */
bool hang_task_runs(struct hang_work *w, u64 task);

/*
 * Whether task is beyond doubt a task that sleeps uninterruptibly; it need not
 * be the address of anything. Makes no faults.
 */
bool hang_task_is_blocked(struct hang_work *w, u64 task);

/* How long it has not run, in ns; -ENODATA where that is not known. */
int hang_task_slept(struct hang_work *w, u64 task, u64 *ns);

/*
 * worker.c: "idle", "pending", "delayed" or "running", of a work item at that
 * address, which is also that of its member data; and its timer, if it has one.
 */
const char *hang_work_state(const struct hang_work *w, u64 item, u64 data,
			    u64 timer);

/* The work item that a task is at, 0 if it is no worker or is at none. */
u64 hang_worker_item(struct hang_work *w, u64 task);

/* Remembers what a kernel thread works at, if it is a worker. */
void hang_worker_look(struct hang_work *w, u64 kthread);

/*
 * fs.c: finds the file systems that are frozen; emits those on a disk, with who
 * waits for them.
 */
void hang_frozen_load(struct hang_work *w);
void hang_frozen_emit(struct hang_work *w, u64 disk);

/* tasks.c: every task: what it works at, what is in its plug, if it sleeps long */
void hang_walk_tasks(struct hang_work *w);

/* plug.c: looks into the plug of a task, and remembers what is in it */
#define HANG_PLUG_PID 0x7fffffffu    /* in the values of w->plugged */
#define HANG_PLUG_CACHED 0x80000000u
void hang_plug_look(struct hang_work *w, u64 task, u64 plug);

/* Sets the fields that say in whose plug a request is. */
void hang_plug_show(struct hang_work *w, struct hang_rec *rec, u64 rq);

/*
 * waiter.c: sets the fields that name the task which waits for the request in
 * w->rq_snap, the first of whose bios is in w->bio_snap. Its address, or 0.
 */
u64 hang_waiter_show(struct hang_work *w, struct hang_rec *rec);

/* Whether the request is still at the bio it was at when it was copied. */
bool hang_rq_is_same(struct hang_work *w);

/*
 * Whether the bio in w->bio_snap, or the one it is a part of, is of direct I/O,
 * for all that can be seen: its pages are then the user's. Changes w->bio_snap.
 */
bool hang_bio_is_direct(struct hang_work *w);

/* pages.c: remembers who waits for pages and buffers */
void hang_walk_page_waits(struct hang_work *w);

/* Whether the one who waits is still on its wait queue, for the same thing. */
bool hang_still_awaited(struct hang_work *w, const struct hang_awaited *a);

/* The first page of the folio that page, whose page_head is info, is of. */
u64 hang_page_head(const struct hang_work *w, u64 page, u64 info);

/*
 * blocked.c: emits those who wait for the request in w->rq_snap, whose record is
 * in w->rec; and task, 0 or what hang_waiter_show() found. At the end, emits all
 * the others.
 */
void hang_blocked_emit(struct hang_work *w, u64 task);
void hang_blocked_rest(struct hang_work *w);

/*
 * The task that waits for a bio which is no request yet; -ENOENT where none is
 * seen to. Uses w->bio_snap.
 */
int hang_bio_waiter(struct hang_work *w, u64 bio, u64 *task);

/*
 * bios.c: sets the fields that show who waits for one of the bios that begin with
 * bio, each of which points to the next: the first of them that somebody does.
 */
void hang_bio_show_waiter(struct hang_work *w, struct hang_rec *rec, u64 bio,
			  const struct hang_task_fields *f);

/*
 * How many bios are on the bio_list at list. An error where that can't
 * be told; in a running kernel it may just have changed, and is no fault.
 */
int hang_bio_list_count(struct hang_work *w, u64 list, const char *what,
			u32 *count);

#endif
