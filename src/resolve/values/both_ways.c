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
