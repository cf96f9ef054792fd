// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps companions' records until the record they belong to comes, by the thread's frame or by CPU.
 * The table is bounded: a slot that another call needs is given to it, and the hit that then lacks
 * its companion says so. After a loss nothing is kept, since a lost record may have replaced it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "stream/internal.h"
#include "stream/kept.h"

#define SLOTS 16384 /* calls in flight, all threads; a power of two */
#define PROBES 8    /* slots probed for one key */
/* Calls that share a frame because each ended by a jump to the next (tail calls): the kernel
 * reports their returns one after the other. It keeps at least this many pending returns (64 for
 * a program's thread, 10 for a kernel function); beyond, it reports only some, and doesn't say
 * which. */
#define CHAIN_MAX PROBES

struct slot {
	struct kept kept;
	struct kept_key key;
	uint64_t stamp; /* 0: free */
	unsigned chain; /* calls of its frame; above CHAIN_MAX: none is known */
	bool is_over;   /* above CHAIN_MAX: one of them has returned */
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

/* The newest slot with the key, or NULL. Tail calls share a frame, so there may be several. */
static struct slot *find(struct keeper *keeper, const struct kept_key *key)
{
	unsigned first = first_slot(key);
	struct slot *newest = NULL;

	for (unsigned i = 0; i < PROBES; i++) {
		struct slot *slot = &keeper->slots[(first + i) & (SLOTS - 1)];

		if (slot->stamp && same_key(&slot->key, key) &&
		    (!newest || slot->stamp > newest->stamp))
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

/* A free slot, else the oldest: its call is the likeliest to be over. */
static struct slot *choose(struct keeper *keeper, const struct kept_key *key)
{
	unsigned first = first_slot(key);
	struct slot *oldest = &keeper->slots[first];

	for (unsigned i = 0; i < PROBES; i++) {
		struct slot *slot = &keeper->slots[(first + i) & (SLOTS - 1)];

		if (slot->stamp < oldest->stamp)
			oldest = slot;
	}
	/* the other calls of its frame can no longer be told apart */
	if (oldest->stamp && oldest->chain)
		forget_key(keeper, &oldest->key);
	oldest->chain = 0;
	oldest->is_over = false;
	return oldest;
}

/* The slot for one more call of a frame. Returns NULL when there are too many. */
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

void keeper_put(struct keeper *keeper, const struct kept_key *key, bool is_more,
		const uint8_t *data, uint32_t length, uint64_t time)
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
