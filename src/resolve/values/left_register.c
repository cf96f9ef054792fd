// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that clang's list names a register that the variable has left: on a way to the position
 * another one has it newer, or another variable has taken the register.
 *
 * The surprise: both variables may be there, as one is a part of the other.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"

/* Whether straight-line code up to the instruction begins the variable's part by changing that
 * register by what is in it, and leaves the other register alone since. */
static bool is_newer(const struct walk *walk, const struct flow *flow,
		     const struct variable *before, uint64_t from, uint64_t other)
{
	int first = flow_number(flow, before->holds.start) - 1, last = flow_number(flow, from);
	uint64_t number = before->loc.expr->value;
	struct effect effect;
	struct insn insn;

	if (first < 0 || last < first || number == other ||
	    flow_step(flow, (unsigned)first).address < flow_straight_start(flow, from))
		return false;
	for (int i = first; i <= last; i++)
		if (!code_effect(walk->resolver, flow_step(flow, (unsigned)i).address, &insn,
				 &effect) ||
		    insn.is_call || effect.written >> other & 1 ||
		    (i == first && !(effect.updated >> number & 1)))
			return false;
	return true;
}

/* Whether a way leads into the variable's part, and to the address, on which another register has
 * it newer. */
static bool is_newer_on_a_way(const struct walk *walk, const struct flow *flow, uint64_t address)
{
	const struct range *holds = &walk->variable->holds;
	struct path *ways;
	unsigned count = flow_ways_into(flow, &walk->resolver->scratch, *holds, &ways);

	for (unsigned i = 0; i < count; i++) {
		const struct variable *before = variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		if (ways[i].is_branch && before && is_in_register(before) &&
		    is_newer(walk, flow, before, ways[i].from, walk->variable->loc.expr->value) &&
		    (ways[i].to == address ||
		     (address != holds->start &&
		      flow_reaches_from(flow, &ways[i].to, 1, address, &holds->start, 1))))
			return true;
	}
	return false;
}

/* Whether the instruction before the variable's part writes to its register. */
static bool is_put_there(const struct walk *walk, const struct flow *flow,
			 const struct variable *variable, uint64_t register_number)
{
	int number = flow_number(flow, variable->holds.start);
	struct effect effect;
	struct insn insn;

	return number > 0 &&
	       code_effect(walk->resolver, flow_step(flow, (unsigned)number - 1).address, &insn,
			   &effect) &&
	       effect.written >> register_number & 1;
}

/* Whether another variable, of another size, is said to be in the register as well, and was put
 * there since; or is a smaller one that was there before, and nothing was put there since. A larger
 * one may hold both: `char tiny = wide;`. */
static bool is_anothers(const struct walk *walk, const struct flow *flow, struct position at)
{
	const struct variable *own = walk->variable, *other;
	uint64_t number = own->loc.expr->value;
	struct variable *others;
	unsigned count;

	if (debuginfo_variables(walk->resolver->info, walk->instance, at, false, &others, &count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		other = &others[i];
		if (other->source == own->source || !other->holds.end ||
		    other->type->size == own->type->size || !is_in_register(other) ||
		    other->loc.expr->value != number)
			continue;
		if (other->holds.start > own->holds.start ?
			    is_put_there(walk, flow, other, number) :
			    other->holds.start < own->holds.start &&
				    other->type->size < own->type->size &&
				    !is_put_there(walk, flow, own, number))
			return true;
	}
	return false;
}

bool is_left_register(const struct walk *walk, struct position at)
{
	const struct flow *flow = !is_by_gcc(walk) && walk->instance &&
						  is_in_register(walk->variable) ?
					  passing_flow(walk->resolver, walk->instance) : NULL;

	return flow && (is_newer_on_a_way(walk, flow, at.address) || is_anothers(walk, flow, at));
}
