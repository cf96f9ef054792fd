/* SPDX-License-Identifier: GPL-2.0-only */
/* An arena as the state of a cmocka test: each test has its own. */
#ifndef UNIT_ARENA_STATE_H
#define UNIT_ARENA_STATE_H

#include <stdlib.h>

#include "base/arena.h"

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct arena));
	arena_init(*state);
	return 0;
}

static int teardown(void **state)
{
	arena_deinit(*state);
	free(*state);
	return 0;
}

#endif
