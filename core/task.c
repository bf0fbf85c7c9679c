// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks, as far as they matter here: who is it, and is ksoftirqd running.
 */
#include "core.h"

#define COMM_LEN 16

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
