// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a parameter may lack what its function's head has made of it. gcc splits a function
 * with a short head, and gives the part behind it the parameters as the head was given them. What
 * the head changes is computed anew in the part (`n -= 2; ... n -= 8;` is one subtraction of 10),
 * and the change's own location is left in the head.
 *
 * The surprise: an inlined part says that it is called where the function is declared.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "resolve/values/doubts.h"

/* Whether the instance is what is left of its function without the head. */
static bool is_split_off(const struct walk *walk)
{
	const struct instance *instance = walk->instance;

	return instance->inlined ? instance->call_line == instance->function->line :
				   is_part(walk->resolver, instance);
}

bool is_before_head(const struct walk *walk, struct position at, bool is_own)
{
	const struct variable *variable = walk->variable;

	return is_by_gcc(walk) && !at.is_entry && variable->scope == SCOPE_PARAMETER &&
	       (!is_own || variable->holds.start <= walk->instance->entry) && is_split_off(walk);
}
