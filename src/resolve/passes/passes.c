// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses, of a line's addresses in one instance of a function, those where one hit is one pass
 * through the line. The line table rows and the control flow answer that together.
 *
 * The surprise: gcc's statement frontier markers tell what control flow can't. They keep the order
 * of the source, so an execution that meets another line's marker has left this line.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/passes.h"

static void drop(struct candidates *list, unsigned i)
{
	memmove(&list->addresses[i], &list->addresses[i + 1],
		(list->count - i - 1) * sizeof(*list->addresses));
	list->count--;
}

/* An address that continues another one belongs to the same pass. Later ones are tried first, so
 * that of two that lead to each other the first stays. */
static void drop_continued(const struct line_code *of, const struct breaks *breaks,
			   struct candidates *list)
{
	for (unsigned i = list->count; i-- > 0 && list->count > 1;) {
		uint64_t address = list->addresses[i];

		if (!(breaks->has_marks && has_address(&breaks->entered, address)) &&
		    breaks_continues(of, breaks, list, address))
			drop(list, i);
	}
}

/* The addresses that continue the line: not those where it begins anew after another line. */
static void collect_goals(struct arena *arena, const struct breaks *breaks,
			  const struct candidates *list, struct candidates *ret)
{
	*ret = (struct candidates){arena_array(arena, uint64_t, list->count + 1), 0};
	for (unsigned i = 0; i < list->count; i++)
		if (!has_address(&breaks->entered, list->addresses[i]))
			ret->addresses[ret->count++] = list->addresses[i];
}

/* gcc leaves the marker of a `break` that a jump precedes behind that jump, which is before the
 * next case. */
static void drop_left_behind(const struct flow *flow, const struct breaks *breaks,
			     struct candidates *list)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < list->count; i++) {
		uint64_t address = list->addresses[i];

		if (!breaks->has_marks || !has_address(&breaks->left, address) ||
		    has_address(&breaks->entered, address) || !flow_is_root(flow, address))
			list->addresses[kept++] = address;
	}
	list->count = kept ?: list->count;
}

static bool has_marker(const struct line_code *of, uint64_t address, unsigned column)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->address == address && row->is_mark && row->column == column &&
		    is_of_line(of->instance, row, of->line))
			return true;
	}
	return false;
}

/* Whether a loop's body, which begins at goal, always leads to where the marker of that column
 * comes again. */
static bool comes_again(const struct line_code *of, const struct breaks *breaks, uint64_t goal,
			uint64_t address, unsigned column)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->column == column &&
		    is_of_line(of->instance, row, of->line) && row->address != address &&
		    row->address != goal &&
		    flow_always_meets(of->flow, goal, &row->address, 1, breaks->others.addresses,
				      breaks->others.count))
			return true;
	}
	return false;
}

/* Whether the address, which leads to a kept one, is the first test of a loop that is one line: the
 * condition's marker stands there, and behind the body again. So the line is passed once more than
 * there are rounds. */
static bool is_first_test(const struct line_code *of, const struct breaks *breaks,
			  const struct candidates *goals, uint64_t address)
{
	for (unsigned i = 0; breaks->has_marks && i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->address != address || !row->is_mark ||
		    !is_of_line(of->instance, row, of->line))
			continue;
		for (unsigned j = 0; j < goals->count; j++)
			if (goals->addresses[j] != address &&
			    !has_marker(of, goals->addresses[j], row->column) &&
			    flow_reaches_from(of->flow, &address, 1, goals->addresses[j],
					      goals->addresses, goals->count) &&
			    comes_again(of, breaks, goals->addresses[j], address, row->column))
				return true;
	}
	return false;
}

/* An address that always leads to another one, with no other line between, is the beginning of
 * that one's pass: the jump to a loop's condition. */
static void drop_leading(const struct line_code *of, const struct breaks *breaks,
			 struct candidates *list)
{
	struct candidates goals;

	for (unsigned i = 0; i < list->count;) {
		collect_goals(of->resolver->arena, breaks, list, &goals);
		if (list->count > 1 && !has_address(&breaks->left, list->addresses[i]) &&
		    flow_always_meets(of->flow, list->addresses[i], goals.addresses, goals.count,
				      breaks->others.addresses, breaks->others.count) &&
		    !is_first_test(of, breaks, &goals, list->addresses[i]))
			drop(list, i);
		else
			i++;
	}
}

/* The address that an address of the line only jumps to; 0: there is more than a jump. */
static uint64_t jumps_to(const struct line_code *of, const struct breaks *breaks, uint64_t address)
{
	struct effect effect;
	struct insn insn;

	return breaks->has_marks && !has_address(&breaks->left, address) &&
			       code_effect(of->resolver, address, &insn, &effect) &&
			       insn.is_branch && !insn.falls_through ?
		       insn.target :
		       0;
}

/* A jump alone is the beginning of a pass that goes on behind it, where the line's marker has
 * others before and behind it, and no code: those before are of the code that joins there. */
static void drop_jumps(const struct line_code *of, const struct breaks *breaks,
		       struct candidates *list)
{
	for (unsigned i = list->count; i-- > 0;) {
		uint64_t target = jumps_to(of, breaks, list->addresses[i]);

		if (target && has_address(list, target) && has_address(&breaks->left, target) &&
		    has_address(&breaks->entered, target))
			drop(list, i);
	}
}

/* The same of any address that is left. */
static void drop_jumps_on(const struct line_code *of, const struct breaks *breaks,
			  struct candidates *list)
{
	for (unsigned i = list->count; i-- > 0;)
		if (has_address(list, jumps_to(of, breaks, list->addresses[i])))
			drop(list, i);
}

/* Where another line's marker follows at the same address, the statement has no instruction of
 * its own. If another address of the line always leads there, this one is the end of that one's
 * pass, whatever else jumps to the instruction. */
static void drop_empty(const struct flow *flow, const struct breaks *breaks,
		       struct candidates *list)
{
	for (unsigned i = list->count; breaks->has_marks && i-- > 0;) {
		uint64_t address = list->addresses[i];

		if (!has_address(&breaks->left, address) || has_address(&breaks->entered, address))
			continue;
		for (unsigned j = 0; j < list->count; j++)
			if (j != i && !has_address(&breaks->left, list->addresses[j]) &&
			    flow_always_meets(flow, list->addresses[j], &address, 1,
					      breaks->others.addresses, breaks->others.count)) {
				drop(list, i);
				break;
			}
	}
}

/* The column of a last statement on the line that has no code, such as the ; behind a macro's
 * braces; 0: there is no such statement. Wherever its marker ends up, behind a loop's end for
 * one, the line has been passed already. */
static unsigned empty_column(const struct line_code *of)
{
	const struct row *rows = of->rows;
	bool is_done_before = false, is_done = false;
	unsigned last = 0;

	for (unsigned i = 0; i < of->nrows; i++)
		if (rows[i].is_mark && is_of_line(of->instance, &rows[i], of->line) &&
		    rows[i].column > last)
			last = rows[i].column;
	for (unsigned i = 0; i < of->nrows; i++) {
		if (!has_instruction(&rows[i]) || !is_of_line(of->instance, &rows[i], of->line))
			continue;
		is_done_before |= rows[i].column < last;
		is_done |= rows[i].column == last;
	}
	return is_done_before && !is_done ? last : 0;
}

static void drop_nothing(const struct line_code *of, struct candidates *list)
{
	const struct row *rows = of->rows;
	unsigned column = empty_column(of);

	for (unsigned i = list->count; column && i-- > 0;) {
		bool is_empty = true;

		for (unsigned j = 0; j < of->nrows && is_empty; j++)
			is_empty = rows[j].address != list->addresses[i] ||
				   rows[j].column == column ||
				   !is_of_line(of->instance, &rows[j], of->line);
		if (is_empty)
			drop(list, i);
	}
}

/* Whether the code is a nop and nothing else, but for a jump behind it. */
static bool is_landing(const struct line_code *of, uint64_t address, uint64_t end)
{
	struct effect effect;
	struct insn insn;

	if (!code_effect(of->resolver, address, &insn, &effect) || !insn.is_padding)
		return false;
	address += insn.length;
	if (address < end && code_effect(of->resolver, address, &insn, &effect) &&
	    insn.is_branch && !insn.falls_through)
		address += insn.length;
	return address == end;
}

static bool begins_landing(const struct line_code *of, uint64_t address)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].address == address &&
		    is_of_line(of->instance, &of->rows[i], of->line) &&
		    is_landing(of, address, of->rows[i].end))
			return true;
	return false;
}

/* Where a loop ends, gfortran leaves a nop, which it says is of the last statement in the loop. */
static void drop_landings(const struct line_code *of, struct candidates *list)
{
	unsigned kept = 0;

	if (!of->instance->is_fortran || !of->instance->is_unoptimised)
		return;
	for (unsigned i = 0; i < list->count; i++)
		if (!begins_landing(of, list->addresses[i]))
			list->addresses[kept++] = list->addresses[i];
	list->count = kept ?: list->count;
}

void passes_keep(const struct line_code *of, struct candidates *list)
{
	struct candidates all = {arena_array(&of->resolver->scratch, uint64_t, list->count + 1), 0};
	struct breaks breaks;

	passes_drop_inherited(of, list);
	drop_landings(of, list);
	all.count = list->count;
	breaks_collect(of, &breaks);
	memcpy(all.addresses, list->addresses, list->count * sizeof(*list->addresses));
	drop_nothing(of, list);
	passes_drop_hoisted(of, list);
	drop_left_behind(of->flow, &breaks, list);
	drop_jumps(of, &breaks, list);
	passes_move_before_joins(of, &breaks, list);
	drop_continued(of, &breaks, list);
	drop_empty(of->flow, &breaks, list);
	drop_leading(of, &breaks, list);
	drop_jumps_on(of, &breaks, list);
	if (!breaks.has_marks)
		passes_keep_bodies(of, &all, list);
}

/* Addresses with no other line of the function between them count as one: the code can't be
 * decoded. */
void passes_keep_blind(const struct line_code *of, struct candidates *list)
{
	const struct row *rows = of->rows;
	unsigned kept = 0;
	bool apart = true;

	for (unsigned i = 0; i < of->nrows; i++) {
		if (strcmp(rows[i].file, of->instance->function->file))
			continue;
		if (rows[i].line != of->line)
			apart = true;
		else if (apart && has_address(list, rows[i].address)) {
			if (!kept || list->addresses[kept - 1] != rows[i].address)
				list->addresses[kept++] = rows[i].address;
			apart = false;
		}
	}
	list->count = kept;
}
