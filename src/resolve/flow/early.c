// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what statements behind a line have already done before the line's position. An optimiser
 * that sinks an instruction leaves its line behind others: of `j++; old = now; now = list[j];`, all
 * of `j++` may come last, and debug information gives `old` as it is by then.
 *
 * The surprise: a loop's condition comes behind its body as well, and rightly so.
 */
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_search.h"
#include "resolve/passes/passes.h"
#include "target/code.h"

/* Whether the position is a statement frontier: then the statements before it are told apart from
 * those behind it, whatever became of their instructions. */
static bool is_marked(const struct search *search)
{
	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];

		if (row->is_mark && row->address == search->at.address &&
		    row->view == search->at.view)
			return true;
	}
	return false;
}

/* The line of the instance's function that executes what the row has; 0: none is known. Code
 * without a line lies in the range of a copy though it may be any statement's. */
static unsigned line_for(const struct search *search, const struct row *row)
{
	return !row->line || is_own_row(search->of->instance, row) ?
		       row->line :
		       passes_call_line(search->of->resolver, search->of->instance, row->address);
}

/* A row of a later line in the straight-line code before the position, which begins at `start`. */
static bool is_early(const struct search *search, uint64_t start, const struct row *row)
{
	return row->address >= start &&
	       (search->has_marks ? row->is_mark && row->address <= search->at.address :
		has_instruction(row) && row->address < search->at.address) &&
	       line_for(search, row) > search->at.line;
}

/* One of the instance's own, if there is any. */
static const struct row *first_early(const struct search *search, uint64_t start)
{
	const struct row *first[2] = {NULL, NULL};

	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];
		bool is_own = is_own_row(search->of->instance, row);

		if (is_early(search, start, row) &&
		    (!first[is_own] || row->address < first[is_own]->address))
			first[is_own] = row;
	}
	return first[true] ?: first[false];
}

/* Whether the instruction puts a constant into a register, for a line whose statements have lost
 * all their markers: a loop's condition and step have some, and other code. */
static bool is_start_alone(const struct search *search)
{
	struct effect effect;
	struct insn insn;

	if (!code_effect(search->of->resolver, search->at.address, &insn, &effect) ||
	    effect.constant_to == NO_REGISTER)
		return false;
	for (unsigned i = 0; i < search->of->nrows; i++)
		if (search->of->rows[i].is_mark &&
		    is_of_line(search->of->instance, &search->of->rows[i], search->at.line))
			return false;
	return search->has_marks;
}

/* Whether the line may be a loop's condition or step, which the loop's end executes again: no line
 * before it has code there, and it can come back to itself. */
static bool is_loop_head(const struct search *search, uint64_t start)
{
	const struct flow *flow = search->of->flow;
	uint64_t end = flow_straight_end(flow, search->at.address);

	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];
		bool is_beside = has_instruction(row) && row->address >= start &&
				 row->address < end;
		unsigned line = is_beside ? line_for(search, row) : 0;

		if (line && line < search->at.line)
			return false;
	}
	return flow_reaches_from(flow, &search->at.address, 1, search->at.address, NULL, 0);
}

/* Whether the instruction belongs to a later line. */
static bool is_of_later(const struct search *search, uint64_t address)
{
	const struct row *row = row_around(search->of, address);

	return row && line_for(search, row) > search->at.line;
}

static void collect_writes(struct decoder *decoder, const struct search *search,
			   struct early *early)
{
	struct resolver *resolver = search->of->resolver;
	uint64_t address = early->first;
	size_t length = 0;
	const uint8_t *code = target_bytes(resolver->target, address, &length);
	struct effect effect;
	struct insn insn;

	while (code && length && address < search->at.address) {
		decoder_next(decoder, code, length, address, &insn);
		if (!insn.length)
			return;
		decoder_effect(decoder, &effect);
		if (is_of_later(search, address))
			writes_add(resolver, &effect, early->line, address + insn.length, 0,
				   &early->done);
		address += insn.length;
		code += insn.length;
		length -= insn.length;
	}
}

/* Goes back to the end of the straight-line code that alone leads to where other such code starts.
 * Returns false if there is none. */
static bool go_before(struct search *search, uint64_t start)
{
	struct path *ways;
	unsigned count = flow_ways_into(search->of->flow, &search->of->resolver->scratch,
					(struct range){start, start + 1}, &ways);

	if (count != 1)
		return false;
	search->at.address = ways[0].from;
	return true;
}

const struct early *early_find(const struct line_code *of, struct position at)
{
	struct search search = search_around(of, at);
	uint64_t start;
	const struct row *first;
	struct decoder *decoder;
	struct early *early;
	bool is_start;

	if (!of->flow || is_marked(&search))
		return NULL;
	is_start = is_start_alone(&search);
	start = flow_straight_start(of->flow, at.address);
	first = first_early(&search, start);
	if (!first && is_start && go_before(&search, start)) {
		start = flow_straight_start(of->flow, search.at.address);
		first = first_early(&search, start);
	}
	if (!first || (!is_start && is_loop_head(&search, start)))
		return NULL;
	early = arena_new(of->resolver->arena, struct early);
	*early = (struct early){.start = start, .first = first->address,
				 .line = line_for(&search, first),
				 .is_called = !is_own_row(of->instance, first)};
	decoder = decoder_open(of->resolver->arch);
	if (decoder)
		collect_writes(decoder, &search, early);
	decoder_close(decoder);
	return early;
}
