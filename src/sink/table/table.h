/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table: rows by key, with a cell for each column. Made from events (feed.c) or read from JSON
 * (read_tables.c). Either way a row is identified by its keys as JSON writes them, so that what
 * looks alike is one row, in one run and in several.
 */
#ifndef SINK_TABLE_H
#define SINK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "ktrace/spec.h"

/* hist.c: counts how often each number came, in buckets of 1/32 of a power of two: exact below
 * 64; the middle of a bucket is within 1/64 of any number in it. */
#define HIST_PARTS  32u
#define HIST_BLOCKS 128u /* 60 for numbers from 0 on, 60 for those below */
#define STEPS_MAX   4096u /* most buckets of a linear histogram */

struct hist_step {
	int64_t at; /* number of the bucket: [at * step, (at + 1) * step) */
	uint64_t count;
};

struct hist {
	uint64_t present[HIST_BLOCKS / 64]; /* which blocks there are */
	uint64_t **blocks;                  /* those, in order */
	unsigned room;
	struct hist_step *steps; /* sorted */
	unsigned nsteps;
	unsigned steps_room;
	uint64_t others; /* in no step: out of room */
};

void hist_add(struct arena *arena, struct hist *hist, __int128 number, uint64_t count);
void hist_clear(struct hist *hist);
void hist_add_step(struct arena *arena, struct hist *hist, __int128 at, uint64_t count);
/* The middle of the bucket where the sum of counts reaches `rank` (from 1). */
__int128 hist_rank(const struct hist *hist, uint64_t rank);
/* The next bucket that is not empty, in ascending order. *at: 0 at first. Returns false at the
 * end. */
struct hist_bucket {
	__int128 first; /* its smallest number */
	__int128 last;
	uint64_t count;
};
bool hist_next(const struct hist *hist, unsigned *at, struct hist_bucket *ret);
unsigned hist_block(__int128 number);

/* Sums are exact: 2^63 64-bit numbers fit. */
struct cell {
	__int128 sum;
	__int128 min; /* if n */
	__int128 max;
	uint64_t n; /* how many numbers it has */
	struct hist *hist;
};

struct row {
	const char *key; /* elements of a JSON array: "dd",3 */
	struct row *next; /* next in the hash chain */
	uint32_t hash;
	unsigned place; /* index in the order of creation */
	uint64_t hits;
	uint64_t shown_hits; /* `hits` when it was last shown */
	struct cell cells[];
};

struct column {
	enum aggregate_kind kind;
	const char *name; /* "sum(size)" */
	const char *of;   /* "size"; NULL for COUNT */
	uint64_t step;
	bool is_time; /* ns */
	bool is_counted; /* by the kernel: a histogram has its steps alone; of powers of two, step n
			  * is what is above 2^(n-1) and up to 2^n */
	uint64_t faults;  /* hits whose value could not be read */
	uint64_t missing; /* hits without a value, for another reason */
};

struct table {
	struct arena *arena;
	const char *title;
	bool has_places; /* the first key is the spec's place */
	const char *first_place; /* the first of these places, as JSON */
	const char **keys;
	unsigned nkeys;
	struct column *columns;
	unsigned ncolumns;
	struct row **heads; /* rows by hash; a power of two of them */
	unsigned nheads;
	unsigned nrows;
	unsigned limit; /* most rows; hits of other keys go to `others` */
	struct row *others; /* or NULL */
	uint64_t hits; /* of all rows */
};

struct table_options;
struct table_end;

struct table_list {
	struct arena *arena;
	const struct table_options *options;
	struct table **tables;
	unsigned count;
};

extern const char *const table_kinds[]; /* "count", by enum aggregate_kind */

void table_init(struct table *table, struct arena *arena, unsigned limit);
/* The row with the key, made if there is room, else `others`. Copies key. */
struct row *table_row(struct table *table, const char *key, size_t length);
/* Makes all counts 0. */
void table_restart(struct table *table);
struct row *table_others(struct table *table);
struct row *table_look(const struct table *table, const char *key, size_t length); /* or NULL */
/* Adds b to a, except its histogram. Returns false when that is more than there is room for. */
bool cell_merge(struct cell *a, const struct cell *b);
void cell_add(struct arena *arena, const struct column *column, struct cell *cell, __int128 number);

/* table_text.c, table_json.c */
void table_text(const struct table *table, struct strbuf *out, const struct table_options *options,
		const struct table_end *end);
void table_json(const struct table *table, struct strbuf *out, const struct table_end *end);
void put_wide_number(struct strbuf *out, __int128 number);
/* rank.c: the rows as they are shown, `others` last. sort: a column's head, or NULL. */
struct row **table_sorted(struct arena *arena, const struct table *table, const char *sort);
/* The numbers of a row that can be shown and sorted by. */
enum figure {
	FIGURE_HITS,
	FIGURE_SUM,
	FIGURE_AVG,
	FIGURE_MIN,
	FIGURE_MAX,
	FIGURE_P50,
	FIGURE_P90,
	FIGURE_P99,
};
struct shown {
	enum figure figure;
	unsigned column;
	const char *head;
};
/* All figures of a table, in order. */
unsigned table_shown(struct arena *arena, const struct table *table, struct shown **ret);
/* The figure to sort by. Returns false when no column has that head. */
bool sort_shown(struct arena *arena, const struct table *table, const char *sort,
		struct shown *ret);
/* Returns false when there is none, since no number is in it. */
bool row_figure(const struct row *row, const struct shown *shown, __int128 *ret);
__int128 cell_percentile(const struct cell *cell, unsigned percent);


/* table_json.c: the end of the first element of a JSON array's contents: its ',' or the NUL. */
const char *element_end(const char *at);

#endif
