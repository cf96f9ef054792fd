// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a variable may be described as it was before a loop. Where gcc counts by one
 * variable alone, of `for (; n--; i++)`, it may drop what the loop does to the other, and describes
 * that one by what both were before the loop.
 *
 * The surprise: the description contradicts nothing. It is what a variable has that the loop leaves
 * alone, and which no code of the loop uses.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/points/flow.h"
#include "resolve/values/walk.h"

enum { MOST_PARTS = 16 };

/* The parts of the code where the variable is the same expression, as far as they were looked at.
 */
struct trail {
	const struct walk *walk;
	const struct flow *flow;
	uint64_t written; /* the registers that the loop sets */
	uint64_t parts[MOST_PARTS]; /* their starts */
	unsigned nparts;
};

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

/* The registers that it is computed from, one bit each; *count: of all that it is computed from. */
static uint64_t sources_of(const struct expr *expr, unsigned *count)
{
	if (!expr)
		return 0;
	if (expr->op == EXPR_ENTRY || (expr->op == EXPR_REG && expr->value < 64))
		++*count;
	if (expr->op == EXPR_REG && expr->value < 64)
		return (uint64_t)1 << expr->value;
	return expr->op == EXPR_ENTRY ? 0 :
					sources_of(expr->a, count) | sources_of(expr->b, count);
}

static bool reaches(const struct flow *flow, uint64_t from, uint64_t to)
{
	return from == to || flow_reaches_from(flow, &from, 1, to, NULL, 0);
}

/* The registers that the loop around the address sets, but for what its calls do. */
static uint64_t set_in_loop(const struct trail *trail, uint64_t address)
{
	uint64_t written = 0;

	for (unsigned i = 0; i < flow_count(trail->flow); i++) {
		uint64_t at = flow_step(trail->flow, i).address;
		struct effect effect;
		struct insn insn;

		if (reaches(trail->flow, address, at) && reaches(trail->flow, at, address) &&
		    code_effect(trail->walk->resolver, at, &insn, &effect) && !insn.is_call)
			written |= effect.written;
	}
	return written;
}

static bool is_replaced(struct trail *trail, const struct variable *variable);

/* Whether the variable there is the same by another expression, of a register that the loop sets;
 * or that is so on a way to there. */
static bool is_replaced_at(struct trail *trail, const struct variable *variable, struct position at)
{
	const struct variable *before = variable_at(trail->walk, at);
	unsigned count = 0;

	if (!before || before->loc.kind != LOC_VALUE)
		return false;
	if (expr_equal(before->loc.expr, variable->loc.expr))
		return is_replaced(trail, before);
	return (sources_of(before->loc.expr, &count) & trail->written) != 0;
}

static bool is_replaced(struct trail *trail, const struct variable *variable)
{
	uint64_t start = variable->holds.start;
	struct path *ways;
	unsigned count;

	if (!is_new(trail, start))
		return false;
	if (is_replaced_at(trail, variable, (struct position){.address = start}))
		return true;
	count = flow_ways_into(trail->flow, trail->walk->resolver->arena, variable->holds, &ways);
	for (unsigned i = 0; i < count; i++)
		if (is_replaced_at(trail, variable, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		}))
			return true;
	return false;
}

bool is_of_first_round(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	struct trail trail = {.walk = walk};
	unsigned count = 0;
	uint64_t own;

	if (!is_by_gcc(walk) || variable->scope != SCOPE_LOCAL || variable->loc.kind != LOC_VALUE ||
	    expr_uses(variable->loc.expr, EXPR_LOAD))
		return false;
	own = sources_of(variable->loc.expr, &count);
	if (count < 2)
		return false;
	trail.flow = passing_flow(walk->resolver, walk->instance);
	if (!trail.flow || !flow_reaches_from(trail.flow, &at.address, 1, at.address, NULL, 0))
		return false;
	trail.written = set_in_loop(&trail, at.address);
	return !(own & trail.written) && is_replaced(&trail, variable);
}
