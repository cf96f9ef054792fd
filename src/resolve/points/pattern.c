// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the points of FUNC;PATTERN or FILE;PATTERN: those of each source line that matches, as if
 * the line had been named. Blanks count neither in the pattern nor in the line; a line without code
 * is skipped.
 */
#include <limits.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"

struct matches {
	struct resolver *resolver;
	const struct spec *spec;
	const struct function *of; /* whose file's text it is */
	const char *text; /* NULL: not found, or refused */
	const char *refused; /* why it may not be used, or NULL */
	unsigned *lines;  /* those that match, from 1 */
	unsigned count;
};

static bool line_matches(struct arena *arena, const char *pattern, const char *line, size_t length)
{
	char *plain = arena_alloc(arena, length + 1);
	size_t n = 0;

	for (size_t i = 0; i < length; i++)
		if (!strchr(" \t\r\f\v", line[i]))
			plain[n++] = line[i];
	return glob_matches(pattern, plain);
}

static void find_matches(struct matches *matches, const struct instance *instance, unsigned last)
{
	const struct function *function = instance->function;
	const struct source_lines lines = {function->directory, function->file, instance->entry,
					   function->line, last, false};
	struct arena *arena = matches->resolver->arena;
	unsigned line = 1;

	if (matches->of && !strcmp(matches->of->file, function->file) &&
	    !strcmp(matches->of->directory, function->directory))
		return;
	matches->of = function;
	matches->count = 0;
	matches->text = matches->resolver->read_source ?
				matches->resolver->read_source(matches->resolver, &lines,
							       &matches->refused) :
				NULL;
	for (const char *at = matches->text; at && *at; line++) {
		size_t length = strcspn(at, "\n");

		if (line_matches(arena, matches->spec->place.pattern, at, length))
			arena_append(arena, matches->lines, matches->count) = line;
		at += length + (at[length] == '\n');
	}
}

static struct error *no_source(const struct matches *matches)
{
	struct arena *arena = matches->resolver->arena;
	const struct spec *spec = matches->spec;

	return error_hint(arena,
			  error_at(error_new(arena, ERROR_NOT_FOUND,
					     "a pattern needs the source, and '%s' %s",
					     matches->of->file, matches->refused ?: "is not here"),
				   spec->text, spec->place.pattern_span),
			  "say where the sources are: -s DIR; or write a line, as in %s:3",
			  spec->place.function ? spec->place.function : spec->place.file);
}

static bool has_points(const struct matches *matches, const char *pattern)
{
	struct spec other = *matches->spec;
	struct points points = {0};

	other.place.pattern = pattern;
	return !pattern_points(matches->resolver, &other, false, &points) && points.count;
}

static struct error *no_match(const struct matches *matches, bool any)
{
	struct arena *arena = matches->resolver->arena;
	const struct spec *spec = matches->spec;
	const char *pattern = spec->place.pattern;
	bool open = pattern[0] == '*' || pattern[strlen(pattern) - 1] == '*';
	const char *where = spec->place.function ? spec->place.function : spec->place.file;
	struct error *error = error_at(
		error_new(arena, ERROR_NOT_FOUND, any ? "no line of '%s' that matches has code" :
			  "no line of '%s' matches", where), spec->text, spec->place.pattern_span);

	if (any)
		return error_command(arena, error, "lines", where, "see which lines have code");
	if (!open && has_points(matches, arena_printf(arena, "*%s*", pattern)))
		return error_hint(arena, error, "a pattern matches whole lines: *%s*", pattern);
	return error_command(arena, error, "lines", where, "read them");
}

/* The last line of the function's own file for which the instance has code. */
static unsigned last_line(struct resolver *resolver, const struct instance *instance)
{
	unsigned last = instance->function->line, count;
	struct row *rows;

	if (debuginfo_rows(resolver->info, instance, &rows, &count))
		return last;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].line > last && !strcmp(rows[i].file, instance->function->file))
			last = rows[i].line;
	return last;
}

static void number_points(struct points *points, unsigned first, unsigned line)
{
	for (unsigned i = first; i < points->count; i++)
		points->list[i].asked_line = line;
}

static struct error *instance_points(struct matches *matches, struct instance *instance, bool every,
				     struct points *points, bool *any)
{
	unsigned base = instance->function->line;
	unsigned last = last_line(matches->resolver, instance);

	find_matches(matches, instance, last);
	if (!matches->text)
		return no_source(matches);
	for (unsigned i = 0; i < matches->count; i++) {
		unsigned first = points->count, line = matches->lines[i];
		struct error *error;

		if (line < base || line > last)
			continue;
		*any = true;
		error = line_points(matches->resolver, instance, line, every, points);
		if (error)
			return error;
		number_points(points, first, line - base);
	}
	return NULL;
}

static struct error *in_function(struct matches *matches, bool every, struct points *points)
{
	const struct spec *spec = matches->spec;
	const struct named_function named = {spec->place.function, spec->place.file, spec->text,
					     spec->place.function_span};
	struct instance **instances;
	bool any = false;
	unsigned count;
	struct error *error;

	error = resolve_instances(matches->resolver, &named, &instances, &count);
	for (unsigned i = 0; i < count && !error; i++)
		error = instance_points(matches, instances[i], every, points, &any);
	if (error || points->count)
		return error;
	return no_match(matches, any);
}

static struct error *at_line(struct matches *matches, unsigned line, bool every,
			     struct points *points)
{
	struct resolver *resolver = matches->resolver;
	unsigned first = points->count, count;
	struct instance **instances;
	struct error *error;
	bool known;

	error = debuginfo_instances_at_lines(resolver->info,
					     (struct file_lines){matches->of->file, line, line},
					     &instances, &count, &known);
	for (unsigned i = 0; i < count && !error; i++)
		error = line_points(resolver, instances[i], line, every, points);
	number_points(points, first, line);
	return error;
}

static struct error *in_file(struct matches *matches, bool every, struct points *points)
{
	struct resolver *resolver = matches->resolver;
	const struct spec *spec = matches->spec;
	struct instance **instances;
	struct error *error;
	unsigned count;
	bool known;

	error = debuginfo_instances_at_lines(resolver->info,
					     (struct file_lines){spec->place.file, 1, INT_MAX},
					     &instances, &count, &known);
	if (!error && !count)
		error = unknown_file(resolver, spec);
	if (!error)
		error = one_file(resolver, spec, instances, count);
	if (error)
		return error;
	find_matches(matches, instances[0], last_line(resolver, instances[0]));
	if (!matches->text)
		return no_source(matches);
	for (unsigned i = 0; i < matches->count && !error; i++)
		error = at_line(matches, matches->lines[i], every, points);
	if (error || points->count)
		return error;
	return no_match(matches, matches->count);
}

struct error *pattern_points(struct resolver *resolver, const struct spec *spec, bool every,
			     struct points *points)
{
	struct matches matches = {.resolver = resolver, .spec = spec};

	return spec->place.function ? in_function(&matches, every, points) :
	       in_file(&matches, every, points);
}
