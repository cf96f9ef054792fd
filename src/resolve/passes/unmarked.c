// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds code of a line without markers that runs where the source doesn't execute the line: gcc
 * moves it out of a loop, computes `x = 0` before the `if` that decides about it, or chooses
 * between two results without a branch. The first isn't probed if other code of the line is left;
 * of the others a warning is given.
 *
 * The surprise: the statement's marker, which is lost with its branch, tells such code from that of
 * all other statements. Alone it tells nothing: the later lines of a statement have none either,
 * and their code comes behind the marker of the nearest line above that has one.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/passes.h"

static bool is_unmarked(const struct line_code *of)
{
	return has_marks(of->rows, of->nrows) && !line_has_mark(of);
}

/* The addresses of the nearest line above that has markers. */
static void collect_above(const struct line_code *of, struct candidates *ret)
{
	const struct row *rows = of->rows;
	unsigned above = 0;

	*ret = (struct candidates){
		.addresses = arena_array(&of->resolver->scratch, uint64_t, of->nrows + 1)};
	for (unsigned i = 0; i < of->nrows; i++)
		if (rows[i].is_mark && rows[i].line < of->line && rows[i].line > above &&
		    rows[i].line > of->instance->function->line &&
		    is_own_row(of->instance, &rows[i]))
			above = rows[i].line;
	for (unsigned i = 0; above && i < of->nrows; i++)
		if (rows[i].is_mark && is_of_line(of->instance, &rows[i], above))
			ret->addresses[ret->count++] = rows[i].address;
}

void passes_drop_hoisted(const struct line_code *of, struct candidates *list)
{
	struct candidates above,
		behind = {.addresses =
				  arena_array(&of->resolver->scratch, uint64_t, list->count + 1)};
	unsigned kept = 0;

	if (list->count < 2 || !is_unmarked(of))
		return;
	collect_above(of, &above);
	for (unsigned i = 0; above.count && i < list->count; i++)
		if (has_address(&above, list->addresses[i]) ||
		    !flow_reaches(of->flow, list->addresses[i], above.addresses, above.count))
			behind.addresses[behind.count++] = list->addresses[i];
	for (unsigned i = 0; i < list->count; i++)
		if (!behind.count || has_address(&behind, list->addresses[i]) ||
		    !flow_always_meets(of->flow, list->addresses[i], above.addresses, above.count,
				       NULL, 0))
			list->addresses[kept++] = list->addresses[i];
	list->count = kept;
}

/* A brace in the first column is no statement. */
static bool is_code_of(const struct line_code *of, const struct row *row)
{
	return has_instruction(row) && row->column != 1 &&
	       is_of_line(of->instance, row, of->line);
}

/* What the line's code made, on the way to a branch. */
struct made {
	uint64_t registers;
	bool is_tested; /* the flags come of it */
};

static void follow_made(struct made *made, const struct effect *effect, bool is_of_line)
{
	bool uses = is_of_line || effect->read & made->registers;

	made->registers = uses ? made->registers | effect->written :
				 made->registers & ~effect->written;
	/* cmp and test write no register, arithmetic one that it read; mov leaves the flags */
	if (!effect->store_size && (!effect->written || effect->updated))
		made->is_tested = uses;
}

/* Whether a branch may lead past the line to what is behind it. A loop's end leads back, and
 * decides about its body's next round. */
static bool leads_past(const struct line_code *of, const struct insn *insn, uint64_t at)
{
	const struct row *row = row_around(of, insn->target);

	return insn->target > at ||
	       (row && is_own_row(of->instance, row) && row->line > of->line);
}

/* Whether the first branch from the address on is an earlier line's, or the line chooses without
 * one. If the branch depends on what the line made, both are one condition. */
static bool runs_anyway(const struct line_code *of, uint64_t at)
{
	enum { MOST = 64 }; /* instructions */
	struct made made = {0};
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; i < MOST && code_effect(of->resolver, at, &insn, &effect); i++) {
		const struct row *row = row_around(of, at);

		if (!row || insn.is_call || !insn.falls_through)
			return false;
		if (insn.is_branch)
			return leads_past(of, &insn, at) && is_own_row(of->instance, row) &&
			       row->line < of->line && !made.is_tested;
		if (insn.is_choice && is_of_line(of->instance, row, of->line))
			return true;
		follow_made(&made, &effect, is_of_line(of->instance, row, of->line));
		at += insn.length;
	}
	return false;
}

bool line_runs_anyway(const struct line_code *of, const struct candidates *list)
{
	if (!is_unmarked(of))
		return false;
	for (unsigned i = 0; i < of->nrows; i++)
		if (has_address(list, of->rows[i].address) && is_code_of(of, &of->rows[i]) &&
		    runs_anyway(of, of->rows[i].address))
			return true;
	return false;
}

void unmarked_copies(struct resolver *resolver, const struct point *points, unsigned count,
		     struct unmarked *ret)
{
	const struct instance *last = NULL;
	struct line_code of;

	*ret = (struct unmarked){0};
	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;

		if (!instance || instance == last || points[i].line == instance->function->line ||
		    line_code_read(resolver, instance, points[i].line, &of) || !has_own_marks(&of))
			continue;
		last = instance;
		ret->count++;
		ret->unmarked += !line_has_mark(&of);
	}
	if (ret->unmarked == ret->count)
		ret->unmarked = 0;
}
