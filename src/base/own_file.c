// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens and writes files of the user's cache. The surprise: what is opened is checked by its
 * descriptor, never by its name, which may mean another file a moment later.
 */
#include "base/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Nothing is created in a directory that belongs to another user. */
static bool may_make_in(const char *path)
{
	struct stat status;

	return !stat(path, &status) && (status.st_uid == geteuid() || !status.st_uid);
}

int make_own_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char parent[4096];

	if (!access(path, F_OK))
		return 0;
	if (errno != ENOENT || !slash || slash == path || (size_t)(slash - path) >= sizeof(parent))
		return -1;
	memcpy(parent, path, (size_t)(slash - path));
	parent[slash - path] = '\0';
	if (make_own_directory(parent) || !may_make_in(parent))
		return -1;
	return mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
}

/* Returns the descriptor; closes it and returns -1 if another user can write to its file. */
static int if_own(int fd, mode_t kind, struct stat *status)
{
	if (fd < 0)
		return -1;
	if (!fstat(fd, status) && (status->st_mode & S_IFMT) == kind &&
	    status->st_uid == geteuid() && !(status->st_mode & 022))
		return fd;
	close(fd);
	return -1;
}

int open_own_directory(const char *path)
{
	struct stat status;

	return if_own(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), S_IFDIR,
		      &status);
}

int open_own_file(int directory, const char *name, struct stat *status)
{
	/* O_NONBLOCK: it may be a FIFO */
	return if_own(openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK),
		      S_IFREG, status);
}

bool write_whole(int fd, const void *data, size_t length)
{
	for (size_t at = 0; at < length;) {
		ssize_t written = write(fd, (const char *)data + at, length - at);

		if (written <= 0)
			return false;
		at += (size_t)written;
	}
	return true;
}

/* Written under another name and renamed, so that no reader sees half a file. */
bool replace_own_file(int directory, const char *name, const void *data, size_t length)
{
	char draft[NAME_MAX + 1];
	bool is_written;
	int fd;

	if (snprintf(draft, sizeof(draft), "%s.%d", name, getpid()) >= (int)sizeof(draft))
		return false;
	fd = openat(directory, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	is_written = write_whole(fd, data, length);
	if (!close(fd) && is_written && !renameat(directory, draft, directory, name))
		return true;
	unlinkat(directory, draft, 0);
	return false;
}
