// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the kernel's events and reads their formats. A directory without a file `enable`
 * (events/ftrace) is only a format; what any ktrace has defined is left out. Others may remove
 * their events and systems meanwhile: what is gone is no error.
 */
#include <stdlib.h>
#include <string.h>

#include "session/internal.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the error that reading a path made, or NULL when the path is gone. */
static struct error *unless_gone(struct arena *arena, const char *path, struct error *error)
{
	bool exists;

	return error && !tfs_look(arena, NULL, path, &exists) && !exists ? NULL : error;
}

struct error *tracepoint_names(struct arena *arena, const char *system, const char ***ret,
			       unsigned *count)
{
	const char *directory =
		arena_printf(arena, "events%s%s", system ? "/" : "", system ? system : "");
	struct error *error = tfs_find(arena);
	struct owner owner;
	const char **names = NULL;

	*count = 0;
	*ret = NULL;
	if (!error)
		error = tfs_list(arena, NULL, directory, &names);
	if (system)
		error = unless_gone(arena, directory, error);
	for (unsigned i = 0; !error && names && names[i]; i++) {
		bool exists;

		if (owner_parse(names[i], &owner))
			continue;
		error = tfs_look(arena, NULL,
				 arena_printf(arena, "%s/%s/enable", directory, names[i]), &exists);
		if (!error && exists)
			arena_append(arena, *ret, *count) = names[i];
	}
	if (!error && *count)
		qsort(*ret, *count, sizeof(**ret), by_name);
	return error;
}

struct error *tracepoint_format(struct arena *arena, struct tracepoint *tracepoint)
{
	const char *path =
		arena_printf(arena, "events/%s/%s/format", tracepoint->system, tracepoint->event);
	struct error *error = tfs_find(arena);
	char *text = NULL;

	if (error)
		return error;
	error = tfs_read(arena, NULL, path, &text);
	tracepoint->format = error ? NULL : text;
	return unless_gone(arena, path, error);
}
