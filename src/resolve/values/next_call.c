// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a parameter may be what the function's next call is given. gcc makes a loop of a
 * call that a function ends with, of itself, and goes on saying that the parameter is in its
 * register, or is what was passed at the entry, where code has put the next call's there.
 *
 * The surprise: nothing names that loop. It is known by where it begins: at the function's first
 * statement, though that is no loop of the source.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/flow/step_graph.h"
#include "resolve/values/doubts.h"
#include "resolve/values/reaching.h"

enum { REGISTERS = 32 };

/* A loop in the code of a copy. */
struct calls {
	const struct walk *walk;
	const struct flow *flow;
	struct step_graph *graph;
	/* the steps that it has, and all others: the graph's `ahead` and `is_early` */
	bool *is_round, *is_before;
	struct line_code of;
	const struct row *first; /* a mark of the function's first statement */
	/* the entry, if the first call's mark is there, in front of what the loop has of the
	 * statement; else 0 */
	uint64_t passed;
};

/* The first statement's mark. An out-of-line function's first row is of its opening line. */
static const struct row *first_statement(const struct line_code *of)
{
	unsigned opening = of->instance->function->line;
	const struct row *ret = NULL;

	for (unsigned i = 0; i < of->nrows && !of->instance->inlined; i++)
		if (of->rows[i].address == of->instance->entry &&
		    is_own_row(of->instance, &of->rows[i])) {
			opening = of->rows[i].line;
			break;
		}
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && !row->is_stray && row->line > opening &&
		    is_own_row(of->instance, row) && (!ret || row->line < ret->line))
			ret = row;
	}
	return ret;
}

static bool is_first(const struct calls *calls, const struct row *row)
{
	return row->is_mark && is_of_line(calls->of.instance, row, calls->first->line) &&
	       row->address != calls->passed;
}

static int step_of(const struct calls *calls, const struct row *row)
{
	return row->is_stray ? -1 : flow_number(calls->flow, row->address);
}

/* Whether the first statement is at one column; a loop's condition has another one. */
static bool has_one_column(const struct calls *calls)
{
	for (unsigned i = 0; i < calls->of.nrows; i++)
		if (is_first(calls, &calls->of.rows[i]) &&
		    calls->of.rows[i].column != calls->first->column)
			return false;
	return calls->first->column;
}

/* gcc moves code in front of the loop between the mark of the function's first statement, at the
 * entry, and the statement: then the mark that the loop has counts, if there is one. */
static void pass_entry(struct calls *calls)
{
	uint64_t entry = calls->of.instance->entry;

	if (calls->first->address != entry ||
	    flow_reaches_from(calls->flow, &entry, 1, entry, NULL, 0))
		return;
	for (unsigned i = 0; i < calls->of.nrows; i++) {
		const struct row *row = &calls->of.rows[i];

		if (row->address == entry || !is_first(calls, row) || step_of(calls, row) < 0)
			continue;
		calls->first = row;
		calls->passed = entry;
		return;
	}
}

/* Marks the steps that are no part of the copy, so that no search goes there. */
static void shut_out(const struct calls *calls, bool *marks)
{
	for (unsigned i = 0; i < calls->graph->count; i++)
		marks[i] = !is_inside(calls->of.instance, flow_step(calls->flow, i).address);
}

/* Puts the steps where the first statement begins into the queue. Returns how many. */
static unsigned begin_at_first(const struct calls *calls)
{
	unsigned count = 0;

	for (unsigned i = 0; i < calls->of.nrows; i++) {
		int step = is_first(calls, &calls->of.rows[i]) ?
				   step_of(calls, &calls->of.rows[i]) : -1;

		if (step >= 0 && (!count || calls->graph->queue[count - 1] != step) &&
		    count < calls->graph->count)
			calls->graph->queue[count++] = step;
	}
	return count;
}

/* Finds what lies between the first statement and itself. A jump to the
 * function's entry is a call. */
static void find_round(struct calls *calls, int entry)
{
	struct step_graph *graph = calls->graph;
	const struct instance *instance = calls->of.instance;
	bool is_call = !instance->inlined && calls->first->address != instance->entry;

	shut_out(calls, graph->ahead);
	shut_out(calls, graph->behind);
	if (is_call)
		graph->ahead[entry] = graph->behind[entry] = true;
	step_graph_spread(graph, graph->ahead, begin_at_first(calls));
	step_graph_spread_back(graph, graph->behind, begin_at_first(calls));
	for (unsigned i = 0; i < graph->count; i++)
		graph->ahead[i] &= graph->behind[i] && !(is_call && i == (unsigned)entry) &&
				   is_inside(instance, flow_step(calls->flow, i).address);
	calls->is_round = graph->ahead;
	for (unsigned i = 0; i < graph->count; i++)
		graph->is_early[i] = !graph->ahead[i];
	calls->is_before = graph->is_early;
}

static bool begins_with_first(const struct calls *calls, uint64_t address)
{
	for (unsigned i = 0; i < calls->of.nrows; i++)
		if (calls->of.rows[i].address == address && is_first(calls, &calls->of.rows[i]))
			return true;
	return false;
}

/* Whether the loop has code of the first statement that is no mark, or another statement that
 * isn't indented more: then the first one is no loop around it. */
static bool is_no_loop_statement(const struct calls *calls)
{
	for (unsigned i = 0; i < calls->of.nrows; i++) {
		const struct row *row = &calls->of.rows[i];
		int step = is_own_row(calls->of.instance, row) ? step_of(calls, row) : -1;

		if (step < 0 || !calls->is_round[step] || row->line < calls->first->line)
			continue;
		if (row->line == calls->first->line ?
			    !row->is_mark && row->column > calls->first->column :
			    row->is_mark && row->column <= calls->first->column &&
				    !begins_with_first(calls, row->address))
			return true;
	}
	return false;
}

/* Whether the copy is a loop that leads from the function's end to its beginning. */
static bool calls_itself(const struct walk *walk, struct calls *ret)
{
	int entry;

	*ret = (struct calls){.walk = walk};
	if (line_code_read(walk->resolver, walk->instance, 0, &ret->of))
		return false;
	ret->first = first_statement(&ret->of);
	if (!ret->first || !has_one_column(ret))
		return false;
	ret->flow = passing_flow(walk->resolver, walk->instance);
	ret->graph = ret->flow ? step_graph_of(walk->resolver, walk->instance, &entry) : NULL;
	if (!ret->graph)
		return false;
	pass_entry(ret);
	find_round(ret, entry);
	return is_no_loop_statement(ret);
}

/* Whether the step puts something into the place that the variable is said to be in. */
static bool sets_place(const struct calls *calls, unsigned step)
{
	const struct loc *loc = &calls->walk->variable->loc;
	struct effect effect;
	struct insn insn;

	if (!code_effect(calls->walk->resolver, flow_step(calls->flow, step).address, &insn,
			 &effect) || insn.is_call)
		return false;
	return loc->kind == LOC_MEMORY ?
		       effect.store_size && is_at(loc->expr, effect.store_base,
						  effect.store_offset) :
		       effect.written >> loc->expr->value & 1;
}

/* Whether the round leads to the step from one that is marked. */
static bool is_marked_before(const struct calls *calls, unsigned step)
{
	const struct step_graph *graph = calls->graph;

	for (unsigned i = graph->first_before[step]; i < graph->first_before[step + 1]; i++)
		if (calls->is_round[graph->before[i]] && graph->behind[graph->before[i]])
			return true;
	return false;
}

/* Marks in `behind` where what the round puts into the place, while the variable is in it, may be
 * there: up to where the next round begins, whose address may be the last statement's as well. */
static void find_set(const struct calls *calls)
{
	struct step_graph *graph = calls->graph;
	unsigned count = 0, firsts = begin_at_first(calls);

	shut_out(calls, graph->behind);
	for (unsigned i = 0; i < firsts; i++)
		graph->behind[graph->queue[i]] = true;
	for (unsigned i = 0; i < graph->count; i++) {
		const struct variable *variable =
			calls->is_round[i] && sets_place(calls, i) ?
				variable_at(calls->walk, (struct position){
					.address = flow_step(calls->flow, i).address,
					.view = VIEW_LAST,
				}) : NULL;

		if (variable && loc_equal(&variable->loc, &calls->walk->variable->loc))
			graph->queue[count++] = (int)i;
	}
	step_graph_spread(graph, graph->behind, count);
	for (unsigned i = 0; i < graph->count; i++)
		graph->behind[i] &= is_inside(calls->of.instance,
					      flow_step(calls->flow, i).address);
	firsts = begin_at_first(calls);
	for (unsigned i = 0; i < firsts; i++)
		graph->behind[graph->queue[i]] = false;
	for (unsigned i = 0; i < firsts; i++)
		graph->behind[graph->queue[i]] =
			is_marked_before(calls, (unsigned)graph->queue[i]);
}

/* What becomes of a register at a step. */
enum use {
	USE_NONE,
	USE_READ,
	USE_SET, /* and not read */
	USE_LOST,
};

static enum use use_at(const struct calls *calls, unsigned step, int number, struct effect *effect)
{
	const struct arch *arch = calls->walk->resolver->arch;
	struct insn insn;

	if (!code_effect(calls->walk->resolver, flow_step(calls->flow, step).address, &insn,
			 effect))
		return USE_LOST;
	if (insn.is_call)
		return arch->preserved >> number & 1 ? USE_NONE : USE_LOST;
	return (effect->read | effect->updated) >> number & 1 ? USE_READ :
	       effect->written >> number & 1 ? USE_SET : USE_NONE;
}

/* Whether code from the first statement on reads the register before it sets it. */
static bool is_read_first(const struct calls *calls, int number)
{
	struct step_graph *graph = calls->graph;
	unsigned count = begin_at_first(calls);
	struct effect effect;

	shut_out(calls, graph->behind);
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)graph->queue[i];
		enum use use = use_at(calls, at, number, &effect);

		if (use == USE_READ)
			return true;
		for (unsigned j = 0; j < WAYS && use == USE_NONE; j++) {
			int to = graph->next[at * WAYS + j];

			if (to >= 0 && !graph->behind[to])
				graph->queue[count++] = to;
			if (to >= 0)
				graph->behind[to] = true;
		}
	}
	return false;
}

/* Puts those of some steps that lead to one into the queue. Returns its new length. */
static unsigned go_back(const struct calls *calls, unsigned at, const bool *among, unsigned count)
{
	struct step_graph *graph = calls->graph;

	for (unsigned i = graph->first_before[at]; i < graph->first_before[at + 1]; i++) {
		int from = graph->before[i];

		if (!among[from] || graph->behind[from])
			continue;
		graph->behind[from] = true;
		graph->queue[count++] = from;
	}
	return count;
}

/* Whether the round sets the register for the next one. */
static bool is_set_for_next(const struct calls *calls, int number)
{
	struct step_graph *graph = calls->graph;
	unsigned count = begin_at_first(calls), firsts = count;
	struct effect effect;

	memset(graph->behind, 0, graph->count * sizeof(*graph->behind));
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)graph->queue[i];
		enum use use = i < firsts ? USE_NONE : use_at(calls, at, number, &effect);

		if (use == USE_SET || (use == USE_READ && effect.written >> number & 1))
			return true;
		if (use != USE_LOST)
			count = go_back(calls, at, calls->is_round, count);
	}
	return false;
}

/* The register by whose value at the entry the variable is said to be known, or NO_REGISTER. */
static int passed_in(const struct variable *variable)
{
	const struct expr *expr = variable->loc.kind == LOC_VALUE ? variable->loc.expr : NULL;

	while (expr && expr->op == EXPR_EXTEND)
		expr = expr->a;
	return expr && expr->op == EXPR_ENTRY && expr->a->op == EXPR_REG && expr->a->value < 64 ?
		       (int)expr->a->value : NO_REGISTER;
}

/* Puts the steps into the queue that lead into the loop. Returns how many. */
static unsigned begin_before_round(const struct calls *calls)
{
	struct step_graph *graph = calls->graph;
	unsigned count = 0;

	memset(graph->behind, 0, graph->count * sizeof(*graph->behind));
	for (unsigned i = 0; i < graph->count; i++)
		for (unsigned j = 0; j < WAYS && calls->is_before[i] && !calls->is_round[i]; j++) {
			int to = graph->next[i * WAYS + j];

			if (to < 0 || !calls->is_round[to] || graph->behind[i])
				continue;
			graph->behind[i] = true;
			graph->queue[count++] = (int)i;
		}
	return count;
}

/* Where the register has what it has in front of the loop from. */
struct origin {
	int number; /* the register that had it at the entry, or NO_REGISTER */
	bool is_constant; /* or a constant */
	int64_t constant;
};

/* What the step makes of the register, going back. Returns false if nothing is known. */
static bool go_behind(const struct calls *calls, unsigned at, struct origin *ret)
{
	struct effect effect;
	enum use use = use_at(calls, at, ret->number, &effect);

	if (use == USE_LOST)
		return false;
	if (use == USE_NONE || !(effect.written >> ret->number & 1))
		return true;
	if (effect.constant_to == ret->number)
		*ret = (struct origin){NO_REGISTER, true, effect.constant};
	else if (effect.copy_to == ret->number && !effect.load_size)
		ret->number = effect.copy_from;
	else
		return false;
	return true;
}

static bool is_same_origin(const struct origin *one, const struct origin *other)
{
	return one->number == other->number && one->is_constant == other->is_constant &&
	       one->constant == other->constant;
}

/* The same on all ways that lead into the loop; nothing where two differ. */
static struct origin origin_of(const struct calls *calls, int number)
{
	const struct origin unknown = {.number = NO_REGISTER};
	struct step_graph *graph = calls->graph;
	unsigned count = begin_before_round(calls), next;
	int *numbers = arena_array(&calls->walk->resolver->scratch, int, graph->count + 1);
	struct origin ret = unknown;

	if (!count)
		ret.number = number; /* the loop begins at the entry */
	for (unsigned i = 0; i < count; i++)
		numbers[graph->queue[i]] = number;
	for (unsigned i = 0; i < count; i = i + 1, count = next) {
		unsigned at = (unsigned)graph->queue[i];
		struct origin here = {.number = numbers[at]};
		bool is_end = flow_step(calls->flow, at).address ==
			      calls->walk->instance->outer_ranges[0].start;

		next = count;
		if (!go_behind(calls, at, &here))
			return unknown;
		if (!is_end && !here.is_constant) {
			next = go_back(calls, at, calls->is_before, count);
			for (unsigned j = count; j < next; j++)
				numbers[graph->queue[j]] = here.number;
			continue;
		}
		if ((ret.is_constant || ret.number != NO_REGISTER) && !is_same_origin(&ret, &here))
			return unknown;
		ret = here;
	}
	return ret;
}

/* Whether the register has what the variable is said to be, where the first call begins. */
static bool begins_with_variable(const struct calls *calls, int number)
{
	const struct variable *variable = calls->walk->variable;
	struct origin origin = origin_of(calls, number);
	int own = is_in_register(variable) ? (int)variable->loc.expr->value : NO_REGISTER;

	if (origin.is_constant)
		return is_constant(variable) && is_same_number(variable, origin.constant);
	if (origin.number == NO_REGISTER || own == number)
		return false;
	return origin.number == (own == NO_REGISTER ? passed_in(variable) :
						      origin_of(calls, own).number);
}

/* Whether debug information has a variable in the register at the first statement: then what it is
 * set to is that one's. */
static bool is_anothers(const struct calls *calls, int number)
{
	const struct position at = {.address = calls->first->address, .view = VIEW_LAST};
	struct variable *others;
	unsigned count;

	if (debuginfo_variables(calls->walk->resolver->info, calls->of.instance, at, false,
				&others, &count))
		return true;
	for (unsigned i = 0; i < count; i++)
		if (is_in_register(&others[i]) && others[i].loc.expr->value == (uint64_t)number)
			return true;
	return false;
}

/* Whether a register that no variable is said to be in brings something else to each next call, of
 * which the variable is what the first one was given. */
static bool is_of_first_call(const struct calls *calls)
{
	const struct variable *variable = calls->walk->variable;
	const struct arch *arch = calls->walk->resolver->arch;

	if (is_in_register(variable) && is_set_for_next(calls, (int)variable->loc.expr->value))
		return false; /* the round sets its own */
	for (int i = 0; i < REGISTERS; i++)
		if ((unsigned)i != arch->stack_register && is_set_for_next(calls, i) &&
		    begins_with_variable(calls, i) && is_read_first(calls, i) &&
		    !is_anothers(calls, i))
			return true;
	return false;
}

/* What all positions of a copy share, of a variable in one place, or with one value. */
struct next_call {
	uint64_t instance, variable;
	struct loc_key {
		enum loc_kind kind;
		enum expr_op op;
		uint64_t number, offset;
	} loc;
	uint64_t first; /* where the first statement begins */
	unsigned line; /* the first statement's */
	bool *is_set; /* the steps where the place may have the next call's; NULL: it isn't in
		       * one */
	bool is_of_first;
};

static struct loc_key key_of(const struct loc *loc)
{
	const struct expr *expr = loc->expr;
	bool is_sum = expr->op == EXPR_ADD && expr->a->op == EXPR_REG && expr->b->op == EXPR_CONST;

	return (struct loc_key){
		.kind = loc->kind,
		.op = expr->op,
		.number = is_sum ? expr->a->value : expr->value,
		.offset = is_sum ? expr->b->value : 0,
	};
}

static bool is_same_key(const struct loc_key *one, const struct loc_key *other)
{
	return one->kind == other->kind && one->op == other->op && one->number == other->number &&
	       one->offset == other->offset;
}

static void find_next_call(const struct walk *walk, struct step_graph *graph, bool is_place,
			   struct next_call *ret)
{
	struct calls calls;

	if (!calls_itself(walk, &calls))
		return;
	ret->first = calls.first->address;
	ret->line = calls.first->line;
	if (is_place) {
		find_set(&calls);
		ret->is_set = arena_array(graph->arena, bool, graph->count + 1);
		memcpy(ret->is_set, graph->behind, graph->count * sizeof(*ret->is_set));
	}
	if (!is_place || is_in_register(walk->variable))
		ret->is_of_first = is_of_first_call(&calls);
}

static const struct next_call *next_call_of(const struct walk *walk, struct step_graph *graph,
					    bool is_place)
{
	struct next_call wanted = {
		.instance = walk->instance->source,
		.variable = walk->variable->source,
		.loc = key_of(&walk->variable->loc),
	};

	for (unsigned i = 0; i < graph->nnext_calls; i++) {
		const struct next_call *kept = &graph->next_calls[i];

		if (kept->instance == wanted.instance && kept->variable == wanted.variable &&
		    is_same_key(&kept->loc, &wanted.loc))
			return kept;
	}
	find_next_call(walk, graph, is_place, &wanted);
	arena_append(graph->arena, graph->next_calls, graph->nnext_calls) = wanted;
	return &graph->next_calls[graph->nnext_calls - 1];
}

/* Whether the next call has begun at the position. */
static bool is_begun(const struct walk *walk, struct position at, unsigned line)
{
	struct line_code of;

	if (line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	for (unsigned i = 0; i < of.nrows; i++)
		if (of.rows[i].is_mark && of.rows[i].address == at.address &&
		    of.rows[i].view <= at.view && is_of_line(of.instance, &of.rows[i], line))
			return true;
	return false;
}

bool is_of_next_call(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	bool is_place = is_in_register(variable) || variable->loc.kind == LOC_MEMORY;
	const struct next_call *found;
	struct step_graph *graph;
	const struct flow *flow;
	int step, entry;

	if (!is_by_gcc(walk) || walk->instance->is_unoptimised || walk->resolver != walk->home ||
	    variable->scope != SCOPE_PARAMETER || at.is_entry ||
	    (!is_place && !is_constant(variable) && passed_in(variable) == NO_REGISTER))
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	graph = flow ? step_graph_of(walk->resolver, walk->instance, &entry) : NULL;
	step = graph ? flow_number(flow, at.address) : -1;
	if (step < 0)
		return false;
	found = next_call_of(walk, graph, is_place);
	if (found->is_set && found->is_set[step] && !is_begun(walk, at, found->line))
		return true;
	return found->is_of_first &&
	       (at.address == found->first ||
		flow_reaches_from(flow, &found->first, 1, at.address, NULL, 0));
}
