// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the functions that have code in an out-of-line function: those inlined and nested, however
 * deep. Most DIEs in a large function are calls and variables: a question about functions should
 * not walk them again.
 */
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/tree.h"

static void add_function(struct dwarf_info *info, struct tree *tree, Dwarf_Die *die,
			 Dwarf_Off inside)
{
	struct tree_function *function = &arena_append(info->arena, tree->list, tree->count);
	int line;

	*function = (struct tree_function){
		.die = *die,
		.handle = die_handle(info, die),
		.origin = die_origin(die),
		.inside = inside,
		.line = declared_line(die, &line) && line > 0 ? line : 0,
		.file = declared_file(info, die)};
}

static void walk_functions(struct dwarf_info *info, struct tree *tree, Dwarf_Die *scope,
			   Dwarf_Off inside)
{
	int tag = dwarf_tag(scope);
	Dwarf_Die die;

	if (dwarf_hasattr(scope, DW_AT_declaration)) /* as WRITE_ONCE() declares one in a block */
		return;
	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
		add_function(info, tree, scope, inside);
		inside = die_origin(scope);
	} else if (tag != DW_TAG_lexical_block) {
		return;
	}
	if (die_child(info, scope, &die))
		return;
	do {
		walk_functions(info, tree, &die, inside);
	} while (!die_sibling(info, &die, &die));
}

const struct tree *function_tree(struct dwarf_info *info, Dwarf_Die *outer)
{
	Dwarf_Off handle = die_handle(info, outer);
	struct tree *tree;

	if (info->tree && info->tree->outer == handle)
		return info->tree;
	tree = arena_new(info->arena, struct tree);
	tree->outer = handle;
	walk_functions(info, tree, outer, 0);
	if (budget_take(info, 1)) /* else the list may end too early */
		info->tree = tree;
	return tree;
}
