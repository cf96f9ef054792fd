// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds and removes what a killed ktrace left behind: groups and instances whose owner is dead.
 * Their lock is held during removal, or a new ktrace could take the name meanwhile.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/internal.h"

#include <tracefs.h>

struct list {
	struct leftover *items;
	unsigned count;
};

/* Returns NULL when the group isn't a ktrace's, or its owner is alive. */
static struct leftover *left_item(struct arena *arena, struct list *list, const char *group)
{
	struct owner owner;

	if (!owner_parse(group, &owner))
		return NULL;
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].owner.pid == owner.pid &&
		    list->items[i].owner.number == owner.number)
			return &list->items[i];
	if (owner_alive(&owner))
		return NULL;
	arena_append(arena, list->items, list->count) = (struct leftover){.owner = owner};
	return &list->items[list->count - 1];
}

static struct error *find_instances(struct arena *arena, struct list *list)
{
	const char **names;
	struct error *error = tfs_list(arena, NULL, "instances", &names);
	struct leftover *left;

	for (; !error && *names; names++)
		if ((left = left_item(arena, list, *names)))
			left->has_instance = true;
	return error;
}

static struct error *find_events(struct arena *arena, const struct event_file *file,
				 struct list *list)
{
	struct profile *profiles;
	struct leftover *left;
	unsigned count;
	struct error *error = profile_read(arena, file, &profiles, &count);

	for (unsigned i = 0; !error && i < count; i++)
		if ((left = left_item(arena, list, profiles[i].group)))
			left->nevents++;
	return error;
}

static int by_owner(const void *a, const void *b)
{
	const struct owner *x = &((const struct leftover *)a)->owner;
	const struct owner *y = &((const struct leftover *)b)->owner;

	return x->pid != y->pid ? (x->pid > y->pid) - (x->pid < y->pid) :
	       (x->number > y->number) - (x->number < y->number);
}

static struct error *find_all(struct arena *arena, struct list *list)
{
	struct error *error = find_instances(arena, list);

	for (int i = 0; !error && i < 2; i++)
		error = find_events(arena, &event_files[i], list);
	if (list->count)
		qsort(list->items, list->count, sizeof(struct leftover), by_owner);
	return error;
}

/* A ktrace may end between the listing of what it has and the question whether it is alive: what
 * the dead have is listed again. */
struct error *leftovers_find(struct arena *arena, struct leftover **ret, unsigned *count)
{
	struct list dead = {0}, list = {0};
	struct error *error = tfs_find(arena);

	if (!error)
		error = find_all(arena, &dead);
	if (!error && dead.count)
		error = find_all(arena, &list);
	if (error)
		return error;
	*ret = list.items;
	*count = 0;
	for (unsigned i = 0; i < list.count; i++)
		if (bsearch(&list.items[i], dead.items, dead.count, sizeof(struct leftover),
			    by_owner))
			list.items[(*count)++] = list.items[i];
	return NULL;
}

/* Whether the text of a trigger file has triggers of that kind. */
static bool has_triggers(const char *text, bool users)
{
	const char *first = text + strspn(text, "\n");

	return *first && *first != '#' && (strstr(text, "onmatch(") != NULL) == users;
}

/* A histogram whose variables another one uses can't be removed before that one, and the
 * instance can't be removed before either. users: remove those that use variables (called
 * first), else the others. The whole file is emptied, since a trigger can't be removed by its own
 * text everywhere: Linux 7.2 shows the key common_cpu as common_cpucommon_cpu. */
static struct error *remove_triggers(struct arena *arena, struct tracefs_instance *instance,
				     const char *group, bool users)
{
	const char *directory = arena_printf(arena, "events/%s", group);
	struct error *first = NULL;
	const char **events;
	char *text;

	if (tfs_list(arena, instance, directory, &events))
		return NULL; /* it has no events */
	for (; *events; events++) {
		const char *file = arena_printf(arena, "%s/%s/trigger", directory, *events);
		struct error *error = NULL;

		if (!tfs_read(arena, instance, file, &text) && has_triggers(text, users))
			error = tfs_clear(arena, instance, file);
		first = first ? first : error;
	}
	return first;
}

/* Removes the event probes, then the synthetic events that they are attached to. */
static struct error *remove_dynamic(struct arena *arena, const char *group)
{
	const char *probes = arena_printf(arena, "e:%s/", group);
	const char *synthetic = arena_printf(arena, "s:synthetic/%s_", group);
	char *text, *line;
	bool exists;
	struct error *error, *first = tfs_look(arena, NULL, dynamic_file.name, &exists);

	for (int pass = 0; pass < 2 && exists; pass++) {
		const char *wanted = pass ? synthetic : probes;

		error = tfs_read(arena, NULL, dynamic_file.name, &text);
		if (error)
			return error;
		while ((line = text_line(&text))) {
			if (strncmp(line, wanted, strlen(wanted)))
				continue;
			error = tfs_set(arena, NULL, dynamic_file.name,
					arena_printf(arena, "-%.*s\n",
						     (int)strcspn(line + 1, " \t"), line + 1));
			first = first ? first : error;
		}
	}
	return first;
}

/* Whether an earlier one belongs to the same event, which is removed with all its probes. */
static bool is_again(const struct profile *profiles, unsigned at)
{
	for (unsigned i = 0; profiles[at].place && i < at; i++)
		if (!strcmp(profiles[i].event, profiles[at].event) &&
		    !strcmp(profiles[i].group, profiles[at].group))
			return true;
	return false;
}

static struct error *remove_events(struct arena *arena, const struct event_file *file,
				   const char *group)
{
	struct profile *profiles;
	unsigned count;
	struct error *first = profile_read(arena, file, &profiles, &count);

	for (unsigned i = 0; i < count; i++) {
		struct error *error = NULL;

		if (!strcmp(profiles[i].group, group) && !is_again(profiles, i))
			error = tfs_set(arena, NULL, file->name,
					arena_printf(arena, "-:%s/%s\n", group, profiles[i].event));
		if (!first)
			first = error;
	}
	return first;
}

static struct error *remove_instance(struct arena *arena, const char *name, const char *group)
{
	struct tracefs_instance *instance;
	struct error *error = tfs_instance(arena, name, &instance);

	if (error || !instance)
		return error;
	for (int users = 1; !error && users >= 0; users--)
		error = remove_triggers(arena, instance, group, users);
	if (!error)
		error = tfs_destroy(arena, instance);
	tracefs_instance_free(instance);
	return error;
}

struct error *group_remove(struct arena *arena, const char *group)
{
	struct error *error =
		remove_instance(arena, arena_printf(arena, "%s" COMMS_SUFFIX, group), group);

	if (!error)
		error = remove_instance(arena, group, group);
	if (!error)
		error = remove_dynamic(arena, group);
	for (int i = 0; !error && i < 2; i++)
		error = remove_events(arena, &event_files[i], group);
	return error;
}

struct error *leftovers_remove(struct arena *arena, const struct leftover *leftover, bool *is_alive)
{
	int lock = -1;
	struct error *error = tfs_find(arena);

	if (!error)
		error = owner_hold(arena, &leftover->owner, &lock);
	*is_alive = !error && lock < 0;
	if (lock < 0)
		return error;
	error = group_remove(arena, owner_group(arena, &leftover->owner));
	close(lock);
	return error;
}
