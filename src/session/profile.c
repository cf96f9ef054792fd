// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads probes with their hit counts from kprobe_events and kprobe_profile. A profile has event
 * names but no groups; both files list in the same order, so a probe's line is at the same place in
 * both. The kernel gives them a page at a time, and if a probe is removed meanwhile, any line may
 * be left out: so only lists that didn't change while they were read count.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session/internal.h"

#define READ_TRIES 1000 /* 10 ms apart */

/* "p:group/event HEAD ARGS", "r10:group/event ..." */
static bool parse_definition(struct arena *arena, const char *line, struct profile *ret)
{
	const char *name = strchr(line, ':');
	const char *slash = name ? strchr(name, '/') : NULL, *place;

	if (!slash || strcspn(line, " ") < (size_t)(slash - line))
		return false;
	ret->kind = line[0];
	ret->group = arena_strndup(arena, name + 1, (size_t)(slash - name - 1));
	ret->event = arena_strndup(arena, slash + 1, strcspn(slash + 1, " "));
	ret->definition = line;
	place = strstr(slash, " " PLACE_FIELD "=\\");
	ret->place = place ? (unsigned)strtoul(place + strlen(" " PLACE_FIELD "=\\"), NULL, 0) : 0;
	return true;
}

/* Cuts the last word off and returns it: a uprobe's line begins with a path that may hold
 * blanks. */
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

/* Takes a line off *text. kprobes: EVENT HITS MISSES; uprobes: PATH EVENT HITS. Returns false
 * when the line is another event's. */
static bool take_counts(char **text, bool kprobes, struct profile *profile)
{
	char *line = text_line(text);

	if (!line)
		return false;
	profile->misses = kprobes ? strtoull(last_word(line), NULL, 10) : 0;
	profile->hits = strtoull(last_word(line), NULL, 10);
	return !strcmp(last_word(line), profile->event);
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

/* Pairs definitions with counts. Returns false when the two were read at different moments. */
static bool pair(struct arena *arena, const struct event_file *file, char *events, char *counts,
		 struct profile **ret, unsigned *count)
{
	char *line;

	*count = 0;
	*ret = arena_array(arena, struct profile, count_lines(events) + 1);
	while ((line = text_line(&events))) {
		struct profile *profile = &(*ret)[*count];

		if (!parse_definition(arena, line, profile) ||
		    !take_counts(&counts, file == &event_files[0], profile))
			return false;
		++*count;
	}
	return !text_line(&counts);
}

/* Reads both files once. *is_same: nothing was defined or removed meanwhile. It compares two
 * readings: each definition's text is unique and a new one comes last, so a reading that lacks a
 * line (others were removed while it was read) can't be equal to a second one. */
static struct error *read_once(struct arena *arena, const struct event_file *file, char **events,
			       char **counts, bool *is_same)
{
	char *again;
	struct error *error = tfs_read(arena, NULL, file->name, events);

	if (!error)
		error = tfs_read(arena, NULL, file->profile, counts);
	if (!error)
		error = tfs_read(arena, NULL, file->name, &again);
	*is_same = !error && !strcmp(*events, again);
	return error;
}

struct error *profile_read(struct arena *arena, const struct event_file *file, struct profile **ret,
			   unsigned *count)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	struct error *error;
	bool exists;

	*count = 0;
	*ret = NULL;
	error = tfs_look(arena, NULL, file->name, &exists);
	if (error || !exists)
		return error;
	for (int tries = 0; !error && tries < READ_TRIES; tries++) {
		char *events, *counts;
		bool is_same;

		error = read_once(arena, file, &events, &counts, &is_same);
		if (!error && is_same && pair(arena, file, events, counts, ret, count))
			return NULL;
		nanosleep(&pause, NULL);
	}
	*count = 0;
	return error ? error :
		       error_new(arena, ERROR_SYSTEM,
				 "others define and remove probes so fast that '%s' can't be read",
				 file->name);
}

static int profile_compare(const void *left, const void *right)
{
	const struct profile *a = left, *b = right;
	int order = strcmp(a->group, b->group);

	if (!order)
		order = strcmp(a->event, b->event);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* The counts of this session's probes of one file. */
static struct error *take_file(struct session *session, const struct event_file *file,
			       struct probe_hits *hits)
{
	struct profile *profiles;
	struct error *error;
	unsigned count;

	error = profile_read(session->arena, file, &profiles, &count);
	if (error)
		return error;
	qsort(profiles, count, sizeof(*profiles), profile_compare);
	for (unsigned i = 0; i < session->plan->nprobes; i++) {
		const struct definition *definition = &session->definitions[i];
		unsigned host = session->plan->probes[i].host ?: i + 1;
		struct profile key = {
			.group = session->group,
			.event = definition->event,
			.place = definition->joint ? host : 0,
		};
		const struct profile *found;

		if (definition->file != file || definition->skipped)
			continue;
		found = bsearch(&key, profiles, count, sizeof(*profiles), profile_compare);
		if (!found)
			return error_new(session->arena, ERROR_SYSTEM,
					 "the probe '%s/%s' is gone: another program removed it",
					 session->group, definition->event);
		hits[i].hits = found->hits - (session->early ? session->early[i].hits : 0);
		hits[i].misses = found->misses;
	}
	return NULL;
}

static bool has_file(const struct session *session, const struct event_file *file)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->definitions[i].file == file && !session->definitions[i].skipped)
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
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		program_skipped(session, i, &(*ret)[i]);
	return error;
}
