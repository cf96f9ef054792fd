// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the lines that an optimiser merged with others, so that a hit at the line's code need not
 * be a pass through it, or a pass has no hit. Control flow alone can't tell: `goto out` leads into
 * the middle of the code as well. How the statements are nested can: nothing but its own header
 * leads into a body, and nothing but a goto from a statement to the next but one.
 *
 * The surprise: what is found is possible, not certain to happen in a run; and much that is merged
 * isn't found.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

struct reading {
	struct resolver *resolver;
	struct arena own; /* for what is needed until the findings are there */
	struct nesting nesting;
	struct findings *findings;
	/* scratch of the searches for an end */
	unsigned *queue, *met;
	bool *seen;
	unsigned left; /* steps that they may take */
};

static void add(struct reading *reading, struct finding finding)
{
	arena_append(reading->resolver->arena, reading->findings->list, reading->findings->count) =
		finding;
}

static unsigned line_of(const struct reading *reading, int statement)
{
	return reading->nesting.list[statement].line;
}

/* The statement on the line before, of the same depth, behind which this one is executed; -1: there
 * may be a label, a case or an else between them. */
static int directly_before(const struct nesting *nesting, int statement)
{
	const struct statement *it = &nesting->list[statement], *before = it - 1;

	return statement > 0 && before->is_sure && before->line + 1 == it->line &&
			       before->column == it->column &&
			       nesting_leads(nesting, statement - 1, statement - 1, statement) ?
		       statement - 1 :
		       -1;
}

/* Whether there is a line without a marker between the statements. */
static bool is_gap_between(const struct nesting *nesting, int first, int last)
{
	return nesting->list[last].line - nesting->list[first].line != (unsigned)(last - first);
}

/* The statement on the line before, if this one is the first of its body; else -1. */
static int directly_around(const struct nesting *nesting, int statement)
{
	int header = nesting_header(nesting, statement);

	return header >= 0 && nesting->list[header].line + 1 == nesting->list[statement].line &&
			       nesting_leads(nesting, header, header, statement) ?
		       header :
		       -1;
}

/* Whether no source leads from one statement to another one without passing the one directly before
 * it. goes_on: that one's code is known to be shared. */
static bool is_joined(const struct nesting *nesting, int from, int to, bool goes_on)
{
	int before = directly_before(nesting, to), header = nesting_header(nesting, to);

	if (before < 0 || from == before || from == header || nesting_is_in(nesting, from, to))
		return false;
	if (from > to || !nesting_is_in(nesting, from, header))
		return true;
	return (goes_on || !nesting_leads(nesting, from, from, before)) &&
	       is_gap_between(nesting, from, before);
}

/* Whether the end of a body's first statement, of which only the mark is left, is entered from
 * outside the body, as what follows there has the same code as something else. */
static bool is_end_of_first(const struct nesting *nesting, int from, const struct mark *mark)
{
	int around = directly_around(nesting, mark->statement);

	return around >= 0 && !nesting_is_in(nesting, from, around) &&
	       mark + 1 < nesting->steps + nesting->nsteps && mark[1].address == mark->address;
}

/* Whether one of the statements behind first, up to last, is met next. */
static bool meets(const struct nesting *nesting, const struct mark *mark, int first, int last)
{
	for (unsigned i = 0; i < mark->nnext; i++) {
		int next = nesting->steps[mark->next[i]].statement;

		if (next > first && next <= last)
			return true;
	}
	return false;
}

/* The statement that is left out on the way: the header of the body that is entered, or the one
 * directly before. The way branches off from one to it; else it is more likely that the line at its
 * beginning is merged. */
static int skipped_between(const struct nesting *nesting, const struct mark *mark,
			   const struct mark *next)
{
	int from = mark->statement, to = next->statement, header = nesting_header(nesting, to);
	int before = directly_before(nesting, to);

	if (header > from && nesting_is_in(nesting, from, nesting_header(nesting, header)) &&
	    meets(nesting, mark, from, header))
		return header;
	return before > from && from > header && nesting_is_in(nesting, from, header) &&
			       !next->is_shared && nesting_leads(nesting, from, from, before) ?
		       before :
		       -1;
}

static void look_for_skipped(struct reading *reading, const struct mark *mark,
			     const struct mark *next)
{
	int skipped = skipped_between(&reading->nesting, mark, next);

	if (skipped >= 0)
		add(reading, (struct finding){
			.line = line_of(reading, skipped),
			.from = line_of(reading, mark->statement),
			.to = line_of(reading, next->statement),
		});
}

/* The way that joins goes on to what is behind the statement, if that is one statement alone. */
static void look_for_shared(struct reading *reading, const struct mark *mark, struct mark *next)
{
	const struct nesting *nesting = &reading->nesting;
	int before = -1;

	if (is_end_of_first(nesting, mark->statement, next))
		before = next->statement;
	while (nesting_knows(nesting, next) &&
	       (before == next->statement ||
		is_joined(nesting, mark->statement, next->statement,
			  before >= 0 && before == directly_before(nesting, next->statement)))) {
		next->is_shared = true;
		add(reading, (struct finding){
			.line = line_of(reading, next->statement),
			.is_shared = true,
			.address = next->address,
			.from = line_of(reading, mark->statement),
		});
		if (next->nnext != 1 || nesting->steps[next->next[0]].is_shared)
			break;
		before = next->statement;
		next = &nesting->steps[next->next[0]];
	}
}

/* Ways out of code that several lines share say nothing about the line that has its marker
 * there. Where a way leads back, it is enough to know how deep the line is that it leads to: the
 * other one may be the condition behind a body. */
static void look(struct reading *reading, bool for_shared)
{
	struct nesting *nesting = &reading->nesting;

	for (unsigned i = 0; i < nesting->nsteps; i++) {
		struct mark *mark = &nesting->steps[i];

		for (unsigned j = 0; j < mark->nnext; j++) {
			struct mark *next = &nesting->steps[mark->next[j]];

			if (!nesting_knows(nesting, next) || next->statement == mark->statement ||
			    !(nesting_knows(nesting, mark) ||
			      (for_shared && mark->statement > next->statement)))
				continue;
			if (for_shared)
				look_for_shared(reading, mark, next);
			else if (next->statement > mark->statement && !mark->is_shared)
				look_for_skipped(reading, mark, next);
		}
	}
}

/* Whether the statements from one mark on, each of which only the next one follows, end the
 * instance, and the first mark is no way out of the statement that is given. */
static bool is_way_out(struct reading *reading, const struct mark *step, int statement)
{
	const struct nesting *nesting = &reading->nesting;

	for (unsigned left = nesting->nsteps; left && reading->left; left--, reading->left--) {
		if (!nesting_knows(nesting, step) || step->statement < statement ||
		    nesting_is_in(nesting, step->statement, statement))
			return false;
		if (step->ends)
			return true;
		if (step->nnext != 1)
			return false;
		step = &nesting->steps[step->next[0]];
	}
	return false;
}

static bool leads_to(const struct mark *mark, unsigned step)
{
	for (unsigned i = 0; i < mark->nnext; i++)
		if (mark->next[i] == step)
			return true;
	return false;
}

/* Whether a step is of the mark's statement or its body. A macro's statements have one column: one
 * of them may well be the way out. */
static bool is_of_body(const struct nesting *nesting, const struct mark *step,
		       const struct mark *mark)
{
	return nesting_is_in(nesting, step->statement, mark->statement) &&
	       (step->statement != mark->statement || step->column != mark->column);
}

/* The step behind the mark's statement, from where it is executed: its body or what else is on its
 * line leads there, and from there only to the end. -1: there is none. */
static int step_behind(struct reading *reading, const struct mark *mark)
{
	const struct nesting *nesting = &reading->nesting;
	unsigned *queue = reading->queue, count = 0, nmet = 0;
	int ret = -1;

	queue[count++] = reading->met[nmet++] = (unsigned)(mark - nesting->steps);
	reading->seen[queue[0]] = true;
	for (unsigned i = 0; i < count && ret < 0; i++) {
		const struct mark *from = &nesting->steps[queue[i]];

		for (unsigned j = 0; j < from->nnext && ret < 0 && reading->left; j++) {
			unsigned to = from->next[j];
			const struct mark *step = &nesting->steps[to];

			reading->left--;
			if (reading->seen[to] || !nesting_knows(nesting, step))
				continue;
			reading->seen[to] = true;
			reading->met[nmet++] = to;
			if (is_of_body(nesting, step, mark))
				queue[count++] = to;
			else if (i && !leads_to(mark, to) &&
				 is_way_out(reading, step, mark->statement))
				ret = (int)to;
		}
	}
	while (nmet)
		reading->seen[reading->met[--nmet]] = false;
	return ret;
}

/* A `return` behind an `if` may have its mark only where the body leads to it. */
static void look_for_end(struct reading *reading, const struct mark *mark)
{
	const struct nesting *nesting = &reading->nesting;
	const struct mark *step;
	int behind;

	if (!mark->ends || !mark->nnext || !nesting_knows(nesting, mark))
		return;
	behind = step_behind(reading, mark);
	for (step = behind < 0 ? NULL : &nesting->steps[behind]; step;
	     step = step->ends ? NULL : &nesting->steps[step->next[0]])
		add(reading, (struct finding){.line = line_of(reading, step->statement),
					      .from = line_of(reading, mark->statement)});
}

static void look_for_ends(struct reading *reading)
{
	enum { STEPS_MOST = 1 << 24 };
	unsigned nsteps = reading->nesting.nsteps;

	reading->queue = arena_array(&reading->own, unsigned, nsteps + 1);
	reading->met = arena_array(&reading->own, unsigned, nsteps + 1);
	reading->seen = arena_array(&reading->own, bool, nsteps + 1);
	reading->left = STEPS_MOST;
	for (unsigned i = 0; i < nsteps; i++)
		look_for_end(reading, &reading->nesting.steps[i]);
}

/* Each of a thousand copies in one function has as many rows around it: what is read of one is
 * freed before the next. */
static bool read_nesting(struct reading *reading, const struct line_code *of)
{
	struct arena *answers = reading->resolver->arena;
	bool is_read;

	reading->resolver->arena = &reading->own;
	is_read = nesting_read(of, &reading->nesting);
	reading->resolver->arena = answers;
	return is_read;
}

void merged_find(struct resolver *resolver, const struct instance *instance, struct findings *ret)
{
	struct reading reading = {.resolver = resolver, .findings = ret};
	const struct flow *flow = outer_flow(resolver, instance);
	struct line_code of;

	*ret = (struct findings){0};
	if (!flow || line_code_read(resolver, instance, 0, &of) || !has_marks(of.rows, of.nrows))
		return;
	arena_reset(&resolver->scratch);
	of.flow = flow;
	if (read_nesting(&reading, &of)) {
		look(&reading, true);
		look(&reading, false);
		look_for_ends(&reading);
		decided_find(resolver, instance, &reading.nesting, ret);
		jumped_over_find(resolver, instance, &reading.nesting, ret);
		left_out_find(resolver, &reading.nesting, ret);
		returned_past_find(resolver, instance, &reading.nesting, ret);
		else_ifs_find(resolver, instance, &reading.nesting, ret);
	}
	arena_deinit(&reading.own);
}
