// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds which children of a unit can hold instances of some functions, so that a walk can pass the
 * others. An instance refers to its function by four bytes, and these are searched for as bytes:
 * this sometimes finds a child too many, never one too few.
 *
 * The surprise: an instance may refer to another DIE of its function, which refers to the first one
 * (a method's definition to its declaration). That one is searched for in turn. It is a function's:
 * nothing refers to an inlined call as its origin (DWARF 5, 3.3.8).
 */
#include <stdlib.h>

#include "base/search.h"
#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/search/search.h"

enum { TARGETS_MAX = 8 }; /* for many functions, a walk of all costs no more */

struct holder_search {
	struct copies *copies;
	Elf_Data unit; /* its bytes, header included */
	Dwarf_Off start;
	const struct children *children;
	bool *is_holder, *is_seen; /* by child */
	struct pattern targets[TARGETS_MAX];
	size_t ntargets; /* more than TARGETS_MAX: too many */
};

static bool refers_otherwise(Dwarf_Abbrev *abbrev)
{
	unsigned name, form;

	for (size_t i = 0; !dwarf_getabbrevattr_data(abbrev, i, &name, &form, NULL, NULL); i++)
		if ((name == DW_AT_abstract_origin || name == DW_AT_specification) &&
		    form != DW_FORM_ref4)
			return true;
	return false;
}

/* Whether all functions and inlined calls of the unit refer to others by four bytes, the offset in
 * this unit. */
static bool refers_by_four_bytes(struct dwarf_info *info, Dwarf_Die *unit)
{
	Dwarf_Abbrev *abbrev;
	Dwarf_Off offset = 0;
	size_t length;

	while ((abbrev = dwarf_getabbrev(unit, offset, &length)) && abbrev != DWARF_END_ABBREV) {
		unsigned tag = dwarf_getabbrevtag(abbrev);

		if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) &&
		    refers_otherwise(abbrev))
			return false;
		if (!budget_take(info, length))
			return false;
		offset += length;
	}
	return abbrev;
}

static void mark_holder(struct holder_search *search, Dwarf_Off offset)
{
	const uint8_t *at = (const uint8_t *)search->unit.d_buf + (offset - search->start);
	const struct children *all = search->children;
	size_t behind = partition_point(all->count, i, (const uint8_t *)all->list[i].addr <= at);

	if (behind)
		search->is_holder[behind - 1] = true;
}

static void add_target(struct holder_search *search, Dwarf_Off offset)
{
	uint32_t word = (uint32_t)(offset - search->start);

	for (size_t i = 0; i < search->ntargets && i < TARGETS_MAX; i++)
		if (search->targets[i].word == word)
			return;
	if (search->ntargets++ < TARGETS_MAX)
		search->targets[search->ntargets - 1].word = word;
}

/* Adds what instances may refer to in their function's stead: the DIE, and those below it. */
static void add_targets(struct holder_search *search, Dwarf_Die *die)
{
	struct dwarf_info *info = search->copies->info;
	Dwarf_Die child;

	if (dwarf_tag(die) == DW_TAG_subprogram &&
	    known_function(search->copies, die_origin(die)))
		add_target(search, dwarf_dieoffset(die));
	if (die_child(info, die, &child))
		return;
	do {
		add_targets(search, &child);
	} while (!die_sibling(info, &child, &child));
}

/* Looks at the children that were marked since it last did. */
static void look_in_holders(struct holder_search *search)
{
	for (size_t i = 0; i < search->children->count; i++) {
		if (!search->is_holder[i] || search->is_seen[i])
			continue;
		search->is_seen[i] = true;
		add_targets(search, &search->children->list[i]);
	}
}

/* Returns false when a search fell short. */
static bool mark_holders(struct holder_search *search)
{
	for (size_t done = 0; done < search->ntargets && search->ntargets <= TARGETS_MAX;) {
		size_t count = search->ntargets - done;
		struct hits hits = {0};

		find_hits(&search->unit, false, search->targets + done, count, &hits);
		done += count;
		for (size_t i = 0; i < hits.count; i++)
			mark_holder(search, search->start + hits.list[i].offset);
		free(hits.list);
		if (hits.is_short)
			return false;
		look_in_holders(search);
	}
	return search->ntargets <= TARGETS_MAX;
}

const bool *find_holders(struct copies *copies, Dwarf_Die *unit)
{
	struct dwarf_info *info = copies->info;
	struct holder_search search = {.copies = copies};
	const uint8_t *bytes = unit_bytes(info, unit, &search.start, &search.unit.d_size);

	if (!bytes || search.unit.d_size > UINT32_MAX || copies->nfunctions > TARGETS_MAX ||
	    !refers_by_four_bytes(info, unit))
		return NULL;
	search.unit.d_buf = (void *)(uintptr_t)bytes;
	search.children = unit_children(info, unit);
	search.is_holder = arena_array(info->arena, bool, search.children->count + 1);
	search.is_seen = arena_array(info->arena, bool, search.children->count + 1);
	for (size_t i = 0; i < copies->nfunctions; i++) {
		Dwarf_Off function = copies->functions[i]->source;

		if (function - search.start >= search.unit.d_size)
			continue; /* no reference of this unit leads there */
		mark_holder(&search, function);
		add_target(&search, function);
	}
	return mark_holders(&search) ? search.is_holder : NULL;
}
