// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a constant may be what a variable was on another way. Where clang folds a branch, it
 * drops what the branch's arm makes of a variable (`found = 1; break;`), or keeps that for both
 * ways, once a cmov chooses between them.
 *
 * The surprise: neither leaves a contradiction. A constant that is said to hold for a whole scope is
 * what the variable begins with; the statement that changes it has no code and no location.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

bool is_read_only(const struct type *type)
{
	size_t length = strlen(type->name);

	return type->kind == TYPE_POINTER ?
		       length > 6 && !strcmp(type->name + length - 6, " const") :
		       !strncmp(type->name, "const ", 6);
}

static bool is_in(const struct range *ranges, unsigned count, uint64_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (ranges[i].start <= address && address < ranges[i].end)
			return true;
	return false;
}

/* Whether the variable's scope, of which copies that are called aren't a part, has the address. */
static bool is_in_scope(const struct line_code *of, const struct variable *variable,
			uint64_t address)
{
	const struct row *row = row_around(of, address);
	bool is_block = variable->nblock;

	return is_in(is_block ? variable->block : of->instance->ranges,
		     is_block ? variable->nblock : of->instance->nranges, address) &&
	       (!row || is_own_row(of->instance, row));
}

/* Whether the instruction decides about what comes behind it. */
static bool decides(const struct walk *walk, uint64_t address, bool by_choice)
{
	struct effect effect;
	struct insn insn;

	return code_effect(walk->resolver, address, &insn, &effect) &&
	       (insn.is_choice || (!by_choice && insn.is_branch && insn.falls_through) ||
		(!by_choice && insn.is_table_jump));
}

/* Whether it is one constant for all of its scope, be it by a list. */
static bool is_everywhere(const struct walk *walk)
{
	const struct variable *variable = walk->variable;
	const struct range *ranges = variable->nblock ? variable->block : walk->instance->ranges;
	unsigned count = variable->nblock ?: walk->instance->nranges;

	if (!variable->holds.end)
		return true;
	for (unsigned i = 0; i < count; i++)
		if (!variable_at(walk, (struct position){.address = ranges[i].start,
							 .view = VIEW_LAST}) ||
		    !variable_at(walk, (struct position){.address = ranges[i].end - 1,
							 .view = VIEW_LAST}))
			return false;
	return variable->is_uniform && variable->parts <= count;
}

/* Variables that change begin with 0, 1 or -1 as a rule; another number has a name alone. */
static bool is_first_value(const struct variable *variable)
{
	unsigned size = variable->type->size ? (unsigned)variable->type->size : 8;
	uint64_t mask = size < 8 ? ((uint64_t)1 << size * 8) - 1 : ~(uint64_t)0,
		 value = variable->loc.expr->value & mask;

	return value <= 1 || value == mask;
}

/* Whether a statement of the scope may have been executed on some ways to the position alone. */
static bool has_ways(const struct walk *walk, const struct line_code *of, uint64_t at)
{
	for (unsigned i = 0; i < flow_count(of->flow); i++) {
		uint64_t address = flow_step(of->flow, i).address;

		if (address != at && is_in_scope(of, walk->variable, address) &&
		    decides(walk, address, false) &&
		    flow_reaches_from(of->flow, &address, 1, at, NULL, 0))
			return true;
	}
	return false;
}

/* Whether the constant begins behind another one in straight-line code, and that code chooses before
 * the position. */
static bool is_chosen(const struct walk *walk, const struct line_code *of, uint64_t at)
{
	uint64_t begins = walk->variable->holds.start,
		 start = flow_straight_start(of->flow, begins),
		 end = flow_straight_end(of->flow, begins);
	const struct variable *before = begins <= start ? NULL :
		variable_at(walk, (struct position){.address = begins - 1, .view = VIEW_LAST});
	int first = flow_number(of->flow, start);

	if (!before || !is_constant(before) || first < 0)
		return false;
	end = at >= start && at < end ? at : end;
	for (unsigned i = (unsigned)first; i < flow_count(of->flow); i++) {
		uint64_t address = flow_step(of->flow, i).address;
		const struct row *row = row_around(of, address);

		if (address >= end)
			return false;
		if ((!row || is_own_row(of->instance, row)) && decides(walk, address, true))
			return true;
	}
	return false;
}

bool is_change_lost(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	struct line_code of;

	if (is_by_gcc(walk) || !walk->instance || variable->scope != SCOPE_LOCAL ||
	    !is_constant(variable) || variable->is_artificial || is_read_only(variable->type) ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	of.flow = passing_flow(walk->resolver, walk->instance);
	return of.flow && (is_everywhere(walk) ?
				   is_first_value(variable) && has_ways(walk, &of, at.address) :
				   is_chosen(walk, &of, at.address));
}
