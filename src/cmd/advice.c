// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns an error's hint into a command to type. The layers below say which verb and operand; the
 * options that name the target are the user's own, so that the command works as it stands.
 */
#include <string.h>

#include "cmd/options.h"

static const char *quote(struct arena *arena, const char *text)
{
	const char *safe =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+,-@%";
	char *quoted = arena_strdup(arena, "'");

	if (*text && text[strspn(text, safe)] == '\0')
		return text;
	for (const char *end; (end = strchr(text, '\'')); text = end + 1)
		quoted = arena_printf(arena, "%s%.*s'\\''", quoted, (int)(end - text), text);
	return arena_printf(arena, "%s%s'", quoted, text);
}

char *command_line(struct arena *arena, const struct options *options, const char *verb,
		   const char *operand)
{
	const struct {
		char letter;
		const char *value;
	} given[] = {{'k', options->vmlinux}, {'m', options->module}, {'x', options->program},
		     {'s', strcmp(verb, "funcs") ? options->source_dir : NULL}};
	char *text = arena_printf(arena, "ktrace %s", verb);

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		if (given[i].value)
			text = arena_printf(arena, "%s -%c %s", text, given[i].letter,
					    quote(arena, given[i].value));
	if (options->debuginfo)
		text = arena_printf(arena, "%s --debuginfo %s", text, options->debuginfo);
	return operand ? arena_printf(arena, "%s %s", text, quote(arena, operand)) : text;
}

char *words_line(struct arena *arena, const char *start, char *const *words)
{
	char *text = arena_strdup(arena, start);

	for (; *words; words++)
		text = arena_printf(arena, "%s %s", text, quote(arena, *words));
	return text;
}

const char *advice(struct arena *arena, const struct options *options, const struct error *error)
{
	if (!error->verb)
		return error->hint;
	return arena_printf(arena, "%s: %s", error->hint,
			    command_line(arena, options, error->verb, error->operand));
}
