// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io.c - load for the test guest: one process that reads, writes or spins
 *
 *   io read|write CPU DEVICE   direct 4 KiB requests, one at a time, for ever
 *   io dsync CPU DEVICE        the same as write, each on the medium (O_DSYNC)
 *   io fsync CPU DEVICE        flushes, one at a time, for ever
 *   io page|map CPU DEVICE N   reads page N by the page cache, or touches it
 *                              where it is mapped; without a seek, which may
 *                              wait for other readers
 *   io direct CPU DEVICE       a loop disk does direct I/O from now on; ends
 *   io polled CPU DEVICE       sends one read that has to be polled, and never does
 *   io mix CPU DEVICE DEPTH    reads and writes, direct, 4 to 64 KiB each, so
 *                              many at a time, for ever
 *   io shoot CPU CPUS          TLB shoot-downs, from threads on CPU to CPUS - 1
 *   io spin CPU [fifo]         busy loop in user space; fifo: of SCHED_FIFO 99,
 *                              and only from a SIGUSR1 on
 *
 * Static, so that it runs without anything else in the guest, and it forks
 * nothing: it keeps going, or stays where it is, whatever happens to the CPUs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <linux/loop.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum {
	BLOCK = 4096,
	MIX_BLOCKS = 16,
	MIX_DEPTH = 64,
	SHOOT_PAGES = 4,
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

/*
 * The priority comes first, so that the signal alone makes it take the CPU, at
 * once and from whatever runs there.
 */
static void wait_as_fifo(void)
{
	struct sched_param param = { .sched_priority = 99 };
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		die("sigprocmask");
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	if (sigwait(&set, &sig))
		die("sigwait");
}

static void spin(int fifo)
{
	if (fifo)
		wait_as_fifo();
	for (;;)
		__asm__ volatile("pause");
}

static void read_cached(const char *device, off_t at, int mapped)
{
	int fd = open(device, O_RDONLY);
	volatile char *map;
	char buf[BLOCK];

	if (fd < 0)
		die(device);
	if (!mapped) {
		if (pread(fd, buf, BLOCK, at) != BLOCK)
			die(device);
		return;
	}
	map = mmap(NULL, BLOCK, PROT_READ, MAP_SHARED, fd, at);
	if (map == MAP_FAILED)
		die("mmap");
	(void)map[0];
}

static int open_device(const char *device, int flags)
{
	int fd = open(device, flags);

	if (fd < 0)
		die(device);
	return fd;
}

static off_t blocks_of(int fd)
{
	return lseek(fd, 0, SEEK_END) / BLOCK;
}

static uint32_t next_random(void)
{
	static uint32_t seed;

	if (!seed)
		seed = getpid();
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void flush(const char *device)
{
	int fd = open_device(device, O_WRONLY);

	while (!fsync(fd))
		;
	die(device);
}

/* The one entry of a ring of one, by system calls alone. */
static void send_polled(const char *device)
{
	static char buf[BLOCK] __attribute__((aligned(BLOCK)));
	struct io_uring_params p = { .flags = IORING_SETUP_IOPOLL };
	int fd = open_device(device, O_RDONLY | O_DIRECT);
	int ring = syscall(__NR_io_uring_setup, 1, &p);
	struct io_uring_sqe *sqe;
	char *sq;

	if (ring < 0)
		die("io_uring_setup");
	sq = mmap(NULL, p.sq_off.array + sizeof(uint32_t),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	sqe = mmap(NULL, sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		   IORING_OFF_SQES);
	if (sq == MAP_FAILED || sqe == MAP_FAILED)
		die("mmap");
	sqe->opcode = IORING_OP_READ;
	sqe->fd = fd;
	sqe->addr = (uintptr_t)buf;
	sqe->len = BLOCK;
	*(uint32_t *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((uint32_t *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(__NR_io_uring_enter, ring, 1, 0, 0, NULL, 0) != 1)
		die("io_uring_enter");
	for (;;)
		pause();
}

static void make_direct(const char *loop)
{
	int fd = open_device(loop, O_RDONLY);

	if (ioctl(fd, LOOP_SET_DIRECT_IO, 1UL))
		die("LOOP_SET_DIRECT_IO");
}

static void transfer(const char *device, int writing, int flags)
{
	static char buf[BLOCK] __attribute__((aligned(BLOCK)));
	int fd = open_device(device, (writing ? O_WRONLY : O_RDONLY) |
				     O_DIRECT | flags);
	off_t blocks = blocks_of(fd);

	for (;;) {
		off_t at = next_random() % blocks * BLOCK;
		ssize_t n;

		n = writing ? pwrite(fd, buf, BLOCK, at)
			    : pread(fd, buf, BLOCK, at);
		if (n != BLOCK)
			die(device);
	}
}

/* One in four is a write. */
static void prepare_mixed(struct iocb *cb, off_t blocks)
{
	uint32_t count = 1 + next_random() % MIX_BLOCKS;

	cb->aio_lio_opcode = next_random() % 4 ? IOCB_CMD_PREAD
					       : IOCB_CMD_PWRITE;
	cb->aio_nbytes = count * BLOCK;
	cb->aio_offset = next_random() % (blocks - count) * BLOCK;
}

/* Those that have come back together are sent out together, so in a plug. */
static void mix(const char *device, long depth)
{
	int fd = open_device(device, O_RDWR | O_DIRECT);
	off_t blocks = blocks_of(fd);
	struct io_event events[MIX_DEPTH];
	struct iocb cbs[MIX_DEPTH] = { 0 }, *ready[MIX_DEPTH];
	aio_context_t ctx = 0;
	long i, n = depth;

	if (depth < 1 || depth > MIX_DEPTH ||
	    syscall(SYS_io_setup, depth, &ctx))
		die("io_setup");
	for (i = 0; i < depth; i++) {
		cbs[i].aio_fildes = fd;
		cbs[i].aio_buf =
			(uintptr_t)aligned_alloc(BLOCK, MIX_BLOCKS * BLOCK);
		ready[i] = &cbs[i];
	}
	for (;;) {
		for (i = 0; i < n; i++)
			prepare_mixed(ready[i], blocks);
		if (syscall(SYS_io_submit, ctx, n, ready) != n)
			die("io_submit");
		n = syscall(SYS_io_getevents, ctx, 1L, depth, events, NULL);
		if (n < 1)
			die("io_getevents");
		for (i = 0; i < n; i++) {
			ready[i] = (struct iocb *)(uintptr_t)events[i].obj;
			if (events[i].res != (__s64)ready[i]->aio_nbytes)
				die(device);
		}
	}
}

/* Rights that are taken away, and pages, have to be forgotten by all CPUs. */
static void *shoot(void *cpu)
{
	char *map = mmap(NULL, SHOOT_PAGES * BLOCK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		die("mmap");
	pin((int)(intptr_t)cpu);
	do {
		memset(map, 1, SHOOT_PAGES * BLOCK);
	} while (!mprotect(map, SHOOT_PAGES * BLOCK, PROT_READ) &&
		 !mprotect(map, SHOOT_PAGES * BLOCK, PROT_READ | PROT_WRITE) &&
		 !madvise(map, SHOOT_PAGES * BLOCK, MADV_DONTNEED));
	die("mprotect");
	return NULL;
}

static void shoot_all(int cpu, int cpus)
{
	pthread_t thread;

	for (; cpu < cpus - 1; cpu++)
		if (pthread_create(&thread, NULL, shoot, (void *)(intptr_t)cpu))
			die("pthread_create");
	shoot((void *)(intptr_t)cpu);
}

int main(int argc, char **argv)
{
	const char *what, *device;

	if (argc < 3)
		return 2;
	what = argv[1];
	pin(atoi(argv[2]));
	/* A page fault after the hang could wait for a CPU that is gone. */
	if (mlockall(MCL_CURRENT))
		die("mlockall");
	if (!strcmp(what, "spin"))
		spin(argc > 3);
	if (argc < 4)
		return 2;
	device = argv[3];
	if (!strcmp(what, "shoot"))
		shoot_all(atoi(argv[2]), atoi(argv[3]));
	else if (!strcmp(what, "fsync"))
		flush(device);
	else if (!strcmp(what, "direct"))
		make_direct(device);
	else if (!strcmp(what, "polled"))
		send_polled(device);
	else if (argc < 5)
		transfer(device, strcmp(what, "read"),
			 strcmp(what, "dsync") ? 0 : O_DSYNC);
	else if (!strcmp(what, "mix"))
		mix(device, atol(argv[4]));
	else
		read_cached(device, atol(argv[4]) * BLOCK,
			    !strcmp(what, "map"));
	return 0;
}
