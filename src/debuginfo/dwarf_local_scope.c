// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists what a scope declares, once: a function has many hundreds of children, most of which are
 * calls and their arguments, and each question about a variable would walk them.
 *
 * The surprise: a variable may have no DIE in an instance, but one in the abstract function. It is
 * the scope's, without a value.
 */
#include <stdlib.h>

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

static void add_variable(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *die)
{
	arena_append(info->arena, ret->variables, ret->count) =
		(struct local_variable){*die, dwarf_diename(die)};
}

static void add_block(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *die)
{
	struct local_block block = {.die = *die};

	die_ranges(info, die, &block.ranges, &block.nranges);
	arena_append(info->arena, ret->blocks, ret->nblocks) = block;
}

static void add_abstract(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *concrete)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin, die;
	Dwarf_Off *represented;
	size_t count;

	if (!dwarf_attr(concrete, DW_AT_abstract_origin, &attribute) ||
	    !dwarf_formref_die(&attribute, &origin) || die_child(info, &origin, &die))
		return;
	represented = list_represented(info, concrete, &count);
	do {
		Dwarf_Off offset = dwarf_dieoffset(&die);

		if (is_variable(&die) &&
		    !(count &&
		      bsearch(&offset, represented, count, sizeof(offset), offset_compare)))
			add_variable(info, ret, &die);
	} while (!die_sibling(info, &die, &die));
}

/* A split half describes the function's variables once more, and hides them: the DIE around it
 * doesn't know what it changes. */
static void list_scope(struct dwarf_info *info, struct local_scope *ret, Dwarf_Die *scope)
{
	Dwarf_Die die;

	if (!die_child(info, scope, &die))
		do {
			if (dwarf_tag(&die) == DW_TAG_lexical_block ||
			    is_split_half(&die, ret->function))
				add_block(info, ret, &die);
			else if (is_variable(&die))
				add_variable(info, ret, &die);
		} while (!die_sibling(info, &die, &die));
	add_abstract(info, ret, scope);
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
