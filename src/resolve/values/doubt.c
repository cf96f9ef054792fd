// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says why a value that debug information gives isn't believed.
 *
 * The surprise: gdb believes it. It has the machine's state right, but at the beginning of a line
 * the statement before may be unfinished; and memory that nothing reads any more isn't written any
 * more.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/points/flow.h"
#include "resolve/points/function_code.h"
#include "resolve/points/slots.h"
#include "resolve/points/written.h"
#include "resolve/values/walk.h"
#include "target/code.h"

/* Whether a function's first instruction can't find it there: below the stack pointer, or in a
 * register that carries no argument. */
static bool is_not_passed(const struct arch *arch, const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_ADD && expr->a->op == EXPR_REG &&
	    expr->a->value == arch->stack_register && expr->b->op == EXPR_CONST)
		return (int64_t)expr->b->value < 0;
	if (expr->op != EXPR_REG)
		return is_not_passed(arch, expr->a) || is_not_passed(arch, expr->b);
	for (unsigned i = 0; i < arch->narguments; i++)
		if (expr->value == arch->arguments[i])
			return false;
	return expr->value != arch->stack_register;
}

/* A program's prologue is followed (points/prologue.c); the kernel is C. */
bool is_behind_prologue(const struct walk *walk, const struct variable *variable)
{
	const struct instance *instance = walk->instance;
	const struct loc *loc = &variable->loc;

	return walk->resolver->target->kind != TARGET_PROGRAM &&
	       variable->scope == SCOPE_PARAMETER && instance && !instance->inlined &&
	       walk->position.address == instance->entry &&
	       (loc->kind == LOC_MEMORY || loc->kind == LOC_VALUE) &&
	       is_not_passed(walk->resolver->arch, loc->expr);
}

const struct variable *variable_at(const struct walk *walk, struct position at)
{
	bool is_local = walk->variable && !walk->variable->is_outside;
	struct variable *variable;
	struct error *error;

	error = (is_local ? resolve_local : resolve_variable)(walk->resolver, walk->instance, at,
							      walk->want->base, &variable);
	if (error || !variable || variable->loc.kind == LOC_ABSENT ||
	    variable->loc.kind == LOC_REFUSED ||
	    (walk->variable && variable->source != walk->variable->source))
		return NULL;
	return variable;
}

static const struct loc *loc_at(const struct walk *walk, struct position at)
{
	const struct variable *variable = variable_at(walk, at);

	return variable ? &variable->loc : NULL;
}

/* Whether the value is made of memory that the instruction writes: `zero_extend(slot)`. */
static bool is_stored_late(const struct loc *loc, const struct write *write)
{
	return loc->kind == LOC_VALUE && write->store_size && expr_uses(loc->expr, EXPR_LOAD);
}

/* Whether the instruction makes the variable's new value: debug information gives the old
 * location also after the instruction. If it gives another expression of the same value there,
 * the register was needed for something else; if it gives none any more, what is made from the
 * old value is the new one. */
static bool is_changed(const struct walk *walk, struct position at, const struct write *write,
		       bool is_update, bool has_marks)
{
	const struct position behind = {
		.address = write->end, .is_straight = true, .line = at.line};
	const struct loc *before = loc_at(walk, at), *after = loc_at(walk, behind);

	if (!before || !after)
		return before && (is_stored_late(before, write) ||
				  (is_update && (before->kind == LOC_MEMORY || !has_marks ||
						 (before->expr && before->expr->op == EXPR_REG))));
	return before->kind == after->kind && before->expr && after->expr &&
	       expr_equal(before->expr, after->expr);
}

static bool reads_changed(const struct capture *capture, const struct write *write, bool is_update)
{
	bool found = write_changes(write, capture->expr, capture_bytes(capture), is_update);

	for (unsigned i = 0; i < capture->nparts; i++)
		found |= write_changes(write, capture->parts[i].expr, 0, is_update);
	return found;
}

/* Whether the instruction computes what the variable is said to be before it or behind it, at
 * another place than at the position. With markers, debug information says when it becomes that. */
static bool is_computed_anew(const struct walk *walk, struct position at, const struct write *write)
{
	const struct position sides[] = {
		{.address = write->end - 1, .view = VIEW_LAST},
		{.address = write->end, .is_straight = true, .line = at.line},
	};
	const struct loc *before = loc_at(walk, at);

	for (unsigned i = 0; !write->is_copy && before && i < 2; i++) {
		const struct loc *loc = loc_at(walk, sides[i]);

		if (loc && loc->expr && before->expr && !expr_equal(loc->expr, before->expr) &&
		    loc->kind == LOC_VALUE && write_changes(write, loc->expr, 0, false))
			return true;
	}
	return false;
}

/* Why the value is older than the source has it. */
static const char *find_outdated(struct walk *walk, const struct writes *pending,
				 struct position at, const struct capture *capture)
{
	for (unsigned i = 0; pending && i < pending->count; i++) {
		const struct write *write = &pending->list[i];

		if (write->end <= at.address)
			continue; /* done by then */
		if (!reads_changed(capture, write, false)) {
			if (pending->has_marks || !is_computed_anew(walk, at, write))
				continue;
		} else if (!is_changed(walk, at, write, reads_changed(capture, write, true),
				       pending->has_marks)) {
			return NULL;
		}
		return arena_printf(walk->resolver->arena,
				    "line %u, which the source has before this one, "
				    "changes it behind this address",
				    write->line);
	}
	return NULL;
}

/* Whether the variable has the same location at the end of an instruction elsewhere. */
static bool is_same_after(const struct walk *walk, uint64_t address)
{
	const struct loc *loc =
		loc_at(walk, (struct position){.address = address, .view = VIEW_LAST});

	return loc && loc->kind == walk->variable->loc.kind && loc->expr &&
	       walk->variable->loc.expr && expr_equal(loc->expr, walk->variable->loc.expr);
}

/* Whether debug information has the variable unchanged on all ways to the straight-line code's
 * start. */
static bool is_from_before(const struct walk *walk, const struct flow *flow, uint64_t start)
{
	struct path *ways;
	unsigned count = flow_ways_into(flow, walk->resolver->arena,
					(struct range){start, start + 1}, &ways);

	for (unsigned i = 0; i < count; i++)
		if (!is_same_after(walk, ways[i].from))
			return false;
	return count;
}

/* Whether the variable is as the copy of the function was given it. */
static bool is_as_given(const struct walk *walk)
{
	const struct range *holds = &walk->variable->holds;
	uint64_t entry = walk->instance->entry;

	return walk->variable->scope == SCOPE_PARAMETER && holds->start <= entry &&
	       entry < holds->end;
}

/* Whether debug information has the variable begin before a statement behind the line may have set
 * it. What such a statement calls sets no variable of the caller: only one that needs no instruction
 * may begin behind that, as what it is computed from is there already. */
static bool begins_before(const struct variable *variable, const struct early *early)
{
	return variable->holds.start < early->first ||
	       (early->is_called &&
		(variable->loc.kind == LOC_MEMORY || is_in_register(variable)));
}

/* Why the value is newer than the source has it. A statement behind the line may have set it where
 * debug information has it begin, if that is not before such a statement has code; or, without
 * code of its own, at the start of the straight-line code, if it isn't there on all ways to it. */
static const char *find_newer(struct walk *walk, const struct early *early, const struct flow *flow,
			      const struct capture *capture)
{
	const struct range *holds = &walk->variable->holds;
	bool is_older = is_as_given(walk) ||
			(holds->start <= early->start ? is_from_before(walk, flow, early->start) :
			 begins_before(walk->variable, early));

	for (unsigned i = 0; i < early->done.count; i++)
		is_older &= !reads_changed(capture, &early->done.list[i], false);
	if (is_older)
		return NULL;
	return arena_printf(walk->resolver->arena,
			    "line %u, which the source has behind this one, may have "
			    "changed it already",
			    early->line);
}

/* What is asked about one value. */
struct asked {
	const struct walk *walk;
	uint64_t address;
	struct slot_object object;
	unsigned parts; /* that were looked at */
};

static bool is_unread(struct asked *asked, const struct expr *at, unsigned size)
{
	return slot_is_unread(asked->walk->resolver, asked->walk->instance, asked->address,
			      &asked->object, at, size);
}

enum { MOST_PARTS = 64 };

/* Each number in the memory counts: of `a[0] = n; a[1] = m;` one may have been left out. */
static bool has_unread(struct asked *asked, const struct expr *at, const struct shape *shape)
{
	struct arena *arena = asked->walk->resolver->arena;
	bool found = false;

	if (asked->parts >= MOST_PARTS)
		return false;
	if (shape->kind == SHAPE_ARRAY)
		for (unsigned i = 0; i < shape->count && !found && asked->parts < MOST_PARTS; i++)
			found = has_unread(
				asked,
				expr_offset(arena, at,
					    (int64_t)i * (shape->stride ?: shape->element->size)),
				shape->element);
	else if (shape->kind == SHAPE_STRUCT)
		for (unsigned i = 0; i < shape->nmembers && !found; i++)
			found = has_unread(asked, expr_offset(arena, at, shape->members[i].offset),
					   shape->members[i].shape);
	else if (++asked->parts)
		found = is_unread(asked, at, shape->size ?: 1);
	return found;
}

static bool loads_unread(struct asked *asked, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_ENTRY)
		return false;
	return (expr->op == EXPR_LOAD && is_unread(asked, expr->a, expr->size)) ||
	       loads_unread(asked, expr->a) || loads_unread(asked, expr->b);
}

/* Whether a caller has just stored it, as the ABI has it, whatever the function reads: the position
 * is the function's beginning, and the place is above its return address. */
static bool is_passed_on_stack(const struct walk *walk, struct position at)
{
	const struct instance *instance = walk->instance;
	const struct expr *place = walk->variable->loc.expr;

	return walk->variable->scope == SCOPE_PARAMETER && instance && !instance->inlined &&
	       at.address == instance->entry && place->op == EXPR_ADD &&
	       place->a->op == EXPR_REG && place->b->op == EXPR_CONST &&
	       place->a->value == walk->resolver->arch->stack_register &&
	       (int64_t)place->b->value > 0;
}

/* Whether the value is of the variable's own memory on the stack, and nothing reads that any
 * more. */
static bool may_be_stale(const struct walk *walk, struct position at, const struct capture *capture)
{
	const struct variable *variable = walk->variable;
	const struct type *type = variable ? variable->type : NULL;
	struct asked asked = {.walk = walk, .address = at.address};
	bool found;

	if (!variable || !variable->is_home || walk->resolver != walk->home ||
	    variable->loc.kind != LOC_MEMORY || is_passed_on_stack(walk, at))
		return false;
	asked.object = (struct slot_object){
		.address = variable->loc.expr,
		.size = type->size ? (unsigned)type->size : 1,
		.is_aggregate = type->kind == TYPE_ARRAY || type_is_struct(type),
		.block = variable->block,
		.nblock = variable->nblock,
	};
	found = loads_unread(&asked, capture->expr);
	if (capture->kind == CAPTURE_OBJECT && !found)
		found = has_unread(&asked, capture->expr, capture->shape);
	for (unsigned i = 0; capture_bytes(capture) && capture->kind != CAPTURE_OBJECT && !found &&
			     i < MOST_PARTS && (!i || i < capture->count);
	     i++) {
		unsigned size = capture->kind == CAPTURE_ARRAY ? capture->size : 1;

		found = is_unread(
			&asked,
			expr_offset(walk->resolver->arena, capture->expr, (int64_t)i * size), size);
	}
	for (unsigned i = 0; i < capture->nparts && !found; i++)
		found = loads_unread(&asked, capture->parts[i].expr);
	return found;
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

/* Whether the value begins right at the position, and padding does too. gcc counts views behind the
 * padding, and its borders lie before it: the border may be meant behind the statement that is at
 * the position. */
static bool begins_at_padding(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;

	return variable->holds.start == at.address && !variable->holds_view && !at.is_entry &&
	       is_loop_padding(walk, at.address);
}

static bool is_listed_slot(const struct walk *walk)
{
	return walk->instance && walk->variable->holds.end &&
	       walk->variable->loc.kind == LOC_MEMORY;
}

static bool may_be_given_away(const struct walk *walk, struct position at)
{
	const struct flow *flow =
		walk->variable->loc.kind == LOC_VALUE &&
				walk->variable->loc.expr->op == EXPR_CONST && !is_by_gcc(walk) ?
			passing_flow(walk->resolver, walk->instance) : NULL;

	return flow && is_given_away(walk, flow, at.address);
}

static const char dropped[] = "no code behind this address reads its memory, so the compiler may "
			      "have left out to store it there";

const char *capture_doubt(struct walk *walk, const struct point *point, struct position at,
			  const struct capture *capture)
{
	bool is_own = at.address == point->at.address,
	     is_listed = walk->variable && walk->variable->holds.end;
	const char *reason = find_outdated(
		walk, at.address >= point->at.address ? point->pending : NULL, at, capture);
	const char *unset = find_unset_base(walk, at.address);
	unsigned uncounted;
	const struct flow *flow;

	if (unset)
		return unset;
	if (may_be_stale(walk, at, capture))
		return dropped;
	flow = is_own && !reason && walk->variable && walk->resolver == walk->home &&
			       (walk->variable->is_home || is_listed_slot(walk)) ?
		       passing_flow(walk->resolver, walk->instance) : NULL;
	if (flow && walk->variable->is_home)
		reason = find_stored(walk, flow, at, capture);
	else if (flow && is_by_gcc(walk) && is_spill_dropped(walk, flow, at))
		return dropped;
	else if (flow && !is_by_gcc(walk) && is_stale_slot(walk, flow))
		return "debug information names its memory, but a register has it newer";
	if (!is_own && is_listed && walk->variable->scope == SCOPE_LOCAL)
		return "a statement behind the function's beginning sets it";
	if (is_listed && is_own && !reason && begins_at_padding(walk, at))
		return "debug information doesn't tell whether this line's statement has set it";
	if (is_listed && is_own && !reason && is_own_result(walk, at))
		return "debug information has what this line makes of it, at the line's beginning";
	if (is_own && !reason && walk->variable && may_be_inner(walk, at))
		return "a copy of the same function ends here, and this may be its last line";
	if (is_listed && is_own && !reason && is_other_register(walk, at))
		return "debug information names a register that has something else here";
	if (walk->variable && is_before_head(walk, at, is_own))
		return "the compiler has split the function, and debug information doesn't tell "
		       "what its head makes of a parameter";
	if (is_listed && is_own && !reason && is_of_first_round(walk, at))
		return "debug information has what it was before the loop, by what the loop leaves "
		       "alone";
	if (is_listed && is_own && !reason && is_of_other_round(walk, at))
		return "debug information changes it more often here than in other rounds of this "
		       "unrolled loop, so it may be of another round";
	if (is_listed && is_own && !reason && may_be_given_away(walk, at))
		return "a function was given its address, and debug information has what it was "
		       "before";
	if (is_own && !reason && walk->variable && is_change_lost(walk, at))
		return "debug information doesn't tell whether a statement on the way here changes it";
	uncounted = is_listed && is_own && !reason ? find_uncounted(walk, at) : 0;
	if (uncounted)
		return arena_printf(walk->resolver->arena,
				    "debug information leaves out what line %u makes of it in the "
				    "loop's first round", uncounted);
	if (is_listed && is_own && !reason)
		reason = find_ahead(walk, at);
	if (!is_listed || reason ||
	    (!may_be_contradicted(walk) && !(is_own && point->early)))
		return reason;
	flow = passing_flow(walk->resolver, walk->instance); /* costs more than all the rest */
	if (flow && is_own && point->early)
		reason = find_newer(walk, point->early, flow, capture);
	if (flow && !reason && is_contradicted(walk, flow, at))
		reason = "debug information contradicts itself: it has another value, or none, "
			 "on a way that leads here";
	return reason;
}
