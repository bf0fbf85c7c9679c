// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One task, as far as it matters here: who is it, does it sleep, since when.
 */
#include "core.h"

#define COMM_LEN 16

/* include/linux/sched.h; these have not changed for long, and are macros. */
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_WAKEKILL 0x100
#define TASK_NOLOAD 0x400
#define TASK_RTLOCK_WAIT 0x1000
#define TASK_FROZEN 0x8000

void hang_task_show(struct hang_work *w, struct hang_rec *rec, u64 task,
		    u32 f_pid, u32 f_comm)
{
	char comm[COMM_LEN + 1] = "";
	u64 pid;

	if (!task || hang_read_member(w, task, L_task_pid, &pid))
		return;
	hang_rec_set(rec, f_pid, pid);
	if (!hang_read(w, task + hang_loc(w, L_task_comm), comm, COMM_LEN,
		       "task_struct.comm"))
		hang_rec_str(rec, f_comm, comm);
}

const char *hang_task_letter(u64 state)
{
	static const char *const letters[] = { "S", "D", "T", "t",
					       "X", "Z", "P" };
	u32 i;

	if (state & (TASK_RTLOCK_WAIT | TASK_FROZEN))
		return "D";
	if ((state & TASK_UNINTERRUPTIBLE) && (state & TASK_NOLOAD))
		return "I";
	for (i = 0; i < HANG_ARRAY_SIZE(letters); i++)
		if (state >> i & 1)
			return letters[i];
	return state ? "?" : "R";
}

bool hang_state_is_stuck(u64 state)
{
	return (state & TASK_UNINTERRUPTIBLE) &&
	       !(state & (TASK_WAKEKILL | TASK_NOLOAD));
}

bool hang_task_runs(struct hang_work *w, u64 task)
{
	u64 on_cpu;

	return !hang_read_member(w, task, L_task_on_cpu, &on_cpu) && on_cpu;
}

/* Where the task is chained to the other threads of its process; 0: unknown. */
static u64 thread_link(const struct hang_work *w, u64 task)
{
	if (hang_has(w, L_task_thread_node))
		return task + hang_loc(w, L_task_thread_node);
	if (hang_has(w, L_task_thread_group))
		return task + hang_loc(w, L_task_thread_group);
	return 0;
}

/* What a neighbour on its list points back to is a task. */
static bool is_task(struct hang_work *w, u64 task)
{
	u64 link = thread_link(w, task);
	u64 next, back, pid;
	char c = 0;

	return link && task % w->t->word == 0 && hang_is_kernel_ptr(w, task) &&
	       !hang_read_ptr(w, link, &next, "task_struct") &&
	       !hang_read_ptr(w, next + w->t->word, &back, "task_struct") &&
	       back == link &&
	       !hang_read_member(w, task, L_task_pid, &pid) && pid &&
	       pid < HANG_PID_MAX &&
	       !hang_read(w, task + hang_loc(w, L_task_comm), &c, 1,
			  "task_struct.comm") && c > ' ' && c <= '~';
}

bool hang_task_is_blocked(struct hang_work *w, u64 task)
{
	bool hush = w->hush;
	bool blocked;
	u64 state;

	w->hush = true;
	blocked = is_task(w, task) &&
		  !hang_read_member(w, task, L_task_state, &state) &&
		  (state & TASK_UNINTERRUPTIBLE) && !(state & TASK_NOLOAD) &&
		  !hang_task_runs(w, task);
	w->hush = hush;
	return blocked;
}

/*
 * When the task was last put off its CPU, in rq.clock. se.exec_start is that
 * moment in rq.clock_task, which lags behind by all the time the CPU has spent
 * on interrupts or lost to the host. The two are brought up to date together,
 * so their difference now is at least what it was then. 0: unknown.
 */
static u64 last_put(struct hang_work *w, u64 task)
{
	u64 exec, cpu, runq, clock, clock_task;

	if (!hang_has(w, L_runq_clock_task) ||
	    hang_read_member(w, task, L_task_exec_start, &exec) || !exec ||
	    hang_read_member(w, task, L_task_cpu, &cpu) ||
	    !hang_cpu_is(w, HANG_POSSIBLE, cpu) ||
	    hang_percpu(w, L_sym_runqueues, cpu, &runq) ||
	    hang_read_member(w, runq, L_runq_clock, &clock) ||
	    hang_read_member(w, runq, L_runq_clock_task, &clock_task) ||
	    clock_task > clock || exec > clock_task)
		return 0;
	return exec + (clock - clock_task);
}

/*
 * The sleep began when the task was put off its CPU. sched_info.last_arrival is
 * when it last began to run, which is earlier by the length of that run, and is
 * taken where nothing later is known. What is said is then too long by as much,
 * and else, if anything, too short. Now is the run queue clock that is furthest
 * ahead: that of the task's own CPU stands still while the CPU idles, or is
 * stuck. on_rq says nothing: a task that sleeps may stay queued for a while, to
 * be taken off later (sched_delayed).
 *
 * submit_bio_wait() and its like wake up once per half the hung task timeout,
 * to keep its watchdog calm: for these the sleep begins anew each time.
 */
int hang_task_slept(struct hang_work *w, u64 task, u64 *ns)
{
	u64 state, arrival, last;

	if (!w->clock.latest_run_ns ||
	    hang_read_member(w, task, L_task_state, &state) || !state ||
	    hang_task_runs(w, task))
		return -ENODATA;
	last = last_put(w, task);
	if (!hang_read_member(w, task, L_task_last_arrival, &arrival) &&
	    arrival > last)
		last = arrival;
	if (!last)
		return -ENODATA;
	*ns = w->clock.latest_run_ns > last ? w->clock.latest_run_ns - last : 0;
	return 0;
}

void hang_task_show_sleep(struct hang_work *w, struct hang_rec *rec, u64 task,
			  u32 f_state, u32 f_slept)
{
	u64 state, ns;

	if (!hang_read_member(w, task, L_task_state, &state))
		hang_rec_str(rec, f_state, hang_task_letter(state));
	if (!hang_task_slept(w, task, &ns))
		hang_rec_set(rec, f_slept, ns);
}

bool hang_task_show_waiting(struct hang_work *w, struct hang_rec *rec,
			    u64 task, const struct hang_task_fields *f,
			    const char *what)
{
	u64 pid;

	if (!task || hang_read_member(w, task, L_task_pid, &pid))
		return false;
	if (!pid || pid >= HANG_PID_MAX) {
		hang_fault(w, what, task, -EINVAL, "is no task");
		return false;
	}
	hang_task_show(w, rec, task, f->pid, f->comm);
	hang_task_show_sleep(w, rec, task, f->state, f->slept);
	return true;
}
