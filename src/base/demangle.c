// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the names in a symbol that C++ or Rust made.
 *
 * The surprise: this isn't a full demangler. Arguments, also those of templates, are left out, and
 * what isn't understood ends the name.
 */
#include "base/demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns what follows "10basic_string", which may be cut off; *name is NULL then. */
static const char *identifier(const char *at, const char **name, size_t *length)
{
	char *start;

	*length = strtoul(at, &start, 10);
	*name = *length && strnlen(start, *length) == *length ? start : NULL;
	return *name ? start + *length : at + strlen(at);
}

/* Returns what follows "I...E", the arguments of a template: names in it are skipped, whatever
 * their letters. */
static const char *skip_arguments(const char *at)
{
	unsigned depth = 0;
	const char *name;
	size_t length;

	do {
		if (isdigit((unsigned char)*at)) {
			at = identifier(at, &name, &length);
			continue;
		}
		if (*at == 'S' || *at == 'T') { /* St, S_, S0_, T_, T1_ */
			at += 1 + (at[1] && strchr("tabsiod", at[1]) ? 0 :
				   strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
		} else if (*at == 'L') { /* Lj3E: a number, not the length of a name */
			at += strcspn(at, "E");
		} else if (strchr("INXJF", *at)) {
			depth++;
		} else if (*at == 'E') {
			depth--;
		}
		at += *at != '\0';
	} while (*at && depth);
	return at;
}

char *demangled_names(struct arena *arena, const char *symbol)
{
	const char *at = symbol + 2, *name = NULL;
	char *names = NULL;
	size_t length = 0;

	if (strncmp(symbol, "_Z", 2))
		return NULL;
	at += *at == 'N';
	at += strspn(at, "KVrL");
	while (*at) {
		const char *word = name; /* a constructor has its class's name */
		bool is_destructor = *at == 'D';
		size_t size = length;

		if (*at == 'S' && at[1] && strchr("tabsiod", at[1])) {
			at += 2; /* std:: and other abbreviations */
			continue;
		}
		if (*at == 'I') {
			at = skip_arguments(at);
			continue;
		}
		at += *at == 'L' && isdigit((unsigned char)at[1]); /* a static function */
		if (isdigit((unsigned char)*at))
			at = identifier(at, &word, &size);
		else if ((*at == 'C' || *at == 'D') && isdigit((unsigned char)at[1]) && name)
			at += 2;
		else
			break;
		if (!word || (names && size == 17 && *word == 'h' &&
			      strspn(word + 1, "0123456789abcdef") >= 16)) /* Rust's hash */
			break;
		name = word;
		length = size;
		names = names ? arena_printf(arena, "%s::%s%.*s", names, is_destructor ? "~" : "",
					     (int)size, word)
			      : arena_strndup(arena, word, size);
	}
	return names;
}

const char *symbol_part(const char *symbol)
{
	const char *name;
	size_t length;

	for (symbol += strncmp(symbol, "_ZN", 3) ? 0 : 3; isdigit((unsigned char)*symbol);)
		symbol = identifier(symbol, &name, &length);
	return strchr(symbol, '.');
}
