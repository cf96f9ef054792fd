// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a value may be what a statement behind the line makes of it: clang does `n++` at
 * the end of a loop's round, behind all that the source has after it.
 *
 * The surprise: debug information is right about the machine. Only the order of lines tells, within
 * one round: the code before is of lines further down, and the loop has lines further up.
 */
#include "arch/arch.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/flow/step_graph.h"
#include "resolve/values/doubts.h"

struct search {
	const struct walk *walk;
	const struct capture *capture;
	const struct flow *flow;
	struct step_graph *graph;
	const struct loop *loop; /* the innermost one around the position */
	unsigned line;
};

static const struct loop *loop_around(const struct step_graph *graph, unsigned step)
{
	const struct loop *ret = NULL;

	for (unsigned i = 0; i < graph->nloops; i++) {
		const struct loop *loop = &graph->loops[i];

		if (loop->first <= step && step < loop->end &&
		    (!ret || loop->end - loop->first < ret->end - ret->first))
			ret = loop;
	}
	return ret;
}

/* A loop's own line is behind those of its body. */
static bool has_line_above(const struct search *search)
{
	for (unsigned i = search->loop->first; i < search->loop->end; i++)
		if (search->graph->lines[i] && search->graph->lines[i] < search->line)
			return true;
	return false;
}

/* The compiler's own stores to a variable's slot have no line. A call that is given the address
 * isn't known to write there, and most don't. */
static bool writes_at(const struct effect *effect, const struct expr *address)
{
	return effect->store_size && is_at(address, effect->store_base, effect->store_offset);
}

/* registers: those that count, one bit each. */
static bool changes(const struct effect *effect, uint64_t registers, const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_REG)
		return expr->value < 64 && (effect->written & registers) >> expr->value & 1;
	if (expr->op == EXPR_LOAD && writes_at(effect, expr->a))
		return true;
	return changes(effect, registers, expr->a) || changes(effect, registers, expr->b);
}

static bool is_address(const struct capture *capture)
{
	return capture->kind == CAPTURE_STRING || capture->kind == CAPTURE_ARRAY ||
	       capture->kind == CAPTURE_OBJECT;
}

static bool changes_value(const struct search *search, unsigned step)
{
	const struct resolver *resolver = search->walk->resolver;
	const struct capture *capture = search->capture;
	uint64_t registers = ~((uint64_t)1 << resolver->arch->stack_register);
	struct effect effect;
	struct insn insn;

	if (!code_effect(search->walk->resolver, flow_step(search->flow, step).address, &insn,
			 &effect))
		return false;
	if (insn.is_call || !search->graph->lines[step])
		registers = 0;
	for (unsigned i = 0; i < capture->nparts; i++)
		if (changes(&effect, registers, capture->parts[i].expr))
			return true;
	return changes(&effect, registers, capture->expr) ||
	       (is_address(capture) && capture->expr && writes_at(&effect, capture->expr));
}

static unsigned begin_at(struct step_graph *graph, unsigned step)
{
	memset(graph->behind, 0, graph->count * sizeof(*graph->behind));
	graph->queue[0] = (int)step;
	return 1;
}

/* Puts what comes right before a step, in the same round of the loop, into the queue. Returns false
 * when the round begins there. */
static bool go_back(const struct search *search, unsigned at, unsigned *count)
{
	struct step_graph *graph = search->graph;
	bool found = false;

	for (unsigned i = graph->first_before[at]; i < graph->first_before[at + 1]; i++) {
		unsigned from = (unsigned)graph->before[i];

		/* a way back comes from another round */
		if (graph->place[from] >= graph->place[at] || from < search->loop->first ||
		    from >= search->loop->end)
			continue;
		found = true;
		if (!graph->behind[from])
			graph->queue[(*count)++] = (int)from;
		graph->behind[from] = true;
	}
	return found;
}

/* Whether all code right before the position is of lines further down. */
static bool is_late(const struct search *search, unsigned step)
{
	struct step_graph *graph = search->graph;
	unsigned count = begin_at(graph, step);

	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)graph->queue[i], line = i ? graph->lines[at] : 0;

		if (line <= search->line && (line || !go_back(search, at, &count)))
			return false;
	}
	return true;
}

static bool is_changed_before(const struct search *search, unsigned step)
{
	struct step_graph *graph = search->graph;
	unsigned count = begin_at(graph, step);

	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)graph->queue[i], line = i ? graph->lines[at] : 0;

		if (line && line <= search->line)
			continue;
		if (i && changes_value(search, at))
			return true;
		go_back(search, at, &count);
	}
	return false;
}

const char *find_later(const struct question *question)
{
	const struct walk *walk = question->walk;
	struct search search = {.walk = walk, .capture = question->capture,
				.line = question->at.line};
	struct line_code of;
	int step, entry;

	if (is_by_gcc(walk) || !search.line || !walk->instance || walk->instance->is_unoptimised ||
	    is_constant(walk->variable))
		return NULL;
	search.flow = passing_flow(walk->resolver, walk->instance);
	step = search.flow ? flow_number(search.flow, question->at.address) : -1;
	if (step < 0 || line_code_read(walk->resolver, walk->instance, search.line, &of))
		return NULL;
	of.flow = search.flow;
	search.graph = step_graph_of(walk->resolver, walk->instance, &entry);
	if (!search.graph)
		return NULL;
	step_graph_lines(search.graph, &of);
	search.loop = loop_around(search.graph, (unsigned)step);
	return search.loop && has_line_above(&search) && is_late(&search, (unsigned)step) &&
			       is_changed_before(&search, (unsigned)step) ?
		       "the line's code is at the end of the loop's round, and a statement "
		       "further down may have changed it there already" : NULL;
}
