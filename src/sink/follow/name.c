// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the name of a function as people say it: long template arguments are left out. The
 * surprise: a "<" may also be that of an operator.
 */
#include "base/escape.h"
#include "sink/follow/follow.h"

#define ARGUMENTS_MOST 16u /* bytes of template arguments that are shown */

/* The length of "operator<<", "operator->" and the like; 0: something else begins here. */
static size_t operator_length(const char *name, const char *at)
{
	static const char word[] = "operator";
	size_t length = sizeof(word) - 1;

	if (strncmp(at, word, length) || !strchr("<>=-", at[length]) || !at[length] ||
	    (at > name && (at[-1] == '_' || (at[-1] | 32) >= 'a')))
		return 0;
	return length + strspn(at + length, "<>=-");
}

/* Template arguments, with both brackets; 0: they don't end. */
static size_t arguments_length(const char *at)
{
	unsigned depth = 0;

	for (const char *p = at; *p; p++) {
		size_t skipped = operator_length(at, p);

		p += skipped ? skipped - 1 : 0;
		depth += !skipped && *p == '<';
		if (!skipped && *p == '>' && !--depth)
			return (size_t)(p + 1 - at);
	}
	return 0;
}

void follow_name(const struct follow *follow, const char *name)
{
	struct strbuf *out = follow->out;
	const char *from = name;

	for (const char *p = name; *p && !follow->options.is_whole;) {
		size_t length = operator_length(name, p);
		bool is_opening = !length && *p == '<';

		length = is_opening ? arguments_length(p) : length;
		if (is_opening && length > ARGUMENTS_MOST + 2) {
			strbuf_shown(out, from, (size_t)(p - from), "");
			strbuf_puts(out, follow->options.is_utf8 ? "<\u2026>" : "<...>");
			from = p + length;
		}
		p += length ? length : 1;
	}
	strbuf_shown(out, from, strlen(from), "");
}
