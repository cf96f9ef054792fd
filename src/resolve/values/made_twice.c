// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether debug information makes of a variable once more what code has made of it. Of
 * `total -= part` gcc leaves out the subtraction on a way where part is 0, and behind the place
 * where the ways meet says `register - part`, which is right on that way alone.
 *
 * The surprise: the opposite is common and right. A register may count ahead, and the variable is
 * what it is less the step.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"

/* What a way that leads to the variable's part does to the register that the variable is in. */
enum way {
	WAY_OTHER, /* the variable isn't in it */
	WAY_KEEPS,
	WAY_SETS,    /* to something else */
	WAY_CHANGES, /* by what is in it */
	WAY_ADDS,    /* the same that debug information adds to it */
};

/* What the value adds to the register; NULL: it adds nothing to it. */
static const struct expr *summand_of(const struct expr *value, uint64_t number)
{
	if (value->op == EXPR_EXTEND)
		return summand_of(value->a, number);
	if (value->op != EXPR_ADD)
		return NULL;
	if (value->a->op == EXPR_REG && value->a->value == number)
		return value->b;
	return value->b->op == EXPR_REG && value->b->value == number ? value->a : NULL;
}

/* Whether the instruction adds that, or, if it isn't a constant, something that isn't either. */
static bool adds(const struct insn *insn, const struct effect *effect, uint64_t number,
		 const struct expr *summand)
{
	if (summand && summand->op == EXPR_CONST)
		return effect->sum_of == (int)number && (uint64_t)effect->summand == summand->value;
	return summand && insn->sum_register == (int)number;
}

static bool is_in(const struct walk *walk, uint64_t address, uint64_t number)
{
	const struct variable *there = variable_at(walk, (struct position){
		.address = address, .view = VIEW_LAST,
	});

	return there && is_in_register(there) && there->loc.expr->value == number;
}

/* What straight-line code does up to the instruction last. */
static enum way way_to(const struct walk *walk, const struct flow *flow, uint64_t last,
		       uint64_t number)
{
	const struct expr *summand = summand_of(walk->variable->loc.expr, number);
	uint64_t start = flow_straight_start(flow, last), address = last;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(flow, last); i >= 0; i--) {
		address = flow_step(flow, (unsigned)i).address;
		if (address < start)
			break;
		if (!code_effect(walk->resolver, address, &insn, &effect) || insn.is_call)
			return WAY_OTHER;
		if (!(effect.written >> number & 1))
			continue;
		if (!is_in(walk, address, number))
			return WAY_OTHER;
		if (!(effect.updated >> number & 1))
			return WAY_SETS;
		return adds(&insn, &effect, number, summand) ? WAY_ADDS : WAY_CHANGES;
	}
	return is_in(walk, last, number) ? WAY_KEEPS : WAY_OTHER;
}

/* Whether the ways into the variable's part have added the same to the register, or one has changed
 * it and another one has not. */
static bool is_changed_on_a_way(const struct walk *walk, const struct flow *flow, uint64_t number)
{
	uint64_t start = walk->variable->holds.start;
	int step = flow_number(flow, start);
	bool found[WAY_ADDS + 1] = {false};
	struct path *ways;
	unsigned count;

	if (step > 0 && flow_is_straight(flow, start))
		return way_to(walk, flow, flow_step(flow, (unsigned)step - 1).address, number) ==
		       WAY_ADDS;
	count = flow_ways_into(flow, &walk->resolver->scratch, (struct range){start, start + 1},
			       &ways);
	for (unsigned i = 0; i < count; i++)
		found[way_to(walk, flow, ways[i].from, number)] = true;
	return found[WAY_ADDS] ||
	       (found[WAY_CHANGES] && (found[WAY_KEEPS] || found[WAY_SETS]));
}

bool is_made_twice(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct expr *value = variable->loc.expr;
	uint64_t registers = expr_registers(value);
	const struct flow *flow;

	(void)at; /* the list's part has the same answer everywhere */
	if (!is_by_gcc(walk) || variable->loc.kind != LOC_VALUE || value->op == EXPR_REG ||
	    value->op == EXPR_LOAD || !walk->instance || !registers)
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	for (uint64_t number = 0; flow && registers >> number; number++)
		if (registers >> number & 1 && is_changed_on_a_way(walk, flow, number))
			return true;
	return false;
}
