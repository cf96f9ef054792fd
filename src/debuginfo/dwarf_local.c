// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells where a function that lies inside another one ends, by lines: GNU C's nested function, a
 * lambda, a method of a local class.
 *
 * The surprise: debug information has the first line of a function only. But what the outer
 * function declares behind the inner one, and where it calls it, is behind its end.
 */
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/owner.h"
#include "debuginfo/tree.h"

struct local {
	struct dwarf_info *info;
	Dwarf_Off source;
	unsigned line; /* of its declaration */
	unsigned end;  /* 0: not known */
};

static void take(struct local *local, unsigned line)
{
	if (line > local->line && (!local->end || line < local->end))
		local->end = line;
}

static void walk_outer(struct local *local, Dwarf_Die *scope)
{
	Dwarf_Die die;

	if (die_child(local->info, scope, &die))
		return;
	do {
		int tag = dwarf_tag(&die), line;

		if (tag == DW_TAG_inlined_subroutine && die_origin(&die) == local->source)
			take(local, calling_line(&die));
		else if ((tag == DW_TAG_variable || tag == DW_TAG_label ||
			  tag == DW_TAG_subprogram) &&
			 !dwarf_hasattr(&die, DW_AT_artificial) && declared_line(&die, &line) &&
			 line > 0)
			take(local, (unsigned)line);
		else if (tag == DW_TAG_lexical_block)
			walk_outer(local, &die);
	} while (!die_sibling(local->info, &die, &die));
}

static bool lies_in(struct dwarf_info *info, Dwarf_Off source, Dwarf_Die *outer)
{
	Dwarf_Off start = die_handle(info, outer);
	Dwarf_Die next;

	return source > start &&
	       (die_sibling(info, outer, &next) || source < die_handle(info, &next));
}

unsigned local_end(struct dwarf_info *info, const struct tree *tree, Dwarf_Off outer,
		   const struct function *function)
{
	struct local local = {.info = info, .source = function->source, .line = function->line};
	Dwarf_Die die;

	if (outer & HANDLE_ALT || function->source & HANDLE_ALT || outer >= function->source ||
	    !die_at(info, outer, &die) || !lies_in(info, function->source, &die))
		return 0;
	walk_outer(&local, &die);
	for (unsigned i = 0; i < tree->count && budget_take(info, 1); i++) {
		const struct tree_function *one = &tree->list[i];
		Dwarf_Die copy = one->die;

		if (one->origin == function->source && one->inside == outer)
			take(&local, calling_line(&copy));
	}
	return local.end;
}
