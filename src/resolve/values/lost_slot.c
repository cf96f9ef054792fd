// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that clang, when it spilled a variable, forgot to say so: debug information has `sp + 8`
 * for what is stored there; or that a function that was given the slot's address has changed it, be
 * it one that was inlined.
 *
 * The surprise: a function that realigns its stack finds its slots by a register of its own choice.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"
#include "resolve/values/reaching.h"
#include "target/code.h"

enum { MOST_BYTES = 1 << 16 };

/* The bytes of the outer function's code around its entry. */
static const uint8_t *code_of(const struct walk *walk, struct range *ret)
{
	const struct instance *instance = walk->instance;
	size_t length = 0;
	const uint8_t *code;

	for (unsigned i = 0; i < instance->nouter_ranges; i++)
		if (!i || instance->outer_ranges[i].start < ret->start)
			*ret = instance->outer_ranges[i];
	code = instance->nouter_ranges ? target_bytes(walk->resolver->target, ret->start, &length) :
					 NULL;
	return code && ret->end - ret->start <= MOST_BYTES && length >= ret->end - ret->start ?
		       code :
		       NULL;
}

/* Whether the function puts the stack pointer into the register, and nothing else, but for what its
 * end restores. */
static bool keeps_stack(const struct walk *walk, uint64_t number)
{
	const struct arch *arch = walk->resolver->arch;
	struct range range;
	const uint8_t *code = number < 64 ? code_of(walk, &range) : NULL;
	struct decoder *decoder = code ? decoder_open(arch) : NULL;
	bool is_copied = false, is_other = !decoder;
	struct insn insn = {.length = 1};

	for (uint64_t at = decoder ? range.start : 0; !is_other && insn.length && at < range.end;
	     at += insn.length) {
		struct effect effect;

		decoder_next(decoder, code + (at - range.start), range.end - at, at, &insn);
		if (!insn.length || insn.is_call)
			continue;
		decoder_effect(decoder, &effect);
		if (!(effect.written >> number & 1))
			continue;
		if (effect.copy_from == (int)arch->stack_register && effect.copy_to == (int)number)
			is_copied = true;
		else
			is_other = effect.stack != STACK_RESTORED &&
				   (effect.stack != STACK_MOVED || effect.value <= 0);
	}
	decoder_close(decoder);
	return is_copied && !is_other;
}

/* Whether it is made of nothing but addresses of the stack and constants. */
static bool is_of_stack(const struct walk *walk, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_CONST)
		return true;
	if (expr->op == EXPR_REG)
		return expr->value == walk->resolver->arch->stack_register ||
		       keeps_stack(walk, expr->value);
	return (expr->a || expr->b) && expr->op != EXPR_LOAD && expr->op != EXPR_ENTRY &&
	       is_of_stack(walk, expr->a) && is_of_stack(walk, expr->b);
}

/* An address of the stack is a pointer's value. A number is one only where a program casts it. The
 * difference of two such addresses is a number. */
bool is_lost_slot(const struct walk *walk, const struct variable *variable)
{
	const struct type *type = variable->type;
	const struct expr *expr = variable->loc.expr;

	if (variable->loc.kind != LOC_VALUE || type->size > 8 || type->kind == TYPE_POINTER ||
	    (type->size == 8 && type->kind != TYPE_INT))
		return false;
	if (expr->op == EXPR_REG)
		return expr->value == walk->resolver->arch->stack_register;
	return expr_uses(expr, EXPR_REG) && is_of_stack(walk, expr);
}

/* The constant that the variable is from the instruction on, if that stores to the stack; else
 * NULL. */
static const struct variable *
find_stored_constant(const struct walk *walk, const struct effect *effect, struct flow_step step,
		     unsigned length)
{
	const struct arch *arch = walk->resolver->arch;
	uint64_t end = step.address + length;
	const struct variable *stored;

	if (!effect->store_size || effect->store_size != walk->variable->type->size ||
	    ((unsigned)effect->store_base != arch->stack_register &&
	     (unsigned)effect->store_base != arch->frame_register))
		return NULL;
	stored = variable_at(walk, (struct position){.address = end});
	if (!stored || !is_constant(stored) ||
	    (stored->holds.start != step.address && stored->holds.start != end))
		return NULL;
	return stored;
}

/* Whether the variable is stored, a function is then given the place's address, which may set it,
 * and the list goes on with the constant that was stored. clang's list knows of calls that set a
 * variable, but not of those that may throw. */
bool is_given_away(const struct walk *walk, const struct flow *flow, uint64_t address)
{
	const struct variable *variable = walk->variable, *stored = NULL, *found;
	bool is_given = false, is_called = false;
	struct effect slot = {0};

	if (!is_constant(variable))
		return false;
	for (int i = flow_number(flow, walk->instance->entry);
	     i >= 0 && (unsigned)i < flow_count(flow); i++) {
		struct flow_step step = flow_step(flow, (unsigned)i);
		struct effect effect;
		struct insn insn;

		if (step.address >= address)
			break;
		if (!code_effect(walk->resolver, step.address, &insn, &effect))
			continue;
		found = find_stored_constant(walk, &effect, step, insn.length);
		if (insn.is_call) {
			is_called |= is_given;
		} else if (found) {
			stored = found;
			slot = effect;
			is_called = false;
		} else if (stored && effect.memory == MEMORY_ADDRESS &&
			   effect.memory_base == slot.store_base &&
			   effect.memory_offset == slot.store_offset) {
			is_given = true;
		}
	}
	return is_called && expr_equal(stored->loc.expr, variable->loc.expr);
}

/* Whether it is a constant until debug information has it in a slot of the stack, though on the way
 * to the address code has stored something else there: an inlined function did, by the address. */
bool is_stored_since(const struct walk *walk, const struct flow *flow, uint64_t address)
{
	const struct range *holds = &walk->variable->holds;
	const struct variable *slot =
		variable_at(walk, (struct position){.address = holds->end, .view = VIEW_LAST});
	uint64_t *resets = arena_array(&walk->resolver->scratch, uint64_t, flow_count(flow) + 1);
	uint64_t *stores = arena_array(&walk->resolver->scratch, uint64_t, flow_count(flow) + 1);
	unsigned nresets = 0, nstores = 0;

	if (!slot || slot->loc.kind != LOC_MEMORY || !slot->holds.end)
		return false;
	for (unsigned i = 0; i < flow_count(flow); i++) {
		uint64_t at = flow_step(flow, i).address;
		struct effect effect;
		struct insn insn;

		if (at < holds->start || at >= holds->end ||
		    !code_effect(walk->resolver, at, &insn, &effect) || !effect.store_size ||
		    !is_at(slot->loc.expr, effect.store_base, effect.store_offset))
			continue;
		if (effect.stores_constant && is_same_number(walk->variable, effect.constant))
			resets[nresets++] = at;
		else
			stores[nstores++] = at;
	}
	return nstores && flow_reaches_from(flow, stores, nstores, address, resets, nresets);
}
