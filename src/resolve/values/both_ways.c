// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a constant is what a variable is on another way than this. A function that clang
 * inlines returns one of two constants, by a branch of its own. What the caller tests is then
 * folded into that branch, and clang says behind both ways what one of them returned.
 */
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/trail.h"

/* Whether code without branches, from the step on, comes to where the variable begins as the
 * constant. */
static bool begins_with(const struct trail *trail, int number, const struct expr *constant)
{
	enum { MOST_STEPS = 64 };

	for (unsigned i = 0; number >= 0 && i < MOST_STEPS; i++) {
		struct flow_step step = flow_step(trail->flow, (unsigned)number);
		const struct variable *there =
			variable_at(trail->walk, (struct position){.address = step.address});

		if (there)
			return there->holds.start == step.address && is_constant(there) &&
			       expr_equal(there->loc.expr, constant);
		number = step.next[1] < 0 && step.next[2] < 0 ? step.next[0] :
			 step.next[0] < 0 && step.next[2] < 0 ? step.next[1] : -1;
	}
	return false;
}

/* Whether the instruction is of a copy that is called, as far as file and line say. */
static bool is_called_code(const struct walk *walk, uint64_t address)
{
	const struct row *row;
	struct line_code of;

	if (line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	row = row_around(&of, address);
	return row && !is_own_row(walk->instance, row);
}

/* Whether the constant begins behind a branch that isn't taken, of a copy that is called, and
 * begins on the other way as well; before the branch the variable has no value. Nobody branches to
 * return the same: clang folds what the caller tests, and says of both ways what is true of one. */
bool is_of_both_ways(const struct trail *trail, const struct variable *variable)
{
	uint64_t start = flow_straight_start(trail->flow, variable->holds.start);
	int number = is_by_gcc(trail->walk) ? 0 :
					      flow_number(trail->flow, variable->holds.start);

	while (number-- > 0) {
		struct flow_step step = flow_step(trail->flow, (unsigned)number);

		if (step.address < start ||
		    variable_at(trail->walk, (struct position){
			    .address = step.address, .view = VIEW_LAST}))
			break;
		for (unsigned i = 0; i < 3; i++)
			if (step.next[i] >= 0 && step.next[i] != number + 1 &&
			    begins_with(trail, step.next[i], variable->loc.expr) &&
			    is_called_code(trail->walk, step.address))
				return true;
	}
	return false;
}

/* Whether an instruction of the function has no row of it: it is a copy's. or_shared: or has a row
 * without a line, as what several lines share. */
static bool is_no_own_code(const struct walk *walk, uint64_t address, bool or_shared)
{
	const struct row *row;
	struct line_code of;

	if (!is_inside(walk->instance, address) ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	row = row_around(&of, address);
	return !row || (!is_own_row(walk->instance, row) && (row->line || or_shared));
}

/* Where the constant begins right behind the branch, on one of its ways but the one to `but`; 0:
 * nowhere. */
static uint64_t begins_behind(const struct trail *trail, struct flow_step branch, uint64_t but,
			      const struct expr *constant)
{
	for (unsigned i = 0; i < 3; i++) {
		uint64_t to = branch.next[i] < 0 ?
				      but :
				      flow_step(trail->flow, (unsigned)branch.next[i]).address;
		const struct variable *there =
			to == but ? NULL : variable_at(trail->walk,
						       (struct position){.address = to});

		if (there && there->holds.start == to && is_constant(there) &&
		    expr_equal(there->loc.expr, constant))
			return to;
	}
	return 0;
}

/* Whether it begins behind such a branch, in the part of the list or, without that, anywhere, but
 * not at that address. */
static bool begins_behind_any(const struct trail *trail, const struct range *part, uint64_t but,
			      const struct expr *constant)
{
	for (unsigned i = 0; i < flow_count(trail->flow); i++) {
		struct flow_step step = flow_step(trail->flow, i);

		if ((!part || (part->start <= step.address && step.address < part->end)) &&
		    (step.next[0] >= 0) + (step.next[1] >= 0) + (step.next[2] >= 0) > 1 &&
		    begins_behind(trail, step, but, constant) &&
		    is_no_own_code(trail->walk, step.address, true))
			return true;
	}
	return false;
}

bool begins_behind_copy(const struct trail *trail, const struct variable *variable)
{
	return begins_behind_any(trail, NULL, 0, variable->loc.expr);
}

/* Whether the constant begins behind a branch of a copy that is called, and behind another one of
 * that copy as well, at other code; before both the variable is one other constant. What goes on
 * with the same result goes on with the same code: clang leads each way of the copy to what the
 * caller makes of its result, and says of each what one of them returned. */
bool is_of_several_ways(const struct trail *trail, const struct variable *variable)
{
	uint64_t start = variable->holds.start;
	const struct variable *before = NULL;
	struct path *ways;
	unsigned count;

	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch,
			       (struct range){start, start + 1}, &ways);
	for (unsigned i = 0; i < count; i++) {
		before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
		if (!before || !ways[i].is_branch || !is_constant(before) ||
		    expr_equal(before->loc.expr, variable->loc.expr) ||
		    !is_no_own_code(trail->walk, ways[i].from, false))
			return false;
	}
	return before && begins_behind_any(trail, &before->holds, start, variable->loc.expr);
}
