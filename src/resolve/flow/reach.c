// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether one instruction leads to another one, whatever lies between.
 *
 * The surprise: a doubt asks that thousands of times of one function. So its loops are found once,
 * and all that leads to the instruction that is asked about again.
 */
#include "resolve/flow/flow_nodes.h"
#include "resolve/flow/reach.h"

enum { WAYS = 3, NO_LOOP = 0, NO_NODE = -1, FEW = 8 /* questions, for which loops aren't found */ };

struct reach {
	unsigned *loops; /* of each node, from 1 on: those that its loop leads to have less */
	int *order;      /* the nodes, by their loops */
	bool *is_round;  /* of each node: it leads to itself */
	bool *ahead;     /* what `ahead_of` leads to */
	bool *behind;    /* what leads to `behind_of` */
	int ahead_of, behind_of;
	int from, to; /* the last question */
	unsigned nasked;
};

static int way_of(const struct node *node, unsigned way)
{
	return way == 0 ? node->next : way == 1 ? node->target : node->hidden;
}

/* Tarjan's search for strongly connected components, without recursion. */
struct tarjan {
	const struct flow *flow;
	struct reach *reach;
	unsigned *least; /* of each node, the least number that it leads to, while it is open */
	int *open, *path;
	uint8_t *ways; /* of each node: those that are done */
	unsigned nopen, npath, nseen, nloops, nordered;
};

static void enter(struct tarjan *search, int node)
{
	search->least[node] = ++search->nseen;
	search->open[search->nopen++] = node;
	search->path[search->npath++] = node;
}

static bool leads_to_itself(const struct node *node, int number)
{
	return node->next == number || node->target == number || node->hidden == number;
}

/* Takes the nodes of a loop off the open ones; one that is in no loop is alone. */
static void close_loop(struct tarjan *search, int first)
{
	struct reach *reach = search->reach;
	bool is_alone = search->open[search->nopen - 1] == first;
	int node;

	search->nloops++;
	do {
		node = search->open[--search->nopen];
		reach->loops[node] = search->nloops;
		reach->order[search->nordered++] = node;
		reach->is_round[node] =
			!is_alone || leads_to_itself(&search->flow->nodes[node], node);
	} while (node != first);
}

static void walk(struct tarjan *search, unsigned *numbers, int start)
{
	enter(search, start);
	numbers[start] = search->nseen;
	while (search->npath) {
		int at = search->path[search->npath - 1], to;

		if (search->ways[at] == WAYS) {
			unsigned least = search->least[at];

			search->npath--;
			if (least == numbers[at])
				close_loop(search, at);
			if (search->npath && least < search->least[search->path[search->npath - 1]])
				search->least[search->path[search->npath - 1]] = least;
			continue;
		}
		to = way_of(&search->flow->nodes[at], search->ways[at]++);
		if (to < 0 || search->reach->loops[to] != NO_LOOP)
			continue;
		if (!numbers[to]) {
			enter(search, to);
			numbers[to] = search->nseen;
		} else if (numbers[to] < search->least[at]) {
			search->least[at] = numbers[to];
		}
	}
}

static void find_loops(const struct flow *flow, struct reach *reach)
{
	struct arena own = {0};
	unsigned *numbers = arena_array(&own, unsigned, flow->count);
	struct tarjan search = {
		.flow = flow,
		.reach = reach,
		.least = arena_array(&own, unsigned, flow->count),
		.open = arena_array(&own, int, flow->count),
		.path = arena_array(&own, int, flow->count),
		.ways = arena_array(&own, uint8_t, flow->count),
	};

	reach->loops = arena_array(flow->arena, unsigned, flow->count);
	reach->order = arena_array(flow->arena, int, flow->count);
	reach->is_round = arena_array(flow->arena, bool, flow->count);
	reach->ahead = arena_array(flow->arena, bool, flow->count);
	reach->behind = arena_array(flow->arena, bool, flow->count);
	reach->ahead_of = reach->behind_of = NO_NODE;
	for (unsigned i = 0; i < flow->count; i++)
		if (!numbers[i])
			walk(&search, numbers, (int)i);
	arena_deinit(&own);
}

void reach_init(struct flow *flow)
{
	if (!flow->reach)
		flow->reach = arena_new(flow->arena, struct reach);
	*flow->reach = (struct reach){.from = NO_NODE, .to = NO_NODE};
}

/* Whether a way from the node leads to another loop that is marked. */
static bool leads_to_marked(const struct flow *flow, const bool *marks, int number)
{
	const struct node *node = &flow->nodes[number];

	return (node->next >= 0 && marks[node->next]) ||
	       (node->target >= 0 && marks[node->target]) ||
	       (node->hidden >= 0 && marks[node->hidden]);
}

/* Marks what leads to the node. Loops come before those that lead to them. */
static void mark_behind(const struct flow *flow, struct reach *reach, int to)
{
	const int *order = reach->order;

	memset(reach->behind, 0, flow->count * sizeof(*reach->behind));
	for (unsigned first = 0, end; first < flow->count; first = end) {
		unsigned loop = reach->loops[order[first]];
		bool leads = loop == reach->loops[to];

		for (end = first; end < flow->count && reach->loops[order[end]] == loop; end++)
			leads = leads || leads_to_marked(flow, reach->behind, order[end]);
		for (unsigned i = first; leads && i < end; i++)
			reach->behind[order[i]] = true;
	}
	reach->behind_of = to;
}

/* Marks what the node leads to. */
static void mark_ahead(const struct flow *flow, struct reach *reach, int from)
{
	const int *order = reach->order;

	memset(reach->ahead, 0, flow->count * sizeof(*reach->ahead));
	reach->ahead[from] = true;
	for (unsigned end = flow->count, first; end; end = first) {
		unsigned loop = reach->loops[order[end - 1]];
		bool is_met = false;

		for (first = end; first && reach->loops[order[first - 1]] == loop; first--)
			is_met = is_met || reach->ahead[order[first - 1]];
		for (unsigned i = first; is_met && i < end; i++)
			for (unsigned way = 0; way < WAYS; way++) {
				int to = way_of(&flow->nodes[order[i]], way);

				if (to >= 0)
					reach->ahead[to] = true;
			}
	}
	reach->ahead_of = from;
}

/* What is asked about a second time in a row is likely to be asked about again. */
static void expect(const struct flow *flow, struct reach *reach, int from, int to)
{
	if (to == reach->to && to != reach->behind_of)
		mark_behind(flow, reach, to);
	else if (from == reach->from && from != reach->ahead_of)
		mark_ahead(flow, reach, from);
	reach->from = from;
	reach->to = to;
}

enum reach_answer reach_ask(const struct flow *flow, int from, int to)
{
	struct reach *reach = flow->reach;

	if (!reach->loops && ++reach->nasked <= FEW)
		return REACH_UNKNOWN;
	if (!reach->loops)
		find_loops(flow, reach);
	if (from == to)
		return reach->is_round[from] ? REACH_YES : REACH_NO;
	if (reach->loops[from] <= reach->loops[to])
		return reach->loops[from] == reach->loops[to] ? REACH_YES : REACH_NO;
	expect(flow, reach, from, to);
	if (to == reach->behind_of)
		return reach->behind[from] ? REACH_YES : REACH_NO;
	if (from == reach->ahead_of)
		return reach->ahead[to] ? REACH_YES : REACH_NO;
	return REACH_UNKNOWN;
}

bool reach_shares_loop(const struct flow *flow, int one, int other)
{
	if (!flow->reach->loops)
		find_loops(flow, flow->reach);
	return flow->reach->loops[one] == flow->reach->loops[other];
}
