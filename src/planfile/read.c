// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads plan files, row by row. A row belongs to the innermost struct of its kind before it: one
 * without such a struct is an error, as is any unknown word, since what can't be understood can't
 * be run.
 */
#include <stdarg.h>

#include "planfile/internal.h"

struct error *bad(const struct reading *reading, const char *format, ...)
{
	va_list args;
	const char *what;

	va_start(args, format);
	what = arena_vprintf(reading->arena, format, args);
	va_end(args);
	return error_new(reading->arena, ERROR_SYNTAX, "%s:%u: %s", reading->file->name,
			 reading->line, what);
}

static const struct row_reader *find_reader(const char *word)
{
	static const struct row_reader *const tables[] = {variant_rows, planned_rows, site_rows};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct row_reader *reader = tables[i]; reader->word; reader++)
			if (!strcmp(reader->word, word))
				return reader;
	return NULL;
}

static struct error *read_row(struct reading *reading)
{
	const struct row_reader *reader = find_reader(reading->word);
	const void *before[] = {
		[NOTHING] = reading, [A_PLAN] = reading->variant, [A_SPEC] = reading->sites,
		[A_SHAPE] = reading->shape, [A_SITE] = reading->site, [A_VALUE] = reading->capture,
	};
	static const char *const names[] = {"", "plan", "spec", "shape", "site", "value"};

	if (!reader)
		return error_hint(
			reading->arena, bad(reading, "a plan has no row '%s'", reading->word),
			"a plan begins with 'plan %s'; a comment, with '#'", PLANFILE_VERSION);
	if (!before[reader->needs])
		return bad(reading,
			   "'%s' comes before any '%s'", reading->word, names[reader->needs]);
	return reader->read(reading);
}

/* Goes to the next row; `at` is at the end of one, or of its comment. */
static void end_row(struct reading *reading)
{
	if (*reading->at == '#')
		reading->at += strcspn(reading->at, "\n");
	reading->line += *reading->at == '\n';
	reading->at += !!*reading->at;
}

static struct error *read_rows(struct reading *reading)
{
	struct error *error = NULL;

	while (*reading->at && !error) {
		const char *value;

		reading->at += strspn(reading->at, " \t");
		if (*reading->at && !strchr("#;\n", *reading->at))
			error = next_word(reading, &reading->word, &value);
		else
			reading->word = value = NULL;
		if (!error && value)
			error = bad(reading, "a row begins with a word that says what it is");
		if (!error && reading->word)
			error = read_row(reading);
		end_row(reading);
	}
	return error ? error : end_variant(reading);
}

/* Lines may end as on Windows, by way of which a plan may have come. */
static const char *without_returns(struct arena *arena, const char *text)
{
	char *ret = arena_strdup(arena, text), *to = ret;

	for (const char *at = text; *at; at++)
		if (*at != '\r' || at[1] != '\n')
			*to++ = *at;
	*to = '\0';
	return ret;
}

struct error *planfile_read(struct arena *arena, const char *name, const char *text,
			    struct planfile *ret)
{
	struct reading reading = {
		.arena = arena, .file = ret, .line = 1, .at = without_returns(arena, text)};
	struct error *error;

	*ret = (struct planfile){.name = name};
	error = read_rows(&reading);
	if (!error && !ret->nvariants)
		error = error_hint(arena, bad(&reading, "there is no plan in it"),
				   "ktrace plan SPEC writes one");
	return error;
}
