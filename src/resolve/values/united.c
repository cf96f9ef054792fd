// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds structs of which gcc says, where ways meet, what is true on some of them only.
 *
 * The surprise: what gcc knows of a number is what all ways agree on; of a struct that is in
 * registers it is what any of them says (variable_union() in its var-tracking.cc). So at a loop's
 * head half of a struct may be in a register that a call has changed in the round before.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"

static bool may_set(const struct effect *effect, const struct expr *expr, bool in_memory)
{
	if (!expr)
		return false;
	return in_memory ? effect->store_size > 0 :
	       expr->op == EXPR_REG && expr->value < 64 && effect->written >> expr->value & 1;
}

/* Whether the instruction may set a part of it. */
static bool sets_part(const struct walk *walk, uint64_t address)
{
	const struct loc *loc = &walk->variable->loc;
	struct effect effect;
	struct insn insn;

	if (!code_effect(walk->resolver, address, &insn, &effect) || insn.is_call)
		return true;
	for (unsigned i = 0; i < loc->npieces; i++)
		if (may_set(&effect, loc->pieces[i].expr, loc->pieces[i].in_memory))
			return true;
	return !loc->npieces && may_set(&effect, loc->expr, loc->kind == LOC_MEMORY);
}

/* A loop around an inlined copy brings its parameters along outside the copy: is_entry is for what
 * the list says there. */
static bool is_brought(const struct walk *walk, const struct path *way)
{
	const struct variable *before = variable_at(walk, (struct position){
		.address = way->from, .view = VIEW_LAST, .is_entry = true});

	return before && loc_equal(&before->loc, &walk->variable->loc);
}

/* Where the list's part begins, and ways meet: a jump sets nothing, and other code only what it
 * writes. */
static bool is_united_at_start(const struct walk *walk, const struct path *ways, unsigned count)
{
	unsigned nways = 0, nlacking = 0;

	for (unsigned i = 0; i < count && !walk->variable->holds_view; i++) {
		if (ways[i].to != walk->variable->holds.start)
			continue;
		nways++;
		nlacking += !is_brought(walk, &ways[i]) &&
			    (ways[i].is_branch || !sets_part(walk, ways[i].from));
	}
	return nways > 1 && nlacking;
}

static bool is_struct(const struct type *type)
{
	return type && (type_is_struct(type) || type->kind == TYPE_ARRAY);
}

/* Memory keeps what it has on ways of which the list has the variable elsewhere. */
static bool is_in_registers(const struct loc *loc)
{
	for (unsigned i = 0; i < loc->npieces; i++)
		if (loc->pieces[i].expr && !loc->pieces[i].in_memory)
			return true;
	return loc->kind == LOC_VALUE;
}

bool is_united(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct flow *flow =
		is_by_gcc(walk) && is_struct(variable->type) && is_in_registers(&variable->loc) ?
			passing_flow(walk->resolver, walk->instance) : NULL;
	struct range holds = variable->holds;
	struct path *ways;
	unsigned count;

	if (!flow)
		return false;
	holds.end += holds.end == at.address;
	count = flow_ways_into(flow, &walk->resolver->scratch, holds, &ways);
	if (is_united_at_start(walk, ways, count))
		return true;
	for (unsigned i = 0; i < count; i++)
		if (ways[i].to != holds.start && !is_brought(walk, &ways[i]) &&
		    (ways[i].to == at.address ||
		     flow_reaches_from(flow, &ways[i].to, 1, at.address, &holds.start, 1)))
			return true;
	return false;
}
