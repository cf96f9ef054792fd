/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of companions that wait for the event they serve. */
#ifndef STREAM_KEPT_H
#define STREAM_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* companions.c: keeps companions' records until they are asked for. */
struct kept {
	uint8_t *data;
	uint32_t length;
	uint64_t time;
};
struct kept_key {
	unsigned probe; /* the companion's index in the plan */
	int owner;      /* thread; the CPU for PART_MEMORY */
	uint64_t frame; /* canonical frame address; 0 for PART_MEMORY */
};
struct keeper;
struct keeper *keeper_new(struct arena *arena);
void keeper_free(struct keeper *keeper);
/* is_more: the key's older records stay, below this one; else it replaces them. */
void keeper_put(struct keeper *keeper, const struct kept_key *key, bool is_more,
		const uint8_t *data, uint32_t length, uint64_t time);
/* The last record put for the key. Returns NULL when it is not there. Valid until the next
 * keeper_put. */
const struct kept *keeper_get(struct keeper *keeper, const struct kept_key *key);
void keeper_drop(struct keeper *keeper, const struct kept_key *key);
void keeper_forget(struct keeper *keeper);

#endif
