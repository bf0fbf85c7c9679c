// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SCSI devices, hosts and commands: well, blocked, in recovery, of an older
 * kernel, and damaged.
 */
#include "fake.h"

static struct fake *f;
static struct fake_disk d;
static u64 host, sdev;

static void make_on(struct fake *machine)
{
	f = machine;
	fake_disk(f, &d, .name = "sda", .hctxs = 2);
	host = fake_scsi_host(f, "fake_template", 7, 99);
	sdev = fake_scsi(f, &d, host);
}

static void make(void)
{
	make_on(fake_new());
}

static u64 issue(u32 tag, u8 opcode)
{
	return fake_scsi_cmd(f, sdev, fake_rq(f, &d, .tag = tag, .hctx = 1,
					      .state = FAKE_IN_FLIGHT,
					      .age = SEC), opcode);
}

static const char *line(enum hang_rec_type type, u32 part)
{
	static char buf[512];
	struct hang_str s;
	u32 field = 0;

	do {
		hang_str_init(&s, buf, sizeof(buf));
		hang_render(&s, fake_rec(f, type, 0), &field, false);
	} while (part--);
	return buf;
}

static void test_well(u32 word, bool big)
{
	make_on(fake_new(.word = word, .big_endian = big));
	is_u64(fake_look(f), HANG_ANSWER_NONE, "well: no hang");
	is_u64(fake_count(f, R_fault), 0, "well: no fault");
	is_str(line(R_scsi, 0), "scsi disk=sda host=7 state=running "
	       "host_state=running blocked=0 host_blocked=0 depth=40 busy=0 "
	       "failed=0 eh_cmds=0 eh_scheduled=0 starved=0", "well");
	is_str(line(R_scsi, 1), "scsi disk=sda eh_pid=99 eh_state=S "
	       "eh_slept=5.000s", "its error handler");
	ok(!hang_rec_is_notable(fake_rec(f, R_scsi, 0)), "well: not printed");
	issue(3, 0x2a);
	fake_scsi_busy(f, sdev, 3);
	fake_look(f);
	is_u64(rec_u64(f, scsi, 0, busy), 3, "budget taken");
	ok(hang_rec_is_notable(fake_rec(f, R_scsi, 0)), "busy: printed");
	is_str(line(R_cmd, 0), "cmd disk=sda hctx=1 tag=3 itag=-1 opcode=0x2a "
	       "retries=0 allowed=5 result=0x0 eh=0 age=3.000s", "command");
	fake_free(f);
}

static void test_troubles(void)
{
	u64 cmd, list = fake_offset(f = fake_new(), "Scsi_Host.eh_cmd_q");

	fake_free(f);
	make();
	cmd = issue(3, 0x28);
	fake_set(f, sdev, "scsi_device.device_blocked", 3);
	fake_set(f, sdev, "scsi_device.starved_entry.next", host);
	fake_set(f, host, "Scsi_Host.host_blocked", (u32)-1);
	fake_set(f, host, "Scsi_Host.shost_state", 9);
	fake_set(f, host, "Scsi_Host.host_failed", 2);
	fake_set(f, host, "Scsi_Host.host_eh_scheduled", 1);
	fake_list_add_tail(f, host + list, fake_alloc(f, 16));
	fake_list_add_tail(f, host + list, fake_alloc(f, 16));
	fake_set(f, cmd, "scsi_cmnd.eh_entry.next", host + list);
	fake_set(f, cmd, "scsi_cmnd.retries", 2);
	fake_set(f, cmd, "scsi_cmnd.result", 0x30000);
	fake_look(f);
	is_str(line(R_scsi, 0), "scsi disk=sda host=7 state=running "
	       "host_state=recovery odd=1 blocked=3 host_blocked=-1 depth=40 "
	       "busy=0 failed=2 eh_cmds=2 eh_scheduled=1 starved=1",
	       "in recovery");
	is_str(line(R_cmd, 0), "cmd disk=sda hctx=1 tag=3 itag=-1 opcode=0x28 "
	       "retries=2 allowed=5 result=0x30000 eh=1 age=3.000s",
	       "a command that failed");
	fake_free(f);
}

static void test_states(void)
{
	make();
	fake_set(f, sdev, "scsi_device.sdev_state", 9);
	fake_look(f);
	is_str(rec_str(f, scsi, 0, state), "offline", "by name");
	is_u64(rec_u64(f, scsi, 0, odd), 1, "offline is odd");
	fake_set(f, sdev, "scsi_device.sdev_state", 77);
	fake_look(f);
	is_str(rec_str(f, scsi, 0, state), "77", "a state without a name");
	is_u64(rec_u64(f, scsi, 0, odd), 1, "which is odd too");
	fake_free(f);
	make();
	fake_drop(f, "SDEV_RUNNING");
	fake_look(f);
	is_str(rec_str(f, scsi, 0, state), "3", "no names: a number");
	ok(!rec_has(f, scsi, 0, odd), "no names: nothing is odd");
	fake_free(f);
}

/* Only what the driver was given has a command of its own. */
static void test_stages(void)
{
	make();
	fake_scsi_cmd(f, sdev, fake_rq(f, &d, .tag = 1), 0x28);
	fake_scsi_cmd(f, sdev, fake_rq(f, &d, .tag = 2,
				       .state = FAKE_COMPLETE), 0x2a);
	fake_look(f);
	is_u64(fake_count(f, R_rq), 2, "two requests");
	is_u64(fake_count(f, R_cmd), 1, "one command");
	is_u64(rec_u64(f, cmd, 0, tag), 2, "of the one that has ended");
	fake_free(f);
}

static void test_older(void)
{
	u64 cdb, cmd;

	make();
	fake_drop(f, "scsi_device.budget_map");
	fake_set(f, sdev, "scsi_device.device_busy", 6);
	cmd = issue(3, 0);
	fake_member(f, "scsi_cmnd.cmnd")->size = f->t.word;
	cdb = fake_alloc(f, 16);
	fake_put(f, cdb, 1, 0x88);
	fake_put_ptr(f, cmd + fake_offset(f, "scsi_cmnd.cmnd"), cdb);
	fake_look(f);
	is_u64(rec_u64(f, scsi, 0, busy), 6, "busy is a counter");
	is_u64(rec_u64(f, cmd, 0, opcode), 0x88, "the CDB is pointed to");
	fake_free(f);
}

static void test_drop(const char *what, u32 devices, u32 commands)
{
	make();
	issue(3, 0x28);
	fake_drop(f, what);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "no %s: no hang", what);
	is_u64(fake_count(f, R_fault), 0, "no %s: no fault", what);
	is_u64(fake_count(f, R_scsi), devices, "no %s: device", what);
	is_u64(fake_count(f, R_cmd), commands, "no %s: command", what);
	fake_free(f);
}

static void test_drops(void)
{
	test_drop("scsi_device", 0, 0);
	test_drop("scsi_device.host", 0, 0);
	test_drop("scsi_device.sdev_state", 1, 1);
	test_drop("scsi_device.device_blocked", 1, 1);
	test_drop("scsi_device.starved_entry.next", 1, 1);
	test_drop("Scsi_Host", 1, 1);
	test_drop("Scsi_Host.eh_cmd_q", 1, 1);
	test_drop("Scsi_Host.ehandler", 1, 1);
	test_drop("Scsi_Host.hostt", 1, 1);
	test_drop("scsi_cmnd", 1, 0);
	test_drop("scsi_cmnd.device", 1, 0);
	test_drop("scsi_cmnd.cmnd", 1, 1);
	test_drop("scsi_cmnd.eh_entry.next", 1, 1);
	test_drop("scsi_mq_ops", 0, 0);
}

static void test_strangers(void)
{
	make();
	issue(3, 0x28);
	fake_set(f, d.q, "request_queue.mq_ops",
		 fake_symbol(f, "other_mq_ops", "other", 64));
	fake_look(f);
	is_u64(fake_count(f, R_scsi) + fake_count(f, R_cmd), 0,
	       "another driver's data is left alone");
	fake_set(f, d.q, "request_queue.mq_ops",
		 fake_symbol(f, "scsi_mq_ops_no_commit", "scsi_mod", 64));
	fake_look(f);
	is_u64(fake_count(f, R_scsi), 1, "SCSI by its other name");
	fake_set(f, d.q, "request_queue.queuedata", 0);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "a device that is gone");
	is_u64(fake_count(f, R_scsi) + fake_count(f, R_cmd), 0,
	       "a device that is gone has no records");
	fake_free(f);
}

/* A damaged part costs that part. */
static void test_damage(u64 *base, const char *spec, u64 value, u32 devices,
			u32 commands)
{
	make();
	issue(3, 0x28);
	fake_set(f, *base, spec, value);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "%s: unclear", spec);
	ok(fake_count(f, R_fault) > 0, "%s: fault", spec);
	is_str(rec_str(f, fault, 0, disk), "sda", "%s: charged", spec);
	is_u64(fake_count(f, R_scsi), devices, "%s: device", spec);
	is_u64(fake_count(f, R_cmd), commands, "%s: command", spec);
	is_u64(fake_count(f, R_rq), 1, "%s: the request", spec);
	fake_free(f);
}

static void test_damages(void)
{
	const u64 nowhere = 0xffffdead00000000;
	u64 map;

	test_damage(&d.q, "request_queue.queuedata", nowhere, 1, 0);
	test_damage(&sdev, "scsi_device.host", nowhere, 1, 1);
	test_damage(&host, "Scsi_Host.ehandler", nowhere, 1, 1);
	make();
	map = sdev + fake_offset(f, "scsi_device.budget_map");
	fake_set(f, map, "sbitmap.depth", 0x7fffffff);
	fake_look(f);
	is_u64(fake_count(f, R_fault), 1, "rubbish in the budget: fault");
	ok(!rec_has(f, scsi, 0, busy), "rubbish in the budget: not shown");
	is_u64(rec_u64(f, scsi, 0, depth), 40, "the rest is");
	fake_free(f);
	make();
	fake_set(f, fake_field(f, host, "Scsi_Host.ehandler"),
		 "task_struct.pid", 0xdeadbeef);
	fake_look(f);
	is_u64(fake_faults(f, "is no task"), 1, "no task: fault");
	ok(!rec_has(f, scsi, 0, eh_pid), "no task: not shown");
	fake_free(f);
	make();
	fake_scsi_cmd(f, host, fake_rq(f, &d, .tag = 3,
				       .state = FAKE_IN_FLIGHT), 0x28);
	fake_look(f);
	is_u64(fake_faults(f, "is not the queue's"), 1, "not its device: fault");
	is_u64(fake_count(f, R_cmd), 0, "not its device: not shown");
	fake_free(f);
}

static void test_loop(void)
{
	u64 head, a, b;

	make();
	head = host + fake_offset(f, "Scsi_Host.eh_cmd_q");
	a = fake_alloc(f, 16);
	b = fake_alloc(f, 16);
	fake_list_add_tail(f, head, a);
	fake_list_add_tail(f, head, b);
	fake_put_ptr(f, b, a);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "loop: unclear");
	is_u64(fake_faults(f, "list loops"), 1, "loop: one fault");
	ok(!rec_has(f, scsi, 0, eh_cmds), "loop: no count");
	fake_put_ptr(f, head, 0);
	is_u64(fake_look(f), HANG_ANSWER_UNCLEAR, "no list: unclear");
	is_u64(fake_faults(f, "null pointer"), 1, "no list: one fault");
	ok(!rec_has(f, scsi, 0, eh_cmds), "no list: no count");
	fake_free(f);
}

/* In a running kernel a command may be another's by now: that is no fault. */
static void test_live(void)
{
	make();
	fake_live(f, NULL);
	fake_scsi_cmd(f, host, fake_rq(f, &d, .tag = 3,
				       .state = FAKE_IN_FLIGHT), 0x28);
	is_u64(fake_look(f), HANG_ANSWER_NONE, "live: no hang");
	is_u64(fake_count(f, R_fault), 0, "live: no fault");
	is_u64(fake_count(f, R_cmd), 0, "live: not shown");
	fake_free(f);
}

int main(void)
{
	test_well(8, false);
	test_well(4, false);
	test_well(8, true);
	test_troubles();
	test_states();
	test_stages();
	test_older();
	test_drops();
	test_strangers();
	test_damages();
	test_loop();
	test_live();
	return tap_end();
}
