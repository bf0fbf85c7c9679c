/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Test results as TAP: "ok N - name" lines, and the plan at the end, so that a
 * program that dies half way is seen to have.
 */
#ifndef BLKHANG_TAP_H
#define BLKHANG_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int tap_count, tap_failed;

static inline bool tap_result(bool good, const char *fmt, va_list ap)
{
	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	vprintf(fmt, ap);
	putchar('\n');
	fflush(stdout);
	tap_failed += !good;
	return good;
}

__attribute__((format(printf, 2, 3)))
static inline bool ok(bool good, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_result(good, fmt, ap);
	va_end(ap);
	return good;
}

__attribute__((format(printf, 3, 4)))
static inline bool is_u64(u64 got, u64 want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_result(got == want, fmt, ap);
	va_end(ap);
	if (got != want)
		printf("#   got %llu (%#llx), want %llu (%#llx)\n", got, got,
		       want, want);
	return got == want;
}

__attribute__((format(printf, 3, 4)))
static inline bool is_str(const char *got, const char *want, const char *fmt,
			  ...)
{
	bool same = got && !strcmp(got, want);
	va_list ap;

	va_start(ap, fmt);
	tap_result(same, fmt, ap);
	va_end(ap);
	if (!same)
		printf("#   got  '%s'\n#   want '%s'\n", got ? got : "(null)",
		       want);
	return same;
}

/* Whether fn comes to its end in time, tried in a process of its own. */
static inline bool ends_within(unsigned int seconds, void (*fn)(void))
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		alarm(seconds);
		fn();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
