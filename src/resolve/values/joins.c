// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a variable that is said to be a constant against what is said of it on the ways that lead
 * there: a jump changes no variable.
 *
 * The surprise: gcc says of a whole loop what is true of its first round only, `empty = 1`, though
 * at the loop's end its list has what the round made of it.
 */
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/points/flow.h"
#include "resolve/values/walk.h"

enum { MOST_PARTS = 16 };

/* The parts of the code where the variable is that constant, as far as they were looked at. */
struct trail {
	const struct walk *walk;
	const struct flow *flow;
	uint64_t parts[MOST_PARTS]; /* their starts */
	unsigned nparts;
};

static bool is_constant(const struct variable *variable)
{
	return variable->loc.kind == LOC_VALUE && variable->loc.expr->op == EXPR_CONST;
}

bool may_be_contradicted(const struct variable *variable)
{
	return is_constant(variable) && !variable->is_uniform;
}

static bool is_new(struct trail *trail, uint64_t part)
{
	for (unsigned i = 0; i < trail->nparts; i++)
		if (trail->parts[i] == part)
			return false;
	if (trail->nparts == MOST_PARTS)
		return false;
	trail->parts[trail->nparts++] = part;
	return true;
}

static bool leads(const struct trail *trail, const struct path *way, uint64_t address)
{
	return way->to == address || flow_reaches_from(trail->flow, &way->to, 1, address, NULL, 0);
}

/* At the first instruction of a part a statement may set the variable, but then behind the
 * statement's own view; what no views are told of may be set there. */
static bool is_other(const struct variable *variable, const struct variable *before,
		     const struct path *way)
{
	if (way->to != variable->holds.start)
		return true;
	return way->is_branch && !variable->holds_view && is_constant(before);
}

/* Whether the constant is set again where two ways have met, on one of which it was that constant
 * already: gcc leaves the statements of a block that it empties to the block behind, where they
 * hold for the other way as well. */
static bool is_from_one_way(const struct trail *trail, const struct variable *variable)
{
	uint64_t start = flow_straight_start(trail->flow, variable->holds.start);
	bool is_same = false, is_changed = false;
	struct path *ways;
	unsigned count;

	count = flow_ways_into(trail->flow, trail->walk->resolver->arena,
			       (struct range){start, start + 1}, &ways);
	for (unsigned i = 0; count > 1 && i < count; i++) {
		const struct variable *before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
		bool is_equal = before && is_constant(before) &&
				expr_equal(before->loc.expr, variable->loc.expr);

		is_same |= is_equal;
		is_changed |= before && !is_equal;
	}
	return is_same && is_changed;
}

/* Follows the ways back, from part to part, as far as the constant is the same. */
static bool is_wrong_at(struct trail *trail, const struct variable *variable, uint64_t address)
{
	struct path *ways;
	unsigned count;

	if (!is_new(trail, variable->holds.start))
		return false;
	if (variable->holds_view && variable->holds_view != VIEW_LAST &&
	    is_from_one_way(trail, variable))
		return true;
	count = flow_ways_into(trail->flow, trail->walk->resolver->arena, variable->holds, &ways);
	for (unsigned i = 0; i < count; i++) {
		const struct position from = {.address = ways[i].from, .view = VIEW_LAST};
		const struct variable *before = variable_at(trail->walk, from);

		if (!before || !leads(trail, &ways[i], address))
			continue;
		if (is_constant(before) && expr_equal(before->loc.expr, variable->loc.expr) ?
		    is_wrong_at(trail, before, ways[i].from) : is_other(variable, before, &ways[i]))
			return true;
	}
	return false;
}

bool is_contradicted(const struct walk *walk, const struct flow *flow, struct position at)
{
	struct trail trail = {.walk = walk, .flow = flow};

	return may_be_contradicted(walk->variable) &&
	       is_wrong_at(&trail, walk->variable, at.address);
}
