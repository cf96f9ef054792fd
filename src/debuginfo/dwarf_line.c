// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the line table rows of an instance. Whether a row is a statement makes no difference here:
 * resolve chooses the row to probe.
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/owner.h"
#include "debuginfo/questions.h"
#include "debuginfo/section_bytes.h"

struct reading {
	struct others others;
	struct line_rows *rows_of; /* the unit */
	bool has_marks;
	unsigned last_line;
	const char *file; /* of the previous row, and whether the function is declared in it */
	bool is_in_file;
	uint64_t address; /* of the previous row, and its view */
	unsigned view;
	struct row *rows;
	unsigned count;
	bool is_open; /* the last row's end is still to come */
};

/* The rows of one address are its views, in order (DWARF proposal 170427.1). */
static void number_view(struct reading *reading, struct row *row)
{
	reading->view = row->address == reading->address ? reading->view + 1 : 0;
	reading->address = row->address;
	row->view = reading->view;
}

static bool read_row(struct reading *reading, const struct line_row *line, struct row *row)
{
	const struct function *function = reading->others.instance->function;

	if (line->is_end)
		return false;
	*row = (struct row){
		.address = line->address + reading->others.info->bias,
		.line = line->line,
		.column = line->column,
		.file = row_file(reading->rows_of, line) ?: "",
		.is_stmt = line->is_stmt,
	};
	number_view(reading, row);
	if (row->file != reading->file) {
		reading->file = row->file;
		reading->is_in_file = is_file_of(reading->rows_of->unit.cu, row->file, function);
	}
	if (reading->is_in_file)
		row->file = function->file;
	return (int)row->line > 0 && is_inside(&reading->others, row);
}

static int range_compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

#define ROW_STEPS 32

/* is_stmt rows can be statement frontiers: markers that gcc put into the program before it
 * optimised (-gstatement-frontiers), so that executing a statement twice passes two. Other
 * compilers, and gcc elsewhere, call each change of line a statement, which doesn't say how often
 * it runs. gcc has no markers without -O, before version 8, and in some clones, whatever the
 * producer says; so a function has them only if some change of line in it doesn't begin a
 * statement. */
static void look_for_marks(struct reading *reading, const struct line_row *line)
{
	if ((int)line->line <= 0 || line->is_end)
		return;
	reading->has_marks |=
		!line->is_stmt && reading->last_line && line->line != reading->last_line;
	reading->last_line = line->line;
}

static void set_kind(struct reading *reading, bool is_gcc)
{
	for (unsigned i = 0; i < reading->count; i++) {
		reading->rows[i].is_mark = is_gcc && reading->has_marks && reading->rows[i].is_stmt;
		reading->rows[i].is_in_order = !is_gcc;
	}
}

/* Any row ends the previous one, whether it is the instance's or not. */
static void end_row(struct reading *reading, uint64_t address)
{
	if (reading->is_open)
		reading->rows[reading->count - 1].end = address;
	reading->is_open = false;
}

/* Only rows from the start of a range to just behind its end can belong to the instance; if it is
 * inlined, the ranges are those of the whole outer function. */
static void read_rows(struct reading *reading)
{
	const struct instance *instance = reading->others.instance;
	const struct line_rows *rows = reading->rows_of;
	struct dwarf_info *info = reading->others.info;
	unsigned count = instance->nouter_ranges;
	struct range *sorted = arena_grow(info->arena, instance->outer_ranges,
					  count * sizeof(*sorted), count * sizeof(*sorted) + 1);
	struct row row;

	qsort(sorted, count, sizeof(*sorted), range_compare);
	for (size_t i = 0, at = 0; i < count; i++) {
		size_t first = first_row(rows, sorted[i].start - info->bias);

		reading->last_line = 0;
		for (at = first > at ? first : at; at < rows->count && budget_take(info, ROW_STEPS);
		     at++) {
			uint64_t address = rows->list[at].address + info->bias;

			if (address > sorted[i].end)
				break;
			end_row(reading, address);
			if (address < sorted[i].end) /* behind it begins other code, with any row */
				look_for_marks(reading, &rows->list[at]);
			if (!read_row(reading, &rows->list[at], &row))
				continue;
			arena_append(info->arena, reading->rows, reading->count) = row;
			reading->is_open = true;
		}
		end_row(reading, sorted[i].end);
	}
}

struct error *dwarf_rows(struct debuginfo *base, const struct instance *instance, struct row **ret,
			 unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct reading reading = {
		.others = {.info = info, .instance = instance},
		.address = ~(uint64_t)0,
	};
	Dwarf_Die die, unit, outer;

	if (recall_rows(info, instance, ret, count))
		return NULL;
	*ret = NULL;
	*count = 0;
	if (!die_at(info, instance->source, &die) ||
	    !die_at(info, instance->outer_source, &outer) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL))
		return dwarf_error(info, "function");
	reading.rows_of = unit_rows(info, &unit);
	if (!reading.rows_of)
		return dwarf_error(info, "line table");
	others_init(&reading.others, &outer, &die);
	read_rows(&reading);
	others_deinit(&reading.others);
	set_kind(&reading, is_gcc_unit(&unit));
	*ret = reading.rows;
	*count = reading.count;
	remember_rows(info, instance, *ret, *count);
	return NULL;
}

uint64_t dwarf_row_before(struct debuginfo *base, const struct instance *instance,
			  uint64_t address)
{
	struct dwarf_info *info = dwarf_info(base);
	const struct line_rows *rows;
	Dwarf_Die die, unit;
	size_t behind;

	if (!die_at(info, instance->source, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return 0;
	rows = unit_rows(info, &unit);
	behind = rows ? first_row(rows, address - info->bias + 1) : 0;
	return behind ? rows->list[behind - 1].address + info->bias : 0;
}
