// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says why a value isn't the one that the source has at a line: a statement before the line is
 * still to change it, or a statement behind the line has done so.
 *
 * The surprise: gdb shows it. It has the machine's state right, but at the beginning of a line the
 * statement before may be unfinished.
 */
#include "arch/arch.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/written.h"
#include "resolve/values/doubts.h"

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

/* The variable's location behind the instruction. Where a register loses it there, the next one
 * that the code comes to, over jumps as well, before something is written to that register. */
static const struct loc *loc_behind(const struct walk *walk, struct position at, uint64_t end,
				    const struct loc *before)
{
	enum { MOST_STEPS = 16 };
	const struct loc *loc = loc_at(walk, (struct position){
		.address = end, .is_straight = true, .line = at.line,
	});
	bool is_register = before && before->expr && before->kind == LOC_VALUE &&
			   before->expr->op == EXPR_REG && before->expr->value < 64;
	const struct flow *flow = loc || !is_register || !walk->instance ? NULL :
					  passing_flow(walk->resolver, walk->instance);
	int number = flow ? flow_number(flow, end) : -1;

	for (unsigned i = 0; !loc && number >= 0 && i < MOST_STEPS; i++) {
		struct flow_step step = flow_step(flow, (unsigned)number);
		struct effect effect;
		struct insn insn;

		loc = loc_at(walk, (struct position){.address = step.address});
		if (loc || !code_effect(walk->resolver, step.address, &insn, &effect) ||
		    insn.is_call || effect.written >> before->expr->value & 1 ||
		    !flow_leads_only(flow, step.address))
			break;
		number = step.next[0] >= 0 ? step.next[0] :
			 step.next[1] >= 0 ? step.next[1] : step.next[2];
	}
	return loc;
}

/* Whether the instruction makes the variable's new value: debug information gives the old
 * location also after the instruction. If it gives another expression of the same value there,
 * the register was needed for something else; if it gives none any more, what is made from the
 * old value is the new one. */
static bool is_changed(const struct walk *walk, struct position at, const struct write *write,
		       bool is_update, bool has_marks)
{
	const struct loc *before = loc_at(walk, at),
			 *after = loc_behind(walk, at, write->end, before);

	if (!before || !after)
		return before && (is_stored_late(before, write) ||
				  (is_update && (before->kind == LOC_MEMORY || !has_marks ||
						 (before->expr && before->expr->op == EXPR_REG))));
	return before->kind == after->kind && before->expr && after->expr &&
	       expr_equal(before->expr, after->expr);
}

static bool reads_changed(const struct question *question, const struct write *write,
			  bool is_update)
{
	const struct capture *capture = question->capture;
	uint64_t probed = question->walk->probed;
	bool found = write_changes(write, capture->expr, capture_bytes(capture), probed, is_update);

	for (unsigned i = 0; i < capture->nparts; i++)
		found |= write_changes(write, capture->parts[i].expr, 0, probed, is_update);
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
		    loc->kind == LOC_VALUE &&
		    write_changes(write, loc->expr, 0, walk->probed, false))
			return true;
	}
	return false;
}

const char *find_outdated(const struct question *question)
{
	const struct writes *pending = question->point->pending;
	struct walk *walk = question->walk;
	struct position at = question->at;

	for (unsigned i = 0; pending && i < pending->count; i++) {
		const struct write *write = &pending->list[i];

		if (write->end <= at.address)
			continue; /* done by then */
		if (!reads_changed(question, write, false)) {
			if (pending->has_marks || !is_computed_anew(walk, at, write))
				continue;
		} else if (!is_changed(walk, at, write,
				       reads_changed(question, write, true),
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
	unsigned count = flow_ways_into(flow, &walk->resolver->scratch,
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
 * it. What such a statement calls sets no variable of the caller: only one that needs no
 * instruction may begin behind that, as what it is computed from is there already. */
static bool begins_before(const struct variable *variable, const struct early *early)
{
	return variable->holds.start < early->first ||
	       (early->is_called &&
		(variable->loc.kind == LOC_MEMORY || is_in_register(variable)));
}

/* A statement behind the line may have set it where debug information has it begin, if that is not
 * before such a statement has code; or, without code of its own, at the start of the straight-line
 * code, if it isn't there on all ways to it. */
const char *find_newer(const struct question *question)
{
	const struct early *early = question->point->early;
	struct walk *walk = question->walk;
	const struct flow *flow = early ? passing_flow(walk->resolver, walk->instance) : NULL;
	const struct range *holds = &walk->variable->holds;
	bool is_older;

	if (!flow)
		return NULL;
	is_older = is_as_given(walk) ||
		   (holds->start <= early->start ? is_from_before(walk, flow, early->start) :
						   begins_before(walk->variable, early));
	for (unsigned i = 0; i < early->done.count; i++)
		is_older &= !reads_changed(question, &early->done.list[i], false);
	if (is_older)
		return NULL;
	return arena_printf(walk->resolver->arena,
			    "line %u, which the source has behind this one, may have "
			    "changed it already",
			    early->line);
}
