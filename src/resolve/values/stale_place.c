// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that clang's list names a place that hasn't the variable: the slot where a register has the
 * new value already, or a register that is something else.
 *
 * The surprise: the list is right again a few instructions later. Where a loop's ways join, clang
 * takes the place of another way for this one's; what the code carries to the next part tells.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"

enum { MOST_STEPS = 256 };

static bool is_of_frame(const struct arch *arch, int base)
{
	return (unsigned)base == arch->stack_register || (unsigned)base == arch->frame_register;
}

bool is_at(const struct expr *address, int base, int64_t offset)
{
	uint64_t number;
	int64_t own;

	return expr_is_based(address, &number, &own) && number == (uint64_t)base && own == offset;
}

static bool has_register(const struct variable *variable, uint64_t number)
{
	return variable && variable->loc.kind == LOC_VALUE &&
	       variable->loc.expr->op == EXPR_REG && variable->loc.expr->value == number;
}

static bool is_in_part(const struct range *part, uint64_t address)
{
	return part->start <= address && address < part->end;
}

/* A register, and the slot of the stack where code has stored it, if `is_stored`. */
struct carried {
	uint64_t number;
	bool is_lost; /* the register has something else since */
	bool is_stored;
	int base;
	int64_t offset;
};

static bool has_carried(const struct variable *variable, const struct carried *carried)
{
	return (!carried->is_lost && has_register(variable, carried->number)) ||
	       (variable && carried->is_stored && variable->loc.kind == LOC_MEMORY &&
		is_at(variable->loc.expr, carried->base, carried->offset));
}

/* Follows what the instruction does to it. Returns false where it is lost. */
static bool carry(const struct walk *walk, uint64_t address, struct carried *carried)
{
	struct effect effect;
	struct insn insn;

	if (!code_effect(walk->resolver, address, &insn, &effect))
		return false;
	if (effect.store_size && is_of_frame(walk->resolver->arch, effect.store_base)) {
		bool is_it = (uint64_t)effect.store_register == carried->number;

		if (carried->is_stored && carried->base == effect.store_base &&
		    carried->offset == effect.store_offset)
			return is_it;
		if (is_it && !carried->is_stored) {
			carried->is_stored = true;
			carried->base = effect.store_base;
			carried->offset = effect.store_offset;
		}
	}
	carried->is_lost |= insn.is_call || effect.written >> carried->number & 1;
	return carried->is_stored || !carried->is_lost;
}

/* Whether an execution from the step comes to where debug information has the variable in the
 * register, or where that was stored, and nothing writes to it on the way. */
static bool carries_register(const struct walk *walk, const struct flow *flow, unsigned from,
			     uint64_t number)
{
	const struct range *holds = &walk->variable->holds;
	struct arena *scratch = &walk->resolver->scratch;
	bool *seen = arena_array(scratch, bool, flow_count(flow));
	unsigned *queue = arena_array(scratch, unsigned, flow_count(flow)), count = 1;
	struct carried *carried = arena_array(scratch, struct carried, flow_count(flow));

	queue[0] = from;
	seen[from] = true;
	carried[from].number = number;
	for (unsigned i = 0; i < count && count < MOST_STEPS; i++) {
		struct flow_step step = flow_step(flow, queue[i]);
		struct carried *here = &carried[queue[i]];

		if (!is_in_part(holds, step.address) &&
		    has_carried(variable_at(walk, (struct position){.address = step.address}),
				here))
			return true;
		if (!carry(walk, step.address, here))
			continue;
		for (unsigned j = 0; j < 3; j++)
			if (step.next[j] >= 0 && !seen[step.next[j]]) {
				seen[step.next[j]] = true;
				carried[step.next[j]] = *here;
				queue[count++] = (unsigned)step.next[j];
			}
	}
	return false;
}

/* The registers that the instruction before the variable's part changes by what is in them, or
 * copies the variable to, if it is in the same straight-line code. */
static uint64_t updated_before(const struct walk *walk, const struct flow *flow, int number)
{
	uint64_t start = walk->variable->holds.start;
	const struct variable *prior;
	struct effect effect;
	struct insn insn;

	if (number <= 0 || !flow_is_straight(flow, start) ||
	    !code_effect(walk->resolver, flow_step(flow, (unsigned)number - 1).address, &insn,
			 &effect) ||
	    insn.is_call)
		return 0;
	if (effect.copy_to == NO_REGISTER || effect.load_size)
		return effect.updated;
	prior = variable_at(walk, (struct position){.address = start - 1, .view = VIEW_LAST});
	return effect.updated | (has_register(prior, (uint64_t)effect.copy_from) ?
					 (uint64_t)1 << effect.copy_to : 0);
}

/* Whether an instruction loads the variable's register from the slot where the list has it behind
 * that: so what is loaded is something else. */
static bool is_loaded_over(const struct walk *walk, const struct flow *flow, int number)
{
	const struct variable *variable = walk->variable, *prior;
	uint64_t start = variable->holds.start;
	struct effect effect;
	struct insn insn;

	if (number <= 0 ||
	    !code_effect(walk->resolver, flow_step(flow, (unsigned)number - 1).address, &insn,
			 &effect) ||
	    !effect.load_size || effect.copy_to == NO_REGISTER ||
	    !is_at(variable->loc.expr, effect.load_base, effect.load_offset))
		return false;
	prior = variable_at(walk, (struct position){.address = start - 1, .view = VIEW_LAST});
	return has_register(prior, (uint64_t)effect.copy_to);
}

/* The register that has the variable on all ways to where its part begins with straight-line code;
 * NO_REGISTER: none. */
static int register_before(const struct walk *walk, const struct flow *flow)
{
	uint64_t start = walk->variable->holds.start;
	int found = NO_REGISTER;
	struct path *ways;
	unsigned count;

	if (flow_straight_start(flow, start) != start)
		return NO_REGISTER;
	count = flow_ways_into(flow, &walk->resolver->scratch, (struct range){start, start + 1},
			       &ways);
	for (unsigned i = 0; i < count; i++) {
		const struct variable *before = variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		if (!before || !is_in_register(before) ||
		    (i && found != (int)before->loc.expr->value))
			return NO_REGISTER;
		found = (int)before->loc.expr->value;
	}
	return found;
}

/* Whether an instruction stores the register in the variable's slot, or loads it from there: then
 * both may have the variable. */
static bool is_slot_of(const struct walk *walk, const struct flow *flow, int number)
{
	const struct expr *slot = walk->variable->loc.expr;
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; i < flow_count(flow); i++)
		if (code_effect(walk->resolver, flow_step(flow, i).address, &insn, &effect) &&
		    ((effect.store_size && effect.store_register == number &&
		      is_at(slot, effect.store_base, effect.store_offset)) ||
		     (effect.load_size && effect.copy_to == number &&
		      is_at(slot, effect.load_base, effect.load_offset))))
			return true;
	return false;
}

/* Whether a register has the variable where its list goes to a slot: an instruction has just
 * changed that register, or it had the variable on all ways, and the list has it there again where
 * this leads. */
bool is_stale_slot(const struct walk *walk, const struct flow *flow)
{
	const struct variable *variable = walk->variable;
	int number = flow_number(flow, variable->holds.start), before;
	uint64_t updated;

	if (variable->loc.kind != LOC_MEMORY || number < 0)
		return false;
	if (is_loaded_over(walk, flow, number))
		return true;
	updated = updated_before(walk, flow, number);
	for (unsigned i = 0; i < 64; i++)
		if (updated >> i & 1 && carries_register(walk, flow, (unsigned)number, i))
			return true;
	before = register_before(walk, flow);
	return before != NO_REGISTER &&
	       carries_register(walk, flow, (unsigned)number, (uint64_t)before) &&
	       !is_slot_of(walk, flow, before);
}

/* Whether the list goes from one register to another behind an instruction that writes to that, and
 * not what the variable was, but has the first one again where that leads, untouched. So the
 * instruction isn't the variable's: the list goes back to where it was before a copy. */
static bool is_overwritten(const struct walk *walk, const struct flow *flow)
{
	const struct variable *variable = walk->variable, *prior;
	uint64_t start = variable->holds.start, made;
	int number = flow_number(flow, start);
	struct effect effect;
	struct insn insn;

	if (number <= 0 || !flow_is_straight(flow, start))
		return false;
	made = flow_step(flow, (unsigned)number - 1).address;
	prior = variable_at(walk, (struct position){.address = start - 1, .view = VIEW_LAST});
	return prior && is_in_register(prior) && prior->holds.start <= made &&
	       code_effect(walk->resolver, made, &insn, &effect) && !insn.is_call &&
	       effect.written >> variable->loc.expr->value & 1 &&
	       !(effect.read >> prior->loc.expr->value & 1) &&
	       carries_register(walk, flow, (unsigned)number, prior->loc.expr->value);
}

/* Whether a part of the variable's list has it in the slot that the instruction loads. */
static bool is_loaded(const struct walk *walk, const struct flow *flow, const struct effect *effect)
{
	const struct variable *there;

	for (unsigned i = 0; i < flow_count(flow); i++) {
		uint64_t address = flow_step(flow, i).address;

		there = variable_at(walk, (struct position){.address = address});
		if (!there || !there->holds.end)
			continue;
		if (there->loc.kind == LOC_MEMORY &&
		    is_at(there->loc.expr, effect->load_base, effect->load_offset))
			return true;
		while (i + 1 < flow_count(flow) &&
		       flow_step(flow, i + 1).address < there->holds.end)
			i++;
	}
	return false;
}

/* Whether straight-line code takes both registers for one instruction, from the step up to
 * `end`. */
static bool are_both_read(const struct walk *walk, const struct flow *flow, unsigned from,
			  uint64_t end, uint64_t both)
{
	struct effect effect;
	struct insn insn;

	for (unsigned i = from; i < flow_count(flow) && flow_step(flow, i).address < end; i++) {
		if (!code_effect(walk->resolver, flow_step(flow, i).address, &insn, &effect) ||
		    insn.is_call)
			return false;
		if ((effect.read & both) == both)
			return true;
		if (effect.written & both)
			return false;
	}
	return false;
}

/* Whether the list has the variable in a register where straight-line code begins, and that code
 * loads the slot where the variable is elsewhere and takes both, to compare them. Nothing compares
 * a variable with itself: so clang says already what a later statement makes of it. */
static bool is_needed_old(const struct walk *walk, const struct flow *flow, uint64_t address)
{
	const struct variable *variable = walk->variable;
	const struct range *holds = &variable->holds;
	uint64_t start = flow_straight_start(flow, address), end = flow_straight_end(flow, address);
	uint64_t number = variable->loc.expr->value;
	struct effect effect;
	struct insn insn;

	if (holds->start > start || !is_padding(walk, holds->start, start))
		return false;
	for (int i = flow_number(flow, start); i >= 0 && (unsigned)i < flow_count(flow); i++) {
		uint64_t at = flow_step(flow, (unsigned)i).address;

		if (at >= end || at >= holds->end ||
		    !code_effect(walk->resolver, at, &insn, &effect) || insn.is_call ||
		    effect.store_size)
			return false;
		if (effect.load_size == variable->type->size && effect.copy_to != NO_REGISTER &&
		    is_of_frame(walk->resolver->arch, effect.load_base) &&
		    are_both_read(walk, flow, (unsigned)i + 1, end,
				  (uint64_t)1 << effect.copy_to | (uint64_t)1 << number))
			return is_loaded(walk, flow, &effect);
	}
	return false;
}

bool is_other_register(const struct walk *walk, struct position at)
{
	const struct flow *flow = !is_by_gcc(walk) && walk->instance &&
						  is_in_register(walk->variable) ?
					  passing_flow(walk->resolver, walk->instance) : NULL;

	return flow && (is_overwritten(walk, flow) || is_needed_old(walk, flow, at.address));
}
