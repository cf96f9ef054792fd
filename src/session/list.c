// SPDX-License-Identifier: GPL-2.0-only
/* Nothing in, every probe event of this kernel out: whose it is, whether it is on, its hits. */
#include <dirent.h>
#include <string.h>

#include "session/internal.h"

static bool enabled_at(struct arena *arena, const char *directory, const struct profile *profile)
{
	const char *path = arena_printf(arena, "%s/events/%s/%s/enable", directory,
					profile->group, profile->event);
	char *text;

	/* gone since it was listed: not enabled */
	return tracefs_exists(path) && !tracefs_read(arena, path, &text) && text[0] == '1';
}

static bool enabled_anywhere(struct arena *arena, const char *tracefs,
			     const struct profile *profile)
{
	const char *instances = arena_printf(arena, "%s/instances", tracefs);
	bool enabled = enabled_at(arena, tracefs, profile);
	DIR *directory = opendir(instances);
	struct dirent *entry;

	while (directory && !enabled && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			enabled = enabled_at(arena,
					     arena_printf(arena, "%s/%s", instances,
							  entry->d_name), profile);
	if (directory)
		closedir(directory);
	return enabled;
}

/* before: the one listed before it, mostly of the same owner; or NULL. */
static void find_owner(struct arena *arena, const char *tracefs, const struct live_probe *before,
		       struct live_probe *ret)
{
	if (before && !strcmp(before->group, ret->group)) {
		ret->owner = before->owner;
		ret->owner_alive = before->owner_alive;
		ret->owner_is_here = before->owner_is_here;
		return;
	}
	ret->owner_alive = owner_parse(ret->group, &ret->owner) && owner_alive(arena, tracefs, &ret->owner);
	ret->owner_is_here = ret->owner_alive && owner_is_here(arena, &ret->owner);
}

static void live_probe(struct arena *arena, const char *tracefs, const struct profile *profile,
		       struct live_probe *ret)
{
	*ret = (struct live_probe){
		.group = profile->group,
		.event = profile->event,
		.definition = profile->definition,
		.enabled = enabled_anywhere(arena, tracefs, profile),
		.hits = profile->hits,
		.misses = profile->misses,
	};
}

static void add_probe(struct arena *arena, const char *tracefs, const struct profile *profile,
		      struct live_probe *list, unsigned at)
{
	live_probe(arena, tracefs, profile, &list[at]);
	find_owner(arena, tracefs, at ? &list[at - 1] : NULL, &list[at]);
}

struct error *live_probes(struct arena *arena, struct live_probe **ret, unsigned *count)
{
	struct profile *profiles[2];
	unsigned counts[2];
	const char *tracefs;
	struct error *error = tracefs_find(arena, &tracefs);

	for (int i = 0; !error && i < 2; i++)
		error = profile_read(arena, tracefs, &event_files[i], &profiles[i], &counts[i]);
	if (error)
		return error;
	*ret = arena_array(arena, struct live_probe, counts[0] + counts[1]);
	*count = 0;
	for (int i = 0; i < 2; i++)
		for (unsigned j = 0; j < counts[i]; j++)
			add_probe(arena, tracefs, &profiles[i][j], *ret, (*count)++);
	return NULL;
}
