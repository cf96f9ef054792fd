// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers a function's instructions, and finds its loops. What is made once for a
 * function serves all of its lines.
 *
 * The surprise: the order is one of ways, not of addresses; what no known way leads to has no place
 * in it.
 */
#include <limits.h>

#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/flow/step_graph.h"

static void connect(struct step_graph *graph, struct arena *arena, const struct flow *flow)
{
	unsigned ways = 0;

	graph->is_vector = arena_array(arena, bool, graph->count + 1);
	graph->kinds = arena_array(arena, unsigned, graph->count + 1);
	graph->next = arena_array(arena, int, (size_t)graph->count * WAYS + 1);
	graph->first_before = arena_array(arena, unsigned, graph->count + 2);
	for (unsigned i = 0; i < graph->count; i++) {
		struct flow_step step = flow_step(flow, i);

		graph->kinds[i] = step.kind;
		graph->is_vector[i] = step.is_vector;
		for (unsigned j = 0; j < WAYS; j++) {
			graph->next[i * WAYS + j] = step.next[j];
			if (step.next[j] >= 0)
				graph->first_before[step.next[j] + 2]++;
		}
	}
	for (unsigned i = 0; i < graph->count; i++)
		graph->first_before[i + 2] += graph->first_before[i + 1];
	ways = graph->first_before[graph->count + 1];
	graph->before = arena_array(arena, int, ways + 1);
	for (unsigned i = 0; i < graph->count; i++)
		for (unsigned j = 0; j < WAYS; j++)
			if (graph->next[i * WAYS + j] >= 0)
				graph->before[graph->first_before[graph->next[i * WAYS + j] +
								  1]++] = (int)i;
}

/* Depth first: an instruction is placed when all that it leads to is. */
static void sort_steps(struct step_graph *graph, struct arena *arena, int entry)
{
	unsigned *way = arena_array(arena, unsigned, graph->count + 1), depth = 0,
		 left = graph->count;
	bool *seen = arena_array(arena, bool, graph->count + 1);

	graph->place = arena_array(arena, unsigned, graph->count + 1);
	memset(graph->place, 0xff, graph->count * sizeof(*graph->place));
	seen[entry] = true;
	graph->queue[depth++] = entry;
	while (depth) {
		int at = graph->queue[depth - 1], to;

		if (way[at] == WAYS) {
			graph->place[at] = --left;
			depth--;
			continue;
		}
		to = graph->next[at * WAYS + (int)way[at]++];
		if (to >= 0 && !seen[to]) {
			seen[to] = true;
			graph->queue[depth++] = to;
		}
	}
}

/* Whether the code that a jump leads back to leads to the jump: the jump is the way that was found
 * last, or the loop is entered in its middle, and there is one on which the code goes on there. */
static bool is_way_back(const struct step_graph *graph, int from, int to)
{
	unsigned place = graph->place[from];

	if (to < 0 || to > from || place == UINT_MAX || graph->place[to] <= place)
		return to >= 0 && to <= from && place != UINT_MAX;
	for (int i = to; i < from; i++)
		if (graph->next[i * WAYS] == i + 1 && graph->place[i + 1] < graph->place[i] &&
		    graph->place[i + 1] <= place)
			return true;
	return false;
}

/* The loops as the code lies: from where a jump leads back to, to the last such jump. */
static void find_loops(struct step_graph *graph, struct arena *arena)
{
	/* of each, the jump back to it, and 1 */
	int *last = arena_array(arena, int, graph->count + 1);

	for (unsigned i = 0; i < graph->count; i++) {
		int to = graph->next[i * WAYS + 1];

		if (is_way_back(graph, (int)i, to))
			last[to] = (int)i + 1;
	}
	for (unsigned i = 0; i < graph->count; i++) {
		bool is_plain = last[i] && graph->place[i] <= graph->place[last[i] - 1];

		for (int j = (int)i + 1; j < last[i] && is_plain; j++)
			is_plain = !last[j];
		if (last[i])
			arena_append(arena, graph->loops, graph->nloops) = (struct loop){
				.first = i, .end = (unsigned)last[i], .is_plain = is_plain};
	}
}

struct step_graph *step_graph_of(struct resolver *resolver, const struct instance *instance,
				 int *entry)
{
	struct flow *flow = outer_flow(resolver, instance);
	struct step_graph **kept, *graph;
	struct arena *arena;

	if (!flow)
		return NULL;
	*entry = flow_number(flow, instance->outer_ranges[0].start);
	kept = flow_step_graph(flow, &arena);
	if (*kept || *entry < 0)
		return *kept;
	graph = *kept = arena_new(arena, struct step_graph);
	graph->count = flow_count(flow);
	graph->arena = arena;
	/* a search may meet again each of those that it begins with */
	graph->queue = arena_array(arena, int, 2 * (size_t)graph->count + 1);
	graph->lines = arena_array(arena, unsigned, graph->count + 1);
	graph->has_event = arena_array(arena, bool, graph->count + 1);
	graph->is_early = arena_array(arena, bool, graph->count + 1);
	graph->ahead = arena_array(arena, bool, graph->count + 1);
	graph->behind = arena_array(arena, bool, graph->count + 1);
	connect(graph, arena, flow);
	sort_steps(graph, arena, *entry);
	find_loops(graph, arena);
	return graph;
}

void step_graph_lines(struct step_graph *graph, const struct line_code *of)
{
	const struct flow *flow = of->flow;
	const struct row *rows = of->rows;

	if (graph->instance == of->instance && graph->rows == rows && graph->nrows == of->nrows)
		return;
	graph->instance = of->instance;
	graph->rows = rows;
	graph->nrows = of->nrows;
	memset(graph->lines, 0, graph->count * sizeof(*graph->lines));
	for (unsigned i = 0; i < graph->nloops; i++)
		graph->loops[i].copies = 0;
	for (unsigned i = 0; i < of->nrows; i++) {
		int at = has_instruction(&rows[i]) && is_own_row(of->instance, &rows[i]) ?
			flow_number(flow, rows[i].address) : -1;

		for (; at >= 0 && (unsigned)at < graph->count &&
		       flow_step(flow, (unsigned)at).address < rows[i].end;
		     at++)
			graph->lines[at] = rows[i].line;
	}
}

void step_graph_spread(struct step_graph *graph, bool *marks, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		for (unsigned j = 0; j < WAYS; j++) {
			int to = graph->next[graph->queue[i] * WAYS + (int)j];

			if (to >= 0 && !marks[to]) {
				marks[to] = true;
				graph->queue[count++] = to;
			}
		}
	}
}

void step_graph_spread_back(struct step_graph *graph, bool *marks, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)graph->queue[i];

		for (unsigned j = graph->first_before[at]; j < graph->first_before[at + 1]; j++) {
			int from = graph->before[j];

			if (!marks[from]) {
				marks[from] = true;
				graph->queue[count++] = from;
			}
		}
	}
}
