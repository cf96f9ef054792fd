/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables that several runs printed, line by line, become one list. */
#ifndef SINK_TABLE_MERGER_H
#define SINK_TABLE_MERGER_H

#include "base/error.h"
#include "base/json_tree.h"
#include "sink/sink.h"
#include "sink/table/table.h"

struct merger {
	struct table_list *list;
	struct arena *scratch; /* for one line */
	struct table *table; /* whose rows follow; NULL: skip them */
	uint64_t due;        /* hits of these rows that are still to come */
	struct table_end *end;
	bool any;      /* a table was read */
	bool has_end;
};

/* All return false for what isn't a table's, or contradicts itself. */
/* merged_head.c: finds the table that the line describes, or makes it: merger->table, once the one
 * before has all its rows. */
bool merge_head(struct merger *merger, const struct json *line);
/* merged_row.c: adds a row of merger->table. */
bool merge_row(struct merger *merger, const struct json *line);

/* Adds a counter; a sum of more than 64 bits is refused, too. */
static inline bool add_up(uint64_t *sum, const struct json *json)
{
	uint64_t number;

	return json_counter(json, &number) && !__builtin_add_overflow(*sum, number, sum);
}

#endif
