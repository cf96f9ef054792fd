// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a member of a struct or union by name, or lists all.
 *
 * The surprise: bit-fields come in two forms. DWARF 4/5 count data_bit_offset from the struct's
 * first bit, DWARF 2/3 from the top bit of a storage unit.
 */
#include <limits.h>
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/questions.h"
#include "debuginfo/type_make.h"
#include "debuginfo/walk.h"

#define MEMBER_DEPTH 32

#define MEMBER_BITS_MAX  64
#define MEMBER_START_MAX ((uint64_t)1 << 50) /* in bits */

/* DWARF 2 writes an offset as an operation; others compute it, from a number in the struct. */
static bool member_offset(Dwarf_Attribute *attribute, Dwarf_Word *ret)
{
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_formudata(attribute, ret))
		return true;
	if (dwarf_getlocation(attribute, &ops, &count) || count != 1 || ops->atom != DW_OP_plus_uconst)
		return false;
	*ret = ops->number;
	return true;
}

/* Where the member starts, in bits from the start of its struct. Returns false when that isn't a
 * plain constant; *is_damaged: it is one that no member can have. */
static bool member_bits(Dwarf_Die *die, const struct type *type, uint64_t *start, unsigned *size,
			bool *is_damaged)
{
	Dwarf_Attribute attribute;
	Dwarf_Word bytes = 0, value, bits = 0;

	*size = 0;
	if (dwarf_attr(die, DW_AT_bit_size, &attribute) && !dwarf_formudata(&attribute, &bits))
		*size = bits <= MEMBER_BITS_MAX ? (unsigned)bits : UINT_MAX;
	*is_damaged |= *size > MEMBER_BITS_MAX;
	if (dwarf_attr(die, DW_AT_data_bit_offset, &attribute))
		return !dwarf_formudata(&attribute, start);
	if (dwarf_attr(die, DW_AT_data_member_location, &attribute) && !member_offset(&attribute, &bytes))
		return false;
	*is_damaged |= bytes > MEMBER_START_MAX / 8;
	*start = bytes * 8;
	if (!dwarf_attr(die, DW_AT_bit_offset, &attribute) || dwarf_formudata(&attribute, &value))
		return true;
	bits = type->size * 8;
	if (dwarf_attr(die, DW_AT_byte_size, &attribute) && !dwarf_formudata(&attribute, &bytes))
		bits = bytes * 8;
	*start += bits - value - *size;
	return true;
}

static bool read_member(struct dwarf_info *info, Dwarf_Die *die, uint64_t base_bits,
			struct member *ret, bool *is_damaged)
{
	bool is_impossible = false;
	uint64_t start = 0;

	ret->name = dwarf_diename(die);
	ret->type = dwarf_type_of(info, die);
	if (!member_bits(die, ret->type, &start, &ret->bit_size, &is_impossible))
		return false;
	is_impossible |= start > MEMBER_START_MAX;
	*is_damaged |= is_impossible;
	if (is_impossible)
		return false;
	start += base_bits;
	ret->offset = start / 8;
	ret->bit_offset = start % 8;
	return true;
}

/* The base type of a member, or of its elements. Returns false when it has another kind of type. */
static bool number_die(struct dwarf_info *info, Dwarf_Die *member, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	*ret = *member;
	for (unsigned depth = 0; depth < MEMBER_DEPTH && budget_take(info, 1); depth++) {
		if (!dwarf_attr_integrate(ret, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, ret))
			return false;
		switch (dwarf_tag(ret)) {
		case DW_TAG_base_type: return true;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_array_type: break;
		default: return false;
		}
	}
	return false;
}

/* In a struct with scalar_storage_order("big-endian") gcc marks the numbers as big-endian, but not the enums:
 * they are where a number beside them is. */
static bool has_big_endian(struct dwarf_info *info, Dwarf_Die *parent)
{
	Dwarf_Die die, number;

	if (die_child(info, parent, &die))
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_member && number_die(info, &die, &number) &&
		    is_big_endian(&number))
			return true;
	} while (!die_sibling(info, &die, &die));
	return false;
}

static const struct type *unordered(struct arena *arena, const struct type *type)
{
	struct type *copy = (struct type *)type_renamed(arena, type,
			    arena_printf(arena, "big-endian %s", type->name));

	copy->kind = TYPE_OTHER;
	return copy;
}

static bool is_of_enums(const struct type *type)
{
	while (type->kind == TYPE_ARRAY)
		type = type->target;
	return type->kind == TYPE_ENUM && type->size > 1;
}

struct member_search {
	struct dwarf_info *info;
	const char *name; /* NULL: all */
	struct member *list;
	unsigned count;
	bool is_damaged;   /* some member is where no member can be */
	bool has_variants; /* which members exist depends on a number in it */
	const char *moving; /* one whose place does; NULL: none */
};

/* Members of anonymous structs and unions belong to the one around them (C11 6.7.2.1). */
static void search_members(struct member_search *search, Dwarf_Die *parent, uint64_t base_bits,
			   unsigned depth)
{
	Dwarf_Die die, inner;
	struct member member;

	if (depth > MEMBER_DEPTH || die_child(search->info, parent, &die))
		return;
	do {
		search->has_variants |= dwarf_tag(&die) == DW_TAG_variant_part;
		if (dwarf_tag(&die) != DW_TAG_member && dwarf_tag(&die) != DW_TAG_inheritance)
			continue;
		if (dwarf_hasattr(&die, DW_AT_declaration))
			continue; /* a static member of C++ lies elsewhere */
		if (!read_member(search->info, &die, base_bits, &member, &search->is_damaged)) {
			if (!search->name || (member.name && !strcmp(member.name, search->name)))
				search->moving = member.name ?: "?";
			continue;
		}
		if (member.name && (!search->name || !strcmp(member.name, search->name))) {
			if ((is_of_enums(member.type) || (member.bit_size && member.type->kind == TYPE_ENUM)) &&
			    has_big_endian(search->info, parent))
				member.type = unordered(search->info->arena, member.type);
			arena_append(search->info->arena, search->list, search->count) = member;
			if (search->name)
				return;
		} else if (!member.name && handle_die(search->info, member.type->source,
						     &inner)) {
			search_members(search, &inner, member.offset * 8, depth + 1);
			if (search->name && search->count)
				return;
		}
	} while (!die_sibling(search->info, &die, &die));
}

static struct error *search_type(struct debuginfo *base, const struct type *type,
				 struct member_search *search)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die;

	search->info = info;
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return NULL;
	if (!handle_die(info, type->source, &die))
		return dwarf_error(info, "type");
	if (type_definition(info, &die))
		search_members(search, &die, 0, 0);
	if (search->name && search->count)
		return NULL;
	if (search->moving && !search->is_damaged)
		return error_new(info->arena, ERROR_INEXPRESSIBLE, "where '%s' of '%s' lies depends on the "
				 "numbers in it, which ktrace doesn't follow", search->moving, type->name);
	if (!search->is_damaged)
		return NULL;
	return error_new(info->arena, ERROR_NO_DEBUGINFO, "damaged debug information in '%s': a member of '%s' "
			 "lies where none can be", base->target->path, type->name);
}

struct error *dwarf_member(struct debuginfo *base, const struct type *type, const char *name,
			   struct member **ret)
{
	struct member_search search = {.name = name};
	struct error *error = search_type(base, type, &search);

	*ret = search.count ? search.list : NULL;
	return error;
}

struct error *dwarf_members(struct debuginfo *base, const struct type *type, struct member **ret,
			    unsigned *count)
{
	struct member_search search = {.name = NULL};
	struct error *error = search_type(base, type, &search);

	*ret = search.list;
	*count = search.count;
	if (!error && search.has_variants)
		return error_new(dwarf_info(base)->arena, ERROR_INEXPRESSIBLE, "which members '%s' has depends on "
				 "a number in it (DW_TAG_variant_part), which ktrace doesn't decode",
				 type->name);
	return error;
}
