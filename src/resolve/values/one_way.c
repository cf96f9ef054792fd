// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a constant is what gcc's code makes of a variable on one way alone.
 *
 * The surprise: nothing else is said of the variable. gcc's analysis knows no value for the other
 * way; and a list whose only entry is a constant, up to the code's end, is written as one number
 * for all of the variable's scope.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"
#include "resolve/values/reaching.h"
#include "resolve/values/trail.h"

bool is_made_by_code(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	struct line_code of;

	(void)at;
	if (!is_by_gcc(walk) || !variable->declared || variable->scope != SCOPE_LOCAL ||
	    line_code_read(walk->resolver, walk->instance, variable->declared, &of))
		return false;
	for (unsigned i = 0; i < of.nrows; i++)
		if (is_of_line(of.instance, &of.rows[i], of.line) && has_instruction(&of.rows[i]))
			return true;
	return false;
}

bool is_same_number(const struct variable *variable, int64_t constant)
{
	unsigned bits = variable->type->size < 8 ? (unsigned)variable->type->size * 8 : 64;

	return bits && !((variable->loc.expr->value ^ (uint64_t)constant) << (64 - bits));
}

/* What the straight-line code that ends with the instruction leaves in registers, one bit each. */
struct left {
	uint64_t same; /* the constant that the variable is */
	uint64_t made; /* something that is no constant */
};

static struct left left_before(const struct trail *trail, uint64_t end)
{
	uint64_t start = flow_straight_start(trail->flow, end), written = 0;
	struct left ret = {0};
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(trail->flow, end); i >= 0; i--) {
		uint64_t address = flow_step(trail->flow, (unsigned)i).address;

		if (address < start ||
		    !code_effect(trail->walk->resolver, address, &insn, &effect) || insn.is_call)
			break;
		if (effect.constant_to == NO_REGISTER)
			ret.made |= effect.written & ~written;
		else if (is_same_number(trail->walk->variable, effect.constant))
			ret.same |= (uint64_t)1 << effect.constant_to & ~written;
		written |= effect.written;
	}
	return ret;
}

/* Those of the registers that keep what they have where the straight-line code starts, and are read
 * behind the address. */
static uint64_t read_behind(const struct trail *trail, uint64_t start, uint64_t address,
			    uint64_t registers)
{
	uint64_t end = flow_straight_end(trail->flow, address), read = 0;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(trail->flow, start);
	     i >= 0 && (unsigned)i < flow_count(trail->flow); i++) {
		uint64_t here = flow_step(trail->flow, (unsigned)i).address;

		if (here >= end || !code_effect(trail->walk->resolver, here, &insn, &effect))
			break;
		read |= here >= address ? effect.read & registers : 0;
		registers &= ~effect.written;
	}
	return read;
}

/* Whether code behind the constant's beginning reads one of the registers. What a call in a loop
 * gives as its argument is often the constant with which the loop's counter begins. gcc names the
 * counter's register: it is no argument's. */
static bool is_read(const struct trail *trail, uint64_t start, uint64_t registers)
{
	const struct variable *variable = trail->walk->variable;

	if (variable->scope == SCOPE_PARAMETER && trail->walk->instance->inlined)
		registers = unnamed_registers(trail->walk, registers);
	return registers && read_behind(trail, start, variable->holds.start, registers);
}

bool is_of_one_way(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	struct trail trail = {.walk = walk};
	uint64_t start, constant = 0, made = 0;
	struct path *ways;
	struct left left;
	unsigned count;

	(void)at; /* the list's part has the same answer everywhere */
	if (!is_by_gcc(walk) || !is_constant(variable))
		return false;
	trail.flow = passing_flow(walk->resolver, walk->instance);
	start = trail.flow ? flow_straight_start(trail.flow, variable->holds.start) : 0;
	if (!start || (start != variable->holds.start &&
		       variable_at(walk, (struct position){.address = variable->holds.start - 1,
							   .view = VIEW_LAST})))
		return false;
	count = flow_ways_into(trail.flow, &walk->resolver->scratch,
			       (struct range){start, start + 1}, &ways);
	for (unsigned i = 0; count > 1 && i < count; i++) {
		if (variable_at(walk, (struct position){.address = ways[i].from,
							.view = VIEW_LAST}))
			return false;
		left = left_before(&trail, ways[i].from);
		constant |= left.same;
		made |= left.made;
	}
	return is_read(&trail, start, constant & made) || is_unnamed_place_read(&trail);
}
