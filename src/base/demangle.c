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

/* "pl" is operator+. A conversion, "cv", has a type's name and isn't read. */
static const char *operator_of(const char *code)
{
	static const char *const rows[] = {
		"nw new", "dl delete", "na new[]", "da delete[]", "pl+", "mi-", "ml*", "dv/", "rm%",
		"an&", "or|", "eo^", "aS=", "pL+=", "mI-=", "mL*=", "dV/=", "rM%=", "aN&=", "oR|=",
		"eO^=", "ls<<", "rs>>", "lS<<=", "rS>>=", "eq==", "ne!=", "lt<", "gt>", "le<=",
		"ge>=", "ss<=>", "nt!", "aa&&", "oo||", "pp++", "mm--", "cm,", "pm->*", "pt->",
		"cl()", "ix[]", "ps+", "ng-", "ad&", "de*", "co~",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strncmp(rows[i], code, 2))
			return rows[i] + 2;
	return NULL;
}

static bool is_rust_hash(const char *word, size_t length)
{
	return length == 17 && *word == 'h' && strspn(word + 1, "0123456789abcdef") >= 16;
}

/* One part of a nested name, which *at is moved behind. NULL: not understood; "": it says
 * nothing. last: the part before, whose name a constructor has. */
static const char *name_part(struct arena *arena, const char **at, const char *last)
{
	const char *word, *symbol;
	size_t length;

	*at += **at == 'L' && isdigit((unsigned char)(*at)[1]); /* static */
	if (isdigit((unsigned char)**at)) {
		*at = identifier(*at, &word, &length);
		if (!word || memchr(word, '$', length))
			return NULL;
		if (is_rust_hash(word, length))
			return "";
		return strncmp(word, "_GLOBAL__N", 10) ? arena_strndup(arena, word, length) :
							 "(anonymous)";
	}
	if (**at == 'I' || **at == 'B') {
		*at = **at == 'I' ? skip_arguments(*at) : identifier(*at + 1, &word, &length);
		return "";
	}
	if ((**at == 'C' || **at == 'D') && isdigit((unsigned char)(*at)[1]) && last) {
		bool is_destructor = **at == 'D';

		*at += 2;
		return is_destructor ? arena_printf(arena, "~%s", last) : last;
	}
	symbol = operator_of(*at);
	*at += symbol ? 2 : 0;
	return symbol ? arena_printf(arena, "operator%s", symbol) : NULL;
}

static const char *scoped(struct arena *arena, const char *scope, const char *name)
{
	return *scope ? arena_printf(arena, "%s::%s", scope, name) : name;
}

char *demangled_function(struct arena *arena, const char *symbol)
{
	const char *at = symbol + 2, *names = "", *part, *last = NULL;
	bool is_nested;

	/* the address of a function as an argument of a template has an end of its own */
	if (strncmp(symbol, "_Z", 2) || strstr(symbol, "L_Z"))
		return NULL;
	is_nested = *at == 'N';
	at += is_nested;
	at += is_nested ? strspn(at, "KVrRO") : 0;
	if (at[0] == 'S' && at[1] == 't') {
		at += 2;
		names = "std";
	}
	do {
		part = name_part(arena, &at, last);
		if (!part)
			return NULL;
		if (*part)
			names = scoped(arena, names, last = part);
	} while (is_nested && *at && *at != 'E');
	return last && (!is_nested || *at == 'E') ? arena_strdup(arena, names) : NULL;
}

const char *symbol_part(const char *symbol)
{
	const char *name;
	size_t length;

	for (symbol += strncmp(symbol, "_ZN", 3) ? 0 : 3; isdigit((unsigned char)*symbol);)
		symbol = identifier(symbol, &name, &length);
	return strchr(symbol, '.');
}
