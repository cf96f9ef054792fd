// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the points of FUNC:FIRST-LAST and FUNC:*: those of each line with code, as if it had been
 * named alone. Line 0, the function's beginning, has a point even if no row names it.
 */
#include <limits.h>
#include <stdlib.h>

#include "debuginfo/debuginfo.h"
#include "resolve/flow/line_code.h"
#include "resolve/points/kinds.h"

static int line_compare(const void *left, const void *right)
{
	const unsigned *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Lines of the file that have code in the instance, ascending, some more than once. */
static unsigned collect_lines(struct resolver *resolver, const struct instance *instance,
			      const struct place *place, const struct row *rows, unsigned nrows,
			      unsigned **ret)
{
	unsigned base = instance->function->line, count = 0;
	unsigned *lines = arena_array(resolver->arena, unsigned, nrows + 1);

	if (!place->line)
		lines[count++] = base;
	for (unsigned i = 0; i < nrows; i++) {
		unsigned line = rows[i].line;

		if (is_of_line(instance, &rows[i], line) && line >= base &&
		    line - base >= place->line && line - base <= place->last_line)
			lines[count++] = line;
	}
	qsort(lines, count, sizeof(*lines), line_compare);
	*ret = lines;
	return count;
}

struct error *range_points(struct resolver *resolver, const struct instance *instance,
			   const struct place *place, bool every, struct points *points)
{
	unsigned *lines, nrows = 0, nlines;
	struct row *rows = NULL;
	struct error *error = debuginfo_rows(resolver->info, instance, &rows, &nrows);

	if (error)
		return error;
	nlines = collect_lines(resolver, instance, place, rows, nrows, &lines);
	for (unsigned i = 0; i < nlines && !error; i++) {
		unsigned first = points->count;

		if (i && lines[i] == lines[i - 1])
			continue;
		error = line_points(resolver, instance, lines[i], every, points);
		for (unsigned j = first; j < points->count; j++)
			points->list[j].asked_line = lines[i] - instance->function->line;
	}
	return error;
}
