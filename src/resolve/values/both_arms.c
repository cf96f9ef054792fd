// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that clang has a variable changed in front of an `if` both of whose arms change it, each
 * with its own statement: what both arms begin or end with, clang puts before the branch.
 *
 * The surprise: such a change has no code, as another variable's register has the new value. What
 * the arms still do with the old one, which no variable is said to be, tells.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

enum { MOST_STEPS = 64 };

/* The register that the variable leaves where its part begins in straight-line code; NO_REGISTER:
 * none. */
static int register_left(const struct walk *walk, const struct flow *flow)
{
	uint64_t start = walk->variable->holds.start;
	const struct variable *prior;

	if (!flow_is_straight(flow, start))
		return NO_REGISTER;
	prior = variable_at(walk, (struct position){.address = start - 1, .view = VIEW_LAST});
	return prior && prior->holds.end == start && is_in_register(prior) &&
			       prior->loc.expr->value != walk->variable->loc.expr->value ?
		       (int)prior->loc.expr->value : NO_REGISTER;
}

/* Whether the first branch behind the beginning of the part has both its ways in the part. */
static bool is_before_branch(const struct walk *walk, const struct flow *flow)
{
	const struct range *holds = &walk->variable->holds;
	unsigned ways = 1;

	for (int i = flow_number(flow, holds->start); i >= 0 && ways == 1;) {
		struct flow_step step = flow_step(flow, (unsigned)i);

		ways = 0;
		for (unsigned j = 0; j < 3; j++) {
			if (step.next[j] < 0)
				continue;
			if (step.next[j] <= i ||
			    flow_step(flow, (unsigned)step.next[j]).address >= holds->end)
				return false;
			ways++;
			i = step.next[j];
		}
	}
	return ways == 2;
}

/* Whether another variable is said to be in the variable's register, and none in the one that it
 * left. */
static bool is_given_another(const struct walk *walk, struct position at, uint64_t left)
{
	const struct variable *own = walk->variable;
	struct variable *others;
	bool is_there = false;
	unsigned count;

	if (debuginfo_variables(walk->resolver->info, walk->instance, at, false, &others, &count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (others[i].source == own->source || !others[i].loc.expr)
			continue;
		if (expr_reads(others[i].loc.expr, left))
			return false;
		is_there |= loc_equal(&others[i].loc, &own->loc);
	}
	return is_there;
}

struct reading {
	const struct walk *walk;
	const struct flow *flow;
	struct line_code of;
	uint64_t left;
	unsigned line;
};

/* Whether the instruction keeps something on the stack. The frame's register may be the
 * variable's. */
static bool is_spill(const struct walk *walk, const struct effect *effect)
{
	const struct arch *arch = walk->resolver->arch;
	unsigned base = (unsigned)effect->store_base;

	return effect->store_size &&
	       (base == arch->stack_register ||
		(base == arch->frame_register && base != walk->variable->loc.expr->value));
}

/* Whether the statement of the instruction, on the line or further down, takes what is in the
 * register. To keep it on the stack is nobody's statement. */
static bool takes(const struct reading *reading, uint64_t address, const struct effect *effect)
{
	const struct row *row = row_around(&reading->of, address);

	return effect->read >> reading->left & 1 && row && row->line >= reading->line &&
	       is_own_row(reading->walk->instance, row) && effect->stack == STACK_KEPT &&
	       !is_spill(reading->walk, effect);
}

/* Whether an execution from the step on comes to such a statement, while the variable is in its
 * part and the other register keeps what it has. */
static bool is_taken(const struct reading *reading, int from)
{
	const struct walk *walk = reading->walk;
	int queue[MOST_STEPS] = {from};
	unsigned count = 1;

	for (unsigned i = 0; i < count; i++) {
		struct flow_step step = flow_step(reading->flow, (unsigned)queue[i]);
		struct effect effect;
		struct insn insn;

		if (step.address >= walk->variable->holds.end ||
		    !code_effect(walk->resolver, step.address, &insn, &effect))
			continue;
		if (takes(reading, step.address, &effect))
			return true;
		if (effect.written >> reading->left & 1 ||
		    (insn.is_call && !(walk->resolver->arch->preserved >> reading->left & 1)))
			continue;
		for (unsigned j = 0; j < 3 && count < MOST_STEPS; j++)
			if (step.next[j] > queue[i])
				queue[count++] = step.next[j];
	}
	return false;
}

/* Whether nothing writes to the register from where the variable's part begins up to the
 * position. */
static bool is_kept(const struct reading *reading, uint64_t address)
{
	uint64_t start = reading->walk->variable->holds.start;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(reading->flow, start);
	     i >= 0 && (unsigned)i < flow_count(reading->flow); i++) {
		uint64_t at = flow_step(reading->flow, (unsigned)i).address;

		if (at >= address)
			return at == address;
		if (!code_effect(reading->walk->resolver, at, &insn, &effect) || insn.is_call ||
		    effect.written >> reading->left & 1)
			return false;
	}
	return false;
}

bool is_of_both_arms(const struct walk *walk, struct position at)
{
	struct reading reading = {.walk = walk, .line = at.line};
	int left, step;

	if (is_by_gcc(walk) || !walk->instance || !at.line || !is_in_register(walk->variable))
		return false;
	reading.flow = passing_flow(walk->resolver, walk->instance);
	step = reading.flow ? flow_number(reading.flow, at.address) : -1;
	left = step >= 0 ? register_left(walk, reading.flow) : NO_REGISTER;
	if (left == NO_REGISTER || !is_before_branch(walk, reading.flow) ||
	    !is_given_another(walk, at, (uint64_t)left) ||
	    line_code_read(walk->resolver, walk->instance, at.line, &reading.of))
		return false;
	reading.left = (uint64_t)left;
	return is_kept(&reading, at.address) && is_taken(&reading, step);
}
