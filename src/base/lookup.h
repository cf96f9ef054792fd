/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds an element of a list by its key's hash: open addressing, never more than half full. The
 * caller owns the list and the keys; a lookup only knows hashes and indices. All zero, it is empty.
 */
#ifndef BASE_LOOKUP_H
#define BASE_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

struct lookup {
	struct lookup_slot {
		uint32_t hash;
		uint32_t number; /* the element's index + 1; 0: free */
	} *slots; /* NULL: nothing was added */
	size_t mask;
	size_t count;
};

#define LOOKUP_NONE SIZE_MAX

/*
 * The index of the first element added with that hash for which is_it holds, or LOOKUP_NONE. is_it:
 * an expression of the index, named `i`:
 *
 *	at = lookup_find(&names, text_hash(name), i, !strcmp(list[i].name, name));
 */
#define lookup_find(in, its_hash, i, is_it) ({ \
	const struct lookup *lookup_ = (in); \
	uint32_t hash_ = (its_hash); \
	size_t found_ = LOOKUP_NONE; \
	for (size_t at_ = hash_; lookup_->slots; at_++) { \
		const struct lookup_slot *slot_ = &lookup_->slots[at_ & lookup_->mask]; \
		size_t i = (size_t)slot_->number - 1; \
		if (!slot_->number) \
			break; \
		if (slot_->hash == hash_ && (is_it)) { \
			found_ = i; \
			break; \
		} \
	} \
	found_; \
})

/* Adds an element that is not in it yet. number: its index, below 2^32 - 1. */
void lookup_add(struct arena *arena, struct lookup *lookup, uint32_t hash, size_t number);
/* Makes room for `count` elements at once, which is cheaper than one by one. */
void lookup_reserve(struct arena *arena, struct lookup *lookup, size_t count);

#endif
