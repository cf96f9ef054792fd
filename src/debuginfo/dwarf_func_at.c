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
#include "debuginfo/section_bytes.h"
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

typedef bool take_fn(struct dwarf_info *info, Dwarf_Die *unit, uint64_t address, Dwarf_Die *ret);

/* One unit's list of ranges (DWARF 5, 6.1.2). Returns false when it can't be read. */
static bool read_set(struct reader *set, uint64_t address, uint64_t *unit, bool *contains)
{
	unsigned version = (unsigned)read_fixed(set, 2), sizes;
	uint64_t start, length;

	*contains = false;
	*unit = read_fixed(set, 4);
	sizes = (unsigned)read_fixed(set, 2); /* of an address, and of a segment */
	skip_bytes(set, 4);		      /* ranges are aligned */
	if (version != 2 || sizes != 8)
		return false;
	do {
		start = read_fixed(set, 8);
		length = read_fixed(set, 8);
		*contains |= address >= start && address - start < length;
	} while (!set->is_bad && (start || length) && !*contains);
	return !set->is_bad;
}

/* By .debug_aranges, which may be incomplete, or not there at all (clang). libdw would read the
 * headers of all units for it, which lie far from each other. */
static bool each_in_aranges(struct dwarf_info *info, uint64_t address, take_fn *take,
			    Dwarf_Die *ret)
{
	const Elf_Data *data = section_data(info, ".debug_aranges");
	struct reader in = {0};
	Dwarf_Die unit;

	if (data && data->d_buf)
		in = (struct reader){data->d_buf, (uint8_t *)data->d_buf + data->d_size, false};
	while (in.at < in.end) {
		uint64_t length = read_fixed(&in, 4), offset;
		struct reader set = in;
		bool contains;

		skip_bytes(&in, length);
		set.end = in.at;
		if (in.is_bad || !read_set(&set, address - info->bias, &offset, &contains))
			return false;
		if (contains && unit_of(info, offset) &&
		    die_at(info, unit_of(info, offset)->die, &unit) &&
		    take(info, &unit, address, ret))
			return true;
	}
	return false;
}

/* Calls take() for the units with code at the address, until it returns true. */
static bool each_unit(struct dwarf_info *info, uint64_t address, take_fn *take, Dwarf_Die *ret)
{
	Dwarf_Die unit;

	if (each_in_aranges(info, address, take, ret))
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
