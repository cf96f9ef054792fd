// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a neutral type from a DIE. Typedefs and qualifiers are peeled off but leave their mark in
 * the name.
 *
 * The surprise: members aren't made; each is looked up when asked for, from the DIE again.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/type_make.h"

Dwarf_Die *type_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute))
		return NULL;
	return dwarf_formref_die(&attribute, ret);
}

static const struct type *make_type(struct dwarf_info *info, Dwarf_Die *die, unsigned depth);

static const struct type *target_type(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die target;

	if (depth >= TYPE_DEPTH || !type_die(die, &target))
		return type_void(info->arena);
	return make_type(info, &target, depth + 1);
}

/* gcc's scalar_storage_order("big-endian"); every architecture here is little-endian. */
bool is_big_endian(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word order;

	return dwarf_attr_integrate(die, DW_AT_endianity, &attribute) &&
	       !dwarf_formudata(&attribute, &order) && order == DW_END_big;
}

/* The real part, then the imaginary one. */
static void set_complex(struct arena *arena, struct type *type)
{
	struct type *part = arena_new(arena, struct type);

	type->kind = TYPE_OTHER;
	if (type->size != 8 && type->size != 16 && type->size != 32)
		return;
	part->kind = strstr(type->name, "loat128") ? TYPE_OTHER : TYPE_FLOAT;
	part->size = type->size / 2;
	part->name = part->size == 4 ? "float" : part->size == 8 ? "double" : "long double";
	type->kind = TYPE_ARRAY;
	type->target = part;
	type->count = 2;
	type->is_complex = true;
}

static void set_base(struct arena *arena, Dwarf_Die *die, struct type *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Word encoding = 0;

	if (dwarf_attr_integrate(die, DW_AT_encoding, &attribute))
		dwarf_formudata(&attribute, &encoding);
	type->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	switch (encoding) {
	case DW_ATE_boolean: type->kind = TYPE_BOOL; break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char: /* u8 and s8 are numbers; whether char is signed is up to the
				    * ABI */
		type->kind = strncasecmp(type->name, "char", 4) ? TYPE_INT : TYPE_CHAR;
		break;
	case DW_ATE_UTF: type->kind = TYPE_CHAR; break;
	case DW_ATE_signed:
	case DW_ATE_unsigned: type->kind = TYPE_INT; break;
	case DW_ATE_float: /* of the two 16-byte formats, only long double is the x87's */
		type->kind = strstr(type->name, "loat128") ? TYPE_OTHER : TYPE_FLOAT;
		break;
	case DW_ATE_complex_float: set_complex(arena, type); break;
	default: type->kind = TYPE_OTHER;
	}
}

/* Enums are unsigned unless they say otherwise or hold a negative constant. */
static bool enum_is_signed(struct dwarf_info *info, Dwarf_Die *die)
{
	Dwarf_Die child, base;
	Dwarf_Attribute attribute;
	Dwarf_Word encoding;

	if (type_die(die, &base) && dwarf_attr_integrate(&base, DW_AT_encoding, &attribute) &&
	    !dwarf_formudata(&attribute, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (die_child(info, die, &child))
		return false;
	do {
		Dwarf_Sword value;

		if (dwarf_tag(&child) == DW_TAG_enumerator &&
		    dwarf_attr(&child, DW_AT_const_value, &attribute) &&
		    dwarf_whatform(&attribute) == DW_FORM_sdata &&
		    !dwarf_formsdata(&attribute, &value) && value < 0)
			return true;
	} while (!die_sibling(info, &child, &child));
	return false;
}

static const char *pointer_mark(int tag)
{
	return tag == DW_TAG_reference_type	   ? "&" :
	       tag == DW_TAG_rvalue_reference_type ? "&&" :
						     "*";
}

/* The target is made at once: that ends at a struct, whose members aren't made. */
static const struct type *make_pointer(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	struct type *type = arena_new(info->arena, struct type);
	int tag = dwarf_tag(die);
	Dwarf_Word size;

	type->kind = TYPE_POINTER;
	type->size = dwarf_aggregate_size(die, &size) || size > SIZE_MAX_BYTES ? 8 : size;
	type->target = target_type(info, die, depth);
	type->source = die_handle(info, die);
	type->is_reference = tag != DW_TAG_pointer_type;
	type->name = type_pointer_name(info->arena, type->target, pointer_mark(tag));
	return type;
}

static const struct type *make_plain(struct dwarf_info *info, Dwarf_Die *die, int tag)
{
	struct type *type = arena_new(info->arena, struct type);
	Dwarf_Word size;
	Dwarf_Die own;

	if (signed_type(die, &own))
		die = &own;
	type->size = dwarf_aggregate_size(die, &size) || size > SIZE_MAX_BYTES ? 0 : size;
	type->source = die_handle(info, die);
	switch (tag) {
	case DW_TAG_base_type:
		type->name = dwarf_diename(die) ?: "?";
		set_base(info->arena, die, type);
		if (is_big_endian(die)) {
			type->name = type_prefixed(info->arena, "big-endian ", dwarf_diename(die));
			type->kind = TYPE_OTHER;
		}
		break;
	case DW_TAG_enumeration_type:
		type->kind = TYPE_ENUM;
		type->name = type_prefixed(info->arena, "enum ", dwarf_diename(die));
		type->is_signed = enum_is_signed(info, die);
		if (is_big_endian(die)) { /* gcc 13 and older leave that to the struct's numbers */
			type->name = type_prefixed(info->arena, "big-endian ", type->name);
			type->kind = TYPE_OTHER;
		}
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		type->kind = TYPE_STRUCT;
		type->name = type_prefixed(info->arena, "struct ", dwarf_diename(die));
		break;
	case DW_TAG_union_type:
		type->kind = TYPE_UNION;
		type->name = type_prefixed(info->arena, "union ", dwarf_diename(die));
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

/* `subtype Small is Integer range 0 .. 9`: its base, perhaps in fewer bytes. A biased one holds
 * the distance from its first value. */
static const struct type *make_subrange(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	const struct type *base = target_type(info, die, depth);
	struct type *type = arena_new(info->arena, struct type);
	Dwarf_Attribute attribute;
	Dwarf_Sword first = 0;
	Dwarf_Word size;

	*type = *base;
	type->name = dwarf_diename(die) ?: base->name;
	if (dwarf_hasattr(die, DW_AT_GNU_bias))
		type->kind = TYPE_OTHER;
	if (!dwarf_attr(die, DW_AT_byte_size, &attribute) || dwarf_formudata(&attribute, &size) ||
	    size == base->size)
		return type;
	if (dwarf_attr(die, DW_AT_lower_bound, &attribute) && dwarf_formsdata(&attribute, &first))
		type->kind = TYPE_OTHER;
	type->is_signed = first < 0;
	type->size = size <= 16 ? size : 0;
	return type;
}

/* Fortran's character(len=8), without a NUL, counted from 1; one whose length is a variable has no
 * known size. */
static const struct type *make_string(struct dwarf_info *info, Dwarf_Die *die)
{
	static const struct type character = {.kind = TYPE_CHAR, .name = "character", .size = 1};
	struct type *type = arena_new(info->arena, struct type);
	Dwarf_Word size = 0;

	type->kind = TYPE_OTHER;
	type->name = dwarf_diename(die) ?: "string of changing length";
	if (dwarf_hasattr(die, DW_AT_string_length) || dwarf_aggregate_size(die, &size) || !size ||
	    dwarf_hasattr(die, DW_AT_data_location))
		return type;
	type = type_array(info->arena, &character, size, die_handle(info, die));
	type->first = 1;
	type_name_array(info->arena, type);
	return type;
}

/* Each type is made anew each time, and its name may be long. */
#define TYPE_STEPS 256

static const struct type *make_type(struct dwarf_info *info, Dwarf_Die *die, unsigned depth)
{
	int tag = dwarf_tag(die);
	const struct type *inner;

	if (!budget_take(info, TYPE_STEPS))
		return type_void(info->arena);
	switch (tag) {
	case DW_TAG_typedef:
		inner = target_type(info, die, depth);
		return type_renamed(info->arena, inner, dwarf_diename(die) ?: inner->name);
	case DW_TAG_const_type:
		return type_const(info->arena, target_type(info, die, depth));
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return target_type(info, die, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return make_pointer(info, die, depth);
	case DW_TAG_array_type:
		return dwarf_array(info, die, target_type(info, die, depth));
	case DW_TAG_subrange_type:
		return make_subrange(info, die, depth);
	case DW_TAG_string_type:
		return make_string(info, die);
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

/* Go's functions have no type: what they return is parameters with this mark. */
static bool has_result_parameters(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Die child;
	bool is_result = false;

	for (int more = dwarf_child(function, &child); !more && !is_result;
	     more = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    dwarf_attr_integrate(&child, DW_AT_variable_parameter, &attribute))
			dwarf_formflag(&attribute, &is_result);
	return is_result;
}

struct error *dwarf_return_type(struct debuginfo *base, const struct function *function,
				const struct type **ret)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die;

	if (!handle_die(info, function->source, &die))
		return dwarf_error(info, "function");
	*ret = dwarf_type_of(info, &die);
	if ((*ret)->kind != TYPE_VOID || !has_result_parameters(&die))
		return NULL;
	return error_hint(info->arena,
			  error_new(info->arena, ERROR_NO_VALUE,
				    "debug information doesn't say where '%s' leaves what it "
				    "returns", function->name),
			  "a number is in the first register of all: $retval:x64");
}
