// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the list of a unit's own children, thousands of DIEs that one question walks several times.
 * To step from one to the next takes several times longer than to read a list.
 */
#include <stdlib.h>

#include "base/last.h"
#include "debuginfo/die_walk.h"

struct kept_children {
	struct children of_last;
	Dwarf_CU *unit; /* the last one; NULL: none */
	const void *die;
	size_t size; /* the list has room for as many */
};

static void add_child(struct dwarf_info *info, struct kept_children *kept, const Dwarf_Die *die)
{
	struct children *all = &kept->of_last;

	if (all->count == kept->size) {
		size_t more = kept->size ?: 1024;

		budget_hold(info, more * sizeof(*all->list));
		kept->size += more;
		all->list = realloc(all->list, kept->size * sizeof(*all->list));
		if (!all->list)
			out_of_memory();
	}
	all->list[all->count++] = *die;
}

static void list_children(struct dwarf_info *info, Dwarf_Die *unit)
{
	struct kept_children *kept = info->children;
	Dwarf_Die die;

	kept->unit = unit->cu;
	kept->die = unit->addr;
	kept->of_last.count = 0;
	if (die_child(info, unit, &die))
		return;
	do {
		dwarf_tag(&die); /* which looks for the abbreviation: the list has it, then */
		add_child(info, kept, &die);
	} while (!die_sibling(info, &die, &die));
}

const struct children *unit_children(struct dwarf_info *info, Dwarf_Die *unit)
{
	if (!info->children)
		info->children = arena_new(info->kept, struct kept_children);
	if (info->children->unit != unit->cu || info->children->die != unit->addr)
		list_children(info, unit);
	return &info->children->of_last;
}

void children_close(struct dwarf_info *info)
{
	free(info->children ? info->children->of_last.list : NULL);
	info->children = NULL;
}
