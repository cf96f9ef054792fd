// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the bodies of unrolled loops in code without markers, as clang writes it and not gcc:
 * there, one body is reached through another one only, like the parts of one statement.
 *
 * The surprise: the columns tell. Two stretches of code, one behind the other, with the same
 * statements in the same order, and three or more of them, are the same source executed twice.
 * With two, or in another order, it is often what the scheduler made of one stretch. Where the
 * loop's test is between two rounds, one of them may lack a statement, or have it elsewhere: then
 * it is only said that there are two.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/passes/passes.h"

/* A statement: its line and column. Rows that follow each other with the same are one. */
static bool is_same_statement(const struct row *row, const struct row *other)
{
	return row->line == other->line && row->column == other->column && row->file == other->file;
}

/* A function's statements in the order of their addresses. */
struct statements {
	struct row *list;
	unsigned count;
};

static void collect_statements(const struct line_code *of, struct statements *ret)
{
	const struct row *rows = of->rows;

	ret->list = arena_array(&of->resolver->scratch, struct row, of->nrows + 1);
	ret->count = 0;
	for (unsigned i = 0; i < of->nrows; i++)
		if (has_instruction(&rows[i]) &&
		    (!ret->count || !is_same_statement(&ret->list[ret->count - 1], &rows[i])))
			ret->list[ret->count++] = rows[i];
}

static unsigned statement_at(const struct statements *statements, uint64_t address)
{
	unsigned i = 0;

	while (i < statements->count && statements->list[i].address != address)
		i++;
	return i;
}

/* A macro, too, has the same statements several times, all on one line. */
static bool has_lines(const struct row *list, unsigned from, unsigned to)
{
	for (unsigned i = from + 1; i < to; i++)
		if (list[i].line != list[from].line)
			return true;
	return false;
}

/* How many statements around a are around b, behind it, in the same order. */
static unsigned count_same(const struct statements *statements, unsigned a, unsigned b)
{
	const struct row *list = statements->list;
	unsigned same = 0;

	while (b + same < statements->count && is_same_statement(&list[a + same], &list[b + same]))
		same++;
	for (unsigned i = 1; same && i <= a && is_same_statement(&list[a - i], &list[b - i]); i++)
		same++;
	return same;
}

enum { LEAST = 3 }; /* statements, that a round has */

/* Whether the body of an unrolled loop that has the statement a has it again as b: as many
 * statements around the one are around the other, in the same order, as lie between the two. */
static bool is_body_again(const struct statements *statements, unsigned a, unsigned b)
{
	return b - a >= LEAST && count_same(statements, a, b) >= b - a &&
	       has_lines(statements->list, a, b);
}

static bool is_same_stretch(const struct statements *statements, unsigned a, unsigned b,
			    unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (!is_same_statement(&statements->list[a + i], &statements->list[b + i]))
			return false;
	return true;
}

/* Whether what lies between the two statements lies between two kept ones, too. That finds the
 * last round, behind which the loop doesn't go on, where the rounds differ otherwise. */
static bool is_round_again(const struct statements *statements, const struct candidates *list,
			   unsigned a, unsigned b)
{
	for (unsigned i = 0; i + 1 < list->count; i++) {
		unsigned from = statement_at(statements, list->addresses[i]),
			 to = statement_at(statements, list->addresses[i + 1]);

		if (to < statements->count && from < to && to - from == b - a &&
		    is_same_stretch(statements, from, a, to - from) &&
		    is_body_again(statements, from, to))
			return true;
	}
	return false;
}

/* The kept address before one that isn't kept; its index in *at. */
static bool kept_before(const struct candidates *list, uint64_t address, unsigned *at)
{
	unsigned i = 0;

	while (i < list->count && list->addresses[i] < address)
		i++;
	*at = i - 1;
	return i && !has_address(list, address);
}

static void insert(struct candidates *list, unsigned at, uint64_t address)
{
	memmove(&list->addresses[at + 1], &list->addresses[at],
		(list->count - at) * sizeof(*list->addresses));
	list->addresses[at] = address;
	list->count++;
}

void passes_keep_bodies(const struct line_code *of, const struct candidates *all,
			struct candidates *list)
{
	struct statements statements;

	if (!of->nrows || !of->rows[0].is_in_order)
		return;
	collect_statements(of, &statements);
	for (unsigned i = 0; i < all->count; i++) {
		uint64_t address = all->addresses[i];
		unsigned at, a, b;

		if (!kept_before(list, address, &at))
			continue;
		a = statement_at(&statements, list->addresses[at]);
		b = statement_at(&statements, address);
		if (b < statements.count && a < b &&
		    (is_body_again(&statements, a, b) || is_round_again(&statements, list, a, b)) &&
		    flow_reaches_from(of->flow, &statements.list[b - 1].address, 1, address,
				      &list->addresses[at], 1))
			insert(list, at + 1, address);
	}
}

/* Two beginnings of a statement in a function, the second without an event. */
struct two_rounds {
	const struct line_code *of; /* the whole function */
	const struct candidates *events;
	struct candidates stops; /* those, and the second */
	uint64_t first, second;
};

/* Whether most statements between the two come again, in the same order. Either may lie first. */
static bool is_mostly_again(const struct statements *statements, unsigned first, unsigned second)
{
	unsigned a = first < second ? first : second, b = first < second ? second : first;
	unsigned same = count_same(statements, a, b);

	return same >= LEAST && 2 * same >= b - a && has_lines(statements->list, a, b);
}

/* Whether no event is between the second and the next statement, the first leads there without
 * one, and is led to again. */
static bool is_passed_unseen(const struct two_rounds *rounds, uint64_t end)
{
	const struct candidates *events = rounds->events;

	for (unsigned i = 0; i < events->count; i++)
		if (events->addresses[i] >= rounds->second && events->addresses[i] < end)
			return false;
	return flow_reaches_from(rounds->of->flow, &rounds->first, 1, rounds->second,
				 events->addresses, events->count) &&
	       flow_reaches_from(rounds->of->flow, &rounds->second, 1, rounds->first, NULL, 0);
}

/* The row of an instruction that is a conditional branch of another line; else NULL. */
static const struct row *branch_row(const struct line_code *of, const struct flow_step *step)
{
	const struct row *row = step->next[0] >= 0 && step->next[1] >= 0 ?
					row_around(of, step->address) :
					NULL;

	return row && row->line && row->line != of->line ? row : NULL;
}

/* Whether the branch's statement has another one on a way from the second back to the first. */
static bool is_tested_again(const struct two_rounds *rounds, const struct row *row,
			    uint64_t address)
{
	const struct flow *flow = rounds->of->flow;

	for (unsigned i = 0; i < flow_count(flow); i++) {
		struct flow_step step = flow_step(flow, i);
		const struct row *other = branch_row(rounds->of, &step);

		if (other && step.address != address && is_same_statement(other, row) &&
		    flow_reaches_from(flow, &rounds->second, 1, step.address, &rounds->first, 1) &&
		    flow_reaches_from(flow, &step.address, 1, rounds->first, &rounds->second, 1))
			return true;
	}
	return false;
}

/* Whether the loop's test is between the first and the second, and between the second and the
 * first. */
static bool has_test_between(const struct two_rounds *rounds)
{
	const struct flow *flow = rounds->of->flow;
	const struct candidates *events = rounds->events, *stops = &rounds->stops;

	for (unsigned i = 0; i < flow_count(flow); i++) {
		struct flow_step step = flow_step(flow, i);
		const struct row *row = branch_row(rounds->of, &step);

		if (row &&
		    flow_reaches_from(flow, &step.address, 1, rounds->second, events->addresses,
				      events->count) &&
		    flow_reaches_from(flow, &rounds->first, 1, step.address, stops->addresses,
				      stops->count) &&
		    is_tested_again(rounds, row, step.address))
			return true;
	}
	return false;
}

/* The rows of the function around the instance, whose order shows rounds that a copy has a part
 * of. */
static bool read_around(const struct line_code *of, struct line_code *ret)
{
	struct resolver *resolver = of->resolver;
	struct instance **instances;
	unsigned count = 0;

	*ret = *of;
	if (!of->instance->inlined)
		return true;
	if (debuginfo_function_at(resolver->info, of->instance->outer_ranges[0].start, &instances,
				  &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!instances[i]->inlined &&
		    !line_code_read(resolver, instances[i], of->line, ret)) {
			ret->flow = of->flow;
			return true;
		}
	return false;
}

/* Whether it is one of the instance's own rows of the line. */
static bool has_own_row(const struct line_code *of, const struct row *statement)
{
	const struct row *row = row_around(of, statement->address);

	return row && row->address == statement->address && is_own_row(of->instance, row) &&
	       is_of_line(of->instance, row, of->line);
}

/* Whether code of one of the line's statements may lie in two places: that is cheap to tell. */
static bool may_begin_again(const struct line_code *of)
{
	const struct row *rows = of->rows;

	for (unsigned i = 0; i < of->nrows; i++) {
		if (!has_instruction(&rows[i]) || !is_of_line(of->instance, &rows[i], of->line))
			continue;
		for (unsigned j = i + 1; j < of->nrows; j++)
			if (is_same_statement(&rows[i], &rows[j]) &&
			    rows[j].address != rows[i].end)
				return true;
	}
	return false;
}

static bool is_second_round(const struct two_rounds *rounds, uint64_t end)
{
	return is_passed_unseen(rounds, end) && has_test_between(rounds);
}

bool passes_lack_body(const struct line_code *of, const struct candidates *list)
{
	struct two_rounds rounds = {.events = list};
	struct statements statements;
	struct line_code around;

	if (!of->flow || !may_begin_again(of) || !read_around(of, &around) || !around.nrows)
		return false;
	rounds.of = &around;
	rounds.stops.addresses = arena_array(&of->resolver->scratch, uint64_t, list->count + 1);
	memcpy(rounds.stops.addresses, list->addresses, list->count * sizeof(*list->addresses));
	rounds.stops.count = list->count + 1;
	collect_statements(&around, &statements);
	for (unsigned i = 0; i < statements.count; i++) {
		const struct row *first = &statements.list[i], *second;

		for (unsigned j = 0; first->line == of->line && j + 1 < statements.count; j++) {
			second = &statements.list[j];
			if (i == j || !is_same_statement(first, second) ||
			    !has_own_row(of, first) || !has_own_row(of, second) ||
			    !is_mostly_again(&statements, i, j))
				continue;
			rounds.first = first->address;
			rounds.second = second->address;
			rounds.stops.addresses[list->count] = second->address;
			if (is_second_round(&rounds, second[1].address))
				return true;
		}
	}
	return false;
}
