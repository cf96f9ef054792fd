// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a variable may be described as another round of a loop has it. Where gcc counts by
 * one variable alone, of `for (; n--; i++)`, it may drop what the loop does to the other, and
 * describes that one by what both were before the loop, or says that it is n - 1 in all rounds.
 * clang lets the rounds of an unrolled loop overlap.
 *
 * The surprise: gcc's description contradicts nothing. It is what a variable has that the loop
 * leaves alone, and which no code of the loop uses.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"
#include "resolve/values/trail.h"

/* The registers that it is computed from, one bit each; *count: of all that it is computed from. */
static uint64_t sources_of(const struct expr *expr, unsigned *count)
{
	if (!expr)
		return 0;
	if (expr->op == EXPR_ENTRY || (expr->op == EXPR_REG && expr->value < 64))
		++*count;
	if (expr->op == EXPR_REG && expr->value < 64)
		return (uint64_t)1 << expr->value;
	return expr->op == EXPR_ENTRY ? 0 :
					sources_of(expr->a, count) | sources_of(expr->b, count);
}

static bool reaches(const struct flow *flow, uint64_t from, uint64_t to)
{
	return from == to || flow_reaches_from(flow, &from, 1, to, NULL, 0);
}

/* Whether the loop around the address sets one of the registers, but for what its calls do. */
static bool is_set_in_loop(const struct trail *trail, uint64_t address, uint64_t registers)
{
	for (unsigned i = 0; registers && i < flow_count(trail->flow); i++) {
		uint64_t at = flow_step(trail->flow, i).address;
		struct effect effect;
		struct insn insn;

		if ((at == address || flow_share_loop(trail->flow, address, at)) &&
		    code_effect(trail->walk->resolver, at, &insn, &effect) && !insn.is_call &&
		    (effect.written & registers))
			return true;
	}
	return false;
}

static uint64_t replaced(struct trail *trail, const struct variable *variable);

/* The registers by which the variable is another expression there, or on a way to there. */
static uint64_t replaced_at(struct trail *trail, const struct variable *variable,
			    struct position at)
{
	const struct variable *before = variable_at(trail->walk, at);
	unsigned count = 0;

	if (!before || before->loc.kind != LOC_VALUE)
		return 0;
	return expr_equal(before->loc.expr, variable->loc.expr) ?
		       replaced(trail, before) : sources_of(before->loc.expr, &count);
}

static uint64_t replaced(struct trail *trail, const struct variable *variable)
{
	uint64_t start = variable->holds.start, ret;
	struct path *ways;
	unsigned count;

	if (!trail_add(trail, start))
		return 0;
	ret = replaced_at(trail, variable, (struct position){.address = start});
	count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch, variable->holds,
			       &ways);
	for (unsigned i = 0; i < count; i++)
		ret |= replaced_at(trail, variable, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
	return ret;
}

bool is_of_first_round(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	struct trail trail = {.walk = walk};
	unsigned count = 0;
	uint64_t own, gone;

	if (!is_by_gcc(walk) || variable->scope != SCOPE_LOCAL || variable->loc.kind != LOC_VALUE ||
	    expr_uses(variable->loc.expr, EXPR_LOAD))
		return false;
	own = sources_of(variable->loc.expr, &count);
	trail.flow = count > 1 ? passing_flow(walk->resolver, walk->instance) : NULL;
	if (!trail.flow)
		return false;
	gone = replaced(&trail, variable) & ~own;
	return gone && flow_reaches_from(trail.flow, &at.address, 1, at.address, NULL, 0) &&
	       is_set_in_loop(&trail, at.address, gone) &&
	       !is_set_in_loop(&trail, at.address, own);
}

/* Whether both are sums of one register, and what the number is more at the second. */
static bool is_sum_alike(const struct variable *before, const struct variable *behind,
			 uint64_t *more)
{
	uint64_t reg, number, other_reg, other_number;

	if (!is_sum(before, true, &reg, &number) ||
	    !is_sum(behind, true, &other_reg, &other_number))
		return false;
	*more = other_number - number;
	return reg == other_reg;
}

static bool is_step(const struct variable *before, const struct variable *behind)
{
	uint64_t more;

	return is_sum_alike(before, behind, &more) && more;
}

static bool is_equal_sum(const struct variable *before, const struct variable *behind)
{
	uint64_t more;

	return is_sum_alike(before, behind, &more) && !more;
}

static bool is_in_loop(const struct trail *trail, uint64_t address)
{
	return flow_reaches_from(trail->flow, &address, 1, address, NULL, 0);
}

/* The statement that leads to the view, or NULL. gcc's border lies before padding, the statement's
 * row behind it. */
static const struct row *statement_before(const struct trail *trail, const struct line_code *of,
					  uint64_t start, unsigned view)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->address >= start && row->view + 1 == view &&
		    is_own_row(of->instance, row))
			return row->address == start ||
					       is_padding(trail->walk, start, row->address) ?
				       row : NULL;
	}
	return NULL;
}

/* Whether the statement of the row, or its line where the column is 0, is executed in a loop. */
static bool is_any_repeated(const struct trail *trail, const struct line_code *of, unsigned line,
			    unsigned column)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->line == line && (!column || row->column == column) &&
		    is_own_row(of->instance, row) && is_in_loop(trail, row->address))
			return true;
	}
	return false;
}

static bool is_set_once(struct trail *trail, const struct line_code *of,
			const struct variable *variable);

/* The part of the list, which may end at a later view of the address. */
static struct range part_of(const struct variable *variable)
{
	struct range part = variable->holds;

	part.end += part.end == part.start;
	return part;
}

/* The same of the ways to where the variable comes to its value, but for those of other rounds. */
static bool is_set_once_before(struct trail *trail, const struct line_code *of,
			       const struct variable *variable)
{
	struct path *ways;
	unsigned count = flow_ways_into(trail->flow, trail->own, part_of(variable), &ways);
	bool is_found = false;

	for (unsigned i = 0; i < count; i++) {
		const struct variable *before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
		const struct row *row = row_around(of, ways[i].from);
		bool is_equal = before && is_equal_sum(before, variable);

		if (before && is_step(before, variable) && ways[i].is_branch)
			continue;
		is_found = true;
		if (is_equal ? !is_set_once(trail, of, before) :
			       ways[i].is_branch || !row ||
				       is_any_repeated(trail, of, row->line, 0))
			return false;
	}
	return is_found;
}

/* Whether the variable comes to the number in no loop: by the call, or by a statement. */
static bool is_set_once(struct trail *trail, const struct line_code *of,
			const struct variable *variable)
{
	uint64_t start = variable->holds.start;
	unsigned view = variable->holds_view;
	const struct variable *before;
	const struct row *statement;

	if (!variable->holds.end || view == VIEW_LAST || trail->nparts == MOST_PARTS)
		return false;
	if (!trail_add(trail, start))
		return true;
	if (start == of->instance->entry && !view && variable->scope == SCOPE_PARAMETER)
		return !is_in_loop(trail, start);
	if (!view)
		return is_set_once_before(trail, of, variable);
	before = variable_at(trail->walk, (struct position){
		.address = start, .view = view - 1,
		.is_straight = flow_is_straight(trail->flow, start),
	});
	if (before && is_equal_sum(before, variable))
		return is_set_once(trail, of, before);
	if (!before && is_set_once_before(trail, of, variable))
		return true;
	statement = statement_before(trail, of, start, view);
	return statement && !is_any_repeated(trail, of, statement->line, statement->column);
}

/* Asked for each of a thousand ways, which a thousand others lead to. */
static bool comes_once(const struct trail *trail, const struct line_code *of,
		       const struct variable *variable)
{
	struct arena ways = {0};
	struct trail own = {.walk = trail->walk, .flow = trail->flow, .own = &ways};
	bool is_once = is_set_once(&own, of, variable);

	arena_deinit(&ways);
	return is_once;
}

/* Whether the way is one back in a loop that leaves alone what the variable is computed from. */
static bool is_way_back(const struct trail *trail, const struct path *way)
{
	uint64_t sources = sources_of(trail->walk->variable->loc.expr, &(unsigned){0});

	return way->is_branch && reaches(trail->flow, way->to, way->from) &&
	       !is_set_in_loop(trail, way->to, sources);
}

/* Whether the statement of the row is executed in a loop, too, that may have run before the code at
 * the address. The loop leaves the registers alone. */
static bool is_repeated(const struct trail *trail, const struct line_code *of,
			const struct row *statement, uint64_t address)
{
	uint64_t sources = sources_of(trail->walk->variable->loc.expr, &(unsigned){0});

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && !row->is_stray && row->line == statement->line &&
		    row->column == statement->column && is_own_row(of->instance, row) &&
		    is_in_loop(trail, row->address) &&
		    reaches(trail->flow, row->address, address) &&
		    !is_set_in_loop(trail, row->address, sources))
			return true;
	}
	return false;
}

/* Whether the variable is that number on one way to where it begins, and another one where a round
 * comes back to there: then the round has changed it. */
static bool is_of_two_ways(const struct trail *trail, const struct line_code *of,
			   const struct variable *variable, uint64_t address)
{
	uint64_t start = variable->holds.start;
	bool is_same = false, is_other = false;
	struct path *ways;
	unsigned count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch,
					(struct range){start, start + 1}, &ways);

	for (unsigned i = 0; i < count; i++) {
		const struct variable *before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		is_same |= before && is_equal_sum(before, variable) &&
			   comes_once(trail, of, before);
		is_other |= before && is_step(before, variable) && is_way_back(trail, &ways[i]);
	}
	return is_same && is_other && reaches(trail->flow, start, address);
}

static bool is_step_repeated(struct trail *trail, const struct line_code *of,
			     const struct variable *variable, uint64_t address);

/* The same on the ways to where the variable comes to its value. A jump back makes no step. */
static bool is_repeated_before(struct trail *trail, const struct line_code *of,
			       const struct variable *variable, uint64_t address)
{
	struct path *ways;
	unsigned count = flow_ways_into(trail->flow, &trail->walk->resolver->scratch,
					part_of(variable), &ways);

	for (unsigned i = 0; i < count; i++) {
		const struct variable *before = variable_at(trail->walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		if (!before || !reaches(trail->flow, ways[i].to, address))
			continue;
		if (!is_step(before, variable) ?
			    is_step_repeated(trail, of, before, address) :
			    is_way_back(trail, &ways[i]) && comes_once(trail, of, variable))
			return true;
	}
	return false;
}

/* Whether the variable is one number more, or less, than the statement found it that is said to set
 * it, and which a loop on the way to the address executes in each round. */
static bool is_step_repeated(struct trail *trail, const struct line_code *of,
			     const struct variable *variable, uint64_t address)
{
	uint64_t start = variable->holds.start;
	unsigned view = variable->holds_view;
	const struct variable *before;
	const struct row *statement;

	if (!variable->holds.end || view == VIEW_LAST || !trail_add(trail, start))
		return false;
	if (is_of_two_ways(trail, of, variable, address))
		return true;
	if (!view)
		return is_repeated_before(trail, of, variable, address);
	before = variable_at(trail->walk, (struct position){
		.address = start, .view = view - 1,
		.is_straight = flow_is_straight(trail->flow, start),
	});
	if (!before || !is_step(before, variable))
		return before && is_step_repeated(trail, of, before, address);
	statement = statement_before(trail, of, start, view);
	return statement && comes_once(trail, of, before) &&
	       is_repeated(trail, of, statement, address);
}

bool is_of_one_step(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	struct trail trail = {.walk = walk};
	struct line_code of;
	uint64_t reg, number;

	if (!is_by_gcc(walk) || !is_sum(variable, true, &reg, &number) ||
	    is_in_register(variable) ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	trail.flow = passing_flow(walk->resolver, walk->instance);
	return trail.flow && is_step_repeated(&trail, &of, variable, at.address);
}

/* Whether the row is of the same piece of the line as the other, in another round. */
static bool is_again(const struct row *row, const struct row *other)
{
	return row->line == other->line && row->column == other->column && row->is_stmt &&
	       has_instruction(row) &&
	       (row->address >= other->end || row->end <= other->address) &&
	       row->address != other->end && row->end != other->address;
}

/* How often the variable comes to another place or value behind `from`, until `to`. What begins
 * with the copy counts, too. */
static unsigned changes_between(const struct walk *walk, const struct flow *flow, uint64_t from,
				uint64_t to)
{
	int first = flow_number(flow, from), last = flow_number(flow, to);
	unsigned ret = 0;

	for (int i = first + (from != walk->instance->entry); first >= 0 && i <= last; i++) {
		uint64_t address = flow_step(flow, (unsigned)i).address;
		const struct variable *variable =
			variable_at(walk, (struct position){.address = address});

		ret += variable && variable->holds.start == address;
	}
	return ret;
}

/* The rows of the same piece of the line, in other rounds of the straight-line code: the next
 * before it and the next behind it. Without one before, that is the code's beginning. */
static bool find_rounds(const struct line_code *of, const struct row *row, uint64_t *before,
			uint64_t *behind)
{
	*before = flow_straight_start(of->flow, row->address);
	*behind = flow_straight_end(of->flow, row->address);
	for (unsigned i = 0; i < of->nrows; i++) {
		uint64_t address = of->rows[i].address;

		if (address < *before || address >= *behind || !is_again(&of->rows[i], row))
			continue;
		*(address < row->address ? before : behind) = address;
	}
	return flow_number(of->flow, *behind) >= 0 &&
	       *behind < flow_straight_end(of->flow, row->address);
}

bool is_of_other_round(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct row *row;
	struct line_code of;
	uint64_t before, behind;
	unsigned rounds;

	if (is_by_gcc(walk) || variable->scope != SCOPE_LOCAL || variable->parts < 2 ||
	    !walk->instance || line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	row = row_around(&of, at.address);
	of.flow = row && row->line == at.line ? passing_flow(walk->resolver, walk->instance) : NULL;
	if (!of.flow || !find_rounds(&of, row, &before, &behind))
		return false;
	rounds = changes_between(walk, of.flow, at.address, behind);
	return rounds && changes_between(walk, of.flow, before, at.address) > rounds;
}

/* Whether the third constant is between the first and the second, where straight-line code goes
 * from one to the next. */
static bool is_between(const struct flow *flow, const struct variable *first,
		       const struct variable *second, const struct variable *third)
{
	int64_t from = (int64_t)first->loc.expr->value, to = (int64_t)second->loc.expr->value,
		value = (int64_t)third->loc.expr->value;

	return first->holds.end == second->holds.start && second->holds.end == third->holds.start &&
	       flow_straight_start(flow, third->holds.start) < second->holds.start &&
	       (from < to ? from < value && value < to : to < value && value < from);
}

static const struct variable *constant_at(const struct walk *walk, uint64_t address)
{
	const struct variable *variable =
		variable_at(walk, (struct position){.address = address, .view = VIEW_LAST});

	return variable && is_constant(variable) ? variable : NULL;
}

/* clang moves the code of two rounds past each other, and the list's parts with it: a counter goes
 * from 0 to 2, and then to 1. */
bool is_out_of_order(const struct walk *walk, struct position at)
{
	const struct variable *own = walk->variable, *before, *first, *behind;
	const struct flow *flow;

	(void)at; /* the list's part has the same answer everywhere */
	if (is_by_gcc(walk) || !walk->instance || !is_constant(own) || own->is_uniform)
		return false;
	before = constant_at(walk, own->holds.start - 1);
	flow = before ? passing_flow(walk->resolver, walk->instance) : NULL;
	if (!flow)
		return false;
	first = constant_at(walk, before->holds.start - 1);
	behind = constant_at(walk, own->holds.end);
	return (first && is_between(flow, first, before, own)) ||
	       (behind && is_between(flow, before, own, behind));
}
