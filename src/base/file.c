// SPDX-License-Identifier: GPL-2.0-only
/* Reads a whole file whose size nobody knows beforehand: one of /proc says that it is 0. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int file_text(struct arena *arena, const char *path, char **ret)
{
	size_t size = 4096, length = 0;
	char *text = arena_alloc(arena, size);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? errno : 0;

	while (!err) {
		ssize_t n = read(fd, text + length, size - length - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			err = errno;
		if (n <= 0)
			break;
		length += (size_t)n;
		if (length + 1 == size) {
			text = arena_grow(arena, text, length, size * 2);
			size *= 2;
		}
	}
	if (fd >= 0)
		close(fd);
	text[length] = '\0';
	*ret = text;
	return err;
}
