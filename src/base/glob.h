/* SPDX-License-Identifier: GPL-2.0-only */
/* Patterns as in fnmatch(3) without flags in the C locale, except for a '*' behind a '('. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>
#include <string.h>

/* The star in Go's "main.(*T).Sum" belongs to the name. at: a position in name. */
static inline bool is_star(const char *name, const char *at)
{
	return *at == '*' && (at == name || at[-1] != '(');
}

/* The brackets of C++'s operator[] do, too. */
static inline bool is_brackets(const char *name, const char *at)
{
	static const char word[] = "operator";
	size_t length = sizeof(word) - 1;

	return at[0] == '[' && at[1] == ']' && (size_t)(at - name) >= length &&
	       !memcmp(at - length, word, length);
}

/* Whether a name is a pattern. */
static inline bool is_glob(const char *name)
{
	const char *at = name + strcspn(name, "*?[");

	while ((*at == '*' && !is_star(name, at)) || is_brackets(name, at))
		at += 1 + strcspn(at + 1, "*?[");
	return *at != '\0';
}

/* Takes time at most the product of both lengths: fnmatch() tries all ways to split a text among
 * several '*', and names can be thousands of characters long. */
bool glob_matches(const char *pattern, const char *text);

#endif
