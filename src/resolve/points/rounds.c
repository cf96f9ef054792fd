// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the lines of loops whose rounds have another number of events than passes: a loop that is
 * one line and is entered behind its head, as its first condition is known, and an unrolled one.
 *
 * The surprise: clang says nothing of an unrolled loop, but the columns do. Where the code of a
 * statement begins three times, with other code between, that is more often three rounds than what
 * the scheduler made of one.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/merged.h"
#include "resolve/points/points.h"

/* A line's addresses in one instance. */
struct probed {
	const struct instance *instance;
	unsigned line;
	const struct candidates *list;
	const struct row *rows;
	unsigned nrows;
};

/* The line of the instruction at an address, if it is the function's own; else 0. */
static unsigned line_at(const struct probed *probed, uint64_t address)
{
	for (unsigned i = 0; i < probed->nrows; i++) {
		const struct row *row = &probed->rows[i];

		if (row->address <= address && address < row->end)
			return is_own_row(probed->instance, row) ? row->line : 0;
	}
	return 0;
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
static unsigned first_column(const struct probed *probed, uint64_t address)
{
	for (unsigned i = 0; i < probed->nrows; i++)
		if (probed->rows[i].is_mark && probed->rows[i].address == address &&
		    is_of_line(probed->instance, &probed->rows[i], probed->line))
			return probed->rows[i].column;
	return 0;
}

/* Whether the address is the body of a loop that is one line, as its test, which is left of it in
 * the source, comes behind it; and the loop can be entered without a test. */
static bool is_body_first(struct resolver *resolver, const struct probed *probed,
			  const struct flow *flow, uint64_t address)
{
	struct candidates others = {0}, left = {0};
	unsigned column = first_column(probed, address);

	for (unsigned i = 0; column && i < probed->nrows; i++) {
		const struct row *row = &probed->rows[i];

		if (row->is_mark && row->address != address && row->column < column &&
		    is_of_line(probed->instance, row, probed->line))
			arena_append(resolver->arena, left.addresses, left.count) = row->address;
	}
	if (left.count)
		others.addresses = arena_array(resolver->arena, uint64_t, probed->nrows + 1);
	for (unsigned i = 0; left.count && i < probed->nrows; i++) {
		const struct row *row = &probed->rows[i];

		if (row->is_mark && row->line != probed->line && is_own_row(probed->instance, row))
			others.addresses[others.count++] = row->address;
	}
	return left.count && has_test_behind(flow, &left, &others, address) &&
	       flow_reaches(flow, address, left.addresses, left.count);
}

/* Whether a loop of the line's code alone has none of its events: the marks of what became vector
 * code are lost. */
static bool is_unprobed(const struct probed *probed, struct range loop)
{
	for (unsigned i = 0; i < probed->list->count; i++)
		if (probed->list->addresses[i] >= loop.start &&
		    probed->list->addresses[i] < loop.end)
			return false;
	for (unsigned i = 0; i < probed->nrows; i++)
		if (has_instruction(&probed->rows[i]) && probed->rows[i].address < loop.end &&
		    probed->rows[i].end > loop.start &&
		    !is_of_line(probed->instance, &probed->rows[i], probed->line))
			return false;
	return line_at(probed, loop.start) == probed->line &&
	       line_at(probed, loop.end - 1) == probed->line;
}

static bool has_unprobed_loop(struct resolver *resolver, const struct probed *probed)
{
	const struct flow *flow = outer_flow(resolver, probed->instance);

	for (unsigned i = 0; flow && i < probed->nrows; i++) {
		const struct row *row = &probed->rows[i];
		struct range loop = {0};

		if (has_instruction(row) && is_of_line(probed->instance, row, probed->line))
			loop = flow_loop_ending_in(flow, (struct range){row->address, row->end});
		if (loop.end && is_unprobed(probed, loop))
			return true;
	}
	return false;
}

static bool has_loop_behind(struct resolver *resolver, const struct probed *probed)
{
	const struct flow *flow = outer_flow(resolver, probed->instance);

	for (unsigned i = 0; flow && i < probed->list->count; i++)
		if (is_body_first(resolver, probed, flow, probed->list->addresses[i]))
			return true;
	return false;
}

/* How often the code of one of the line's statements begins between two addresses that are
 * probed. */
static unsigned count_repeats(struct resolver *resolver, const struct probed *probed)
{
	unsigned *columns = arena_array(resolver->arena, unsigned, probed->nrows + 1), count = 0,
		 most = 0;
	const struct row *last = NULL;

	for (unsigned i = 0; i < probed->nrows; i++) {
		const struct row *row = &probed->rows[i];
		unsigned same = 1;

		if (!has_instruction(row))
			continue;
		if (has_address(probed->list, row->address))
			count = 0;
		if (is_of_line(probed->instance, row, probed->line) &&
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

static const char *fewer_text(struct resolver *resolver, const struct probed *probed)
{
	enum { LEAST = 3 };
	const struct instance *instance = probed->instance;
	unsigned line = probed->line, nrows = probed->nrows, repeats;
	const struct row *rows = probed->rows;
	const char *other;

	if (has_loop_behind(resolver, probed))
		return arena_printf(resolver->arena,
				    "the loop of line %u is entered after its test: fewer events "
				    "than passes are possible", line);
	if (has_marks(rows, nrows) && has_unprobed_loop(resolver, probed))
		return arena_printf(
			resolver->arena,
			"code of line %u is a loop without a mark: fewer events than passes are "
			"possible",
			line);
	other = eventless_text(resolver, instance, line, rows, nrows, probed->list) ?:
		filled_text(resolver, instance, line, rows, nrows) ?:
		closing_text(resolver, instance, line, rows, nrows, probed->list);
	if (other || instance->is_unoptimised)
		return other;
	if (has_marks(rows, nrows))
		return NULL;
	repeats = count_repeats(resolver, probed);
	if (repeats < LEAST && calls_again(resolver, outer_flow(resolver, instance), instance, line,
					   rows, nrows, probed->list))
		return arena_printf(
			resolver->arena,
			"a call of line %u is there again behind it, as in an unrolled loop: "
			"fewer events than passes are possible",
			line);
	return repeats < LEAST || calls_checks(resolver, instance, line, rows, nrows) ? NULL :
	       arena_printf(resolver->arena,
			    "the code of line %u is there %u times in a row, as in an unrolled "
			    "loop: fewer events than passes are possible", line, repeats);
}

static const char *more_text(struct resolver *resolver, const struct probed *probed)
{
	const struct flow *flow = outer_flow(resolver, probed->instance);

	if (line_runs_anyway(resolver, probed->instance, probed->line, probed->rows, probed->nrows,
			     probed->list))
		return arena_printf(resolver->arena,
				    "code of line %u runs before it is decided whether the line is "
				    "executed: more events than passes are possible",
				    probed->line);
	return flow && passes_double(resolver, probed->instance, probed->line, probed->rows,
				     probed->nrows, flow, probed->list) ?
		       arena_printf(resolver->arena,
				    "one pass through line %u may meet two of its addresses: more "
				    "events than passes are possible",
				    probed->line) :
		       NULL;
}

void rounds_find(struct resolver *resolver, const struct instance *instance, unsigned line,
		 const struct candidates *list, struct rounds *ret)
{
	struct probed probed = {.instance = instance, .line = line, .list = list};
	struct row *rows;

	*ret = (struct rounds){0};
	if (debuginfo_rows(resolver->info, instance, &rows, &probed.nrows) || !probed.nrows)
		return;
	probed.rows = rows;
	ret->fewer = fewer_text(resolver, &probed);
	ret->more = more_text(resolver, &probed);
}
