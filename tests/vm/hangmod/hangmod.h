/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hangmod.h - commands and parts of the module that makes hangs in a guest
 *
 * One command a write to debugfs hangmod/ctl; reading it shows what happened:
 *   arm CPU              create the thread for irqsoff on that CPU
 *   irqsoff CPU [SECS]   it spins with interrupts off, for ever by default
 *   hook                 register the probes lostipi and lostraise rest on
 *   lostipi CPU          lose the next block completion IPI to that CPU
 *   lostraise CPU        lose the next softirq raise by such an IPI there
 *   wake CPU             make ksoftirqd of that CPU runnable
 *   disk MODE            what hang0 does with its requests: see disk.c
 *   plant STATE          one of hang0's queue, which is left so: see plant.c
 *   skip FUNCTION        set a probe on it
 *   skipping N           its next N calls are left out
 *   negative             wbt counts less than nothing, if that is its function
 *   block DISK           a SCSI disk's device is blocked
 *   plug CPU N           a thread there keeps N reads of hang0 in its plug
 *   plugsleep            it sleeps with them
 *   timeout DISK MS      request timeout of any disk
 *   irq off|on N         interrupt N of /proc/interrupts is not handled, or again
 *   watch DISK           irqsoff begins while that disk has requests
 *   undo                 everything back, as far as it can be
 * arm, hook and skip need every CPU to answer, the others only the one they run on.
 */
#ifndef HANGMOD_H
#define HANGMOD_H

#include <linux/seq_file.h>
#include <linux/types.h>

int irqsoff_arm(unsigned int cpu);
int irqsoff_start(unsigned int cpu, unsigned int seconds);
void irqsoff_undo(void);
void irqsoff_exit(void);

int lose_hook(void);
int lose_ipi(unsigned int cpu);
int lose_raise(unsigned int cpu);
void lose_undo(void);
void lose_show(struct seq_file *m);
void lose_exit(void);

int skip_hook(const char *function);
int skip_calls(unsigned int count);
int skip_negative(void);
void skip_undo(void);
void skip_show(struct seq_file *m);
void skip_exit(void);

struct blk_mq_tags;
struct device;
struct request_queue;

/* hang0's device and queue, and the driver tags of its first hardware queue. */
struct device *disk_device(void);
struct request_queue *disk_queue(void);
struct blk_mq_tags *disk_tags(void);

int plant(const char *name);
void plant_undo(void);

int disk_init(void);
int disk_mode(const char *name);
void disk_undo(void);
void disk_show(struct seq_file *m);
void disk_exit(void);

/* The disk as a block device; it stays for as long as the module. */
struct block_device *disk_bdev(void);

int plug_sleep(void);
int plug_start(unsigned int cpu, unsigned int count);
void plug_show(struct seq_file *m);
void plug_undo(void);
void plug_exit(void);

int bdev_timeout(const char *name, unsigned int ms);
int bdev_block(const char *name);
int bdev_watch(const char *name);
void bdev_unwatch(void);

/* True while a disk is watched and has no request on its way. */
bool bdev_is_idle(void);

#endif
