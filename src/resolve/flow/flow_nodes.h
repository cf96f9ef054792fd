/* SPDX-License-Identifier: GPL-2.0-only */
/* The control flow's instructions, for the files that build and search it. */
#ifndef RESOLVE_FLOW_NODES_H
#define RESOLVE_FLOW_NODES_H

#include <string.h>

#include "base/search.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"

struct node {
	uint64_t address;
	int next;   /* index of the instruction it falls through to; -1: none */
	int target; /* index of the instruction it jumps to; -1: none */
	int hidden; /* the same, by a static branch or exception fix-up; -1: none */
	unsigned kind;
	bool is_vector;
	bool is_root;
	bool is_target; /* of a jump */
	bool is_exit;
	bool is_indirect; /* a jump that doesn't say where it leads */
	bool is_return; /* or a jump to another function, which returns for this one */
	bool is_padding;
	bool is_trap;
};

struct flow {
	struct arena *arena;
	struct node *nodes;
	unsigned count;
	bool *seen; /* scratch of one search */
	int *queue;
	uint8_t *marks;
	const struct range *ranges; /* what it was built of */
	unsigned nranges;
	uint64_t entry;
	bool has_indirect; /* a jump by register or table, as of a switch */
	struct flow_call *calls;
	unsigned ncalls;
	bool ends_at_calls; /* of what doesn't come back; else each call does */
	struct slots *slots;
	struct step_graph *graph;
	struct static_bases *bases;
	struct reach *reach;
};

/* Index of the instruction there; -1: none begins there. */
static inline int find_node(const struct flow *flow, uint64_t address)
{
	size_t at = partition_point(flow->count, i, flow->nodes[i].address < address);

	return at < flow->count && flow->nodes[at].address == address ? (int)at : -1;
}

#endif
