// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the members of a struct or union, and lists all of them. dwarf_base.c finds one by name.
 *
 * The surprise: bit-fields come in two forms. DWARF 4/5 count data_bit_offset from the struct's
 * first bit, DWARF 2/3 from the top bit of a storage unit.
 */
#include <limits.h>
#include <string.h>

#include "debuginfo/die_walk.h"
#include "debuginfo/members.h"
#include "debuginfo/questions.h"
#include "debuginfo/type_make.h"

#define MEMBER_BITS_MAX  64
#define MEMBER_START_MAX ((uint64_t)1 << 50) /* in bits */

/* DWARF 2 writes an offset as an operation; others compute it, from a number in the struct. */
static bool member_offset(Dwarf_Attribute *attribute, Dwarf_Word *ret)
{
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_formudata(attribute, ret))
		return true;
	if (dwarf_getlocation(attribute, &ops, &count) || count != 1 ||
	    ops->atom != DW_OP_plus_uconst)
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
	if (dwarf_attr(die, DW_AT_data_member_location, &attribute) &&
	    !member_offset(&attribute, &bytes))
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

bool read_member(struct dwarf_info *info, Dwarf_Die *die, uint64_t base_bits, struct member *ret,
		 bool *is_damaged)
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
		if (!dwarf_attr_integrate(ret, DW_AT_type, &attribute) ||
		    !dwarf_formref_die(&attribute, ret))
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

/* In a struct with scalar_storage_order("big-endian") gcc marks the numbers as big-endian, but not
 * the enums: they are where a number beside them is. */
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

void add_member(struct member_search *search, Dwarf_Die *parent, const char *path,
		struct member *member)
{
	struct arena *arena = search->info->arena;

	if ((is_of_enums(member->type) || (member->bit_size && member->type->kind == TYPE_ENUM)) &&
	    has_big_endian(search->info, parent))
		member->type = unordered(arena, member->type);
	arena_append(arena, search->paths, search->npaths) = path;
	arena_append(arena, search->list, search->count) = *member;
}

/* Members of anonymous structs and unions belong to the one around them (C11 6.7.2.1). */
static void list_members(struct member_search *search, Dwarf_Die *parent, uint64_t base_bits,
			 const char *path, unsigned depth)
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
		if (!read_member(search->info, &die, base_bits, &member, &search->is_damaged))
			search->moving = member.name ?: base_name(search->info, parent, &die);
		else if (member.name)
			add_member(search, parent, path, &member);
		else if (handle_die(search->info, member.type->source, &inner))
			list_members(search, &inner, member.offset * 8,
				     dwarf_tag(&die) == DW_TAG_member ?
					     path :
					     base_path(search, parent, &die, path),
				     depth + 1);
	} while (!die_sibling(search->info, &die, &die));
}

/* An inherited member that its name alone doesn't mean is told by the base class that it comes
 * from. */
static void qualify(struct member_search *search, Dwarf_Die *class)
{
	for (unsigned i = 0; i < search->count; i++)
		if (*search->paths[i] && !is_meant(search, class, &search->list[i]))
			search->list[i].name = arena_printf(search->info->arena, "%s%s",
							    search->paths[i], search->list[i].name);
}

struct error *members_end(struct member_search *search, const struct type *type)
{
	struct dwarf_info *info = search->info;

	if (search->moving && !search->is_damaged)
		return error_new(info->arena, ERROR_INEXPRESSIBLE,
				 "where '%s' of '%s' lies depends on the "
				 "numbers in it, which ktrace doesn't follow",
				 search->moving, type->name);
	if (!search->is_damaged)
		return NULL;
	return error_new(info->arena, ERROR_NO_DEBUGINFO,
			 "damaged debug information in '%s': a member of '%s' "
			 "lies where none can be",
			 info->base.target->path, type->name);
}

struct error *dwarf_members(struct debuginfo *base, const struct type *type, struct member **ret,
			    unsigned *count)
{
	struct member_search search = {.info = dwarf_info(base)};
	struct error *error;
	Dwarf_Die die;

	*ret = NULL;
	*count = 0;
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return NULL;
	if (!handle_die(search.info, type->source, &die))
		return dwarf_error(search.info, "type");
	if (type_definition(search.info, &die)) {
		list_members(&search, &die, 0, "", 0);
		qualify(&search, &die);
	}
	*ret = search.list;
	*count = search.count;
	error = members_end(&search, type);
	if (!error && search.has_variants)
		return error_new(
			search.info->arena, ERROR_INEXPRESSIBLE,
			"which members '%s' has depends on "
			"a number in it (DW_TAG_variant_part), which ktrace doesn't decode",
			type->name);
	return error;
}
