// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a parameter may lack what its function's head has made of it. gcc splits a function
 * with a short head, and gives the part behind it the parameters as the head was given them. What
 * the head changes is computed anew in the part (`n -= 2; ... n -= 8;` is one subtraction of 10),
 * and the change's own location is left in the head.
 *
 * The surprise: an inlined part says that it is called where the function is declared. Inside a
 * copy of the head, it describes the function's variables once more.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/kinds.h"
#include "resolve/values/doubts.h"

/* Whether the instance is what is left of its function without the head. */
static bool is_split_off(const struct walk *walk)
{
	const struct instance *instance = walk->instance;

	return instance->inlined ? instance->call_line == instance->function->line :
				   is_part(walk->resolver, instance);
}

static bool is_same(const struct variable *one, const struct variable *other)
{
	return one->loc.kind == other->loc.kind && expr_equal(one->loc.expr, other->loc.expr);
}

/* Whether the head computes what it has: no copy, and nothing that was somewhere already. */
static bool is_computed(const struct walk *walk, const struct flow *flow,
			const struct variable *variable)
{
	int number = flow_number(flow, variable->holds.start);
	struct effect effect;
	struct insn insn;

	if (variable->loc.kind != LOC_VALUE || is_constant(variable))
		return false;
	if (!is_in_register(variable))
		return variable->loc.expr->b;
	return number > 0 && variable->holds.start > walk->instance->entry &&
	       !(code_effect(walk->resolver, flow_step(flow, (unsigned)number - 1).address, &insn,
			     &effect) &&
		 effect.copy_to == (int)variable->loc.expr->value);
}

/* Whether the head has computed the parameter anew, right before the part, which has it
 * elsewhere. */
static bool differs_from_head(const struct walk *walk)
{
	uint64_t start = walk->variable->half;
	const struct flow *flow = passing_flow(walk->resolver, walk->instance);
	struct variable *before;
	struct path *ways;
	unsigned count = flow ? flow_ways_into(flow, &walk->resolver->scratch,
					       (struct range){start, start + 1}, &ways) : 0;

	for (unsigned i = 0; i < count; i++) {
		const struct position from = {.address = ways[i].from, .view = VIEW_LAST};

		if (!resolve_local(walk->resolver, walk->instance, from, walk->want->base,
				   &before) &&
		    before && !before->half && !is_same(before, walk->variable) &&
		    is_computed(walk, flow, before))
			return true;
	}
	return false;
}

bool is_before_head(const struct walk *walk, struct position at, bool is_own)
{
	const struct variable *variable = walk->variable;

	if (!is_by_gcc(walk) || at.is_entry || variable->scope != SCOPE_PARAMETER)
		return false;
	if (is_own && variable->holds.start > (variable->half ?: walk->instance->entry))
		return false; /* a statement of the part has set it */
	return variable->half ? differs_from_head(walk) : is_split_off(walk);
}
