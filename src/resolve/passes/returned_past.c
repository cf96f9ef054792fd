// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a `return` whose mark only one of several ways to it has: behind `if (!p) complain();` gcc
 * may copy what `return p;` does, and leave the mark of it behind the call alone.
 *
 * The surprise: debug information can't tell the other way from that of a `goto`, which another
 * `return` may end. The source can, if it is here. A way out of an inlined copy says nothing, as
 * marks are moved to its caller's code.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

static bool has_mark(const struct nesting *nesting, unsigned line)
{
	for (unsigned i = 0; i < nesting->count; i++)
		if (nesting->list[i].line == line)
			return true;
	return false;
}

/* Whether the copy, of which no row is the line's, is left behind a statement from where the line
 * is executed, which is a `return`. */
bool is_returned_past(struct resolver *resolver, const struct instance *copy, unsigned line)
{
	const struct flow *flow = outer_flow(resolver, copy);
	struct nesting nesting;
	struct line_code of;

	if (!flow || line_code_read(resolver, copy, line, &of) || !has_marks(of.rows, of.nrows))
		return false;
	of.flow = flow;
	if (!nesting_read(&of, &nesting))
		return false;
	for (unsigned i = 0; i < nesting.nsteps; i++)
		if (nesting.steps[i].ends && nesting.steps[i].statement >= 0 &&
		    source_return_behind(resolver, copy,
					 nesting.list[nesting.steps[i].statement].line) == line)
			return true;
	return false;
}

void returned_past_find(struct resolver *resolver, const struct instance *instance,
			const struct nesting *nesting, struct findings *ret)
{
	bool *seen = arena_array(resolver->arena, bool, nesting->count + 1);

	for (unsigned i = 0; !instance->inlined && i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];
		unsigned line, from;

		if (!mark->ends || mark->is_shared || mark->statement < 0 || seen[mark->statement])
			continue;
		seen[mark->statement] = true;
		from = nesting->list[mark->statement].line;
		line = source_return_behind(resolver, instance, from);
		if (line && has_mark(nesting, line))
			arena_append(resolver->arena, ret->list, ret->count) =
				(struct finding){.line = line, .from = from};
	}
}
