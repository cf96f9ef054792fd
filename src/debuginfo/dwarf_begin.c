// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where a function begins whose code is in several ranges.
 *
 * The surprise: it need not be the first of the list, nor the lowest. clang lists the sections of a
 * function's blocks (-fbasic-block-sections, as Propeller uses them) and its beginning last. Only
 * the symbol tells; the other parts have symbols with names made from the function's.
 */
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <string.h>

#include "debuginfo/die.h"

static bool is_part(const char *name)
{
	return strstr(name, ".__part.") || strstr(name, ".cold");
}

/* Whether a range that begins with a function's symbol is the only such one, which is set. */
static bool find_begin(Elf *elf, Elf_Scn *section, const struct range *ranges, unsigned count,
		       uint64_t *ret)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Sym symbol;
	bool found = false;

	if (!data || !gelf_getshdr(section, &header))
		return false;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name;

		if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		for (unsigned j = 0; j < count; j++) {
			if (ranges[j].start != symbol.st_value)
				continue;
			name = elf_strptr(elf, header.sh_link, symbol.st_name);
			if (!name || is_part(name))
				continue;
			if (found && *ret != symbol.st_value)
				return false;
			*ret = symbol.st_value;
			found = true;
		}
	}
	return found;
}

static Elf_Scn *symbols_of(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return section;
	return NULL;
}

/* A pack leaves out the symbols that the program itself has. */
static bool begins_at_symbol(struct dwarf_info *info, const struct range *ranges, unsigned count,
			     uint64_t *ret)
{
	Dwfl_Module *module = info->base.target->dwfl_module;
	Elf *elf = dwarf_getelf(info->dwarf);
	GElf_Addr bias;

	if (!symbols_of(elf))
		elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	return symbols_of(elf) && find_begin(elf, symbols_of(elf), ranges, count, ret);
}

uint64_t ranges_begin(struct dwarf_info *info, Dwarf_Die *die, uint64_t first)
{
	Dwarf_Off handle = die_handle(info, die);
	struct range *ranges;
	unsigned count;
	Dwarf_Die unit;

	if (dwarf_tag(die) != DW_TAG_subprogram || !dwarf_diecu(die, &unit, NULL, NULL) ||
	    is_gcc_unit(&unit))
		return first;
	if (info->begun_die == handle)
		return info->begun;
	die_ranges(info, die, &ranges, &count);
	for (unsigned i = 0; i < count; i++)
		ranges[i].start -= info->bias;
	info->begun_die = handle;
	info->begun = first;
	if (count > 1 && begins_at_symbol(info, ranges, count, &info->begun))
		info->begun += info->bias;
	else
		info->begun = first;
	return info->begun;
}
