// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps one kernel that was put together in the user's cache, under the name of its build-id.
 */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/own_file.h"
#include "target/internal.h"
#include "target/stock.h"

/* One kernel stays: each takes 60 MB. */
static void drop_others(int directory, const char *name)
{
	DIR *list = fdopendir(dup(directory));
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (strlen(entry->d_name) == strlen(name) &&
		    strspn(entry->d_name, "0123456789abcdef") == strlen(name) &&
		    strcmp(entry->d_name, name) != 0)
			unlinkat(directory, entry->d_name, 0);
	if (list)
		closedir(list);
}

bool kept_put(const char *cache, const char *name, const void *data, size_t length)
{
	int directory = cache && !make_own_directory(cache) ? open_own_directory(cache) : -1;
	bool is_written = directory >= 0 && replace_own_file(directory, name, data, length);

	if (is_written)
		drop_others(directory, name);
	if (directory >= 0)
		close(directory);
	return is_written;
}

static bool is_kept(const char *cache, const char *name)
{
	struct stat status;
	int directory = open_own_directory(cache);
	int fd = directory >= 0 ? open_own_file(directory, name, &status) : -1;

	if (fd >= 0)
		close(fd);
	if (directory >= 0)
		close(directory);
	return fd >= 0;
}

struct error *kept_open(struct arena *arena, const char *cache, const char *build_id,
			const struct target_places *places, struct target **ret)
{
	const char *path = arena_printf(arena, "%s/%s", cache, build_id);
	struct error *error;

	if (!is_kept(cache, build_id))
		return error_new(arena, ERROR_NO_DEBUGINFO, "'%s' isn't there", path);
	error = target_open_file(arena, TARGET_KERNEL, path, places, ret);
	if (!error && (!(*ret)->build_id || strcmp((*ret)->build_id, build_id) != 0)) {
		target_close(*ret);
		error = error_new(arena, ERROR_NO_DEBUGINFO, "'%s' is another kernel's", path);
	}
	return error;
}
