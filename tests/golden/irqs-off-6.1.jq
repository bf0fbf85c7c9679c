# SPDX-License-Identifier: GPL-2.0-or-later
# What crash and the guest itself say of the sample, as conditions on the JSON.
.format == 1
and (.cpus | length) == 4
and ([.disks[].name] | sort) == ["hang0", "vda", "vdb", "vdc", "vdd"]
and ([.disks[] | select(.name == "vda") | .requests[]] | length) == 3
and ([.disks[] | select(.name != "vda") | .requests[]] | length) == 0
and ([.disks[].requests[] | .stage] | unique) == ["completed"]
and ([.disks[].requests[] | .cpu] | unique) == [1]
and ([.verdicts[] | [.id, .cpu, .disk]]) == [["completion-cpu-irqs-off", 1, "vda"]]
and (.verdicts[0].evidence | length) > 2
and (.verdicts[0].next | length) > 0
and ([.disks[].queue | [.usage, .mode, .freeze, .sched, .timer]]) ==
	[[4, "percpu", 0, "mq-deadline", false],
	 [1, "percpu", 0, "mq-deadline", false], [1, "percpu", 0, "none", false],
	 [1, "percpu", 0, "mq-deadline", false],
	 [1, "percpu", 0, "mq-deadline", false]]
and ([.disks[].hctx[] | .cpus]) == [4, 4, 1, 1, 1, 1, 4, 4]
and .faults == []
and .complete == true
