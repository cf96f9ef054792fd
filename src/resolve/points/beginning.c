// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where an inlined copy begins that has no DW_AT_entry_pc, as clang's have none. Its lowest
 * address may be in the middle of it, or code that never runs.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/merged.h"
#include "resolve/points/kinds.h"

struct ways {
	struct path only;  /* where `count` is 1 */
	unsigned count;    /* from outside the copy */
	bool is_one_place; /* all lead to the same instruction */
	bool has_entry;    /* one leads to the copy's entry */
};

/* Whether the way only leads back into a copy of gcc's that was entered before. */
static bool is_return(const struct flow *flow, const struct instance *instance,
		      const struct path *way)
{
	return instance->is_by_gcc && way->to != instance->entry &&
	       !flow_reaches(flow, way->from, &instance->entry, 1);
}

static void find_ways(struct resolver *resolver, const struct flow *flow,
		      const struct instance *instance, struct ways *ret)
{
	*ret = (struct ways){.is_one_place = true};
	for (unsigned i = 0; i < instance->nranges; i++) {
		struct path *ways;
		unsigned count = flow_ways_into(flow, resolver->arena, instance->ranges[i], &ways);

		for (unsigned j = 0; j < count; j++) {
			if (is_inside(instance, ways[j].from) ||
			    is_return(flow, instance, &ways[j]))
				continue;
			if (!ret->count++)
				ret->only = ways[j];
			ret->is_one_place &= ways[j].to == ret->only.to;
			ret->has_entry |= ways[j].to == instance->entry;
		}
	}
}

/* Whether a call may leave the copy and come back there: code outside it leads from one to the
 * other, and passes no statement. */
static bool comes_again(struct resolver *resolver, const struct flow *flow,
			const struct instance *instance, uint64_t address)
{
	struct candidates others;

	return outer_statements(resolver, resolver->arena, instance, &others) ||
	       flow_reaches_from(flow, &address, 1, address, others.addresses, others.count);
}

/* Whether the instruction changes no variable: a jump, or what fills up a line of the cache. */
static bool is_idle(struct resolver *resolver, const struct path *way)
{
	struct effect effect;
	struct insn insn;

	return way->is_branch ||
	       (code_effect(resolver, way->from, &insn, &effect) && insn.is_padding);
}

/* The instruction before the copy's first one, which is a loop's: each round would count. It is
 * passed with all registers and memory as they are then. Returns 0 when there is none. */
static uint64_t before_loop(struct resolver *resolver, const struct flow *flow,
			    const struct ways *ways)
{
	return ways->count == 1 && is_idle(resolver, &ways->only) &&
			       flow_leads_only(flow, ways->only.from) ?
		       ways->only.from :
		       0;
}

/* Returns 0 when there is no place that each call passes once. */
static uint64_t beginning(struct resolver *resolver, const struct flow *flow,
			  const struct instance *instance, const struct ways *ways)
{
	uint64_t address = ways->only.to;

	if (!ways->is_one_place)
		return 0;
	if (flow_leads_to(flow, instance->ranges, instance->nranges, address))
		return before_loop(resolver, flow, ways);
	return comes_again(resolver, flow, instance, address) ? 0 : address;
}

/* Whether a round of the copy's own loop begins at its entry. gcc says where a call begins unless
 * the loop's head has become one with that: then the code leads back there, and it isn't a loop
 * around the call. */
static bool is_entered_each_round(const struct flow *flow, const struct instance *instance,
				  const struct ways *ways)
{
	return instance->is_by_gcc && ways->has_entry && ways->is_one_place &&
	       flow_leads_to(flow, instance->ranges, instance->nranges, instance->entry);
}

/* Whether one DIE stands for several copies, as where a loop around the call was unrolled. */
static bool is_copied_again(struct resolver *resolver, const struct flow *flow,
			    const struct instance *instance)
{
	const struct candidates entry = {(uint64_t *)&instance->entry, 1};
	struct line_code of;

	if (line_code_read(resolver, instance, 0, &of))
		return false;
	of.flow = flow;
	return calls_again(&of, &entry);
}

/* Each place at which clang's code enters the copy begins calls. */
static void enter_by_ways(struct resolver *resolver, const struct flow *flow,
			  struct instance *instance)
{
	struct entrances found;

	find_entrances(resolver, flow, instance, &found);
	instance->is_entry_doubtful =
		!found.count || found.are_met_twice ||
		(found.are_come_back_to && is_copied_again(resolver, flow, instance));
	if (!found.count)
		return;
	instance->entry = found.addresses[0];
	instance->entry_view = 0;
	instance->other_entries = found.addresses + 1;
	instance->nother_entries = found.count - 1;
}

void find_beginning(struct resolver *resolver, struct instance *instance)
{
	const struct flow *flow;
	struct ways ways;
	uint64_t found;

	if (!instance->inlined || instance->is_entry_told || !instance->nouter_ranges ||
	    instance->entry == instance->outer_ranges[0].start)
		return;
	flow = passing_flow(resolver, instance);
	if (!flow)
		return;
	find_ways(resolver, flow, instance, &ways);
	if (!instance->is_by_gcc && (!flow_is_told(flow) || !ways.is_one_place)) {
		enter_by_ways(resolver, flow, instance);
		return;
	}
	if (!flow_is_told(flow))
		return;
	if (ways.has_entry && !ways.is_one_place && instance->nranges > 1)
		instance->is_entry_doubtful |= is_copied_again(resolver, flow, instance);
	if (!ways.count || (ways.has_entry && !is_entered_each_round(flow, instance, &ways)))
		return;
	found = beginning(resolver, flow, instance, &ways);
	instance->is_entry_doubtful = !found;
	if (!found)
		return;
	instance->entry = found;
	instance->entry_view = 0;
}
