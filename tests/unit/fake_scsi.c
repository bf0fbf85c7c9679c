// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine's SCSI: hosts, devices, and commands.
 */
#include "fake.h"

#define BUDGET 40
#define BUDGET_SHIFT 4

u64 fake_scsi_host(struct fake *f, const char *driver, u32 number, u32 eh_pid)
{
	u64 host = fake_new_of(f, "Scsi_Host");
	u64 task = fake_sleeper(f, "scsi_eh", eh_pid, 0, 5 * SEC);

	fake_set(f, task, "task_struct.__state", 1);
	fake_set(f, host, "Scsi_Host.host_no", number);
	fake_set(f, host, "Scsi_Host.shost_state", FAKE_SHOST_RUNNING);
	fake_set(f, host, "Scsi_Host.ehandler", task);
	fake_set(f, host, "Scsi_Host.hostt",
		 fake_symbol(f, driver, "fake_hba", 64));
	fake_list_init(f, host + fake_offset(f, "Scsi_Host.eh_cmd_q"));
	return host;
}

u64 fake_scsi(struct fake *f, struct fake_disk *d, u64 host)
{
	u64 sdev = fake_new_of(f, "scsi_device");
	u64 map = sdev + fake_offset(f, "scsi_device.budget_map");
	u32 words = (BUDGET + (1 << BUDGET_SHIFT) - 1) >> BUDGET_SHIFT;

	fake_set(f, d->q, "request_queue.mq_ops",
		 fake_symbol(f, "scsi_mq_ops", "scsi_mod", 64));
	fake_set(f, d->q, "request_queue.queuedata", sdev);
	fake_set(f, sdev, "scsi_device.host", host);
	fake_set(f, sdev, "scsi_device.sdev_state", FAKE_SDEV_RUNNING);
	fake_set(f, sdev, "scsi_device.queue_depth", BUDGET);
	fake_set(f, sdev, "scsi_device.starved_entry.next",
		 sdev + fake_offset(f, "scsi_device.starved_entry.next"));
	fake_set(f, map, "sbitmap.depth", BUDGET);
	fake_set(f, map, "sbitmap.shift", BUDGET_SHIFT);
	fake_set(f, map, "sbitmap.map_nr", words);
	fake_set(f, map, "sbitmap.map",
		 fake_alloc(f, words * fake_sizeof(f, "sbitmap_word")));
	return sdev;
}

void fake_scsi_busy(struct fake *f, u64 sdev, u32 busy)
{
	u64 map = sdev + fake_offset(f, "scsi_device.budget_map");
	u64 word = fake_field(f, map, "sbitmap.map");

	assert(busy <= 1 << BUDGET_SHIFT);
	fake_set(f, word, "sbitmap_word.word", (1ULL << busy) - 1);
}

u64 fake_scsi_cmd(struct fake *f, u64 sdev, u64 rq, u8 opcode)
{
	u64 cmd = rq + fake_sizeof(f, "request");

	fake_set(f, cmd, "scsi_cmnd.device", sdev);
	fake_set(f, cmd, "scsi_cmnd.allowed", 5);
	fake_set(f, cmd, "scsi_cmnd.jiffies_at_alloc",
		 f->jiffies - 3 * FAKE_HZ);
	fake_set(f, cmd, "scsi_cmnd.eh_entry.next",
		 cmd + fake_offset(f, "scsi_cmnd.eh_entry.next"));
	fake_put(f, cmd + fake_offset(f, "scsi_cmnd.cmnd"), 1, opcode);
	return cmd;
}
