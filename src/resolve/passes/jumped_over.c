// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds lines that some code jumps over since their test is known on the way: behind
 * `if (!n) skip = true;` the code for `if (!skip)` isn't executed, and gcc leaves no mark there.
 *
 * The surprise: debug information alone can't tell, as `if (!n) goto out;` is the same code. The
 * source can, if it is here: what has no word for a jump goes on to the next statement.
 */
#include <ctype.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

struct jumping {
	struct resolver *resolver;
	const struct instance *instance;
	const struct nesting *nesting;
	struct findings *findings;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Also a macro's that is called so: vmbreak, vmcase. */
static bool is_jump(const char *word, size_t length)
{
	static const char *const words[] = {"else",	"default",  "switch",	 "try",
					    "catch",	"throw",    "co_await",	 "co_yield",
					    "asm",	"__asm__"};
	static const char *const parts[] = {"goto", "return", "break", "continue", "case", "jmp"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && !memcmp(words[i], word, length))
			return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (memmem(word, length, parts[i], strlen(parts[i])))
			return true;
	return false;
}

/* A macro may have a jump in it. */
static bool is_macro(const char *word, size_t length, bool is_first)
{
	size_t upper = 0;

	for (size_t i = 0; i < length; i++) {
		if (islower((unsigned char)word[i]))
			return false;
		upper += isupper((unsigned char)word[i]) != 0;
	}
	return upper && (is_first || word[length + strspn(word + length, " \t")] == '(');
}

/* Whether the line, which ends in a newline or NUL, has a word for a jump, or may. */
static bool may_jump(const char *line)
{
	size_t length = strcspn(line, "\n");
	bool is_first = true;

	for (size_t i = 0; i < length;) {
		size_t from = i;

		while (i < length && is_word(line[i]))
			i++;
		if (i > from && (is_jump(line + from, i - from) ||
				 is_macro(line + from, i - from, is_first)))
			return true;
		is_first &= i == from && isspace((unsigned char)line[i]);
		i += i == from;
	}
	return false;
}

/* Whether nothing from one line up to before the other one leads elsewhere, as the source says. */
static bool goes_on(const struct jumping *of, unsigned from, unsigned to)
{
	for (; from < to; from++) {
		const char *line = source_line(of->resolver, of->instance, from);

		if (!line || may_jump(line))
			return false;
	}
	return true;
}

/* Whether a statement is executed behind an earlier one whose way leads past it and its body. */
static bool is_passed(const struct nesting *nesting, int statement, int from, int to)
{
	int block = nesting_header(nesting, statement);

	return nesting->list[statement].is_sure && block < from &&
	       nesting_is_in(nesting, from, block) && !nesting_is_in(nesting, to, statement);
}

/* No way out of the instance tells: it may be one that doesn't come back. */
static void look(void *cookie, int from, int to)
{
	const struct jumping *of = cookie;
	const struct statement *list = of->nesting->list;

	for (int i = from + 1; i < to; i++) {
		if (!is_passed(of->nesting, i, from, to))
			continue;
		if (!goes_on(of, list[from].line, list[i].line))
			return;
		arena_append(of->resolver->arena, of->findings->list, of->findings->count) =
			(struct finding){
				.line = list[i].line,
				.from = list[from].line,
				.to = list[to].line,
			};
	}
}

void jumped_over_find(struct resolver *resolver, const struct instance *instance,
		      const struct nesting *nesting, struct findings *ret)
{
	struct jumping of = {resolver, instance, nesting, ret};

	nesting_each_way_down(nesting, look, &of);
}
