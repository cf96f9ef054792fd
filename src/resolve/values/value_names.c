// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names each value of a spec: by the user's NAME=, or by the last word of its expression. If two
 * would be the same, the later one gets a longer name, or is refused if the user wrote the name.
 */
#include "resolve/values/values.h"

/* "di" for %di, "jiffies" for @jiffies+8, "arg3" for text without a name in it. */
static const char *raw_name(struct arena *arena, const struct want *want, unsigned index)
{
	const char *start = want->base + 1;
	size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
			       "0123456789");

	if (strchr("%$@", want->base[0]) && length && (start[0] < '0' || start[0] > '9'))
		return arena_strndup(arena, start, length);
	return arena_printf(arena, "arg%u", index + 1);
}

/* "a->b[2].c" as a_b_2_c. */
static const char *path_name(struct arena *arena, const struct want *want)
{
	char *name = arena_strdup(arena, want->base + (want->base[0] == '$'));

	for (unsigned i = 0; i < want->nsteps; i++) {
		const struct step *step = &want->steps[i];

		if (step->kind <= STEP_DOT)
			name = arena_printf(arena, "%s_%s", name, step->name);
		else if (!step_is_prefix(step->kind))
			name = arena_printf(arena, "%s_%lld", name, (long long)step->index);
	}
	return name;
}

static bool is_taken(const char *const *names, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool is_asked(const struct spec *spec, const char *name)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].name && !strcmp(spec->wants[i].name, name))
			return true;
	return false;
}

struct error *name_wants(struct resolver *resolver, const struct spec *spec, const char ***ret)
{
	struct arena *arena = resolver->arena;
	const char **names = arena_array(arena, const char *, spec->nwants + 1);

	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *want = &spec->wants[i];
		const char *name = want->name ? want->name : want->kind == WANT_RAW ?
				   raw_name(arena, want, i) : want_last_name(want);

		if (is_taken(names, i, name) || (want->is_expanded && is_asked(spec, name))) {
			if (!want->is_expanded &&
			    (want->name || (want->kind == WANT_VARIABLE && !want->nsteps)))
				return error_hint(
					arena,
					error_at(error_new(arena, ERROR_SYNTAX,
							   "the name '%s' is used twice", name),
						 spec->text, want->span),
					"give it another name: %s_2=%.*s", name,
					(int)(want->span.end - want->base_span.start),
					spec->text + want->base_span.start);
			name = want->kind == WANT_RAW ? arena_printf(arena, "arg%u", i + 1)
						      : path_name(arena, want);
		}
		for (unsigned n = 2; is_taken(names, i, name) ||
		     (want->is_expanded && is_asked(spec, name)); n++)
			name = arena_printf(arena, "%s_%u", want_last_name(want), n);
		names[i] = name;
	}
	*ret = names;
	return NULL;
}
