// SPDX-License-Identifier: GPL-2.0-only
/*
 * The name of a source file in, its text out. The name comes from debug information, which anybody may have
 * made, so it may be that of any file there is: whoever made it gets nothing read that he couldn't read
 * himself, and a secret of the user's own isn't shown unless it is called what source files are called.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/sources.h"
#include "target/target.h"

#define TEXT_MAX ((off_t)64 << 20)
#define FLAGS    (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Kernels before 5.6 can't be told to stay below. */
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

/* DIR and the path, its leading parts cut off one by one until it is found. */
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

/* With the rights of the program's owner, where that isn't root. The system calls, since glibc's
 * setgroups() is for all threads. */
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

static bool is_called_source(const char *path)
{
	static const char *const ends[] = {
		"c", "h", "S", "s", "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "h++", "H", "ipp", "inl",
		"inc", "tcc", "txx", "def", "y", "l", "yy", "ll", "rs", "go", "zig", "d", "nim", "m", "mm", "swift",
		"f", "f90", "f95", "for", "adb", "ads", "pas", "ml", "hs", "asm", "cu", "cl", "v", "java", "kt",
	};
	const char *end = strrchr(path, '.');

	for (size_t i = 0; end && i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(end + 1, ends[i]))
			return true;
	return false;
}

/* NULL: it may be shown. */
static const char *refusal(const struct stat *status, const char *path)
{
	if (!S_ISREG(status->st_mode))
		return "isn't a regular file";
	if (status->st_size > TEXT_MAX)
		return "is too large for a source";
	if (!(status->st_mode & S_IROTH) && !is_called_source(path))
		return "isn't called as sources are, and not readable for all";
	return NULL;
}

const char *source_text(struct arena *arena, const struct target *target, const char *dir,
			const char *path, const char **refused)
{
	const char *text = NULL;
	struct stat status;
	size_t length;
	int fd;

	*refused = NULL;
	if (!dir && path[0] != '/')
		return NULL;
	fd = dir ? open_in(dir, path) : open_as_owner(target, path);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status)) {
		*refused = refusal(&status, path);
		if (!*refused)
			text = file_read_most(arena, fd, (size_t)status.st_size, &length);
	}
	close(fd);
	return text;
}
