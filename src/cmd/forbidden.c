// SPDX-License-Identifier: GPL-2.0-only
/*
 * Marks, for `ktrace funcs`, the functions that the running kernel refuses to probe. Where the
 * kernel doesn't tell, nothing is marked.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/funcs.h"
#include "session/session.h"

static int entry_compare(const void *name, const void *entry)
{
	return strcmp(name, ((const struct entry *)entry)->function.name);
}

static struct entry *find(struct table *table, const char *name)
{
	return bsearch(name, table->entries, table->count, sizeof(*table->entries), entry_compare);
}

void mark_running(struct arena *arena, struct table *table)
{
	const char *const *blacklisted = blacklisted_functions(arena);
	const char *const *traceable = traceable_functions(arena);
	struct entry *entry;

	for (; *blacklisted; blacklisted++)
		if ((entry = find(table, *blacklisted)))
			entry->is_blacklisted = true;
	table->has_traceable = !!*traceable;
	for (; *traceable; traceable++)
		if ((entry = find(table, *traceable)))
			entry->is_traceable = true;
}
