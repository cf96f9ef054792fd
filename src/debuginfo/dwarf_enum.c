// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the constants of an enum type, and finds the numbers of a constant by its name alone.
 *
 * The surprise: one name may be several constants, in units that know nothing of each other.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/search/search.h"
#include "expr/expr.h"

/* gcc writes negative numbers as sdata, and others in as few bytes as they need. */
static uint64_t enumerator_number(Dwarf_Die *die, const struct type *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword is_signed = 0;
	Dwarf_Word number = 0;
	unsigned form, bits = type->size && type->size < 8 ? (unsigned)type->size * 8 : 64;

	if (!dwarf_attr(die, DW_AT_const_value, &attribute))
		return 0;
	form = dwarf_whatform(&attribute);
	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		dwarf_formsdata(&attribute, &is_signed);
		number = (Dwarf_Word)is_signed;
	} else {
		dwarf_formudata(&attribute, &number);
	}
	return extend_bits(number, bits, type->is_signed);
}

static unsigned add_enumerators(struct dwarf_info *info, const struct type *type, Dwarf_Die *parent,
				struct enumerator *list)
{
	unsigned count = 0;
	Dwarf_Die die;

	if (die_child(info, parent, &die))
		return 0;
	do {
		if (dwarf_tag(&die) != DW_TAG_enumerator || !dwarf_diename(&die))
			continue;
		if (list)
			list[count] = (struct enumerator){dwarf_diename(&die),
							  enumerator_number(&die, type)};
		count++;
	} while (!die_sibling(info, &die, &die));
	return count;
}

struct error *dwarf_enumerators(struct debuginfo *base, const struct type *type,
				struct enumerator **ret, unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die;

	*count = 0;
	if (type->kind != TYPE_ENUM)
		return NULL;
	if (!handle_die(info, type->source, &die))
		return dwarf_error(info, "type");
	if (!type_definition(info, &die))
		return NULL;
	*count = add_enumerators(info, type, &die, NULL);
	*ret = arena_array(info->arena, struct enumerator, *count + 1);
	add_enumerators(info, type, &die, *ret);
	return NULL;
}

/* Searches one enum; its type decides the number's sign. */
static void search_enum(struct dwarf_info *info, Dwarf_Die *parent, const char *name,
			uint64_t numbers[2], unsigned *count)
{
	const struct type *type = NULL;
	Dwarf_Die die;

	if (die_child(info, parent, &die))
		return;
	do {
		const char *found = dwarf_diename(&die);
		uint64_t number;

		if (!found || strcmp(found, name))
			continue;
		type = type ?: dwarf_type_from(info, parent);
		number = enumerator_number(&die, type);
		if (*count < 2 && !(*count && numbers[0] == number))
			numbers[(*count)++] = number;
	} while (!die_sibling(info, &die, &die));
}

static void search_enums(struct dwarf_info *info, Dwarf_Die *unit, const char *name,
			 uint64_t numbers[2], unsigned *count)
{
	Dwarf_Die die;

	if (die_child(info, unit, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_enumeration_type)
			search_enum(info, &die, name, numbers, count);
	} while (*count < 2 && !die_sibling(info, &die, &die));
}

struct error *dwarf_constant(struct debuginfo *base, const char *name, uint64_t numbers[2],
			     unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die unit;
	size_t next = 0;

	*count = 0;
	note_beyond(info, arena_printf(info->arena, "constants called '%s'", name));
	candidate_units(info, name);
	while (*count < 2 && next_candidate(info, &next, &unit))
		search_enums(info, &unit, name, numbers, count);
	return NULL;
}
