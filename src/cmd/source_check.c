// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges whether a text is the file that was compiled: by its checksum if debug information has
 * one, else by what must stand in its lines: no line with code is empty, and the names that are
 * declared in a line are words of its statement.
 *
 * The surprise: a macro may declare names that stand nowhere. So a few that are missing say
 * nothing; most must be.
 */
#include <ctype.h>
#include <md5.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "cmd/sources.h"

enum {
	JUDGED_LEAST = 3, /* lines: fewer don't decide */
	NEAR_MOST = 16,   /* lines outside of those that are shown */
	SPAN_MOST = 16,   /* lines of one statement */
	LINES_MOST = 1 << 20, /* those behind count as empty: no source has so many */
};

struct check {
	const char **starts; /* of line i + 1; behind the last one, the end of the text */
	unsigned count;
	struct source_name *names; /* by line */
	unsigned nnames;
	const char *shown_end; /* of the text that is shown */
	const char *shown;
	unsigned fitting, others; /* lines */
	unsigned first_other;
	size_t left; /* bytes that may be compared: names and lines are anybody's */
	bool is_exhausted;
};

#define BYTES_MOST ((size_t)256 << 20)

/* Returns false if that is too much. */
static bool take(struct check *check, const char *from, const char *to)
{
	size_t length = (size_t)(to - from) + 1;

	check->is_exhausted |= length > check->left;
	check->left -= check->is_exhausted ? 0 : length;
	return !check->is_exhausted;
}

static int name_compare(const void *left, const void *right)
{
	const struct source_name *a = left, *b = right;

	return (a->line > b->line) - (a->line < b->line);
}

static void find_starts(struct arena *arena, struct check *check, const char *text)
{
	while (*text && check->count < LINES_MOST) {
		arena_append(arena, check->starts, check->count) = text;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	arena_append(arena, check->starts, check->count) = text;
	check->count--;
}

static bool is_word_character(char character)
{
	return isalnum((unsigned char)character) || character == '_';
}

static bool has_word(struct check *check, const char *from, const char *to, const char *word)
{
	size_t length = strlen(word);

	if (!take(check, from, to))
		return false;
	for (const char *at = from; (at = memmem(at, (size_t)(to - at), word, length)); at++)
		if ((at == from || !is_word_character(at[-1])) &&
		    (at + length == to || !is_word_character(at[length])))
			return true;
	return false;
}

/* The end of the statement that begins in the line, as far as its parentheses tell. */
static const char *span_end(const struct check *check, unsigned line)
{
	int depth = 0;
	unsigned i = line - 1;

	do {
		for (const char *at = check->starts[i]; at < check->starts[i + 1]; at++)
			depth += (*at == '(') - (*at == ')');
		i++;
	} while (depth > 0 && i < check->count && i < line - 1 + SPAN_MOST);
	return check->starts[i];
}

/* Whether it calls what is named like a macro: ABC(... */
static bool has_macro(const char *from, const char *to)
{
	for (const char *at = from; at < to; at++) {
		const char *word = at;

		while (at < to && (isupper((unsigned char)*at) || isdigit((unsigned char)*at) ||
				   *at == '_'))
			at++;
		if (at - word > 1 && (word == from || !is_word_character(word[-1])) &&
		    at + strspn(at, " \t") < to && at[strspn(at, " \t")] == '(')
			return true;
		while (at < to && is_word_character(*at))
			at++;
	}
	return false;
}

/* Whether a name that isn't in its line may be one that a macro declares: a variable that stands
 * nowhere in what is shown, or any name that begins like those of macros. */
static bool is_macros(struct check *check, const struct source_name *name)
{
	return *name->name == '_' ||
	       (name->is_local && !has_word(check, check->shown, check->shown_end, name->name));
}

/* Whether the name has the word between two of its underscores, or its ends. */
static bool has_part(const char *name, const char *word, size_t length)
{
	for (const char *at = name; (at = memmem(at, strlen(at), word, length)); at++)
		if ((at == name || at[-1] == '_') && (!at[length] || at[length] == '_'))
			return true;
	return false;
}

/* Whether a macro may have put the name together from a word of the statement. */
static bool is_pasted(const char *from, const char *to, const char *name)
{
	enum { LEAST = 3 };

	for (const char *at = from; at < to; at++) {
		const char *word = at;

		while (at < to && is_word_character(*at))
			at++;
		if (at - word >= LEAST && has_part(name, word, (size_t)(at - word)))
			return true;
	}
	return false;
}

/* Counts the names of a line that its statement lacks, but for those that macros may hide. */
static unsigned missing_of(struct check *check, unsigned from, unsigned to,
			   const char *start, const char *end, unsigned *found)
{
	unsigned missing = 0;
	bool may_hide = has_macro(start, end);

	for (unsigned i = from; i < to && !check->is_exhausted; i++) {
		const struct source_name *name = &check->names[i];
		bool is_found = has_word(check, start, end, name->name);

		*found += is_found;
		if (is_found || may_hide || is_macros(check, name))
			continue;
		if (take(check, start, end) && is_pasted(start, end, name->name))
			return 0;
		missing++;
	}
	return missing;
}

/* Judges the line of names[from]. Returns where the names of the next line begin. */
static unsigned judge_line(struct check *check, unsigned from)
{
	unsigned line = check->names[from].line, found = 0, missing, to = from;
	bool is_inside = line <= check->count;
	const char *start = is_inside ? check->starts[line - 1] : "";

	while (to < check->nnames && check->names[to].line == line)
		to++;
	missing = missing_of(check, from, to, start, is_inside ? span_end(check, line) : start,
			     &found);
	check->fitting += found && !missing;
	check->others += missing > 0;
	if (missing && !check->first_other)
		check->first_other = line;
	return to;
}

static unsigned first_of_line(const struct check *check, unsigned at)
{
	while (at && check->names[at - 1].line == check->names[at].line)
		at--;
	return at;
}

/* The lines that are shown, and if they don't decide, the nearest around them. */
static void judge_names(struct check *check, const struct source_lines *lines)
{
	unsigned above = (unsigned)partition_point(check->nnames, i,
						   check->names[i].line < lines->first),
		 below = above;

	while (below < check->nnames && check->names[below].line <= lines->last &&
	       !check->is_exhausted)
		below = judge_line(check, below);
	for (unsigned i = 0; i < NEAR_MOST && check->fitting + check->others < JUDGED_LEAST; i++) {
		bool is_above = above && (below == check->nnames ||
					  lines->first - check->names[above - 1].line <
						  check->names[below].line - lines->last);

		if (!is_above && below == check->nnames)
			break;
		if (is_above)
			judge_line(check, above = first_of_line(check, above - 1));
		else
			below = judge_line(check, below);
	}
}

static void judge(struct check *check, const struct source_lines *lines)
{
	unsigned first = lines->first < check->count ? lines->first : check->count,
		 last = lines->last < check->count ? lines->last : check->count;

	check->shown = check->starts[first ? first - 1 : 0];
	check->shown_end = check->starts[last];
	judge_names(check, lines);
}

static bool is_empty(struct check *check, unsigned line)
{
	return line > check->count ||
	       !take(check, check->starts[line - 1], check->starts[line]) ||
	       check->starts[line - 1] + strspn(check->starts[line - 1], " \t\r\f\v") ==
		       check->starts[line] - (check->starts[line][-1] == '\n');
}

static bool has_checksum(const uint8_t *md5, const char *text, size_t length)
{
	uint8_t own[MD5_DIGEST_LENGTH];
	MD5_CTX state;

	MD5Init(&state);
	MD5Update(&state, (const uint8_t *)text, length);
	MD5Final(own, &state);
	return !memcmp(own, md5, sizeof(own));
}

const char *source_misfit(struct arena *arena, const struct source_lines *lines,
			  const struct source_marks *marks, const char *text, size_t length)
{
	static const char too_long[] = "has lines too long to tell whether it was compiled";
	struct check check = {
		.names = marks->names, .nnames = marks->nnames, .left = BYTES_MOST};

	if (marks->md5)
		return has_checksum(marks->md5, text, length) ?
			       NULL :
			       "isn't the file that was compiled: its checksum differs";
	find_starts(arena, &check, text);
	for (unsigned i = 0; i < marks->nlines; i++)
		if (marks->lines[i] >= lines->first && marks->lines[i] <= lines->last &&
		    is_empty(&check, marks->lines[i]))
			return check.is_exhausted ?
				       too_long :
				       arena_printf(arena,
						    "isn't the file that was compiled: line %u has "
						    "code, and is empty in it",
						    marks->lines[i]);
	if (check.nnames)
		qsort(check.names, check.nnames, sizeof(*check.names), name_compare);
	judge(&check, lines);
	if (check.is_exhausted)
		return too_long;
	if (check.fitting + check.others < JUDGED_LEAST || check.fitting >= check.others)
		return NULL;
	return arena_printf(arena,
			    "isn't the file that was compiled: %u of %u lines lack the names that "
			    "are declared there, as line %u",
			    check.others, check.fitting + check.others, check.first_other);
}
