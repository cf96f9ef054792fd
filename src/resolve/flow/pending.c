// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what statements before a line still have to do after the line's position. An optimiser that
 * reorders instructions begins a line while the one before it is unfinished: of `b -= i; m -= i;`,
 * all of b's statement may come after the beginning of m's. Debug information gives b's value as
 * the machine has it there, which is the old one.
 *
 * The surprise: gcc's statement frontier markers tell an instruction that was moved down from one
 * that was moved up: the former's statement has begun. Without markers, the order of the lines must
 * do.
 */
#include "resolve/flow/flow.h"
#include "resolve/flow/line_search.h"
#include "resolve/flow/static_bases.h"
#include "resolve/passes/passes.h"
#include "target/code.h"

enum { MOST_INSTRUCTIONS = 32, MOST_BYTES = 256 };

static bool is_behind(const struct row *row, struct position at)
{
	return row->address != at.address ? row->address > at.address : row->view > at.view;
}

/* Straight-line code around the position, where no marker tells statements apart. */
struct stretch {
	uint64_t start;
	unsigned head; /* the line that closes a loop around it; 0: none */
};

static struct stretch stretch_around(const struct search *search)
{
	const struct flow *flow = search->of->flow;
	struct stretch stretch = {.start = flow_straight_start(flow, search->at.address)};
	uint64_t end = flow_straight_end(flow, search->at.address);
	struct path *ways;
	unsigned count = flow_ways_into(flow, &search->of->resolver->scratch,
					(struct range){stretch.start, stretch.start + 1}, &ways);

	for (unsigned i = 0; i < count; i++) {
		const struct row *row = ways[i].from >= stretch.start && ways[i].from < end ?
						row_around(search->of, ways[i].from) :
						NULL;

		if (row)
			stretch.head = row->line;
	}
	return stretch;
}

/* Whether the line has code on both sides of the position, so that its statement has begun, and the
 * source has it before the position's line: a loop's head comes behind the body. */
static bool is_around(const struct search *search, unsigned line)
{
	struct stretch stretch = stretch_around(search);

	if (line == stretch.head || (line > search->at.line && search->at.line != stretch.head))
		return false;
	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];

		if (row->line == line && has_instruction(row) && row->end > stretch.start &&
		    row->address < search->at.address && is_own_row(search->of->instance, row))
			return true;
	}
	return false;
}

/* Where the straight code around the position ends in a jump back that is the line's, a loop's
 * head: code behind it is of no pass through the position that is still going on. gfortran gives
 * the nop there to the loop's last statement. Else UINT64_MAX. */
static uint64_t loop_end(const struct search *search, unsigned line)
{
	const struct flow *flow = search->of->flow;
	uint64_t end = flow_straight_end(flow, search->at.address);
	int number = flow_number(flow, search->at.address);
	struct flow_step last = {.next = {-1, -1, -1}};
	const struct row *row;

	for (; number >= 0 && (unsigned)number < flow_count(flow); number++) {
		struct flow_step step = flow_step(flow, (unsigned)number);

		if (step.address >= end)
			break;
		last = step;
	}
	row = row_around(search->of, last.address);
	for (unsigned i = 0; row && row->line == line && i < 3; i++)
		if (last.next[i] >= 0 && flow_step(flow, (unsigned)last.next[i]).address <=
						 search->at.address)
			return end;
	return UINT64_MAX;
}

/* Without markers: whether the line's statement, which the instruction at the address belongs to,
 * is an earlier one: an earlier line of the file, and code of the position's own line follows the
 * address; or its code is on both sides. */
static bool was_begun_unmarked(const struct search *search, unsigned line, uint64_t address)
{
	uint64_t end = loop_end(search, line);

	for (unsigned i = 0; line < search->at.line && i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];

		if (row->line == search->at.line && row->address > address && row->address < end &&
		    row->address < search->at.address + MOST_BYTES &&
		    is_own_row(search->of->instance, row))
			return true;
	}
	return is_around(search, line);
}

static bool is_marked(const struct search *search, unsigned line)
{
	for (unsigned i = 0; i < search->of->nrows; i++)
		if (search->of->rows[i].is_mark && search->of->rows[i].line == line &&
		    is_own_row(search->of->instance, &search->of->rows[i]))
			return true;
	return false;
}

/* Whether the line's statement, which the instruction at the address belongs to, begins before
 * the position. A marker of the line after the position says that it is executed later, or
 * again, as a loop's `i++` whose instruction was moved up. If both lines have lost theirs, the
 * order of the lines must do. */
static bool was_begun(const struct search *search, unsigned line, uint64_t address)
{
	bool is_before = false;

	if (!search->has_marks)
		return was_begun_unmarked(search, line, address);
	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];

		if (!row->is_mark || row->line != line || !is_own_row(search->of->instance, row))
			continue;
		if (is_behind(row, search->at))
			return false;
		is_before = true;
	}
	return is_before || (line < search->at.line && !is_marked(search, search->at.line));
}

/* The line that executes the instruction, if that is another one than the position's; else 0. An
 * inlined copy is executed by its call's line. Where no statement begins at the position's line,
 * that may be one of the call's arguments, which the copy rightly follows. */
static unsigned line_at(const struct search *search, uint64_t address)
{
	const struct row *row = row_around(search->of, address);
	unsigned line = row ? row->line : 0;

	if (row && !is_own_row(search->of->instance, row))
		line = search->has_marks && is_marked(search, search->at.line) ?
			       passes_call_line(search->of->resolver, search->of->instance,
						address) : 0;
	return line != search->at.line ? line : 0;
}

/* The line of the earlier statement that the instruction belongs to; 0: of no earlier one. */
static unsigned earlier_line(const struct search *search, uint64_t address)
{
	unsigned line = line_at(search, address);

	return line && was_begun(search, line, address) ? line : 0;
}

/* Most lines are followed by no other line's instructions: they need no decoder. */
static bool may_be_pending(const struct search *search)
{
	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];

		if (row->end > search->at.address && row->end > row->address &&
		    row->address < search->at.address + MOST_BYTES &&
		    earlier_line(search, row->address))
			return true;
	}
	return false;
}

/* A store through a register that holds a static's address is one to the static as well. */
static void add_named(const struct search *search, struct effect effect, unsigned line,
		      uint64_t end, struct writes *pending)
{
	if (!effect.store_size || effect.store_base == NO_REGISTER)
		return;
	static_bases_name(static_bases_of(search->of->resolver, search->of->instance), &effect);
	if (effect.static_size)
		writes_add(search->of->resolver, &effect, line, end, 0, pending);
}

/* Walks the straight-line code from the position: stops at a branch, a call or a join point. */
static void follow(struct decoder *decoder, const struct search *search, struct writes *pending)
{
	struct resolver *resolver = search->of->resolver;
	uint64_t address = search->at.address, changed = 0;
	size_t length = 0;
	const uint8_t *code = target_bytes(resolver->target, address, &length);
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; code && i < MOST_INSTRUCTIONS && length; i++) {
		unsigned line = earlier_line(search, address);

		decoder_next(decoder, code, length, address, &insn);
		if (!insn.length || insn.is_call || insn.is_branch || insn.is_indirect ||
		    !insn.falls_through)
			return;
		decoder_effect(decoder, &effect);
		if (effect.stack == STACK_MOVED || effect.stack == STACK_RESTORED ||
		    effect.stack == STACK_LOST)
			return;
		if (line) {
			writes_add(resolver, &effect, line, address + insn.length, changed,
				   pending);
			add_named(search, effect, line, address + insn.length, pending);
		}
		changed |= effect.written;
		address += insn.length;
		code += insn.length;
		length -= insn.length;
		if (!flow_is_straight(search->of->flow, address))
			return;
	}
}

const struct writes *pending_find(const struct line_code *of, struct position at)
{
	struct search search = search_around(of, at);
	struct writes *pending;
	struct decoder *decoder;

	search.has_marks = has_own_marks(of);
	if (!of->flow || (at.view == VIEW_LAST && search.has_marks) || !may_be_pending(&search))
		return NULL;
	pending = arena_new(of->resolver->arena, struct writes);
	pending->has_marks = search.has_marks;
	decoder = decoder_open(of->resolver->arch);
	if (decoder)
		follow(decoder, &search, pending);
	decoder_close(decoder);
	return pending->count ? pending : NULL;
}
