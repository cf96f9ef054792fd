// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions of which not all ways to return pass the closing brace's code: a way out was
 * copied or merged, and its mark is lost.
 */
#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"

/* The last line, which begins in the first column: a brace. */
static bool is_closing(const struct line_code *of)
{
	const struct row *rows = of->rows;
	bool has_it = false;

	for (unsigned i = 0; i < of->nrows; i++) {
		if (!is_own_row(of->instance, &rows[i]) || rows[i].line < of->line)
			continue;
		if (rows[i].line > of->line || rows[i].column != 1)
			return false;
		has_it = true;
	}
	return has_it && of->line != of->instance->function->line;
}

const char *closing_text(const struct line_code *of, const struct candidates *list)
{
	if (of->instance->inlined || !is_closing(of))
		return NULL;
	return of->flow && flow_returns_past(of->flow, list->addresses, list->count) ?
		       arena_printf(of->resolver->arena,
				    "the function also returns without the code of line %u: fewer "
				    "events than passes are possible",
				    of->line) :
		       NULL;
}
