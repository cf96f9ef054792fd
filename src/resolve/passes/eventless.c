// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds loops with rounds that have no event of a line: entered behind the line, unrolled, left
 * out, or made of vectors.
 *
 * The surprise: only ways from the function's entry count. What a switch's table leads to is no
 * evidence, as ways there are not known.
 */
#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/flow/step_graph.h"
#include "resolve/passes/merged.h"

static void mark_events(struct step_graph *graph, const struct flow *flow,
			const struct candidates *list, int entry)
{
	memset(graph->has_event, 0, graph->count * sizeof(*graph->has_event));
	for (unsigned i = 0; i < list->count; i++) {
		int at = flow_number(flow, list->addresses[i]);

		if (at >= 0)
			graph->has_event[at] = true;
	}
	memcpy(graph->is_early, graph->has_event, graph->count * sizeof(*graph->is_early));
	graph->queue[0] = entry;
	step_graph_spread(graph, graph->is_early, !graph->is_early[entry]);
	for (unsigned i = 0; i < graph->count; i++)
		graph->is_early[i] &= !graph->has_event[i];
	graph->is_early[entry] = !graph->has_event[entry];
}

/* A line of the instance, and the one at which its function begins: code behind the entry that has
 * no line has that one in the line table. */
struct lines {
	unsigned line;
	unsigned first;
};

/* Whether a statement before the line is there. */
static bool is_before_line(const struct step_graph *graph, unsigned step, struct lines lines)
{
	return graph->lines[step] && graph->lines[step] < lines.line &&
	       graph->lines[step] != lines.first;
}

/* Marks in `ahead` the round of the line's loop that passes the event: ways from there to there
 * that meet no line before it. */
static void mark_round(struct step_graph *graph, struct lines lines, int at)
{
	for (unsigned i = 0; i < graph->count; i++)
		graph->ahead[i] = graph->behind[i] = is_before_line(graph, i, lines);
	graph->queue[0] = at;
	step_graph_spread(graph, graph->ahead, 1);
	graph->queue[0] = at;
	step_graph_spread_back(graph, graph->behind, 1);
	for (unsigned i = 0; i < graph->count; i++)
		graph->ahead[i] &= graph->behind[i] && !is_before_line(graph, i, lines);
}

/* Whether one way from the instruction stays in what is marked and another one leaves it. */
static bool is_way_out(const struct step_graph *graph, unsigned step)
{
	bool stays = false, leaves = false;

	for (unsigned i = 0; i < WAYS; i++) {
		int to = graph->next[step * WAYS + i];

		stays |= to >= 0 && graph->ahead[to];
		leaves |= to >= 0 && !graph->ahead[to];
	}
	return stays && leaves;
}

/* Whether the event is in a loop of which the line is the test, and that may be entered behind
 * it. */
static bool is_entered_behind(struct step_graph *graph, struct lines lines, int at)
{
	bool has_body = false, has_test = false, is_entered = false;

	mark_round(graph, lines, at);
	for (unsigned i = 0; i < graph->count && graph->ahead[at]; i++) {
		has_body |= graph->ahead[i] && graph->lines[i] > lines.line;
		has_test |= graph->ahead[i] && graph->lines[i] == lines.line &&
			    is_way_out(graph, i);
		is_entered |= graph->ahead[i] && graph->is_early[i];
	}
	return has_body && has_test && is_entered;
}

static bool has_loop_behind(struct step_graph *graph, const struct line_code *of, unsigned first,
			    const struct candidates *list)
{
	enum { MOST = 16 };
	struct lines lines = {of->line, first};

	for (unsigned i = 0; i < list->count && i < MOST; i++) {
		int at = flow_number(of->flow, list->addresses[i]);

		if (at >= 0 && is_entered_behind(graph, lines, at))
			return true;
	}
	return false;
}

/* How often the operations of a loop are there one behind the other, on the same lines: most of the
 * loop's. */
static unsigned count_copies(const struct step_graph *graph, unsigned first, unsigned last)
{
	enum { LEAST = 3, MOST = 400 };
	unsigned size = last - first;

	for (unsigned length = LEAST; size < MOST && 2 * length <= size; length++) {
		unsigned most = 0, same = 0;

		for (unsigned i = first; i + length < last; i++) {
			same = graph->kinds[i] == graph->kinds[i + length] &&
			       graph->lines[i] == graph->lines[i + length] ? same + 1 : 0;
			most = same > most ? same : most;
		}
		if (most >= length && 3 * (most + length) >= 2 * size)
			return most / length + 1;
	}
	return 1;
}

/* How many rounds of the source the loop's code does. */
static unsigned count_rounds(const struct line_code *of, const struct step_graph *graph,
			     const struct loop *loop)
{
	unsigned copies = loop->is_plain ? count_copies(graph, loop->first, loop->end) : 1;
	unsigned rounds = has_marks(of->rows, of->nrows) ? 1 : rounds_in_round(of, graph, loop);

	return rounds > copies ? rounds : copies;
}

/* Whether the line is passed in a loop that consists of more copies than the line has events there;
 * 0 copies: it works on several numbers at once. */
static bool is_unrolled(const struct line_code *of, struct step_graph *graph, unsigned *copies)
{
	unsigned line = of->line;

	for (unsigned i = 0; i < graph->nloops; i++) {
		struct loop *loop = &graph->loops[i];
		bool is_in = false, has_vector = false,
		     is_of_line = graph->lines[loop->end - 1] == line;
		unsigned events = 0;

		for (unsigned j = loop->first; j < loop->end; j++) {
			events += graph->has_event[j];
			is_in |= graph->lines[j] == line;
			has_vector |= graph->is_vector[j];
			is_of_line |= graph->lines[j] == line && graph->is_vector[j];
		}
		*copies = 0;
		if (is_in && has_vector && is_of_line && loop->is_plain)
			return true;
		if (!is_in || has_vector || !events)
			continue;
		if (!loop->copies)
			loop->copies = count_rounds(of, graph, loop);
		*copies = loop->copies;
		if (*copies > events)
			return true;
	}
	return false;
}

/* The first line of a loop, which is its head. */
static unsigned head_of(const struct step_graph *graph, const struct loop *loop)
{
	unsigned line = 0;

	for (unsigned i = loop->first; i < loop->end; i++)
		if (graph->lines[i] && (!line || graph->lines[i] < line))
			line = graph->lines[i];
	return line;
}

static bool has_line(const struct step_graph *graph, const struct loop *loop, unsigned line)
{
	for (unsigned i = loop->first; i < loop->end; i++)
		if (graph->lines[i] == line)
			return true;
	return false;
}

/* Whether a way leads from one loop to the other with nothing but their head between. */
static bool is_followed(struct step_graph *graph, const struct loop *loop, const struct loop *other,
			unsigned head)
{
	unsigned count = 0;

	memset(graph->ahead, 0, graph->count * sizeof(*graph->ahead));
	for (unsigned i = loop->first; i < loop->end; i++)
		graph->ahead[graph->queue[count++] = (int)i] = true;
	for (unsigned i = 0; i < count; i++) {
		for (unsigned j = 0; j < WAYS; j++) {
			int at = graph->queue[i], to = graph->next[at * WAYS + (int)j];

			if (to < 0 || graph->ahead[to] || graph->place[to] <= graph->place[at])
				continue;
			if ((unsigned)to >= other->first && (unsigned)to < other->end)
				return true;
			if (graph->lines[to] && graph->lines[to] != head)
				continue;
			graph->ahead[to] = true;
			graph->queue[count++] = to;
		}
	}
	return false;
}

/* Whether the line is in a loop, and in one behind it that makes the rounds that are left. */
static bool has_rest(struct step_graph *graph, unsigned line)
{
	enum { MOST = 16 };
	const struct loop *loops[MOST];
	unsigned count = 0;

	for (unsigned i = 0; i < graph->nloops && count < MOST; i++)
		if (graph->loops[i].is_plain && has_line(graph, &graph->loops[i], line))
			loops[count++] = &graph->loops[i];
	for (unsigned i = 0; i < count; i++) {
		unsigned head = head_of(graph, loops[i]);

		for (unsigned j = 0; j < count; j++)
			if (j != i && head_of(graph, loops[j]) == head &&
			    is_followed(graph, loops[i], loops[j], head))
				return true;
	}
	return false;
}

/* Whether the source has a loop at the line, and no code of the line comes back to itself before it
 * meets an earlier line: gcc unrolls small loops completely, and deletes those of which only the
 * last values count. */
static bool is_loop_gone(struct step_graph *graph, const struct line_code *of, struct lines lines,
			 const struct candidates *list)
{
	enum { MOST = 64 }; /* instructions of the line */
	const char *text = source_line(of->resolver, of->instance, of->line);
	unsigned count = 0;

	if (list->count != 1 || !text || !source_is_loop(text))
		return false;
	for (unsigned i = 0; i < graph->count; i++) {
		if (graph->lines[i] != of->line && !graph->has_event[i])
			continue;
		if (++count > MOST)
			return false;
		mark_round(graph, lines, (int)i);
		if (graph->ahead[i])
			return false;
	}
	return count;
}

/* NULL: there is none. */
static const char *unrolled_text(const struct line_code *of, struct step_graph *graph)
{
	struct resolver *resolver = of->resolver;
	unsigned line = of->line;
	unsigned copies;

	if (of->instance->is_unoptimised)
		return NULL;
	if (has_rest(graph, line))
		return arena_printf(
			resolver->arena,
			"a loop with line %u is there twice, the second for the rounds that the "
			"first leaves: fewer events than passes are possible",
			line);
	if (!is_unrolled(of, graph, &copies))
		return NULL;
	return copies ? arena_printf(resolver->arena,
				     "the code of line %u is in a loop that is there %u times in a "
				     "row: fewer events than passes are possible",
				     line, copies) :
			arena_printf(resolver->arena,
				     "the code of line %u is in a loop that works on several "
				     "numbers at once: fewer events than passes are possible",
				     line);
}

const char *eventless_text(const struct line_code *of, const struct candidates *list)
{
	struct step_graph *graph;
	unsigned first = of->instance->function->line, branch = 0;
	int entry;

	graph = of->flow ? step_graph_of(of->resolver, of->instance, &entry) : NULL;
	if (!graph)
		return NULL;
	step_graph_lines(graph, of);
	mark_events(graph, of->flow, list, entry);
	if (!of->instance->inlined && !has_marks(of->rows, of->nrows))
		first = graph->lines[entry];
	if (has_loop_behind(graph, of, first, list))
		return arena_printf(of->resolver->arena,
				    "the loop of line %u is entered after its test: fewer events "
				    "than passes are possible",
				    of->line);
	if (!has_marks(of->rows, of->nrows))
		branch = sunk_behind(graph, of->flow, of->line);
	if (branch)
		return arena_printf(of->resolver->arena,
				    "code of line %u runs only behind a branch of line %u: fewer "
				    "events than passes are possible",
				    of->line, branch);
	if (!of->instance->is_unoptimised &&
	    is_loop_gone(graph, of, (struct lines){of->line, first}, list))
		return arena_printf(of->resolver->arena,
				    "no code comes back to the loop of line %u, as if it was "
				    "unrolled or left out: fewer events than passes are possible",
				    of->line);
	return unrolled_text(of, graph);
}
