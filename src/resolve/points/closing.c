// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions of which not all ways to return pass the closing brace's code: a way out was
 * copied or merged, and its mark is lost.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/merged.h"
#include "resolve/points/points.h"

/* The last line, which begins in the first column: a brace. */
static bool is_closing(const struct instance *instance, unsigned line, const struct row *rows,
		       unsigned nrows)
{
	bool has_it = false;

	for (unsigned i = 0; i < nrows; i++) {
		if (!is_own_row(instance, &rows[i]) || rows[i].line < line)
			continue;
		if (rows[i].line > line || rows[i].column != 1)
			return false;
		has_it = true;
	}
	return has_it && line != instance->function->line;
}

const char *closing_text(struct resolver *resolver, const struct instance *instance, unsigned line,
			 const struct row *rows, unsigned nrows, const struct candidates *list)
{
	const struct flow *flow;

	if (instance->inlined || !is_closing(instance, line, rows, nrows))
		return NULL;
	flow = outer_flow(resolver, instance);
	return flow && flow_returns_past(flow, list->addresses, list->count) ?
		       arena_printf(resolver->arena,
				    "the function also returns without the code of line %u: fewer "
				    "events than passes are possible",
				    line) :
		       NULL;
}
