/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of an array's elements by where each is in memory, one for each granule of addresses. To
 * make them takes a fraction of what sorting does, and few are asked for.
 */
#ifndef BASE_GRANULES_H
#define BASE_GRANULES_H

#include <stdint.h>

#include "base/arena.h"

#define GRANULE_LISTS 1024 /* granules this many apart share one */

struct granules {
	unsigned bits; /* a granule has this many bits of an address */
	uint32_t first[GRANULE_LISTS]; /* elements, numbered from 1; 0: none */
	uint32_t *next;
};

static inline void granules_init(struct granules *granules, struct arena *arena, unsigned bits,
				 size_t count)
{
	granules->bits = bits;
	granules->next = arena_array(arena, uint32_t, count + 1);
}

static inline void granules_add(struct granules *granules, uint32_t number, uint64_t address)
{
	uint32_t *first = &granules->first[(address >> granules->bits) % GRANULE_LISTS];

	granules->next[number] = *first;
	*first = number;
}

/* The element that was added last of those in the address's granule, and of others that share its
 * list. */
static inline uint32_t granules_first(const struct granules *granules, uint64_t address)
{
	return granules->first[(address >> granules->bits) % GRANULE_LISTS];
}

/* How many lists have the elements of [start, end), from granules_first(start) on. */
static inline unsigned granules_lists(const struct granules *granules, uint64_t start, uint64_t end)
{
	uint64_t count = start < end ?
			 ((end - 1) >> granules->bits) - (start >> granules->bits) + 1 : 0;

	return count < GRANULE_LISTS ? (unsigned)count : GRANULE_LISTS;
}

/* Each element of the lists that those in [start, end) are in, with others; `break` leaves one list
 * only. */
#define granules_each(in, start, end, number) \
	for (uint64_t list_ = 0; list_ < granules_lists(in, start, end); list_++) \
		for (uint32_t number = granules_first(in, (start) + (list_ << (in)->bits)); \
		     number; number = (in)->next[number])

#endif
