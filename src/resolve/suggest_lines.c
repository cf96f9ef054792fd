// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the lines where a value that was refused is available, the nearest to the asked one first.
 *
 * The surprise: debug information isn't enough to tell. What it has may not be believed, or beyond
 * what a probe can record, so each line is resolved as a spec of its own.
 */
#include <stdlib.h>

#include "debuginfo/debuginfo.h"
#include "resolve/flow/written.h"
#include "resolve/internal.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"
#include "target/target.h"

/* Whether a probe of the line alone would have the value: one that debug information has may not be
 * believed. */
static bool can_capture(struct resolver *resolver, const struct instance *instance,
			const struct spec *spec, const struct want *want, unsigned line)
{
	struct want plain = *want;
	struct points points = {0};

	plain.is_expanded = true; /* no hints in the error */
	if (line_points(resolver, instance, line, false, &points))
		return false;
	for (unsigned i = 0; i < points.count; i++) {
		struct capture capture = {.type_name = ""};

		if (resolver->target->kind == TARGET_PROGRAM && !instance->inlined)
			points.list[i].prologue = prologue_read(
				resolver, instance, points.list[i].at.address == instance->entry);
		if (!resolve_capture(resolver, &points.list[i], points.list[i].at, spec, &plain,
				     &capture) &&
		    !capture_obstacle(resolver, &capture))
			return true;
	}
	return false;
}

enum { LINES_MOST = 6, LINES_TRIED = 24, ROWS_MAX = 4096 };

/* Lines of a function where a want can be captured. */
struct line_search {
	struct resolver *resolver;
	const struct instance *instance;
	const struct spec *spec;
	const struct want *want;
	unsigned asked; /* the line that the spec names, or the function's */
	const struct row **rows; /* one of each line, the nearest to the asked one first */
	unsigned nrows;
	unsigned lines[LINES_MOST]; /* ascending */
	unsigned count;
	unsigned nearest;
	bool is_cut; /* not all rows were tried */
};

static int by_distance(const void *a, const void *b, void *cookie)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	const struct line_search *search = cookie;
	long dx = labs((long)x->line - (long)search->asked),
	     dy = labs((long)y->line - (long)search->asked);

	if (dx != dy)
		return dx < dy ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool is_line_named(const struct spec *spec)
{
	return spec->place.kind == PLACE_LINE || spec->place.kind == PLACE_FILE;
}

/* On the line itself, only an address that isn't probed has the value. */
static struct error *collect_rows(struct line_search *search)
{
	const struct function *function = search->instance->function;
	const struct place *place = &search->spec->place;
	struct row *rows;
	unsigned nrows;
	struct error *error =
		debuginfo_rows(search->resolver->info, search->instance, &rows, &nrows);

	if (error)
		return error;
	search->asked = place->kind == PLACE_LINE ? function->line + place->line :
			place->kind == PLACE_FILE ? place->line : function->line;
	search->rows = arena_array(search->resolver->arena, const struct row *, nrows + 1);
	for (unsigned i = 0; i < nrows; i++)
		if (!strcmp(rows[i].file, function->file) && rows[i].line >= function->line &&
		    !(is_line_named(search->spec) && rows[i].line == search->asked))
			search->rows[search->nrows++] = &rows[i];
	qsort_r(search->rows, search->nrows, sizeof(*search->rows), by_distance, search);
	return NULL;
}

static bool may_have_value(struct line_search *search, const struct row *row)
{
	struct position at = {.address = row->address, .view = row->view, .line = row->line};
	struct variable *variable;

	return !debuginfo_variable(search->resolver->info, search->instance, at,
				   search->want->base, true, &variable) &&
	       variable &&
	       (variable->loc.kind == LOC_MEMORY || variable->loc.kind == LOC_VALUE);
}

static void add_line(struct line_search *search, unsigned line)
{
	unsigned at = search->count++;

	search->nearest = at ? search->nearest : line;
	for (; at && search->lines[at - 1] > line; at--)
		search->lines[at] = search->lines[at - 1];
	search->lines[at] = line;
}

static void search_lines(struct line_search *search)
{
	unsigned tried = 0, last = 0, i;

	for (i = 0; i < search->nrows && i < ROWS_MAX && search->count < LINES_MOST &&
		    tried < LINES_TRIED; i++) {
		unsigned line = search->rows[i]->line;

		if (line == last || !may_have_value(search, search->rows[i]))
			continue;
		last = line;
		tried++;
		if (can_capture(search->resolver, search->instance, search->spec, search->want,
				line))
			add_line(search, line);
	}
	search->is_cut = i < search->nrows;
}

static const char *file_typed(const struct line_search *search)
{
	const char *file = search->instance->function->file, *slash = strrchr(file, '/');

	if (search->spec->place.kind == PLACE_FILE)
		return search->spec->place.file;
	return slash ? slash + 1 : file;
}

/* Its lines can't be counted, and only FILE:LINE means them. */
static struct error *hint_file_line(struct line_search *search, struct error *error)
{
	struct arena *arena = search->resolver->arena;
	const char *slash;
	struct row *rows;
	unsigned nrows, i = 0;

	if (debuginfo_rows(search->resolver->info, search->instance, &rows, &nrows))
		return NULL;
	/* the line that it begins with is also one of the function that it was made of */
	while (i < nrows &&
	       (rows[i].line == rows[0].line || !may_have_value(search, &rows[i])))
		i++;
	if (i == nrows)
		return NULL;
	slash = strrchr(rows[i].file, '/');
	return error_hint(arena, error, "debug information doesn't say at which line '%s' begins; "
			  "it may have a value at %s:%u", search->instance->function->name,
			  slash ? slash + 1 : rows[i].file, rows[i].line);
}

/* Lines are the function's, since FILE:LINE may be another function's within it: unless they can't
 * be counted from where it is declared. */
struct error *hint_lines(struct resolver *resolver, const struct instance *instance,
			 const struct spec *spec, const struct want *want, struct error *error)
{
	struct line_search search = {
		.resolver = resolver, .instance = instance, .spec = spec, .want = want};
	const struct function *function = instance->function;
	bool is_counted = is_declared(instance) && !function->is_elsewhere;
	unsigned base = is_counted ? function->line : 0;
	char *text = arena_strdup(resolver->arena, "");

	if (!is_declared(instance))
		return hint_file_line(&search, error);
	if (collect_rows(&search))
		return NULL;
	search_lines(&search);
	if (!search.count && search.is_cut)
		return error_command(resolver->arena, error, "vars", instance->function->name,
				     "not all lines were tried; see what has a value");
	if (!search.count)
		return NULL;
	for (unsigned i = 0; i < search.count; i++)
		text = arena_printf(resolver->arena, "%s%s%u", text, i ? ", " : "",
				    search.lines[i] - base);
	return error_hint(resolver->arena, error, "it has a value at line%s %s; try %s:%u",
			  search.count > 1 ? "s" : "", text,
			  is_counted ? function->name : file_typed(&search),
			  search.nearest - base);
}
