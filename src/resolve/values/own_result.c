// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a value is what the line itself makes of the variable, though it is said to be
 * there at the line's beginning. For `rv -= p2` debug information has `eax - r10d` before the
 * subtraction: gcc places the statement's effect at its marker, which -flto drops, not behind its
 * instruction.
 *
 * The surprise: that is the same number as behind it, so nothing looks wrong.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"
#include "target/code.h"

enum { MOST_INSN_BYTES = 15 };

/* Whether all code from the position to `end` is its line's own, and no marker tells where the
 * line's statement is. */
static bool is_all_of_line(const struct walk *walk, struct position at, uint64_t end)
{
	struct resolver *resolver = walk->resolver;
	struct row *rows;
	unsigned count;

	if (!walk->instance || debuginfo_rows(resolver->info, walk->instance, &rows, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].line == at.line ? rows[i].is_mark :
		    rows[i].address < end && rows[i].end > at.address)
			return false;
	return true;
}

/* Whether the instruction at the address changes a register of the value by what is in it. */
static bool is_updated_at(const struct walk *walk, uint64_t address, const struct expr *value)
{
	struct effect effect;
	struct insn insn;

	return code_effect(walk->resolver, address, &insn, &effect) &&
	       expr_registers(value) & effect.updated;
}

/* Whether the instruction at the position is its line's, and no marker begins a statement of the
 * line there. */
static bool is_unmarked_code(const struct walk *walk, struct position at)
{
	bool is_found = false;
	struct row *rows;
	unsigned count;

	if (!walk->instance || debuginfo_rows(walk->resolver->info, walk->instance, &rows, &count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (rows[i].line != at.line || rows[i].address > at.address ||
		    rows[i].end <= at.address)
			continue;
		if (rows[i].is_mark)
			return false;
		is_found = true;
	}
	return is_found;
}

/* The first address, up to a bound, that isn't code that does nothing. */
static uint64_t behind_padding(const struct walk *walk, uint64_t from, uint64_t bound)
{
	struct effect effect;
	struct insn insn;

	while (from < bound && code_effect(walk->resolver, from, &insn, &effect) && insn.is_padding)
		from += insn.length;
	return from;
}

/* Of `n = 32` all that is left may be the instruction that puts the number into a register; debug
 * information has the number in front of it as well: from there on, which for a parameter is what
 * was passed, or until that register has it. */
static bool is_own_constant(const struct walk *walk, struct position at)
{
	const struct range *holds = &walk->variable->holds;
	const struct variable *after = variable_at(walk, (struct position){
		.address = holds->end, .is_straight = true, .line = at.line,
	});
	struct effect effect;
	struct insn insn;

	after = after ?: variable_at(walk, (struct position){
		.address = behind_padding(walk, holds->end, UINT64_MAX), .view = VIEW_LAST,
	});
	return code_effect(walk->resolver, at.address, &insn, &effect) && !insn.is_call &&
	       effect.written && !effect.read && !effect.updated && effect.memory == MEMORY_NONE &&
	       ((holds->start == at.address && walk->variable->scope == SCOPE_LOCAL) ||
		(after && is_in_register(after) &&
		 effect.written >> after->loc.expr->value & 1)) &&
	       is_unmarked_code(walk, at);
}

bool is_padding(const struct walk *walk, uint64_t from, uint64_t to)
{
	return behind_padding(walk, from, to) == to;
}

/* Whether clang's list begins right at the position with a computed value. It may be what the line
 * makes of the variable: the instruction that made it has become a part of the line's last one
 * (`n |= 8; n >>= 1;`), and behind that the value is another one, or lost. */
static bool may_be_folded(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;

	return !is_by_gcc(walk) && variable->loc.expr->b &&
	       is_padding(walk, variable->holds.start, at.address);
}

static bool copies(const struct effect *effect, uint64_t from, uint64_t to)
{
	return (uint64_t)effect->copy_to == to && (uint64_t)effect->copy_from == from;
}

/* Whether another register has what the variable's has at the address: an instruction copies it
 * there where the variable is in its own, or it came from there and nothing has changed the other
 * since. */
static bool has_copy(const struct walk *walk, const struct flow *flow,
		     const struct variable *variable, uint64_t other, uint64_t address)
{
	const struct range *holds = &variable->holds;
	uint64_t own = variable->loc.expr->value;
	bool is_from = false, is_changed = false;
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; i < flow_count(flow); i++) {
		uint64_t at = flow_step(flow, i).address;

		if (at >= holds->end)
			break;
		if (at + MOST_INSN_BYTES < holds->start)
			continue;
		if (!code_effect(walk->resolver, at, &insn, &effect) ||
		    (at >= holds->start && copies(&effect, own, other)))
			return true;
		is_from |= at + insn.length == holds->start && copies(&effect, other, own);
		is_changed |= at >= holds->start && at <= address &&
			      (insn.is_call || effect.written >> other & 1);
	}
	return is_from && !is_changed;
}

/* Whether clang's list has the variable in one register right at the position, and in another at
 * all branches that lead there, without a copy of it: so a statement gives the variable what
 * another one is, and no line has code between the branch and this one. */
static bool is_given_other(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct range before = {variable->holds.start, at.address + 1};
	const struct flow *flow;
	struct path *ways;
	unsigned count;

	if (is_by_gcc(walk) || !walk->instance || !is_in_register(variable) ||
	    at.address == walk->instance->entry || !is_padding(walk, before.start, at.address))
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	count = flow ? flow_ways_into(flow, &walk->resolver->scratch, before, &ways) : 0;
	for (unsigned i = 0; i < count; i++) {
		const struct variable *from = variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		if (!ways[i].is_branch || !from || !is_in_register(from) ||
		    from->loc.expr->value == variable->loc.expr->value ||
		    has_copy(walk, flow, from, variable->loc.expr->value, ways[i].from))
			return false;
	}
	return count;
}

/* Whether clang's list has the variable in a register right from the position, and all that the
 * instruction there does is to store that where the variable is behind it: `c = *s` has nothing
 * else left where a test of `*s` has loaded it already. */
static bool is_stored_result(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable, *after;
	struct effect effect;
	struct insn insn;

	if (is_by_gcc(walk) || !walk->instance || at.address == walk->instance->entry ||
	    !is_in_register(variable) || variable->holds.start != at.address ||
	    !code_effect(walk->resolver, at.address, &insn, &effect) || !effect.store_size ||
	    (uint64_t)effect.store_register != variable->loc.expr->value)
		return false;
	after = variable_at(walk, (struct position){
		.address = variable->holds.end, .view = VIEW_LAST,
	});
	return after && after->loc.kind == LOC_MEMORY &&
	       is_at(after->loc.expr, effect.store_base, effect.store_offset);
}

/* So the value must be computed from a register; and behind the line's instructions it must be in
 * that register alone, or those instructions must have changed the register. */
bool is_own_result(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct range *holds = &variable->holds;
	const struct expr *value = variable->loc.expr;
	const struct position behind = {
		.address = holds->end, .is_straight = true, .line = at.line};
	const struct variable *after;

	if (variable->loc.kind == LOC_VALUE && value->op == EXPR_CONST)
		return is_own_constant(walk, at);
	if (is_given_other(walk, at))
		return true;
	if (is_stored_result(walk, at))
		return true;
	if (variable->loc.kind != LOC_VALUE || value->op == EXPR_LOAD || !value->a ||
	    !expr_uses(value, EXPR_REG) || expr_uses(value, EXPR_ENTRY))
		return false;
	after = variable_at(walk, behind);
	if (!after ? !may_be_folded(walk, at) && !is_updated_at(walk, at.address, value) :
		     after->loc.kind != LOC_VALUE || after->loc.expr->op != EXPR_REG ||
			     after->loc.expr->value >= 64 ||
			     !expr_reads(value, after->loc.expr->value))
		return false;
	return is_all_of_line(walk, at, holds->end); /* last: to ask for all rows costs most */
}

static bool is_padding_at(struct resolver *resolver, uint64_t address, struct insn *insn)
{
	size_t length = 0;
	const uint8_t *bytes = target_bytes(resolver->target, address, &length);
	struct effect effect;

	return bytes && length && *bytes && resolver->arch->padding &&
	       strchr(resolver->arch->padding, *bytes) && /* to decode costs more */
	       code_effect(resolver, address, insn, &effect) && insn->is_padding;
}

/* Padding makes a jump's target aligned. The kernel's code has other instructions that do nothing:
 * they are there to be replaced. */
static bool is_loop_padding(const struct walk *walk, uint64_t address)
{
	enum { ALIGNMENT = 8 };
	uint64_t end = address;
	const struct flow *flow;
	struct insn insn;

	while (is_padding_at(walk->resolver, end, &insn))
		end += insn.length;
	if (end == address || end % ALIGNMENT)
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	return !flow || !flow_is_straight(flow, end);
}

/* gcc counts views behind the padding, and its borders lie before it: the border may be meant
 * behind the statement that is at the position. */
bool begins_at_padding(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;

	return variable->holds.start == at.address && !variable->holds_view && !at.is_entry &&
	       is_loop_padding(walk, at.address);
}
