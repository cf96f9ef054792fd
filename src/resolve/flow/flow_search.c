// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches the control flow: what is reached from where without passing what, and in how few steps.
 * The surprise: all searches share the flow's scratch memory, so one ends before the next begins.
 */
#include <limits.h>
#include <stdlib.h>

#include "resolve/flow/flow_nodes.h"
#include "resolve/flow/reach.h"

struct search {
	const struct flow *flow;
	bool *seen;
	int *queue;
	unsigned queued;
	unsigned met; /* in all of several searches */
};

static void visit(struct search *search, int node)
{
	if (node < 0 || search->seen[node])
		return;
	search->seen[node] = true;
	search->queue[search->queued++] = node;
}

/* The node of an address, where most of those that are asked for ascend. at: of the last one. */
static int next_node(const struct flow *flow, uint64_t address, unsigned *at)
{
	enum { NEAR = 16 };
	unsigned end = *at + NEAR;

	if (*at && flow->nodes[*at - 1].address >= address)
		end = 0;
	for (; *at < end && *at < flow->count; ++*at)
		if (flow->nodes[*at].address >= address)
			return flow->nodes[*at].address == address ? (int)*at : -1;
	*at = (unsigned)partition_point(flow->count, i, flow->nodes[i].address < address);
	return *at < flow->count && flow->nodes[*at].address == address ? (int)*at : -1;
}

static void block(struct search *search, uint64_t address)
{
	int node = find_node(search->flow, address);

	if (node >= 0)
		search->seen[node] = true;
}

static void search_begin(struct search *search, const struct flow *flow)
{
	search->flow = flow;
	search->queued = 0;
	search->seen = flow->seen;
	search->queue = flow->queue;
	memset(search->seen, 0, flow->count * sizeof(*search->seen));
}

/* Runs to the end; returns true if `to` was met. */
static bool search_run(struct search *search, int to)
{
	for (unsigned i = 0; i < search->queued; i++) {
		const struct node *node = &search->flow->nodes[search->queue[i]];

		if (node->next == to || node->target == to || node->hidden == to)
			return true;
		visit(search, node->next);
		visit(search, node->target);
		visit(search, node->hidden);
	}
	return false;
}

static void block_others(struct search *search, uint64_t to, const uint64_t *others, unsigned count)
{
	unsigned at = 0;

	for (unsigned i = 0; i < count; i++) {
		int node = others[i] == to ? -1 : next_node(search->flow, others[i], &at);

		if (node >= 0)
			search->seen[node] = true;
	}
}

bool flow_reaches(const struct flow *flow, uint64_t to, const uint64_t *others, unsigned count)
{
	int goal = find_node(flow, to);
	struct search search;

	if (goal < 0)
		return true;
	search_begin(&search, flow);
	block_others(&search, to, others, count);
	for (unsigned i = 0; i < flow->count; i++) {
		if (!flow->nodes[i].is_root || search.seen[i])
			continue;
		if ((int)i == goal)
			return true;
		visit(&search, (int)i);
	}
	return search_run(&search, goal);
}

bool flow_reaches_from(const struct flow *flow, const uint64_t *from, unsigned nfrom, uint64_t to,
		       const uint64_t *others, unsigned count)
{
	int goal = find_node(flow, to), start = nfrom == 1 ? find_node(flow, *from) : -1;
	enum reach_answer answer = REACH_UNKNOWN;
	struct search search;

	if (goal < 0)
		return true;
	if (start >= 0 && !count)
		answer = reach_ask(flow, start, goal);
	if (answer != REACH_UNKNOWN)
		return answer == REACH_YES;
	search_begin(&search, flow);
	for (unsigned i = 0; i < nfrom; i++)
		visit(&search, find_node(flow, from[i]));
	block_others(&search, to, others, count);
	return search_run(&search, goal);
}

bool flow_share_loop(const struct flow *flow, uint64_t one, uint64_t other)
{
	int first = find_node(flow, one), second = find_node(flow, other);

	return first >= 0 && second >= 0 && reach_shares_loop(flow, first, second);
}

/* In two searches, however many addresses there are. */
bool flow_goes_round(const struct flow *flow, uint64_t from, uint64_t *through, unsigned count,
		     uint64_t without)
{
	unsigned reached = 0;
	struct search search;

	search_begin(&search, flow);
	visit(&search, find_node(flow, from));
	block(&search, without);
	search_run(&search, (int)flow->count); /* no such node: all is visited */
	for (unsigned i = 0; i < count; i++) {
		int node = find_node(flow, through[i]);
		uint64_t address = through[i];

		if (node < 0 || !search.seen[node])
			continue;
		through[i] = through[reached];
		through[reached++] = address;
	}
	return reached && flow_reaches_from(flow, through, reached, from, &without, 1);
}

bool flow_returns_past(const struct flow *flow, const uint64_t *addresses, unsigned count)
{
	struct search search;
	int entry = find_node(flow, flow->entry);

	search_begin(&search, flow);
	for (unsigned i = 0; i < count; i++)
		block(&search, addresses[i]);
	visit(&search, entry);
	search_run(&search, (int)flow->count); /* no such node: all is visited */
	for (unsigned i = 0; i < search.queued; i++)
		if (flow->nodes[search.queue[i]].is_return)
			return true;
	return false;
}

bool flow_can_return(const struct flow *flow, uint64_t address)
{
	struct search search;

	search_begin(&search, flow);
	visit(&search, find_node(flow, address));
	search_run(&search, (int)flow->count);
	for (unsigned i = 0; i < search.queued; i++)
		if (flow->nodes[search.queue[i]].is_return ||
		    flow->nodes[search.queue[i]].is_indirect)
			return true;
	return false;
}

const bool *flow_runs(const struct flow *flow, bool from_anywhere)
{
	struct search search;
	int entry = find_node(flow, flow->entry);

	search_begin(&search, flow);
	search.seen = arena_array(flow->arena, bool, flow->count);
	visit(&search, entry);
	for (unsigned i = 0; from_anywhere && i < flow->count; i++)
		if (flow->nodes[i].is_root)
			visit(&search, (int)i);
	search_run(&search, (int)flow->count); /* no such node: all is visited */
	return search.seen;
}

const bool *flow_reached(const struct flow *flow, struct arena *arena, const uint64_t *from,
			 unsigned nfrom, const uint64_t *others, unsigned count)
{
	struct search search;

	search_begin(&search, flow);
	search.seen = arena_array(arena, bool, flow->count);
	for (unsigned i = 0; i < count; i++)
		block(&search, others[i]);
	for (unsigned i = 0; i < nfrom; i++)
		visit(&search, find_node(flow, from[i]));
	search_run(&search, (int)flow->count); /* no such node: all is visited */
	for (unsigned i = 0; i < count; i++)
		if (find_node(flow, others[i]) >= 0)
			search.seen[find_node(flow, others[i])] = false;
	return search.seen;
}

bool flow_marked(const struct flow *flow, const bool *marks, uint64_t address)
{
	int node = find_node(flow, address);

	return node >= 0 && marks[node];
}

/* Returns true if that is a shorter way to it. */
static bool shorten(unsigned *least, const unsigned *weights, int node, unsigned so_far)
{
	if (node < 0 || least[node] <= so_far + weights[node])
		return false;
	least[node] = so_far + weights[node];
	return true;
}

unsigned flow_least(const struct flow *flow, const uint64_t *addresses, unsigned count)
{
	unsigned *weights = arena_array(flow->arena, unsigned, flow->count);
	unsigned *least = arena_array(flow->arena, unsigned, flow->count), ret = UINT_MAX;
	int entry = find_node(flow, flow->entry);
	bool is_changed = entry >= 0;

	for (unsigned i = 0; i < count; i++) {
		int node = find_node(flow, addresses[i]);

		if (node >= 0)
			weights[node]++;
	}
	memset(least, 0xff, flow->count * sizeof(*least));
	if (entry >= 0)
		least[entry] = weights[entry];
	while (is_changed) {
		is_changed = false;
		for (unsigned i = 0; i < flow->count; i++) {
			const struct node *node = &flow->nodes[i];
			int next[] = {node->next, node->target, node->hidden};

			for (unsigned j = 0; j < 3 && least[i] != UINT_MAX; j++)
				is_changed |= shorten(least, weights, next[j], least[i]);
			if (node->is_exit && least[i] < ret)
				ret = least[i];
		}
	}
	return ret == UINT_MAX ? 0 : ret;
}

static void mark_all(const struct flow *flow, uint8_t mark, const uint64_t *list, unsigned count)
{
	unsigned at = 0;

	for (unsigned i = 0; i < count; i++) {
		int node = next_node(flow, list[i], &at);

		if (node >= 0)
			flow->marks[node] = mark;
	}
}

bool flow_always_meets(const struct flow *flow, uint64_t from, const uint64_t *goals,
		       unsigned ngoals, const uint64_t *stops, unsigned nstops)
{
	enum { GOAL = 1, STOP };
	int start = find_node(flow, from);
	bool has_met = false;
	struct search search;

	if (start < 0)
		return false;
	memset(flow->marks, 0, flow->count * sizeof(*flow->marks));
	mark_all(flow, STOP, stops, nstops);
	mark_all(flow, GOAL, goals, ngoals);
	flow->marks[start] = STOP; /* to come back here is to have met none */
	search_begin(&search, flow);
	visit(&search, start);
	for (unsigned i = 0; i < search.queued; i++) {
		const struct node *node = &flow->nodes[search.queue[i]];
		int next[] = {node->next, node->target, node->hidden};

		if (node->is_exit)
			return false;
		for (unsigned j = 0; j < 3; j++) {
			if (next[j] >= 0 && flow->marks[next[j]] == STOP)
				return false;
			if (next[j] >= 0 && flow->marks[next[j]] == GOAL)
				has_met = true;
			else
				visit(&search, next[j]);
		}
	}
	return has_met;
}

/* stops: of each node, the index of its address and 1; 0: none. */
static unsigned add_ways(struct search *search, struct arena *arena, const unsigned *stops,
			 unsigned from, struct next_mark **ret, unsigned count)
{
	bool returns = false;

	for (unsigned i = 0; i < search->queued; i++) {
		int at = search->queue[i];
		const struct node *node = &search->flow->nodes[at];

		if (i && stops[at]) {
			arena_append(arena, *ret, count) = (struct next_mark){from, stops[at] - 1};
			continue;
		}
		if (!i)
			search->seen[at] = false; /* a loop comes back */
		visit(search, node->next);
		visit(search, node->target);
		visit(search, node->hidden);
		returns |= node->is_return;
	}
	if (returns)
		arena_append(arena, *ret, count) = (struct next_mark){from, NO_MARK};
	for (unsigned i = 0; i < search->queued; i++)
		search->seen[search->queue[i]] = false;
	search->met += search->queued;
	search->queued = 0;
	return count;
}

bool flow_next_marks(const struct flow *flow, struct arena *arena, const uint64_t *addresses,
		     unsigned count, struct next_mark **ret, unsigned *nret)
{
	/* each instruction is met from few marks: it is most often behind a few branches */
	enum { MET_MOST = 1 << 24, WAYS_MOST = 1 << 18 };
	unsigned *stops = arena_array(arena, unsigned, flow->count), nways = 0;
	struct search search;

	*ret = NULL;
	for (unsigned i = 0; i < count; i++)
		if (flow_has(flow, addresses[i]))
			stops[find_node(flow, addresses[i])] = i + 1;
	search_begin(&search, flow);
	search.met = 0;
	search.queue = arena_array(arena, int, flow->count + 1); /* the first may come again */
	for (unsigned i = 0; i < count; i++) {
		visit(&search, find_node(flow, addresses[i]));
		nways = add_ways(&search, arena, stops, i, ret, nways);
		if (search.met > MET_MOST || nways > WAYS_MOST)
			return false;
	}
	*nret = nways;
	return true;
}
