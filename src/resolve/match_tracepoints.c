// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the events that SYSTEM:EVENT, either of which may be a glob, means in a list of what
 * exists; or makes an error that says what exists instead. cmd/ passes in what lists them: resolve/
 * reads no tracefs.
 */
#include <string.h>

#include "base/error.h"
#include "base/glob.h"
#include "resolve/resolve.h"

struct search {
	struct arena *arena;
	const struct spec *spec;
	tracepoint_lister list;
	const char **systems;
	unsigned nsystems;
	struct tracepoint *found;
	unsigned count;
};

static void take(struct search *search, const char *system, const char *event)
{
	arena_append(search->arena, search->found, search->count) =
		(struct tracepoint){.system = system, .event = event};
}

/* Finds every event of that name in the systems that match the glob. */
static struct error *find(struct search *search, const char *system_glob, const char *event_glob,
			  bool *has_system)
{
	struct error *error = NULL;

	*has_system = false;
	for (unsigned i = 0; i < search->nsystems && !error; i++) {
		const char **events;
		unsigned count;

		if (!glob_matches(system_glob, search->systems[i]))
			continue;
		*has_system = true;
		error = search->list(search->arena, search->systems[i], &events, &count);
		for (unsigned j = 0; j < count && !error; j++)
			if (glob_matches(event_glob, events[j]))
				take(search, search->systems[i], events[j]);
	}
	return error;
}

/* For "sched_switch" alone, or "sched" alone. */
static struct error *no_system(struct search *search)
{
	const struct spec *spec = search->spec;
	struct arena *arena = search->arena;
	bool has_system;
	struct error *error = find(search, "*", spec->event, &has_system), *result;

	if (error)
		return error;
	result = error_at(error_new(arena, ERROR_SYNTAX,
				    "'%s' has no system in front", spec->event),
			  spec->text, spec->place.span);
	if (search->count)
		return error_hint(arena, result, "did you mean '%s:%s'?", search->found[0].system,
				  spec->event);
	for (unsigned i = 0; i < search->nsystems; i++)
		if (!strcmp(search->systems[i], spec->event))
			return error_hint(arena, result, "all events of that system: '%s:*'",
					  spec->event);
	return error_hint(arena, result,
			  "an event is SYSTEM:EVENT; list all: ktrace probe -n -e '*:*'");
}

static struct error *suggest(struct search *search, struct error *error, const char *name,
			     const char *const *names, unsigned count)
{
	char *near = suggest_names(search->arena, name, names, count);

	return near ? error_hint(search->arena, error, "did you mean: %s", near) : error;
}

static struct error *unknown_system(struct search *search)
{
	const struct spec *spec = search->spec;
	const char *group = spec->group;
	struct error *error = error_at(
		error_new(search->arena, ERROR_NOT_FOUND, is_glob(group) ?
			  "no system of events matches '%s'" : "no system of events '%s'", group),
		spec->text, spec->group_span);

	error = suggest(search, error, group, search->systems, search->nsystems);
	return error_hint(search->arena, error, "a module's events are there once it is loaded; "
			  "list all: ktrace probe -n -e '*:*'");
}

/* The right name in another system is a better suggestion than any other name. */
static struct error *unknown_event(struct search *search)
{
	const struct spec *spec = search->spec;
	struct arena *arena = search->arena;
	struct error *error, *failed;
	const char **events;
	unsigned count;
	bool has_system;

	error = error_at(error_new(arena, ERROR_NOT_FOUND, is_glob(spec->event) ?
				   "no event of '%s' matches '%s'" : "'%s' has no event '%s'",
				   spec->group, spec->event), spec->text, spec->event_span);
	failed = find(search, "*", spec->event, &has_system);
	if (failed)
		return failed;
	if (search->count)
		return error_hint(arena, error, "did you mean '%s:%s'?", search->found[0].system,
				  is_glob(spec->event) ? spec->event : search->found[0].event);
	if (!is_glob(spec->group)) {
		failed = search->list(arena, spec->group, &events, &count);
		if (failed)
			return failed;
		error = suggest(search, error, spec->event, events, count);
	}
	return error_hint(arena, error, "list them: ktrace probe -n -e '%s:*'", spec->group);
}

struct error *resolve_tracepoints(struct arena *arena, const struct spec *spec,
				  tracepoint_lister list, struct tracepoint **ret, unsigned *count)
{
	struct search search = {.arena = arena, .spec = spec, .list = list};
	struct error *error = list(arena, NULL, &search.systems, &search.nsystems);
	bool has_system;

	if (error)
		return error;
	if (!spec->group)
		return no_system(&search);
	error = find(&search, spec->group, spec->event, &has_system);
	if (error)
		return error;
	if (!has_system)
		return unknown_system(&search);
	if (!search.count)
		return unknown_event(&search);
	*ret = search.found;
	*count = search.count;
	return NULL;
}
