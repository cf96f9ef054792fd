// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts a table's rows, and computes the figures of a row that can be shown: a histogram has four.
 */
#include "sink/table/table.h"

#include <stdlib.h>

__int128 cell_percentile(const struct cell *cell, unsigned percent)
{
	uint64_t rank = (uint64_t)(((unsigned __int128)cell->n * percent + 99) / 100);
	__int128 number = hist_rank(cell->hist, rank ? rank : 1);

	return number < cell->min ? cell->min : number > cell->max ? cell->max : number;
}

static void add_shown(struct arena *arena, struct shown **list, unsigned *count, enum figure figure,
		      unsigned column, const char *head)
{
	arena_append(arena, *list, *count) = (struct shown){figure, column, head};
}

unsigned table_shown(struct arena *arena, const struct table *table, struct shown **ret)
{
	static const struct {
		enum figure figure;
		const char *head;
	} parts[] = {
		{FIGURE_P50, "p50"}, {FIGURE_P90, "p90"}, {FIGURE_P99, "p99"}, {FIGURE_MAX, "max"}};
	static const enum figure figures[] = {
		[AGGREGATE_COUNT] = FIGURE_HITS, [AGGREGATE_SUM] = FIGURE_SUM,
		[AGGREGATE_AVG] = FIGURE_AVG,	 [AGGREGATE_MIN] = FIGURE_MIN,
		[AGGREGATE_MAX] = FIGURE_MAX,
	};
	unsigned count = 0, hists = 0;

	*ret = NULL;
	for (unsigned i = 0; i < table->ncolumns; i++)
		hists += table->columns[i].kind == AGGREGATE_HIST;
	for (unsigned i = 0; i < table->ncolumns; i++) {
		const struct column *column = &table->columns[i];

		if (column->kind == AGGREGATE_HIST && column->is_counted)
			continue; /* only its steps are known */
		if (column->kind != AGGREGATE_HIST) {
			add_shown(arena, ret, &count, figures[column->kind], i, column->name);
			continue;
		}
		for (unsigned j = 0; j < sizeof(parts) / sizeof(*parts); j++)
			add_shown(arena, ret, &count, parts[j].figure, i,
				  hists == 1 ?
					  parts[j].head :
					  arena_printf(arena, "%s(%s)", parts[j].head, column->of));
	}
	return count;
}

bool row_figure(const struct row *row, const struct shown *shown, __int128 *ret)
{
	const struct cell *cell = &row->cells[shown->column];

	if (shown->figure == FIGURE_HITS) {
		*ret = row->hits;
		return true;
	}
	*ret = 0;
	if (!cell->n)
		return false;
	switch (shown->figure) {
	case FIGURE_AVG: *ret = cell->sum / (__int128)cell->n; break;
	case FIGURE_MIN: *ret = cell->min; break;
	case FIGURE_MAX: *ret = cell->max; break;
	case FIGURE_P50: *ret = cell_percentile(cell, 50); break;
	case FIGURE_P90: *ret = cell_percentile(cell, 90); break;
	case FIGURE_P99: *ret = cell_percentile(cell, 99); break;
	default: *ret = cell->sum;
	}
	return true;
}

/* Computed once per row: percentiles are too costly to compute in a sort. */
struct ranked {
	struct row *row;
	bool has_number;
	__int128 number;
	long double rest; /* of an average: what is behind the point */
};

static int compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->has_number != b->has_number)
		return a->has_number ? -1 : 1;
	if (a->number != b->number)
		return a->number > b->number ? -1 : 1;
	if (a->rest != b->rest)
		return a->rest > b->rest ? -1 : 1;
	return strcmp(a->row->key, b->row->key);
}

static long double rest_of(const struct row *row, const struct shown *shown, __int128 number)
{
	const struct cell *cell = &row->cells[shown->column];

	if (shown->figure != FIGURE_AVG || !cell->n)
		return 0;
	return (long double)(cell->sum - number * (__int128)cell->n) / (long double)cell->n;
}

static int compare_places(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->row->place > b->row->place) - (a->row->place < b->row->place);
}

/* What to sort by: the column with that head; without a head the first column (a histogram: its
 * number of events). Returns false when no column has that head. */
bool sort_shown(struct arena *arena, const struct table *table, const char *sort, struct shown *ret)
{
	struct shown *list;
	unsigned count = table_shown(arena, table, &list);

	*ret = (struct shown){.figure = FIGURE_HITS};
	if (!sort && table->columns[0].kind != AGGREGATE_HIST)
		*ret = list[0];
	for (unsigned i = 0; sort && i < count; i++)
		if (!strcmp(list[i].head, sort)) {
			*ret = list[i];
			return true;
		}
	return !sort || !strcmp(sort, "events");
}

struct row **table_sorted(struct arena *arena, const struct table *table, const char *sort)
{
	struct ranked *ranked = arena_array(arena, struct ranked, table->nrows + 1);
	struct row **rows = arena_array(arena, struct row *, table->nrows + 1);
	struct shown by;
	bool by_place = table->has_places && table->nkeys == 1 && !sort;
	unsigned count = 0;

	sort_shown(arena, table, sort, &by);
	for (unsigned i = 0; i < table->nheads; i++)
		for (struct row *row = table->heads[i]; row; row = row->next) {
			ranked[count].row = row;
			ranked[count].has_number = row_figure(row, &by, &ranked[count].number);
			ranked[count].rest = rest_of(row, &by, ranked[count].number);
			count++;
		}
	qsort(ranked, count, sizeof(*ranked), by_place ? compare_places : compare);
	for (unsigned i = 0; i < count; i++)
		rows[i] = ranked[i].row;
	if (table->others)
		rows[count++] = table->others;
	return rows;
}
