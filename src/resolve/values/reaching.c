// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows a register or a slot of the stack back to the instructions that put something into it.
 *
 * The surprise: what no variable is in may be the variable. gcc knows that a register has what a
 * copy was given, and that a constant is that, too, and writes the constant alone.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"
#include "resolve/values/reaching.h"

/* A register, or a slot of the stack at an offset from the stack pointer. */
struct spot {
	bool is_slot;
	int number;
	int64_t offset;
};

struct search {
	const struct trail *trail;
	struct visit {
		uint64_t last; /* the instruction behind which the place is asked for */
		struct spot place;
	} visits[MOST_PARTS];
	unsigned nvisits;
	bool is_same, is_made; /* what has been found */
	bool is_lost;
};

static bool is_same_place(const struct spot *one, const struct spot *other)
{
	return one->is_slot == other->is_slot && one->number == other->number &&
	       one->offset == other->offset;
}

static void visit(struct search *search, uint64_t last, struct spot place)
{
	for (unsigned i = 0; i < search->nvisits; i++)
		if (search->visits[i].last == last &&
		    is_same_place(&search->visits[i].place, &place))
			return;
	if (search->nvisits == MOST_PARTS)
		search->is_lost = true;
	else
		search->visits[search->nvisits++] = (struct visit){last, place};
}

static bool is_slot(const struct search *search, int base)
{
	return (unsigned)base == search->trail->walk->resolver->arch->stack_register;
}

static void put(struct search *search, int64_t constant)
{
	search->is_same |= is_same_number(search->trail->walk->variable, constant);
}

/* What the instruction does to a slot. Returns whether the search ends there. */
static bool set_slot(struct search *search, const struct effect *effect, struct spot *place)
{
	if (effect->stack != STACK_KEPT)
		return true;
	if (!effect->store_size || effect->store_base != place->number ||
	    effect->store_offset != place->offset)
		return false;
	if (effect->store_register != NO_REGISTER) {
		*place = (struct spot){.number = effect->store_register};
		return false;
	}
	if (effect->stores_constant)
		put(search, effect->constant);
	else
		search->is_made |= !effect->store_updates;
	return true;
}

/* The same for a register. A counter's step makes nothing new. */
static bool set_register(struct search *search, const struct insn *insn,
			 const struct effect *effect, struct spot *place)
{
	const struct arch *arch = search->trail->walk->resolver->arch;

	if (insn->is_call)
		return !(arch->preserved >> place->number & 1);
	if (!(effect->written >> place->number & 1))
		return false;
	if (effect->constant_to == place->number) {
		put(search, effect->constant);
		return true;
	}
	if (effect->copy_to == place->number && effect->load_size &&
	    is_slot(search, effect->load_base)) {
		*place = (struct spot){true, effect->load_base, effect->load_offset};
		return false;
	}
	if (effect->copy_to == place->number && !effect->load_size) {
		place->number = effect->copy_from;
		return false;
	}
	search->is_made |= effect->sum_of != place->number;
	return true;
}

/* Puts down where the search for what is in the place at the address goes on. */
static void enter(struct search *search, uint64_t address, struct spot place)
{
	const struct walk *walk = search->trail->walk;
	const struct flow *flow = search->trail->flow;
	struct path *ways;
	unsigned count;

	if (flow_straight_start(flow, address) != address) {
		int number = flow_number(flow, address);

		visit(search, flow_step(flow, (unsigned)number - 1).address, place);
		return;
	}
	count = flow_ways_into(flow, &walk->resolver->scratch, (struct range){address, address + 1},
			       &ways);
	for (unsigned i = 0; i < count; i++) {
		visit(search, ways[i].from, place);
		search->is_lost |= !!variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
	}
}

/* Follows a place back to where straight-line code begins. */
static void follow(struct search *search, uint64_t last, struct spot place)
{
	const struct flow *flow = search->trail->flow;
	uint64_t start = flow_straight_start(flow, last);
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(flow, last); i >= 0; i--) {
		uint64_t address = flow_step(flow, (unsigned)i).address;

		if (address < start)
			break;
		if (!code_effect(search->trail->walk->resolver, address, &insn, &effect) ||
		    (place.is_slot ? set_slot(search, &effect, &place) :
				     set_register(search, &insn, &effect, &place)))
			return;
	}
	enter(search, start, place);
}

/* Whether code puts the constant into it on one way, and something else on another. */
static bool has_both(const struct trail *trail, struct spot place)
{
	struct search search = {.trail = trail};

	enter(&search, trail->walk->variable->holds.start, place);
	for (unsigned i = 0; i < search.nvisits && !search.is_lost; i++)
		follow(&search, search.visits[i].last, search.visits[i].place);
	return search.is_same && search.is_made && !search.is_lost;
}

static bool is_variables(const struct variable *variable, const struct spot *place)
{
	if (!variable->loc.expr)
		return false;
	return place->is_slot ? variable->loc.kind == LOC_MEMORY &&
					is_at(variable->loc.expr, place->number, place->offset) :
				expr_reads(variable->loc.expr, (uint64_t)place->number);
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

uint64_t unnamed_registers(const struct walk *walk, uint64_t registers)
{
	for (int i = 0; i < 64 && registers >> i; i++)
		if (registers >> i & 1 && is_named(walk, &(struct spot){.number = i}))
			registers &= ~((uint64_t)1 << i);
	return registers;
}

static bool is_suspect(const struct trail *trail, struct spot place)
{
	return has_both(trail, place) && !is_named(trail->walk, &place);
}

/* The same for the registers. */
static bool is_any_suspect(const struct trail *trail, uint64_t registers)
{
	for (int i = 0; i < 64 && registers >> i; i++)
		if (registers >> i & 1 && is_suspect(trail, (struct spot){.number = i}))
			return true;
	return false;
}

/* Of parameters alone: a copy's locals often are constants right where it begins, beside what the
 * function around it has in registers. */
bool is_unnamed_place_read(const struct trail *trail)
{
	const struct walk *walk = trail->walk;
	const struct arch *arch = walk->resolver->arch;
	const struct range *holds = &walk->variable->holds;
	uint64_t end = flow_straight_end(trail->flow, holds->start);
	uint64_t fresh = ~((uint64_t)1 << arch->stack_register);
	struct effect effect;
	struct insn insn;

	if (walk->variable->scope != SCOPE_PARAMETER || !walk->instance->inlined)
		return false;
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
