// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the lines of the source, where it is here and fits the code.
 *
 * The surprise: whether a file fits is judged once, by the function that is asked about first.
 */
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"

/* Lines, and characters of one: what is behind them isn't known, as anybody may have made the file.
 */
enum { LINES_MOST = 1 << 20, LENGTH_MOST = 1 << 16 };

static bool is_known(const struct known_source *known, const struct function *function)
{
	return known->file && !strcmp(known->file, function->file) &&
	       !strcmp(known->directory, function->directory ?: "");
}

static void list_lines(struct known_source *known, const char *text)
{
	while (text && *text && known->count < LINES_MOST) {
		size_t length = strcspn(text, "\n");

		if (length > LENGTH_MOST)
			return;
		arena_append(&known->arena, known->lines, known->count) = text;
		text += length + (text[length] == '\n');
	}
}

static void read_lines(struct resolver *resolver, struct known_source *known,
		       const struct instance *instance, unsigned last)
{
	const struct function *function = instance->function;
	const struct source_lines lines = {
		.directory = function->directory,
		.file = function->file,
		.address = instance->entry,
		.first = function->line,
		.last = last,
		.is_unfetched = true,
	};
	struct arena *arena = resolver->arena;
	const char *refused;

	arena_deinit(&known->arena);
	*known = (struct known_source){0};
	known->file = arena_strdup(&known->arena, function->file);
	known->directory = arena_strdup(&known->arena, function->directory ?: "");
	if (!resolver->read_source)
		return;
	resolver->arena = &known->arena;
	list_lines(known, resolver->read_source(resolver, &lines, &refused));
	resolver->arena = arena;
	known->jumps = arena_array(&known->arena, uint8_t, known->count + 1);
	known->returns = arena_array(&known->arena, unsigned, known->count + 1);
	known->jumping = arena_array(&known->arena, unsigned, known->count + 1);
}

struct known_source *known_source_of(struct resolver *resolver, const struct instance *instance,
				     unsigned line)
{
	struct known_source *known = resolver->known_sources;

	for (unsigned i = 0; i < SOURCES_KEPT; i++) {
		struct known_source *one = &resolver->known_sources[i];

		if (is_known(one, instance->function)) {
			one->used = ++resolver->source_uses;
			return one;
		}
		known = one->used < known->used ? one : known;
	}
	read_lines(resolver, known, instance, line);
	known->used = ++resolver->source_uses;
	return known;
}

const char *source_line(struct resolver *resolver, const struct instance *instance, unsigned line)
{
	const struct known_source *known = known_source_of(resolver, instance, line);

	return line && line <= known->count ? known->lines[line - 1] : NULL;
}
