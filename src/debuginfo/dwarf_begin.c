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
#include <stdlib.h>
#include <string.h>

#include "debuginfo/die.h"

static bool is_part(const char *name)
{
	return strstr(name, ".__part.") || strstr(name, ".cold");
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

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Where functions begin, by symbols: ascending. A pack leaves out the symbols that the program
 * itself has. */
static void list_begins(struct dwarf_info *info)
{
	Dwfl_Module *module = info->base.target->dwfl_module;
	Elf *elf = dwarf_getelf(info->dwarf);
	Elf_Scn *section;
	GElf_Addr bias;
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data;

	if (!symbols_of(elf))
		elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	section = symbols_of(elf);
	data = section ? elf_getdata(section, NULL) : NULL;
	if (!data || !gelf_getshdr(section, &header))
		return;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = GELF_ST_TYPE(symbol.st_info) == STT_FUNC ?
			elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;

		if (name && !is_part(name))
			arena_append(info->kept, info->begins, info->nbegins) = symbol.st_value;
	}
	if (info->nbegins)
		qsort(info->begins, info->nbegins, sizeof(*info->begins), compare_addresses);
}

/* Several ranges may begin with a function's symbol: then none of them tells. */
uint64_t ranges_begin(struct dwarf_info *info, Dwarf_Die *die, uint64_t first)
{
	uint64_t found = 0;
	struct range *ranges;
	unsigned count;
	Dwarf_Die unit;

	if (dwarf_tag(die) != DW_TAG_subprogram || !dwarf_diecu(die, &unit, NULL, NULL) ||
	    is_gcc_unit(&unit))
		return first;
	die_ranges(info, die, &ranges, &count);
	if (count < 2)
		return first;
	if (!info->are_begins_listed)
		list_begins(info);
	info->are_begins_listed = true;
	for (unsigned i = 0; i < count; i++) {
		uint64_t start = ranges[i].start - info->bias;

		if (!info->nbegins || !bsearch(&start, info->begins, info->nbegins,
					       sizeof(*info->begins), compare_addresses))
			continue;
		if (found && found != ranges[i].start)
			return first;
		found = ranges[i].start;
	}
	return found ?: first;
}
