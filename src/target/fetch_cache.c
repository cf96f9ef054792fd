// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks into the cache of debuginfod's client, which is a directory for each build-id. The
 * surprise: it may be in several places, and an empty file says that something was asked for and
 * not found.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/fetch_wait.h"

static const struct {
	const char *variable, *below;
} places[] = {
	{"DEBUGINFOD_CACHE_PATH", ""},
	{"XDG_CACHE_HOME", "/debuginfod_client"},
	{"HOME", "/.cache/debuginfod_client"},
	{"HOME", "/.debuginfod_client_cache"},
};

#define NPLACES (sizeof(places) / sizeof(*places))

static void forget_in(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;
	struct stat status;
	DIR *list = NULL;

	if (fd >= 0 && !fstat(fd, &status) && status.st_uid == geteuid())
		list = fdopendir(fd);
	else if (fd >= 0)
		close(fd);
	if (!list)
		return;
	while ((entry = readdir(list)))
		if (!fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(status.st_mode) && !status.st_size)
			unlinkat(dirfd(list), entry->d_name, 0);
	closedir(list);
	rmdir(directory);
}

void forget_misses(struct arena *arena, const char *build_id)
{
	for (size_t i = 0; i < NPLACES; i++)
		if (getenv(places[i].variable))
			forget_in(arena_printf(arena, "%s%s/%s", getenv(places[i].variable),
					       places[i].below, build_id));
}

int open_cached(struct arena *arena, const char *build_id, unsigned *place, const char **path)
{
	int fd = -1;

	for (; *place < NPLACES && fd < 0; ++*place) {
		const char *top = getenv(places[*place].variable);

		if (!top || top[0] != '/')
			continue;
		*path = arena_printf(arena, "%s%s/%s/debuginfo", top, places[*place].below,
				     build_id);
		fd = open(*path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	}
	return fd;
}
