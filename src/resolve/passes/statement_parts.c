// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds addresses of a line that are parts of one statement, in code without markers: clang may
 * load an operand of `if (flags & MASK)` in front of a loop and test it in the loop.
 *
 * The surprise: the columns tell. A statement that is executed twice has its columns twice; parts
 * of one have columns of their own.
 */
#include "resolve/flow/flow.h"
#include "resolve/passes/passes.h"

enum { COLUMNS_MAX = 16 };

/* Of the line's code from an address on, up to that of another line. */
struct columns {
	unsigned list[COLUMNS_MAX];
	unsigned count;
	unsigned first; /* the leftmost one */
};

static bool has_column(const struct columns *columns, unsigned column)
{
	for (unsigned i = 0; i < columns->count; i++)
		if (columns->list[i] == column)
			return true;
	return false;
}

static void collect_columns(const struct line_code *of, uint64_t address, struct columns *ret)
{
	size_t i = partition_point(of->nrows, j, of->rows[j].address < address);

	*ret = (struct columns){.first = -1U};
	for (; i < of->nrows && ret->count < COLUMNS_MAX; i++) {
		const struct row *row = &of->rows[i];

		if (!is_of_line(of->instance, row, of->line)) {
			if (has_instruction(row))
				return;
			continue;
		}
		if (!row->column || has_column(ret, row->column))
			continue;
		ret->list[ret->count++] = row->column;
		ret->first = row->column < ret->first ? row->column : ret->first;
	}
}

static bool are_apart(const struct columns *a, const struct columns *b)
{
	for (unsigned i = 0; i < a->count; i++)
		if (has_column(b, a->list[i]))
			return false;
	return a->count && b->count;
}

/* Whether the function only comes to the second address behind the first. */
static bool is_behind(const struct flow *flow, uint64_t first, uint64_t second)
{
	return !flow_reaches(flow, second, &first, 1);
}

static bool leads_to(const struct flow *flow, uint64_t first, uint64_t second)
{
	return flow_always_meets(flow, first, &second, 1, NULL, 0);
}

static bool comes_round(const struct flow *flow, uint64_t first, uint64_t second)
{
	return flow_reaches_from(flow, &second, 1, second, &first, 1);
}

/* The head of a loop, too, has its rounds' part in the loop and its beginning in front of it; but
 * the rounds' part has the keyword's column. */
static bool is_round_of(const struct columns *first, const struct columns *second)
{
	return second->count > 1 && second->first < first->first;
}

bool passes_have_parts(const struct line_code *of, const struct candidates *list)
{
	enum { MOST = 8 };
	struct columns columns[MOST];

	if (!of->flow || list->count < 2 || list->count > MOST)
		return false;
	for (unsigned i = 0; i < list->count; i++)
		collect_columns(of, list->addresses[i], &columns[i]);
	for (unsigned i = 0; i < list->count; i++)
		for (unsigned j = 0; j < list->count; j++)
			if (i != j && are_apart(&columns[i], &columns[j]) &&
			    (comes_round(of->flow, list->addresses[i], list->addresses[j]) ?
				     is_behind(of->flow, list->addresses[i],
					       list->addresses[j]) &&
					     !is_round_of(&columns[i], &columns[j]) :
				     leads_to(of->flow, list->addresses[i], list->addresses[j])))
				return true;
	return false;
}
