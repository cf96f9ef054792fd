// SPDX-License-Identifier: GPL-2.0-only
/*
 * A variable and a position in, the operations that describe it there out. gcc's optimised code puts
 * many statements at one address: of `offset = f; offset &= m; use(offset)`, all at one instruction,
 * the first has the raw value and the last the masked one. Location lists tell them apart by views,
 * in pairs of numbers that stand before the list (DW_AT_GNU_locviews); libdw knows nothing of them.
 */
#include "debuginfo/internal.h"

#ifndef DW_AT_GNU_locviews
#define DW_AT_GNU_locviews 0x2137
#endif

/* The view pairs of one list, read in step with its entries; at == end: there are none. */
struct views {
	const uint8_t *at;
	const uint8_t *end;
};

static bool read_uleb(struct views *views, unsigned *ret)
{
	unsigned shift = 0;

	*ret = 0;
	while (views->at < views->end) {
		uint8_t byte = *views->at++;

		if (shift < 32)
			*ret |= (unsigned)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static struct views find_views(struct dwarf_info *info, Dwarf_Die *variable,
			       Dwarf_Attribute *location)
{
	Elf_Data *lists = section_data(info, ".debug_loclists") ?: section_data(info, ".debug_loc");
	struct views none = {NULL, NULL}, views;
	Dwarf_Attribute attribute;
	Dwarf_Word start, list;

	if (!lists || !lists->d_buf || dwarf_whatform(location) == DW_FORM_loclistx ||
	    !dwarf_attr(variable, DW_AT_GNU_locviews, &attribute) ||
	    dwarf_formudata(&attribute, &start) || dwarf_formudata(location, &list) ||
	    start >= list || list > lists->d_size)
		return none;
	views.at = (const uint8_t *)lists->d_buf + start;
	views.end = (const uint8_t *)lists->d_buf + list;
	return views;
}

struct entry {
	struct position start;
	struct position end;
};

static bool is_before(struct position a, struct position b)
{
	return a.address != b.address ? a.address < b.address : a.view < b.view;
}

/* How well an entry fits: exactly; only later at the same address, where the machine is in the same
 * state; or not at all. */
enum fit {
	FIT_NONE,
	FIT_LATER,
	FIT_EXACT,
};

static enum fit entry_fit(const struct entry *entry, struct position at)
{
	if (at.view == VIEW_LAST)
		return entry->start.address <= at.address && at.address < entry->end.address ?
		       FIT_EXACT :
		       entry->start.address == at.address && entry->end.address == at.address ?
		       FIT_LATER : FIT_NONE;
	/* an entry from before that ends within this address's views speaks of who falls through
	 * to it; for who jumps here it may be wrong (gcc ends it at the first view it can) */
	if (!is_before(at, entry->start) && is_before(at, entry->end))
		return entry->start.address == at.address || entry->end.address > at.address ||
		       at.is_straight ? FIT_EXACT : FIT_NONE;
	if (entry->start.address == at.address && is_before(at, entry->start))
		return FIT_LATER;
	return FIT_NONE;
}

int dwarf_ops_at(struct dwarf_info *info, Dwarf_Die *variable, Dwarf_Attribute *location,
		 struct position at, Dwarf_Op **ops, size_t *count)
{
	struct views views = find_views(info, variable, location);
	enum fit best = FIT_NONE;
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	size_t length;
	Dwarf_Op *list;

	at.address -= info->bias;
	while ((offset = dwarf_getlocations(location, offset, &base, &start, &end, &list,
					    &length)) > 0) {
		struct entry entry = {{start, 0, false}, {end, 0, false}};
		enum fit fit;

		if (views.at && (!read_uleb(&views, &entry.start.view) ||
				 !read_uleb(&views, &entry.end.view)))
			views.at = NULL;
		fit = entry_fit(&entry, at);
		if (fit <= best || !length)
			continue;
		best = fit;
		*ops = list;
		*count = length;
	}
	return offset < 0 ? -1 : best != FIT_NONE;
}
