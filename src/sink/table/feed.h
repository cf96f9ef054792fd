/* SPDX-License-Identifier: GPL-2.0-only */
/* Between what the tables of a plan are (make.c) and what its events add to them (feed.c). */
#ifndef SINK_TABLE_FEED_H
#define SINK_TABLE_FEED_H

#include "sink/sink.h"
#include "sink/table/table.h"

#define LAST_CPUS 64u
#define WORDS_MAX 1024u  /* 8 bytes each: of an event's keys that are looked up; longer ones are put into words */
#define KNOWN_MIN 65536u /* keys there is room for at first */

/* Keys as they were recorded, and whose row they mean. */
struct known {
	struct row *row;
	uint32_t hash;
	uint32_t nwords;
	uint64_t words[];
};

/* How a probe's events are counted. */
struct feed {
	struct table *table; /* NULL: not at all */
	const struct spec *spec;
	const struct key *keys;
	unsigned nkeys;
	const char *place; /* of the spec, as JSON, where it is a key */
	struct row *row;   /* of all its events, where there are no other keys */
	bool has_symbols;  /* what a key is called depends on where the program lies */
};

struct tables {
	struct arena *arena;
	const struct plan *plan;
	const struct sink_context *context;
	const struct table_options *options;
	struct feed *feeds; /* of plan->probes[i] */
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

#endif
