// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds whose code an address is: the inlined functions, innermost first, and the function that
 * they are inlined in, each with its line there. Assembler code has lines, and no functions.
 */
#include <string.h>

#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"

#define NESTED_MAX 64u /* inlined functions around an address */

struct nest {
	Dwarf_Die dies[NESTED_MAX]; /* outermost first */
	unsigned count;
	/* lambdas and the like are searched for: below functions that lie elsewhere */
	bool is_local;
};

/* Collects the functions around the address below a DIE; returns whether there are any. */
static bool enclose(struct dwarf_info *info, Dwarf_Die *parent, uint64_t address, struct nest *nest)
{
	Dwarf_Die die;

	if (die_child(info, parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;

		if (is_function || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
		    tag == DW_TAG_catch_block) {
			if (!die_contains(info, &die, address)) {
				if (nest->is_local && enclose(info, &die, address, nest))
					return true;
				continue;
			}
			if (is_function && nest->count < NESTED_MAX)
				nest->dies[nest->count++] = die;
			return enclose(info, &die, address, nest) || is_function;
		}
		if (holds_functions(tag) && tag != DW_TAG_inlined_subroutine &&
		    enclose(info, &die, address, nest))
			return true;
	} while (!die_sibling(info, &die, &die));
	return false;
}

/* The address's own line. */
static void own_line(struct dwarf_info *info, Dwarf_Die *unit, uint64_t address,
		     struct code_place *ret)
{
	Dwarf_Line *line =
		split_tag(unit->cu) ? NULL : dwarf_getsrc_die(unit, address - info->bias);
	int number;

	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return;
	ret->file = dwarf_linesrc(line, NULL, NULL);
	ret->line = ret->file ? (unsigned)number : 0;
}

struct error *dwarf_places(struct debuginfo *base, uint64_t address, struct code_place **ret,
			   unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct nest nest = {.count = 0};
	struct code_place next = {0};
	Dwarf_Die unit;

	*count = 0;
	*ret = NULL;
	if (!unit_at(info, address, &unit)) {
		note_beyond(info, arena_printf(info->arena, "the code at %#llx",
					       (unsigned long long)address));
		return NULL;
	}
	enclose(info, &unit, address, &nest);
	nest.is_local = !nest.count && !is_c(&unit);
	if (nest.is_local)
		enclose(info, &unit, address, &nest);
	if (!nest.count)
		note_beyond(info, arena_printf(info->arena, "the code at %#llx",
					       (unsigned long long)address));
	own_line(info, &unit, address, &next);
	for (unsigned i = nest.count; i > 0; i--) {
		Dwarf_Die *die = &nest.dies[i - 1];
		struct code_place place = next;

		place.function = scoped_name(info, die);
		place.is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
		if (!place.is_inlined)
			dwarf_die_entry(info, die, &place.entry);
		arena_append(info->arena, *ret, *count) = place;
		next = (struct code_place){.file = calling_file(info, die),
					   .line = calling_line(die)};
	}
	if (!*count && next.line) /* assembler code */
		arena_append(info->arena, *ret, *count) = next;
	return NULL;
}
