// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds or makes a row by its key, up to a limit: hits of keys beyond it are counted in one row for
 * all others, so that a table's sum is its number of hits whatever its keys are.
 */
#include "sink/table/table.h"

#include "base/hash.h"

#define HEADS_MIN 64u

void table_init(struct table *table, struct arena *arena, unsigned limit)
{
	table->arena = arena;
	table->limit = limit;
	table->nheads = HEADS_MIN;
	table->heads = arena_array(arena, struct row *, table->nheads);
}

static struct row *row_new(const struct table *table, const char *key)
{
	struct row *row =
		arena_alloc(table->arena, sizeof(*row) + table->ncolumns * sizeof(struct cell));

	row->key = key;
	for (unsigned i = 0; i < table->ncolumns; i++)
		if (table->columns[i].kind == AGGREGATE_HIST)
			row->cells[i].hist = arena_new(table->arena, struct hist);
	return row;
}

static void grow(struct table *table)
{
	struct row **old = table->heads, *row, *next;
	unsigned count = table->nheads;

	table->nheads *= 2;
	table->heads = arena_array(table->arena, struct row *, table->nheads);
	for (unsigned i = 0; i < count; i++)
		for (row = old[i]; row; row = next) {
			struct row **head = &table->heads[row->hash & (table->nheads - 1)];

			next = row->next;
			row->next = *head;
			*head = row;
		}
}

struct row *table_others(struct table *table)
{
	if (!table->others)
		table->others = row_new(table, NULL);
	return table->others;
}

static struct row *find(const struct table *table, uint32_t hash, const char *key, size_t length)
{
	struct row *row = table->heads[hash & (table->nheads - 1)];

	while (row &&
	       (row->hash != hash || strncmp(row->key, key, length) != 0 || row->key[length]))
		row = row->next;
	return row;
}

struct row *table_look(const struct table *table, const char *key, size_t length)
{
	return find(table, (uint32_t)bytes_hash(key, length), key, length);
}

struct row *table_row(struct table *table, const char *key, size_t length)
{
	uint32_t hash = (uint32_t)bytes_hash(key, length);
	struct row *row = find(table, hash, key, length);

	if (row)
		return row;
	if (table->nrows == table->limit)
		return table_others(table);
	if (table->nrows == table->nheads)
		grow(table);
	row = row_new(table, arena_strndup(table->arena, key, length));
	row->hash = hash;
	row->place = table->nrows;
	row->next = table->heads[hash & (table->nheads - 1)];
	table->heads[hash & (table->nheads - 1)] = row;
	table->nrows++;
	return row;
}

/* Division that rounds down: -1 with step 10 is in [-10, 0). */
static __int128 floor_divide(__int128 number, uint64_t step)
{
	return number / step - (number % step < 0);
}

void cell_add(struct arena *arena, const struct column *column, struct cell *cell, __int128 number)
{
	cell->sum += number;
	if (!cell->n || number < cell->min)
		cell->min = number;
	if (!cell->n || number > cell->max)
		cell->max = number;
	cell->n++;
	if (!cell->hist)
		return;
	hist_add(arena, cell->hist, number, 1);
	if (column->step)
		hist_add_step(arena, cell->hist, floor_divide(number, column->step), 1);
}

bool cell_merge(struct cell *a, const struct cell *b)
{
	if (b->n && (!a->n || b->min < a->min))
		a->min = b->min;
	if (b->n && (!a->n || b->max > a->max))
		a->max = b->max;
	return !__builtin_add_overflow(a->n, b->n, &a->n) &&
	       !__builtin_add_overflow(a->sum, b->sum, &a->sum);
}

static void row_restart(const struct table *table, struct row *row)
{
	row->hits = 0;
	for (unsigned i = 0; i < table->ncolumns; i++) {
		struct hist *hist = row->cells[i].hist;

		row->cells[i] = (struct cell){.hist = hist};
		if (hist)
			hist_clear(hist);
	}
}

void table_restart(struct table *table)
{
	table->hits = 0;
	for (unsigned i = 0; i < table->ncolumns; i++)
		table->columns[i].faults = table->columns[i].missing = 0;
	for (unsigned i = 0; i < table->nheads; i++)
		for (struct row *row = table->heads[i]; row; row = row->next)
			row_restart(table, row);
	if (table->others)
		row_restart(table, table->others);
}
