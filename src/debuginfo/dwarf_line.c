// SPDX-License-Identifier: GPL-2.0-only
/*
 * A copy of a function in, the rows of the line table inside its code out. Statement or not makes
 * no difference here: which row to probe is resolve's to decide. libdw has them sorted by address,
 * rows of one address in their order.
 */
#include <string.h>

#include "debuginfo/internal.h"

/* Whether a function other than this one, declared between it and the line, has code at address:
 * the function around, or one inlined into that. */
static bool is_anothers(struct dwarf_info *info, const struct instance *instance, Dwarf_Die *scope,
			uint64_t address, unsigned line)
{
	Dwarf_Die die;
	Dwarf_Addr entry;
	int declared, tag = dwarf_tag(scope);
	const char *file;

	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
		file = dwarf_decl_file(scope);
		if (dwarf_haspc(scope, address - info->bias) <= 0 &&
		    (dwarf_entrypc(scope, &entry) || entry + info->bias != address))
			return false;
		if (file && !strcmp(file, instance->function->file) &&
		    !dwarf_decl_line(scope, &declared) &&
		    declared > (int)instance->function->line && declared <= (int)line)
			return true;
	} else if (tag != DW_TAG_lexical_block) {
		return false;
	}
	if (dwarf_child(scope, &die))
		return false;
	do {
		if (is_anothers(info, instance, &die, address, line))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* The last line of an inlined copy may begin where its code ends: `return n;` is then the first
 * instruction after it. */
static bool is_just_behind(struct dwarf_info *info, const struct instance *instance,
			   uint64_t address, unsigned line, const char *file)
{
	Dwarf_Die outer;

	if (!instance->inlined || line < instance->function->line ||
	    strcmp(file, instance->function->file) ||
	    !ranges_contain(instance->outer_ranges, instance->nouter_ranges, address))
		return false;
	for (unsigned i = 0; i < instance->nranges; i++)
		if (instance->ranges[i].end == address)
			return dwarf_offdie(info->dwarf, instance->outer_source, &outer) &&
			       !is_anothers(info, instance, &outer, address, line);
	return false;
}

/* A copy without instructions still has the rows at its entry. */
static bool is_inside(struct dwarf_info *info, const struct instance *instance, uint64_t address,
		      unsigned line, const char *file)
{
	if (!instance->nranges)
		return address == instance->entry;
	return ranges_contain(instance->ranges, instance->nranges, address) ||
	       is_just_behind(info, instance, address, line, file);
}

static bool read_row(struct dwarf_info *info, const struct instance *instance, Dwarf_Line *line,
		     struct row *row)
{
	Dwarf_Addr address;
	bool end;
	int number;

	if (dwarf_lineaddr(line, &address) || dwarf_lineendsequence(line, &end) || end ||
	    dwarf_lineno(line, &number) || number <= 0)
		return false;
	row->address = address + info->bias;
	row->line = (unsigned)number;
	row->file = dwarf_linesrc(line, NULL, NULL) ?: "";
	if (!is_inside(info, instance, row->address, row->line, row->file))
		return false;
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
