/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside sink/: the counts of pairs. */
#ifndef SINK_PAIR_COUNTS_H
#define SINK_PAIR_COUNTS_H

struct json;
#include "sink/sink.h"

/* The member "pairs" of the last line of JSON; nothing where there are none. */
void pairs_json(struct strbuf *out, const struct pair_counts *pairs, unsigned count);
/* Adds such a member, or NULL, to the list. Returns false if it isn't one. */
bool pairs_read(struct arena *arena, const struct json *array, struct pair_counts **pairs,
		unsigned *count);

#endif
