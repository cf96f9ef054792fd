// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the registers that hold a static's address for all of a function: gcc puts `&total` into
 * one before a loop, and stores through it in the loop.
 *
 * The surprise: such a store names no static.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/static_bases.h"

/* Whether the function gives its caller the registers back. */
static bool restores(const struct effect *effect)
{
	return effect->stack == STACK_RESTORED ||
	       (effect->stack == STACK_MOVED && effect->value > 0);
}

static void find(struct resolver *resolver, const struct flow *flow, struct static_bases *ret)
{
	const struct arch *arch = resolver->arch;
	uint64_t named = 0, other = ~arch->preserved; /* registers, one bit each */
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; i < flow_count(flow); i++) {
		if (!code_effect(resolver, flow_step(flow, i).address, &insn, &effect)) {
			other = UINT64_MAX;
			break;
		}
		if (insn.is_call || restores(&effect))
			continue;
		if (effect.memory != MEMORY_ADDRESS || !effect.static_at || effect.is_indexed)
			other |= effect.written;
		for (unsigned j = 0; j < STATIC_BASES && !(other & effect.written); j++) {
			if (!(effect.written >> j & 1))
				continue;
			if (named >> j & 1 && ret->at[j] != effect.static_at)
				other |= effect.written;
			named |= (uint64_t)1 << j;
			ret->at[j] = effect.static_at;
		}
	}
	ret->registers = named & ~other;
}

const struct static_bases *static_bases_of(struct resolver *resolver,
					   const struct instance *instance)
{
	struct flow *flow = passing_flow(resolver, instance);
	struct static_bases **kept;
	struct arena *arena;

	if (!flow)
		return NULL;
	kept = flow_static_bases(flow, &arena);
	if (!*kept) {
		*kept = arena_new(arena, struct static_bases);
		find(resolver, flow, *kept);
	}
	return *kept;
}

void static_bases_name(const struct static_bases *bases, struct effect *effect)
{
	int base = effect->store_size ? effect->store_base : NO_REGISTER;

	if (!bases || base < 0 || base >= STATIC_BASES || !(bases->registers >> base & 1))
		return;
	effect->static_at = bases->at[base] + (uint64_t)effect->store_offset;
	effect->static_size = effect->store_size;
	effect->store_size = 0;
	effect->store_base = NO_REGISTER;
}
