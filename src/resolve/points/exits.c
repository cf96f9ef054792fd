// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where a function ends: its ret instructions, and its jumps to other functions, which return
 * for it (tail calls). A probe there changes no return address, so it can't lead an unwinder
 * astray.
 *
 * The surprise: one instruction can be either. `jmp *%rax` goes to another function or to a case of
 * a switch; where that can't be told, the caller is told so.
 */
#include <stdlib.h>

#include "arch/arch.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"
#include "target/code.h"
#include "target/target.h"

/* A function's code, examined for exits. */
struct body {
	struct resolver *resolver;
	struct exits *exits;
	const struct point *point;
	uint64_t entry;
	struct range *ranges;
	unsigned nranges;
	const struct point *points; /* all of the place: its clones among them */
	unsigned npoints;
	struct flow *flow;
	const bool *runs; /* by instruction, in the flow's order: those reachable from the entry */
	bool has_inner;   /* some jump inside has an unknown target */
	bool has_hidden;  /* some code has no known way in: cases, handlers, labels */
};

static bool is_inside(const struct body *body, uint64_t address)
{
	for (unsigned i = 0; i < body->nranges; i++)
		if (address >= body->ranges[i].start && address < body->ranges[i].end)
			return true;
	return false;
}

static void add_range(struct body *body, struct range range)
{
	if (range.start < range.end && !is_inside(body, range.start))
		arena_append(body->resolver->arena, body->ranges, body->nranges) = range;
}

static void find_ranges(struct body *body, const struct point *point)
{
	const struct instance *instance = point->instance;
	const struct symbol *symbol = target_symbol_at(body->resolver->target, body->entry,
						       point->symbol);
	struct code_part part;

	for (unsigned i = 0; instance && i < instance->nranges; i++)
		add_range(body, instance->ranges[i]);
	if (!body->nranges && symbol && symbol->address == body->entry)
		add_range(body, (struct range){symbol->address, symbol->address + symbol->size});
	if (!body->nranges && target_part_at(body->resolver->target, body->entry, &part) &&
	    part.start == body->entry)
		add_range(body, (struct range){part.start, part.end});
}

static void not_all(struct body *body, const char *why)
{
	if (!body->exits->unknown)
		body->exits->unknown = why;
}

/* "work.cold" is a part of "work". */
static bool is_cold_part(const struct body *body, const struct symbol *symbol)
{
	const struct symbol *whole = target_symbol_at(body->resolver->target, body->entry, NULL);
	const char *cold = strstr(symbol->name, ".cold");

	return whole && cold && !strncmp(symbol->name, whole->name, (size_t)(cold - symbol->name)) &&
	       (cold - symbol->name) == (ptrdiff_t)strlen(whole->name);
}

/* Calls `each` with each instruction and the one before it. Returns false if some can't be
 * decoded. */
static bool each_insn(struct body *body, void (*each)(struct body *body, const struct insn *insn,
						      const struct insn *before, uint64_t address))
{
	struct resolver *resolver = body->resolver;
	struct decoder *decoder = decoder_open(resolver->arch);
	bool whole = decoder && body->nranges;

	for (unsigned i = 0; whole && i < body->nranges; i++) {
		struct range range = body->ranges[i];
		struct insn insn, before = {.sum_register = NO_REGISTER};
		size_t length;
		const uint8_t *code = target_bytes(resolver->target, range.start, &length);

		whole = code && length >= range.end - range.start;
		for (uint64_t at = range.start; whole && at < range.end; at += insn.length) {
			decoder_next(decoder, code + (at - range.start), range.end - at, at, &insn);
			whole = insn.length;
			if (whole)
				each(body, &insn, &before, at);
			before = insn;
		}
	}
	decoder_close(decoder);
	return whole;
}

static void add_cold(struct body *body, const struct insn *insn, const struct insn *before,
		     uint64_t address)
{
	struct target *target = body->resolver->target;
	const struct symbol *symbol;
	struct code_part part;

	(void)before;
	if (!insn->is_branch || is_inside(body, insn->target))
		return;
	symbol = target_symbol_at(target, insn->target, NULL);
	if (symbol && is_cold_part(body, symbol))
		add_range(body, (struct range){symbol->address, symbol->address + symbol->size});
	/* if there are no symbols: it is entered with this function's frame, so it is a part of
	 * this one */
	else if (target_stack_state(target, address) == STACK_FRAMED &&
		 target_part_at(target, insn->target, &part) &&
		 target_stack_state(target, part.start) == STACK_FRAMED)
		add_range(body, (struct range){part.start, part.end});
}

/* A switch: the instruction before adds a case's distance to the table's address, or the jump
 * goes through a table of the cases. */
static bool is_case_jump(const struct insn *insn, const struct insn *before)
{
	return insn->is_table_jump || (insn->jump_register != NO_REGISTER &&
				       insn->jump_register == before->sum_register);
}

static void find_inner(struct body *body, const struct insn *insn, const struct insn *before,
		       uint64_t address)
{
	if (insn->is_indirect &&
	    (is_case_jump(insn, before) ||
	     target_stack_state(body->resolver->target, address) == STACK_FRAMED))
		body->has_inner = true;
}

static bool can_run(const struct body *body, uint64_t address)
{
	return flow_marked(body->flow, body->runs, address);
}

static void find_hidden(struct body *body, const struct insn *insn, const struct insn *before,
			uint64_t address)
{
	(void)before;
	body->has_hidden |= !insn->is_padding && !can_run(body, address);
}

static void add_exit(struct body *body, uint64_t address, bool is_jump)
{
	struct exits *exits = body->exits;

	arena_append(body->resolver->arena, exits->list, exits->count) =
		(struct exit){address, is_jump};
	exits->njumps += is_jump;
}

static void indirect_exit(struct body *body, const struct insn *insn, const struct insn *before,
			  uint64_t address, enum stack_state state)
{
	if (is_case_jump(insn, before) || state == STACK_FRAMED)
		return;
	if (state == STACK_UNKNOWN)
		not_all(body, "it has a jump to where can't be told");
	else if (insn->is_slot_jump || !body->has_hidden)
		add_exit(body, address, true);
	else
		not_all(body, "it has a jump that may lead to another function or to a part of its own");
}

/* Whether it is a clone of the same function (.part): what that returns, this one returns. */
static bool is_clone(const struct body *body, uint64_t address)
{
	const struct point *point = body->point;

	for (unsigned i = 0; i < body->npoints; i++)
		if (body->points[i].at.address == address && point->instance && body->points[i].instance &&
		    body->points[i].instance->function == point->instance->function)
			return true;
	return false;
}

/* A jump to the function's own beginning is a loop; once its frame is gone, it is a tail call. */
static bool calls_itself(const struct body *body, const struct insn *insn, const struct insn *before,
			 uint64_t address, enum stack_state state)
{
	return insn->target == body->entry && !insn->falls_through && state == STACK_BARE &&
	       target_stack_state(body->resolver->target, address - before->length) == STACK_FRAMED;
}

static void direct_exit(struct body *body, const struct insn *insn, const struct insn *before,
			uint64_t address, enum stack_state state)
{
	if (calls_itself(body, insn, before, address, state)) {
		add_exit(body, address, true);
		return;
	}
	if (is_inside(body, insn->target) ||
	    (state != STACK_FRAMED && is_clone(body, insn->target)))
		return;
	if (insn->falls_through)
		not_all(body, "it may leave by a conditional jump to another function");
	else if (state == STACK_FRAMED)
		not_all(body, "it jumps out of its code with its stack frame");
	else
		add_exit(body, address, true);
}

/* Whether a compiler made the code: it lets code run into what follows only where it knows that
 * the end is never reached. Assembly has no declaring file. */
static bool is_compiled(const struct body *body)
{
	return body->point->instance && *body->point->instance->function->file;
}

static void find_exit(struct body *body, const struct insn *insn, const struct insn *before,
		      uint64_t address)
{
	uint64_t next = address + insn->length;
	enum stack_state state;

	if (!can_run(body, address))
		return;
	body->exits->has_calls |= insn->is_call;
	if (insn->falls_through && !insn->is_call && !insn->is_padding && !is_inside(body, next) &&
	    !is_compiled(body))
		not_all(body, "its code goes on behind its end");
	if (!insn->is_return && !insn->is_branch && !insn->is_indirect)
		return;
	state = target_stack_state(body->resolver->target, address);
	if (insn->is_return && (state == STACK_BARE || state == STACK_UNKNOWN))
		add_exit(body, address, false);
	else if (insn->is_return)
		not_all(body, "it has a ret that isn't to its caller");
	else if (insn->is_indirect)
		indirect_exit(body, insn, before, address, state);
	else
		direct_exit(body, insn, before, address, state);
}

void exits_find(struct resolver *resolver, const struct point *point, const struct point *points,
		unsigned npoints, struct exits *ret)
{
	struct body body = {
		.resolver = resolver,
		.exits = ret,
		.point = point,
		.entry = point->at.address,
		.points = points,
		.npoints = npoints,
	};
	unsigned before;

	*ret = (struct exits){.has_calls = true};
	find_ranges(&body, point);
	if (!body.nranges) {
		ret->is_unsized = true;
		not_all(&body, "no symbol says how long it is");
		return;
	}
	do {
		before = body.nranges;
		if (!each_insn(&body, add_cold)) {
			not_all(&body, "its code can't be decoded");
			return;
		}
	} while (body.nranges > before);
	body.flow = flow_build(resolver, body.ranges, body.nranges, body.entry);
	if (!body.flow) {
		not_all(&body, "its code can't be decoded");
		return;
	}
	ret->has_calls = false;
	each_insn(&body, find_inner);
	body.runs = flow_runs(body.flow, false);
	each_insn(&body, find_hidden);
	if (body.has_inner || target_has_handlers(resolver->target))
		body.runs = flow_runs(body.flow, true);
	each_insn(&body, find_exit);
}
