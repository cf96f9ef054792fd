// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the members of a struct, or elements of an array, in which two values differ.
 *
 * The surprise: it compares the printed texts. A call keeps its values as texts, and only these are
 * whole: the record may be gone, and values are finished by ktrace.
 */
#include <stdlib.h>
#include <string.h>

#include "sink/follow/follow.h"

struct shown_part {
	const char *name; /* ".x"; of an element "" */
	size_t name_length;
	const char *text;
	size_t length;
};

static bool is_compound(const char *text, size_t length)
{
	return length >= 2 && text[0] == '{' && text[length - 1] == '}';
}

/* The end of what begins at text[at]: the next comma outside of quotes and braces. */
static size_t member_end(const char *text, size_t at, size_t end)
{
	unsigned depth = 0;
	char quote = '\0';

	for (; at < end; at++) {
		char c = text[at];

		if (c == '\\' && quote)
			at++;
		else if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '{')
			depth++;
		else if (c == '}')
			depth--;
		else if (c == ',' && !depth)
			break;
	}
	return at < end ? at : end;
}

/* *at: where the last one ended, first 1. */
static bool next_member(const char *text, size_t length, size_t *at, struct shown_part *ret)
{
	size_t from = *at, end = length - 1, equals;

	while (from < end && (text[from] == ',' || text[from] == ' '))
		from++;
	if (from >= end)
		return false;
	*at = member_end(text, from, end);
	equals = strcspn(text + from, "={,\"'");
	*ret = (struct shown_part){.name = text + from, .text = text + from, .length = *at - from};
	if (text[from] == '.' && text[from + equals] == '=') {
		ret->name_length = equals;
		ret->text += equals + 1;
		ret->length -= equals + 1;
	}
	return true;
}

static bool is_alike(const struct shown_part *a, const struct shown_part *b)
{
	return a->name_length == b->name_length && !memcmp(a->name, b->name, a->name_length);
}

/* Whether both have the same members, whatever their values. */
static bool has_same(const char *was, size_t was_length, const char *is, size_t is_length)
{
	struct shown_part before, now;
	size_t at = 1, other = 1;
	bool more, also;

	if (!is_compound(was, was_length) || !is_compound(is, is_length))
		return false;
	do {
		more = next_member(was, was_length, &at, &before);
		also = next_member(is, is_length, &other, &now);
		if (more != also || (more && !is_alike(&before, &now)))
			return false;
	} while (more);
	return true;
}

static void walk(struct strbuf *path, const char *was, size_t was_length, const char *is,
		 size_t is_length, struct differences *differences)
{
	struct shown_part before, now;
	size_t at = 1, other = 1, length = path->length;

	if (was_length == is_length && !memcmp(was, is, is_length))
		return;
	if (!has_same(was, was_length, is, is_length)) {
		if (differences->count++ < DIFFERENCES_MOST)
			differences->list[differences->count - 1] = (struct change){
				.name = strndup(path->data, path->length),
				.was = strndup(was, was_length),
				.is = strndup(is, is_length),
			};
		return;
	}
	for (unsigned i = 0;
	     next_member(was, was_length, &at, &before) && next_member(is, is_length, &other, &now);
	     i++) {
		if (now.name_length)
			strbuf_add(path, now.name, now.name_length);
		else
			strbuf_printf(path, "[%u]", i);
		walk(path, before.text, before.length, now.text, now.length, differences);
		path->length = length;
	}
}

void differences_find(const struct change *change, struct differences *ret)
{
	struct strbuf path = {0};

	ret->count = 0;
	strbuf_puts(&path, change->name);
	walk(&path, change->was, strlen(change->was), change->is, strlen(change->is), ret);
	strbuf_deinit(&path);
}

void differences_free(struct differences *differences)
{
	for (unsigned i = 0; i < differences->count && i < DIFFERENCES_MOST; i++) {
		free((char *)differences->list[i].name);
		free(differences->list[i].was);
		free(differences->list[i].is);
	}
}
