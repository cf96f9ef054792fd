// SPDX-License-Identifier: GPL-2.0-only
/*
 * A place in, the functions out that have code there: at an address, the one that begins there, with
 * its copies elsewhere; at lines of a file, the copies that have a row for one of them.
 *
 * The surprise: a line lies in all functions that are inlined around it, but belongs to one.
 */
#include <string.h>

#include "debuginfo/bytes.h"
#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/questions.h"
#include "debuginfo/search/search.h"

/* The function out of line that begins there; false: none in this unit. */
static bool function_entry(struct dwarf_info *info, Dwarf_Die *parent, uint64_t address,
			   Dwarf_Die *ret)
{
	Dwarf_Die die;
	Dwarf_Addr low;

	if (die_child(info, parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !dwarf_entrypc(&die, &low) &&
		    low + info->bias == address) {
			*ret = die;
			return true;
		}
		if (holds_functions(tag) && function_entry(info, &die, address, ret))
			return true;
	} while (!die_sibling(info, &die, &die));
	return false;
}

/* The code of each unit, as its own DIE has it. */
static void list_code(struct dwarf_info *info)
{
	struct arena *answers = info->arena;

	read_all_units(info);
	info->arena = info->kept;
	info->code = arena_array(info->arena, struct unit_code, info->nunits + 1);
	for (size_t i = 0; i < info->nunits; i++) {
		struct unit_code *code = &info->code[i];
		Dwarf_Die unit;

		if (die_at(info, info->units[i].die, &unit))
			die_ranges(info, &unit, &code->ranges, &code->nranges);
		pass_unit(info, &info->units[i]);
	}
	info->arena = answers;
}

/* .debug_aranges may be incomplete, or not there at all (clang). */
static bool unit_by_aranges(struct dwarf_info *info, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Aranges *ranges;
	Dwarf_Off offset;

	return !dwarf_getaranges(info->dwarf, &ranges, NULL) &&
	       !dwarf_getarangeinfo(dwarf_getarange_addr(ranges, address - info->bias), NULL, NULL,
				    &offset) &&
	       unit_of(info, offset) && die_at(info, unit_of(info, offset)->die, ret);
}

static bool find_entry(struct dwarf_info *info, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Die unit;

	if (unit_by_aranges(info, address, &unit) && function_entry(info, &unit, address, ret))
		return true;
	if (!info->code)
		list_code(info);
	for (size_t i = 0; i < info->nunits; i++)
		if (ranges_contain(info->code[i].ranges, info->code[i].nranges, address) &&
		    die_at(info, info->units[i].die, &unit) &&
		    function_entry(info, &unit, address, ret))
			return true;
	return false;
}

struct error *dwarf_function_at(struct debuginfo *base, uint64_t address, struct instance ***ret,
				unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct error *error = NULL;
	unsigned kept = 0;
	Dwarf_Die die;

	*count = 0;
	if (!find_entry(info, address, &die) || !dwarf_diename(&die))
		return NULL;
	error = dwarf_instances(base, dwarf_diename(&die), ret, count);
	for (unsigned i = 0; !error && i < *count; i++)
		if ((*ret)[i]->function->source == die_origin(&die))
			(*ret)[kept++] = (*ret)[i];
	*count = kept;
	return error;
}

struct line_search {
	struct copies copies;
	const uint64_t *addresses; /* of the lines, in the unit */
	unsigned naddresses;
	const char *file;
	unsigned first;
	unsigned last;
};

static bool holds_address(const struct line_search *search, const struct range *ranges,
			  unsigned count)
{
	for (unsigned i = 0; i < search->naddresses; i++)
		if (ranges_contain(ranges, count, search->addresses[i]))
			return true;
	return false;
}

/* Whether a copy's code, or the function around it, holds one of the addresses that the line table gives
 * for the line, and its function is declared in that file, above the line. Which rows are the copy's is
 * asked later: they may lie outside of it. */
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
	if (!file || !file_matches(file, search->file) || dwarf_decl_line(die, &line) ||
	    line > (int)search->last)
		return false;
	return holds_address(search, ranges, count) ||
	       (dwarf_tag(die) == DW_TAG_inlined_subroutine &&
		holds_address(search, copies->outer.ranges, copies->outer.nranges));
}

/* Of nested ones: a line belongs to the function of its file declared last before it. */
static void keep_nearest(struct copies *copies)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < copies->ninstances; i++) {
		const struct function *function = copies->instances[i]->function;
		bool is_nearest = true;

		for (size_t j = 0; j < copies->nfunctions && is_nearest && budget_take(copies->info, 4); j++)
			is_nearest = copies->functions[j]->line <= function->line ||
				     strcmp(copies->functions[j]->file, function->file) != 0;
		if (is_nearest)
			copies->instances[kept++] = copies->instances[i];
	}
	copies->ninstances = kept;
}

static void unit_addresses(struct line_search *search, Dwarf_Die *unit, bool *file_known)
{
	Dwarf_Lines *lines;
	uint64_t *addresses;
	size_t count;

	search->naddresses = 0;
	if (dwarf_getsrclines(unit, &lines, &count) || !count)
		return;
	addresses = NULL;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		const char *file = short_path(dwarf_linesrc(row, NULL, NULL));
		Dwarf_Addr address;
		int line;
		bool end;

		if (!file || dwarf_lineendsequence(row, &end) || end ||
		    !file_matches(file, search->file))
			continue;
		*file_known = true;
		if (dwarf_lineno(row, &line) || line < (int)search->first ||
		    line > (int)search->last || dwarf_lineaddr(row, &address))
			continue;
		if (!addresses)
			addresses = arena_array(search->copies.info->arena, uint64_t, count - i);
		addresses[search->naddresses++] = address + search->copies.info->bias;
	}
	search->addresses = addresses;
}

struct error *dwarf_instances_at_lines(struct debuginfo *base, const char *file, unsigned first,
				       unsigned last, struct instance ***ret, unsigned *count,
				       bool *file_known)
{
	struct dwarf_info *info = dwarf_info(base);
	struct line_search search = {
		.copies = {.info = info, .is_wanted = is_at_line},
		.file = file,
		.first = first,
		.last = last,
	};

	*file_known = false;
	read_all_units(info);
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		if (!die_at(info, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		unit_addresses(&search, &unit, file_known);
		if (search.naddresses)
			find_copies(&search.copies, &unit);
	}
	if (first == last)
		keep_nearest(&search.copies);
	*ret = search.copies.instances;
	*count = search.copies.ninstances;
	return NULL;
}
