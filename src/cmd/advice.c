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

/* The user's own command, with another word for one of its words; if there is no such word, the
 * other one alone. */
static const char *changed_line(struct arena *arena, const struct options *options, const char *was,
			  const char *is)
{
	char *text = arena_strdup(arena, "ktrace");
	bool is_changed = false, is_command = false;

	for (char *const *word = options->words + 1; *word; word++) {
		bool changes = !is_command && !strcmp(*word, was);

		text = arena_printf(arena, "%s %s", text, quote(arena, changes ? is : *word));
		is_changed |= changes;
		is_command |= !strcmp(*word, "--");
	}
	return is_changed ? text : quote(arena, is);
}

/* A process or a command says whose hits are wanted, which isn't yet where the place is. Returns
 * NULL if neither is given. */
static const char *program_meant(struct arena *arena, const struct options *options)
{
	if (options->command)
		return quote(arena, options->command[0]);
	return options->pids.count ? arena_printf(arena, "/proc/%lld/exe",
						  (long long)options->pids.numbers[0]) : NULL;
}

const char *advice(struct arena *arena, const struct options *options, const struct error *error)
{
	const char *hint = error->hint, *program;

	if (error->verb)
		hint = arena_printf(arena, "%s: %s", hint,
				    command_line(arena, options, error->verb, error->operand));
	if (error->replaces)
		hint = arena_printf(arena, "%s: %s", hint,
				    changed_line(arena, options, error->replaces, error->operand));
	program = error->is_kernel_name ? program_meant(arena, options) : NULL;
	return !program ? hint :
		arena_printf(arena, "a function of the program needs -x %s; in the kernel: %s",
			     program, hint);
}
