// SPDX-License-Identifier: GPL-2.0-only
/* Builds the table that lookup_find() searches. Elements are never removed. */
#include "base/lookup.h"

#define LEAST 16

static void put(struct lookup *lookup, struct lookup_slot slot)
{
	size_t at = slot.hash;

	while (lookup->slots[at & lookup->mask].number)
		at++;
	lookup->slots[at & lookup->mask] = slot;
}

void lookup_reserve(struct arena *arena, struct lookup *lookup, size_t count)
{
	struct lookup old = *lookup;
	size_t size = old.slots ? old.mask + 1 : LEAST;

	while (size < 2 * count)
		size *= 2;
	if (old.slots && size == old.mask + 1)
		return;
	lookup->slots = arena_array(arena, struct lookup_slot, size);
	lookup->mask = size - 1;
	for (size_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].number)
			put(lookup, old.slots[i]);
}

void lookup_add(struct arena *arena, struct lookup *lookup, uint32_t hash, size_t number)
{
	lookup_reserve(arena, lookup, ++lookup->count);
	put(lookup, (struct lookup_slot){hash, (uint32_t)number + 1});
}
