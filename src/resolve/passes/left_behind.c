// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds lines whose code became one with that of others, such as the ends of a switch's cases, so
 * that gcc left no more of them than a mark at the beginning of a later case.
 *
 * The surprise: only code that nothing known leads to tells. Elsewhere a mark with another one
 * behind it is a statement that needs no code.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"

/* The line of the first mark behind the line's own at the address of rows[i]; 0: there is none, or
 * it is another function's. */
static unsigned line_behind(const struct line_code *of, unsigned i)
{
	const struct row *rows = of->rows;

	for (unsigned j = i + 1; j < of->nrows && rows[j].address == rows[i].address; j++)
		if (rows[j].is_mark && !is_of_line(of->instance, &rows[j], of->line))
			return is_own_row(of->instance, &rows[j]) ? rows[j].line : 0;
	return 0;
}

/* The line at whose beginning a mark of the line was left; 0: there is none. A line between them
 * is a label, or the line is the first of a case. */
static unsigned left_at(const struct line_code *of)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		unsigned behind;

		if (!row->is_mark || !is_of_line(of->instance, row, of->line) ||
		    (i && of->rows[i - 1].address == row->address &&
		     of->rows[i - 1].is_mark &&
		     !is_of_line(of->instance, &of->rows[i - 1], of->line)))
			continue;
		behind = line_behind(of, i);
		if (behind > of->line + 1 && flow_is_root(of->flow, row->address))
			return behind;
	}
	return 0;
}

/* Whether all code of the line only jumps to other code. */
static bool only_jumps(const struct line_code *of)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		struct insn insn = {.length = 1};
		struct effect effect;

		if (!is_of_line(of->instance, row, of->line))
			continue;
		for (uint64_t at = row->address; at < row->end; at += insn.length)
			if (!code_effect(of->resolver, at, &insn, &effect) ||
			    !(insn.is_padding || (insn.is_branch && !insn.falls_through)))
				return false;
	}
	return true;
}

unsigned left_behind(const struct line_code *of)
{
	unsigned line = of->flow && has_marks(of->rows, of->nrows) ? left_at(of) : 0;

	return line && only_jumps(of) ? line : 0;
}
