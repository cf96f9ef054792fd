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
#include "expr/expr.h"
#include "resolve/points/function_code.h"
#include "resolve/points/line_code.h"
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

static bool has_variable(const struct walk *walk, uint64_t address)
{
	return variable_at(walk, (struct position){.address = address, .view = VIEW_LAST});
}

/* Whether the variable has a place already where the constant begins, or on a way to there. */
static bool is_there_before(const struct trail *trail)
{
	const struct walk *walk = trail->walk;
	uint64_t begin = walk->variable->holds.start;
	uint64_t start = flow_straight_start(trail->flow, begin);
	struct path *ways;
	unsigned count;

	if (start != begin && has_variable(walk, begin - 1))
		return true;
	count = flow_ways_into(trail->flow, &walk->resolver->scratch,
			       (struct range){start, start + 1}, &ways);
	for (unsigned i = 0; i < count; i++)
		if (has_variable(walk, ways[i].from))
			return true;
	return false;
}

static bool reads_register(const struct expr *expr, uint64_t number)
{
	return expr && ((expr->op == EXPR_REG && expr->value == number) ||
			reads_register(expr->a, number) || reads_register(expr->b, number));
}

static bool is_variables(const struct variable *variable, const struct spot *place)
{
	if (!variable->loc.expr)
		return false;
	return place->is_slot ? variable->loc.kind == LOC_MEMORY &&
					is_at(variable->loc.expr, place->number, place->offset) :
				reads_register(variable->loc.expr, (uint64_t)place->number);
}

/* Whether debug information has another variable there, where the constant begins. */
static bool is_named(const struct walk *walk, const struct spot *place)
{
	struct position at = {.address = walk->variable->holds.start, .view = VIEW_LAST};
	struct variable *others;
	unsigned count;

	if (debuginfo_variables(walk->resolver->info, walk->instance, at, false, &others, &count))
		return true;
	for (unsigned i = 0; i < count; i++)
		if (is_variables(&others[i], place))
			return true;
	return false;
}

/* Over several joins for parameters alone: a copy's locals often are constants right where it
 * begins, beside what the function around it has in registers. */
static bool is_suspect(const struct trail *trail, struct spot place)
{
	const struct walk *walk = trail->walk;

	return (!place.is_slot && has_both(trail, place, false)) ||
	       (walk->variable->scope == SCOPE_PARAMETER && walk->instance->inlined &&
		has_both(trail, place, true) && !is_named(walk, &place));
}

static bool is_any_suspect(const struct trail *trail, uint64_t registers)
{
	for (int i = 0; i < 64 && registers >> i; i++)
		if (registers >> i & 1 && is_suspect(trail, (struct spot){.number = i}))
			return true;
	return false;
}

/* Whether one of the places is, that the code reads behind the constant's beginning. */
static bool reads_suspect(const struct trail *trail)
{
	const struct walk *walk = trail->walk;
	const struct arch *arch = walk->resolver->arch;
	const struct range *holds = &walk->variable->holds;
	uint64_t end = flow_straight_end(trail->flow, holds->start);
	uint64_t fresh = ~((uint64_t)1 << arch->stack_register);
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(trail->flow, holds->start);
	     i > 0 && (unsigned)i < flow_count(trail->flow); i++) {
		uint64_t here = flow_step(trail->flow, (unsigned)i).address;

		if (here >= end || here >= holds->end || !is_inside(walk->instance, here) ||
		    !code_effect(walk->resolver, here, &insn, &effect))
			break;
		if (is_any_suspect(trail, effect.read & fresh) ||
		    (effect.load_size && (unsigned)effect.load_base == arch->stack_register &&
		     is_suspect(trail, (struct spot){true, effect.load_base, effect.load_offset})))
			return true;
		fresh &= ~(effect.read | effect.written);
		fresh &= insn.is_call ? arch->preserved : UINT64_MAX;
	}
	return false;
}

bool is_of_one_way(const struct walk *walk, struct position at)
{
	struct trail trail = {.walk = walk};

	(void)at; /* the list's part has the same answer everywhere */
	if (!is_by_gcc(walk) || !is_constant(walk->variable))
		return false;
	trail.flow = passing_flow(walk->resolver, walk->instance);
	return trail.flow && !is_there_before(&trail) && reads_suspect(&trail);
}
