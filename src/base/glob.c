// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matches a whole text against a pattern. Only the last '*' is ever tried again: what an earlier
 * one took is as good as anything else it could have taken.
 */
#include "base/glob.h"

#include <ctype.h>
#include <stddef.h>

static bool in_class(const char *name, size_t length, int c)
{
	static const struct {
		const char *name;
		int (*holds)(int c);
	} classes[] = {
		{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
		{"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
		{"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strlen(classes[i].name) == length && !strncmp(classes[i].name, name, length))
			return classes[i].holds(c);
	return false;
}

/* Reads one character of a bracket: "a", "\]" or "[.a.]". Returns NULL when it has no end. */
static const char *read_element(const char *at, unsigned char *ret)
{
	if (at[0] == '[' && (at[1] == '.' || at[1] == '=') && at[2] && at[3] == at[1] &&
	    at[4] == ']') {
		*ret = (unsigned char)at[2];
		return at + 5;
	}
	at += *at == '\\';
	*ret = (unsigned char)*at;
	return *at ? at + 1 : NULL;
}

/* Whether "[:alpha:]" or the like is at `at`; *next is then behind it. */
static bool is_class(const char *at, const char **next)
{
	size_t length =
		at[0] == '[' && at[1] == ':' ? strspn(at + 2, "abcdefghijklmnopqrstuvwxyz") : 0;

	*next = at + length + 4;
	return length && at[2 + length] == ':' && at[3 + length] == ']';
}

/* Matches the bracket that opens at `at`. Returns what follows it, or NULL when it doesn't close
 * and stands for itself. */
static const char *match_bracket(const char *at, unsigned char c, bool *matches)
{
	bool is_negated = at[1] == '!' || at[1] == '^', found = false;
	const char *first = at + 1 + is_negated, *next;
	unsigned char low, high;

	for (at = first; *at != ']' || at == first; at = next) {
		if (is_class(at, &next)) {
			found |= in_class(at + 2, (size_t)(next - at - 4), c);
			continue;
		}
		next = read_element(at, &low);
		high = low;
		if (next && next[0] == '-' && next[1] && next[1] != ']')
			next = read_element(next + 1, &high);
		if (!next)
			return NULL;
		found |= low <= c && c <= high;
	}
	*matches = found != is_negated;
	return at + 1;
}

/* Matches one character of the text, except '*'. Returns the rest of the pattern, or NULL on a
 * mismatch. */
static const char *match_one(const char *pattern, unsigned char c)
{
	bool matches = false;
	const char *next;

	switch (*pattern) {
	case '\0':
		return NULL;
	case '?':
		return pattern + 1;
	case '[':
		next = match_bracket(pattern, c, &matches);
		if (next)
			return matches ? next : NULL;
		break;
	case '\\':
		pattern++;
	}
	return *pattern && (unsigned char)*pattern == c ? pattern + 1 : NULL;
}

bool glob_matches(const char *pattern, const char *text)
{
	/* star: behind the last '*'; from: the end of its text */
	const char *first = pattern, *star = NULL, *from = NULL;

	while (*text) {
		bool is_any = is_star(first, pattern);
		const char *next = is_any ? NULL : match_one(pattern, (unsigned char)*text);

		if (is_any) {
			star = ++pattern;
			from = text;
		} else if (next) {
			pattern = next;
			text++;
		} else if (star) {
			pattern = star;
			text = ++from;
		} else {
			return false;
		}
	}
	while (is_star(first, pattern))
		pattern++;
	return !*pattern;
}
