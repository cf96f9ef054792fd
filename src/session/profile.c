// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe_events and kprobe_profile in, probes with their hits out. A profile has event names but
 * no groups; both files list in the same order, so a probe's line is the next one of its name.
 */
#include <stdlib.h>
#include <string.h>

#include "session/internal.h"

#define READ_TRIES 20

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

/* Both texts of one moment: others define and remove probes meanwhile. */
static struct error *read_both(struct arena *arena, const char *tracefs, const struct event_file *file,
			       char **events, char **counts)
{
	const char *path = arena_printf(arena, "%s/%s", tracefs, file->name);
	struct error *error = tracefs_read(arena, path, events);
	char *again = NULL;

	for (int tries = 0; !error && tries < READ_TRIES; tries++) {
		error = tracefs_read(arena, arena_printf(arena, "%s/%s", tracefs, file->profile), counts);
		if (!error)
			error = tracefs_read(arena, path, &again);
		if (error || !strcmp(*events, again))
			break;
		*events = again;
	}
	return error;
}

struct error *profile_read(struct arena *arena, const char *tracefs,
			   const struct event_file *file, struct profile **ret, unsigned *count)
{
	char *events, *counts, *line;
	struct error *error;

	*count = 0;
	*ret = NULL;
	if (!tracefs_exists(arena_printf(arena, "%s/%s", tracefs, file->name)))
		return NULL;
	error = read_both(arena, tracefs, file, &events, &counts);
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

static int profile_compare(const void *left, const void *right)
{
	const struct profile *a = left, *b = right;
	int order = strcmp(a->group, b->group);

	return order ? order : strcmp(a->event, b->event);
}

/* The counts of this session's probes of one file. */
static struct error *take_file(struct session *session, const struct event_file *file,
			       struct probe_hits *hits)
{
	struct profile *profiles;
	struct error *error;
	unsigned count;

	error = profile_read(session->arena, session->tracefs, file, &profiles, &count);
	if (error)
		return error;
	qsort(profiles, count, sizeof(*profiles), profile_compare);
	for (unsigned i = 0; i < session->plan->nprobes; i++) {
		const struct live *live = &session->live[i];
		struct profile key = {.group = session->group, .event = live->event};
		const struct profile *found;

		if (live->file != file || live->skipped)
			continue;
		found = bsearch(&key, profiles, count, sizeof(*profiles), profile_compare);
		if (!found)
			return error_new(session->arena, ERROR_SYSTEM, "the probe '%s/%s' is gone: "
					 "somebody removed it", session->group, live->event);
		hits[i].hits = found->hits - (session->early ? session->early[i].hits : 0);
		hits[i].misses = found->misses;
	}
	return NULL;
}

static bool has_file(const struct session *session, const struct event_file *file)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->live[i].file == file && !session->live[i].skipped)
			return true;
	return false;
}

struct error *session_hits(struct session *session, struct probe_hits **ret)
{
	struct error *error = NULL;

	*ret = arena_array(session->arena, struct probe_hits, session->plan->nprobes + 1);
	for (int i = 0; i < 2 && !error; i++)
		if (has_file(session, &event_files[i]))
			error = take_file(session, &event_files[i], *ret);
	return error;
}
