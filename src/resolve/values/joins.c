// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a variable that is said to be a constant, or at one place, against what is said of it on
 * the ways that lead there: a jump changes no variable.
 *
 * The surprise: gcc says of a whole loop what is true of its first round only, `empty = 1`, though
 * at the loop's end its list has what the round made of it.
 */
#include "arch/arch.h"
#include "base/hash.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/points.h"
#include "resolve/values/doubts.h"
#include "resolve/values/trail.h"

static bool is_slot(const struct variable *variable)
{
	return variable->loc.kind == LOC_MEMORY && variable->holds.end;
}

bool may_be_contradicted(const struct walk *walk)
{
	const struct variable *variable = walk->variable;

	if (variable->is_uniform)
		return is_constant(variable) && variable->scope == SCOPE_LOCAL;
	return is_constant(variable) || is_in_register(variable) || is_slot(variable);
}

static bool leads(const struct trail *trail, const struct path *way, uint64_t address)
{
	return way->to == address || flow_reaches_from(trail->flow, &way->to, 1, address, NULL, 0);
}

/* The part of the list, with the address. It may end there, at a later view than the position's. */
static struct range part_at(const struct variable *variable, uint64_t address)
{
	struct range part = variable->holds;

	part.end += part.end == address;
	return part;
}

/* At the first instruction of a part a statement may set the variable, but then behind the
 * statement's own view; what no views are told of may be set there. */
static bool is_other(const struct variable *variable, const struct variable *before,
		     const struct path *way)
{
	if (way->to != variable->holds.start)
		return true;
	return way->is_branch && !variable->holds_view && before->loc.kind == LOC_VALUE &&
	       !is_in_register(before);
}

/* Whether the variable has just been set on the way, which tests nothing, by code that doesn't come
 * from where the way leads: hardly any source sets a variable that the next statement sets to
 * something else. */
static bool is_just_set(const struct trail *trail, const struct variable *before,
			const struct path *way, uint64_t start)
{
	return way->is_branch && is_constant(before) &&
	       flow_leads_only(trail->flow, way->from) &&
	       before->holds.start >= flow_straight_start(trail->flow, way->from) &&
	       flow_reaches(trail->flow, way->from, &start, 1);
}

/* Whether the constant is set again where two ways have met, on one of which it was that constant
 * already, or has just been given another one: gcc leaves the statements of a block that it empties
 * to the block behind, where they hold for the other way as well. */
static bool is_from_one_way(const struct trail *trail, const struct variable *variable)
{
	uint64_t start = flow_straight_start(trail->flow, variable->holds.start);
	bool is_same = false, is_changed = false;
	struct path *ways;
	unsigned count;

	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch,
			       (struct range){start, start + 1}, &ways);
	for (unsigned i = 0; count > 1 && i < count; i++) {
		const struct variable *before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
		bool is_equal = before && is_constant(before) &&
				expr_equal(before->loc.expr, variable->loc.expr);

		if (before && !is_equal && variable->holds.start == start &&
		    is_just_set(trail, before, &ways[i], start))
			return true;
		is_same |= is_equal;
		is_changed |= before && !is_equal;
	}
	return is_same && is_changed;
}

static bool is_in_block(const struct variable *variable, uint64_t address)
{
	for (unsigned i = 0; i < variable->nblock; i++)
		if (variable->block[i].start <= address && address < variable->block[i].end)
			return true;
	return false;
}

/* Whether straight-line code before the way takes the constant away, in the variable's scope, and
 * gives it nothing. No register takes a constant along: so a statement has changed the variable, to
 * something that isn't told, as gcc counts a loop's rounds by another one. */
static bool is_lost_on(const struct trail *trail, const struct variable *variable,
		       const struct path *way)
{
	uint64_t start = flow_straight_start(trail->flow, way->from);

	if (!variable->is_uniform || !is_by_gcc(trail->walk) ||
	    (way->to == variable->holds.start && (!way->is_branch || variable->holds_view)))
		return false;
	for (int i = flow_number(trail->flow, way->from); i >= 0; i--) {
		uint64_t address = flow_step(trail->flow, (unsigned)i).address;

		if (address < start || !is_in_block(variable, address))
			return false;
		if (variable_at(trail->walk, (struct position){.address = address}) ||
		    variable_at(trail->walk, (struct position){.address = address,
							       .view = VIEW_LAST}))
			return true;
	}
	return false;
}

/* The registers that get a constant in the straight-line code that ends with the instruction, and
 * keep it there. */
static uint64_t constants_before(const struct trail *trail, uint64_t end)
{
	uint64_t start = flow_straight_start(trail->flow, end), found = 0, written = 0;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(trail->flow, end); i >= 0; i--) {
		uint64_t address = flow_step(trail->flow, (unsigned)i).address;

		if (address < start ||
		    !code_effect(trail->walk->resolver, address, &insn, &effect) || insn.is_call)
			break;
		if (!effect.read && effect.memory == MEMORY_NONE && !insn.is_choice)
			found |= effect.written & ~written;
		written |= effect.written;
	}
	return found;
}

/* The registers that debug information has a variable in. */
static uint64_t named_registers(const struct walk *walk, uint64_t address)
{
	const struct position at = {.address = address, .view = VIEW_LAST};
	struct variable *list;
	uint64_t found = 0;
	unsigned count;

	if (debuginfo_variables(walk->resolver->info, walk->instance, at, false, &list, &count))
		return UINT64_MAX;
	for (unsigned i = 0; i < count; i++)
		for (unsigned number = 0; list[i].loc.expr && number < 64; number++)
			if (expr_reads(list[i].loc.expr, number))
				found |= (uint64_t)1 << number;
	return found;
}

/* What the straight-line code that ends with the instruction puts into the register at last. */
static int64_t constant_before(const struct trail *trail, uint64_t end, unsigned number)
{
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(trail->flow, end); i >= 0; i--)
		if (!code_effect(trail->walk->resolver,
				 flow_step(trail->flow, (unsigned)i).address, &insn, &effect) ||
		    effect.written >> number & 1)
			return effect.constant_to == (int)number ? effect.constant : 0;
	return 0;
}

/* Those of the registers that are no variable's, and get different constants on the ways. */
static uint64_t registers_that_differ(const struct trail *trail, const struct path *ways,
				      unsigned count, uint64_t registers)
{
	uint64_t found = 0;

	registers &= ~named_registers(trail->walk, ways->to);
	for (unsigned number = 0; number < 64; number++)
		for (unsigned i = 1; registers >> number & 1 && i < count; i++)
			if (constant_before(trail, ways[i].from, number) !=
			    constant_before(trail, ways->from, number))
				found |= (uint64_t)1 << number;
	return found;
}

/* Whether the constant begins where ways meet on none of which the variable has that, though each
 * puts a constant into one register: so a variable becomes one of several there, and clang says of
 * it what it is on a way that it made lead elsewhere. If the variable is another constant on the
 * ways, as it begins, the register's must differ, and it be no other variable's; and the constant
 * must also begin where a copy that is called is left. */
static bool is_one_of_several(const struct trail *trail, const struct variable *variable)
{
	uint64_t start = variable->holds.start, registers = ~(uint64_t)0;
	bool is_told = false;
	struct path *ways;
	unsigned count;

	if (flow_straight_start(trail->flow, start) != start)
		return false;
	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch,
			       (struct range){start, start + 1}, &ways);
	for (unsigned i = 0; i < count && registers; i++) {
		const struct variable *before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
		bool is_same = before && (!is_constant(before) ||
					  expr_equal(before->loc.expr, variable->loc.expr));

		is_told |= !!before;
		registers &= is_same || !is_inside(trail->walk->instance, ways[i].from) ?
				     0 : constants_before(trail, ways[i].from);
	}
	if (count > 1 && registers && is_told)
		registers = registers_that_differ(trail, ways, count, registers);
	return count > 1 && registers && (!is_told || begins_behind_copy(trail, variable));
}

/* Follows the ways back, from part to part, as far as the constant is the same. */
static bool is_wrong_at(struct trail *trail, const struct variable *variable, uint64_t address)
{
	const struct range holds = part_at(variable, address);
	struct path *ways;
	unsigned count;

	if (!trail_add(trail, variable->holds.start))
		return false;
	if (variable->holds_view && variable->holds_view != VIEW_LAST &&
	    is_from_one_way(trail, variable))
		return true;
	if (is_of_both_ways(trail, variable) ||
	    (!is_by_gcc(trail->walk) &&
	     (is_one_of_several(trail, variable) || is_of_several_ways(trail, variable))))
		return true;
	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch, holds, &ways);
	for (unsigned i = 0; i < count; i++) {
		const struct position from = {.address = ways[i].from, .view = VIEW_LAST};
		const struct variable *before = variable_at(trail->walk, from);

		if ((!before && !is_lost_on(trail, variable, &ways[i])) ||
		    !leads(trail, &ways[i], address))
			continue;
		if (!before)
			return true;
		if (is_constant(before) && expr_equal(before->loc.expr, variable->loc.expr) ?
		    is_wrong_at(trail, before, ways[i].from) : is_other(variable, before, &ways[i]))
			return true;
	}
	return false;
}

/* Whether the instruction's memory, at an offset from a register, may be the slot. No pointer leads
 * to a slot of a list: it is the compiler's own. */
static bool may_be_slot(const struct trail *trail, const struct variable *slot, int base,
			int64_t offset, unsigned size)
{
	const struct expr *expr = slot->loc.expr;
	bool is_sum = expr->op == EXPR_ADD && expr->b->op == EXPR_CONST;
	const struct expr *reg = is_sum ? expr->a : expr;
	int64_t start = is_sum ? (int64_t)expr->b->value : 0;

	if (reg->op != EXPR_REG || base == NO_REGISTER)
		return true;
	if ((uint64_t)base == reg->value)
		return offset < start + (int64_t)slot->type->size && start < offset + (int64_t)size;
	return (unsigned)base == trail->walk->resolver->arch->stack_register ||
	       (unsigned)base == trail->walk->resolver->arch->frame_register;
}

/* Whether the instruction may change the place. */
static bool may_change(const struct trail *trail, const struct effect *effect,
		       const struct variable *place)
{
	return is_slot(place) ? effect->store_size > 0 &&
				may_be_slot(trail, place, effect->store_base,
					    effect->store_offset, effect->store_size) :
				effect->written >> place->loc.expr->value & 1;
}

/* Whether no instruction does, from the one before `start` to the one at `end`. */
static bool is_kept(const struct trail *trail, uint64_t start, uint64_t end)
{
	int first = flow_number(trail->flow, start), last = flow_number(trail->flow, end);
	struct effect effect;
	struct insn insn;

	for (int i = first - 1; first > 0 && i <= last; i++)
		if (!code_effect(trail->walk->resolver,
				 flow_step(trail->flow, (unsigned)i).address, &insn, &effect) ||
		    (insn.is_call && !is_slot(trail->walk->variable)) ||
		    may_change(trail, &effect, trail->walk->variable))
			return false;
	return first > 0 && last >= first;
}

static bool copies(const struct trail *trail, const struct effect *effect,
		   const struct variable *from, const struct variable *to)
{
	int source = is_slot(from) ? NO_REGISTER : (int)from->loc.expr->value,
	    target = is_slot(to) ? NO_REGISTER : (int)to->loc.expr->value;

	if (source == NO_REGISTER)
		return effect->load_size && effect->load_base != NO_REGISTER &&
		       target != NO_REGISTER && effect->copy_to == target &&
		       may_be_slot(trail, from, effect->load_base, effect->load_offset,
				   effect->load_size);
	return target == NO_REGISTER ? effect->store_size && effect->store_register == source &&
				       may_be_slot(trail, to, effect->store_base,
						   effect->store_offset,
						   effect->store_size) :
				       effect->copy_to == target && effect->copy_from == source;
}

/* Whether an instruction gives one of the two places what the other one has, in the copy of the
 * function or in the straight-line code that it begins in: then both may have the variable. */
static bool is_ever_equal(const struct trail *trail, const struct variable *variable,
			  const struct variable *other)
{
	uint64_t start = flow_straight_start(trail->flow, trail->walk->instance->entry);
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(trail->flow, start);
	     i >= 0 && (unsigned)i < flow_count(trail->flow) &&
	     flow_step(trail->flow, (unsigned)i).address < other->holds.end;
	     i++)
		if (code_effect(trail->walk->resolver, flow_step(trail->flow, (unsigned)i).address,
				&insn, &effect) &&
		    (copies(trail, &effect, variable, other) ||
		     copies(trail, &effect, other, variable)))
			return true;
	return false;
}

/* Whether the variable's list leaves its place for another in the middle of straight-line code,
 * though the place keeps what it has: so a statement has set the variable, and the way from there
 * to where the list has the place again carries the new value past it. */
static bool is_left_behind(const struct trail *trail, const struct variable *before, uint64_t from)
{
	uint64_t start = before->holds.start;
	const struct variable *prior;

	if (from < start || from >= before->holds.end || !flow_is_straight(trail->flow, start))
		return false;
	prior = variable_at(trail->walk,
			    (struct position){.address = start - 1, .view = VIEW_LAST});
	return prior && loc_equal(&prior->loc, &trail->walk->variable->loc) &&
	       is_kept(trail, start, from) &&
	       !is_ever_equal(trail, trail->walk->variable, before);
}

/* Whether the way leads to the address before the variable comes to its place anew. */
static bool leads_inside(const struct trail *trail, uint64_t to, uint64_t address)
{
	uint64_t start = trail->walk->variable->holds.start;

	return to == address || (address != start &&
				 flow_reaches_from(trail->flow, &to, 1, address, &start, 1));
}

/* At its first instruction a statement may set it, but not before the first view. */
static bool is_jump_into(const struct variable *variable, const struct path *way)
{
	return way->to != variable->holds.start || (way->is_branch && !variable->holds_view);
}

static void find_departures(const struct trail *trail, struct range holds, struct departures *ret)
{
	const struct variable *variable = trail->walk->variable;
	struct path *ways;
	unsigned count;

	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch, holds, &ways);
	for (unsigned i = 0; i < count; i++) {
		const struct position from = {.address = ways[i].from, .view = VIEW_LAST};
		const struct variable *before =
			is_jump_into(variable, &ways[i]) ? variable_at(trail->walk, from) : NULL;

		if (!before || !(is_in_register(before) || is_slot(before)) ||
		    loc_equal(&before->loc, &variable->loc) ||
		    !is_left_behind(trail, before, ways[i].from))
			continue;
		if (ret->count < DEPARTURES_MOST)
			ret->to[ret->count] = ways[i].to;
		ret->count++;
	}
}

/* Where the ways lead on which the variable has left its place. All lines of a function ask for the
 * same. */
static const struct departures *departures_of(const struct trail *trail, struct range holds)
{
	const struct variable *variable = trail->walk->variable;
	struct departures wanted = {
		.source = variable->source,
		.instance = trail->walk->instance->source,
		.start = holds.start,
		.end = holds.end,
		.view = variable->holds_view,
	};
	uint64_t hash = number_hash(wanted.source ^ wanted.start << 20 ^ wanted.instance);
	struct departures *kept =
		&trail->walk->resolver->departures[hash % DEPARTURES_KEPT];

	if (kept->source == wanted.source && kept->instance == wanted.instance &&
	    kept->start == wanted.start && kept->end == wanted.end && kept->view == wanted.view)
		return kept;
	find_departures(trail, holds, &wanted);
	*kept = wanted;
	return kept;
}

static bool is_at_other_place(const struct trail *trail, uint64_t address)
{
	const struct departures *departures =
		departures_of(trail, part_at(trail->walk->variable, address));
	for (unsigned i = 0; i < departures->count && i < DEPARTURES_MOST; i++)
		if (leads_inside(trail, departures->to[i], address))
			return true;
	return departures->count > DEPARTURES_MOST;
}

/* Whether the constant is there where a branch leads from where the variable has no value, be it
 * inside the part or, if it has other parts as well, where straight-line code begins. clang makes
 * arms of a switch of the ways that lead there, and says in each what the variable is in one of
 * them. */
static bool is_of_other_arm(struct trail *trail, const struct variable *variable, uint64_t address)
{
	const struct range part = {flow_straight_start(trail->flow, variable->holds.start),
				   variable->holds.end};
	bool is_branch = false, is_known = false;
	struct path *ways;
	unsigned count;

	if (!trail_add(trail, variable->holds.start))
		return false;
	if (is_one_of_several(trail, variable) || is_of_both_ways(trail, variable))
		return true;
	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch, part, &ways);
	for (unsigned i = 0; i < count; i++) {
		const struct position from = {.address = ways[i].from, .view = VIEW_LAST};
		const struct variable *before = variable_at(trail->walk, from);
		bool is_inner = is_inside(trail->walk->instance, ways[i].from);

		if (ways[i].to == part.start) {
			is_known |= before || !is_inner;
			is_branch |= ways[i].is_branch;
		}
		if (!leads(trail, &ways[i], address))
			continue;
		if (before ? is_of_other_arm(trail, before, ways[i].from) :
			     is_inner && ways[i].to != part.start)
			return true;
	}
	return is_branch && !is_known && variable->parts > 1;
}

bool is_contradicted(const struct walk *walk, const struct flow *flow, struct position at)
{
	struct trail trail = {.walk = walk, .flow = flow};

	if (!may_be_contradicted(walk))
		return false;
	if (walk->variable->is_uniform && !is_by_gcc(walk))
		return is_of_other_arm(&trail, walk->variable, at.address);
	if (is_constant(walk->variable))
		return is_wrong_at(&trail, walk->variable, at.address);
	/* the same of clang's lists found right values alone */
	return is_by_gcc(walk) && is_at_other_place(&trail, at.address);
}
