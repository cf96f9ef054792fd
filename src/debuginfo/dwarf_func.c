// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds every instance of the functions of a name: out of line, cloned (.isra, .part) and inlined.
 * A unit is walked twice, as an instance may come before its function.
 */
#include <string.h>

#include "base/glob.h"
#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"

struct name_search {
	struct copies copies;
	const char *glob; /* NULL: the name isn't a glob */
	const char *name;
};

static bool name_matches(const struct name_search *search, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!name || (search->glob && !budget_take(search->copies.info, strlen(name))))
		return false;
	if (search->glob)
		return glob_matches(search->glob, name) ||
		       (strstr(search->glob, "::") &&
			(glob_matches(search->glob, scoped_name(search->copies.info, die)) ||
			 glob_matches(search->glob, brief_name(search->copies.info, die))));
	/* the bare name first: scopes cost a walk through the unit */
	return !strcmp(last_component(search->name), name) &&
	       (is_scope_tail(scoped_name(search->copies.info, die), search->name) ||
		is_scope_tail(brief_name(search->copies.info, die), search->name));
}

/* The DIE, and those below it unless is_flat. */
static void find_function(struct name_search *search, Dwarf_Die *die, bool is_flat)
{
	struct copies *copies = &search->copies;
	int tag = dwarf_tag(die);
	Dwarf_Die child;

	/* the name is the first attribute, and a declaration shows only after the last */
	if (tag == DW_TAG_subprogram && name_matches(search, die) && is_definition(die) &&
	    !known_function(copies, origin_handle(copies->info, die)))
		add_function(copies, die);
	if (is_flat || !may_hold_functions(tag) || die_child(copies->info, die, &child))
		return;
	do {
		find_function(search, &child, is_flat);
	} while (!die_sibling(copies->info, &child, &child));
}

/* First pass: the functions themselves. */
static void find_functions(struct name_search *search, Dwarf_Die *unit, bool is_flat)
{
	const struct children *children = unit_children(search->copies.info, unit);

	for (size_t i = 0; i < children->count; i++)
		find_function(search, &children->list[i], is_flat);
}

/* Second pass: the instances. */
static bool is_copy(struct copies *copies, Dwarf_Die *die, Dwarf_Off origin)
{
	(void)die;
	return known_function(copies, origin);
}

/* Finds the functions that dwz moved elsewhere, before any unit that holds instances of them. */
static void find_shared_functions(struct name_search *search)
{
	struct dwarf_info *info = search->copies.info;
	Dwarf_Die unit;

	for (size_t i = 0; i < info->nalt_units; i++)
		if (dwarf_offdie(info->alt, info->alt_units[i], &unit))
			find_functions(search, &unit, false);
	for (size_t i = 0; i < info->nunits; i++)
		if (die_at(info, info->units[i].die, &unit) &&
		    dwarf_tag(&unit) == DW_TAG_partial_unit)
			find_functions(search, &unit, false);
}

/* With link-time optimisation a unit holds instances of functions that others describe: finds all
 * of these first. A function without an instance is described all the same. */
static struct error *find_far_functions(struct name_search *search)
{
	struct dwarf_info *info = search->copies.info;
	Dwarf_Die unit;

	for (size_t i = 0; info->has_far && i < info->nunits; i++) {
		if (!info->units[i].is_candidate)
			continue;
		if (!die_at(info, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		find_functions(search, &unit, has_no_nested(info, &unit));
	}
	return NULL;
}

struct error *dwarf_instances(struct debuginfo *base, const char *name, struct instance ***ret,
			      unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct name_search search = {
		.copies = {.info = info, .is_wanted = is_copy, .in_abstract =
				   info->base.target->kind == TARGET_PROGRAM},
		.name = name,
		.glob = is_glob(name) ? name : NULL,
	};
	const struct copies *found = &search.copies;
	unsigned nwalked = 0;
	struct error *error;
	bool *is_definer = NULL, is_narrowed;

	note_named(info, last_component(name));
	if (recall_instances(info, name, ret, count))
		return NULL;
	is_narrowed = candidate_definers(info, last_component(name), HAS_INSTANCES);
	if (info->is_shared)
		find_shared_functions(&search);
	error = find_far_functions(&search);
	if (error)
		return error;
	/* a unit that only declares the function costs as much to walk as one that defines it */
	if (info->index && !is_narrowed &&
	    !strcmp(last_component(name), name))
		is_definer = arena_array(info->arena, bool, info->nunits + 1);
	for (size_t i = 0; i < info->nunits; i++) {
		size_t before = found->nfunctions;
		Dwarf_Die unit;

		if (!info->units[i].is_candidate)
			continue;
		if (!die_at(info, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		find_functions(&search, &unit, has_no_nested(info, &unit));
		if (is_definer)
			is_definer[i] = found->nfunctions > before;
		if (found->nfunctions > before ||
		    ((info->is_shared || info->has_far) && found->nfunctions))
			find_known_copies(&search.copies, &unit);
		if (++nwalked > UNITS_KEPT)
			pass_unit(info, &info->units[i]);
	}
	if (is_definer)
		record_definers(info, name, HAS_INSTANCES, is_definer);
	*ret = found->instances;
	*count = found->ninstances;
	remember_instances(info, name, *ret, *count);
	return NULL;
}
