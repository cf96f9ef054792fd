// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where a line begins with an inlined copy that it calls, in code without markers: of
 * `if (is_empty(list))` the copy may be all that runs unless the result has to be tested.
 *
 * The surprise: a copy has several ranges, as others' code lies between, and no table says which
 * one a call enters first. Control flow does, as with the line's own addresses.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/passes.h"

static void insert(struct candidates *list, uint64_t address)
{
	unsigned at = 0;

	while (at < list->count && list->addresses[at] < address)
		at++;
	memmove(&list->addresses[at + 1], &list->addresses[at],
		(list->count - at) * sizeof(*list->addresses));
	list->addresses[at] = address;
	list->count++;
}

unsigned passes_copies(struct resolver *resolver, const struct instance *instance,
		       struct instance ***ret)
{
	struct inner_copies *kept = &resolver->inner_copies;

	if (kept->source != instance->source || !kept->source) {
		*kept = (struct inner_copies){.source = instance->source};
		if (debuginfo_inner(resolver->info, instance, &kept->list, &kept->count))
			*kept = (struct inner_copies){0};
	}
	*ret = kept->list;
	return kept->count;
}

unsigned passes_call_line(struct resolver *resolver, const struct instance *instance,
			  uint64_t address)
{
	struct instance **copies;
	unsigned count = passes_copies(resolver, instance, &copies);

	for (unsigned i = 0; i < count; i++)
		if (is_inside(copies[i], address))
			return copies[i]->call_line;
	return 0;
}

/* Whether an execution comes back there before it leaves the copy: each round would count. */
static bool is_loop(const struct line_code *of, const struct instance *copy, uint64_t address)
{
	struct candidates exits = {0};

	for (unsigned i = 0; i < flow_count(of->flow); i++) {
		struct flow_step step = flow_step(of->flow, i);

		for (unsigned j = 0; j < 3 && is_inside(copy, step.address); j++) {
			uint64_t to = step.next[j] < 0 ? address :
				      flow_step(of->flow, (unsigned)step.next[j]).address;

			if (!is_inside(copy, to))
				arena_append(&of->resolver->scratch, exits.addresses,
					     exits.count) = to;
		}
	}
	return flow_reaches_from(of->flow, &address, 1, address, exits.addresses, exits.count);
}

/* Whether an execution that enters the copy there has passed one of the line's own addresses, or
 * always comes to one. */
static bool is_counted(const struct flow *flow, const struct candidates *own, uint64_t address)
{
	return !flow_reaches(flow, address, own->addresses, own->count) ||
	       flow_always_meets(flow, address, own->addresses, own->count, NULL, 0);
}

/* Whether the copy jumps by a table, as a switch does: then it isn't known where a call goes on. */
static bool has_table(const struct line_code *of, const struct instance *copy)
{
	struct insn insn = {.length = 1};
	struct effect effect;

	for (unsigned i = 0; i < copy->nranges; i++)
		for (uint64_t at = copy->ranges[i].start; at < copy->ranges[i].end;
		     at += insn.length)
			if (!code_effect(of->resolver, at, &insn, &effect) || insn.is_indirect)
				return true;
	return false;
}

/* Whether a row says what is there: what follows code without a line of its own lies in the range of
 * a copy though it may be any statement's. */
static bool is_told(const struct line_code *of, uint64_t address)
{
	const struct row *row = row_around(of, address);

	return row && row->line;
}

/* Where code outside the copy leads into it. */
static void add_entries(const struct line_code *of, const struct candidates *own,
			const struct instance *copy, struct candidates *ret)
{
	for (unsigned i = 0; i < copy->nranges; i++) {
		struct path *ways;
		unsigned count = flow_ways_into(of->flow, &of->resolver->scratch, copy->ranges[i],
						&ways);

		for (unsigned j = 0; j < count; j++)
			if (!is_inside(copy, ways[j].from) && is_told(of, ways[j].to) &&
			    !has_address(ret, ways[j].to) &&
			    !has_address(own, ways[j].to) &&
			    !is_counted(of->flow, own, ways[j].to) &&
			    !is_loop(of, copy, ways[j].to))
				arena_append(&of->resolver->scratch, ret->addresses, ret->count) =
					ways[j].to;
	}
}

bool passes_add_called(const struct line_code *of, const struct candidates *own,
		       struct candidates *ret)
{
	struct candidates entries = {0};
	struct instance **copies;
	unsigned count = own->count ? passes_copies(of->resolver, of->instance, &copies) : 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned before = entries.count;

		if (copies[i]->call_line == of->line)
			add_entries(of, own, copies[i], &entries);
		if (entries.count > before && has_table(of, copies[i]))
			entries.count = before;
	}
	*ret = (struct candidates){0};
	if (!entries.count)
		return false;
	ret->addresses = arena_grow(&of->resolver->scratch, own->addresses,
				    own->count * sizeof(*ret->addresses),
				    (own->count + entries.count + 1) * sizeof(*ret->addresses));
	ret->count = own->count;
	for (unsigned i = 0; i < entries.count; i++)
		insert(ret, entries.addresses[i]);
	return true;
}

bool passes_meet_called(const struct line_code *of, const struct candidates *own,
			const struct candidates *list)
{
	struct breaks breaks;
	const struct candidates *others = &breaks.others;

	breaks_collect(of, &breaks);
	for (unsigned i = 0; i < list->count; i++)
		for (unsigned j = 0; j < list->count; j++)
			if (has_address(own, list->addresses[i]) !=
				    has_address(own, list->addresses[j]) &&
			    flow_reaches_from(of->flow, &list->addresses[i], 1, list->addresses[j],
					      others->addresses, others->count))
				return true;
	return false;
}
