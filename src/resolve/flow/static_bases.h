/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers that hold the address of a static wherever the function uses them. */
#ifndef RESOLVE_STATIC_BASES_H
#define RESOLVE_STATIC_BASES_H

#include "resolve/internal.h"

enum { STATIC_BASES = 32 };

struct effect;
struct flow;
struct static_bases {
	uint64_t registers; /* one bit each */
	uint64_t at[STATIC_BASES];
};
/* Of the function around the instance. Lives as long as the function's flow; NULL: it has none. */
const struct static_bases *static_bases_of(struct resolver *resolver,
					   const struct instance *instance);
/* Has a store through one of them name the static. */
void static_bases_name(const struct static_bases *bases, struct effect *effect);

#endif
