// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the functions whose names match a glob, with what their own DIEs say: whether there is
 * out-of-line code, whether they are inlined. No instance is searched for. Lists source files, too.
 *
 * The surprise: a function that several units have, such as a static one in a header, comes once
 * for each.
 */
#include <string.h>

#include "base/glob.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"

struct listing {
	struct dwarf_info *info;
	const char *glob;
	void (*each)(void *cookie, const char *name, const char *linkage, bool has_code,
		     bool inlined);
	void *cookie;
	bool is_flat;
	size_t nlisted;
};

static void list_function(struct listing *listing, Dwarf_Die *die)
{
	const char *plain = dwarf_diename(die);
	const char *name = plain ? scoped_name(listing->info, die) : NULL;
	Dwarf_Attribute attribute;
	Dwarf_Word how = DW_INL_not_inlined;
	const char *linkage;

	if (!name || !budget_take(listing->info, strlen(name)) ||
	    (listing->glob && !glob_matches(listing->glob, plain) &&
	     !glob_matches(listing->glob, name) &&
	     !glob_matches(listing->glob, brief_name(listing->info, die))))
		return;
	if (dwarf_attr(die, DW_AT_inline, &attribute))
		dwarf_formudata(&attribute, &how);
	linkage = linkage_name(die);
	listing->nlisted++;
	listing->each(listing->cookie, name, linkage && strcmp(linkage, name) ? linkage : NULL,
		      dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges),
		      how == DW_INL_inlined || how == DW_INL_declared_inlined);
}

static void list_functions(struct listing *listing, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (die_child(listing->info, parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (listing->is_flat ? holds_functions(tag) : may_hold_functions(tag))
			list_functions(listing, &die);
		if (tag == DW_TAG_subprogram && is_definition(&die))
			list_function(listing, &die);
	} while (!die_sibling(listing->info, &die, &die));
}

struct error *dwarf_functions(struct debuginfo *base, const char *glob,
			      void (*each)(void *cookie, const char *name, const char *linkage,
					   bool has_code, bool inlined), void *cookie)
{
	struct dwarf_info *info = dwarf_info(base);
	struct listing listing = {.info = info, .glob = glob, .each = each, .cookie = cookie};
	bool *is_definer = NULL;
	unsigned nwalked = 0;

	if (!glob || strcmp(last_component(glob), glob) != 0)
		candidate_copies(info, glob ? last_component(glob) : NULL);
	else if (!candidate_definers(info, glob, HAS_LISTED))
		is_definer = arena_array(info->arena, bool, info->nunits + 1);
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		if (!info->units[i].is_candidate)
			continue;
		if (!die_at(info, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		listing.is_flat = has_no_nested(info, &unit);
		listing.nlisted = 0;
		list_functions(&listing, &unit);
		if (is_definer)
			is_definer[i] = listing.nlisted;
		if (++nwalked > UNITS_KEPT)
			pass_unit(info, &info->units[i]);
	}
	if (is_definer)
		record_definers(info, glob, HAS_LISTED, is_definer);
	listing.is_flat = false;
	for (size_t i = 0; i < info->nalt_units; i++) {
		Dwarf_Die unit;

		if (dwarf_offdie(info->alt, info->alt_units[i], &unit))
			list_functions(&listing, &unit);
	}
	return NULL;
}

void dwarf_source_files(struct debuginfo *base, void (*each)(void *cookie, const char *path),
			void *cookie)
{
	struct dwarf_info *info = dwarf_info(base);

	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;
		const char *path = die_at(info, info->units[i].die, &unit) ?
					   dwarf_diename(&unit) : NULL;

		if (path)
			each(cookie, path);
		if (i > UNITS_KEPT)
			pass_unit(info, &info->units[i]);
	}
}
