// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads an object that debug information gives as its bytes alone: mostly a text, to which gcc has
 * optimised a pointer away.
 *
 * The surprise: the object has no type. What the pointer's type says is the type of one element.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/type_make.h"
#include "expr/expr.h"

#define BYTES_MAX 4096

static bool bytes_of(Dwarf_Die *die, Dwarf_Block *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;

	return dwarf_attr(die, DW_AT_location, &attribute) && !dwarf_formblock(&attribute, ret) &&
	       ret->length <= BYTES_MAX && !dwarf_getlocation(&attribute, &ops, &count) &&
	       count == 1 && ops->atom == DW_OP_implicit_value &&
	       !dwarf_getlocation_implicit_value(&attribute, ops, ret);
}

const struct type *dwarf_bare_bytes(struct dwarf_info *info, Dwarf_Die *die,
				    const struct type *element, struct loc *ret)
{
	Dwarf_Block bytes;
	struct piece *pieces;
	struct type *type;

	if (!element || !element->size || !bytes_of(die, &bytes) || bytes.length < element->size ||
	    bytes.length % element->size)
		return NULL;
	*ret = (struct loc){.kind = LOC_PIECES};
	pieces = arena_array(info->arena, struct piece, bytes.length / 8 + 1);
	for (Dwarf_Word at = 0; at < bytes.length; at += 8) {
		uint64_t value = 0;
		size_t size = bytes.length - at < 8 ? bytes.length - at : 8;

		memcpy(&value, bytes.data + at, size);
		pieces[ret->npieces++] = (struct piece){
			.size = (uint32_t)size, .expr = expr_const(info->arena, value)
		};
	}
	ret->pieces = pieces;
	if (bytes.length == element->size)
		return element;
	type = type_array(info->arena, element, bytes.length / element->size, 0);
	type_name_array(info->arena, type);
	return type;
}
