// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds lines whose code runs although the source doesn't execute them: gcc computes `x = 0` before
 * the `if` that decides about it, or chooses between two results without a branch.
 *
 * The surprise: the statement's marker, which is lost with its branch, tells such code from that of
 * all other statements. Alone it tells nothing: the later lines of a statement have none either.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/merged.h"
#include "resolve/points/points.h"

/* A brace in the first column is no statement. */
static bool is_code_of(const struct instance *instance, const struct row *row, unsigned line)
{
	return has_instruction(row) && row->column != 1 && is_of_line(instance, row, line);
}

static const struct row *row_around(const struct row *rows, unsigned nrows, uint64_t address)
{
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].address <= address && address < rows[i].end)
			return &rows[i];
	return NULL;
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

/* From the row on, up to the first branch: whether that is an earlier line's, or the line chooses
 * without one. A loop's end leads back, and decides about its body's next round. If the branch
 * depends on what the line made, both are one condition. */
static bool runs_anyway(struct resolver *resolver, const struct instance *instance,
			const struct row *of, const struct row *rows, unsigned nrows)
{
	enum { MOST = 64 }; /* instructions */
	struct made made = {0};
	uint64_t at = of->address;
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; i < MOST && code_effect(resolver, at, &insn, &effect); i++) {
		const struct row *row = row_around(rows, nrows, at);

		if (!row || insn.is_call || !insn.falls_through)
			return false;
		if (insn.is_branch)
			return insn.target > at && is_own_row(instance, row) &&
			       row->line < of->line && !made.is_tested;
		if (insn.is_choice && is_of_line(instance, row, of->line))
			return true;
		follow_made(&made, &effect, is_of_line(instance, row, of->line));
		at += insn.length;
	}
	return false;
}

bool line_runs_anyway(struct resolver *resolver, const struct instance *instance, unsigned line,
		      const struct row *rows, unsigned nrows, const struct candidates *list)
{
	if (!has_marks(rows, nrows) || line_has_mark(instance, line, rows, nrows))
		return false;
	for (unsigned i = 0; i < nrows; i++)
		if (has_address(list, rows[i].address) && is_code_of(instance, &rows[i], line) &&
		    runs_anyway(resolver, instance, &rows[i], rows, nrows))
			return true;
	return false;
}
