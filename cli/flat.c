// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * makedumpfile's flattened format: what makedumpfile -F and QEMU write to a
 * pipe. A page of header, then pieces of a dump file, each behind its offset
 * and size, all big endian; an offset of -1 ends the file. libkdumpfile reads
 * it only from 0.5.3 on, so it is put back in order here, as makedumpfile -R
 * would, into a temporary file that has no name.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flat.h"

#define SIGNATURE "makedumpfile"
#define HEADER_SIZE 4096
#define PIECE_MAX (1ULL << 30) /* makedumpfile's are far smaller */
#define DUMP_MAX (1ULL << 46)
#define BUF_SIZE (1 << 20)

struct piece {
	uint64_t offset;
	uint64_t size;
};

bool hang_flat_is(int fd)
{
	char sig[sizeof(SIGNATURE)];

	return pread(fd, sig, sizeof(sig), 0) == sizeof(sig) &&
	       !memcmp(sig, SIGNATURE, sizeof(sig));
}

static int temporary(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir || strlen(dir) > sizeof(path) - 32)
		dir = "/var/tmp"; /* a dump may be too large for /tmp */
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	strcpy(path, dir);
	strcat(path, "/blkhang-XXXXXX");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* 1: all of it, 0: the file ends before, else -errno. */
static int read_all(int fd, void *buf, size_t len, off_t at)
{
	char *p = buf;

	while (len) {
		ssize_t n = pread(fd, p, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		p += n;
		at += n;
		len -= n;
	}
	return 1;
}

static int write_all(int fd, const char *p, size_t len, off_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, p, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		at += n;
		len -= n;
	}
	return 1;
}

static int copy_piece(int in, off_t at, int out, const struct piece *piece,
		      char *buf)
{
	uint64_t done = 0;
	int ret = 1;

	while (ret > 0 && done < piece->size) {
		size_t len = piece->size - done;

		if (len > BUF_SIZE)
			len = BUF_SIZE;
		ret = read_all(in, buf, len, at + done);
		if (ret > 0)
			ret = write_all(out, buf, len, piece->offset + done);
		done += len;
	}
	return ret;
}

static int rearrange(int in, int out, char *buf, const char **why)
{
	off_t at = HEADER_SIZE;
	struct piece piece;
	int ret;

	for (;;) {
		ret = read_all(in, &piece, sizeof(piece), at);
		if (ret <= 0)
			return ret;
		piece.offset = be64toh(piece.offset);
		piece.size = be64toh(piece.size);
		if (piece.offset == UINT64_MAX)
			return 1;
		if (piece.size > PIECE_MAX || piece.offset > DUMP_MAX) {
			*why = "flattened dump is damaged";
			return -EINVAL;
		}
		at += sizeof(piece);
		ret = copy_piece(in, at, out, &piece, buf);
		if (ret <= 0)
			return ret;
		at += piece.size;
	}
}

int hang_flat_open(int fd, bool *truncated, const char **why)
{
	char *buf = malloc(BUF_SIZE);
	int out = -1;
	int ret = -ENOMEM;

	*why = "can't put the flattened dump in order";
	if (buf) {
		out = temporary();
		ret = out < 0 ? -errno : rearrange(fd, out, buf, why);
	}
	free(buf);
	*truncated = !ret;
	if (ret >= 0)
		return out;
	if (out >= 0)
		close(out);
	return ret;
}
