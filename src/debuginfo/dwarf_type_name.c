// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a type by its name, and the definition of a struct that a unit only declares.
 *
 * The surprise: in C one name may be several structs, each in its own units, so the unit that asks
 * is searched first; a struct that it only declares is searched for in the others.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"

struct type_search {
	struct dwarf_info *info;
	const char *name; /* without its keyword */
	const char *keyword; /* "struct", "union", "enum"; or NULL */
	Dwarf_Die found;
	bool has_found;
	bool is_first; /* stop at the first */
	bool is_whole; /* the name is complete with its scopes */
	Dwarf_Word size;
	Dwarf_Word other; /* a differing size; 0: all agree */
	bool is_twofold; /* two units define it, each in its own way */
	unsigned count;  /* of definitions */
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
	search->count++;
	if (search->is_whole && !is_same_type(search->info, &search->found, die))
		search->is_twofold = true;
}

static bool is_named(const struct type_search *search, const char *name)
{
	return search->is_whole ? !strcmp(name, search->name) : is_scope_tail(name, search->name);
}

/* Moves to the declaration inside its scopes: a definition may stand outside them. */
static void declared_die(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die declared;

	if (dwarf_attr(die, DW_AT_specification, &attribute) &&
	    dwarf_formref_die(&attribute, &declared))
		*die = declared;
}

/* The name with all scopes around. NULL when one of them has no name, or is a function: nothing
 * outside can mean such a type. */
static const char *whole_name(struct dwarf_info *info, Dwarf_Die type)
{
	const char *prefix = "";
	Dwarf_Die at, child;
	Dwarf_Off wanted;

	if (!has_scopes(&type))
		return dwarf_diename(&type);
	declared_die(&type);
	wanted = dwarf_dieoffset(&type);
	if (!dwarf_diecu(&type, &at, NULL, NULL))
		return NULL;
	while (!die_child(info, &at, &child)) {
		do { /* offsets ascend: the last child not after it contains it */
			if (dwarf_dieoffset(&child) <= wanted)
				at = child;
		} while (dwarf_dieoffset(&child) < wanted && !die_sibling(info, &child, &child));
		if (!dwarf_diename(&at))
			return NULL;
		if (dwarf_dieoffset(&at) == wanted)
			return arena_printf(info->arena, "%s%s", prefix, dwarf_diename(&at));
		if (!holds_functions(dwarf_tag(&at)))
			return NULL;
		prefix = arena_printf(info->arena, "%s%s::", prefix, dwarf_diename(&at));
	}
	return NULL;
}

/* prefix: the scopes around, "ns::". */
static const char *name_of(struct type_search *search, Dwarf_Die *die, const char *prefix)
{
	if (dwarf_hasattr(die, DW_AT_specification))
		return whole_name(search->info, *die) ?: "";
	return arena_printf(search->info->arena, "%s%s", prefix, dwarf_diename(die));
}

static void search_types(struct type_search *search, Dwarf_Die *parent, const char *prefix)
{
	const char *last = last_component(search->name);
	Dwarf_Die die;

	if (die_child(search->info, parent, &die))
		return;
	do {
		const char *name = dwarf_diename(&die);

		if (name && !strcmp(name, last) && tag_fits(search, &die) &&
		    !dwarf_hasattr(&die, DW_AT_declaration) &&
		    is_named(search, name_of(search, &die, prefix)))
			note_type(search, &die);
		if (search->has_found && search->is_first)
			return;
		if (holds_functions(dwarf_tag(&die)) && has_scopes(&die))
			search_types(
				search, &die,
				arena_printf(search->info->arena, "%s%s::", prefix, name ?: ""));
	} while (!die_sibling(search->info, &die, &die));
}

static void search_own_unit(struct type_search *search, const struct instance *instance)
{
	Dwarf_Die die, unit;

	search->is_first = true;
	/* with link-time optimisation, the function's own unit, not the one that its code is in */
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

	note_beyond(info, arena_printf(info->arena, "types called '%s'", search->name));
	candidate_units(info, last_component(search->name));
	while (next_candidate(info, &next, &unit))
		search_types(search, &unit, "");
}

/* DWARF 4 has a section of types, by which -fdebug-types-section leaves a struct in no other
 * unit. */
static void search_type_units(struct type_search *search)
{
	Dwarf *dwarf = search->info->dwarf;
	Dwarf_Off offset = 0, next;
	uint64_t signature;
	size_t header;
	Dwarf_Die unit;

	while (budget_take(search->info, 1) &&
	       !dwarf_next_unit(dwarf, offset, &next, &header, NULL, NULL, NULL, NULL, &signature,
				NULL) &&
	       next > offset) {
		if (dwarf_offdie_types(dwarf, offset + header, &unit))
			search_types(search, &unit, "");
		offset = next;
	}
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
	if (!search.has_found)
		search_type_units(&search);
	if (search.other)
		return error_new(search.info->arena, ERROR_AMBIGUOUS,
				 "'%s' is the name of several types, of %llu and of %llu bytes",
				 name, (unsigned long long)search.size,
				 (unsigned long long)search.other);
	if (search.has_found)
		*ret = dwarf_type_from(search.info, &search.found);
	return NULL;
}

bool signed_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, DW_AT_signature, &attribute) && dwarf_formref_die(&attribute, ret) &&
	       !dwarf_hasattr(ret, DW_AT_declaration);
}

static const char *keyword_of(int tag)
{
	return tag == DW_TAG_union_type	      ? "union" :
	       tag == DW_TAG_enumeration_type ? "enum" :
						"struct";
}

/* So many units that agree have it from one header: in a kernel, two thousand may. */
enum { ENOUGH = 64 };

static bool find_definition(struct dwarf_info *info, Dwarf_Die *die, bool *is_twofold)
{
	struct type_search search = {
		.info = info,
		.keyword = keyword_of(dwarf_tag(die)),
		.is_whole = true,
	};
	size_t next = 0;
	Dwarf_Die unit, own;

	*is_twofold = false;

	if (signed_type(die, &own))
		*die = own;
	if (!dwarf_hasattr(die, DW_AT_declaration))
		return true;
	search.name = whole_name(info, *die);
	if (!search.name)
		return false;
	note_beyond(info, arena_printf(info->arena, "'%s %s'", search.keyword, search.name));
	candidate_units(info, last_component(search.name));
	while (!search.is_twofold && search.count < ENOUGH && next_candidate(info, &next, &unit))
		search_types(&search, &unit, "");
	if (!search.is_twofold && search.count < ENOUGH)
		search_type_units(&search);
	*is_twofold = search.is_twofold;
	if (search.has_found && !search.is_twofold)
		*die = search.found;
	return search.has_found && !search.is_twofold;
}

bool type_definition(struct dwarf_info *info, Dwarf_Die *die)
{
	bool is_twofold;

	return find_definition(info, die, &is_twofold);
}

struct error *dwarf_definition(struct debuginfo *base, const struct type *type,
			       const struct type **ret)
{
	struct dwarf_info *info = dwarf_info(base);
	bool is_twofold;
	Dwarf_Die die;

	*ret = type;
	if (!type->source || !handle_die(info, type->source, &die))
		return NULL;
	if (find_definition(info, &die, &is_twofold))
		*ret = dwarf_type_from(info, &die);
	return !is_twofold ? NULL :
	       error_new(info->arena, ERROR_AMBIGUOUS,
			 "'%s' is only declared here, and the files that define it do so in "
			 "different ways", type->name);
}
