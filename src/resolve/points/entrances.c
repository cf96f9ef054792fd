// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the instructions at which clang's code enters an inlined copy, where there are several: a
 * call's first test was decided before it, or became one with a test in front of the call.
 *
 * The surprise: not each way into the copy begins a call. What leads in only from where the copy
 * has been is the same call's, and code without a line is what comes behind the copy.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/passes/breaks.h"
#include "resolve/points/kinds.h"

enum { ENTRANCES_MOST = 64 };

struct search {
	struct resolver *resolver;
	const struct flow *flow;
	const struct instance *instance;
	const struct row *rows;
	unsigned nrows;
	struct candidates inside; /* the copy's instructions */
	struct candidates roots;  /* the function's entry, and what unknown jumps may lead to */
	struct candidates others; /* statements around the copy */
	bool jumps_anywhere;      /* the copy itself may lead to any of these */
	struct candidates entrances;
	struct candidates returns; /* where only code leads in that comes from the copy */
};

static void collect_code(struct search *search)
{
	struct arena *scratch = &search->resolver->scratch;
	unsigned count = flow_count(search->flow);

	search->inside.addresses = arena_array(scratch, uint64_t, count);
	search->roots.addresses = arena_array(scratch, uint64_t, count);
	search->entrances.addresses = arena_array(scratch, uint64_t, ENTRANCES_MOST);
	search->returns.addresses = arena_array(scratch, uint64_t, ENTRANCES_MOST);
	for (unsigned i = 0; i < count; i++) {
		struct flow_step step = flow_step(search->flow, i);

		if (is_inside(search->instance, step.address)) {
			search->inside.addresses[search->inside.count++] = step.address;
			search->jumps_anywhere |= step.is_indirect;
		}
		if (step.is_root && !step.is_padding)
			search->roots.addresses[search->roots.count++] = step.address;
	}
}

/* Whether the code that begins there has a line before it may go elsewhere. */
static bool has_line(const struct search *search, uint64_t address)
{
	uint64_t end = flow_straight_end(search->flow, address);
	size_t i = partition_point(search->nrows, at, search->rows[at].end <= address);

	for (; i < search->nrows && search->rows[i].address < end; i++)
		if (search->rows[i].line && is_inside(search->instance, search->rows[i].address))
			return true;
	return false;
}

static void add_address(struct candidates *list, uint64_t address)
{
	if (list->count < ENTRANCES_MOST && !has_address(list, address))
		list->addresses[list->count++] = address;
}

static void collect_ways(struct search *search)
{
	const struct instance *instance = search->instance;
	const bool *before = flow_reached(search->flow, &search->resolver->scratch,
					  search->roots.addresses, search->roots.count,
					  search->inside.addresses, search->inside.count);

	for (unsigned i = 0; i < search->roots.count && !search->jumps_anywhere; i++)
		if (is_inside(instance, search->roots.addresses[i]))
			add_address(&search->entrances, search->roots.addresses[i]);
	for (unsigned i = 0; i < instance->nranges; i++) {
		struct path *ways;
		unsigned count = flow_ways_into(search->flow, &search->resolver->scratch,
						instance->ranges[i], &ways);

		for (unsigned j = 0; j < count; j++)
			if (!is_inside(instance, ways[j].from))
				add_address(flow_marked(search->flow, before, ways[j].from) ?
						    &search->entrances : &search->returns,
					    ways[j].to);
	}
}

/* Code without a line is what comes behind the copy. Most copies have one way in, and need no
 * rows. */
static struct error *leave_out_lineless(struct search *search)
{
	struct candidates *lists[] = {&search->entrances, &search->returns};
	struct error *error;
	struct row *rows;

	if (search->entrances.count + search->returns.count < 2)
		return NULL;
	error = debuginfo_rows(search->resolver->info, search->instance, &rows, &search->nrows);
	search->rows = rows;
	for (unsigned i = 0; i < 2 && !error; i++) {
		unsigned count = 0;

		for (unsigned j = 0; j < lists[i]->count; j++)
			if (has_line(search, lists[i]->addresses[j]))
				lists[i]->addresses[count++] = lists[i]->addresses[j];
		lists[i]->count = count;
	}
	return error;
}

/* Leaves out those from which each way leads through one of the rest. */
static void drop_led_on(struct search *search)
{
	struct candidates *list = &search->entrances;

	for (unsigned i = list->count; i-- > 0 && list->count > 1;) {
		uint64_t address = list->addresses[i];

		list->addresses[i] = list->addresses[--list->count];
		if (flow_always_meets(search->flow, address, list->addresses, list->count,
				      search->others.addresses, search->others.count))
			continue;
		list->addresses[list->count++] = list->addresses[i];
		list->addresses[i] = address;
	}
}

/* Whether an execution comes from one of some to an entrance within one call. */
static bool comes_to(const struct search *search, const uint64_t *from, unsigned count,
		     uint64_t entrance)
{
	return flow_reaches_from(search->flow, from, count, entrance, search->others.addresses,
				 search->others.count);
}

static bool is_met_again(const struct search *search)
{
	const struct candidates *list = &search->entrances;

	for (unsigned i = 0; i < list->count; i++)
		if (comes_to(search, &list->addresses[i], 1, list->addresses[i]))
			return true;
	return false;
}

static bool are_met_twice(const struct search *search)
{
	const struct candidates *list = &search->entrances;

	for (unsigned i = 0; i < list->count; i++)
		if (comes_to(search, list->addresses, list->count, list->addresses[i]))
			return true;
	return false;
}

/* The single entrance of no loop needs no statements around the copy, which cost most. */
static bool is_plain(const struct search *search)
{
	return search->entrances.count == 1 && !is_met_again(search);
}

void find_entrances(struct resolver *resolver, const struct flow *flow,
		    const struct instance *instance, struct entrances *ret)
{
	struct search search = {.resolver = resolver, .flow = flow, .instance = instance};

	*ret = (struct entrances){0};
	arena_reset(&resolver->scratch);
	collect_code(&search);
	collect_ways(&search);
	if (search.entrances.count == ENTRANCES_MOST || leave_out_lineless(&search))
		return;
	ret->are_come_back_to = search.returns.count;
	if (!is_plain(&search)) {
		if (outer_statements(resolver, &resolver->scratch, instance, &search.others))
			return;
		drop_led_on(&search);
		if (is_met_again(&search))
			return;
		ret->are_met_twice = are_met_twice(&search);
	}
	ret->addresses = arena_grow(resolver->arena, search.entrances.addresses,
				    search.entrances.count * sizeof(*ret->addresses),
				    (search.entrances.count + 1) * sizeof(*ret->addresses));
	ret->count = search.entrances.count;
}
