// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds lines that some code jumps over since their test is known on the way: behind
 * `if (!n) skip = true;` the code for `if (!skip)` isn't executed, and gcc leaves no mark there.
 *
 * The surprise: debug information alone can't tell, as `if (!n) goto out;` is the same code. The
 * source can, if it is here: what has no word for a jump goes on to the next statement.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

struct jumping {
	struct resolver *resolver;
	const struct instance *instance;
	const struct nesting *nesting;
	struct findings *findings;
	bool *is_found; /* by statement */
};

/* Whether a statement is executed behind an earlier one, of its block or of one in it. */
static bool is_passed(const struct nesting *nesting, int statement, int from)
{
	int block = nesting_header(nesting, statement);

	return nesting->list[statement].is_sure && block < from &&
	       nesting_is_in(nesting, from, block);
}

/* Adds the statements that the way leaves out. */
static void look(const struct jumping *of, int from, int to)
{
	const struct statement *list = of->nesting->list;

	for (int i = from + 1; i < to; i++) {
		if (!is_passed(of->nesting, i, from))
			continue;
		if (source_may_jump_between(of->resolver, of->instance, list[from].line,
					    list[i].line))
			return;
		if (of->is_found[i])
			continue;
		of->is_found[i] = true;
		arena_append(of->resolver->arena, of->findings->list, of->findings->count) =
			(struct finding){
				.line = list[i].line,
				.from = list[from].line,
				.to = list[to].line,
			};
	}
}

/* Whether the way to the mark is one past statements. Code that other lines may share is so only
 * where it is near: a way to code further down is more likely one out of the function. No way out
 * of the instance tells: it may be one that doesn't come back. */
static bool is_way_past(const struct mark *mark, const struct mark *next)
{
	enum { NEAR = 4 }; /* statements */

	return next->statement > mark->statement &&
	       (!next->is_shared || next->statement - mark->statement <= NEAR);
}

void jumped_over_find(struct resolver *resolver, const struct instance *instance,
		      const struct nesting *nesting, struct findings *ret)
{
	struct arena own = {0};
	struct jumping of = {resolver, instance, nesting, ret,
			     arena_array(&own, bool, nesting->count + 1)};

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];
		bool is_told = nesting_knows(nesting, mark) && !mark->is_shared;

		for (unsigned j = 0; is_told && j < mark->nnext; j++) {
			const struct mark *next = &nesting->steps[mark->next[j]];

			if (is_way_past(mark, next))
				look(&of, mark->statement, next->statement);
		}
	}
	arena_deinit(&own);
}
