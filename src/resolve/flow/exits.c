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
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "target/code.h"
#include "target/target.h"

/* A function's code, examined for exits. */
struct body {
	struct resolver *resolver;
	struct exits *exits;
	const struct point *point;
	struct function_code code;
	const struct point *points; /* all of the place: its clones among them */
	unsigned npoints;
	struct flow *flow;
	const bool *runs; /* by instruction, in the flow's order: those reachable from the entry */
	bool has_inner;   /* some jump inside has an unknown target */
	bool has_hidden;  /* some code has no known way in: cases, handlers, labels */
};

static void not_all(struct body *body, const char *why)
{
	if (!body->exits->unknown)
		body->exits->unknown = why;
}

/* A switch: the instruction before adds a case's distance to the table's address, or the jump
 * goes through a table of the cases. */
static bool is_case_jump(const struct insn *insn, const struct insn *before)
{
	return insn->is_table_jump || (insn->jump_register != NO_REGISTER &&
				       insn->jump_register == before->sum_register);
}

static void find_inner(void *cookie, const struct insn *insn, const struct insn *before,
		       uint64_t address)
{
	struct body *body = cookie;

	if (insn->is_indirect &&
	    (is_case_jump(insn, before) ||
	     target_stack_state(body->resolver->target, address) == STACK_FRAMED))
		body->has_inner = true;
}

static bool can_run(const struct body *body, uint64_t address)
{
	return flow_marked(body->flow, body->runs, address);
}

static void find_hidden(void *cookie, const struct insn *insn, const struct insn *before,
			uint64_t address)
{
	struct body *body = cookie;

	(void)before;
	body->has_hidden |= !insn->is_padding && !can_run(body, address);
}

static void add_exit(struct body *body, uint64_t address, bool is_jump, uint64_t target)
{
	struct exits *exits = body->exits;

	arena_append(body->resolver->arena, exits->list, exits->count) =
		(struct exit){address, is_jump, target};
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
		add_exit(body, address, true, 0);
	else
		not_all(body,
			"it has a jump that may lead to another function or to a part of its own");
}

/* Whether it is a clone of the same function (.part): what that returns, this one returns. */
static bool is_clone(const struct body *body, uint64_t address)
{
	const struct point *point = body->point;

	for (unsigned i = 0; i < body->npoints; i++)
		if (body->points[i].at.address == address && point->instance &&
		    body->points[i].instance &&
		    body->points[i].instance->function == point->instance->function)
			return true;
	return false;
}

/* A jump to the function's own beginning is a loop; once its frame is gone, it is a tail call. */
static bool calls_itself(const struct body *body, const struct insn *insn,
			 const struct insn *before, uint64_t address, enum stack_state state)
{
	return insn->target == body->code.entry && !insn->falls_through && state == STACK_BARE &&
	       target_stack_state(body->resolver->target, address - before->length) == STACK_FRAMED;
}

static void direct_exit(struct body *body, const struct insn *insn, const struct insn *before,
			uint64_t address, enum stack_state state)
{
	if (calls_itself(body, insn, before, address, state)) {
		add_exit(body, address, true, insn->target);
		return;
	}
	if (code_has(&body->code, insn->target) ||
	    (state != STACK_FRAMED && is_clone(body, insn->target)))
		return;
	if (insn->falls_through)
		not_all(body, "it may leave by a conditional jump to another function");
	else if (state == STACK_FRAMED)
		not_all(body, "it jumps out of its code with its stack frame");
	else
		add_exit(body, address, true, insn->target);
}

/* Whether a compiler made the code: it lets code run into what follows only where it knows that
 * the end is never reached. Assembly has no declaring file. */
static bool is_compiled(const struct body *body)
{
	return body->point->instance && *body->point->instance->function->file;
}

static void find_exit(void *cookie, const struct insn *insn, const struct insn *before,
		      uint64_t address)
{
	struct body *body = cookie;
	uint64_t next = address + insn->length;
	enum stack_state state;

	if (!can_run(body, address))
		return;
	body->exits->has_calls |= insn->is_call;
	if (insn->falls_through && !insn->is_call && !insn->is_padding &&
	    !code_has(&body->code, next) && !is_compiled(body))
		not_all(body, "its code goes on behind its end");
	if (!insn->is_return && !insn->is_branch && !insn->is_indirect)
		return;
	state = target_stack_state(body->resolver->target, address);
	if (insn->is_return && (state == STACK_BARE || state == STACK_UNKNOWN))
		add_exit(body, address, false, 0);
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
		.points = points,
		.npoints = npoints,
	};
	const char *unknown;

	*ret = (struct exits){.has_calls = true};
	unknown = code_find(resolver, point, &body.code);
	ret->is_unsized = !body.code.nranges;
	if (unknown) {
		not_all(&body, unknown);
		return;
	}
	body.flow = flow_build(resolver, body.code.ranges, body.code.nranges, body.code.entry);
	if (!body.flow) {
		not_all(&body, "its code can't be decoded");
		return;
	}
	ret->has_calls = false;
	code_each(&body.code, find_inner, &body);
	body.runs = flow_runs(body.flow, false);
	code_each(&body.code, find_hidden, &body);
	if (body.has_inner || target_has_handlers(resolver->target))
		body.runs = flow_runs(body.flow, true);
	code_each(&body.code, find_exit, &body);
}
