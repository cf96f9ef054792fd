// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the code of a statement whose marker gcc left behind it.
 *
 * The surprise: the marker's own address is passed more often than the statement, where the other
 * branch of an if joins there.
 */
#include "resolve/flow/flow.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/passes.h"

/* The line's first instruction in the straight-line code that ends at the address, behind any other
 * line's marker there; 0: there is none. */
static uint64_t code_ending_at(const struct line_code *of,
			       const struct breaks *breaks, uint64_t address)
{
	uint64_t start = 0, last = 0, first = 0;

	for (unsigned i = 0; i < of->nrows; i++)
		if (has_instruction(&of->rows[i]) && of->rows[i].address < address &&
		    of->rows[i].address >= last)
			last = of->rows[i].address;
	if (!last || flow_straight_end(of->flow, last) != address)
		return 0;
	start = flow_straight_start(of->flow, last);
	for (unsigned i = 0; i < breaks->others.count; i++)
		if (breaks->others.addresses[i] < address && breaks->others.addresses[i] > start)
			start = breaks->others.addresses[i];
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (has_instruction(row) && row->address >= start && row->address < address &&
		    is_of_line(of->instance, row, of->line) && (!first || row->address < first))
			first = row->address;
	}
	return first;
}

/* Whether code of the line leads to the address that isn't between first and there: then the line
 * is what joins. */
static bool is_led_to(const struct line_code *of, const struct breaks *breaks, uint64_t first,
		      uint64_t address)
{
	struct candidates from = {arena_array(&of->resolver->scratch, uint64_t, of->nrows + 1), 0};

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (has_instruction(row) && is_of_line(of->instance, row, of->line) &&
		    (row->address < first || row->address >= address))
			from.addresses[from.count++] = row->address;
	}
	return flow_reaches_from(of->flow, from.addresses, from.count, address,
				 breaks->others.addresses, breaks->others.count);
}

/* The last marker of the instance in the straight-line code up to an instruction; NULL: there is
 * none. */
static const struct row *last_marker(const struct line_code *of,
				     uint64_t until)
{
	uint64_t start = flow_straight_start(of->flow, until);
	const struct row *last = NULL;

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->address >= start && row->address <= until &&
		    is_own_row(of->instance, row) && (!last || !is_before(row, last)))
			last = row;
	}
	return last;
}

/* Whether the line above is as deep, and the straight-line code up to an instruction begins it. A
 * way from its header can't pass the line without it. */
static bool is_behind_first(const struct line_code *of, const struct row *header, unsigned column,
			    uint64_t until)
{
	uint64_t start = flow_straight_start(of->flow, until);

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->address >= start && row->address <= until &&
		    is_own_row(of->instance, row) && row->line + 1 == of->line &&
		    row->column == column)
			return header->column < column && header->line < row->line;
	}
	return false;
}

/* Whether each other way to the address comes from a statement that is as deep and further above
 * than the line above, as those of an if and its else are, or from the if itself past more than the
 * line. Other ways may be passes of the line that need no code. */
static bool joins_else(const struct line_code *of, unsigned column, uint64_t code, uint64_t address)
{
	struct range here = {address, address + 1};
	struct path *ways;
	unsigned count = flow_ways_into(of->flow, of->resolver->arena, here, &ways), others = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct row *mark;

		if (ways[i].from >= code && ways[i].from < address)
			continue;
		mark = last_marker(of, ways[i].from);
		if (!mark || (!is_behind_first(of, mark, column, code) &&
			      (mark->column != column || mark->line + 1 >= of->line)))
			return false;
		others++;
	}
	return others > 0;
}

static unsigned marker_column(const struct line_code *of, uint64_t address)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && of->rows[i].address == address &&
		    is_of_line(of->instance, &of->rows[i], of->line))
			return of->rows[i].column;
	return 0;
}

/* gcc may leave a statement's marker behind its code. Where an if's other branch joins there, the
 * code is the line's and the marker's address isn't. */
void passes_move_before_joins(const struct line_code *of, const struct breaks *breaks,
			      struct candidates *list)
{
	for (unsigned i = 0; breaks->has_marks && i < list->count; i++) {
		uint64_t address = list->addresses[i], code;

		if (!has_address(&breaks->left, address) ||
		    has_address(&breaks->entered, address) || flow_is_straight(of->flow, address))
			continue;
		code = code_ending_at(of, breaks, address);
		if (code && !has_address(list, code) && (!i || list->addresses[i - 1] < code) &&
		    joins_else(of, marker_column(of, address), code, address) &&
		    !is_led_to(of, breaks, code, address))
			list->addresses[i] = code;
	}
}
