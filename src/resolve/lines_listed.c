// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists a range of a function's or a file's lines, each with the addresses of its code. Only rows
 * of the function's own file count: its line table has rows of headers, too.
 */
#include <limits.h>

#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "resolve/listing.h"

/* No function is longer; a damaged line table may say so. */
#define MOST_LINES 100000u

/* A copy's rows are also those of the function around it, which the line isn't of. */
static void add_place(struct line_list *list, unsigned line, const struct instance *instance,
		      uint64_t address)
{
	struct listed_line *at = &list->lines[line - list->first];
	unsigned owner = instance->function->line;

	if (!list->base && (owner > line || owner < at->owner))
		return;
	if (owner != at->owner)
		at->count = at->highest = 0;
	at->owner = owner;
	/* the rows of an instance ascend */
	for (unsigned i = 0; i < at->count && address <= at->highest; i++)
		if (at->places[i].address == address)
			return;
	at->highest = address > at->highest ? address : at->highest;
	arena_append(list->arena, at->places, at->count) =
		(struct listed_place){instance, address};
}

static struct error *add_rows(struct line_list *list, const struct instance *instance)
{
	struct debuginfo *info = list->resolver->info;
	struct row *rows;
	unsigned count;
	struct error *error = debuginfo_rows(info, instance, &rows, &count);

	for (unsigned i = 0; !error && i < count; i++) {
		if (rows[i].line < list->first || rows[i].line > list->last ||
		    strcmp(rows[i].file, list->file) != 0)
			continue;
		add_place(list, rows[i].line, instance, rows[i].address);
	}
	return error;
}

/* Bounds the list to the function, from its declaration to its last line with code, or to the
 * part of it that the range names. */
static struct error *bound_function(struct line_list *list, struct instance *const *instances,
				    unsigned count)
{
	const struct line_range *range = list->range;
	unsigned end = 0;

	list->base = instances[0]->function->line;
	list->file = instances[0]->function->file;
	list->directory = instances[0]->function->directory;
	for (unsigned i = 0; i < count; i++) {
		struct debuginfo *info = list->resolver->info;
		struct row *rows;
		unsigned nrows;
		struct error *error = debuginfo_rows(info, instances[i], &rows, &nrows);

		if (error)
			return error;
		for (unsigned j = 0; j < nrows; j++)
			if (rows[j].line > end && !strcmp(rows[j].file, list->file))
				end = rows[j].line;
	}
	list->first = list->base + (range->has_range ? range->first : 0);
	list->last = end;
	if (range->has_range && range->last < end - list->base)
		list->last = list->base + range->last;
	return NULL;
}

static struct error *empty_range(struct line_list *list)
{
	struct arena *arena = list->resolver->arena;
	const struct line_range *range = list->range;
	struct error *error =
		error_at(error_new(arena, ERROR_NOT_FOUND, "no line with code there in '%s'",
				   list->title), range->text,
			 range->has_range ? range->range_span :
			 range->function ? range->function_span : range->file_span);

	if (!range->function)
		return hint_nearest(list->resolver, list->file, list->first, error);
	if (!list->last || (!range->has_range && list->last < list->first))
		return no_line_table(list->resolver, list->title, error);
	return range->has_range ? error_command(arena, error, "lines", range->function,
						"all its lines") : error;
}

/* The rows of a list of instances; of a function's range, those that are declared where it is. */
static struct error *fill_lines(struct line_list *list, struct instance **instances, unsigned count)
{
	struct error *error = NULL;
	struct spare spare;

	spare_begin(&spare, list->resolver);
	for (unsigned i = 0; i < count && !error; i++) {
		if (!list->base || (!strcmp(instances[i]->function->file, list->file) &&
				    instances[i]->function->line == list->base))
			error = add_rows(list, instances[i]);
		if (!error) /* which is in there */
			spare_tidy(&spare, list->resolver);
	}
	if (!error) {
		mark_merged(list, instances, count, &spare);
		drop_unprobed_lines(list, &spare);
	}
	return spare_end(&spare, list->resolver, error);
}

static struct error *list_function(struct line_list *list)
{
	const struct line_range *range = list->range;
	const struct named_function named = {range->function, range->file, range->text,
					     range->function_span};
	struct instance **instances;
	unsigned count;
	struct error *error;

	error = resolve_instances(list->resolver, &named, &instances, &count);
	if (!error && !is_declared(instances[0]))
		error = undeclared(list->resolver, instances[0], range->text,
				   range->has_range ? range->range_span : range->function_span);
	if (!error)
		error = bound_function(list, instances, count);
	if (error)
		return error;
	list->title = instances[0]->function->name;
	if (list->last < list->first)
		return empty_range(list);
	if (list->last - list->first >= MOST_LINES)
		return error_hint(list->resolver->arena,
				  error_new(list->resolver->arena, ERROR_LIMIT,
					    "the code of '%s' is from line %u to %u of its file",
					    list->title, list->first, list->last),
				  "name some of its lines: ktrace lines '%s:0-100'",
				  range->function);
	list->lines = arena_array(list->resolver->arena, struct listed_line,
				  list->last - list->first + 1);
	return fill_lines(list, instances, count);
}

static struct error *unknown_file(struct line_list *list)
{
	const struct line_range *range = list->range;
	struct error *error = error_at(error_new(list->resolver->arena, ERROR_NOT_FOUND,
						 "no source file '%s' in '%s'", range->file,
						 list->resolver->target->path),
				       range->text, range->file_span);

	return blame_missing(list->resolver, hint_files(list->resolver, range->file, error));
}

static struct error *too_many_lines(const struct line_list *list)
{
	const struct line_range *range = list->range;
	char *fewer = arena_printf(list->arena, "%s:%u+%u", range->file, list->first, MOST_LINES);
	struct error *error =
		error_at(error_new(list->arena, ERROR_LIMIT, "a list has %u lines at most",
				   MOST_LINES),
			 range->text, range->has_range ? range->range_span : range->file_span);

	return error_command(list->arena, error, "lines", fewer, "name fewer");
}

/* Bounds a list without an end to the last line of the file that has code. */
static struct error *bound_file(struct line_list *list, struct instance *const *instances,
				unsigned count)
{
	struct error *error = NULL;
	struct spare spare;

	list->last = list->first;
	spare_begin(&spare, list->resolver);
	for (unsigned i = 0; i < count && !error; i++) {
		struct row *rows;
		unsigned nrows = 0;

		error = debuginfo_rows(list->resolver->info, instances[i], &rows, &nrows);
		for (unsigned j = 0; !error && j < nrows; j++)
			if (rows[j].line > list->last && !strcmp(rows[j].file, list->file))
				list->last = rows[j].line;
		if (!error)
			spare_tidy(&spare, list->resolver);
	}
	return spare_end(&spare, list->resolver, error);
}

static struct error *list_file(struct line_list *list)
{
	const struct line_range *range = list->range;
	bool has_end = range->has_range && range->last != UINT_MAX;
	struct instance **instances;
	unsigned count;
	bool known;
	struct error *error;

	list->title = list->file = range->file;
	list->first = range->has_range ? range->first : 1;
	list->last = has_end ? range->last : INT_MAX;
	if (has_end && list->last - list->first >= MOST_LINES)
		return too_many_lines(list);
	error = debuginfo_instances_at_lines(
		list->resolver->info, (struct file_lines){range->file, list->first, list->last},
		&instances, &count, &known);
	if (error)
		return error;
	if (!count)
		return known ? empty_range(list) : unknown_file(list);
	error = resolve_one_file(list->resolver, range->file, instances, count);
	if (error)
		return error_at(error, range->text, range->file_span);
	list->file = instances[0]->function->file;
	list->directory = instances[0]->function->directory;
	error = has_end ? NULL : bound_file(list, instances, count);
	if (!error && list->last - list->first >= MOST_LINES)
		error = too_many_lines(list);
	if (error)
		return error;
	list->lines = arena_array(list->arena, struct listed_line, list->last - list->first + 1);
	return fill_lines(list, instances, count);
}

struct error *resolve_lines(struct resolver *resolver, const struct line_range *range,
			    struct line_list *ret)
{
	struct error *error = check_lines_known(
		resolver, range->text, range->function ? range->function_span : range->file_span);

	*ret = (struct line_list){.resolver = resolver, .arena = resolver->arena, .range = range};
	if (error)
		return error;
	return range->function ? list_function(ret) : list_file(ret);
}
