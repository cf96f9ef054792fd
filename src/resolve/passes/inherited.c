// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drops code that only seems to be of a line: behind a jump that is the line's end, gcc begins the
 * next block, whose first instruction has no line, with a row of the line before it.
 *
 * The surprise: such a row isn't a statement's and has the line's last column; where the line
 * really goes on, as in a loop's head, the column is another one. All ways out of a function may
 * lead to code of its brace, which is in the first column; but no statement comes behind that.
 */
#include "resolve/flow/flow.h"
#include "resolve/passes/passes.h"

static const struct row *first_row(const struct line_code *of, uint64_t address)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].address == address)
			return &of->rows[i];
	return NULL;
}

/* Whether the instruction before it doesn't lead there. */
static bool is_behind_jump(const struct flow *flow, uint64_t address)
{
	int at = flow_number(flow, address);

	return at > 0 && flow_step(flow, (unsigned)at - 1).next[0] != at;
}

/* Whether it may be the code of a function's brace: it returns, without another statement. */
static bool may_be_brace(const struct line_code *of, uint64_t address)
{
	struct candidates others = {arena_array(&of->resolver->scratch, uint64_t, of->nrows + 1), 0};

	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && of->rows[i].line != of->line &&
		    is_own_row(of->instance, &of->rows[i]))
			others.addresses[others.count++] = of->rows[i].address;
	return of->instance->inlined ||
	       !flow_always_meets(of->flow, address, others.addresses, others.count, NULL, 0);
}

static bool is_inherited(const struct line_code *of, uint64_t address)
{
	const struct row *row = first_row(of, address), *before = row_around(of, address - 1);

	return row && before && !row->is_stmt && !row->is_in_order && row->column &&
	       row->column == before->column && before->end == address &&
	       is_of_line(of->instance, row, of->line) &&
	       is_of_line(of->instance, before, of->line) &&
	       is_behind_jump(of->flow, address) &&
	       (row->column > 1 || !may_be_brace(of, address));
}

void passes_drop_inherited(const struct line_code *of, struct candidates *list)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < list->count; i++)
		if (!is_inherited(of, list->addresses[i]))
			list->addresses[kept++] = list->addresses[i];
	list->count = kept ?: list->count;
}
