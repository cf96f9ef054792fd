// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the function whose out-of-line code begins at an address, with all its instances.
 */
#include <string.h>

#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"

/* Finds the out-of-line function that begins there. Returns false when this unit has none. */
static bool entry_below(struct dwarf_info *info, Dwarf_Die *parent, bool in_c, uint64_t address,
			Dwarf_Die *ret)
{
	Dwarf_Die die;
	uint64_t entry;

	if (die_child(info, parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && dwarf_die_entry(info, &die, &entry) &&
		    entry == address) {
			*ret = die;
			return true;
		}
		if ((in_c ? holds_functions(tag) : may_hold_functions(tag)) &&
		    entry_below(info, &die, in_c, address, ret))
			return true;
	} while (!die_sibling(info, &die, &die));
	return false;
}

static bool function_entry(struct dwarf_info *info, Dwarf_Die *unit, uint64_t address,
			   Dwarf_Die *ret)
{
	return entry_below(info, unit, is_c(unit), address, ret);
}

/* Lists the code ranges of each unit, as its own DIE has them. */
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

	/* libdw looks up the unit of each range, and would take a bridge for one; a pack's headers
	 * aren't there before they are read */
	if (!read_all_units(info) ||
	    (info->pack && info->nunits && !read_units(info, info->nunits - 1)))
		return false;
	return !dwarf_getaranges(info->dwarf, &ranges, NULL) &&
	       !dwarf_getarangeinfo(dwarf_getarange_addr(ranges, address - info->bias), NULL, NULL,
				    &offset) &&
	       unit_of(info, offset) && die_at(info, unit_of(info, offset)->die, ret);
}

/* Calls take() for the units with code at the address, until it returns true. */
static bool each_unit(struct dwarf_info *info, uint64_t address,
		      bool (*take)(struct dwarf_info *info, Dwarf_Die *unit, uint64_t address,
				   Dwarf_Die *ret),
		      Dwarf_Die *ret)
{
	Dwarf_Die unit;

	if (unit_by_aranges(info, address, &unit) && take(info, &unit, address, ret))
		return true;
	if (!info->code)
		list_code(info);
	for (size_t i = 0; i < info->nunits; i++)
		if (ranges_contain(info->code[i].ranges, info->code[i].nranges, address) &&
		    die_at(info, info->units[i].die, &unit) && take(info, &unit, address, ret))
			return true;
	return false;
}

static bool take_unit(struct dwarf_info *info, Dwarf_Die *unit, uint64_t address, Dwarf_Die *ret)
{
	(void)info;
	(void)address;
	*ret = *unit;
	return true;
}

bool unit_at(struct dwarf_info *info, uint64_t address, Dwarf_Die *ret)
{
	return each_unit(info, address, take_unit, ret);
}

struct error *dwarf_function_at(struct debuginfo *base, uint64_t address, struct instance ***ret,
				unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct error *error = NULL;
	unsigned kept = 0;
	Dwarf_Die die;

	*count = 0;
	if (!each_unit(info, address, function_entry, &die) || !dwarf_diename(&die))
		return NULL;
	error = dwarf_instances(base, dwarf_diename(&die), ret, count);
	if (linkage_name(&die) && has_all_named(info, linkage_name(&die)))
		info->beyond = NULL; /* all of this function, if not of its name */
	for (unsigned i = 0; !error && i < *count; i++)
		if ((*ret)[i]->function->source == die_origin(&die))
			(*ret)[kept++] = (*ret)[i];
	*count = kept;
	return error;
}
