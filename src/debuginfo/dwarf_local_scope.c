// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists what a scope declares, once: a function has many hundreds of children, most of which are
 * calls and their arguments, and each question about a variable would walk them.
 *
 * The surprise: a variable may have no DIE in an instance, but one in the abstract function. It is
 * the scope's, without a value. And a function may have several parameters of one name: what a
 * C++ pack became.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/local_scope.h"

struct local_scopes {
	struct local_scope **list;
	size_t count;
	struct lookup lookup; /* by the DIE */
};

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) &&
	       !is_flagged(die, DW_AT_declaration);
}

static int offset_compare(const void *left, const void *right)
{
	const Dwarf_Off *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The origins of the instance's children, sorted. */
static Dwarf_Off *list_represented(struct dwarf_info *info, Dwarf_Die *concrete, size_t *count)
{
	Dwarf_Off *list = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Die die, origin;

	*count = 0;
	if (die_child(info, concrete, &die))
		return NULL;
	do {
		if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
		    dwarf_formref_die(&attribute, &origin))
			arena_append(info->arena, list, *count) = dwarf_dieoffset(&origin);
	} while (!die_sibling(info, &die, &die));
	if (*count)
		qsort(list, *count, sizeof(*list), offset_compare);
	return list;
}

static void add_variable(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *die,
			 const char *name)
{
	arena_append(info->arena, ret->variables, ret->count) = (struct local_variable){*die, name};
}

/* The parameters of gcc's packs, which it gives no names. */
struct packed {
	struct packed_parameter {
		Dwarf_Die die;
		const char *name;
	} *list;
	unsigned count;
};

static void list_pack(struct dwarf_info *info, Dwarf_Die *pack, struct packed *ret)
{
	Dwarf_Die die;

	if (die_child(info, pack, &die))
		return;
	do {
		if (!is_variable(&die))
			continue;
		arena_append(info->arena, ret->list, ret->count) =
			(struct packed_parameter){die, NULL};
		ret->list[ret->count - 1].name =
			arena_printf(info->arena, "%s#%u", dwarf_diename(pack) ?: "pack",
				     ret->count - 1);
	} while (!die_sibling(info, &die, &die));
}

static const char *packed_name(const struct packed *packed, Dwarf_Off origin)
{
	for (unsigned i = 0; i < packed->count; i++)
		if (dwarf_dieoffset(&packed->list[i].die) == origin)
			return packed->list[i].name;
	return NULL;
}

static void add_block(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *die)
{
	struct local_block block = {.die = *die};

	die_ranges(info, die, &block.ranges, &block.nranges);
	arena_append(info->arena, ret->blocks, ret->nblocks) = block;
}

static bool is_represented(const Dwarf_Off *represented, size_t count, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	return count && bsearch(&offset, represented, count, sizeof(offset), offset_compare);
}

/* An instance's own parameters of a pack lie beside the others, without names. */
static void add_abstract_pack(struct dwarf_info *info, struct local_scope *ret,
			      const struct packed *packed, const Dwarf_Off *represented,
			      size_t count)
{
	for (unsigned i = 0; packed->count && i < ret->count && budget_take(info, 1); i++)
		if (!ret->variables[i].name)
			ret->variables[i].name =
				packed_name(packed, die_origin(&ret->variables[i].die));
	for (unsigned i = 0; i < packed->count; i++)
		if (!is_represented(represented, count, &packed->list[i].die))
			add_variable(info, ret, &packed->list[i].die, packed->list[i].name);
}

static void add_abstract(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *concrete)
{
	struct packed packed = {0};
	Dwarf_Attribute attribute;
	Dwarf_Die origin, die;
	Dwarf_Off *represented;
	size_t count;

	if (!dwarf_attr(concrete, DW_AT_abstract_origin, &attribute) ||
	    !dwarf_formref_die(&attribute, &origin) || die_child(info, &origin, &die))
		return;
	represented = list_represented(info, concrete, &count);
	do {
		if (dwarf_tag(&die) == DW_TAG_GNU_formal_parameter_pack)
			list_pack(info, &die, &packed);
		else if (is_variable(&die) && !is_represented(represented, count, &die))
			add_variable(info, ret, &die, dwarf_diename(&die));
	} while (!die_sibling(info, &die, &die));
	add_abstract_pack(info, ret, &packed, represented, count);
}

static int pack_compare(const void *left, const void *right)
{
	struct local_variable *const *a = left, *const *b = right;
	Dwarf_Off first = die_origin(&(*a)->die), second = die_origin(&(*b)->die);
	int order = strcmp((*a)->name, (*b)->name);

	return order ?: offset_compare(&first, &second);
}

/* clang gives a pack's parameters one name. In their order they are rest#0, rest#1...: the name
 * alone would mean the first of them, and hide the others. */
static void name_packs(struct dwarf_info *info, struct local_scope *ret)
{
	struct local_variable **list = arena_array(info->arena, struct local_variable *,
						   ret->count + 1);
	unsigned count = 0, behind;

	for (unsigned i = 0; i < ret->count; i++)
		if (ret->variables[i].name &&
		    dwarf_tag(&ret->variables[i].die) == DW_TAG_formal_parameter)
			list[count++] = &ret->variables[i];
	if (count > 1)
		qsort(list, count, sizeof(*list), pack_compare);
	for (unsigned i = 0; i < count; i = behind) {
		const char *name = list[i]->name;
		Dwarf_Off last = die_origin(&list[i]->die);
		unsigned number = 0;

		for (behind = i + 1; behind < count && !strcmp(list[behind]->name, name); behind++)
			;
		if (last == die_origin(&list[behind - 1]->die))
			continue;
		for (unsigned j = i; j < behind; j++) {
			number += die_origin(&list[j]->die) != last;
			last = die_origin(&list[j]->die);
			list[j]->name = arena_printf(info->arena, "%s#%u", name, number);
		}
	}
}

static void add_pack(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *pack,
		     struct packed *packed)
{
	unsigned first = packed->count;

	list_pack(info, pack, packed);
	for (unsigned i = first; i < packed->count; i++)
		add_variable(info, ret, &packed->list[i].die, packed->list[i].name);
}

/* A split half describes the function's variables once more, and hides them: the DIE around it
 * doesn't know what it changes. */
static void list_scope(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *scope)
{
	struct packed packed = {0};
	Dwarf_Die die;

	if (!die_child(info, scope, &die))
		do {
			if (dwarf_tag(&die) == DW_TAG_lexical_block ||
			    is_split_half(&die, ret->function))
				add_block(info, ret, &die);
			else if (dwarf_tag(&die) == DW_TAG_GNU_formal_parameter_pack)
				add_pack(info, ret, &die, &packed);
			else if (is_variable(&die))
				add_variable(info, ret, &die, dwarf_diename(&die));
		} while (!die_sibling(info, &die, &die));
	add_abstract(info, ret, scope);
	name_packs(info, ret);
}

const struct local_scope *local_scope(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Off function)
{
	struct local_scopes *scopes = info->local_scopes;
	Dwarf_Off handle = die_handle(info, die);
	struct local_scope *ret;
	size_t found;

	if (!scopes)
		scopes = info->local_scopes = arena_new(info->arena, struct local_scopes);
	found = lookup_find(&scopes->lookup, number_hash(handle), i,
			    scopes->list[i]->scope == handle &&
			    scopes->list[i]->function == function);
	if (found != LOOKUP_NONE)
		return scopes->list[found];
	ret = arena_new(info->arena, struct local_scope);
	ret->scope = handle;
	ret->function = function;
	list_scope(info, ret, die);
	if (!budget_take(info, 1)) /* the list may end too early */
		return ret;
	lookup_add(info->arena, &scopes->lookup, number_hash(handle), scopes->count);
	arena_append(info->arena, scopes->list, scopes->count) = ret;
	return ret;
}
