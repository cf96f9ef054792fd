/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan's tables, and how its probes' events are added to them. */
#ifndef SINK_TABLE_FEED_H
#define SINK_TABLE_FEED_H

#include "sink/sink.h"
#include "sink/table/table.h"

#define LAST_CPUS 64u
#define WORDS_MAX 1024u  /* 8 bytes each; longer keys aren't looked up but formatted each time */
#define KNOWN_MIN 65536u /* initial room, keys */

/* Keys as they were recorded, and their row. */
struct known {
	struct row *row;
	uint32_t hash;
	uint32_t nwords;
	uint64_t words[];
};

/* How a probe's events are counted. */
struct feed {
	struct table *table; /* NULL: they aren't */
	const struct spec *spec;
	const struct key *keys;
	unsigned nkeys;
	const char *place; /* the spec's, as JSON, if it is a key */
	struct row *row;   /* the row of all its events, if there are no other keys */
	bool has_symbols;  /* a key's text depends on where the program is loaded */
	bool has_user_stack; /* and on what else its process has in memory */
};

struct tables {
	struct arena *arena;
	const struct plan *plan;
	const struct sink_context *context;
	const struct table_options *options;
	struct feed *feeds; /* by plan->probes[i] */
	struct table_list list;
	struct arena known_arena;
	struct known **known; /* open addressing */
	unsigned nknown;
	unsigned room; /* a power of two */
	struct known *last[LAST_CPUS]; /* by CPU */
	struct strbuf scratch;
	unsigned nwords;
	uint64_t words[WORDS_MAX];
};

/* make.c: whether nothing distinguishes the events of two probes. */
bool same_rows(struct arena *arena, const struct probe *a, const struct probe *b);
/* summable.c: refuses a plan that asks for lines besides a table. */
struct error *tables_check_all(struct arena *arena, const struct plan *plan) must_check;
/* feed.c: the row that an event belongs to. */
struct row *tables_row(struct tables *tables, const struct feed *feed, const struct event *event);

#endif
