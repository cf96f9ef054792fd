// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a source file by the name in debug information. Any user may have made that, so the name
 * may be any file's: its maker gets nothing to read that he couldn't read himself, and a private
 * file of the user who traces isn't shown unless its name is a source file's.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/source_name.h"
#include "cmd/sources.h"
#include "debuginfo/debuginfo.h"
#include "target/target.h"

#define TEXT_MAX ((off_t)64 << 20)
#define FLAGS    (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* For kernels before 5.6, which lack openat2(2): resolve first, then compare. */
static int open_below_by_name(const char *dir, const char *path)
{
	char *top = realpath(dir, NULL), *file = NULL, *joined = NULL;
	int fd = -1;

	if (top && asprintf(&joined, "%s/%s", top, path) >= 0)
		file = realpath(joined, NULL);
	if (file && !strncmp(file, top, strlen(top)) && file[strlen(top)] == '/')
		fd = open(file, FLAGS | O_NOFOLLOW);
	free(top);
	free(joined);
	free(file);
	return fd;
}

static int open_below(const char *dir, const char *path)
{
	struct open_how how = {
		.flags = FLAGS,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = top < 0 ? -1 : (int)syscall(SYS_openat2, top, path, &how, sizeof(how));
	bool is_old = top >= 0 && fd < 0 && (errno == ENOSYS || errno == EPERM);

	if (top >= 0)
		close(top);
	return is_old ? open_below_by_name(dir, path) : fd;
}

/* DIR/PATH, leading parts of PATH cut off one by one until a file is found. */
static int open_in(const char *dir, const char *path)
{
	int fd = -1;

	for (const char *tail = path; tail && fd < 0; tail = strchr(tail, '/')) {
		tail += strspn(tail, "/");
		if (*tail)
			fd = open_below(dir, tail);
	}
	return fd;
}

/* Opens with the rights of the program's owner, unless that is root. Raw system calls, since
 * glibc's setgroups() changes all threads. */
static int open_as_owner(const struct target *target, const char *path)
{
	enum { MOST = 256 };
	gid_t groups[MOST];
	int count, fd, gid;

	if (geteuid() || !target->owner)
		return open(path, FLAGS);
	count = getgroups(MOST, groups);
	if (count < 0 || syscall(SYS_setgroups, 0, groups))
		return -1;
	gid = setfsgid(target->owner_group);
	setfsuid(target->owner);
	fd = open(path, FLAGS);
	setfsuid(geteuid());
	setfsgid((gid_t)gid);
	return syscall(SYS_setgroups, (size_t)count, groups) ? -1 : fd;
}

/* By the file's own name: a link of a source's name may lead anywhere. */
static bool is_source(int fd)
{
	char link[32], path[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	return is_source_name(path);
}

/* Why it may not be shown, or NULL. is_fetched: the file is a server's, under a name of its own. */
static const char *refusal(int fd, bool is_fetched, const struct stat *status, const char *path)
{
	if (!S_ISREG(status->st_mode))
		return "isn't a regular file";
	if (status->st_size > TEXT_MAX)
		return "is too large for a source";
	if (!(status->st_mode & S_IROTH) &&
	    !(is_source_name(path) && (is_fetched || is_source(fd))))
		return "has no name of a source file, and isn't readable for all";
	return NULL;
}

/* Debug information may name a source that was never on this machine. */
static int fetch(struct arena *arena, struct target *target, const char *path, const char **refused)
{
	int fd = target_fetch(target, path);

	if (fd < 0 && target->unfetched)
		*refused =
			arena_printf(arena, "isn't here, nor at debuginfod: %s", target->unfetched);
	return fd;
}

/* Debug information that can't be read says nothing against a text. */
static const char *misfit(const struct resolver *resolver, const struct source_lines *lines,
			  const char *text, size_t length)
{
	struct source_marks marks;

	return !resolver->info || debuginfo_source_marks(resolver->info, lines, &marks) ?
		       NULL :
		       source_misfit(resolver->arena, lines, &marks, text, length);
}

const char *source_text(const struct resolver *resolver, const char *dir,
			const struct source_lines *lines, const char **refused)
{
	const char *text = NULL, *path = lines->file, *directory = lines->directory;
	struct target *target = resolver->target;
	struct arena *arena = resolver->arena;
	struct stat status;
	bool is_fetched;
	size_t length;
	int fd;

	*refused = NULL;
	if (!dir && path[0] != '/') {
		if (!directory || directory[0] != '/')
			return NULL;
		path = arena_printf(arena, "%s/%s", directory, path);
	}
	fd = dir ? open_in(dir, path) : open_as_owner(target, path);
	is_fetched = fd < 0 && !dir && !lines->is_unfetched;
	if (is_fetched)
		fd = fetch(arena, target, path, refused);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status)) {
		*refused = refusal(fd, is_fetched, &status, path);
		if (!*refused)
			text = file_read_most(arena, fd, (size_t)status.st_size, &length);
	}
	close(fd);
	if (text)
		*refused = misfit(resolver, lines, text, length);
	return *refused ? NULL : text;
}
