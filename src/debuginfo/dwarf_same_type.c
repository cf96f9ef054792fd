// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether two units mean the same by a struct, union or enum of one name. The surprise: a
 * compiler may describe less of a class in one unit than in another, such as only the methods that
 * it calls; what objects hold is described in each.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"

#define DEPTH 8 /* of structs without a name in each other */

/* Moves to the next child that says what an object holds, or to an enum's next constant. */
static bool next_part(struct dwarf_info *info, Dwarf_Die *parent, Dwarf_Die *at, bool is_first)
{
	int end = is_first ? die_child(info, parent, at) : die_sibling(info, at, at);

	for (; !end; end = die_sibling(info, at, at)) {
		int tag = dwarf_tag(at);

		if (tag == DW_TAG_inheritance || tag == DW_TAG_enumerator ||
		    tag == DW_TAG_variant_part ||
		    (tag == DW_TAG_member && !dwarf_hasattr(at, DW_AT_declaration) &&
		     !dwarf_hasattr(at, DW_AT_external)))
			return true;
	}
	return false;
}

static bool same_number(Dwarf_Die *a, Dwarf_Die *b, unsigned name)
{
	Dwarf_Attribute first, second;
	Dwarf_Word one, other;

	if (!dwarf_attr(a, name, &first) || !dwarf_attr(b, name, &second))
		return dwarf_hasattr(a, name) == dwarf_hasattr(b, name);
	return dwarf_formudata(&first, &one) || dwarf_formudata(&second, &other) || one == other;
}

/* Compilers have names of their own for what they add, such as _vptr. */
static bool same_name(Dwarf_Die *a, Dwarf_Die *b)
{
	const char *first = dwarf_diename(a), *second = dwarf_diename(b);

	if (dwarf_hasattr(a, DW_AT_artificial) && dwarf_hasattr(b, DW_AT_artificial))
		return true;
	return first && second ? !strcmp(first, second) : first == second;
}

static bool same_parts(struct dwarf_info *info, Dwarf_Die *a, Dwarf_Die *b, unsigned depth);

/* Compares only what this struct's bytes mean: pointers are not followed. */
static bool same_part_type(struct dwarf_info *info, Dwarf_Die *a, Dwarf_Die *b, unsigned depth)
{
	Dwarf_Word size = 0, other = 0;
	Dwarf_Die first, second;

	if (!type_die(a, &first) || !type_die(b, &second))
		return true;
	if (dwarf_peel_type(&first, &first) || dwarf_peel_type(&second, &second))
		return true;
	if (dwarf_tag(&first) != dwarf_tag(&second))
		return false;
	if (!dwarf_aggregate_size(&first, &size) && !dwarf_aggregate_size(&second, &other) &&
	    size != other)
		return false;
	if (dwarf_tag(&first) == DW_TAG_base_type)
		return same_number(&first, &second, DW_AT_encoding);
	return dwarf_diename(&first) || dwarf_diename(&second) ||
	       same_parts(info, &first, &second, depth + 1);
}

static bool same_parts(struct dwarf_info *info, Dwarf_Die *a, Dwarf_Die *b, unsigned depth)
{
	static const unsigned places[] = {DW_AT_data_member_location, DW_AT_data_bit_offset,
					  DW_AT_bit_offset, DW_AT_bit_size, DW_AT_const_value};
	Dwarf_Die first, second;
	bool is_first = true;

	if (depth > DEPTH)
		return true;
	for (;; is_first = false) {
		bool has_more = next_part(info, a, &first, is_first);

		if (has_more != next_part(info, b, &second, is_first))
			return false;
		if (!has_more)
			return true;
		if (dwarf_tag(&first) != dwarf_tag(&second) || !same_name(&first, &second) ||
		    !same_part_type(info, &first, &second, depth))
			return false;
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
			if (!same_number(&first, &second, places[i]))
				return false;
	}
}

bool is_same_type(struct dwarf_info *info, Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Word size, other;

	if (!dwarf_aggregate_size(a, &size) && !dwarf_aggregate_size(b, &other) && size != other)
		return false;
	return same_parts(info, a, b, 0);
}
