// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts the rows of the unit that was last asked for. libdw would keep the table of each unit that
 * it is asked of, which is 190 MB for a kernel.
 */
#include <stdlib.h>

#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

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
		rows->size = rows->size ? 2 * rows->size : 4096;
		rows->list =
			arena_grow(rows->info->kept, rows->list, rows->count * sizeof(*rows->list),
				   rows->size * sizeof(*rows->list));
	}
	rows->list[rows->count++] = *row;
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
	if (!is_sorted)
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
