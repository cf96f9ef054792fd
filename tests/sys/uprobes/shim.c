// SPDX-License-Identifier: GPL-2.0-only
/*
 * LD_PRELOAD: the FAIL_N-th operation of ktrace on tracefs fails with FAIL_ERR, and FAIL_LOG gets it;
 * behind the KILL_N-th that changes something, the process is aborted; with FAIL_MEMORY, there is no
 * more memory once an event is enabled; the file CUT loses its end once it is mapped.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define TRACEFS "/sys/kernel/tracing"
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char paths[1024][256];
static long count, changes;
static int owner, is_live, is_out_of_memory;

/* Before main(): no fork has happened. */
__attribute__((constructor)) static void init(void)
{
	owner = getpid();
}

static int fails(const char *operation, const char *path)
{
	const char *at = getenv("FAIL_N"), *log = getenv("FAIL_LOG"), *err = getenv("FAIL_ERR");
	FILE *file;

	/* of each event there is: too many for a test that is to be short */
	if (!strcmp(operation, "access") && strlen(path) > 7 && !strcmp(path + strlen(path) - 7, "/enable") &&
	    !getenv("FAIL_LISTS"))
		return 0;
	if (!at || getpid() != owner || strncmp(path, TRACEFS, strlen(TRACEFS)) ||
	    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != atol(at))
		return 0;
	file = log ? fopen(log, "w") : NULL;
	if (file) {
		fprintf(file, "%s%s %s", is_live ? "live " : "", operation, path);
		fclose(file);
	}
	errno = atoi(err);
	return 1;
}

static void changed(const char *path)
{
	const char *at = getenv("KILL_N"), *log = getenv("FAIL_LOG");

	if (!at || getpid() != owner || strncmp(path, TRACEFS, strlen(TRACEFS)) ||
	    __atomic_add_fetch(&changes, 1, __ATOMIC_RELAXED) != atol(at))
		return;
	fclose(fopen(log, "w"));
	raise(SIGABRT);
}

static const char *path_of(int fd)
{
	return fd >= 0 && fd < 1024 ? paths[fd] : "";
}

static int opened(int fd, const char *path)
{
	if (fd >= 0 && fd < 1024)
		snprintf(paths[fd], sizeof(paths[fd]), "%s", path);
	return fd;
}

static int open_fails(const char *path, int flags)
{
	return fails((flags & O_ACCMODE) == O_RDONLY ? "open-read" : "open-write", path);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return open_fails(path, flags) ? -1 : opened(REAL(open)(path, flags, mode), path);
}

/* libtracefs's two. */
int open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return open_fails(path, flags) ? -1 : opened(REAL(open64)(path, flags, mode), path);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
	return open_fails(path, flags) ? -1 : opened(REAL(open64)(path, flags, 0), path);
}

int stat64(const char *path, struct stat64 *ret)
{
	return fails("stat", path) ? -1 : REAL(stat64)(path, ret);
}

int close(int fd)
{
	if (fd >= 0 && fd < 1024)
		paths[fd][0] = '\0';
	return REAL(close)(fd);
}

ssize_t write(int fd, const void *data, size_t length)
{
	const char *path = path_of(fd);
	size_t end = strlen(path);
	ssize_t written;

	if (fails("write", path))
		return -1;
	if (getpid() == owner && end > 7 && !strcmp(path + end - 7, "/enable") && *(const char *)data == '1') {
		is_live = 1;
		is_out_of_memory = getenv("FAIL_MEMORY") != NULL;
	}
	written = REAL(write)(fd, data, length);
	if (written > 0)
		changed(path);
	return written;
}

ssize_t read(int fd, void *data, size_t length)
{
	return fails("read", path_of(fd)) ? -1 : REAL(read)(fd, data, length);
}

ssize_t pread(int fd, void *data, size_t length, off_t offset)
{
	return fails("pread", path_of(fd)) ? -1 : REAL(pread)(fd, data, length, offset);
}

int mkdir(const char *path, mode_t mode)
{
	int made = fails("mkdir", path) ? -1 : REAL(mkdir)(path, mode);

	if (!made)
		changed(path);
	return made;
}

int rmdir(const char *path)
{
	return fails("rmdir", path) ? -1 : REAL(rmdir)(path);
}

int access(const char *path, int mode)
{
	return fails("access", path) ? -1 : REAL(access)(path, mode);
}

DIR *opendir(const char *path)
{
	return fails("opendir", path) ? NULL : REAL(opendir)(path);
}

void *realloc(void *old, size_t size)
{
	if (is_out_of_memory && getpid() == owner)
		return NULL;
	return REAL(realloc)(old, size);
}

/* libelf maps a file as a whole. */
static void cut(int fd)
{
	const char *wanted = getenv("CUT");
	char link[64], path[4096] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (wanted && fd >= 0 && readlink(link, path, sizeof(path) - 1) > 0 && !strcmp(path, wanted) &&
	    truncate(path, 4096))
		abort();
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	void *ret = REAL(mmap)(address, length, protection, flags, fd, offset);

	cut(fd);
	return ret;
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset)
{
	return mmap(address, length, protection, flags, fd, offset);
}
