// SPDX-License-Identifier: GPL-2.0-only
/*
 * Directories of events/ in, names and formats of events out. What has no file `enable` is a
 * format alone (events/ftrace), and what another ktrace has defined is its own.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/internal.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct error *tracepoint_names(struct arena *arena, const char *system, const char ***ret,
			       unsigned *count)
{
	const char *tracefs, *path;
	struct error *error = tracefs_find(arena, &tracefs);
	struct dirent *entry;
	struct owner owner;
	DIR *directory;

	*count = 0;
	*ret = NULL;
	if (error)
		return error;
	path = arena_printf(arena, "%s/events%s%s", tracefs, system ? "/" : "", system ? system : "");
	directory = opendir(path);
	if (!directory)
		return tracefs_error(arena, path, "read", errno);
	while (!error && (entry = readdir(directory))) {
		bool exists;

		if (entry->d_name[0] == '.' || owner_parse(entry->d_name, &owner))
			continue;
		error = tracefs_look(arena, arena_printf(arena, "%s/%s/enable", path, entry->d_name), &exists);
		if (!error && exists)
			arena_append(arena, *ret, *count) = arena_strdup(arena, entry->d_name);
	}
	closedir(directory);
	if (error)
		return error;
	if (*count)
		qsort(*ret, *count, sizeof(**ret), by_name);
	return NULL;
}

struct error *tracepoint_format(struct arena *arena, struct tracepoint *tracepoint)
{
	const char *tracefs;
	struct error *error = tracefs_find(arena, &tracefs);
	char *text;

	if (!error)
		error = tracefs_read(arena, arena_printf(arena, "%s/events/%s/%s/format", tracefs,
							 tracepoint->system, tracepoint->event), &text);
	if (!error)
		tracepoint->format = text;
	return error;
}
