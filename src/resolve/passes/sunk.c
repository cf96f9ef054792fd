// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds lines whose code the compiler moved behind a branch of a line further down, as only one of
 * its ways needs the result: a pass that goes another way has no event.
 *
 * The surprise: no data flow is needed. What is above a branch in the source is executed before it,
 * or in a later round; and a later round begins further up.
 */
#include <string.h>

#include "resolve/flow/flow.h"
#include "resolve/flow/step_graph.h"
#include "resolve/passes/merged.h"

/* Marks in `ahead` where an event is met before any line further up. */
static void mark_meeting(struct step_graph *graph, unsigned line)
{
	unsigned count = 0;

	for (unsigned i = 0; i < graph->count; i++) {
		graph->ahead[i] = graph->has_event[i] ||
				  (graph->lines[i] && graph->lines[i] < line);
		if (graph->has_event[i])
			graph->queue[count++] = (int)i;
	}
	step_graph_spread_back(graph, graph->ahead, count);
	for (unsigned i = 0; i < graph->count; i++)
		graph->ahead[i] &= graph->has_event[i] || !graph->lines[i] ||
				   graph->lines[i] >= line;
}

/* Marks in `behind` from where the function can return without an event. */
static void mark_missing(struct step_graph *graph, const struct flow *flow)
{
	unsigned count = 0;

	memcpy(graph->behind, graph->has_event, graph->count * sizeof(*graph->behind));
	for (unsigned i = 0; i < graph->count; i++)
		if (!graph->behind[i] && flow_step(flow, i).is_return)
			graph->behind[graph->queue[count++] = (int)i] = true;
	step_graph_spread_back(graph, graph->behind, count);
	for (unsigned i = 0; i < graph->count; i++)
		graph->behind[i] &= !graph->has_event[i];
}

static bool is_branch(const struct step_graph *graph, unsigned step)
{
	unsigned ways = 0;

	for (unsigned i = 0; i < WAYS; i++)
		ways += graph->next[step * WAYS + i] >= 0;
	return ways > 1;
}

static bool has_way(const struct step_graph *graph, const bool *marks, unsigned step)
{
	for (unsigned i = 0; i < WAYS; i++) {
		int to = graph->next[step * WAYS + i];

		if (to >= 0 && marks[to])
			return true;
	}
	return false;
}

/* Whether the branch decides about a loop further down: there is hardly ever no round. */
static bool is_before_loop(const struct step_graph *graph, unsigned step)
{
	unsigned line = graph->lines[step];

	for (unsigned i = 0; i < graph->nloops; i++) {
		const struct loop *loop = &graph->loops[i];

		if (loop->first <= step && step < loop->end)
			continue;
		for (unsigned j = loop->first; j < loop->end; j++)
			if (graph->lines[j] == line)
				return true;
	}
	return false;
}

unsigned sunk_behind(struct step_graph *graph, const struct flow *flow, unsigned line)
{
	mark_meeting(graph, line);
	mark_missing(graph, flow);
	for (unsigned i = 0; i < graph->count; i++)
		if (graph->is_early[i] && graph->lines[i] > line && is_branch(graph, i) &&
		    has_way(graph, graph->ahead, i) && has_way(graph, graph->behind, i) &&
		    !is_before_loop(graph, i))
			return graph->lines[i];
	return 0;
}
