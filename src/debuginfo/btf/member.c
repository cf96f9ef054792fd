// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a member of a struct or union, a constant of an enum, and the number of a constant by its
 * name alone.
 */
#include <string.h>

#include "debuginfo/btf/btf.h"
#include "expr/expr.h"

#define MEMBER_DEPTH 32
#define MEMBERS_MAX  (1u << 20) /* looked at for one question */

struct member_search {
	struct btf_info *info;
	const char *name; /* NULL: all */
	struct member *list;
	unsigned count;
	unsigned seen;
};

static void read_member(struct btf_info *info, const struct btf_type *record, unsigned index,
			uint64_t base_bits, struct member *ret)
{
	uint64_t start = base_bits + btf_member_bit_offset(record, index);

	*ret = (struct member){
		.name = btf_name(info, btf_members(record)[index].name_off),
		.type = btf_type(info, btf_members(record)[index].type),
		.offset = start / 8,
		.bit_offset = start % 8,
		.bit_size = btf_member_bitfield_size(record, index),
	};
}

/* Members of anonymous structs and unions belong to the one around them (C11 6.7.2.1). */
static void search_members(struct member_search *search, const struct btf_type *record,
			   uint64_t base_bits, unsigned depth)
{
	struct btf_info *info = search->info;
	struct member member;

	for (unsigned i = 0; record && depth < MEMBER_DEPTH && i < btf_vlen(record); i++) {
		const char *name = btf_name(info, btf_members(record)[i].name_off);
		bool is_wanted = name && (!search->name || !strcmp(name, search->name));

		if (search->seen++ > MEMBERS_MAX)
			return;
		if (name && !is_wanted)
			continue;
		read_member(info, record, i, base_bits, &member);
		if (is_wanted)
			arena_append(info->arena, search->list, search->count) = member;
		else if (member.type->kind == TYPE_STRUCT || member.type->kind == TYPE_UNION)
			search_members(search, btf_definition(info, member.type), member.offset * 8,
				       depth + 1);
		if (search->name && search->count)
			return;
	}
}

static struct error *search_type(struct btf_info *info, const struct type *type,
				 struct member_search *search)
{
	search->info = info;
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return NULL;
	search_members(search, btf_definition(info, type), 0, 0);
	if (search->seen <= MEMBERS_MAX)
		return NULL;
	return error_new(info->arena, ERROR_NO_DEBUGINFO,
			 "damaged BTF in '%s': '%s' has more members than there are",
			 info->base.target->path, type->name);
}

struct error *btf_member(struct debuginfo *base, const struct type *type, const char *name,
			 struct member **ret)
{
	struct member_search search = {.name = name};
	struct error *error = search_type(btf_info(base), type, &search);

	*ret = search.count ? search.list : NULL;
	return error;
}

struct error *btf_list_members(struct debuginfo *base, const struct type *type, struct member **ret,
			       unsigned *count)
{
	struct member_search search = {.name = NULL};
	struct error *error = search_type(btf_info(base), type, &search);

	*ret = search.list;
	*count = search.count;
	return error;
}

static void read_constant(const struct btf_info *info, const struct btf_type *type, unsigned index,
			  struct enumerator *ret)
{
	unsigned bits = type->size < 8 ? type->size * 8 : 64;

	if (btf_is_enum(type))
		*ret = (struct enumerator){
			btf_name(info, btf_enum(type)[index].name_off),
			extend_bits((uint32_t)btf_enum(type)[index].val, bits < 32 ? bits : 32,
				    btf_kflag(type)),
		};
	else
		*ret = (struct enumerator){
			btf_name(info, btf_enum64(type)[index].name_off),
			extend_bits(btf_enum64_value(&btf_enum64(type)[index]), bits,
				    btf_kflag(type)),
		};
}

struct error *btf_enumerators(struct debuginfo *base, const struct type *type,
			      struct enumerator **ret, unsigned *count)
{
	struct btf_info *info = btf_info(base);
	const struct btf_type *btf = type->kind == TYPE_ENUM ? btf_definition(info, type) : NULL;

	*count = 0;
	if (!btf)
		return NULL;
	*ret = arena_array(info->arena, struct enumerator, btf_vlen(btf) + 1u);
	for (unsigned i = 0; i < btf_vlen(btf); i++) {
		read_constant(info, btf, i, &(*ret)[*count]);
		*count += !!(*ret)[*count].name;
	}
	return NULL;
}

struct error *btf_constant(struct debuginfo *base, const char *name, uint64_t numbers[2],
			   unsigned *count)
{
	struct btf_info *info = btf_info(base);

	*count = 0;
	for (uint32_t id = 1; id < info->end && *count < 2; id++) {
		const struct btf_type *type = btf__type_by_id(info->btf, id);
		struct enumerator found;

		for (unsigned i = 0; btf_is_any_enum(type) && i < btf_vlen(type) && *count < 2;
		     i++) {
			read_constant(info, type, i, &found);
			if (found.name && !strcmp(found.name, name) &&
			    !(*count && numbers[0] == found.number))
				numbers[(*count)++] = found.number;
		}
	}
	return NULL;
}
