// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the kernel's events and reads their formats. A directory without a file `enable`
 * (events/ftrace) is only a format; what any ktrace has defined is left out.
 */
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
	const char *directory =
		arena_printf(arena, "events%s%s", system ? "/" : "", system ? system : "");
	struct error *error = tfs_find(arena);
	struct owner owner;
	const char **names;

	*count = 0;
	*ret = NULL;
	if (!error)
		error = tfs_list(arena, NULL, directory, &names);
	for (unsigned i = 0; !error && names[i]; i++) {
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
	struct error *error = tfs_find(arena);
	char *text;

	if (!error)
		error = tfs_read(arena, NULL,
				 arena_printf(arena, "events/%s/%s/format", tracepoint->system,
					      tracepoint->event),
				 &text);
	if (!error)
		tracepoint->format = text;
	return error;
}
