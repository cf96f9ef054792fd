// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks BTF once, when it is opened: libbpf checks that the records are there, and believes what
 * is in them. All that reads BTF afterwards relies on this.
 *
 * The surprise: this also tells whether a module's BTF goes with this kernel's. Neither says which
 * build the other is of, but with another kernel's the references lead into the middle of names
 * and to types of other kinds.
 */
#include <string.h>

#include "debuginfo/btf/btf.h"
#include "debuginfo/type_make.h"

#define NAME_MAX_BYTES 512 /* KSYM_NAME_LEN: no kernel loads BTF with longer ones */

struct check {
	struct arena *arena;
	const struct btf *btf;
	uint32_t first, end;       /* types to be checked */
	uint32_t own_names, names; /* strings from `own_names` on are its own */
	const char *reason;
	uint32_t at;
};

static bool fail(struct check *check, const char *reason)
{
	if (!check->reason)
		check->reason = arena_printf(check->arena, "type %u %s", check->at, reason);
	return false;
}

/* A name begins where a string does: an offset into the middle of one is another file's. */
static bool name_is_sound(struct check *check, uint32_t offset)
{
	const char *name = offset < check->names ? btf__str_by_offset(check->btf, offset) : NULL;

	if (!name || (offset && offset != check->own_names && name[-1]))
		return fail(check, "has a name that isn't there");
	return strnlen(name, NAME_MAX_BYTES) < NAME_MAX_BYTES ||
	       fail(check, "has a name that is too long");
}

static bool has_name(const struct check *check, const struct btf_type *type)
{
	const char *name = btf__str_by_offset(check->btf, type->name_off);

	return name && *name;
}

static const struct btf_type *reference(struct check *check, uint32_t id)
{
	const struct btf_type *type = id < check->end ? btf__type_by_id(check->btf, id) : NULL;

	if (!type)
		fail(check, "refers to a type that isn't there");
	return type;
}

/* Functions, variables and sections have no size: nothing can be of such a type. */
static bool value_is_sound(struct check *check, uint32_t id)
{
	const struct btf_type *type = reference(check, id);

	if (!type)
		return false;
	if (btf_is_func(type) || btf_is_var(type) || btf_is_datasec(type) || btf_is_decl_tag(type))
		return fail(check, "refers to something that is not a type");
	return true;
}

static bool is_wrapper(const struct btf_type *type)
{
	return btf_is_mod(type) || btf_is_typedef(type) || btf_is_ptr(type) || btf_is_array(type);
}

/* Pointers, arrays, qualifiers and typedefs end at something else, soon. */
static bool chain_ends(struct check *check, uint32_t id)
{
	for (unsigned depth = 0; depth < TYPE_DEPTH; depth++) {
		const struct btf_type *type = reference(check, id);

		if (!type)
			return false;
		if (!is_wrapper(type))
			return value_is_sound(check, id);
		id = btf_is_array(type) ? btf_array(type)->type : type->type;
	}
	return fail(check, "leads back to itself");
}

static bool members_are_sound(struct check *check, const struct btf_type *type)
{
	const struct btf_member *members = btf_members(type);
	bool is_sound = true;

	for (unsigned i = 0; is_sound && i < btf_vlen(type); i++) {
		uint64_t start = btf_member_bit_offset(type, i),
			 bits = btf_member_bitfield_size(type, i);

		is_sound = name_is_sound(check, members[i].name_off) &&
			   value_is_sound(check, members[i].type);
		if (is_sound && (bits > 64 || start + bits > (uint64_t)type->size * 8))
			is_sound = fail(check, "has a member that isn't inside it");
	}
	return is_sound;
}

static bool constants_are_sound(struct check *check, const struct btf_type *type)
{
	bool is_sound = true;

	for (unsigned i = 0; is_sound && i < btf_vlen(type); i++)
		is_sound = name_is_sound(check, btf_is_enum(type) ? btf_enum(type)[i].name_off :
					 btf_enum64(type)[i].name_off);
	if (is_sound && type->size != 1 && type->size != 2 && type->size != 4 && type->size != 8)
		return fail(check, "is an enum of an impossible size");
	return is_sound;
}

/* Only the last parameter may have neither name nor type: `...` */
static bool prototype_is_sound(struct check *check, const struct btf_type *type)
{
	const struct btf_param *list = btf_params(type);
	bool is_sound = value_is_sound(check, type->type);

	for (unsigned i = 0; is_sound && i < btf_vlen(type); i++) {
		is_sound = name_is_sound(check, list[i].name_off) &&
			   value_is_sound(check, list[i].type);
		if (is_sound && !list[i].type && (list[i].name_off || i + 1u < btf_vlen(type)))
			is_sound = fail(check, "has a parameter of no type");
	}
	return is_sound;
}

static bool function_is_sound(struct check *check, const struct btf_type *type)
{
	const struct btf_type *prototype = reference(check, type->type);

	return prototype && ((btf_is_func_proto(prototype) && has_name(check, type)) ||
			     fail(check, "is a function without a prototype or a name"));
}

static bool section_is_sound(struct check *check, const struct btf_type *type)
{
	const struct btf_var_secinfo *list = btf_var_secinfos(type);

	for (unsigned i = 0; i < btf_vlen(type); i++) {
		const struct btf_type *variable = reference(check, list[i].type);

		if (!variable)
			return false;
		/* libbpf's own lists have functions too */
		if (!btf_is_var(variable) && !btf_is_func(variable))
			return fail(check, "lists something else than variables");
	}
	return true;
}

static bool type_is_sound(struct check *check, const struct btf_type *type)
{
	if (!name_is_sound(check, type->name_off))
		return false;
	switch (btf_kind(type)) {
	case BTF_KIND_INT:
		return (type->size && type->size <= 16) || fail(check,
			"is a number of an impossible size");
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		return true;
	case BTF_KIND_ARRAY:
		return value_is_sound(check, btf_array(type)->index_type) &&
		       chain_ends(check, check->at);
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return chain_ends(check, check->at);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return members_are_sound(check, type);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return constants_are_sound(check, type);
	case BTF_KIND_FUNC:
		return function_is_sound(check, type);
	case BTF_KIND_FUNC_PROTO:
		return prototype_is_sound(check, type);
	case BTF_KIND_VAR:
		return value_is_sound(check, type->type);
	case BTF_KIND_DATASEC:
		return section_is_sound(check, type);
	case BTF_KIND_DECL_TAG:
		return reference(check, type->type);
	default:
		return fail(check, "is of a kind that ktrace doesn't know");
	}
}

const char *btf_check(struct arena *arena, const struct btf *btf, uint32_t first,
		      uint32_t own_names, uint32_t names)
{
	struct check check = {arena, btf, first, btf__type_cnt(btf), own_names, names, NULL, 0};

	for (check.at = first; check.at < check.end && !check.reason; check.at++) {
		const struct btf_type *type = btf__type_by_id(btf, check.at);

		if (!type || !type_is_sound(&check, type))
			fail(&check, "can't be read");
	}
	return check.reason;
}
