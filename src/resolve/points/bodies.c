// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the bodies of unrolled loops in code without markers, as clang writes it and not gcc:
 * there, one body is reached through another one only, like the parts of one statement.
 *
 * The surprise: the columns tell. Two stretches of code, one behind the other, with the same
 * statements in the same order, and three or more of them, are the same source executed twice.
 * With two, or in another order, it is often what the scheduler made of one stretch.
 */
#include "resolve/points/flow.h"
#include "resolve/points/passes.h"

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

	ret->list = arena_array(of->resolver->arena, struct row, of->nrows + 1);
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

/* Whether the body of an unrolled loop that has the statement a has it again as b: as many
 * statements around the one are around the other, in the same order, as lie between the two. */
static bool is_body_again(const struct statements *statements, unsigned a, unsigned b)
{
	enum { LEAST = 3 };
	const struct row *list = statements->list;
	unsigned same = 0;

	while (b + same < statements->count && is_same_statement(&list[a + same], &list[b + same]))
		same++;
	for (unsigned i = 1; same && i <= a && is_same_statement(&list[a - i], &list[b - i]); i++)
		same++;
	return b - a >= LEAST && same >= b - a && has_lines(list, a, b);
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
