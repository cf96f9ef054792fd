// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells functions of which compilers often make several calls one: getters, a few instructions
 * without a branch that return a value.
 *
 * The surprise: one small copy is enough. The others are larger by what the scheduler left in them.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/merged.h"

enum { SMALL = 16 }; /* bytes */

static bool is_straight(struct resolver *resolver, const struct instance *instance)
{
	for (unsigned i = 0; i < instance->nranges; i++) {
		struct insn insn = {.length = 1};
		struct effect effect;
		uint64_t at = instance->ranges[i].start;

		for (; at < instance->ranges[i].end; at += insn.length)
			if (!code_effect(resolver, at, &insn, &effect) ||
			    (insn.is_branch && insn.falls_through))
				return false;
	}
	return true;
}

/* Whether most copies have no branch, and one is small. */
static bool are_small(struct resolver *resolver, struct instance *const *all, unsigned count)
{
	unsigned nstraight = 0, nothers = 0;
	bool is_small = false;

	for (unsigned i = 0; i < count; i++) {
		if (!all[i]->nranges)
			continue;
		if (is_straight(resolver, all[i]))
			nstraight++;
		else
			nothers++;
		is_small |= instance_size(all[i]) <= SMALL;
	}
	return is_small && nstraight >= nothers;
}

bool is_getter(struct resolver *resolver, const struct function *function,
	       struct instance *const *all, unsigned count)
{
	const struct type *type;

	return !debuginfo_return_type(resolver->info, function, &type) &&
	       type->kind != TYPE_VOID && are_small(resolver, all, count);
}
