// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the inlined copies that a call graph names, or all. A copy has no end of its own; but
 * every call instruction is known, and so whether it is in the copy's code.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/graphing.h"
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
		uint64_t start =
			target_file_address(graphing->resolver->target, copy->ranges[i].start);

		if (address >= start &&
		    address - start < copy->ranges[i].end - copy->ranges[i].start)
			return true;
	}
	return false;
}

/* The innermost inlined copy that has the instruction, but for `except`. What is in a copy comes
 * after it. */
static unsigned copy_at(const struct graphing *graphing, uint64_t address, unsigned except)
{
	const struct graph *graph = &graphing->graph;
	unsigned best = NO_COPY;

	for (unsigned i = 0; i < graph->nfunctions; i++) {
		const struct instance *copy = graphing->points[i].instance;

		if (graph->functions[i].is_inlined && graph->functions[i].copy != except &&
		    copy_has(graphing, copy, address) &&
		    (best == NO_COPY ||
		     instance_size(copy) <= instance_size(graphing->points[best].instance)))
			best = graph->functions[i].copy;
	}
	return best;
}

/* Which calls are in which copies, and copies in copies; of those that aren't known to be. */
static void nest_copies(struct graphing *graphing, unsigned first)
{
	struct graph *graph = &graphing->graph;
	bool has_copies = graph->nfunctions && graph->functions[graph->nfunctions - 1].is_inlined;

	for (unsigned i = 0; has_copies && i < graph->ncalls; i++)
		graph->calls[i].copy = copy_at(graphing, graph->calls[i].address - 1, NO_COPY);
	for (unsigned i = first; i < graph->nfunctions; i++) {
		unsigned host = graph->functions[i].is_inlined ?
					copy_at(graphing, graph->functions[i].entry,
						graph->functions[i].copy) :
					NO_COPY;

		if (host != NO_COPY && instance_size(graphing->points[host].instance) >
				       instance_size(graphing->points[i].instance))
			graph->functions[i].host = host;
	}
}

static struct error *add_copies(struct graphing *graphing, const struct instance *outer,
				unsigned level, unsigned host);

/* The copy, and what is inlined into it. */
static struct error *add_copy(struct graphing *graphing, struct instance *copy, unsigned level,
			      unsigned host)
{
	unsigned first = graphing->graph.nfunctions;
	struct points points = {0};
	struct error *error = entry_points(graphing->resolver, &copy, 1, &points);

	for (unsigned i = 0; i < points.count && !error; i++) {
		unsigned at = graph_add(graphing, &points.list[i], level); /* the list may move */

		graphing->graph.functions[at].host = host;
	}
	if (!error && graphing->graph.nfunctions > FUNCTIONS_MAX)
		return graph_too_many(graphing);
	return error || !points.count ? error : add_copies(graphing, copy, level, first);
}

static struct error *add_copies(struct graphing *graphing, const struct instance *outer,
				unsigned level, unsigned host)
{
	struct instance **list;
	unsigned count;
	struct error *error = debuginfo_inner(graphing->resolver->info, outer, &list, &count);

	for (unsigned i = 0; i < count && !error; i++)
		if (list[i]->nranges)
			error = add_copy(graphing, list[i], level, host);
	return error;
}

/* What is inlined into the functions whose calls are shown. */
static struct error *add_all_copies(struct graphing *graphing)
{
	struct resolver *resolver = graphing->resolver;
	unsigned count = graphing->graph.nfunctions;
	struct error *error = NULL;

	for (unsigned i = 0; i < count && !error; i++) {
		const struct point *point = &graphing->points[i];
		const struct symbol *symbol =
			target_symbol_at(resolver->target, point->at.address, point->symbol);
		const struct instance *instance = point->instance;
		unsigned level = graphing->graph.functions[i].level;

		if (!instance && symbol)
			error = graph_instance(resolver, symbol, &instance);
		if (!error && instance && level < graphing->graph.depth)
			error = add_copies(graphing, instance, level + 1, NO_COPY);
	}
	return error;
}

/* The same copy, if it is among all. Returns whether it is. */
static bool name_copy(struct graphing *graphing, const struct point *point, const struct spec *spec)
{
	bool found = false;

	for (unsigned i = 0; i < graphing->graph.nfunctions; i++) {
		struct graph_function *function = &graphing->graph.functions[i];

		if (!function->is_inlined || graphing->points[i].at.address != point->at.address ||
		    graphing->points[i].instance->source != point->instance->source)
			continue;
		function->spec = spec;
		function->is_anywhere = found = true;
	}
	return found;
}

struct error *graph_copies(struct graphing *graphing)
{
	struct error *error = graphing->wanted->has_inlined && graphing->resolver->info ?
				      add_all_copies(graphing) :
				      NULL;
	unsigned first = graphing->graph.nfunctions;

	for (unsigned i = 0; i < graphing->ninlined && !error; i++) {
		unsigned at;

		if (!is_in_graph(graphing, graphing->inlined[i].instance) ||
		    name_copy(graphing, &graphing->inlined[i], graphing->inlined_specs[i]))
			continue;
		at = graph_add(graphing, &graphing->inlined[i], graphing->graph.depth + 1);
		graphing->graph.functions[at].is_anywhere = true;
		graphing->graph.functions[at].spec = graphing->inlined_specs[i];
	}
	if (!error)
		nest_copies(graphing, first);
	return error;
}
