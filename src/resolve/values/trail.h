/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the code that a search along a variable's locations has looked at. */
#ifndef RESOLVE_TRAIL_H
#define RESOLVE_TRAIL_H

#include "resolve/flow/flow.h"
#include "resolve/values/walk.h"

enum { MOST_PARTS = 16 };

struct trail {
	const struct walk *walk;
	const struct flow *flow;
	uint64_t parts[MOST_PARTS]; /* their starts */
	unsigned nparts;
	struct arena *own; /* for the ways to them, if what has made the trail needs one */
};

/* values/both_ways.c: whether a constant by clang begins on both ways of a branch of a copy that is
 * called. */
bool is_of_both_ways(const struct trail *trail, const struct variable *variable);

/* Whether it begins behind several branches of such a copy. */
bool is_of_several_ways(const struct trail *trail, const struct variable *variable);

/* Whether the constant begins anywhere right behind a branch of such a copy. */
bool begins_behind_copy(const struct trail *trail, const struct variable *variable);

/* Adds a part. Returns false if it was there already, or there is no room. */
static inline bool trail_add(struct trail *trail, uint64_t part)
{
	for (unsigned i = 0; i < trail->nparts; i++)
		if (trail->parts[i] == part)
			return false;
	if (trail->nparts == MOST_PARTS)
		return false;
	trail->parts[trail->nparts++] = part;
	return true;
}

#endif
