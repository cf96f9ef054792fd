// SPDX-License-Identifier: GPL-2.0-only
/*
 * A DIE in, a neutral type out; a member's name in, its place in the struct out. Typedefs and
 * qualifiers are peeled but leave their mark in the name. Bit-fields come in two forms: DWARF 4/5
 * count data_bit_offset from the struct's first bit, DWARF 2/3 from the top bit of a storage unit.
 */
#include <string.h>

#include "base/expr.h"
#include "debuginfo/internal.h"

#define TYPE_DEPTH 32

static Dwarf_Die *type_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute))
		return NULL;
	return dwarf_formref_die(&attribute, ret);
}

static const struct type *make_type(struct dwarf_info *info, Dwarf_Die *die, unsigned depth);

static const struct type *void_type(struct dwarf_info *info, const char *name)
{
	struct type *type = arena_new(info->arena, struct type);

	type->kind = TYPE_VOID;
	type->name = name;
	return type;
}

static const struct type *target_type(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die target;

	if (depth >= TYPE_DEPTH || !type_die(die, &target))
		return void_type(info, "void");
	return make_type(info, &target, depth + 1);
}

static void set_base(Dwarf_Die *die, struct type *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Word encoding = 0;

	if (dwarf_attr_integrate(die, DW_AT_encoding, &attribute))
		dwarf_formudata(&attribute, &encoding);
	type->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	switch (encoding) {
	case DW_ATE_boolean: type->kind = TYPE_BOOL; break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char: /* u8 and s8 are numbers; whether char has a sign, is the ABI's */
		type->kind = strcmp(type->name, "char") ? TYPE_INT : TYPE_CHAR;
		break;
	case DW_ATE_UTF: type->kind = TYPE_CHAR; break;
	case DW_ATE_signed:
	case DW_ATE_unsigned: type->kind = TYPE_INT; break;
	case DW_ATE_float: /* of two of 16 bytes only long double is the x87's */
		type->kind = strstr(type->name, "loat128") ? TYPE_OTHER : TYPE_FLOAT;
		break;
	default: type->kind = TYPE_OTHER;
	}
}

/* Enums are unsigned unless they say otherwise or hold a negative constant. */
static bool enum_is_signed(Dwarf_Die *die)
{
	Dwarf_Die child, base;
	Dwarf_Attribute attribute;
	Dwarf_Word encoding;

	if (type_die(die, &base) && dwarf_attr_integrate(&base, DW_AT_encoding, &attribute) &&
	    !dwarf_formudata(&attribute, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (dwarf_child(die, &child))
		return false;
	do {
		Dwarf_Sword value;

		if (dwarf_tag(&child) == DW_TAG_enumerator &&
		    dwarf_attr(&child, DW_AT_const_value, &attribute) &&
		    dwarf_whatform(&attribute) == DW_FORM_sdata &&
		    !dwarf_formsdata(&attribute, &value) && value < 0)
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static uint64_t range_count(Dwarf_Die *range)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_attr_integrate(range, DW_AT_count, &attribute))
		return dwarf_formudata(&attribute, &value) ? 0 : value;
	if (dwarf_attr_integrate(range, DW_AT_upper_bound, &attribute) &&
	    dwarf_whatform(&attribute) != DW_FORM_exprloc && !dwarf_formudata(&attribute, &value))
		return value + 1; /* -1, of `char x[0]`, becomes 0 */
	return 0;
}

/* int a[2][3] is one DIE with two subranges: an array of arrays here. */
static const struct type *array_from(struct dwarf_info *info, Dwarf_Die *array, Dwarf_Die *range,
				     const struct type *element)
{
	struct type *type = arena_new(info->arena, struct type);
	Dwarf_Die next = *range;
	bool more = false;

	while (!dwarf_siblingof(&next, &next))
		if (dwarf_tag(&next) == DW_TAG_subrange_type) {
			more = true;
			break;
		}
	type->kind = TYPE_ARRAY;
	type->target = more ? array_from(info, array, &next, element) : element;
	type->count = range_count(range);
	type->size = type->count * type->target->size;
	type->source = die_handle(info, array);
	return type;
}

/* "int" and [2][3]: the dimensions of nested arrays stand in the order they are written. */
static void name_array(struct dwarf_info *info, struct type *type)
{
	const struct type *at = type;
	const char *dimensions = "";

	for (; at->kind == TYPE_ARRAY && (at == type || !at->name); at = at->target)
		dimensions = at->count ? arena_printf(info->arena, "%s[%llu]", dimensions,
						      (unsigned long long)at->count)
				       : arena_printf(info->arena, "%s[]", dimensions);
	type->name = arena_printf(info->arena, "%s%s", at->name, dimensions);
	if (type->target->kind == TYPE_ARRAY && !type->target->name)
		name_array(info, (struct type *)type->target);
}

static const struct type *make_array(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	const struct type *element = target_type(info, die, depth);
	struct type *type;
	Dwarf_Die range;

	if (!dwarf_child(die, &range))
		do {
			if (dwarf_tag(&range) != DW_TAG_subrange_type)
				continue;
			type = (struct type *)array_from(info, die, &range, element);
			name_array(info, type);
			return type;
		} while (!dwarf_siblingof(&range, &range));
	type = arena_new(info->arena, struct type);
	type->kind = TYPE_ARRAY;
	type->target = element;
	type->name = arena_printf(info->arena, "%s[]", element->name);
	return type;
}

static const struct type *renamed(struct dwarf_info *info, const struct type *type,
				  const char *name)
{
	struct type *copy = arena_new(info->arena, struct type);

	*copy = *type;
	copy->name = name;
	return copy;
}

static const char *prefixed(struct dwarf_info *info, const char *prefix, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return arena_printf(info->arena, "%s%s", prefix, name ?: "{...}");
}

static const char *pointer_name(struct dwarf_info *info, const struct type *target, int tag)
{
	const char *mark = tag == DW_TAG_reference_type ? "&" :
			   tag == DW_TAG_rvalue_reference_type ? "&&" : "*";
	size_t length = strlen(target->name);

	return arena_printf(info->arena, "%s%s%s", target->name,
			    length && target->name[length - 1] == '*' ? "" : " ", mark);
}

/* Pointers are not followed until a member is asked for: the target is made on demand. */
static const struct type *make_pointer(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	struct type *type = arena_new(info->arena, struct type);
	int tag = dwarf_tag(die);
	Dwarf_Word size;

	type->kind = TYPE_POINTER;
	type->size = dwarf_aggregate_size(die, &size) ? 8 : size;
	type->target = target_type(info, die, depth);
	type->source = die_handle(info, die);
	type->is_reference = tag != DW_TAG_pointer_type;
	type->name = pointer_name(info, type->target, tag);
	return type;
}

static const struct type *make_plain(struct dwarf_info *info, Dwarf_Die *die, int tag)
{
	struct type *type = arena_new(info->arena, struct type);
	Dwarf_Word size;

	type->size = dwarf_aggregate_size(die, &size) ? 0 : size;
	type->source = die_handle(info, die);
	switch (tag) {
	case DW_TAG_base_type:
		type->name = dwarf_diename(die) ?: "?";
		set_base(die, type);
		break;
	case DW_TAG_enumeration_type:
		type->kind = TYPE_ENUM;
		type->name = prefixed(info, "enum ", die);
		type->is_signed = enum_is_signed(die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		type->kind = TYPE_STRUCT;
		type->name = prefixed(info, "struct ", die);
		break;
	case DW_TAG_union_type:
		type->kind = TYPE_UNION;
		type->name = prefixed(info, "union ", die);
		break;
	case DW_TAG_subroutine_type:
		type->kind = TYPE_FUNCTION;
		type->name = "function";
		break;
	default:
		type->kind = TYPE_OTHER;
		type->name = dwarf_diename(die) ?: tag == DW_TAG_ptr_to_member_type ?
			     "pointer to a member" : "?";
	}
	return type;
}

static const struct type *make_type(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	int tag = dwarf_tag(die);
	const struct type *inner;

	switch (tag) {
	case DW_TAG_typedef:
		inner = target_type(info, die, depth);
		return renamed(info, inner, dwarf_diename(die) ?: inner->name);
	case DW_TAG_const_type:
		inner = target_type(info, die, depth);
		if (!strncmp(inner->name, "const ", 6) && inner->kind != TYPE_POINTER)
			return inner; /* a const array of const elements */
		return inner->kind == TYPE_POINTER ? renamed(info, inner,
			arena_printf(info->arena, "%s const", inner->name)) : renamed(info, inner,
			arena_printf(info->arena, "const %s", inner->name));
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return target_type(info, die, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return make_pointer(info, die, depth);
	case DW_TAG_array_type:
		return make_array(info, die, depth);
	default:
		return make_plain(info, die, tag);
	}
}

const struct type *dwarf_type_of(struct dwarf_info *info, Dwarf_Die *die)
{
	return target_type(info, die, 0);
}

const struct type *dwarf_type_from(struct dwarf_info *info, Dwarf_Die *die)
{
	return make_type(info, die, 0);
}

struct error *dwarf_return_type(struct debuginfo *base, const struct function *function,
				const struct type **ret)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die;

	if (!handle_die(info, function->source, &die))
		return dwarf_error(info, "function");
	*ret = dwarf_type_of(info, &die);
	return NULL;
}

/* Where the member starts, in bits from the start of its struct; false: not a plain constant. */
static bool member_bits(Dwarf_Die *die, const struct type *type, uint64_t *start, unsigned *size)
{
	Dwarf_Attribute attribute;
	Dwarf_Word bytes = 0, value, bits = 0;

	*size = 0;
	if (dwarf_attr(die, DW_AT_bit_size, &attribute) && !dwarf_formudata(&attribute, &bits))
		*size = (unsigned)bits;
	if (dwarf_attr(die, DW_AT_data_bit_offset, &attribute)) {
		if (dwarf_formudata(&attribute, start))
			return false;
		return true;
	}
	if (dwarf_attr(die, DW_AT_data_member_location, &attribute) &&
	    dwarf_formudata(&attribute, &bytes))
		return false;
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
			struct member *ret)
{
	uint64_t start;

	ret->name = dwarf_diename(die);
	ret->type = dwarf_type_of(info, die);
	if (!member_bits(die, ret->type, &start, &ret->bit_size))
		return false;
	start += base_bits;
	ret->offset = start / 8;
	ret->bit_offset = start % 8;
	return true;
}

struct member_search {
	struct dwarf_info *info;
	const char *name; /* NULL: all, into list */
	struct member *found;
	struct member *list;
	unsigned count;
	unsigned size;
	bool has_variants; /* what of it is there depends on a number in it */
};

static void add_member(struct member_search *search, const struct member *member)
{
	if (search->count == search->size) {
		size_t size = search->size * sizeof(*search->list);

		search->size = search->size ? search->size * 2 : 16;
		search->list = arena_grow(search->info->arena, search->list, size,
					  search->size * sizeof(*search->list));
	}
	search->list[search->count++] = *member;
}

/* Members of anonymous structs and unions belong to the one around them (C11 6.7.2.1). */
static void search_members(struct member_search *search, Dwarf_Die *parent, uint64_t base_bits,
			   unsigned depth)
{
	Dwarf_Die die, inner;
	struct member member;

	if (depth > TYPE_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		search->has_variants |= dwarf_tag(&die) == DW_TAG_variant_part;
		if (dwarf_tag(&die) != DW_TAG_member && dwarf_tag(&die) != DW_TAG_inheritance)
			continue;
		if (dwarf_hasattr(&die, DW_AT_declaration))
			continue; /* a static member of C++ lies elsewhere */
		if (!read_member(search->info, &die, base_bits, &member))
			continue;
		if (member.name && (!search->name || !strcmp(member.name, search->name))) {
			add_member(search, &member);
			if (search->name)
				return;
		} else if (!member.name && handle_die(search->info, member.type->source,
						     &inner)) {
			search_members(search, &inner, member.offset * 8, depth + 1);
			if (search->name && search->count)
				return;
		}
	} while (!dwarf_siblingof(&die, &die));
}

/* A type of that tag and name, among the unit's own. */
static bool unit_type(Dwarf_Die *unit, int tag, const char *name, Dwarf_Die *ret)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return false;
	do {
		const char *other = dwarf_tag(&die) == tag ? dwarf_diename(&die) : NULL;

		if (other && !strcmp(other, name) && !dwarf_hasattr(&die, DW_AT_declaration)) {
			*ret = die;
			return true;
		}
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* A struct's DIE may be only a declaration: its definition is then in another unit, under the same
 * name. */
static bool type_definition(struct dwarf_info *info, Dwarf_Die *declaration, Dwarf_Die *ret)
{
	const char *name = dwarf_diename(declaration);
	int tag = dwarf_tag(declaration);
	Dwarf_Die unit;

	if (!name)
		return false;
	candidate_units(info, name);
	for (size_t i = 0; i < info->nunits; i++)
		if (info->units[i].is_candidate &&
		    dwarf_offdie(info->dwarf, info->units[i].die, &unit) &&
		    unit_type(&unit, tag, name, ret))
			return true;
	for (size_t i = 0; i < info->nalt_units; i++)
		if (dwarf_offdie(info->alt, info->alt_units[i], &unit) &&
		    unit_type(&unit, tag, name, ret))
			return true;
	return false;
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
	if (dwarf_hasattr(&die, DW_AT_declaration) && !type_definition(info, &die, &die))
		return NULL;
	search_members(search, &die, 0, 0);
	return NULL;
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
		return error_new(dwarf_info(base)->arena, ERROR_INEXPRESSIBLE, "'%s' is an enum with data in "
				 "it (DW_TAG_variant_part), which ktrace doesn't decode", type->name);
	return error;
}

/* gcc writes what is negative as sdata, and the rest in as many bytes as it takes. */
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

static unsigned add_enumerators(const struct type *type, Dwarf_Die *parent, struct enumerator *list)
{
	unsigned count = 0;
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return 0;
	do {
		if (dwarf_tag(&die) != DW_TAG_enumerator || !dwarf_diename(&die))
			continue;
		if (list)
			list[count] = (struct enumerator){dwarf_diename(&die),
							  enumerator_number(&die, type)};
		count++;
	} while (!dwarf_siblingof(&die, &die));
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
	if (dwarf_hasattr(&die, DW_AT_declaration) && !type_definition(info, &die, &die))
		return NULL;
	*count = add_enumerators(type, &die, NULL);
	*ret = arena_array(info->arena, struct enumerator, *count + 1);
	add_enumerators(type, &die, *ret);
	return NULL;
}

/* Those of one enum; the sign of the number is the enum's. */
static void search_enum(struct dwarf_info *info, Dwarf_Die *parent, const char *name,
			uint64_t numbers[2], unsigned *count)
{
	const struct type *type = NULL;
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		const char *found = dwarf_diename(&die);
		uint64_t number;

		if (!found || strcmp(found, name))
			continue;
		type = type ? type : make_plain(info, parent, DW_TAG_enumeration_type);
		number = enumerator_number(&die, type);
		if (*count < 2 && !(*count && numbers[0] == number))
			numbers[(*count)++] = number;
	} while (!dwarf_siblingof(&die, &die));
}

static void search_enums(struct dwarf_info *info, Dwarf_Die *unit, const char *name,
			 uint64_t numbers[2], unsigned *count)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_enumeration_type)
			search_enum(info, &die, name, numbers, count);
	} while (*count < 2 && !dwarf_siblingof(&die, &die));
}

struct error *dwarf_constant(struct debuginfo *base, const char *name, uint64_t numbers[2],
			     unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die unit;

	*count = 0;
	candidate_units(info, name);
	for (size_t i = 0; i < info->nunits && *count < 2; i++)
		if (info->units[i].is_candidate &&
		    dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			search_enums(info, &unit, name, numbers, count);
	for (size_t i = 0; i < info->nalt_units && *count < 2; i++)
		if (dwarf_offdie(info->alt, info->alt_units[i], &unit))
			search_enums(info, &unit, name, numbers, count);
	return NULL;
}
