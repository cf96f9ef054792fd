// SPDX-License-Identifier: GPL-2.0-only
/*
 * A type's name in, the type out; a DIE that declares a struct in, the one that defines it out.
 *
 * The surprise: C has one name for several structs, each in its own units, so the unit that asks goes
 * first; a struct that it only declares is looked for in the others.
 */
#include <string.h>

#include "debuginfo/internal.h"

struct type_search {
	struct dwarf_info *info;
	const char *name; /* without its keyword */
	const char *keyword; /* "struct", "union", "enum"; or NULL */
	Dwarf_Die found;
	bool has_found;
	bool is_first; /* stop at the first */
	Dwarf_Word size;
	Dwarf_Word other; /* another one's size; 0: all agree */
};

static bool keyword_is(const struct type_search *search, const char *keyword)
{
	return !strcmp(search->keyword, keyword);
}

static bool tag_fits(const struct type_search *search, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return !search->keyword;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return search->keyword ? keyword_is(search, "struct") : has_scopes(die);
	case DW_TAG_union_type:
		return search->keyword ? keyword_is(search, "union") : has_scopes(die);
	case DW_TAG_enumeration_type:
		return search->keyword ? keyword_is(search, "enum") : has_scopes(die);
	default:
		return false;
	}
}

static void note_type(struct type_search *search, Dwarf_Die *die)
{
	Dwarf_Word size;

	if (dwarf_aggregate_size(die, &size))
		size = 0;
	if (!search->has_found) {
		search->found = *die;
		search->has_found = true;
		search->size = size;
	} else if (size && search->size && size != search->size) {
		search->other = size;
	}
}

/* prefix: the scopes around, "ns::". */
static void search_types(struct type_search *search, Dwarf_Die *parent, const char *prefix)
{
	const char *last = last_component(search->name);
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		const char *name = dwarf_diename(&die);

		if (name && !strcmp(name, last) && tag_fits(search, &die) &&
		    !dwarf_hasattr(&die, DW_AT_declaration) &&
		    is_scope_tail(arena_printf(search->info->arena, "%s%s", prefix, name),
				  search->name))
			note_type(search, &die);
		if (search->has_found && search->is_first)
			return;
		if (holds_functions(dwarf_tag(&die)) && has_scopes(&die))
			search_types(search, &die, arena_printf(search->info->arena, "%s%s::", prefix,
								name ?: ""));
	} while (!dwarf_siblingof(&die, &die));
}

static void search_own_unit(struct type_search *search, const struct instance *instance)
{
	Dwarf_Die die, unit;

	search->is_first = true;
	/* with link-time optimisation, not the unit that the code is in, but the source's */
	if (instance && handle_die(search->info, instance->function->source, &die) &&
	    dwarf_diecu(&die, &unit, NULL, NULL))
		search_types(search, &unit, "");
	search->is_first = false;
}

static void search_units(struct type_search *search)
{
	struct dwarf_info *info = search->info;
	size_t next = 0;
	Dwarf_Die unit;

	candidate_units(info, last_component(search->name));
	while (next_candidate(info, &next, &unit))
		search_types(search, &unit, "");
}

static void split_keyword(struct type_search *search, const char *name)
{
	static const char *const keywords[] = {"struct", "union", "enum"};

	search->name = name;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
		size_t length = strlen(keywords[i]);

		if (strncmp(name, keywords[i], length) || name[length] != ' ')
			continue;
		search->keyword = keywords[i];
		search->name = name + length + 1;
	}
}

struct error *dwarf_type_named(struct debuginfo *base, const struct instance *instance,
			       const char *name, const struct type **ret)
{
	struct type_search search = {.info = dwarf_info(base)};

	*ret = NULL;
	split_keyword(&search, name);
	search_own_unit(&search, instance);
	if (!search.has_found)
		search_units(&search);
	if (search.other)
		return error_new(search.info->arena, ERROR_AMBIGUOUS, "'%s' is the name of several types, "
				 "of %llu and of %llu bytes", name, (unsigned long long)search.size,
				 (unsigned long long)search.other);
	if (search.has_found)
		*ret = dwarf_type_from(search.info, &search.found);
	return NULL;
}

/* A type of that tag and name, among the unit's own. */
static bool unit_type(Dwarf_Die *unit, int tag, const char *name, Dwarf_Die *ret)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return false;
	do {
		const char *other = dwarf_tag(&die) == tag ? dwarf_diename(&die) : NULL;

		if (other && !strcmp(other, name) && !dwarf_hasattr(&die, DW_AT_declaration)) {
			*ret = die;
			return true;
		}
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

bool type_definition(struct dwarf_info *info, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	int tag = dwarf_tag(die);
	size_t next = 0;
	Dwarf_Die unit;

	if (!dwarf_hasattr(die, DW_AT_declaration))
		return true;
	if (!name)
		return false;
	candidate_units(info, name);
	while (next_candidate(info, &next, &unit))
		if (unit_type(&unit, tag, name, die))
			return true;
	return false;
}
