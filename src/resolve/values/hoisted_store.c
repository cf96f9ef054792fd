// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that memory behind a pointer already has what a statement behind the line stores there:
 * gcc's scheduler moves the store of `*to++ = c;` to before the `if (most < c)` in front of it.
 *
 * The surprise: in a loop, code of a later line rightly comes first, as the round before is
 * finished. So the statement's marker must come behind the position, in the same straight-line
 * code.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_search.h"
#include "resolve/values/doubts.h"

static unsigned line_of(const struct search *search, uint64_t address)
{
	const struct row *row = row_around(search->of, address);

	return row && is_own_row(search->of->instance, row) ? row->line : 0;
}

static bool is_behind(const struct row *row, struct position at)
{
	return row->address != at.address ? row->address > at.address : row->view > at.view;
}

/* Whether the line's statements in the straight-line code all begin behind the position, and one
 * does. */
static bool begins_behind(const struct search *search, unsigned line, uint64_t start, uint64_t end)
{
	bool is_any = false;

	for (unsigned i = 0; i < search->of->nrows; i++) {
		const struct row *row = &search->of->rows[i];

		if (!row->is_mark || row->address < start || row->address >= end ||
		    !is_of_line(search->of->instance, row, line))
			continue;
		if (!is_behind(row, search->at))
			return false;
		is_any = true;
	}
	return is_any;
}

/* The line of the last store to what the capture reads, in the straight-line code from `start` to
 * the position; 0: there is none, or the pointer is another one since. */
static unsigned last_store(const struct question *question, const struct search *search,
			   uint64_t start)
{
	const struct capture *capture = question->capture;
	struct walk *walk = question->walk;
	unsigned line = 0;
	struct effect effect;
	struct insn insn;

	for (uint64_t at = start; at < search->at.address; at += insn.length) {
		if (!code_effect(walk->resolver, at, &insn, &effect) || !insn.length)
			return 0;
		if (stores_to(walk, effect, capture))
			line = line_of(search, at);
		else if (insn.is_call || effect.written & expr_registers(capture->expr))
			line = 0;
	}
	return line;
}

const char *find_hoisted_store(const struct question *question)
{
	struct walk *walk = question->walk;
	struct position at = question->at;
	const struct flow *flow;
	struct line_code of;
	struct search search;
	uint64_t start;
	unsigned line;

	if (!is_by_gcc(walk) || !at.line || !question->capture->expr ||
	    walk->variable->loc.kind == LOC_MEMORY ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return NULL;
	flow = passing_flow(walk->resolver, walk->instance);
	search = search_around(&of, at);
	if (!flow || !search.has_marks)
		return NULL;
	start = flow_straight_start(flow, at.address);
	line = last_store(question, &search, start);
	if (!line || line == at.line ||
	    !begins_behind(&search, line, start, flow_straight_end(flow, at.address)))
		return NULL;
	return arena_printf(walk->resolver->arena,
			    "line %u, which the source has behind this one, has changed it already",
			    line);
}
