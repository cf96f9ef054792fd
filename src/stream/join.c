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

struct slot {
	struct kept kept;
	struct kept_key key;
	uint64_t stamp; /* 0: free */
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

static struct slot *find(struct keeper *keeper, const struct kept_key *key)
{
	unsigned first = first_slot(key);

	for (unsigned i = 0; i < PROBES; i++) {
		struct slot *slot = &keeper->slots[(first + i) & (SLOTS - 1)];

		if (slot->stamp && same_key(&slot->key, key))
			return slot;
	}
	return NULL;
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
	return oldest;
}

void keeper_put(struct keeper *keeper, const struct kept_key *key, const uint8_t *data,
		uint32_t length, uint64_t time)
{
	struct slot *slot = find(keeper, key);

	if (!slot)
		slot = choose(keeper, key);
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

	return slot ? &slot->kept : NULL;
}

void keeper_drop(struct keeper *keeper, const struct kept_key *key)
{
	struct slot *slot = find(keeper, key);

	if (slot)
		slot->stamp = 0;
}
