// SPDX-License-Identifier: GPL-2.0-only
/* Finds the pack of a build-id: by the name BUILD-ID.ktp, or by the heads of all packs in a
 * directory. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "pack/internal.h"

static struct pack *open_fitting(struct arena *arena, const char *path, const char *build_id)
{
	struct pack *pack;

	if (pack_open(arena, path, &pack))
		return NULL;
	if (pack_has(pack, build_id))
		return pack;
	pack_close(pack);
	return NULL;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_pack_name(const char *name)
{
	size_t length = strlen(name), suffix = strlen(PACK_SUFFIX);

	return length > suffix && name[0] != '.' && !strcmp(name + length - suffix, PACK_SUFFIX);
}

/* The packs of a directory, sorted: which one is taken doesn't depend on the order of the file
 * system. */
static struct pack *search_directory(struct arena *arena, const char *path, const char *build_id)
{
	struct pack *pack = open_fitting(
		arena, arena_printf(arena, "%s/%s" PACK_SUFFIX, path, build_id), build_id);
	DIR *directory = pack ? NULL : opendir(path);
	const char **names = NULL;
	size_t count = 0;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (is_pack_name(entry->d_name))
			arena_append(arena, names, count) = arena_strdup(arena, entry->d_name);
	if (directory)
		closedir(directory);
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count && !pack; i++)
		pack = open_fitting(arena, arena_printf(arena, "%s/%s", path, names[i]), build_id);
	return pack;
}

static struct pack *look_in(struct arena *arena, const char *place, const char *build_id,
			    struct error **unread)
{
	struct stat status;
	struct pack *pack = NULL;

	if (!stat(place, &status) && S_ISDIR(status.st_mode))
		return search_directory(arena, place, build_id);
	*unread = pack_open(arena, place, &pack);
	if (*unread || pack_has(pack, build_id))
		return *unread ? NULL : pack;
	pack_close(pack);
	return NULL;
}

struct pack *pack_find(struct arena *arena, const char *const *places, unsigned nplaces,
		       const char *build_id, struct error **unread)
{
	struct pack *found = NULL;

	*unread = NULL;
	for (unsigned i = 0; i < nplaces && !found && build_id; i++)
		found = look_in(arena, places[i], build_id, unread);
	return found;
}
