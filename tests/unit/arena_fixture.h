/* SPDX-License-Identifier: GPL-2.0-only */
/* cmocka's setup and teardown for tests that need an arena: *state. */
#ifndef TESTS_UNIT_ARENA_FIXTURE_H
#define TESTS_UNIT_ARENA_FIXTURE_H

#include <stdlib.h>

#include "base/arena.h"

static int setup(void **state)
{
	struct arena *arena = malloc(sizeof(*arena));

	if (!arena)
		return -1;
	arena_init(arena);
	*state = arena;
	return 0;
}

static int teardown(void **state)
{
	arena_deinit(*state);
	free(*state);
	return 0;
}

#endif
