/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BLKHANG_FLAT_H
#define BLKHANG_FLAT_H

#include <stdbool.h>

/* Whether the file begins as makedumpfile's flattened format does. */
bool hang_flat_is(int fd);

/*
 * Rearranges a flattened file into an unlinked temporary one and returns its
 * descriptor, which the caller closes; -errno, and *why, where that fails. A
 * file that ends early gives what there was, with *truncated set.
 */
int hang_flat_open(int fd, bool *truncated, const char **why);

#endif
