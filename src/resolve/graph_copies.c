// SPDX-License-Identifier: GPL-2.0-only
/*
 * The inlined copies of the functions that a call graph names. A copy has no end of its own; but every call
 * instruction is known, and so whether it is in the copy's code.
 */
#include "resolve/graph.h"
#include "target/placing.h"
#include "target/target.h"

/* Whether the copy is in the code of one of the functions. */
static bool is_in_graph(const struct graphing *graphing, const struct instance *instance)
{
	for (unsigned i = 0; i < instance->nouter_ranges; i++)
		if (graph_find(graphing, instance->outer_ranges[i].start) != LOOKUP_NONE)
			return true;
	return false;
}

static bool copy_has(const struct graphing *graphing, const struct instance *copy, uint64_t address)
{
	for (unsigned i = 0; i < copy->nranges; i++) {
		uint64_t start = target_file_address(graphing->resolver->target, copy->ranges[i].start);

		if (address >= start && address - start < copy->ranges[i].end - copy->ranges[i].start)
			return true;
	}
	return false;
}

static uint64_t copy_size(const struct instance *copy)
{
	uint64_t size = 0;

	for (unsigned i = 0; i < copy->nranges; i++)
		size += copy->ranges[i].end - copy->ranges[i].start;
	return size;
}

/* The innermost inlined copy that has the instruction, but for `except`. */
static unsigned copy_at(const struct graphing *graphing, uint64_t address, unsigned except)
{
	const struct graph *graph = &graphing->graph;
	unsigned best = NO_COPY;

	for (unsigned i = 0; i < graph->nfunctions; i++) {
		const struct instance *copy = graphing->points[i].instance;

		if (graph->functions[i].is_inlined && i != except && copy_has(graphing, copy, address) &&
		    (best == NO_COPY || copy_size(copy) < copy_size(graphing->points[best].instance)))
			best = i;
	}
	return best;
}

/* Which calls are in which copies, and copies in copies. */
static void nest_copies(struct graphing *graphing)
{
	struct graph *graph = &graphing->graph;

	for (unsigned i = 0; graphing->ninlined && i < graph->ncalls; i++)
		graph->calls[i].copy = copy_at(graphing, graph->calls[i].address - 1, NO_COPY);
	for (unsigned i = 0; graphing->ninlined && i < graph->nfunctions; i++) {
		unsigned host = graph->functions[i].is_inlined ? copy_at(graphing, graph->functions[i].entry, i) : NO_COPY;

		if (host != NO_COPY && copy_size(graphing->points[host].instance) >
				       copy_size(graphing->points[i].instance))
			graph->functions[i].host = host;
	}
}

void graph_copies(struct graphing *graphing)
{
	for (unsigned i = 0; i < graphing->ninlined; i++) {
		unsigned at;

		if (!is_in_graph(graphing, graphing->inlined[i].instance))
			continue;
		at = graph_add(graphing, &graphing->inlined[i], graphing->graph.depth + 1);
		graphing->graph.functions[at].is_anywhere = true;
		graphing->graph.functions[at].spec = graphing->inlined_specs[i];
	}
	nest_copies(graphing);
}
