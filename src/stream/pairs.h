/* SPDX-License-Identifier: GPL-2.0-only */
/* Joins the starts and ends of pairs. */
#ifndef STREAM_PAIRS_H
#define STREAM_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct plan;
struct decoder;
struct layout;

/* pairs.c: joins starts and ends. */
struct pairs;
struct pair_counts;
struct pairs *pairs_new(struct arena *arena, const struct plan *plan);
/* Room for `limit` starts of each pair. Returns false when memory has run out. */
bool pairs_make_room(struct pairs *pairs, uint32_t limit);
void pairs_free(struct pairs *pairs);
/* A hit of a probe that begins or ends a pair. Returns true if it ended one: decoder->event is then
 * the pair's, until the next call. */
bool pairs_take(struct pairs *pairs, struct decoder *decoder, const struct layout *layout);
/* After a loss. */
void pairs_forget(struct pairs *pairs);
struct pair_counts *pairs_counts(const struct pairs *pairs);

#endif
