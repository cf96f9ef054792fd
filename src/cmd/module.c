// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refuses MODULE:FUNC where this kernel has no such module: the kernel would accept a probe in it,
 * and wait for the module forever. Often an event was meant.
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/sources.h"
#include "session/session.h"
#include "spec/spec.h"
#include "target/target.h"

static bool has_event(struct arena *arena, const char *system, const char *event)
{
	const char **events;
	unsigned count;

	/* without tracefs the events are unknown */
	if (tracepoint_names(arena, system, &events, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(events[i], event))
			return true;
	return false;
}

/* The system that has an event of that name: `said` if it does, else the first. Returns NULL
 * when none has. */
static const char *system_of(struct arena *arena, const char *said, const char *event)
{
	const char **systems;
	unsigned count;

	if (has_event(arena, said, event))
		return said;
	if (tracepoint_names(arena, NULL, &systems, &count))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (has_event(arena, systems[i], event))
			return systems[i];
	return NULL;
}

struct error *check_module(struct arena *arena, const struct options *options,
			   const struct spec *spec)
{
	const struct place *place = &spec->place;
	enum module_state state = MODULE_THERE;
	struct span span = place->span;
	struct error *error;
	const char *system;

	/* with these options the kernel may be another one */
	if (place->module && !options->vmlinux && !options->module)
		state = target_module_state(arena, place->module);
	if (state == MODULE_THERE)
		return NULL;
	span.end = span.start + (unsigned)strlen(place->module);
	error = error_at(error_new(arena, ERROR_NOT_FOUND,
				   state == MODULE_NONE ? "no module '%s' of this kernel" :
							  "'%s' isn't a module here: it is built "
							  "into the kernel",
				   place->module),
			 spec->text, span);
	system = system_of(arena, place->module, place->function);
	if (system)
		return error_hint(arena, error, "did you mean -e %s:%s?", system, place->function);
	if (state == MODULE_BUILT_IN)
		return error_hint(arena, error, "leave '%s:' out", place->module);
	return error_hint(arena, error,
			  "a function of the kernel: '%s'; a module's file: -m PATH/%s.ko",
			  place->function, place->module);
}
