// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells from the words of the source what a line begins with, whether it may jump, and which
 * `return` comes behind it.
 *
 * The surprise: the source isn't parsed. Indentation tells blocks, and what it may not tell counts
 * as a jump.
 */
#include <ctype.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "resolve/passes/merged.h"
#include "resolve/source_words.h"

/* Also a macro's that is called so: vmbreak, vmcase. */
static bool is_jump(const char *word, size_t length, bool or_else)
{
	static const char *const words[] = {"default",	"switch",   "try",   "catch",  "throw",
					    "co_await", "co_yield", "asm", "__asm__"};
	static const char *const parts[] = {"goto", "return", "break", "continue", "case", "jmp"};

	if (or_else && length == strlen("else") && !memcmp(word, "else", length))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && !memcmp(words[i], word, length))
			return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (memmem(word, length, parts[i], strlen(parts[i])))
			return true;
	return false;
}

/* A macro may have a jump in it. The first word of a line is no statement if an expression goes on
 * behind it. */
static bool is_macro(const char *word, size_t length, bool is_first)
{
	char behind = word[length + strspn(word + length, " \t")];
	bool is_operand = behind && strchr("),]|&?=.<>+-*", behind);
	size_t upper = 0;

	for (size_t i = 0; i < length; i++) {
		if (islower((unsigned char)word[i]))
			return false;
		upper += isupper((unsigned char)word[i]) != 0;
	}
	return upper && (behind == '(' || (is_first && !is_operand));
}

bool source_may_jump(const char *line, bool or_else)
{
	size_t length = strcspn(line, "\n");
	bool is_first = true;

	for (size_t i = 0; i < length;) {
		size_t from = i;

		while (i < length && is_word_char(line[i]))
			i++;
		if (i > from && (is_jump(line + from, i - from, or_else) ||
				 is_macro(line + from, i - from, is_first)))
			return true;
		is_first &= i == from && isspace((unsigned char)line[i]);
		i += i == from;
	}
	return false;
}

/* What is known of one line of the known source. */
enum {
	IS_READ = 1,
	MAY_JUMP = 2,
	MAY_JUMP_OR_ELSE = 4,
};

static unsigned jumps_of(const struct known_source *known, unsigned line)
{
	uint8_t *jumps = &known->jumps[line - 1];
	const char *text = known->lines[line - 1];

	if (!*jumps)
		*jumps = (uint8_t)(IS_READ | (source_may_jump(text, false) ? MAY_JUMP : 0) |
				   (source_may_jump(text, true) ? MAY_JUMP_OR_ELSE : 0));
	return *jumps;
}

/* The lines are counted once: each way through a function asks about those that it leaves out. */
bool source_may_jump_between(struct resolver *resolver, const struct instance *instance,
			     unsigned first, unsigned last)
{
	struct known_source *known = known_source_of(resolver, instance, first);

	if (first >= last)
		return false;
	if (!first || last - 1 > known->count)
		return true;
	for (unsigned line = known->ncounted + 1; line < last; line++) {
		known->jumping[line] = known->jumping[line - 1] +
				       !!(jumps_of(known, line) & MAY_JUMP_OR_ELSE);
		known->ncounted = line;
	}
	return known->jumping[last - 1] != known->jumping[first - 1];
}

/* Where the way behind a line has come to. */
struct place_behind {
	unsigned depth;
	unsigned left_out; /* deeper lines aren't passed: the last `else` leads to them */
};
enum { NOTHING_LEFT_OUT = -1U };

/* The blanks before a line's first word; more than those aren't looked at, again and again. */
static unsigned blanks_before(const char *line)
{
	enum { MOST = 256 };
	unsigned count = 0;

	while (count < MOST && (line[count] == ' ' || line[count] == '\t'))
		count++;
	return count;
}

unsigned source_depth(const char *line)
{
	enum { TAB = 8 };
	unsigned depth = 0, count = blanks_before(line);

	for (unsigned i = 0; i < count; i++)
		depth += line[i] == '\t' ? TAB - depth % TAB : 1;
	return depth;
}

static const char *first_word(const char *line)
{
	return line + blanks_before(line);
}

static bool begins_with(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word)) && !is_word_char(text[strlen(word)]);
}

bool source_is_return(const char *line)
{
	return begins_with(first_word(line), "return");
}

bool source_is_else(const char *line)
{
	const char *word = first_word(line);

	return begins_with(*word == '}' ? first_word(word + 1) : word, "else");
}

bool source_is_if(const char *line)
{
	const char *word = first_word(line);

	word = *word == '}' ? first_word(word + 1) : word;
	if (begins_with(word, "else"))
		word = first_word(word + strlen("else"));
	return begins_with(word, "if");
}

/* Whether what is in parentheses ends on the line, and is no `for (;;)`. */
static bool has_condition(const char *line)
{
	unsigned depth = 0, nparts = 0;
	bool is_empty = true, has_empty = false;

	for (; *line && *line != '\n' && *line != '('; line++)
		;
	for (; *line && *line != '\n'; line++) {
		depth += *line == '(';
		depth -= *line == ')';
		if (!depth)
			return !has_empty;
		if (*line == ';' && depth == 1) {
			has_empty |= nparts++ == 1 && is_empty;
			is_empty = true;
		} else {
			is_empty &= isspace((unsigned char)*line) != 0;
		}
	}
	return false;
}

bool source_is_loop(const char *line)
{
	const char *word = first_word(line);
	size_t length = strcspn(word, "\n");

	while (length && isspace((unsigned char)word[length - 1]))
		length--;
	return (begins_with(word, "for") ||
		(begins_with(word, "while") && word[length - 1] != ';')) &&
	       has_condition(word);
}

/* Whether there is nothing on the line, or it is the preprocessor's. */
bool source_is_empty(const char *line)
{
	return strchr("\r\n#", *first_word(line));
}

/* Whether a brace is alone on the line. */
bool source_is_brace(const char *line)
{
	const char *word = first_word(line);

	return (*word == '{' || *word == '}') && source_is_empty(word + 1);
}

/* Whether the way doesn't pass the line: it is empty, or behind an `else` of a block that the way
 * has come out of. */
static bool is_left_out(struct place_behind *at, const char *line)
{
	unsigned depth = source_depth(line);
	char first = *first_word(line);

	if (!first || first == '\n' || first == '\r' ||
	    (at->left_out != NOTHING_LEFT_OUT && depth > at->left_out))
		return true;
	if (source_is_else(line) && (depth < at->depth || depth == at->left_out)) {
		at->depth = depth < at->depth ? depth : at->depth;
		at->left_out = depth;
		return true;
	}
	if (first != '}')
		at->left_out = NOTHING_LEFT_OUT;
	return false;
}

static unsigned find_return(const struct known_source *known, unsigned line)
{
	enum { MOST = 1000 }; /* lines */
	unsigned last = line + MOST < known->count ? line + MOST : known->count;
	struct place_behind at = {.left_out = NOTHING_LEFT_OUT};

	if (jumps_of(known, line) & MAY_JUMP)
		return 0;
	at.depth = source_depth(known->lines[line - 1]);
	while (line < last) {
		const char *text = known->lines[line++];
		unsigned depth = source_depth(text);

		if (*text == '}')
			return 0;
		if (is_left_out(&at, text))
			continue;
		if (depth <= at.depth && source_is_return(text))
			return line;
		if (jumps_of(known, line) & MAY_JUMP)
			return 0;
		/* a label and a preprocessor's line are in the first column */
		at.depth = depth && depth < at.depth ? depth : at.depth;
	}
	return 0;
}

unsigned source_return_behind(struct resolver *resolver, const struct instance *instance,
			      unsigned line)
{
	struct known_source *known = known_source_of(resolver, instance, line);
	unsigned *found;

	if (!line || line > known->count)
		return 0;
	found = &known->returns[line - 1];
	if (!*found)
		*found = find_return(known, line) + 1;
	return *found - 1;
}
