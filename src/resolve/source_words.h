/* SPDX-License-Identifier: GPL-2.0-only */
/* Words in a line of the source. A line ends in a newline or NUL. */
#ifndef RESOLVE_SOURCE_WORDS_H
#define RESOLVE_SOURCE_WORDS_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static inline bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static inline const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* 0: no word begins there. */
static inline size_t word_length(const char *text)
{
	size_t length = 0;

	while (is_word_char(text[length]))
		length++;
	return length;
}

/* Whether the `length` characters are the word. */
static inline bool is_text(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !strncmp(text, word, length);
}

static inline bool starts_with(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* Where the variable is next named in the line; NULL: nowhere. A member of that name isn't it. */
static inline const char *next_use(const char *text, const char *name)
{
	bool is_member = false;

	while (*text && *text != '\n') {
		size_t length = word_length(text);

		if (length && !is_member && is_text(text, length, name))
			return text;
		is_member = !length && (*text == '.' || starts_with(text, "->") ||
					(is_member && *text == '>'));
		text += length ?: 1;
	}
	return NULL;
}

/* Whether the name is behind an `&` that takes its address, and no `&&`. */
static inline bool is_address_taken(const char *line, const char *use)
{
	return use > line && use[-1] == '&' && (use == line + 1 || use[-2] != '&');
}

#endif
