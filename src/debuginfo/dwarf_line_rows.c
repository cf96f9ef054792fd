// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts the rows of the unit that was last asked for. libdw would keep the table of each unit that
 * it is asked of, which is 190 MB for a kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "base/last.h"
#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

#define RUNS_MOST 128

/* As libdw has them: what ends a sequence comes before what begins there. */
static int row_compare(const void *left, const void *right)
{
	const struct line_row *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->is_end != b->is_end)
		return a->is_end ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void add_row(struct line_rows *rows, const struct line_row *row)
{
	if (rows->count == rows->size) {
		size_t more = rows->size ?: 8192;

		budget_hold(rows->info, more * sizeof(*rows->list));
		rows->size += more;
		rows->list = realloc(rows->list, rows->size * sizeof(*rows->list));
		if (!rows->list)
			out_of_memory();
	}
	rows->list[rows->count++] = *row;
}

/* Rows that are in order already, as those of a sequence are. */
struct run {
	const struct line_row *first;
	size_t count;
};

static int run_compare(const void *left, const void *right)
{
	const struct run *a = left, *b = right;

	return row_compare(a->first, b->first);
}

/* Returns how many runs there are; 0: more than there is room for. */
static unsigned find_runs(const struct line_rows *rows, struct run *runs)
{
	unsigned count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (!i || row_compare(&rows->list[i - 1], &rows->list[i]) >= 0) {
			if (count == RUNS_MOST)
				return 0;
			runs[count++] = (struct run){.first = &rows->list[i]};
		}
		runs[count - 1].count++;
	}
	return count;
}

/* Moves the few rows that are out of order. Returns false if they aren't few. */
static bool insert_rows(struct line_row *list, size_t count)
{
	size_t moves = count;

	for (size_t i = 1; i < count; i++) {
		struct line_row row = list[i];
		size_t at = i;

		for (; at && row_compare(&list[at - 1], &row) > 0; at--) {
			if (!moves--)
				return false;
			list[at] = list[at - 1];
		}
		list[at] = row;
	}
	return true;
}

/* Sorts the runs as a whole, and then what is out of order in them: a sequence whose last
 * instruction has no length ends before its last row. Returns false if each row must be sorted. */
static bool sort_runs(struct line_rows *rows)
{
	struct line_row *sorted = malloc(rows->size * sizeof(*sorted)), *at = sorted;
	struct run runs[RUNS_MOST];
	unsigned count = sorted ? find_runs(rows, runs) : 0;

	qsort(runs, count, sizeof(*runs), run_compare);
	for (unsigned i = 0; i < count; i++)
		at = mempcpy(at, runs[i].first, runs[i].count * sizeof(*at));
	if (!count || !insert_rows(sorted, rows->count)) {
		free(sorted);
		return false;
	}
	free(rows->list);
	rows->list = sorted;
	return true;
}

static bool read_table(struct line_rows *rows)
{
	struct line_table table;
	bool is_sorted = true;
	Dwarf_Word offset;

	rows->count = 0;
	if (!line_table_offset(rows->info, &rows->unit, &offset) ||
	    !line_table_open(rows->info, offset, &table) ||
	    !budget_take(rows->info, (uint64_t)(table.program.end - table.program.at)))
		return false;
	while (next_row(&table)) {
		is_sorted = is_sorted && (!rows->count || row_compare(&rows->list[rows->count - 1],
								      &table.row) < 0);
		add_row(rows, &table.row);
	}
	if (!is_sorted && !sort_runs(rows))
		qsort(rows->list, rows->count, sizeof(*rows->list), row_compare);
	if (!rows->count || table.program.is_bad)
		return false;
	/* a sequence without instructions has a row behind its end */
	rows->list[rows->count - 1].is_end = true;
	return true;
}

/* libdw's are sorted. */
static bool read_by_libdw(struct line_rows *rows)
{
	Dwarf_Lines *lines;
	size_t count;

	rows->count = 0;
	if (rows->info->budget.is_spent || dwarf_getsrclines(&rows->unit, &lines, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		struct line_row row = {.number = (unsigned)i};
		int number = 0, column = 0;
		size_t file = 0;

		if (dwarf_lineaddr(line, &row.address) ||
		    dwarf_lineendsequence(line, &row.is_end) ||
		    dwarf_linebeginstatement(line, &row.is_stmt) || dwarf_lineno(line, &number) ||
		    dwarf_line_file(line, &rows->files, &file))
			return false;
		row.line = (unsigned)number;
		row.file = (unsigned)file;
		row.column = dwarf_linecol(line, &column) || column < 0 ? 0 : (uint16_t)column;
		add_row(rows, &row);
	}
	return true;
}

struct line_rows *unit_rows(struct dwarf_info *info, Dwarf_Die *unit)
{
	struct line_rows *rows = info->rows;

	if (!rows)
		rows = info->rows = arena_new(info->kept, struct line_rows);
	if (rows->info && rows->unit.cu == unit->cu)
		return rows;
	rows->info = info;
	rows->unit = *unit;
	rows->files = NULL;
	rows->last_name = NULL;
	if (read_table(rows) || read_by_libdw(rows))
		return rows;
	rows->info = NULL;
	return NULL;
}

void rows_close(struct dwarf_info *info)
{
	free(info->rows ? info->rows->list : NULL);
	info->rows = NULL;
}

size_t first_row(const struct line_rows *rows, Dwarf_Addr address)
{
	return partition_point(rows->count, i, rows->list[i].address < address);
}

const char *row_file(struct line_rows *rows, const struct line_row *row)
{
	const char *name;
	size_t count;

	if (rows->last_name && rows->last_file == row->file)
		return rows->last_name;
	if (!rows->files && file_name(rows->info, &rows->unit, row->file, &name)) {
		rows->last_name = name;
		rows->last_file = row->file;
		return name;
	}
	if (!rows->files &&
	    (split_tag(rows->unit.cu) || dwarf_getsrcfiles(&rows->unit, &rows->files, &count)))
		return NULL;
	return short_path(dwarf_filesrc(rows->files, row->file, NULL, NULL));
}

bool row_follows(struct dwarf_info *info, Dwarf_CU *of, Dwarf_Addr from, Dwarf_Addr address)
{
	const struct line_rows *rows;
	Dwarf_Die unit;
	size_t first;

	if (!dwarf_cu_die(of, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	rows = unit_rows(info, &unit);
	first = rows ? first_row(rows, from) : 0;
	return rows && first < rows->count && rows->list[first].address == address;
}
