// SPDX-License-Identifier: GPL-2.0-only
/* Reads files whole, however few bytes each read(2) gives. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads up to `size` bytes; fewer only at the end of the file. Returns -1 with errno set on
 * failure. */
static ssize_t read_upto(int fd, char *to, size_t size)
{
	size_t length = 0;

	while (length < size) {
		ssize_t n = read(fd, to + length, size - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		length += (size_t)n;
	}
	return (ssize_t)length;
}

static int read_all(struct arena *arena, int fd, size_t room, char **ret)
{
	char *text = arena_alloc(arena, room + 1);
	size_t length = 0;

	*ret = text;
	for (;;) {
		ssize_t n = read_upto(fd, text + length, room - length);

		if (n < 0)
			return errno;
		length += (size_t)n;
		if (length < room)
			return 0;
		*ret = text = arena_grow(arena, text, length, 2 * room + 1);
		room *= 2;
	}
}

int file_read(struct arena *arena, const char *path, size_t room, char **ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	*ret = arena_strdup(arena, "");
	if (fd < 0)
		return errno;
	err = read_all(arena, fd, room, ret);
	close(fd);
	return err;
}

char *file_read_most(struct arena *arena, int fd, size_t size, size_t *length)
{
	char *data = arena_alloc(arena, size + 1);
	ssize_t n = read_upto(fd, data, size);

	*length = n > 0 ? (size_t)n : 0;
	return data;
}

char *file_read_sized(struct arena *arena, const char *path, size_t most, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char *data = NULL;

	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    (size_t)status.st_size <= most)
		data = file_read_most(arena, fd, (size_t)status.st_size, length);
	if (fd >= 0)
		close(fd);
	return data;
}
