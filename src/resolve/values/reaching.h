/* SPDX-License-Identifier: GPL-2.0-only */
/* What code puts into the places that it reads behind a constant's beginning. */
#ifndef RESOLVE_REACHING_H
#define RESOLVE_REACHING_H

#include "resolve/values/trail.h"

/* A register, or a slot of the stack at an offset from the stack pointer. */
struct spot {
	bool is_slot;
	int number;
	int64_t offset;
};

/* reaching.c: whether code puts the constant into the place on one way, and something that is no
 * constant on another. through_joins: also where ways meet several times, and copies lie between. */
bool has_both(const struct trail *trail, struct spot place, bool through_joins);

#endif
