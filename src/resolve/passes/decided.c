// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds tests of which gcc left marks only where they were decided already: all marks of an `if`
 * lead to its body without an instruction, as the ways past the body go from an earlier test to
 * what is behind it.
 *
 * The surprise: that says nothing of a function with several copies, as the arguments of each may
 * decide the test.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

enum { NOT_MET = -2 };

/* The statement of the header's body whose mark is behind the header's at its address; -1: none. */
static int entered_body(const struct nesting *nesting, const struct mark *mark)
{
	const struct mark *next = mark + 1;

	return next < nesting->steps + nesting->nsteps && next->address == mark->address &&
			       next->statement > mark->statement &&
			       nesting->list[next->statement].is_sure &&
			       nesting_header(nesting, next->statement) == mark->statement ?
		       next->statement :
		       -1;
}

/* Whether the statement's mark is met again from its body. */
static bool is_loop(const struct nesting *nesting, int statement)
{
	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];

		if (mark->statement < statement ||
		    !nesting_is_in(nesting, mark->statement, statement))
			continue;
		for (unsigned j = 0; j < mark->nnext; j++)
			if (nesting->steps[mark->next[j]].statement == statement)
				return true;
	}
	return false;
}

/* Whether a way leads from a statement before this one to one behind its body, in its block. */
static bool is_passed_by(const struct nesting *nesting, int statement)
{
	int block = nesting_header(nesting, statement);

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];

		if (mark->statement >= statement || mark->statement <= block ||
		    !nesting_is_in(nesting, mark->statement, block))
			continue;
		for (unsigned j = 0; j < mark->nnext; j++) {
			int to = nesting->steps[mark->next[j]].statement;

			if (to > statement && !nesting_is_in(nesting, to, statement) &&
			    nesting_is_in(nesting, to, block))
				return true;
		}
	}
	return false;
}

static bool is_only_copy(struct resolver *resolver, const struct instance *instance)
{
	const struct function *function = instance->function;
	struct instance **all;
	unsigned count, same = 0;

	if (debuginfo_instances(resolver->info, function->name, &all, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		same += is_same_function(all[i]->function, function);
	return same == 1;
}

/* Writes for each statement the one of its body that all of its marks lead to; else what isn't one.
 */
static void collect_bodies(const struct nesting *nesting, int *bodies)
{
	for (unsigned i = 0; i < nesting->count; i++)
		bodies[i] = NOT_MET;
	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];
		int body;

		if (mark->statement < 0)
			continue;
		body = entered_body(nesting, mark);
		if (bodies[mark->statement] == NOT_MET)
			bodies[mark->statement] = body;
		else if (bodies[mark->statement] != body)
			bodies[mark->statement] = -1;
	}
}

void decided_find(struct resolver *resolver, const struct instance *instance,
		  const struct nesting *nesting, struct findings *ret)
{
	int *bodies = arena_array(resolver->arena, int, nesting->count + 1);

	collect_bodies(nesting, bodies);
	for (unsigned i = 0; i < nesting->count; i++)
		if (bodies[i] >= 0 && nesting->list[i].is_sure && !is_loop(nesting, (int)i) &&
		    is_passed_by(nesting, (int)i) && is_only_copy(resolver, instance))
			arena_append(resolver->arena, ret->list, ret->count) = (struct finding){
				.line = nesting->list[i].line,
				.to = nesting->list[bodies[i]].line,
				.is_decided = true,
			};
}
