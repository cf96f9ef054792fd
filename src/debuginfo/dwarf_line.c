// SPDX-License-Identifier: GPL-2.0-only
/*
 * A copy of a function in, the rows of the line table inside its code out. Statement or not makes
 * no difference here: which row to probe is resolve's to decide. libdw has them sorted by address,
 * rows of one address in their order.
 */
#include "debuginfo/internal.h"

/* A copy without instructions still has the rows at its entry. */
static bool is_inside(const struct instance *instance, uint64_t address)
{
	if (!instance->nranges)
		return address == instance->entry;
	return ranges_contain(instance->ranges, instance->nranges, address);
}

static bool read_row(struct dwarf_info *info, const struct instance *instance, Dwarf_Line *line,
		     struct row *row)
{
	Dwarf_Addr address;
	bool end;
	int number;

	if (dwarf_lineaddr(line, &address) || !is_inside(instance, address + info->bias) ||
	    dwarf_lineendsequence(line, &end) || end || dwarf_lineno(line, &number) || number <= 0)
		return false;
	row->address = address + info->bias;
	row->line = (unsigned)number;
	row->file = dwarf_linesrc(line, NULL, NULL) ?: "";
	return !dwarf_linebeginstatement(line, &row->is_stmt);
}

struct error *dwarf_rows(struct debuginfo *base, const struct instance *instance, struct row **ret,
			 unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die, unit;
	Dwarf_Lines *lines;
	size_t total, inside = 0;
	struct row row;

	*ret = NULL;
	*count = 0;
	if (!dwarf_offdie(info->dwarf, instance->source, &die) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL))
		return dwarf_error(info, "function");
	if (dwarf_getsrclines(&unit, &lines, &total))
		return dwarf_error(info, "line table");
	for (size_t i = 0; i < total; i++)
		inside += read_row(info, instance, dwarf_onesrcline(lines, i), &row);
	*ret = arena_array(info->arena, struct row, inside + 1);
	for (size_t i = 0; i < total; i++)
		if (read_row(info, instance, dwarf_onesrcline(lines, i), &row))
			(*ret)[(*count)++] = row;
	return NULL;
}
