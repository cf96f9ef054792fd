// SPDX-License-Identifier: GPL-2.0-only
/* Lists every probe event of this kernel: its owner, whether it is enabled, its hits. */
#include <string.h>

#include "session/internal.h"

static bool enabled_at(struct arena *arena, const char *instance, const struct profile *profile)
{
	const char *file = arena_printf(arena, "%sevents/%s/%s/enable", instance, profile->group,
					profile->event);
	char *text;

	/* gone since it was listed: not enabled */
	return !tfs_read(arena, NULL, file, &text) && text[0] == '1';
}

static bool enabled_anywhere(struct arena *arena, const struct profile *profile)
{
	bool enabled = enabled_at(arena, "", profile);
	const char **instances;

	if (enabled || tfs_list(arena, NULL, "instances", &instances))
		return enabled;
	for (; *instances && !enabled; instances++)
		enabled = enabled_at(arena, arena_printf(arena, "instances/%s/", *instances),
				     profile);
	return enabled;
}

/* before: the one listed before it, usually of the same owner; or NULL. */
static void find_owner(struct arena *arena, const struct live_probe *before, struct live_probe *ret)
{
	if (before && !strcmp(before->group, ret->group)) {
		ret->owner = before->owner;
		ret->owner_alive = before->owner_alive;
		ret->owner_is_here = before->owner_is_here;
		return;
	}
	ret->owner_alive = owner_parse(ret->group, &ret->owner) && owner_alive(&ret->owner);
	ret->owner_is_here = ret->owner_alive && owner_is_here(arena, &ret->owner);
}

static void live_probe(struct arena *arena, const struct profile *profile, struct live_probe *ret)
{
	*ret = (struct live_probe){
		.group = profile->group,
		.event = profile->event,
		.definition = profile->definition,
		.enabled = enabled_anywhere(arena, profile),
		.hits = profile->hits,
		.misses = profile->misses,
	};
}

static void add_probe(struct arena *arena, const struct profile *profile, struct live_probe *list,
		      unsigned at)
{
	live_probe(arena, profile, &list[at]);
	find_owner(arena, at ? &list[at - 1] : NULL, &list[at]);
}

static struct error *read_all(struct arena *arena, struct profile **ret, unsigned *counts)
{
	struct error *error = NULL;

	for (int i = 0; !error && i < 2; i++)
		error = profile_read(arena, &event_files[i], &ret[i], &counts[i]);
	return error;
}

static bool is_dead(const struct live_probe *probe)
{
	return probe->owner.pid && !probe->owner_alive;
}

static bool is_there(struct profile *const *profiles, const unsigned *counts,
		     const struct live_probe *probe)
{
	for (int i = 0; i < 2; i++)
		for (unsigned j = 0; j < counts[i]; j++)
			if (!strcmp(profiles[i][j].group, probe->group) &&
			    !strcmp(profiles[i][j].event, probe->event))
				return true;
	return false;
}

/* A ktrace may end between the listing of its probes and the question whether it is alive: those
 * of the dead are listed again. */
static struct error *drop_ended(struct arena *arena, struct live_probe *list, unsigned *count)
{
	struct profile *profiles[2];
	unsigned counts[2], kept = 0, dead = 0;
	struct error *error;

	for (unsigned i = 0; i < *count; i++)
		dead += is_dead(&list[i]);
	error = dead ? read_all(arena, profiles, counts) : NULL;
	if (error || !dead)
		return error;
	for (unsigned i = 0; i < *count; i++)
		if (!is_dead(&list[i]) || is_there(profiles, counts, &list[i]))
			list[kept++] = list[i];
	*count = kept;
	return NULL;
}

struct error *live_probes(struct arena *arena, struct live_probe **ret, unsigned *count)
{
	struct profile *profiles[2];
	unsigned counts[2];
	struct error *error = tfs_find(arena);

	if (!error)
		error = read_all(arena, profiles, counts);
	if (error)
		return error;
	*ret = arena_array(arena, struct live_probe, counts[0] + counts[1]);
	*count = 0;
	for (int i = 0; i < 2; i++)
		for (unsigned j = 0; j < counts[i]; j++)
			add_probe(arena, &profiles[i][j], *ret, (*count)++);
	return drop_ended(arena, *ret, count);
}
