// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the lines of loops whose rounds have fewer events than passes: a loop that is entered behind its head, as its
 * first condition is known, and an unrolled one.
 *
 * The surprise: clang says nothing of an unrolled loop, but the columns do. Where the code of a statement begins three
 * times, with other code between, that is more often three rounds than what the scheduler made of one.
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

static bool is_first_line(const struct probed *probed, struct range loop)
{
	for (unsigned i = 0; i < probed->nrows; i++) {
		const struct row *row = &probed->rows[i];

		if (has_instruction(row) && row->address >= loop.start && row->address < loop.end &&
		    is_own_row(probed->instance, row) && row->line < probed->line)
			return false;
	}
	return true;
}

/* Whether the line comes before the loop, too. */
static bool is_before(const struct flow *flow, const struct candidates *list, struct range loop)
{
	for (unsigned i = 0; i < list->count; i++)
		if ((list->addresses[i] < loop.start || list->addresses[i] >= loop.end) &&
		    flow_reaches_from(flow, &list->addresses[i], 1, loop.start, list->addresses, list->count))
			return true;
	return false;
}

/* Whether the address belongs to a loop's condition, at its end, and the loop is entered at the body: the line is the
 * first of the loop, so what decides on its first round was before the body in the source. */
static bool is_entered_behind(const struct probed *probed, const struct flow *flow, uint64_t address)
{
	struct range loop = flow_loop(flow, address);
	uint64_t last = loop.end - 1;

	return loop.end && line_at(probed, loop.start) > probed->line && line_at(probed, last) == probed->line &&
	       is_first_line(probed, loop) && !flow_reaches(flow, address, &loop.start, 1) &&
	       !flow_reaches(flow, last, &loop.start, 1) && !is_before(flow, probed->list, loop);
}

static bool has_loop_behind(struct resolver *resolver, const struct probed *probed)
{
	const struct flow *flow = outer_flow(resolver, probed->instance);

	for (unsigned i = 0; flow && i < probed->list->count; i++)
		if (is_entered_behind(probed, flow, probed->list->addresses[i]))
			return true;
	return false;
}

/* How often the code of one of the line's statements begins between two addresses that are probed. */
static unsigned count_repeats(struct resolver *resolver, const struct probed *probed)
{
	unsigned *columns = arena_array(resolver->arena, unsigned, probed->nrows + 1), count = 0, most = 0;
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

const char *rounds_text(struct resolver *resolver, const struct instance *instance, unsigned line,
			const struct candidates *list)
{
	enum { LEAST = 3 };
	struct probed probed = {.instance = instance, .line = line, .list = list};
	struct row *rows;
	unsigned repeats;

	if (debuginfo_rows(resolver->info, instance, &rows, &probed.nrows) || !probed.nrows)
		return NULL;
	probed.rows = rows;
	if (has_loop_behind(resolver, &probed))
		return arena_printf(resolver->arena,
				    "the loop of line %u is entered after its test: fewer events "
				    "than passes are "
				    "possible", line);
	repeats = has_marks(rows, probed.nrows) ? 0 : count_repeats(resolver, &probed);
	return repeats < LEAST ? NULL :
	       arena_printf(resolver->arena,
			    "the code of line %u is there %u times in a row, as in an unrolled "
			    "loop: fewer "
			    "events than passes are possible", line, repeats);
}
