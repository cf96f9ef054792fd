// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds a row of a table in JSON to the row with the same keys. All numbers are integers, so the
 * sums are exact; what doesn't add up is no table of ktrace's. The surprise: keys are compared as
 * they are written, so they are written again here, as feed.c does.
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

/* A cell's histogram, to which pairs are added. */
struct adding {
	struct arena *arena;
	const struct column *column;
	struct hist *hist;
	uint64_t n; /* how many numbers the cell has */
};

/* Each adds a pair to the histogram; false: it can't be one. */
typedef bool add_pair(const struct adding *to, __int128 number, uint64_t count);

static bool add_bucket(const struct adding *to, __int128 number, uint64_t count)
{
	if (!is_64_bits(number))
		return false;
	hist_add(to->arena, to->hist, number, count);
	return true;
}

static bool add_step(const struct adding *to, __int128 number, uint64_t count)
{
	if (number % to->column->step)
		return false;
	hist_add_step(to->arena, to->hist, number / to->column->step, count);
	return true;
}

/* The kernel's powers of two, by what is up to them. */
static bool add_power(const struct adding *to, __int128 number, uint64_t count)
{
	unsigned power = 0;

	while (power < 64 && (__int128)1 << power < number)
		power++;
	if ((__int128)1 << power != number)
		return false;
	hist_add_step(to->arena, to->hist, power, count);
	return true;
}

/* All pairs of a list, and `others`: together as many as the cell has numbers. */
static bool read_pairs(const struct adding *to, const struct json *list, const struct json *others,
		       add_pair *add)
{
	uint64_t sum = 0, count;
	__int128 number;

	if (!list || list->kind != JSON_ARRAY || (others && !add_up(&sum, others)))
		return false;
	to->hist->others += sum;
	for (const struct json *pair = list->first; pair; pair = pair->next)
		if (!read_pair(pair, &number, &count) || __builtin_add_overflow(sum, count, &sum) ||
		    sum > to->n || !add(to, number, count))
			return false;
	return sum == to->n;
}

static bool read_hist(const struct adding *to, const struct json *json)
{
	const struct column *column = to->column;
	const struct json *steps = json_member(json, "steps"),
			  *others = json_member(json, "others");

	if (!column->is_counted &&
	    !read_pairs(to, json_member(json, "buckets"), NULL, add_bucket))
		return false;
	if (column->step)
		return others && read_pairs(to, steps, others, add_step);
	return !column->is_counted ||
	       read_pairs(to, json_member(json, "up_to"), NULL, add_power);
}

/* The numbers are between their bounds, and so is their sum. */
static bool is_sound(const struct cell *cell)
{
	__int128 least, most;

	if (!cell->n)
		return !cell->sum;
	return is_64_bits(cell->min) && is_64_bits(cell->max) && cell->min <= cell->max &&
	       !__builtin_mul_overflow(cell->min, (__int128)cell->n, &least) &&
	       !__builtin_mul_overflow(cell->max, (__int128)cell->n, &most) && cell->sum >= least &&
	       cell->sum <= most;
}

/* What the kernel counted has no bounds, and of a histogram no sum. */
static bool read_sums(const struct column *column, const struct json *json, struct cell *cell)
{
	if (column->is_counted && column->kind == AGGREGATE_HIST)
		return true;
	if (!json_integer(json_member(json, "sum"), &cell->sum))
		return false;
	if (column->is_counted)
		return cell->sum >= 0;
	if (cell->n && (!json_integer(json_member(json, "min"), &cell->min) ||
			!json_integer(json_member(json, "max"), &cell->max)))
		return false;
	return is_sound(cell);
}

/* hits: of the row. */
static bool read_cell(struct arena *arena, const struct column *column, const struct json *json,
		      uint64_t hits, struct cell *cell)
{
	struct cell own = {0};

	if (!json_counter(json_member(json, "n"), &own.n) || own.n > hits ||
	    !read_sums(column, json, &own) || !cell_merge(cell, &own))
		return false;
	return !cell->hist ||
	       read_hist(&(struct adding){arena, column, cell->hist, own.n}, json);
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
	uint64_t hits;

	if (!table)
		return true;
	row = find_row(table, json_member(line, "row"));
	if (!row || !json_counter(json_member(line, "hits"), &hits) || hits > merger->due)
		return false;
	merger->due -= hits;
	row->hits += hits; /* no more than the table's */
	for (unsigned i = 0; i < table->ncolumns; i++)
		if (table->columns[i].kind != AGGREGATE_COUNT &&
		    !read_cell(table->arena, &table->columns[i],
			       json_member(line, table->columns[i].name), hits, &row->cells[i]))
			return false;
	return true;
}
