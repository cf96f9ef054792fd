// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a ktrace that was killed left behind: groups and instances whose owner is dead. While they are
 * removed their lock is held, or a new ktrace could take their name meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/internal.h"

struct list {
	struct leftover *items;
	unsigned count;
};

/* NULL: it is no ktrace's, or its owner lives. */
static struct leftover *left_item(struct arena *arena, const char *tracefs, struct list *list,
				  const char *group)
{
	struct owner owner;

	if (!owner_parse(group, &owner))
		return NULL;
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].owner.pid == owner.pid && list->items[i].owner.number == owner.number)
			return &list->items[i];
	if (owner_alive(arena, tracefs, &owner))
		return NULL;
	arena_append(arena, list->items, list->count) = (struct leftover){.owner = owner};
	return &list->items[list->count - 1];
}

static struct error *find_instances(struct arena *arena, const char *tracefs, struct list *list)
{
	const char *path = arena_printf(arena, "%s/instances", tracefs);
	DIR *directory = opendir(path);
	struct leftover *left;
	struct dirent *entry;

	if (!directory)
		return error_errno(arena, errno, "cannot read '%s'", path);
	while ((entry = readdir(directory)))
		if ((left = left_item(arena, tracefs, list, entry->d_name)))
			left->has_instance = true;
	closedir(directory);
	return NULL;
}

static struct error *find_events(struct arena *arena, const char *tracefs,
				 const struct event_file *file, struct list *list)
{
	struct profile *profiles;
	struct leftover *left;
	unsigned count;
	struct error *error = profile_read(arena, tracefs, file, &profiles, &count);

	for (unsigned i = 0; !error && i < count; i++)
		if ((left = left_item(arena, tracefs, list, profiles[i].group)))
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

struct error *leftovers_find(struct arena *arena, struct leftover **ret, unsigned *count)
{
	struct list list = {0};
	const char *tracefs;
	struct error *error = tracefs_find(arena, &tracefs);

	if (!error)
		error = find_instances(arena, tracefs, &list);
	for (int i = 0; !error && i < 2; i++)
		error = find_events(arena, tracefs, &event_files[i], &list);
	if (error)
		return error;
	if (list.count)
		qsort(list.items, list.count, sizeof(struct leftover), by_owner);
	*ret = list.items;
	*count = list.count;
	return NULL;
}

/* A histogram whose variables another one uses can't go before that one, and the instance not
 * before either: those that use one first. */
static struct error *remove_triggers(struct arena *arena, const char *events, bool users)
{
	DIR *directory = opendir(events);
	struct error *first = NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		const char *path = arena_printf(arena, "%s/%s/trigger", events, entry->d_name);
		char *text, *line;

		if (entry->d_name[0] == '.' || !tracefs_exists(path) ||
		    tracefs_read(arena, path, &text))
			continue;
		while ((line = text_line(&text))) {
			struct error *error = NULL;

			line[strcspn(line, "[")] = '\0'; /* " [active]" */
			if (line[0] != '#' && (strstr(line, "onmatch(") != NULL) == users)
				error = tracefs_set(arena, path, arena_printf(arena, "!%s", line));
			first = first ? first : error;
		}
	}
	if (directory)
		closedir(directory);
	return first;
}

/* Event probes and synthetic events, newest first: the former stand on the latter. */
static struct error *remove_dynamic(struct arena *arena, const char *tracefs, const char *group)
{
	const char *path = arena_printf(arena, "%s/%s", tracefs, dynamic_file.name);
	const char *probes = arena_printf(arena, "e:%s/", group);
	const char *synthetic = arena_printf(arena, "s:synthetic/%s_", group);
	struct error *first = NULL;
	char *text, *line;

	for (int pass = 0; pass < 2 && tracefs_exists(path); pass++) {
		const char *wanted = pass ? synthetic : probes;
		struct error *error = tracefs_read(arena, path, &text);

		if (error)
			return error;
		while ((line = text_line(&text))) {
			if (strncmp(line, wanted, strlen(wanted)))
				continue;
			error = tracefs_set(arena, path,
					    arena_printf(arena, "-%.*s\n",
							 (int)strcspn(line + 1, " \t"), line + 1));
			first = first ? first : error;
		}
	}
	return first;
}

static struct error *remove_events(struct arena *arena, const char *tracefs,
				   const struct event_file *file, const char *group)
{
	const char *path = arena_printf(arena, "%s/%s", tracefs, file->name);
	struct profile *profiles;
	unsigned count;
	struct error *first = profile_read(arena, tracefs, file, &profiles, &count);

	for (unsigned i = 0; i < count; i++) {
		struct error *error = NULL;

		if (!strcmp(profiles[i].group, group))
			error = tracefs_set(arena, path,
					    arena_printf(arena, "-:%s/%s\n", group,
							 profiles[i].event));
		if (!first)
			first = error;
	}
	return first;
}

struct error *group_remove(struct arena *arena, const char *tracefs, const char *group)
{
	struct error *error = NULL;

	for (int users = 1; !error && users >= 0; users--)
		error = remove_triggers(arena, arena_printf(arena, "%s/instances/%s/events/%s",
							    tracefs, group, group), users);
	if (!error)
		error = tracefs_remove(arena, arena_printf(arena, "%s/instances/%s" COMMS_SUFFIX,
							     tracefs, group));
	if (!error)
		error = tracefs_remove(arena, arena_printf(arena, "%s/instances/%s", tracefs,
							     group));
	if (!error)
		error = remove_dynamic(arena, tracefs, group);
	for (int i = 0; !error && i < 2; i++)
		error = remove_events(arena, tracefs, &event_files[i], group);
	return error;
}

struct error *leftovers_remove(struct arena *arena, const struct leftover *leftover, bool *is_alive)
{
	const char *tracefs;
	int lock = -1;
	struct error *error = tracefs_find(arena, &tracefs);

	if (!error)
		error = owner_hold(arena, tracefs, &leftover->owner, &lock);
	*is_alive = !error && lock < 0;
	if (lock < 0)
		return error;
	error = group_remove(arena, tracefs, owner_group(arena, &leftover->owner));
	close(lock);
	return error;
}
