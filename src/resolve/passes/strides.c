// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds loops of which one round does several rounds of the source, by the memory that they use: of
 * `s += a[i]` it has a[i] and a[i + 1], and adds 2 to i.
 *
 * The surprise: the statement says so, not the address. What a source writes as a[i] + a[i + 1] has
 * two columns.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/flow/step_graph.h"
#include "resolve/passes/merged.h"

/* A statement's use of memory. */
struct use {
	const struct row *row;
	unsigned step;
	unsigned kind;
	struct effect effect;
};

/* A constant that is added to a register. */
struct sum {
	int of;
	int64_t summand;
};

struct body {
	struct use *uses;
	unsigned nuses;
	struct sum *sums;
	unsigned nsums;
	unsigned size; /* the loop's instructions */
};

/* Without a factor, either register may be called the index. */
static void put_in_order(struct effect *effect)
{
	int base = effect->memory_base;

	if (effect->memory_scale != 1 || base < effect->memory_index ||
	    effect->memory_index == NO_REGISTER)
		return;
	effect->memory_base = effect->memory_index;
	effect->memory_index = base;
}

static bool is_in_inner(const struct step_graph *graph, const struct loop *loop, unsigned step)
{
	for (unsigned i = 0; i < graph->nloops; i++) {
		const struct loop *other = &graph->loops[i];

		if (other != loop && other->first >= loop->first && other->end <= loop->end &&
		    step >= other->first && step < other->end)
			return true;
	}
	return false;
}

/* What the loop's code does that is in no other loop in it. */
static bool read_body(const struct line_code *of, const struct step_graph *graph,
		      const struct loop *loop, struct body *body)
{
	unsigned size = loop->end - loop->first;

	*body = (struct body){
		.size = size,
		.uses = arena_array(&of->resolver->scratch, struct use, size),
		.sums = arena_array(&of->resolver->scratch, struct sum, size),
	};
	for (unsigned i = loop->first; i < loop->end; i++) {
		uint64_t address = flow_step(of->flow, i).address;
		struct use use = {.row = row_around(of, address), .step = i};
		struct insn insn;

		if (is_in_inner(graph, loop, i))
			continue;
		if (!code_effect(of->resolver, address, &insn, &use.effect))
			return false;
		if (use.effect.sum_of != NO_REGISTER)
			body->sums[body->nsums++] =
				(struct sum){use.effect.sum_of, use.effect.summand};
		use.kind = insn.kind;
		put_in_order(&use.effect);
		if (use.row && use.row->line && use.effect.memory_base != NO_REGISTER)
			body->uses[body->nuses++] = use;
	}
	return true;
}

static bool is_same_statement(const struct use *use, const struct use *other)
{
	const struct effect *a = &use->effect, *b = &other->effect;

	return use->row->line == other->row->line && use->row->column == other->row->column &&
	       use->row->file == other->row->file && use->kind == other->kind &&
	       a->memory == b->memory && a->memory_base == b->memory_base &&
	       a->memory_index == b->memory_index && a->memory_scale == b->memory_scale &&
	       a->memory_size == b->memory_size;
}

/* By how much the address grows in a round that adds to one of its registers. */
static int64_t growth(const struct effect *effect, const struct sum *sum)
{
	int64_t times = (sum->of == effect->memory_base) +
			(sum->of == effect->memory_index ? (int64_t)effect->memory_scale : 0);

	return sum->summand < 0 ? -sum->summand * times : sum->summand * times;
}

static const struct use *find_use(const struct body *body, const struct use *use, int64_t offset)
{
	for (unsigned i = 0; i < body->nuses; i++)
		if (body->uses[i].effect.memory_offset == offset &&
		    is_same_statement(&body->uses[i], use))
			return &body->uses[i];
	return NULL;
}

/* How many rounds fill what the address grows by, if the statement is there for each of them, and
 * these are most of the loop; else 1. other: the second use. */
static unsigned rounds_of(const struct body *body, const struct use *use, const struct use *other,
			  const struct sum *sum)
{
	enum { MOST = 64, LOOP_CONTROL = 3 };
	int64_t distance = other->effect.memory_offset - use->effect.memory_offset;
	int64_t grows = growth(&use->effect, sum), most;
	unsigned first = use->step, last = use->step, rounds = 1, length;

	if (distance < (int64_t)use->effect.memory_size || distance <= 0 || grows % distance)
		return 1;
	for (most = grows / distance; rounds < most && most <= MOST; rounds++) {
		other = find_use(body, use, use->effect.memory_offset + rounds * distance);
		if (!other)
			break;
		first = other->step < first ? other->step : first;
		last = other->step > last ? other->step : last;
	}
	if (rounds != most || rounds < 2)
		return 1;
	length = (last - first) * rounds / (rounds - 1);
	return 2 * length >= body->size || length + LOOP_CONTROL >= body->size ? rounds : 1;
}

/* Whether all of the code between the loop's ends is in it: compilers move other code there. */
static bool is_whole(const struct flow *flow, const struct loop *loop)
{
	uint64_t head = flow_step(flow, loop->first).address;

	for (unsigned i = loop->first + 1; i < loop->end; i++) {
		uint64_t address = flow_step(flow, i).address;

		if (!flow_reaches_from(flow, &address, 1, head, NULL, 0) ||
		    !flow_reaches_from(flow, &head, 1, address, NULL, 0))
			return false;
	}
	return true;
}

static unsigned most_rounds(const struct body *body, const struct use *use, const struct use *other)
{
	unsigned most = 1;

	for (unsigned i = 0; i < body->nsums && is_same_statement(use, other); i++) {
		unsigned rounds = rounds_of(body, use, other, &body->sums[i]);

		most = rounds > most ? rounds : most;
	}
	return most;
}

unsigned rounds_in_round(const struct line_code *of, const struct step_graph *graph,
			 const struct loop *loop)
{
	enum { MOST = 400 };
	struct body body;
	unsigned most = 1;

	if (loop->end - loop->first > MOST || !read_body(of, graph, loop, &body))
		return 1;
	for (unsigned i = 0; i < body.nuses; i++)
		for (unsigned j = 0; j < body.nuses; j++) {
			unsigned rounds = most_rounds(&body, &body.uses[i], &body.uses[j]);

			most = rounds > most ? rounds : most;
		}
	return most > 1 && is_whole(of->flow, loop) ? most : 1;
}
