// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a filter uses a value that the spec doesn't have, though its place does, finds the spec
 * that has it: by planning it, so that what is proposed works.
 */
#include <string.h>

#include "base/error.h"
#include "cmd/add_value.h"

#define VALUES_MAX 8 /* that are added */

/* $retval and the like are named in a filter without the `$`. */
static const char *asked_for(struct arena *arena, const char *name)
{
	static const char *const special[] = {"retval", "duration", "line", "function"};

	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (!strcmp(name, special[i]))
			return arena_printf(arena, "$%s", name);
	return name;
}

/* The places of a spec to add a value at: a pair has two. */
static struct error *try_places(struct arena *arena, const struct adding *adding, const char *name,
				const char **text, struct spec **ret)
{
	struct spec *spec = *ret, *more;
	struct error *first = NULL;

	for (unsigned i = 0; i < (spec->pairing ? 2 : 1); i++) {
		const struct spec *half = i ? spec->pairing->start : spec;
		unsigned end = half->place.span.end;
		const char *longer = arena_printf(arena, "%.*s %s%s", (int)end, *text,
						  asked_for(arena, name), *text + end);
		struct error *error = adding->parse(arena, longer, &more);

		if (!error)
			error = adding->plan(adding->cookie, more);
		if (!error || (error->lacks && strcmp(error->lacks, name))) {
			*text = longer;
			*ret = more;
			return error;
		}
		first = first ?: error;
	}
	return first;
}

struct error *add_value(struct arena *arena, const struct adding *adding, struct spec *spec,
			struct error *error)
{
	const char *text = spec->text, *name = error->lacks;
	struct error *why = error;

	for (unsigned i = 0; i < VALUES_MAX && why; i++) {
		why = try_places(arena, adding, name, &text, &spec);
		if (why && (!why->lacks || !strcmp(why->lacks, name)))
			break;
		name = why ? why->lacks : NULL;
	}
	if (!why) {
		error->hint = arena_strdup(arena, "a filter tests what the spec names; add it");
		error->operand = text;
		error->replaces = adding->text;
	} else if (why->code != ERROR_NOT_FOUND && !why->lacks) {
		error->hint = arena_printf(
			arena, "a filter tests what the spec names, and there: %s", why->message);
	}
	return error;
}
