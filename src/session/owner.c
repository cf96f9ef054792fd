// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells which ktrace a group's name belongs to, and whether that process is alive. A pid alone
 * tells neither: pids are recycled, and each pid namespace has its own. So a live ktrace locks a
 * byte of a tracefs file, which is the same file in all namespaces; the kernel releases the lock
 * however the process ends. Owners with the same pid have different numbers.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "session/internal.h"

#include <tracefs.h>

#define LOCK_FILE   "tracing_on" /* holding it open has no effect on others */
#define PID_MAX     999999999ul
#define NUMBERS_MAX 1000ul /* live owners with the same pid */

/* Takes a decimal number without leading zeros off *text. Returns 0 when there is none, or it is
 * above max. */
static unsigned long take_number(const char **text, unsigned long max)
{
	unsigned long number = 0;
	char *end;

	if (**text >= '1' && **text <= '9')
		number = strtoul(*text, &end, 10);
	if (!number || number > max)
		return 0;
	*text = end;
	return number;
}

bool owner_parse(const char *group, struct owner *ret)
{
	const char *at = group + strlen(GROUP_PREFIX);

	*ret = (struct owner){.number = 1};
	if (strncmp(group, GROUP_PREFIX, strlen(GROUP_PREFIX)))
		return false;
	ret->pid = (pid_t)take_number(&at, PID_MAX);
	if (!ret->pid)
		return false;
	if (*at == '_' && strcmp(at, COMMS_SUFFIX)) {
		at++;
		ret->number = (unsigned)take_number(&at, NUMBERS_MAX);
		if (ret->number < 2)
			return false;
	}
	return !*at || !strcmp(at, COMMS_SUFFIX);
}

const char *owner_group(struct arena *arena, const struct owner *owner)
{
	return owner->number == 1 ? arena_printf(arena, GROUP_PREFIX "%d", (int)owner->pid) :
	       arena_printf(arena, GROUP_PREFIX "%d_%u", (int)owner->pid, owner->number);
}

static off_t owner_byte(const struct owner *owner)
{
	return (off_t)owner->number << 32 | owner->pid;
}

/* A lock of the open file (OFD), not of the process, which may hold several. Returns 0 or an
 * errno. */
static int lock_owner(int fd, int command, const struct owner *owner, struct flock *lock)
{
	*lock = (struct flock){
		.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = owner_byte(owner),
		.l_len = 1,
	};
	return fcntl(fd, command, lock) ? errno : 0;
}

/* "lock: 1: OFDLCK ADVISORY WRITE -1 00:0d:56 4294967308 4294967308" in fdinfo of one of its
 * files. */
bool owner_is_here(struct arena *arena, const struct owner *owner)
{
	const char *path = arena_printf(arena, "/proc/%d/fdinfo", (int)owner->pid);
	unsigned long long byte = (unsigned long long)owner_byte(owner);
	const char *range = arena_printf(arena, " %llu %llu\n", byte, byte);
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool found = false;
	char *text;

	while (directory && !found && (entry = readdir(directory)))
		found = entry->d_name[0] != '.' &&
			!file_read(arena, arena_printf(arena, "%s/%s", path, entry->d_name), 256,
				   &text) &&
			strstr(text, "OFDLCK") && strstr(text, range);
	if (directory)
		closedir(directory);
	return found;
}

static int open_lock(int flags)
{
	return tracefs_instance_file_open(NULL, LOCK_FILE, flags | O_CLOEXEC);
}

bool owner_alive(const struct owner *owner)
{
	int fd = open_lock(O_RDONLY);
	struct flock lock;
	/* if it can't be told, count it as alive: nothing may be removed */
	bool alive = fd < 0 || lock_owner(fd, F_OFD_GETLK, owner, &lock) || lock.l_type != F_UNLCK;

	if (fd >= 0)
		close(fd);
	return alive;
}

struct error *owner_hold(struct arena *arena, const struct owner *owner, int *fd)
{
	struct flock lock;
	int err;

	*fd = open_lock(O_RDWR);
	err = *fd < 0 ? errno : lock_owner(*fd, F_OFD_SETLK, owner, &lock);
	if (*fd >= 0 && err) {
		close(*fd);
		*fd = -1;
		if (err == EAGAIN || err == EACCES)
			return NULL;
	}
	return err ? tfs_error(arena, tfs_path(arena, NULL, LOCK_FILE), "lock", err) :
	       NULL;
}

struct error *owner_claim(struct arena *arena, struct owner *ret, int *fd)
{
	struct error *error = NULL;

	*fd = -1;
	*ret = (struct owner){.pid = getpid()};
	while (!error && *fd < 0 && ret->number < NUMBERS_MAX) {
		ret->number++;
		error = owner_hold(arena, ret, fd);
	}
	if (!error && *fd < 0)
		error = error_new(arena, ERROR_SYSTEM,
				  "%lu live ktraces have the pid %d, each in a pid "
				  "namespace of its own",
				  NUMBERS_MAX, (int)ret->pid);
	return error;
}
