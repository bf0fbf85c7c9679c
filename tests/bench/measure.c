// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a command a number of times with its output thrown away, and prints the
 * shortest and the middle wall time in ms and the largest resident size in KiB.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static double run(char **argv, long *kib)
{
	double start = now_ms();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid ||
	    !WIFEXITED(status) || WEXITSTATUS(status) > 1)
		return -1;
	if (usage.ru_maxrss > *kib)
		*kib = usage.ru_maxrss;
	return now_ms() - start;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0;
	double *ms = runs > 0 ? calloc(runs, sizeof(*ms)) : NULL;
	long kib = 0;
	int i;

	if (!ms)
		return 2;
	for (i = 0; i < runs; i++) {
		ms[i] = run(argv + 2, &kib);
		if (ms[i] < 0) {
			fprintf(stderr, "measure: %s failed\n", argv[2]);
			return 1;
		}
	}
	qsort(ms, runs, sizeof(*ms), ascending);
	printf("%.1f %.1f %ld\n", ms[0], ms[runs / 2], kib);
	free(ms);
	return 0;
}
