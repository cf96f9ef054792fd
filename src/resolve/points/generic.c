// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds all instances of a template or generic function by its name without arguments: `max` is
 * max<int> and max<char>, `Point::show` is Point<i64>::show<i64>.
 */
#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"

static bool is_operator(const char *name, const char *end)
{
	static const char word[] = "operator";
	size_t length = strlen(word);

	return (size_t)(end - name) >= length && !memcmp(end - length, word, length);
}

/* Removes what stands in <..>; operator<, operator<< and operator-> keep theirs. */
static char *strip_arguments(struct arena *arena, const char *name)
{
	char *text = arena_alloc(arena, strlen(name) + 1), *out = text;
	unsigned depth = 0;

	for (const char *p = name; *p; p++) {
		bool is_plain = !depth && is_operator(name, p);

		if (*p == '<' && !is_plain)
			depth++;
		else if (*p == '>' && depth)
			depth--;
		else if (!depth)
			*out++ = *p;
	}
	*out = '\0';
	return text;
}

/* Whether tail is the whole name, or its last components. */
static bool is_tail(const char *name, const char *tail)
{
	size_t length = strlen(name), end = strlen(tail);

	if (end > length || strcmp(name + length - end, tail))
		return false;
	return end == length || (length - end >= 2 && !memcmp(name + length - end - 2, "::", 2));
}

/* A glob that lets arguments follow each component, and scopes precede the name. */
static const char *any_arguments(struct arena *arena, const char *name)
{
	const char *scope = strstr(name, "::");
	char *glob = arena_strdup(arena, scope ? "*" : "");

	for (; scope; name = scope + 2, scope = strstr(name, "::"))
		glob = arena_printf(arena, "%s%.*s*::", glob, (int)(scope - name), name);
	return arena_printf(arena, "%s%s*", glob, name);
}

struct error *generic_instances(struct resolver *resolver, const char *name, struct instance ***ret,
				unsigned *count)
{
	struct error *error;
	unsigned kept = 0;

	*count = 0;
	if (is_glob(name) || strchr(name, '<'))
		return NULL;
	error = debuginfo_instances(resolver->info, any_arguments(resolver->arena, name), ret,
				    count);
	for (unsigned i = 0; !error && i < *count; i++) {
		const struct function *function = (*ret)[i]->function;

		if (strchr(function->name, '<') &&
		    (is_tail(strip_arguments(resolver->arena, function->name), name) ||
		     (function->brief &&
		      is_tail(strip_arguments(resolver->arena, function->brief), name))))
			(*ret)[kept++] = (*ret)[i];
	}
	*count = kept;
	return error;
}
