// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a ktrace that was killed left behind. The name tells the owner, kill(pid, 0) whether it
 * lives; and where a pid lives in another namespace, its open buffers keep rmdir from working:
 * so the instance goes first, by rmdir alone.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/internal.h"

pid_t group_owner(const char *group)
{
	const char *digits = group + strlen(GROUP_PREFIX);
	unsigned long pid;
	char *end;

	if (strncmp(group, GROUP_PREFIX, strlen(GROUP_PREFIX)) || *digits < '1' || *digits > '9')
		return 0;
	pid = strtoul(digits, &end, 10);
	if ((*end && strcmp(end, NAMES_SUFFIX)) || end - digits > 9)
		return 0;
	return (pid_t)pid;
}

static const char *process_file(struct arena *arena, pid_t pid, const char *file)
{
	char *text;

	return tracefs_read(arena, arena_printf(arena, "/proc/%d/%s", (int)pid, file), &text) ?
	       "" : text;
}

/* Killed, but not yet waited for: "123 (ktrace) Z 1 ..." */
static bool is_zombie(const char *stat)
{
	const char *state = strrchr(stat, ')');

	return state && !strncmp(state, ") Z", 3);
}

/* Pids are used again: a process that is called neither ktrace nor what we are is another. */
bool owner_alive(pid_t pid)
{
	struct arena arena;
	const char *comm;
	bool alive;

	if (kill(pid, 0) && errno == ESRCH)
		return false;
	arena_init(&arena);
	comm = process_file(&arena, pid, "comm");
	alive = (!strcmp(comm, "ktrace\n") ||
		 !strcmp(comm, process_file(&arena, getpid(), "comm"))) &&
		!is_zombie(process_file(&arena, pid, "stat"));
	arena_deinit(&arena);
	return alive;
}

struct list {
	struct leftover *items;
	unsigned count;
};

static struct leftover *list_item(struct arena *arena, struct list *list, pid_t pid)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].pid == pid)
			return &list->items[i];
	arena_append(arena, list->items, list->count) = (struct leftover){.pid = pid};
	return &list->items[list->count - 1];
}

static bool is_left(const char *group, pid_t *pid)
{
	*pid = group_owner(group);
	return *pid && *pid != getpid() && !owner_alive(*pid);
}

static struct error *find_instances(struct arena *arena, const char *tracefs, struct list *list)
{
	const char *path = arena_printf(arena, "%s/instances", tracefs);
	DIR *directory = opendir(path);
	struct dirent *entry;
	pid_t pid;

	if (!directory)
		return error_errno(arena, errno, "cannot read '%s'", path);
	while ((entry = readdir(directory)))
		if (is_left(entry->d_name, &pid))
			list_item(arena, list, pid)->has_instance = true;
	closedir(directory);
	return NULL;
}

static struct error *find_events(struct arena *arena, const char *tracefs,
				 const struct event_file *file, struct list *list)
{
	struct profile *profiles;
	unsigned count;
	pid_t pid;
	struct error *error = profile_read(arena, tracefs, file, &profiles, &count);

	for (unsigned i = 0; !error && i < count; i++)
		if (is_left(profiles[i].group, &pid))
			list_item(arena, list, pid)->nevents++;
	return error;
}

static int by_pid(const void *a, const void *b)
{
	const struct leftover *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
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
		qsort(list.items, list.count, sizeof(struct leftover), by_pid);
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

struct error *leftovers_remove(struct arena *arena, const struct leftover *leftover)
{
	const char *group = arena_printf(arena, GROUP_PREFIX "%d", (int)leftover->pid);
	const char *tracefs;
	struct error *error = tracefs_find(arena, &tracefs);

	for (int users = 1; !error && users >= 0; users--)
		error = remove_triggers(arena, arena_printf(arena, "%s/instances/%s/events/%s",
							    tracefs, group, group), users);
	if (!error)
		error = tracefs_remove(arena, arena_printf(arena, "%s/instances/%s" NAMES_SUFFIX,
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
