// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds statements in a row that one test decides together: of `a = swap ? turned(a) : a` and more
 * of that kind gcc tests once, and the other way has neither code nor marks of them.
 *
 * The surprise: a goto or the next case leads past statements as well. But then more than one way
 * leads there, or the statements don't lead to each other.
 */
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

enum { LEAST_LEFT_OUT = 2 };

/* The statement before of the same depth, with nothing but its body between, which leads there; -1:
 * there is none. */
static int before_in_block(const struct nesting *nesting, int statement)
{
	const struct statement *it = &nesting->list[statement];
	int header = nesting_header(nesting, statement), before = statement - 1;

	while (before > header && nesting_header(nesting, before) != header)
		before--;
	return before > header && nesting->list[before].is_sure &&
			       nesting->list[before].column == it->column &&
			       nesting_leads(nesting, before, statement - 1, statement) ?
		       before :
		       -1;
}

/* Whether a statement other than `from` and those in first..to leads to `to`. */
static bool is_led_to(const struct nesting *nesting, int from, int first, int to)
{
	return nesting_leads(nesting, 0, from - 1, to) ||
	       nesting_leads(nesting, from + 1, first - 1, to) ||
	       nesting_leads(nesting, to + 1, (int)nesting->count - 1, to);
}

/* The first of the statements behind `from`, of its block, that the way to `to` leaves out; -1:
 * there are none. */
static int first_left_out(const struct nesting *nesting, int from, int to)
{
	int first = before_in_block(nesting, to);
	unsigned count = 1;

	if (first <= from || is_led_to(nesting, from, first, to))
		return -1;
	for (; first > from && !nesting_leads(nesting, from, from, first); count++)
		first = before_in_block(nesting, first);
	return first > from && count >= LEAST_LEFT_OUT &&
			       before_in_block(nesting, first) == from ?
		       first :
		       -1;
}

struct leaving {
	struct resolver *resolver;
	const struct nesting *nesting;
	struct findings *findings;
	bool *is_found; /* by statement */
};

static void look(const struct leaving *of, int from, int to)
{
	const struct statement *list = of->nesting->list;
	int first = first_left_out(of->nesting, from, to);

	for (int i = to; first >= 0 && i > first;) {
		i = before_in_block(of->nesting, i);
		if (of->is_found[i])
			continue;
		of->is_found[i] = true;
		arena_append(of->resolver->arena, of->findings->list, of->findings->count) =
			(struct finding){
				.line = list[i].line,
				.from = list[from].line,
				.to = list[to].line,
			};
	}
}

/* Code that several lines share says nothing about the line that has its marker there. */
static bool tells(const struct nesting *nesting, const struct mark *mark)
{
	return nesting_knows(nesting, mark) && !mark->is_shared;
}

void left_out_find(struct resolver *resolver, const struct nesting *nesting, struct findings *ret)
{
	struct arena own = {0};
	struct leaving of = {resolver, nesting, ret, arena_array(&own, bool, nesting->count + 1)};

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];

		for (unsigned j = 0; tells(nesting, mark) && j < mark->nnext; j++) {
			const struct mark *next = &nesting->steps[mark->next[j]];

			if (tells(nesting, next) && next->statement > mark->statement)
				look(&of, mark->statement, next->statement);
		}
	}
	arena_deinit(&own);
}
