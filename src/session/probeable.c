// SPDX-License-Identifier: GPL-2.0-only
/* Reads the running kernel's lists of blacklisted and of traceable functions. A list that can't
 * be read is empty. */
#include <string.h>

#include "base/file.h"
#include "session/session.h"
#include "session/tracefs.h"

/* The word behind each line's first `separator` (NULL: the line's first word). Returns an array
 * that ends with NULL. */
static const char *const *names_of(struct arena *arena, char *text, const char *separator)
{
	const char **names = NULL;
	size_t count = 0;
	char *line;

	while ((line = text_line(&text))) {
		char *name = separator ? strpbrk(line, separator) : line;

		if (!name)
			continue;
		name += !!separator;
		name[strcspn(name, " \t\n")] = '\0';
		arena_append(arena, names, count) = name;
	}
	arena_append(arena, names, count) = NULL;
	return names;
}

const char *const *blacklisted_functions(struct arena *arena)
{
	char *text;

	/* "0xffff...-0xffff...\tname" */
	if (file_read(arena, "/sys/kernel/debug/kprobes/blacklist", 1 << 16, &text))
		text = arena_strdup(arena, "");
	return names_of(arena, text, "\t");
}

const char *const *traceable_functions(struct arena *arena)
{
	char *text;

	if (tfs_find(arena) || tfs_read(arena, NULL, "available_filter_functions", &text))
		text = arena_strdup(arena, "");
	return names_of(arena, text, NULL);
}
