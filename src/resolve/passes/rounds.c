// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the lines of loops whose rounds have another number of events than passes: a loop that is
 * one line and is entered behind its head, as its first condition is known, and an unrolled one.
 *
 * The surprise: clang says nothing of an unrolled loop, but the columns do. Where the code of a
 * statement begins three times, with other code between, that is more often three rounds than what
 * the scheduler made of one. Two beginnings need the loop's test between them (bodies.c).
 */
#include "resolve/flow/flow.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/passes.h"
#include "target/target.h"

/* The line of the instruction at an address, if it is the function's own; else 0. */
static unsigned line_at(const struct line_code *of, uint64_t address)
{
	const struct row *row = row_around(of, address);

	return row && is_own_row(of->instance, row) ? row->line : 0;
}

/* Whether the code at the address always leads to one of the tests before another line, and that
 * back to it. */
static bool has_test_behind(const struct flow *flow, const struct candidates *tests,
			    const struct candidates *others, uint64_t address)
{
	for (unsigned i = 0; i < tests->count; i++)
		if (flow_always_meets(flow, address, &tests->addresses[i], 1, others->addresses,
				      others->count) &&
		    flow_reaches_from(flow, &tests->addresses[i], 1, address, others->addresses,
				      others->count))
			return true;
	return false;
}

/* The column of the line's first marker at the address; 0: it has none. */
static unsigned first_column(const struct line_code *of, uint64_t address)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && of->rows[i].address == address &&
		    is_of_line(of->instance, &of->rows[i], of->line))
			return of->rows[i].column;
	return 0;
}

/* Whether the address is the body of a loop that is one line, as its test, which is left of it in
 * the source, comes behind it; and the loop can be entered without a test. */
static bool is_body_first(const struct line_code *of, uint64_t address)
{
	struct arena *arena = of->resolver->arena;
	struct candidates others = {0}, left = {0};
	unsigned column = first_column(of, address);

	for (unsigned i = 0; column && i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->address != address && row->column < column &&
		    is_of_line(of->instance, row, of->line))
			arena_append(arena, left.addresses, left.count) = row->address;
	}
	if (left.count)
		others.addresses = arena_array(arena, uint64_t, of->nrows + 1);
	for (unsigned i = 0; left.count && i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->line != of->line && is_own_row(of->instance, row))
			others.addresses[others.count++] = row->address;
	}
	return left.count && has_test_behind(of->flow, &left, &others, address) &&
	       flow_reaches(of->flow, address, left.addresses, left.count);
}

/* Whether a loop of the line's code alone has none of its events: the marks of what became vector
 * code are lost. */
static bool is_unprobed(const struct line_code *of, const struct candidates *list,
			struct range loop)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->addresses[i] >= loop.start &&
		    list->addresses[i] < loop.end)
			return false;
	for (unsigned i = 0; i < of->nrows; i++)
		if (has_instruction(&of->rows[i]) && of->rows[i].address < loop.end &&
		    of->rows[i].end > loop.start &&
		    !is_of_line(of->instance, &of->rows[i], of->line))
			return false;
	return line_at(of, loop.start) == of->line &&
	       line_at(of, loop.end - 1) == of->line;
}

static bool has_unprobed_loop(const struct line_code *of, const struct candidates *list)
{
	for (unsigned i = 0; of->flow && i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		struct range loop = {0};

		if (has_instruction(row) && is_of_line(of->instance, row, of->line))
			loop = flow_loop_ending_in(of->flow,
						   (struct range){row->address, row->end});
		if (loop.end && is_unprobed(of, list, loop))
			return true;
	}
	return false;
}

static bool has_loop_behind(const struct line_code *of, const struct candidates *list)
{
	for (unsigned i = 0; of->flow && i < list->count; i++)
		if (is_body_first(of, list->addresses[i]))
			return true;
	return false;
}

/* How often the code of one of the line's statements begins between two addresses that are
 * probed. */
static unsigned count_repeats(const struct line_code *of, const struct candidates *list)
{
	unsigned *columns = arena_array(&of->resolver->scratch, unsigned, of->nrows + 1);
	unsigned count = 0, most = 0;
	const struct row *last = NULL;

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		unsigned same = 1;

		if (!has_instruction(row))
			continue;
		if (has_address(list, row->address))
			count = 0;
		if (is_of_line(of->instance, row, of->line) &&
		    (!last || last->line != row->line || last->column != row->column)) {
			for (unsigned j = 0; j < count; j++)
				same += columns[j] == row->column;
			most = same > most ? same : most;
			columns[count++] = row->column;
		}
		last = row;
	}
	return most;
}

#define LEAST_REPEATS 3

static const char *left_text(const struct line_code *of, unsigned left, const char *which)
{
	return arena_printf(of->resolver->arena,
			    "line %u became one with others, and its mark is where line %u begins: "
			    "%s events than passes are possible", of->line, left, which);
}

static const char *fewer_text(const struct line_code *of, const struct candidates *list)
{
	bool is_marked = has_marks(of->rows, of->nrows);
	struct arena *arena = of->resolver->arena;
	unsigned repeats, loaded;
	const char *other;

	if (has_loop_behind(of, list))
		return arena_printf(arena,
				    "the loop of line %u is entered after its test: fewer events "
				    "than passes are possible", of->line);
	if (is_marked && has_unprobed_loop(of, list))
		return arena_printf(arena,
				    "code of line %u is a loop without a mark: fewer events than "
				    "passes are possible", of->line);
	if (is_marked && store_lacks_mark(of, list))
		return arena_printf(arena,
				    "some code leads into line %u past its mark: fewer events than "
				    "passes are possible", of->line);
	other = eventless_text(of, list) ?: filled_text(of) ?: closing_text(of, list);
	if (other || of->instance->is_unoptimised)
		return other;
	if (is_marked)
		return NULL;
	loaded = partial_load(of, list);
	if (loaded)
		return arena_printf(arena,
				    "line %u uses what line %u loaded, and loads it on one way "
				    "alone: fewer events than passes are possible",
				    of->line, loaded);
	repeats = count_repeats(of, list);
	if (repeats < LEAST_REPEATS && calls_again(of, list))
		return arena_printf(arena,
				    "a call of line %u is there again behind it, as in an unrolled "
				    "loop: fewer events than passes are possible", of->line);
	if (repeats < LEAST_REPEATS && !passes_lack_body(of, list))
		return NULL;
	return calls_checks(of) ? NULL :
	       arena_printf(arena,
			    "the code of line %u is there %u times in a row, as in an unrolled "
			    "loop: fewer events than passes are possible",
			    of->line, repeats < 2 ? 2 : repeats);
}

/* Whether the code is that of a coroutine that goes on. clang computes there again what a statement
 * before the suspension computed, and the code is that statement's. */
static bool is_resumed(const struct line_code *of)
{
	static const char suffix[] = ".resume";
	const struct instance *instance = of->instance;
	const struct symbol *symbol = NULL;
	size_t length;

	if (!instance->is_by_gcc && !instance->is_unoptimised && instance->nouter_ranges)
		symbol = target_symbol_at(of->resolver->target, instance->outer_ranges[0].start,
					  NULL);
	length = symbol ? strlen(symbol->name) : 0;
	return length >= sizeof(suffix) &&
	       !strcmp(symbol->name + length - (sizeof(suffix) - 1), suffix);
}

static const char *entered_text(const struct line_code *of, const char *which)
{
	return arena_printf(of->resolver->arena,
			    "line %u has no mark, and statements further down go on at its "
			    "code: %s events than passes are possible", of->line, which);
}

static const char *more_text(const struct line_code *of, const struct candidates *list)
{
	unsigned line = of->flow ? shared_store(of, list) : 0;

	if (line)
		return arena_printf(of->resolver->arena,
				    "line %u shares its code with line %u: more events than passes "
				    "are possible", of->line, line);
	if (is_resumed(of))
		return arena_printf(of->resolver->arena,
				    "a coroutine that goes on may compute again what line %u did: "
				    "more events than passes are possible", of->line);
	if (line_runs_anyway(of, list))
		return arena_printf(of->resolver->arena,
				    "code of line %u runs before it is decided whether the line is "
				    "executed: more events than passes are possible",
				    of->line);
	if (!of->instance->is_unoptimised && !has_marks(of->rows, of->nrows) &&
	    passes_have_parts(of, list))
		return arena_printf(of->resolver->arena,
				    "the addresses of line %u are parts of one statement: more "
				    "events than passes are possible", of->line);
	return of->flow && passes_double(of, list) ?
		       arena_printf(of->resolver->arena,
				    "one pass through line %u may meet two of its addresses: more "
				    "events than passes are possible",
				    of->line) :
		       NULL;
}

void rounds_find(struct resolver *resolver, const struct instance *instance, unsigned line,
		 const struct candidates *list, struct rounds *ret)
{
	struct line_code of;
	unsigned left;

	*ret = (struct rounds){0};
	if (line_code_read(resolver, instance, line, &of) || !of.nrows)
		return;
	of.flow = outer_flow(resolver, instance);
	left = left_behind(&of);
	if (left) {
		ret->fewer = left_text(&of, left, "fewer");
		ret->more = left_text(&of, left, "more");
	} else if (is_entered_from_below(&of, list)) {
		ret->fewer = entered_text(&of, "fewer");
		ret->more = entered_text(&of, "more");
	} else {
		ret->fewer = fewer_text(&of, list);
		ret->more = more_text(&of, list);
	}
}
