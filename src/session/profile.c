// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe_events and kprobe_profile in, probes with their hits out. A profile has event names but
 * no groups; both files list in the same order, so a probe's line is the next one of its name.
 */
#include <stdlib.h>
#include <string.h>

#include "session/internal.h"

/* "p:group/event HEAD ARGS", "r10:group/event ..." */
static bool parse_definition(struct arena *arena, const char *line, struct profile *ret)
{
	const char *name = strchr(line, ':');
	const char *slash = name ? strchr(name, '/') : NULL;

	if (!slash || strcspn(line, " ") < (size_t)(slash - line))
		return false;
	ret->kind = line[0];
	ret->group = arena_strndup(arena, name + 1, (size_t)(slash - name - 1));
	ret->event = arena_strndup(arena, slash + 1, strcspn(slash + 1, " "));
	ret->definition = line;
	return true;
}

/* Cuts the last word off: a uprobe's line begins with a path that may hold blanks. */
static const char *last_word(char *line)
{
	size_t end = strlen(line);

	while (end && line[end - 1] == ' ')
		end--;
	line[end] = '\0';
	while (end && line[end - 1] != ' ')
		end--;
	if (end)
		line[end - 1] = '\0';
	return line + end;
}

/* Takes lines off *text until one is of that event. kprobes: EVENT HITS MISSES; uprobes: PATH
 * EVENT HITS. */
static void take_counts(char **text, bool kprobes, struct profile *profile)
{
	char *line;

	while ((line = text_line(text))) {
		uint64_t misses = kprobes ? strtoull(last_word(line), NULL, 10) : 0;
		uint64_t hits = strtoull(last_word(line), NULL, 10);

		if (strcmp(last_word(line), profile->event))
			continue;
		profile->hits = hits;
		profile->misses = misses;
		return;
	}
}

static unsigned count_lines(const char *text)
{
	unsigned count = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		count++;
	}
	return count;
}

struct error *profile_read(struct arena *arena, const char *tracefs,
			   const struct event_file *file, struct profile **ret, unsigned *count)
{
	const char *path = arena_printf(arena, "%s/%s", tracefs, file->name);
	char *events, *counts, *line;
	struct error *error;
	bool exists;

	*count = 0;
	*ret = NULL;
	error = tracefs_look(arena, path, &exists);
	if (error || !exists)
		return error;
	error = tracefs_read(arena, path, &events);
	if (!error)
		error = tracefs_read(arena, arena_printf(arena, "%s/%s", tracefs, file->profile),
				     &counts);
	if (error)
		return error;
	*ret = arena_array(arena, struct profile, count_lines(events) + 1);
	while ((line = text_line(&events))) {
		struct profile *profile = &(*ret)[*count];

		if (!parse_definition(arena, line, profile))
			continue;
		take_counts(&counts, file == &event_files[0], profile);
		++*count;
	}
	return NULL;
}

struct error *session_profile(struct session *session, unsigned probe, uint64_t *hits,
			      uint64_t *misses)
{
	const struct live *live = &session->live[probe];
	struct profile *profiles;
	struct error *error;
	unsigned count;

	*hits = *misses = 0;
	if (!live->file)
		return NULL; /* a tracepoint misses nothing, and nobody counts its hits */
	error = profile_read(session->arena, session->tracefs, live->file, &profiles, &count);
	if (error)
		return error;
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(profiles[i].group, session->group) ||
		    strcmp(profiles[i].event, live->event))
			continue;
		*hits = profiles[i].hits;
		*misses = profiles[i].misses;
		return NULL;
	}
	return error_new(session->arena, ERROR_SYSTEM, "the probe '%s/%s' is gone: somebody "
			 "removed it", session->group, live->event);
}
