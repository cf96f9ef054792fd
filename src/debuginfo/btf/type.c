// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a neutral type from a BTF type, and finds types by name.
 *
 * The surprise: a name may be several types that differ, as each file of the kernel may have a
 * struct of its own. BTF doesn't tell whose is whose, so such a name is ambiguous.
 */
#include <string.h>

#include "debuginfo/btf/btf.h"
#include "debuginfo/type_make.h"

const char *btf_name(const struct btf_info *info, uint32_t offset)
{
	const char *name = btf__str_by_offset(info->btf, offset);

	return name && *name ? name : NULL;
}

static struct type *new_type(struct btf_info *info, enum type_kind kind, const char *name,
			     uint64_t size, uint32_t id)
{
	struct type *type = arena_new(info->arena, struct type);

	*type = (struct type){.kind = kind, .name = name, .size = size, .source = id};
	return type;
}

/* A number that doesn't fill its bytes is an old form of bit-field. */
static const struct type *make_int(struct btf_info *info, const struct btf_type *btf, uint32_t id)
{
	const char *name = btf_name(info, btf->name_off) ?: "?";
	unsigned encoding = btf_int_encoding(btf);
	bool is_whole = btf_int_bits(btf) == btf->size * 8 && !btf_int_offset(btf);
	struct type *type = new_type(info,
				     !is_whole		     ? TYPE_OTHER :
				     encoding & BTF_INT_BOOL ? TYPE_BOOL :
				     !strcmp(name, "char")   ? TYPE_CHAR :
							       TYPE_INT,
				     name, btf->size, id);

	type->is_signed = encoding & BTF_INT_SIGNED;
	return type;
}

static const struct type *make_float(struct btf_info *info, const struct btf_type *btf, uint32_t id)
{
	const char *name = btf_name(info, btf->name_off) ?: "?";

	/* of the two 16-byte formats, only long double is the x87's */
	return new_type(info, strstr(name, "loat128") ? TYPE_OTHER : TYPE_FLOAT, name, btf->size,
			id);
}

/* The kind flag says "signed" since Linux 6.0; what has a negative constant always is. */
static const struct type *make_enum(struct btf_info *info, const struct btf_type *btf, uint32_t id)
{
	struct type *type = new_type(
		info, TYPE_ENUM, type_prefixed(info->arena, "enum ", btf_name(info, btf->name_off)),
		btf->size, id);

	type->is_signed = btf_kflag(btf);
	return type;
}

static const struct type *make_pointer(struct btf_info *info, const struct btf_type *btf,
				       uint32_t id)
{
	const struct type *target = btf_type(info, btf->type);
	struct type *type =
		new_type(info, TYPE_POINTER, type_pointer_name(info->arena, target, "*"), 8, id);

	type->target = target;
	return type;
}

/* Only the outermost of nested arrays names all of them. */
static struct type *make_array(struct btf_info *info, const struct btf_type *btf, uint32_t id)
{
	const struct btf_array *array = btf_array(btf);
	const struct btf_type *element = btf__type_by_id(info->btf, array->type);

	return type_array(info->arena,
			  btf_is_array(element) ? make_array(info, element, array->type) :
						  btf_type(info, array->type),
			  array->nelems, id);
}

static const struct type *make_record(struct btf_info *info, const struct btf_type *btf,
				      uint32_t id)
{
	bool is_union = btf_is_union(btf) || (btf_is_fwd(btf) && btf_kflag(btf));

	return new_type(info, is_union ? TYPE_UNION : TYPE_STRUCT,
			type_prefixed(info->arena, is_union ? "union " : "struct ",
				      btf_name(info, btf->name_off)),
			btf_is_fwd(btf) ? 0 : btf->size, id);
}

static const struct type *make_typedef(struct btf_info *info, const struct btf_type *btf)
{
	const struct type *inner = btf_type(info, btf->type);

	return type_renamed(info->arena, inner, btf_name(info, btf->name_off) ?: inner->name);
}

const struct type *btf_type(struct btf_info *info, uint32_t id)
{
	const struct btf_type *btf = btf__type_by_id(info->btf, id);
	struct type *array;

	switch (btf_kind(btf)) {
	case BTF_KIND_UNKN: return type_void(info->arena);
	case BTF_KIND_INT: return make_int(info, btf, id);
	case BTF_KIND_FLOAT: return make_float(info, btf, id);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return make_enum(info, btf, id);
	case BTF_KIND_PTR: return make_pointer(info, btf, id);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FWD: return make_record(info, btf, id);
	case BTF_KIND_TYPEDEF: return make_typedef(info, btf);
	case BTF_KIND_CONST: return type_const(info->arena, btf_type(info, btf->type));
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG: return btf_type(info, btf->type);
	case BTF_KIND_FUNC_PROTO: return new_type(info, TYPE_FUNCTION, "function", 0, id);
	case BTF_KIND_ARRAY:
		array = make_array(info, btf, id);
		type_name_array(info->arena, array);
		return array;
	default: return new_type(info, TYPE_OTHER, "?", 0, id);
	}
}

/* Whether two records have the same size, and members of the same names at the same places. */
static bool is_same(const struct btf_info *info, const struct btf_type *a, const struct btf_type *b)
{
	if (a->info != b->info || a->size != b->size)
		return false;
	for (unsigned i = 0; btf_is_composite(a) && i < btf_vlen(a); i++)
		if (btf_members(a)[i].offset != btf_members(b)[i].offset ||
		    strcmp(btf_name(info, btf_members(a)[i].name_off) ?: "",
			   btf_name(info, btf_members(b)[i].name_off) ?: "") != 0)
			return false;
	return true;
}

/* Among the types of that name for which is_kind() holds: the first, whose number is *ret (0: there
 * is none), and whether others are unlike it. */
static bool find_named(const struct btf_info *info, const char *name,
		       bool (*is_kind)(const struct btf_type *type), uint32_t *ret)
{
	*ret = 0;
	for (uint32_t id = 1; id < info->end; id++) {
		const struct btf_type *type = btf__type_by_id(info->btf, id);

		if (!is_kind(type) || strcmp(btf_name(info, type->name_off) ?: "", name) != 0)
			continue;
		if (!*ret)
			*ret = id;
		else if (!is_same(info, btf__type_by_id(info->btf, *ret), type))
			return false;
	}
	return true;
}

static bool is_struct(const struct btf_type *type)
{
	return btf_is_struct(type);
}

static bool is_union(const struct btf_type *type)
{
	return btf_is_union(type);
}

static bool is_enum(const struct btf_type *type)
{
	return btf_is_any_enum(type);
}

static bool is_word(const struct btf_type *type)
{
	return btf_is_int(type) || btf_is_typedef(type) || btf_is_float(type);
}

const struct btf_type *btf_definition(struct btf_info *info, const struct type *type)
{
	const struct btf_type *btf = btf__type_by_id(info->btf, (uint32_t)type->source);
	const char *name = btf_name(info, btf->name_off);
	uint32_t id;

	if (!btf_is_fwd(btf))
		return btf;
	return name && find_named(info, name, btf_kflag(btf) ? is_union : is_struct, &id) && id ?
	       btf__type_by_id(info->btf, id) : NULL;
}

struct error *btf_type_named(struct debuginfo *base, const struct instance *instance,
			     const char *name, const struct type **ret)
{
	static const struct {
		const char *prefix;
		bool (*is_kind)(const struct btf_type *type);
	} kinds[] = {
		{"struct ", is_struct}, {"union ", is_union}, {"enum ", is_enum}, {"", is_word}};
	struct btf_info *info = btf_info(base);
	size_t i = 0;
	uint32_t id;

	(void)instance;
	while (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) != 0)
		i++;
	*ret = NULL;
	if (!find_named(info, name + strlen(kinds[i].prefix), kinds[i].is_kind, &id))
		return error_new(info->arena, ERROR_AMBIGUOUS,
				 "'%s' is the name of several types, and BTF doesn't "
				 "tell which of them is meant here",
				 name);
	if (id)
		*ret = btf_type(info, id);
	return NULL;
}
