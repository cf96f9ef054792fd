// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a function's name readable, also a symbol that C++ or Rust made: the last scope and the
 * name, "vector::push_back", without arguments.
 */
#include <string.h>

#include "base/demangle.h"
#include "plan/names.h"

/* Whether a '<' or '(' at `at` belongs to an operator's name. */
static bool is_operator(const char *name, const char *at)
{
	return at - name >= 8 && !strncmp(at - 8, "operator", 8);
}

static char *short_name(struct arena *arena, const char *name)
{
	char *plain = arena_strdup(arena, name), *to = plain;
	const char *scopes[2] = {plain, plain};
	unsigned depth = 0;

	for (const char *at = name; *at; at++) {
		if (strchr("<({", *at) && !is_operator(name, at)) {
			depth++;
		} else if (strchr(">)}", *at) && depth) {
			depth--;
		} else if (!depth) {
			*to++ = *at;
			if (*at == ':' && at[1] != ':' && to - plain > 2) {
				scopes[0] = scopes[1];
				scopes[1] = to;
			}
		}
	}
	*to = '\0';
	return to > plain ? (char *)scopes[0] + strspn(scopes[0], ":") : arena_strdup(arena, name);
}

const char *readable_name(struct arena *arena, const char *name)
{
	const char *names = demangled_names(arena, name);

	if (!names && !strstr(name, "::") && !strchr(name, '<'))
		return name;
	return short_name(arena, names ? names : name);
}
