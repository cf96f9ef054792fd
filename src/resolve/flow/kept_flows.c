// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the control flow of the functions that were asked about last.
 *
 * The surprise: to decode a function is most of what a doubt about a value costs, and a glob of all
 * functions asks about each as often as there are copies inlined into it. These come near each
 * other: a unit's functions are searched one after the other.
 */
#include "resolve/flow/flow.h"

enum {
	CODE_KEPT = 48 * 1024,   /* bytes of all functions; a single one may have more */
	MEMORY_KEPT = 64 * 1024, /* bytes of an arena, for the next function in its place */
};

static uint64_t code_of(const struct instance *instance)
{
	uint64_t size = 0;

	for (unsigned i = 0; i < instance->nouter_ranges; i++)
		size += instance->outer_ranges[i].end - instance->outer_ranges[i].start;
	return size;
}

static void forget(struct kept_flow *kept)
{
	if (kept->arena.total > MEMORY_KEPT)
		arena_deinit(&kept->arena);
	else
		arena_reset(&kept->arena);
	kept->flow = NULL;
	kept->size = 0;
}

/* A free place, with those forgotten whose last use is longest ago. */
static struct kept_flow *make_room(struct resolver *resolver, uint64_t size)
{
	for (;;) {
		struct kept_flow *room = NULL, *oldest = NULL;
		uint64_t all = size;

		for (unsigned i = 0; i < FLOWS_KEPT; i++) {
			struct kept_flow *kept = &resolver->kept_flows[i];

			all += kept->size;
			if (!kept->flow)
				room = kept;
			else if (!oldest || kept->used < oldest->used)
				oldest = kept;
		}
		if (room && (all <= CODE_KEPT || !oldest))
			return room;
		forget(oldest);
	}
}

static struct flow *build(struct resolver *resolver, const struct instance *instance,
			  struct kept_flow *room)
{
	room->flow = flow_of(resolver, &room->arena, instance->outer_ranges,
			     instance->nouter_ranges);
	return room->flow;
}

struct flow *rough_flow(struct resolver *resolver, const struct instance *instance)
{
	struct kept_flow *room;

	if (!instance->nouter_ranges)
		return NULL;
	if (flow_is_around(resolver->flow, instance))
		return resolver->flow;
	resolver->flow_uses++;
	for (unsigned i = 0; i < FLOWS_KEPT; i++) {
		struct kept_flow *kept = &resolver->kept_flows[i];

		if (flow_is_around(kept->flow, instance)) {
			kept->used = resolver->flow_uses;
			return kept->flow;
		}
	}
	room = make_room(resolver, code_of(instance));
	if (build(resolver, instance, room)) {
		room->size = code_of(instance);
		room->used = resolver->flow_uses;
	} else {
		forget(room);
	}
	return room->flow;
}

struct flow *passing_flow(struct resolver *resolver, const struct instance *instance)
{
	struct flow *flow = rough_flow(resolver, instance);

	return flow_end_at_calls(resolver, flow) ? flow : NULL;
}
