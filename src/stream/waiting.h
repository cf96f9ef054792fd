/* SPDX-License-Identifier: GPL-2.0-only */
/* The starts of a pair that wait for their ends, and the key by which an end finds its own. */
#ifndef STREAM_WAITING_H
#define STREAM_WAITING_H

#include "ktrace/pairs.h"
#include "stream/internal.h"

#define KEY_MAX (KERNEL_RECORD_MAX + 16 * KERNEL_ARGS_MAX) /* bytes */
#define NONE UINT32_MAX
#define COMM_SIZE 16

/* pair_key.c: what a start and its end have in common. */
struct pair_key {
	uint8_t bytes[KEY_MAX];
	uint32_t size;
	uint32_t hash;
};
/* The half of a pair that a hit is taken for, with that half's values. */
struct pair_half {
	bool is_start;
	const struct value *values;
	const struct datum *data;
};
/* The key of the hit that was decoded. Returns false if it can't have a partner. */
bool pair_key_make(struct pair_key *key, struct decoder *decoder, const struct layout *layout,
		   const struct pair *pair, const struct pair_half *half);

/* waiting.c: a start is named by its index. */
struct start {
	uint32_t next;  /* in its chain; of a free one, the next free one */
	uint32_t older; /* of all that wait; NONE: the oldest */
	uint32_t newer;
	uint32_t hash;
	uint32_t key_size;
	uint32_t room;
	uint8_t *data; /* the key, then the values, then the bytes that these have */
	bool is_entry; /* at the function's own entry */
	uint64_t time;
	int pid;
	int cpu;
	int process;
	char comm[COMM_SIZE];
};

struct waiting {
	const struct pair *pair;
	struct start *starts;
	uint32_t *heads; /* chains by hash, newest first */
	uint32_t nheads; /* a power of two */
	uint32_t used;   /* starts[used...] were never used */
	uint32_t free;
	uint32_t oldest;
	uint32_t newest;
	uint32_t limit;
	struct pair_counts counts;
};
/* Makes room for `limit` starts. Returns false when memory has run out. */
bool waiting_make_room(struct waiting *waiting, uint32_t limit);
void waiting_free(struct waiting *waiting);
/* Gives up all that wait. */
void waiting_forget(struct waiting *waiting);
/* The newest start with that key, or NONE. */
uint32_t waiting_find(const struct waiting *waiting, const struct pair_key *key);
/* A free one, else the oldest, which is given up. */
uint32_t waiting_new(struct waiting *waiting);
/* Copies key and values, of which `wanted` says why they may be missing. Returns false when memory
 * has run out. */
bool waiting_fill(struct start *start, const struct pair_key *key, const struct value *wanted,
		  const struct datum *values, unsigned count);
/* The values of a start that was filled; valid until it is filled again. */
const struct datum *waiting_values(const struct start *start);
/* It waits from now on, as the newest; `hash` is its key's. */
void waiting_put(struct waiting *waiting, uint32_t at, uint32_t hash);
/* It waits no longer; its content stays until waiting_release(). */
void waiting_take(struct waiting *waiting, uint32_t at);
void waiting_release(struct waiting *waiting, uint32_t at);

#endif
