// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds returns of which gcc copied the code and left the mark in one copy alone: a way to the
 * function's end that passes no mark returns what the marked one does.
 *
 * The surprise: the register that is returned tells. `return 0` would put another value there than
 * the `return result` further down.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"
#include "target/code.h"
#include "target/target.h"

struct search {
	struct resolver *resolver;
	const struct flow *flow;
	const struct nesting *nesting;
};

/* The instruction that sets what is returned. */
struct setter {
	uint64_t address; /* 0: it is set before */
	unsigned length;
};

static void note_setter(struct search *search, uint64_t address, struct setter *setter)
{
	uint64_t result = 1ull << search->resolver->arch->return_register;
	struct insn insn;
	struct effect effect;

	if (code_effect(search->resolver, address, &insn, &effect) &&
	    (insn.is_call || (effect.written & result)))
		*setter = (struct setter){address, insn.length};
}

/* Whether one way alone leads from an instruction to a return, by instructions that are marked in
 * `among`, unless that is NULL. */
static bool follow_to_return(struct search *search, int from, const bool *among,
			     struct setter *setter)
{
	*setter = (struct setter){0};
	for (unsigned left = flow_count(search->flow); left && from >= 0; left--) {
		struct flow_step step = flow_step(search->flow, (unsigned)from);

		if (among && !flow_marked(search->flow, among, step.address))
			return false;
		note_setter(search, step.address, setter);
		if (step.is_return)
			return true;
		from = step.next[1] < 0 && step.next[2] < 0 ? step.next[0] : -1;
	}
	return false;
}

static bool is_same_setter(struct search *search, const struct setter *a, const struct setter *b)
{
	size_t na = a->length, nb = b->length;
	const uint8_t *first = target_bytes(search->resolver->target, a->address, &na);
	const uint8_t *second = target_bytes(search->resolver->target, b->address, &nb);

	if (!a->address || !b->address)
		return a->address == b->address;
	return a->length == b->length && first && second && na >= a->length && nb >= b->length &&
	       !memcmp(first, second, a->length);
}

/* The code behind a mark, up to the next ones. */
static const bool *code_behind(struct search *search, const struct mark *mark)
{
	const struct nesting *nesting = search->nesting;
	struct arena *arena = search->resolver->arena;
	uint64_t *others = arena_array(arena, uint64_t, nesting->nsteps + 1);
	unsigned count = 0;

	for (unsigned i = 0; i < nesting->nsteps; i++)
		if (nesting->steps[i].address != mark->address)
			others[count++] = nesting->steps[i].address;
	return flow_reached(search->flow, arena, &mark->address, 1, others, count);
}

/* Whether a way from the mark, past all others, ends as the marked return does. */
static bool ends_alike(struct search *search, const struct mark *mark, const struct setter *wanted)
{
	const bool *reached = code_behind(search, mark);

	for (unsigned i = 0; i < flow_count(search->flow); i++) {
		struct flow_step step = flow_step(search->flow, i);
		struct setter setter;

		if (step.next[1] < 0 || !flow_marked(search->flow, reached, step.address))
			continue;
		for (unsigned j = 0; j < 3; j++)
			if (follow_to_return(search, step.next[j], reached, &setter) &&
			    is_same_setter(search, &setter, wanted))
				return true;
	}
	return false;
}

/* Whether all marks of the statement only lead to the end. */
static bool is_return(const struct nesting *nesting, int statement)
{
	bool ends = false;

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];

		if (mark->statement != statement)
			continue;
		for (unsigned j = 0; j < mark->nnext; j++)
			if (nesting->steps[mark->next[j]].statement != statement)
				return false;
		ends |= mark->ends;
	}
	return ends;
}

/* Whether a mark of one statement leads to another one's, by marks that each lead to one alone. */
static bool leads_on(const struct nesting *nesting, const struct mark *mark, int statement)
{
	for (unsigned i = 0; i < mark->nnext; i++) {
		const struct mark *next = &nesting->steps[mark->next[i]];

		for (unsigned left = nesting->nsteps;
		     left && next->statement > mark->statement; left--) {
			if (next->statement == statement)
				return true;
			if (next->nnext != 1)
				break;
			next = &nesting->steps[next->next[0]];
		}
	}
	return false;
}

static bool statement_leads_on(const struct nesting *nesting, int from, int to)
{
	for (unsigned i = 0; i < nesting->nsteps; i++)
		if (nesting->steps[i].statement == from && leads_on(nesting, &nesting->steps[i], to))
			return true;
	return false;
}

/* The statement further up that leads to this return, and to the end past it; -1: there is none. */
static int passes_by(struct search *search, int statement, const struct setter *setter)
{
	const struct nesting *nesting = search->nesting;

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];

		if (mark->ends && mark->statement >= 0 && mark->statement < statement &&
		    statement_leads_on(nesting, mark->statement, statement) &&
		    ends_alike(search, mark, setter))
			return mark->statement;
	}
	return -1;
}

static void look_at(struct search *search, int statement, struct findings *ret)
{
	const struct nesting *nesting = search->nesting;
	struct setter setter;
	int past;

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];

		if (mark->statement != statement || !mark->ends ||
		    !follow_to_return(search, flow_number(search->flow, mark->address), NULL,
				      &setter))
			continue;
		past = passes_by(search, statement, &setter);
		if (past < 0)
			continue;
		arena_append(search->resolver->arena, ret->list, ret->count) = (struct finding){
			.line = nesting->list[statement].line,
			.from = nesting->list[past].line,
		};
		return;
	}
}

static bool returns_value(struct resolver *resolver, const struct function *function)
{
	const struct type *type;

	return !debuginfo_return_type(resolver->info, function, &type) && type->kind != TYPE_VOID;
}

void lost_return_find(struct resolver *resolver, const struct instance *instance,
		      const struct flow *flow, const struct nesting *nesting, struct findings *ret)
{
	struct search search = {resolver, flow, nesting};

	if (instance->inlined || !returns_value(resolver, instance->function))
		return;
	for (unsigned i = 0; i < nesting->count; i++)
		if (is_return(nesting, (int)i))
			look_at(&search, (int)i, ret);
}
