// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds loops with rounds that have no event of a line: entered behind the line, unrolled, or made of vectors.
 *
 * The surprise: only ways from the function's entry count. What a switch's table leads to is no evidence, as ways there
 * are not known.
 */
#include <limits.h>

#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/merged.h"
#include "resolve/points/points.h"

#define WAYS 3

/* A function's instructions by number, as flow_step() has them, and what is found out about one line of it. */
struct step_graph {
	unsigned count;
	int *next;             /* WAYS for each */
	unsigned *first_before; /* of those that lead to each: where they begin in `before`; one more than there are */
	int *before;
	unsigned *place; /* in an order in which ways lead to later ones, but for those back in a loop; UINT_MAX: nothing
			  * known leads there from the entry */
	const struct instance *instance; /* whose lines these are: */
	const struct row *rows;
	unsigned nrows;
	unsigned *kinds;
	bool *is_vector;
	struct loop {
		unsigned first, end;
		unsigned copies; /* count_copies(); 0: not counted yet */
	} *loops;
	unsigned nloops;
	unsigned *lines; /* 0: not the instance's own */
	bool *has_event;
	bool *is_early; /* can run before any of the line's events */
	bool *ahead, *behind;
	int *queue;
};

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
				graph->before[graph->first_before[graph->next[i * WAYS + j] + 1]++] = (int)i;
}

/* Depth first: an instruction is placed when all that it leads to is. */
static void sort_steps(struct step_graph *graph, struct arena *arena, int entry)
{
	unsigned *way = arena_array(arena, unsigned, graph->count + 1), depth = 0, left = graph->count;
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

/* The loops that have no other in them, as the code lies: from where a jump leads back to, to the last such jump. */
static void find_loops(struct step_graph *graph, struct arena *arena)
{
	int *last = arena_array(arena, int, graph->count + 1); /* of each, the jump back to it, and 1 */

	for (unsigned i = 0; i < graph->count; i++) {
		int to = graph->next[i * WAYS + 1];

		if (to >= 0 && to <= (int)i && graph->place[i] != UINT_MAX && graph->place[to] <= graph->place[i])
			last[to] = (int)i + 1;
	}
	for (unsigned i = 0; i < graph->count; i++) {
		bool is_innermost = last[i];

		for (int j = (int)i + 1; j < last[i] && is_innermost; j++)
			is_innermost = !last[j];
		if (is_innermost)
			arena_append(arena, graph->loops, graph->nloops) = (struct loop){.first = i, .end = (unsigned)last[i]};
	}
}

static struct step_graph *graph_of(struct resolver *resolver, const struct instance *instance, int *entry)
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
	graph->queue = arena_array(arena, int, graph->count + 1);
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

static void read_lines(struct step_graph *graph, const struct flow *flow, const struct instance *instance,
		       const struct row *rows, unsigned nrows)
{
	if (graph->instance == instance && graph->rows == rows && graph->nrows == nrows)
		return;
	graph->instance = instance;
	graph->rows = rows;
	graph->nrows = nrows;
	memset(graph->lines, 0, graph->count * sizeof(*graph->lines));
	for (unsigned i = 0; i < graph->nloops; i++)
		graph->loops[i].copies = 0;
	for (unsigned i = 0; i < nrows; i++) {
		int at = has_instruction(&rows[i]) && is_own_row(instance, &rows[i]) ?
			flow_number(flow, rows[i].address) : -1;

		for (; at >= 0 && (unsigned)at < graph->count && flow_step(flow, (unsigned)at).address < rows[i].end; at++)
			graph->lines[at] = rows[i].line;
	}
}

/* Marks what the first `count` of the queue lead to, without those that are marked already. */
static void spread(struct step_graph *graph, bool *marks, unsigned count)
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

/* The same for what leads to them. */
static void spread_back(struct step_graph *graph, bool *marks, unsigned count)
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

static void mark_events(struct step_graph *graph, const struct flow *flow, const struct candidates *list, int entry)
{
	memset(graph->has_event, 0, graph->count * sizeof(*graph->has_event));
	for (unsigned i = 0; i < list->count; i++) {
		int at = flow_number(flow, list->addresses[i]);

		if (at >= 0)
			graph->has_event[at] = true;
	}
	memcpy(graph->is_early, graph->has_event, graph->count * sizeof(*graph->is_early));
	graph->queue[0] = entry;
	spread(graph, graph->is_early, !graph->is_early[entry]);
	for (unsigned i = 0; i < graph->count; i++)
		graph->is_early[i] &= !graph->has_event[i];
	graph->is_early[entry] = !graph->has_event[entry];
}

/* Marks in `ahead` the round of the line's loop that passes the event: ways from there to there that meet no line before
 * it. */
static void mark_round(struct step_graph *graph, unsigned line, int at)
{
	for (unsigned i = 0; i < graph->count; i++)
		graph->ahead[i] = graph->behind[i] = graph->lines[i] && graph->lines[i] < line;
	graph->queue[0] = at;
	spread(graph, graph->ahead, 1);
	graph->queue[0] = at;
	spread_back(graph, graph->behind, 1);
	for (unsigned i = 0; i < graph->count; i++)
		graph->ahead[i] &= graph->behind[i] && (!graph->lines[i] || graph->lines[i] >= line);
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

/* Whether the event is in a loop of which the line is the test, and that may be entered behind it. */
static bool is_entered_behind(struct step_graph *graph, unsigned line, int at)
{
	bool has_body = false, has_test = false, is_entered = false;

	mark_round(graph, line, at);
	for (unsigned i = 0; i < graph->count && graph->ahead[at]; i++) {
		has_body |= graph->ahead[i] && graph->lines[i] > line;
		has_test |= graph->ahead[i] && graph->lines[i] == line && is_way_out(graph, i);
		is_entered |= graph->ahead[i] && graph->is_early[i];
	}
	return has_body && has_test && is_entered;
}

static bool has_loop_behind(struct step_graph *graph, const struct flow *flow, unsigned line, const struct candidates *list)
{
	enum { MOST = 16 };

	for (unsigned i = 0; i < list->count && i < MOST; i++) {
		int at = flow_number(flow, list->addresses[i]);

		if (at >= 0 && is_entered_behind(graph, line, at))
			return true;
	}
	return false;
}

/* How often the operations of a loop are there one behind the other, on the same lines: most of the loop's. */
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

/* Whether the line is passed in a loop that consists of more copies than the line has events there; 0 copies: it works on
 * several numbers at once. */
static bool is_unrolled(struct step_graph *graph, unsigned line, unsigned *copies)
{
	for (unsigned i = 0; i < graph->nloops; i++) {
		struct loop *loop = &graph->loops[i];
		bool is_in = false, has_vector = false, is_of_line = graph->lines[loop->end - 1] == line;
		unsigned events = 0;

		for (unsigned j = loop->first; j < loop->end; j++) {
			events += graph->has_event[j];
			is_in |= graph->lines[j] == line;
			has_vector |= graph->is_vector[j];
			is_of_line |= graph->lines[j] == line && graph->is_vector[j];
		}
		*copies = 0;
		if (is_in && has_vector && is_of_line)
			return true;
		if (!is_in || has_vector || !events)
			continue;
		if (!loop->copies)
			loop->copies = count_copies(graph, loop->first, loop->end);
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
static bool is_followed(struct step_graph *graph, const struct loop *loop, const struct loop *other, unsigned head)
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
		if (has_line(graph, &graph->loops[i], line))
			loops[count++] = &graph->loops[i];
	for (unsigned i = 0; i < count; i++) {
		unsigned head = head_of(graph, loops[i]);

		for (unsigned j = 0; j < count; j++)
			if (j != i && head_of(graph, loops[j]) == head && is_followed(graph, loops[i], loops[j], head))
				return true;
	}
	return false;
}

/* NULL: there is none. */
static const char *unrolled_text(struct resolver *resolver, struct step_graph *graph, unsigned line)
{
	unsigned copies;

	if (has_rest(graph, line))
		return arena_printf(resolver->arena, "a loop with line %u is there twice, the second for the rounds that the "
				    "first leaves: fewer events than passes are possible", line);
	if (!is_unrolled(graph, line, &copies))
		return NULL;
	return copies ? arena_printf(resolver->arena, "the code of line %u is in a loop that is there %u times in a row: fewer "
				     "events than passes are possible", line, copies) :
	       arena_printf(resolver->arena, "the code of line %u is in a loop that works on several numbers at once: fewer "
			    "events than passes are possible", line);
}

const char *eventless_text(struct resolver *resolver, const struct instance *instance, unsigned line, const struct row *rows,
			   unsigned nrows, const struct candidates *list)
{
	const struct flow *flow = outer_flow(resolver, instance);
	struct step_graph *graph;
	int entry;

	graph = flow ? graph_of(resolver, instance, &entry) : NULL;
	if (!graph)
		return NULL;
	read_lines(graph, flow, instance, rows, nrows);
	mark_events(graph, flow, list, entry);
	if (has_loop_behind(graph, flow, line, list))
		return arena_printf(resolver->arena, "the loop of line %u is entered after its test: fewer events "
				    "than passes are possible", line);
	return unrolled_text(resolver, graph, line);
}
