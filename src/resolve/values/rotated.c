// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a variable lacks what the first round of a loop has made of it. clang begins a loop
 * in its middle, with a copy of the round's front before it; where a statement between the two is
 * `n++;`, it may count that round only behind the next one's front, and the list has n as the
 * register counts.
 *
 * The surprise: nothing of the list contradicts itself. But on the way into the loop the statement
 * is missing between those around it, and in the loop it isn't.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

static bool is_statement(const struct line_code *of, const struct row *row)
{
	return row->is_stmt && row->line && has_instruction(row) && is_own_row(of->instance, row);
}

/* The first statement at or behind the address; NULL: none. */
static const struct row *statement_behind(const struct line_code *of, uint64_t address)
{
	const struct row *ret = NULL;

	for (unsigned i = 0; i < of->nrows; i++)
		if (is_statement(of, &of->rows[i]) && of->rows[i].address >= address &&
		    (!ret || of->rows[i].address < ret->address))
			ret = &of->rows[i];
	return ret;
}

/* Whether the straight-line code around `from` leads to the address. */
static bool leads_to(const struct flow *flow, uint64_t from, uint64_t to)
{
	const struct range code = {from, flow_straight_end(flow, from)};

	return flow_leads_to(flow, &code, 1, to);
}

/* Whether a copy of the statement, from which no change is passed, leads to where the change's
 * code leads back to, and what follows there is behind the change in the source. */
static bool is_entered_past(const struct line_code *of, const struct row *front,
			    const struct row *change)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *copy = &of->rows[i], *next;
		uint64_t end = flow_straight_end(of->flow, copy->address);

		if (!is_statement(of, copy) || copy->line != front->line ||
		    copy->column != front->column || !leads_to(of->flow, copy->address, end) ||
		    !leads_to(of->flow, change->address, end) ||
		    flow_reaches_from(of->flow, &change->address, 1, copy->address, NULL, 0))
			continue;
		next = statement_behind(of, copy->address + 1);
		while (next && next->address < end && next->line != change->line)
			next = statement_behind(of, next->address + 1);
		if (next && next->address >= end && next->line > change->line)
			return true;
	}
	return false;
}

/* Whether a statement before it in the source and in its straight-line code has such a copy. */
static bool is_left_out(const struct line_code *of, const struct row *change)
{
	uint64_t start = flow_straight_start(of->flow, change->address);

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *front = &of->rows[i];

		if (front->address >= start && front->address < change->address &&
		    front->line < change->line && is_statement(of, front) &&
		    is_entered_past(of, front, change))
			return true;
	}
	return false;
}

/* The statement that ends at the border between two of the variable's places; NULL: none. */
static const struct row *statement_before(const struct line_code *of, uint64_t border)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (is_statement(of, &of->rows[i]) && of->rows[i].end == border)
			return &of->rows[i];
	return NULL;
}

unsigned find_uncounted(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const uint64_t borders[] = {variable->holds.start, variable->holds.end};
	struct line_code of;

	if (is_by_gcc(walk) || variable->scope != SCOPE_LOCAL || variable->parts < 2 ||
	    !is_in_register(variable) || !walk->instance ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return 0;
	of.flow = passing_flow(walk->resolver, walk->instance);
	if (!of.flow || !flow_reaches_from(of.flow, &at.address, 1, at.address, NULL, 0))
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		const struct row *change = statement_before(&of, borders[i]);

		if (change &&
		    flow_reaches_from(of.flow, &change->address, 1, at.address, NULL, 0) &&
		    is_left_out(&of, change))
			return change->line;
	}
	return 0;
}
