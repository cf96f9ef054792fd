// SPDX-License-Identifier: GPL-2.0-only
/*
 * Companions' records in, kept until the record they belong to comes: of a thread's frame, or of a
 * CPU. Only so many are kept: a slot that another needs is given to it, and the hit that misses it
 * says so. After a loss nothing is kept, since what was lost may have replaced it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "stream/internal.h"

#define SLOTS 16384 /* calls in flight, all threads; a power of two */
#define PROBES 8    /* slots looked at for one key */
/* Calls of one frame whose ends the kernel tells one after the other, each ended by a jump to the next. It has so
 * many returns waiting at least (64 of a program's thread, 10 of a kernel's function); beyond, it tells the ends
 * of some only, and not of which. */
#define CHAIN_MAX PROBES

struct slot {
	struct kept kept;
	struct kept_key key;
	uint64_t stamp; /* 0: free */
	unsigned chain; /* calls of its frame; more than CHAIN_MAX: nothing is known of any */
	bool is_over;   /* where nothing is known: an end of one of them was told */
	uint32_t room;
};

struct keeper {
	struct slot slots[SLOTS];
	uint64_t stamp;
};

struct keeper *keeper_new(struct arena *arena)
{
	return arena_new(arena, struct keeper);
}

void keeper_free(struct keeper *keeper)
{
	for (unsigned i = 0; keeper && i < SLOTS; i++)
		free(keeper->slots[i].kept.data);
}

void keeper_forget(struct keeper *keeper)
{
	for (unsigned i = 0; i < SLOTS; i++)
		keeper->slots[i].stamp = 0;
}

static bool same_key(const struct kept_key *a, const struct kept_key *b)
{
	return a->probe == b->probe && a->owner == b->owner && a->frame == b->frame;
}

static unsigned first_slot(const struct kept_key *key)
{
	uint64_t hash = key->frame * 0x9e3779b97f4a7c15u;

	hash ^= ((uint64_t)key->probe << 32 | (uint32_t)key->owner) * 0xc2b2ae3d27d4eb4fu;
	return (unsigned)(hash >> 40) & (SLOTS - 1);
}

/* The newest: calls that a function ended with a jump to another one share a frame. */
static struct slot *find(struct keeper *keeper, const struct kept_key *key)
{
	unsigned first = first_slot(key);
	struct slot *newest = NULL;

	for (unsigned i = 0; i < PROBES; i++) {
		struct slot *slot = &keeper->slots[(first + i) & (SLOTS - 1)];

		if (slot->stamp && same_key(&slot->key, key) && (!newest || slot->stamp > newest->stamp))
			newest = slot;
	}
	return newest;
}

static void forget_key(struct keeper *keeper, const struct kept_key *key)
{
	struct slot *slot;

	while ((slot = find(keeper, key)))
		slot->stamp = 0;
}

/* A free one, else the oldest: its call is the likeliest to be over. */
static struct slot *choose(struct keeper *keeper, const struct kept_key *key)
{
	unsigned first = first_slot(key);
	struct slot *oldest = &keeper->slots[first];

	for (unsigned i = 0; i < PROBES; i++) {
		struct slot *slot = &keeper->slots[(first + i) & (SLOTS - 1)];

		if (slot->stamp < oldest->stamp)
			oldest = slot;
	}
	/* of the others of its frame it wouldn't be known any more which end is whose */
	if (oldest->stamp && oldest->chain)
		forget_key(keeper, &oldest->key);
	oldest->chain = 0;
	oldest->is_over = false;
	return oldest;
}

/* The slot for one more call of a frame; NULL: there are too many. */
static struct slot *extend(struct keeper *keeper, const struct kept_key *key)
{
	struct slot *slot = find(keeper, key);
	unsigned chain;

	if (slot && slot->is_over) {
		forget_key(keeper, key);
		slot = NULL;
	}
	chain = slot ? slot->chain + 1 : 1;
	if (chain > CHAIN_MAX) {
		slot->chain = chain;
		return NULL;
	}
	slot = choose(keeper, key);
	slot->chain = chain;
	return slot;
}

static struct slot *replace(struct keeper *keeper, const struct kept_key *key)
{
	struct slot *slot = find(keeper, key);

	return slot ? slot : choose(keeper, key);
}

void keeper_put(struct keeper *keeper, const struct kept_key *key, bool is_more, const uint8_t *data,
		uint32_t length, uint64_t time)
{
	struct slot *slot = is_more ? extend(keeper, key) : replace(keeper, key);

	if (!slot)
		return;
	if (slot->room < length) {
		uint8_t *room = realloc(slot->kept.data, length);

		slot->stamp = 0;
		if (!room)
			return;
		slot->kept.data = room;
		slot->room = length;
	}
	memcpy(slot->kept.data, data, length);
	slot->kept.length = length;
	slot->kept.time = time;
	slot->key = *key;
	slot->stamp = ++keeper->stamp;
}

const struct kept *keeper_get(struct keeper *keeper, const struct kept_key *key)
{
	const struct slot *slot = find(keeper, key);

	return slot && slot->chain <= CHAIN_MAX ? &slot->kept : NULL;
}

void keeper_drop(struct keeper *keeper, const struct kept_key *key)
{
	struct slot *slot = find(keeper, key);

	if (slot && slot->chain > CHAIN_MAX)
		slot->is_over = true;
	else if (slot)
		slot->stamp = 0;
}
