// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control flow of one function's code, and the questions about it. Whether one event is one
 * pass through a line, neither missed nor doubled, depends on control flow, which no line table
 * has.
 *
 * The surprise: what can't be known is taken for possible. Code that no known jump leads to (switch
 * tables, .cold parts of a relocatable file) counts as an entry; a jump to an unknown target counts
 * as an exit. Static branches and exception fix-ups are known from the kernel's own tables.
 */
#include <limits.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "resolve/flow/flow_nodes.h"
#include "resolve/flow/reach.h"
#include "resolve/flow/function_code.h"
#include "resolve/internal.h"
#include "target/code.h"

bool flow_has(const struct flow *flow, uint64_t address)
{
	return find_node(flow, address) >= 0;
}

unsigned flow_count(const struct flow *flow)
{
	return flow->count;
}

struct flow_step flow_step(const struct flow *flow, unsigned number)
{
	const struct node *node = &flow->nodes[number];

	return (struct flow_step){node->address,
				  {node->next, node->target, node->hidden},
				  node->is_root,
				  node->kind,
				  node->is_vector,
				  node->is_return,
				  node->is_indirect,
				  node->is_padding,
				  node->is_trap};
}

int flow_number(const struct flow *flow, uint64_t address)
{
	return find_node(flow, address);
}

struct slots **flow_slots(struct flow *flow, struct arena **arena)
{
	*arena = flow->arena;
	return &flow->slots;
}

struct static_bases **flow_static_bases(struct flow *flow, struct arena **arena)
{
	*arena = flow->arena;
	return &flow->bases;
}

struct step_graph **flow_step_graph(struct flow *flow, struct arena **arena)
{
	*arena = flow->arena;
	return &flow->graph;
}

bool flow_is_straight(const struct flow *flow, uint64_t address)
{
	int node = find_node(flow, address);

	return node >= 0 && !flow->nodes[node].is_root && !flow->nodes[node].is_target;
}

bool flow_is_root(const struct flow *flow, uint64_t address)
{
	int node = find_node(flow, address);

	return node >= 0 && flow->nodes[node].is_root && address != flow->entry;
}

static bool is_straight(const struct flow *flow, unsigned node)
{
	return node && flow->nodes[node - 1].next == (int)node && !flow->nodes[node].is_root &&
	       !flow->nodes[node].is_target;
}

uint64_t flow_straight_start(const struct flow *flow, uint64_t address)
{
	int node = find_node(flow, address);

	while (node > 0 && is_straight(flow, (unsigned)node))
		node--;
	return node < 0 ? address : flow->nodes[node].address;
}

uint64_t flow_straight_end(const struct flow *flow, uint64_t address)
{
	int node = find_node(flow, address);

	if (node < 0)
		return address;
	do
		node++;
	while ((unsigned)node < flow->count && is_straight(flow, (unsigned)node));
	return (unsigned)node < flow->count ? flow->nodes[node].address : UINT64_MAX;
}

/* The numbers of the instructions that begin in a range of addresses: up to before .end. */
struct numbers {
	int start;
	int end;
};

static struct numbers numbers_in(const struct flow *flow, struct range range)
{
	size_t start = partition_point(flow->count, i, flow->nodes[i].address < range.start);
	size_t end = partition_point(flow->count, i, flow->nodes[i].address < range.end);

	return (struct numbers){(int)start, (int)end};
}

static bool is_in(struct numbers numbers, int node)
{
	return node >= numbers.start && node < numbers.end;
}

bool flow_is_told(const struct flow *flow)
{
	return !flow->has_indirect;
}

unsigned flow_ways_into(const struct flow *flow, struct arena *arena, struct range range,
			struct path **ret)
{
	struct numbers inside = numbers_in(flow, range);
	unsigned count = 0;

	*ret = NULL;
	for (unsigned i = 0; i < flow->count; i++) {
		const struct node *node = &flow->nodes[i];
		int next[] = {node->next, node->target, node->hidden};

		if (is_in(inside, (int)i) || (!is_in(inside, node->next) &&
		    !is_in(inside, node->target) && !is_in(inside, node->hidden)))
			continue;
		for (unsigned j = 0; j < 3; j++)
			if (is_in(inside, next[j]))
				arena_append(arena, *ret, count) = (struct path){
					node->address, flow->nodes[next[j]].address,
					node->target >= 0 || node->hidden >= 0,
				};
	}
	return count;
}

bool flow_leads_to(const struct flow *flow, const struct range *ranges, unsigned count,
		   uint64_t address)
{
	int to = find_node(flow, address);

	for (unsigned i = 0; i < count; i++) {
		struct numbers inside = numbers_in(flow, ranges[i]);

		for (int j = inside.start; j < inside.end; j++) {
			const struct node *node = &flow->nodes[j];

			if (node->next == to || node->target == to || node->hidden == to)
				return true;
		}
	}
	return false;
}

bool flow_leads_only(const struct flow *flow, uint64_t address)
{
	int at = find_node(flow, address);

	return at >= 0 && !flow->nodes[at].is_exit && flow->nodes[at].hidden < 0 &&
	       (flow->nodes[at].next < 0 || flow->nodes[at].target < 0);
}

struct range flow_loop_ending_in(const struct flow *flow, struct range range)
{
	size_t at = partition_point(flow->count, i, flow->nodes[i].address < range.start);

	for (; at < flow->count && flow->nodes[at].address < range.end; at++) {
		const struct node *node = &flow->nodes[at];

		if (node->next >= 0 && node->target >= 0 && node->target <= (int)at)
			return (struct range){flow->nodes[node->target].address, node->address + 1};
	}
	return (struct range){0};
}

struct decoded {
	struct insn insn;
	uint64_t address;
};

/* What only building needs, which for a long function is more than what is kept. */
struct building {
	struct resolver *resolver;
	struct decoder *decoder;
	struct flow *flow;
	struct arena arena;
	struct decoded *decoded;
};

static void add_node(struct building *of, const struct decoded *one)
{
	struct flow *flow = of->flow;

	of->decoded = arena_more(&of->arena, of->decoded, flow->count, sizeof(*one));
	of->decoded[flow->count] = *one;
	if (one->insn.is_call)
		arena_append(flow->arena, flow->calls, flow->ncalls) =
			(struct flow_call){flow->count, one->insn.callee};
	arena_append(flow->arena, flow->nodes, flow->count).address = one->address;
}

static bool decode_range(struct building *of, const struct range *range)
{
	size_t length;
	const uint8_t *code = target_bytes(of->resolver->target, range->start, &length);
	struct decoded one = {.address = range->start};

	if (!code || length < range->end - range->start)
		return false;
	while (one.address < range->end) {
		decoder_next(of->decoder, code + (one.address - range->start),
			     range->end - one.address, one.address, &one.insn);
		if (!one.insn.length)
			return false;
		add_node(of, &one);
		one.address += one.insn.length;
	}
	return true;
}

/* In a relocatable file a jump to another section reads as a jump to the next instruction. */
static bool is_unrelocated(const struct resolver *resolver, const struct decoded *one)
{
	return resolver->target->is_relocatable && one->insn.is_branch &&
	       one->insn.target == one->address + one->insn.length;
}

static void connect_edge(struct flow *flow, const struct edge *edge)
{
	int from = find_node(flow, edge->from), to = find_node(flow, edge->to);

	if (from >= 0 && to < 0)
		flow->nodes[from].is_exit = true; /* to a fix-up elsewhere */
	if (from < 0 || to < 0)
		return;
	flow->nodes[from].hidden = to;
	flow->nodes[to].is_target = true;
}

/* Range by range: between a function and its .cold part lie thousands of other functions. */
static void connect_hidden(struct resolver *resolver, struct flow *flow)
{
	for (unsigned i = 0; i < flow->nranges; i++) {
		const struct range *range = &flow->ranges[i];
		size_t count;
		const struct edge *edges = target_edges(resolver->target, resolver->arena,
							range->start, range->end, &count);

		for (size_t j = 0; j < count; j++)
			connect_edge(flow, &edges[j]);
	}
}

static void connect_jumps(struct resolver *resolver, struct flow *flow,
			  const struct decoded *decoded)
{
	for (unsigned i = 0; i < flow->count; i++) {
		const struct decoded *one = &decoded[i];
		struct node *node = &flow->nodes[i];

		node->next = one->insn.falls_through ?
			find_node(flow, one->address + one->insn.length) : -1;
		node->target = one->insn.is_branch && !is_unrelocated(resolver, one) ?
			find_node(flow, one->insn.target) : -1;
		node->hidden = -1;
		node->kind = one->insn.kind;
		node->is_vector = one->insn.is_vector;
		node->is_return = one->insn.is_return || (one->insn.is_branch && node->target < 0);
		node->is_indirect = one->insn.is_indirect;
		node->is_padding = one->insn.is_padding;
		node->is_trap = one->insn.is_trap;
		flow->has_indirect |= one->insn.is_indirect;
		node->is_exit = one->insn.is_indirect ||
				(node->next < 0 && node->target < 0) ||
				(one->insn.falls_through && node->next < 0) ||
				(one->insn.is_branch && node->target < 0);
		if (node->target >= 0)
			flow->nodes[node->target].is_target = true;
	}
}

/* No-operations up to an aligned address that nothing leads to: they are never executed. */
static bool is_padding(const struct flow *flow, unsigned i)
{
	enum { ALIGNMENT = 8 };

	while (i < flow->count && flow->nodes[i].is_padding && !flow->nodes[i].is_target)
		i++;
	return i == flow->count || flow->nodes[i].address % ALIGNMENT == 0;
}

/* An instruction that no known one leads to is an entry. */
static void find_roots(struct flow *flow)
{
	bool is_reached = false; /* from the instruction before */

	for (unsigned i = 0; i < flow->count; i++) {
		struct node *node = &flow->nodes[i];

		is_reached &= i && flow->nodes[i - 1].next == (int)i;
		node->is_root = (!is_reached && !node->is_target) || node->address == flow->entry;
		if (node->is_root && node->address != flow->entry && node->is_padding &&
		    is_padding(flow, i)) {
			*node = (struct node){node->address, .next = -1, .target = -1,
					      .hidden = -1, .is_padding = true};
			is_reached = false;
			continue;
		}
		is_reached = true;
	}
}

static int range_compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

void sort_ranges(struct range *ranges, unsigned count)
{
	qsort(ranges, count, sizeof(*ranges), range_compare);
}

static bool is_built_of(const struct flow *flow, const struct range *ranges, unsigned count,
			uint64_t entry)
{
	return flow->entry == entry && flow->nranges == count && count &&
	       !memcmp(flow->ranges, ranges, count * sizeof(*ranges));
}

static bool decode(struct building *of, const struct range *ranges, unsigned count)
{
	struct range *sorted = arena_grow(&of->arena, ranges, count * sizeof(*ranges),
					  count * sizeof(*ranges) + 1);

	sort_ranges(sorted, count);
	for (unsigned i = 0; i < count; i++)
		if ((i && sorted[i].start < sorted[i - 1].end) || !decode_range(of, &sorted[i]))
			return false;
	return of->flow->count;
}

static struct flow *flow_new(struct arena *arena, const struct range *ranges, unsigned count,
			     uint64_t entry)
{
	struct flow *flow = arena_new(arena, struct flow);

	flow->arena = arena;
	flow->entry = entry;
	flow->nranges = count;
	flow->ranges = arena_grow(arena, ranges, count * sizeof(*ranges),
				  count * sizeof(*ranges) + 1);
	return flow;
}

static void connect(struct building *of)
{
	struct flow *flow = of->flow;

	connect_jumps(of->resolver, flow, of->decoded);
	connect_hidden(of->resolver, flow);
	find_roots(flow);
	flow->seen = arena_array(flow->arena, bool, flow->count);
	flow->queue = arena_array(flow->arena, int, flow->count);
	flow->marks = arena_array(flow->arena, uint8_t, flow->count);
	reach_init(flow);
}

static struct flow *build(struct resolver *resolver, const struct range *ranges, unsigned count,
			  uint64_t entry)
{
	struct building of = {.resolver = resolver};
	bool is_whole;

	if (!count)
		return NULL;
	if (resolver->flow && is_built_of(resolver->flow, ranges, count, entry))
		return resolver->flow;
	of.decoder = decoder_open(resolver->arch);
	if (!of.decoder)
		return NULL;
	of.flow = flow_new(resolver->arena, ranges, count, entry);
	is_whole = decode(&of, ranges, count);
	if (is_whole)
		connect(&of);
	decoder_close(of.decoder);
	arena_deinit(&of.arena);
	if (!is_whole)
		return NULL;
	resolver->flow = of.flow;
	return of.flow;
}

static void end_at_call(struct flow *flow, unsigned number)
{
	struct node *node = &flow->nodes[number];

	node->is_exit &= node->next >= 0;
	node->next = -1;
}

bool flow_end_at_calls(struct resolver *resolver, struct flow *flow)
{
	struct decoder *decoder;

	if (!flow || flow->ends_at_calls)
		return flow != NULL;
	decoder = decoder_open(resolver->arch);
	if (!decoder)
		return false;
	calls_expect(resolver, flow->calls, flow->ncalls);
	for (unsigned i = 0; i < flow->ncalls; i++)
		if (!call_comes_back(resolver, decoder, flow->calls[i].callee))
			end_at_call(flow, flow->calls[i].node);
	decoder_close(decoder);
	find_roots(flow);
	reach_init(flow);
	flow->ends_at_calls = true;
	return true;
}

struct flow *flow_build(struct resolver *resolver, const struct range *ranges, unsigned count,
			uint64_t entry)
{
	struct flow *flow = build(resolver, ranges, count, entry);

	return flow_end_at_calls(resolver, flow) ? flow : NULL;
}

struct flow *flow_of(struct resolver *resolver, struct arena *arena, const struct range *ranges,
		     unsigned count)
{
	struct arena *last_arena = resolver->arena;
	struct flow *last = resolver->flow, *ret;

	resolver->arena = arena;
	resolver->flow = NULL;
	ret = build(resolver, ranges, count, ranges[0].start);
	resolver->flow = last;
	resolver->arena = last_arena;
	return ret;
}

struct flow *rough_outer_flow(struct resolver *resolver, const struct instance *instance)
{
	return instance->nouter_ranges ?
	       build(resolver, instance->outer_ranges, instance->nouter_ranges,
		     instance->outer_ranges[0].start) : NULL;
}

struct flow *outer_flow(struct resolver *resolver, const struct instance *instance)
{
	struct flow *flow = rough_outer_flow(resolver, instance);

	return flow_end_at_calls(resolver, flow) ? flow : NULL;
}

bool flow_is_around(const struct flow *flow, const struct instance *instance)
{
	return flow && is_built_of(flow, instance->outer_ranges, instance->nouter_ranges,
				   instance->outer_ranges[0].start);
}
