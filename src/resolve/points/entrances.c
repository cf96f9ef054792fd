// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the instructions at which clang's code enters an inlined copy, where there are several: a
 * call's first test was decided before it, or became one with a test in front of the call.
 *
 * The surprise: not each way into the copy begins a call. What leads in only from where the copy
 * has been is the same call's, and code without a line is what comes behind the copy.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/breaks.h"
#include "resolve/points/kinds.h"

struct search {
	struct resolver *resolver;
	const struct flow *flow;
	const struct instance *instance;
	const struct row *rows;
	unsigned nrows;
	struct candidates inside; /* the copy's instructions */
	struct candidates roots;  /* the function's entry, and what unknown jumps may lead to */
	struct candidates others;
	bool jumps_anywhere;      /* the copy itself may lead to any of these */
};

static bool decodes_to(const struct search *search, uint64_t address, struct insn *insn)
{
	struct effect effect;

	return code_effect(search->resolver, address, insn, &effect);
}

static void collect_code(struct search *search)
{
	unsigned count = flow_count(search->flow);

	search->inside.addresses = arena_array(&search->resolver->scratch, uint64_t, count);
	search->roots.addresses = arena_array(&search->resolver->scratch, uint64_t, count);
	for (unsigned i = 0; i < count; i++) {
		struct flow_step step = flow_step(search->flow, i);
		struct insn insn = {0};

		if (is_inside(search->instance, step.address)) {
			search->inside.addresses[search->inside.count++] = step.address;
			search->jumps_anywhere |= decodes_to(search, step.address, &insn) &&
						  insn.is_indirect;
		}
		if (step.is_root && decodes_to(search, step.address, &insn) && !insn.is_padding)
			search->roots.addresses[search->roots.count++] = step.address;
	}
}

/* Whether the code that begins there has a line before it may go elsewhere. */
static bool has_line(const struct search *search, uint64_t address)
{
	uint64_t end = flow_straight_end(search->flow, address);

	for (unsigned i = 0; i < search->nrows; i++) {
		const struct row *row = &search->rows[i];

		if (row->line && row->end > address && row->address < end &&
		    is_inside(search->instance, row->address))
			return true;
	}
	return false;
}

static void add_entrance(const struct search *search, uint64_t address, struct entrances *ret)
{
	bool is_new = true;

	for (unsigned i = 0; i < ret->count; i++)
		is_new &= ret->addresses[i] != address;
	if (is_new && has_line(search, address))
		arena_append(search->resolver->arena, ret->addresses, ret->count) = address;
}

static void collect_entrances(struct search *search, struct entrances *ret)
{
	const struct instance *instance = search->instance;
	const bool *before = flow_reached(search->flow, &search->resolver->scratch,
					  search->roots.addresses, search->roots.count,
					  search->inside.addresses, search->inside.count);

	for (unsigned i = 0; i < search->roots.count && !search->jumps_anywhere; i++)
		if (is_inside(instance, search->roots.addresses[i]))
			add_entrance(search, search->roots.addresses[i], ret);
	for (unsigned i = 0; i < instance->nranges; i++) {
		struct path *ways;
		unsigned count = flow_ways_into(search->flow, &search->resolver->scratch,
						instance->ranges[i], &ways);

		for (unsigned j = 0; j < count; j++) {
			if (is_inside(instance, ways[j].from))
				continue;
			if (flow_marked(search->flow, before, ways[j].from))
				add_entrance(search, ways[j].to, ret);
			else
				ret->are_come_back_to |= has_line(search, ways[j].to);
		}
	}
}

/* The statements of the code around the copy: whatever meets one has left it. */
static struct error *collect_others(struct search *search)
{
	const struct instance *instance = search->instance;
	struct error *error;
	struct row *rows;
	unsigned nrows;

	error = outer_rows(search->resolver, instance, &rows, &nrows);
	if (error)
		return error;
	search->others.addresses = arena_array(&search->resolver->scratch, uint64_t, nrows + 1);
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_stmt && rows[i].line && !is_inside(instance, rows[i].address))
			search->others.addresses[search->others.count++] = rows[i].address;
	return NULL;
}

/* Leaves out those from which each way leads through one of the rest. */
static void drop_led_on(const struct search *search, struct entrances *entrances)
{
	for (unsigned i = entrances->count; i-- > 0 && entrances->count > 1;) {
		uint64_t address = entrances->addresses[i];

		entrances->addresses[i] = entrances->addresses[--entrances->count];
		if (flow_always_meets(search->flow, address, entrances->addresses,
				      entrances->count, search->others.addresses,
				      search->others.count))
			continue;
		entrances->addresses[entrances->count++] = entrances->addresses[i];
		entrances->addresses[i] = address;
	}
}

/* Whether an execution comes from one of some to an entrance within one call. */
static bool comes_to(const struct search *search, const uint64_t *from, unsigned count,
		     uint64_t entrance)
{
	return flow_reaches_from(search->flow, from, count, entrance, search->others.addresses,
				 search->others.count);
}

void find_entrances(struct resolver *resolver, const struct flow *flow,
		    const struct instance *instance, struct entrances *ret)
{
	struct search search = {.resolver = resolver, .flow = flow, .instance = instance};
	struct row *rows;

	*ret = (struct entrances){0};
	arena_reset(&resolver->scratch);
	if (debuginfo_rows(resolver->info, instance, &rows, &search.nrows) ||
	    collect_others(&search))
		return;
	search.rows = rows;
	collect_code(&search);
	collect_entrances(&search, ret);
	drop_led_on(&search, ret);
	for (unsigned i = 0; i < ret->count; i++) {
		if (comes_to(&search, &ret->addresses[i], 1, ret->addresses[i]))
			ret->count = 0;
		else if (comes_to(&search, ret->addresses, ret->count, ret->addresses[i]))
			ret->are_met_twice = true;
	}
}
