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

/* What is told of the rows of an out-of-line function, once for all instances in it. */
struct listing {
	struct dwarf_info *info;
	struct neighbours *all;
	const struct instance *instance; /* any */
	struct line_rows *rows_of; /* the unit */
	unsigned last_line;
	const char *file; /* of the previous row, and whether the function is declared in it */
	bool is_in_file;
	uint64_t address; /* of the previous row, and its view */
	unsigned view;
	bool is_open; /* the last row's end is still to come */
};

/* The rows of one address are its views, in order (DWARF proposal 170427.1). */
static void number_view(struct listing *listing, struct row *row)
{
	listing->view = row->address == listing->address ? listing->view + 1 : 0;
	listing->address = row->address;
	row->view = listing->view;
}

static void list_row(struct listing *listing, const struct line_row *line)
{
	const struct function *function = listing->instance->function;
	struct neighbours *all = listing->all;
	struct outer_row one = {.row = {
		.address = line->address + listing->info->bias,
		.line = line->line,
		.column = line->column,
		.file = row_file(listing->rows_of, line) ?: "",
		.is_stmt = line->is_stmt,
	}};

	number_view(listing, &one.row);
	if (one.row.file != listing->file) {
		listing->file = one.row.file;
		listing->is_in_file =
			is_file_of(listing->rows_of->unit.cu, one.row.file, function) ||
			!strcmp(one.row.file, function->file);
	}
	if (listing->is_in_file)
		one.row.file = function->file;
	if ((int)one.row.line <= 0)
		return;
	one.is_own = listing->is_in_file && one.row.line >= function->line;
	if (one.is_own)
		one.nearest = nearest_copy(all, one.row.address);
	arena_append(&all->arena, all->rows, all->nrows) = one;
	listing->is_open = true;
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
static void look_for_marks(struct listing *listing, const struct line_row *line)
{
	if ((int)line->line <= 0 || line->is_end)
		return;
	listing->all->has_marks |=
		!line->is_stmt && listing->last_line && line->line != listing->last_line;
	listing->last_line = line->line;
}

/* Any row ends the previous one, whether it is the instance's or not. */
static void end_row(struct listing *listing, uint64_t address)
{
	if (listing->is_open)
		listing->all->rows[listing->all->nrows - 1].row.end = address;
	listing->is_open = false;
}

/* Only rows from the start of a range to just behind its end can belong to an instance; if it is
 * inlined, the ranges are those of the whole outer function. */
static void list_rows(struct listing *listing)
{
	const struct instance *instance = listing->instance;
	const struct line_rows *rows = listing->rows_of;
	struct dwarf_info *info = listing->info;
	unsigned count = instance->nouter_ranges;
	struct range *sorted = arena_grow(info->arena, instance->outer_ranges,
					  count * sizeof(*sorted), count * sizeof(*sorted) + 1);

	qsort(sorted, count, sizeof(*sorted), range_compare);
	for (size_t i = 0, at = 0; i < count; i++) {
		size_t first = first_row(rows, sorted[i].start - info->bias);

		listing->last_line = 0;
		for (at = first > at ? first : at; at < rows->count && budget_take(info, ROW_STEPS);
		     at++) {
			uint64_t address = rows->list[at].address + info->bias;

			if (address > sorted[i].end)
				break;
			end_row(listing, address);
			if (address < sorted[i].end) /* behind it begins other code, with any row */
				look_for_marks(listing, &rows->list[at]);
			if (!rows->list[at].is_end)
				list_row(listing, &rows->list[at]);
		}
		end_row(listing, sorted[i].end);
	}
	listing->all->are_rows_listed = !info->budget.is_spent;
}

struct reading {
	struct others others;
	struct row *rows;
	unsigned count;
};

static void read_rows(struct reading *reading, bool is_gcc)
{
	const struct neighbours *all = reading->others.all;
	struct dwarf_info *info = reading->others.info;

	for (unsigned i = 0; i < all->nrows && budget_take(info, 1); i++) {
		struct row row = all->rows[i].row;

		if (!is_inside(&reading->others, &all->rows[i], &row))
			continue;
		row.is_mark = is_gcc && all->has_marks && row.is_stmt;
		row.is_in_order = !is_gcc;
		arena_append(info->arena, reading->rows, reading->count) = row;
	}
}

static struct error *need_rows(struct others *others, Dwarf_Die *unit)
{
	struct listing listing = {
		.info = others->info, .all = others->all, .instance = others->instance,
		.address = ~(uint64_t)0,
	};

	if (others->all->are_rows_listed)
		return NULL;
	listing.rows_of = unit_rows(others->info, unit);
	if (!listing.rows_of)
		return dwarf_error(others->info, "line table");
	list_rows(&listing);
	return NULL;
}

struct error *dwarf_rows(struct debuginfo *base, const struct instance *instance, struct row **ret,
			 unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct reading reading = {.others = {.info = info, .instance = instance}};
	Dwarf_Die die, unit, outer;
	struct error *error;

	if (recall_rows(info, instance, ret, count))
		return NULL;
	*ret = NULL;
	*count = 0;
	if (!die_at(info, instance->source, &die) ||
	    !die_at(info, instance->outer_source, &outer) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL))
		return dwarf_error(info, "function");
	others_init(&reading.others, &outer, &die);
	error = need_rows(&reading.others, &unit);
	if (!error)
		read_rows(&reading, is_gcc_unit(&unit));
	others_deinit(&reading.others);
	if (error)
		return error;
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
