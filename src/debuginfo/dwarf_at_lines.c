// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the instances of functions that have a row for one of the given lines of a file.
 *
 * The surprise: a line's code lies in all functions that it is inlined into, but the line belongs
 * to one function. It need not even be in that function's file: lex and yacc put lines of their
 * input into functions of the file they write (#line).
 */
#include <string.h>

#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/owner.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"
#include "debuginfo/section_bytes.h"

struct line_search {
	struct copies copies;
	const uint64_t *addresses; /* of the lines' rows, in this unit */
	unsigned naddresses;
	const char *file;
	const bool *may_have; /* by unit: its lines can be of the file; NULL: all can */
	unsigned first;
	unsigned last;
	bool file_known;
	const char *path, *directory; /* of the file, in the unit where it was last seen */
	unsigned above; /* line of the last function of the file declared above the lines */
};

static bool holds_address(const struct line_search *search, const struct range *ranges,
			  unsigned count)
{
	for (unsigned i = 0; i < search->naddresses; i++)
		if (ranges_contain(ranges, count, search->addresses[i]))
			return true;
	return false;
}

/* Whether it is a thunk that the compiler made. Its lines are those of what is inlined into it. */
static bool is_thunk(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_diename(die) &&
	       is_flagged(die, DW_AT_artificial);
}

/* Whether an instance's code, or the function around it, holds one of the addresses that the line
 * table gives for the lines, and its function is declared in that file, not below the lines. Which
 * rows are the instance's is asked later: they may lie outside it. But behind a local function's
 * end the function around it goes on, so only what lies inside is a local function's. */
static bool is_at_line(struct copies *copies, Dwarf_Die *die, Dwarf_Off origin)
{
	const struct line_search *search = (struct line_search *)copies;
	struct range *ranges;
	unsigned count;
	const char *file;
	int line;

	(void)origin;
	die_ranges(copies->info, die, &ranges, &count);
	file = declared_file(copies->info, die);
	if (!file || !file_matches(file, search->file) || !declared_line(die, &line) ||
	    line > (int)search->last || is_thunk(die))
		return false;
	return holds_address(search, ranges, count) ||
	       (dwarf_tag(die) == DW_TAG_inlined_subroutine &&
		holds_address(search, copies->outer.ranges, copies->outer.nranges) &&
		!is_local_function(copies->info, die));
}

static bool is_same_file(const struct function *function, const struct function *other)
{
	return same_file(function->directory, function->file, other->directory, other->file);
}

/* Among nested functions, a line belongs to the one of its file declared last before it. If that
 * has ended there, is_foreign_line() finds that it has no row. */
static void keep_nearest(struct copies *copies)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < copies->ninstances; i++) {
		const struct function *function = copies->instances[i]->function;
		bool is_nearest = true;

		for (size_t j = 0;
		     j < copies->nfunctions && is_nearest && budget_take(copies->info, 4); j++)
			is_nearest = copies->functions[j]->line <= function->line ||
				     !is_same_file(copies->functions[j], function);
		if (is_nearest)
			copies->instances[kept++] = copies->instances[i];
	}
	copies->ninstances = kept;
}

/* The file that the last row was in. */
struct last_file {
	bool is_known;
	unsigned number;
	const char *name; /* NULL: it is another than the wanted one */
};

/* The name of the row's file if it is the wanted one. */
static const char *wanted_file(const struct line_search *search, struct line_rows *rows,
			       const struct line_row *row, struct last_file *last)
{
	if (last->is_known && last->number == row->file)
		return last->name;
	*last = (struct last_file){
		.is_known = true, .number = row->file, .name = row_file(rows, row)};
	if (last->name && !file_matches(last->name, search->file))
		last->name = NULL;
	return last->name;
}

static void unit_addresses(struct line_search *search, Dwarf_Die *unit)
{
	struct dwarf_info *info = search->copies.info;
	struct line_rows *rows = unit_rows(info, unit);
	struct last_file last = {.is_known = false};
	uint64_t *addresses = NULL;

	search->naddresses = 0;
	for (size_t i = 0; rows && i < rows->count; i++) {
		const struct line_row *row = &rows->list[i];
		const char *file = row->is_end ? NULL : wanted_file(search, rows, row, &last);

		if (!file)
			continue;
		search->file_known = true;
		if ((int)row->line < (int)search->first || row->line > search->last)
			continue;
		if (!addresses)
			addresses = arena_array(info->arena, uint64_t, rows->count - i);
		addresses[search->naddresses++] = row->address + info->bias;
		search->path = file;
		search->directory = directory_of(unit->cu);
	}
	search->addresses = addresses;
}

/* Any function with code at the lines' addresses. */
static bool is_around(struct copies *copies, Dwarf_Die *die, Dwarf_Off origin)
{
	const struct line_search *search = (struct line_search *)copies;
	struct range *ranges;
	unsigned count;

	(void)origin;
	die_ranges(copies->info, die, &ranges, &count);
	return holds_address(search, ranges, count) && !is_thunk(die);
}

static bool is_called_from(struct line_search *search, const struct instance *instance)
{
	struct dwarf_info *info = search->copies.info;
	const char *file;
	Dwarf_Die die;

	if (!instance->inlined || !die_at(info, instance->source, &die))
		return false;
	file = calling_file(info, &die);
	return file && file_matches(file, search->file);
}

/* Outer instances come first. A function that is called from the file is called by the line: the
 * search ends there. */
static struct instance *innermost(struct line_search *search, unsigned first, uint64_t address)
{
	const struct copies *copies = &search->copies;
	struct instance *found = NULL;

	for (unsigned i = first; i < copies->ninstances; i++) {
		struct instance *instance = copies->instances[i];

		if (!ranges_contain(instance->ranges, instance->nranges, address))
			continue;
		if (found && is_called_from(search, instance))
			break;
		found = instance;
	}
	return found;
}

/* The instance, as if its function were in that file, declared just below the last function above
 * the lines: rows of functions inlined into it then aren't taken for its own. */
static struct instance *with_file(const struct line_search *search, const struct instance *instance)
{
	struct arena *arena = search->copies.info->arena;
	struct instance *foreign = arena_new(arena, struct instance);
	struct function *function = arena_new(arena, struct function);

	*foreign = *instance;
	*function = *instance->function;
	function->file = search->path;
	function->directory = search->directory;
	function->line = search->above + 1;
	function->is_elsewhere = true;
	foreign->function = function;
	return foreign;
}

static bool is_among(struct instance *const *list, unsigned count, const struct instance *instance)
{
	for (unsigned i = 0; i < count; i++)
		if (list[i]->source == instance->source)
			return true;
	return false;
}

/* Keeps the innermost instance at each address, among those from `first` on. */
static void keep_innermost(struct line_search *search, unsigned first)
{
	struct copies *copies = &search->copies;
	struct instance **kept = NULL;
	unsigned nkept = 0;

	for (unsigned i = 0;
	     i < search->naddresses && budget_take(copies->info, copies->ninstances); i++) {
		struct instance *instance = innermost(search, first, search->addresses[i]);

		if (instance && !is_among(kept, nkept, instance))
			arena_append(copies->info->arena, kept, nkept) =
				with_file(search, instance);
	}
	for (unsigned i = 0; i < nkept; i++)
		copies->instances[first + i] = kept[i];
	copies->ninstances = first + nkept;
}

static struct error *search_units(struct line_search *search, bool is_foreign)
{
	struct dwarf_info *info = search->copies.info;

	search->copies.is_wanted = is_foreign ? is_around : is_at_line;
	search->copies.ninstances = 0;
	for (size_t i = 0; i < info->nunits; i++) {
		unsigned before = search->copies.ninstances;
		Dwarf_Die unit;

		if (search->may_have && !search->may_have[i])
			continue;
		if (!die_at(info, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		unit_addresses(search, &unit);
		if (search->naddresses)
			find_copies(&search->copies, &unit);
		if (is_foreign)
			keep_innermost(search, before);
	}
	return NULL;
}

static bool has_row(struct line_search *search, const struct instance *instance)
{
	struct row *rows;
	unsigned count;

	if (dwarf_rows(&search->copies.info->base, instance, &rows, &count))
		return true; /* reported when the rows are asked for */
	for (unsigned i = 0; i < count; i++)
		if (rows[i].line >= search->first && rows[i].line <= search->last &&
		    !strcmp(rows[i].file, instance->function->file))
			return true;
	return false;
}

/* Whether the line belongs to no function of its file. */
static bool is_foreign_line(struct line_search *search)
{
	struct copies *copies = &search->copies;

	if (!search->path)
		return false;
	for (unsigned i = 0; i < copies->ninstances; i++)
		if (has_row(search, copies->instances[i]))
			return false;
	search->above = 0;
	for (size_t i = 0; i < copies->nfunctions; i++)
		if (copies->functions[i]->line > search->above &&
		    copies->functions[i]->line <= search->first)
			search->above = copies->functions[i]->line;
	return true;
}

/* A unit may be of the file and have no line table: not in `units_with_file()`'s answer. */
static bool is_unit(struct dwarf_info *info, const char *file)
{
	Dwarf_Die unit;

	for (size_t i = 0; i < info->nunits; i++) {
		const char *name = die_at(info, info->units[i].die, &unit) ? dwarf_diename(&unit) :
									     NULL;

		if (name && file_matches(name, file))
			return true;
	}
	return false;
}

struct error *dwarf_instances_at_lines(struct debuginfo *base, struct file_lines lines,
				       struct instance ***ret, unsigned *count, bool *file_known)
{
	struct dwarf_info *info = dwarf_info(base);
	struct line_search search = {
		.copies = {.info = info},
		.file = lines.file,
		.first = lines.first,
		.last = lines.last,
	};
	struct error *error;

	search.may_have = units_with_file(info, lines.file);
	error = search_units(&search, false);
	if (!error && !search.copies.ninstances) {
		search.copies.in_abstract = true;
		error = search_units(&search, false);
	}
	if (!error && lines.first == lines.last)
		keep_nearest(&search.copies);
	if (!error && is_foreign_line(&search))
		error = search_units(&search, true);
	*ret = search.copies.instances;
	*count = search.copies.ninstances;
	*file_known = search.file_known || is_unit(info, lines.file);
	return error;
}
