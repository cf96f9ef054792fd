// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds a row of a table in JSON to the row with the same keys. All numbers are integers, so the sums are
 * exact. The surprise: keys are compared as they are written, so they are written again here, as feed.c
 * does.
 */
#include "sink/table/merger.h"

/* Reads a pair: a number and its count. */
static bool read_pair(const struct json *pair, __int128 *number, uint64_t *count)
{
	return pair->kind == JSON_ARRAY && json_integer(pair->first, number) &&
	       json_counter(pair->first->next, count) && !pair->first->next->next;
}

static bool is_64_bits(__int128 number)
{
	return number >= INT64_MIN && number <= UINT64_MAX;
}

static bool read_hist(struct arena *arena, const struct column *column, const struct json *json,
		      struct hist *hist)
{
	const struct json *buckets = json_member(json, "buckets"), *steps = json_member(json, "steps"), *pair;
	__int128 number;
	uint64_t count;

	if (!buckets || (column->step && !steps))
		return false;
	for (pair = buckets->first; pair; pair = pair->next) {
		if (!read_pair(pair, &number, &count) || !is_64_bits(number))
			return false;
		hist_add(arena, hist, number, count);
	}
	for (pair = column->step ? steps->first : NULL; pair; pair = pair->next) {
		if (!read_pair(pair, &number, &count) || number % column->step)
			return false;
		hist_add_step(arena, hist, number / column->step, count);
	}
	return !column->step || add_up(&hist->others, json_member(json, "others"));
}

static bool read_cell(struct arena *arena, const struct column *column, const struct json *json,
		      struct cell *cell)
{
	struct cell own = {0};

	if (!json_counter(json_member(json, "n"), &own.n) || !json_integer(json_member(json, "sum"), &own.sum))
		return false;
	if (own.n && (!json_integer(json_member(json, "min"), &own.min) ||
		      !json_integer(json_member(json, "max"), &own.max)))
		return false;
	cell_merge(cell, &own);
	return !cell->hist || read_hist(arena, column, json, cell->hist);
}

/* The keys' values, formatted as in feed.c. */
static bool read_key(const struct table *table, const struct json *row, struct strbuf *out)
{
	for (unsigned i = 0; i < table->nkeys; i++) {
		const struct json *value = json_member(row, table->keys[i]);

		if (!value)
			return false;
		if (i)
			strbuf_putc(out, ',');
		json_write(out, value);
	}
	return true;
}

static struct row *find_row(struct table *table, const struct json *row)
{
	struct strbuf key = {0};
	struct row *ret = NULL;

	if (row->kind == JSON_NULL)
		return table_others(table);
	if (row->kind == JSON_OBJECT && read_key(table, row, &key))
		ret = table_row(table, key.data ? key.data : "", key.length);
	if (ret && table->has_places && !table->first_place)
		table->first_place = arena_strndup(table->arena, key.data,
						   (size_t)(element_end(key.data) - key.data));
	strbuf_deinit(&key);
	return ret;
}

bool merge_row(struct merger *merger, const struct json *line)
{
	struct table *table = merger->table;
	struct row *row;

	if (!table)
		return true;
	row = find_row(table, json_member(line, "row"));
	if (!row || !add_up(&row->hits, json_member(line, "hits")))
		return false;
	for (unsigned i = 0; i < table->ncolumns; i++)
		if (table->columns[i].kind != AGGREGATE_COUNT &&
		    !read_cell(table->arena, &table->columns[i], json_member(line, table->columns[i].name),
			       &row->cells[i]))
			return false;
	return true;
}
