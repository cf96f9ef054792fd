// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the type of an array: how many elements, from which index on, and how far apart.
 *
 * The surprise: only C and its kin count from 0. A lower bound that isn't given is the language's
 * (1 in Fortran), and an array may be stored by columns, in bits, or behind a descriptor, which is
 * not read.
 */
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/type_make.h"

#define DIMENSIONS_MAX 64
#define UNITS_ASKED 256

struct dimension {
	int64_t first;
	uint64_t count, stride; /* 0: unknown; as the elements' size says */
};

struct dimensions {
	struct dimension list[DIMENSIONS_MAX];
	unsigned count;
	const char *obstacle; /* why elements can't be found */
};

/* What a unit of this language takes for the first index where nothing is said. */
static bool default_first(Dwarf_Die *unit, int64_t *ret)
{
	Dwarf_Sword first;
	int language = dwarf_srclang(unit);

	if (language < 0)
		return false;
	*ret = dwarf_default_lower_bound(language, &first) ? 0 : first;
	return true;
}

/* A unit that dwz made names no language: it has that of the others, if they agree. */
static bool shared_first(struct dwarf_info *info, int64_t *ret)
{
	bool has_any = false;
	int64_t first;
	Dwarf_Die unit;

	*ret = 0;
	for (size_t i = 0; i < info->nunits && i < UNITS_ASKED; i++) {
		if (!die_at(info, info->units[i].die, &unit) || !default_first(&unit, &first))
			continue;
		if (has_any && first != *ret)
			return false;
		*ret = first;
		has_any = true;
	}
	return true;
}

static bool first_unsaid(struct dwarf_info *info, Dwarf_Die *range, int64_t *ret)
{
	Dwarf_Die unit;

	return (dwarf_diecu(range, &unit, NULL, NULL) && default_first(&unit, ret)) ||
	       shared_first(info, ret);
}

/* Returns false when it is there, but no constant. */
static bool constant(Dwarf_Die *die, unsigned name, int64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword number;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return true;
	switch (dwarf_whatform(&attribute)) {
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(&attribute, &number))
			return false;
		*ret = number;
		return true;
	default:
		return !dwarf_formudata(&attribute, (Dwarf_Word *)ret);
	}
}

/* A variable or an expression as the end leaves the count unknown; -1 of `char x[0]` makes it 0. */
static uint64_t range_count(Dwarf_Die *range, int64_t first)
{
	int64_t last = first - 1, count = 0;

	if (dwarf_hasattr_integrate(range, DW_AT_count))
		return constant(range, DW_AT_count, &count) && count > 0 ? (uint64_t)count : 0;
	return constant(range, DW_AT_upper_bound, &last) && last >= first ?
	       (uint64_t)last - (uint64_t)first + 1 : 0;
}

/* Returns why the dimension's elements can't be found, or NULL. */
static const char *read_dimension(struct dwarf_info *info, Dwarf_Die *range, struct dimension *ret)
{
	int64_t stride = 0;

	if (dwarf_tag(range) != DW_TAG_subrange_type)
		return "with an index that ktrace can't count";
	if (dwarf_hasattr(range, DW_AT_bit_stride))
		return "of elements packed in bits";
	if (!constant(range, DW_AT_byte_stride, &stride) || stride < 0)
		return "of elements whose distance is known at run time only";
	if (!(dwarf_hasattr_integrate(range, DW_AT_lower_bound) ?
		      constant(range, DW_AT_lower_bound, &ret->first) :
		      first_unsaid(info, range, &ret->first)))
		return "whose first index is known at run time only";
	ret->count = range_count(range, ret->first);
	ret->stride = (uint64_t)stride;
	return NULL;
}

static bool is_dimension(int tag)
{
	return tag == DW_TAG_subrange_type || tag == DW_TAG_enumeration_type ||
	       tag == DW_TAG_generic_subrange;
}

static void read_dimensions(struct dwarf_info *info, Dwarf_Die *die, struct dimensions *ret)
{
	Dwarf_Die range;

	if (die_child(info, die, &range))
		return;
	do {
		if (!is_dimension(dwarf_tag(&range)))
			continue;
		if (ret->count < DIMENSIONS_MAX && !ret->obstacle)
			ret->obstacle = read_dimension(info, &range, &ret->list[ret->count]);
		ret->count++;
	} while (!die_sibling(info, &range, &range));
	if (ret->count > DIMENSIONS_MAX)
		ret->obstacle = arena_printf(info->arena, "in %u dimensions", ret->count);
}

/* By columns, the first index is the one whose elements are side by side. */
static void stride_columns(struct dimensions *dimensions, uint64_t size)
{
	for (unsigned i = 0; i < dimensions->count && dimensions->count > 1; i++) {
		struct dimension *dimension = &dimensions->list[i];

		dimension->stride = size;
		if ((!dimension->count && i + 1 < dimensions->count) ||
		    __builtin_mul_overflow(size, dimension->count ?: 1, &size))
			dimensions->obstacle = "by columns of unknown length";
	}
}

static void read_layout(Dwarf_Die *die, uint64_t size, struct dimensions *ret)
{
	int64_t order = DW_ORD_row_major, stride = 0;

	constant(die, DW_AT_ordering, &order);
	if (dwarf_hasattr(die, DW_AT_data_location))
		ret->obstacle = "behind a descriptor";
	else if (dwarf_hasattr(die, DW_AT_bit_stride))
		ret->obstacle = "of elements packed in bits";
	else if (!constant(die, DW_AT_byte_stride, &stride) || stride < 0 ||
		 (stride && (uint64_t)stride != size && ret->count > 1))
		ret->obstacle = "of elements whose distance is known at run time only";
	else if (stride && ret->count)
		ret->list[0].stride = ret->list[0].stride ?: (uint64_t)stride;
	if (order == DW_ORD_col_major && !ret->obstacle)
		stride_columns(ret, size);
}

static struct type *wrap(struct arena *arena, const struct type *element,
			 const struct dimension *dimension, uint64_t source)
{
	struct type *type = type_array(arena, element, dimension->count, source);

	type->first = dimension->first;
	if (!dimension->stride || dimension->stride == element->size)
		return type;
	type->stride = dimension->stride;
	if (type->count && (__builtin_mul_overflow(type->count - 1, type->stride, &type->size) ||
			    __builtin_add_overflow(type->size, element->size, &type->size) ||
			    type->size > SIZE_MAX_BYTES))
		type->size = type->count = 0;
	return type;
}

/* Fewer bytes than the elements have: they are packed in a way that isn't said. */
static bool is_too_small(Dwarf_Die *die, const struct type *type)
{
	int64_t size = INT64_MAX;

	return constant(die, DW_AT_byte_size, &size) && (uint64_t)size < type->size;
}

/* Where its size is said, its bytes can be shown within a struct. */
static const struct type *refused(struct arena *arena, Dwarf_Die *die, const struct type *element,
				  const char *obstacle)
{
	struct type *type = arena_new(arena, struct type);
	int64_t size = 0;

	type->kind = TYPE_OTHER;
	if (constant(die, DW_AT_byte_size, &size) && size > 0 && (uint64_t)size <= SIZE_MAX_BYTES)
		type->size = (uint64_t)size;
	type->name = arena_printf(arena, "%s array, %s", element->name, obstacle);
	return type;
}

const struct type *dwarf_array(struct dwarf_info *info, Dwarf_Die *die, const struct type *element)
{
	struct dimensions dimensions = {.count = 0};
	const struct type *inner = element;
	struct type *type = NULL;

	read_dimensions(info, die, &dimensions);
	if (!dimensions.obstacle)
		read_layout(die, element->size, &dimensions);
	if (dimensions.obstacle)
		return refused(info->arena, die, element, dimensions.obstacle);
	for (unsigned i = dimensions.count ?: 1; i-- > 0; inner = type)
		type = wrap(info->arena, inner, &dimensions.list[i], die_handle(info, die));
	if (is_too_small(die, type))
		return refused(info->arena, die, element, "of elements packed in bits");
	type_name_array(info->arena, type);
	return type;
}
