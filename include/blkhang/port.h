/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only place that knows whether the core runs inside a kernel: fixed-width
 * types, the memory and string functions a freestanding program may call, and
 * errno names. Everything else in core/ and include/ is host-neutral.
 */
#ifndef BLKHANG_PORT_H
#define BLKHANG_PORT_H

#ifdef __KERNEL__

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>

/* 32-bit kernels have no 64-bit division of their own. */
#define hang_div64(a, b) div64_u64(a, b)
#define hang_mod64(a, b) ((a) - div64_u64(a, b) * (b))

#else

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The spelling crash's defs.h uses too, so that both can be included. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed int s32;
typedef signed long long s64;

#define hang_div64(a, b) ((a) / (b))
#define hang_mod64(a, b) ((a) % (b))

#endif /* __KERNEL__ */

#define HANG_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define HANG_NEVER (~0ULL)

#endif
