// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the nesting of a function's statements from the columns of gcc's markers: a line that
 * begins further right than one before it is in that one's body.
 *
 * The surprise: no source is needed, but a marker of `while (c)` or `} else if (c)` has the
 * condition's column, not the line's. Such lines are told by a column that is no depth of
 * indentation, and are left alone.
 */
#include <stdlib.h>

#include "base/search.h"
#include "resolve/flow/flow.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/nesting.h"

#define STATEMENTS_MAX 4096 /* a bit for each two are 2 MB */
#define STEPS_MAX      (1u << 16)

static int line_compare(const void *left, const void *right)
{
	const struct statement *a = left, *b = right;

	return a->line != b->line ? (a->line > b->line) - (a->line < b->line) :
	       (a->column > b->column) - (a->column < b->column);
}

static bool is_step(const struct instance *instance, const struct row *row)
{
	return row->is_mark && is_own_row(instance, row) && row->line != instance->function->line;
}

static void collect_statements(const struct line_code *of, struct nesting *nesting)
{
	struct statement *list =
		arena_array(of->resolver->arena, struct statement, of->nrows + 1);
	const struct row *rows = of->rows;
	unsigned count = 0, kept = 0;

	for (unsigned i = 0; i < of->nrows; i++)
		if (is_step(of->instance, &rows[i]) && rows[i].column)
			list[count++] =
				(struct statement){.line = rows[i].line, .column = rows[i].column};
	qsort(list, count, sizeof(*list), line_compare);
	for (unsigned i = 0; i < count; i++)
		if (!kept || list[i].line != list[kept - 1].line)
			list[kept++] = list[i];
	nesting->list = list;
	nesting->count = kept;
}

/* Blanks indent by an even number of columns, which begin at 1, or by three; tabs by a few. */
static void find_odd_columns(struct nesting *nesting)
{
	enum { DEEPEST_TABS = 6 };
	unsigned odd = 0, thirds = 0;
	bool is_blanks, is_by_three;

	for (unsigned i = 0; i < nesting->count; i++) {
		odd += nesting->list[i].column % 2;
		thirds += nesting->list[i].column % 3 == 1;
	}
	is_blanks = 5 * odd > 3 * nesting->count;
	is_by_three = 5 * thirds > 4 * nesting->count;
	for (unsigned i = 0; i < nesting->count; i++) {
		unsigned column = nesting->list[i].column;

		nesting->list[i].is_sure = is_by_three ? column % 3 == 1 :
					   is_blanks   ? column % 2 :
							 column <= DEEPEST_TABS;
	}
}

/* The most common step from a line to a deeper one. */
static unsigned indentation(const struct nesting *nesting)
{
	enum { MOST = 4 };
	unsigned counts[MOST + 1] = {0}, best = 1;

	for (unsigned i = 1; i < nesting->count; i++) {
		unsigned step = nesting->list[i].column - nesting->list[i - 1].column;

		if (step && step <= MOST)
			counts[step]++;
	}
	for (unsigned i = 1; i <= MOST; i++)
		best = counts[i] > counts[best] ? i : best;
	return best;
}

/* The sure statements around the one that is looked at, by their columns. */
struct around {
	int *list;
	unsigned count;
};

static int header_of(const struct nesting *nesting, const struct around *around, unsigned column)
{
	size_t at = partition_point(around->count, i,
				    nesting->list[around->list[i]].column < column);

	return at ? around->list[at - 1] : -1;
}

/* Each ends the bodies of those before it that are as deep. */
static void enter(struct nesting *nesting, struct around *around, int statement)
{
	struct statement *list = nesting->list;

	while (around->count &&
	       list[around->list[around->count - 1]].column >= list[statement].column)
		list[around->list[--around->count]].end = statement;
	around->list[around->count++] = statement;
	list[statement].end = (int)nesting->count;
}

/* `case 1: return x;` begins where nothing is nested. */
static void find_headers(struct arena *arena, struct nesting *nesting)
{
	struct around around = {arena_array(arena, int, nesting->count), 0};
	unsigned step = indentation(nesting);

	for (unsigned i = 0; i < nesting->count; i++) {
		struct statement *it = &nesting->list[i];

		it->header = header_of(nesting, &around, it->column);
		it->is_sure &= it->column <=
			       (it->header < 0 ? 1 : nesting->list[it->header].column) + 2 * step;
		if (it->is_sure)
			enter(nesting, &around, (int)i);
	}
}

static int statement_of(const struct nesting *nesting, unsigned line)
{
	size_t at = partition_point(nesting->count, i, nesting->list[i].line < line);

	return at < nesting->count && nesting->list[at].line == line ? (int)at : -1;
}

/* Keeps the first of the markers of one line that follow each other at an address. */
static void collect_steps(const struct line_code *of, struct nesting *nesting)
{
	struct rows marks;

	breaks_steps(of, true, &marks);
	nesting->steps = arena_array(of->resolver->arena, struct mark, marks.count + 1);
	nesting->nsteps = 0;
	for (unsigned i = 0; i < marks.count; i++) {
		struct mark step = {.address = marks.list[i].address,
				    .column = marks.list[i].column,
				    .statement = statement_of(nesting, marks.list[i].line)};
		const struct mark *last =
			nesting->nsteps ? &nesting->steps[nesting->nsteps - 1] : NULL;

		if (marks.list[i].line && step.statement < 0)
			continue; /* the declaration's */
		if (!last || last->address != step.address || last->statement != step.statement)
			nesting->steps[nesting->nsteps++] = step;
	}
}

static void connect(struct resolver *resolver, struct nesting *nesting, unsigned from, unsigned to)
{
	int a = nesting->steps[from].statement, b = nesting->steps[to].statement;
	size_t bit = (size_t)a * nesting->count + (size_t)b;

	arena_append(resolver->arena, nesting->steps[from].next, nesting->steps[from].nnext) = to;
	nesting->steps[from].ends |= b < 0;
	if (a >= 0 && b >= 0)
		nesting->leads[bit / 8] |= (uint8_t)(1 << bit % 8);
}

/* Returns false if too many marks lead to too many. */
static bool connect_steps(struct resolver *resolver, const struct flow *flow,
			  struct nesting *nesting)
{
	unsigned *firsts = arena_array(resolver->arena, unsigned, nesting->nsteps + 1), count = 0,
		 nways;
	uint64_t *addresses = arena_array(resolver->arena, uint64_t, nesting->nsteps + 1);
	struct next_mark *ways;

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		if (count && nesting->steps[i].address == addresses[count - 1]) {
			connect(resolver, nesting, i - 1, i);
			continue;
		}
		firsts[count] = i;
		addresses[count++] = nesting->steps[i].address;
	}
	firsts[count] = nesting->nsteps;
	if (!flow_next_marks(flow, resolver->arena, addresses, count, &ways, &nways))
		return false;
	for (unsigned i = 0; i < nways; i++) {
		unsigned from = firsts[ways[i].from + 1] - 1;

		if (ways[i].to == NO_MARK)
			nesting->steps[from].ends = true;
		else
			connect(resolver, nesting, from, firsts[ways[i].to]);
	}
	return true;
}

bool nesting_leads(const struct nesting *nesting, int first, int last, int to)
{
	for (int i = first; i <= last; i++) {
		size_t bit = (size_t)i * nesting->count + (size_t)to;

		if (nesting->leads[bit / 8] >> bit % 8 & 1)
			return true;
	}
	return false;
}

bool nesting_read(const struct line_code *of, struct nesting *ret)
{
	collect_statements(of, ret);
	if (!ret->count || ret->count > STATEMENTS_MAX)
		return false;
	find_odd_columns(ret);
	find_headers(of->resolver->arena, ret);
	ret->leads = arena_array(of->resolver->arena, uint8_t,
				 (size_t)ret->count * ret->count / 8 + 1);
	collect_steps(of, ret);
	return ret->nsteps <= STEPS_MAX && connect_steps(of->resolver, of->flow, ret);
}
