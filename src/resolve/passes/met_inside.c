// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where other code enters a line's code behind its beginning, in code without markers: clang
 * leaves out a statement's first load on the ways that have the value already.
 *
 * The surprise: a row has no end of its own. Up to the next row, code behind a place where ways
 * meet is the line's as well.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/passes.h"

/* Whether the code only loads into registers that it doesn't read, and goes on to behind it: there the
 * statement's values are the same. */
static bool only_loads(const struct line_code *of, uint64_t from, uint64_t to)
{
	struct insn insn = {.length = 1};
	struct effect effect;

	for (uint64_t at = from; at < to; at += insn.length)
		if (!code_effect(of->resolver, at, &insn, &effect) || insn.is_call ||
		    insn.is_branch || effect.store_size || effect.memory != MEMORY_READ ||
		    effect.updated)
			return false;
	return true;
}

/* Whether a statement of another line leads to the address, and nothing of this line but what is
 * directly before it. */
static bool is_met_there(const struct line_code *of, uint64_t first, uint64_t address)
{
	struct range here = {address, address + 1};
	struct path *ways;
	unsigned count = flow_ways_into(of->flow, of->resolver->arena, here, &ways);
	bool is_met = false;

	for (unsigned i = 0; i < count; i++) {
		const struct row *row = row_around(of, ways[i].from);

		if (ways[i].from >= first && ways[i].from < address)
			continue;
		if (row && is_of_line(of->instance, row, of->line))
			return false;
		is_met |= !row || row->line;
	}
	return is_met;
}

/* Whether another address of the line leads there, with no other line between. */
static bool is_reached_by_others(const struct line_code *of, const struct candidates *list,
				 unsigned but, uint64_t address)
{
	struct breaks breaks;

	breaks_collect(of, &breaks);
	for (unsigned i = 0; i < list->count; i++)
		if (i != but &&
		    flow_reaches_from(of->flow, &list->addresses[i], 1, address,
				      breaks.others.addresses, breaks.others.count))
			return true;
	return false;
}

void passes_move_to_joins(const struct line_code *of, struct candidates *list)
{
	for (unsigned i = 0; i < list->count; i++) {
		uint64_t first = list->addresses[i], join;
		const struct row *row = row_around(of, first);

		if (!row || row->address != first || !is_of_line(of->instance, row, of->line))
			continue;
		join = flow_straight_end(of->flow, first);
		if (join < row->end && only_loads(of, first, join) &&
		    is_met_there(of, first, join) && !is_reached_by_others(of, list, i, join))
			list->addresses[i] = join;
	}
}
