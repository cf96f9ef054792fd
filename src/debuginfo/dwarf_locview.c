// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the operations that describe a variable at a position. gcc's optimised code puts many
 * statements at one address: of `offset = f; offset &= m; use(offset)`, all at one instruction, the
 * first has the raw value and the last the masked one. Location lists tell them apart by views,
 * pairs of numbers that stand before the list (DW_AT_GNU_locviews); libdw knows nothing of them.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

#ifndef DW_AT_GNU_locviews
#define DW_AT_GNU_locviews 0x2137
#endif

/* The view pairs of one list, read in step with its entries; .at is NULL when there are none. */
static struct reader find_views(struct dwarf_info *info, Dwarf_Die *variable,
				Dwarf_Attribute *location)
{
	struct reader none = {0};
	Dwarf_Attribute attribute;
	Dwarf_Word start, list;
	Dwarf_Half version;
	Elf_Data *lists;

	if (dwarf_cu_info(location->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL))
		return none;
	/* a program's units may be of both versions */
	lists = unit_section(info, location->cu, version < 5 ? ".debug_loc" : ".debug_loclists");
	/* BOLT writes lists and rows anew, without views, and leaves the attribute as it was */
	if (!lists || !lists->d_buf || !dwarf_attr(variable, DW_AT_GNU_locviews, &attribute) ||
	    section_data(info, ".note.bolt_info") ||
	    dwarf_formudata(&attribute, &start) || dwarf_formudata(location, &list) ||
	    start >= list || list > lists->d_size)
		return none;
	return (struct reader){
		.at = (const uint8_t *)lists->d_buf + start,
		.end = (const uint8_t *)lists->d_buf + list,
	};
}

struct entry {
	struct position start;
	struct position end;
};

static bool is_before(struct position a, struct position b)
{
	return a.address != b.address ? a.address < b.address : a.view < b.view;
}

/* How well an entry fits. FIT_BEHIND: it begins at a later view of the address. The machine is in
 * the same state there, but a statement lies between, and the entry tells what that made of the
 * variable: after `i = n + 1`, the new i. FIT_FIRST: it begins later too, but may be used: at an
 * instance's entry, an entry from the next view on is the argument's value; before the statement
 * that declares the variable, it is the initial value, and there is no earlier one to confuse it
 * with. */
enum fit {
	FIT_NONE,
	FIT_BEHIND,
	FIT_FIRST,
	FIT_EXACT,
};

static enum fit entry_fit(const struct entry *entry, struct position at, bool is_unborn)
{
	if (at.view == VIEW_LAST)
		return entry->start.address <= at.address && at.address < entry->end.address ?
		       FIT_EXACT : FIT_NONE;
	/* an earlier entry that ends within this address's views is right for code that falls
	 * through to the address; it may be wrong for a jump here (gcc ends it at the first view it
	 * can) */
	if (!is_before(at, entry->start) && is_before(at, entry->end))
		return entry->start.address == at.address || entry->end.address > at.address ||
		       at.is_straight ? FIT_EXACT : FIT_NONE;
	if (entry->start.address != at.address || !is_before(at, entry->start))
		return FIT_NONE;
	return is_unborn || (at.is_entry && entry->start.view == at.view + 1) ? FIT_FIRST :
										FIT_BEHIND;
}

/* The best-fitting entry so far. */
struct best {
	struct dwarf_info *info;
	Dwarf_CU *unit;
	struct position at;
	bool is_unborn; /* the variable is declared by the position's statement, or after it */
	struct reader views;
	enum fit fit;
	struct range holds;
	unsigned holds_view;
	struct reader expression; /* when read here, not by libdw */
	bool is_uniform; /* no entry has another expression */
	unsigned parts;  /* of the code, apart from each other */
	Dwarf_Addr end;  /* of the last */
	Dwarf_Op *ops;
	size_t count;
	const char *reason;
};

/* gcc counts the views of an instruction that it aligns, but its border between two of them lies
 * before the padding, at an address that no row has: it may be meant where the next row is. */
static bool may_be_padded(const struct best *best, const struct entry *entry,
			  struct position border)
{
	enum { PADDING_MAX = 63 };
	bool is_within = entry->start.address == entry->end.address;

	return (border.view || is_within) && border.address < best->at.address &&
	       best->at.address - border.address <= PADDING_MAX;
}

/* How the entry fits if borders are moved to the position. */
static enum fit fit_behind_padding(const struct best *best, struct entry entry, bool start,
				   bool end)
{
	if (start)
		entry.start.address = best->at.address;
	if (end)
		entry.end.address = best->at.address;
	return entry_fit(&entry, best->at, best->is_unborn);
}

/* To find a row takes long, so it is looked for only if it matters. */
static enum fit padded_fit(const struct best *best, const struct entry *entry)
{
	bool start = may_be_padded(best, entry, entry->start),
	     end = may_be_padded(best, entry, entry->end);
	enum fit fit = entry_fit(entry, best->at, best->is_unborn);

	if (fit == fit_behind_padding(best, *entry, start, end) &&
	    fit == fit_behind_padding(best, *entry, false, end))
		return fit;
	start = start &&
		row_follows(best->info, best->unit, entry->start.address, best->at.address);
	end = end && row_follows(best->info, best->unit, entry->end.address, best->at.address);
	return fit_behind_padding(best, *entry, start, end);
}

/* Whether the entry fits better than all before; if so, its fit is noted. */
static bool is_better(struct best *best, Dwarf_Addr start, Dwarf_Addr end, bool is_empty)
{
	struct entry entry = {.start.address = start, .end.address = end};
	enum fit fit;

	if (best->views.at) {
		entry.start.view = (unsigned)read_leb(&best->views);
		entry.end.view = (unsigned)read_leb(&best->views);
		fit = padded_fit(best, &entry);
	} else {
		fit = entry_fit(&entry, best->at, best->is_unborn);
	}
	if (best->views.is_bad)
		best->views.at = NULL;
	if (fit <= best->fit || is_empty)
		return false;
	best->fit = fit;
	best->holds = (struct range){start + best->info->bias, end + best->info->bias};
	best->holds_view = best->views.at ? entry.start.view : VIEW_LAST;
	return true;
}

static void count_part(struct best *best, Dwarf_Addr start, Dwarf_Addr end)
{
	best->parts += !best->parts || start != best->end;
	best->end = end;
}

static bool is_same(struct reader expression, struct reader other)
{
	size_t length = (size_t)(expression.end - expression.at);

	return length == (size_t)(other.end - other.at) && !memcmp(expression.at, other.at, length);
}

/* Reads the best entry without libdw; best->reason is set when that fails. */
static void read_readable(struct dwarf_info *info, Dwarf_Attribute *location, struct best *best)
{
	struct reader expression, first = {0};
	struct location_list list;
	Dwarf_Addr start, end;
	bool is_open = location_list_open(info, location, &list);

	best->is_uniform = true;
	while (is_open && budget_take(info, LIST_STEPS) &&
	       location_list_next(&list, &start, &end, &expression)) {
		bool is_empty = expression.at == expression.end;

		if (is_better(best, start, end, is_empty))
			best->expression = expression;
		if (is_empty)
			continue;
		if (!first.at)
			first = expression;
		best->is_uniform &= is_same(first, expression);
		count_part(best, start, end);
	}
	if (!is_open || list.bytes.is_bad)
		*best = (struct best){.info = info, .fit = FIT_EXACT,
				      .reason = "a location that libdw can't read"};
	else if (best->fit > FIT_BEHIND)
		best->reason =
			read_operations(info->arena, best->expression, &best->ops, &best->count);
}

static bool is_same_ops(const Dwarf_Op *ops, size_t count, const Dwarf_Op *others, size_t nothers)
{
	for (size_t i = 0; i < count && count == nothers; i++)
		if (ops[i].atom != others[i].atom || ops[i].number != others[i].number ||
		    ops[i].number2 != others[i].number2)
			return false;
	return count == nothers;
}

/* Does the same through libdw. Returns false when libdw gave up inside the list. */
static bool read_all(Dwarf_Attribute *location, struct best *best)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	size_t length, nfirst = 0;
	Dwarf_Op *ops, *first = NULL;

	best->is_uniform = true;
	while ((offset = dwarf_getlocations(location, offset, &base, &start, &end, &ops,
					    &length)) > 0) {
		if (is_better(best, start, end, !length)) {
			best->ops = ops;
			best->count = length;
		}
		if (!length)
			continue;
		if (!first) {
			first = ops;
			nfirst = length;
		}
		best->is_uniform &= is_same_ops(first, nfirst, ops, length);
		count_part(best, start, end);
	}
	return !offset;
}

static bool is_unborn(Dwarf_Die *variable, unsigned line)
{
	int declared;

	return line && !dwarf_decl_line(variable, &declared) && declared >= (int)line;
}

/* Whether the variable's value is computed from the contents of its own stack slot, as `slot + 1`.
 * gcc describes it so between the statement `i++` and its instruction; but it doesn't notice when
 * it puts that instruction, `addl $1, slot`, in front of the statement, and then counts it
 * twice. */
static bool is_of_own_place(struct dwarf_info *info, Dwarf_Attribute *location, const Dwarf_Op *ops,
			    size_t count)
{
	struct reader expression;
	struct location_list list;
	Dwarf_Addr start, end;
	Dwarf_Op *place;
	size_t length;

	if (count < 4 || ops[0].atom != DW_OP_fbreg || ops[count - 1].atom != DW_OP_stack_value ||
	    (ops[1].atom != DW_OP_deref && ops[1].atom != DW_OP_deref_size) ||
	    !location_list_open(info, location, &list))
		return false;
	while (budget_take(info, LIST_STEPS) &&
	       location_list_next(&list, &start, &end, &expression))
		if (!read_operations(info->arena, expression, &place, &length) && length == 1 &&
		    place->atom == DW_OP_fbreg && place->number == ops[0].number)
			return true;
	return false;
}

/* Whether one expression holds for the whole scope. */
static bool is_single(Dwarf_Attribute *location)
{
	Dwarf_Block block;

	return !dwarf_formblock(location, &block);
}

int dwarf_ops_at(struct dwarf_info *info, Dwarf_Die *variable, Dwarf_Attribute *location,
		 struct position at, struct described *ret)
{
	struct best best = {
		.info = info,
		.unit = variable->cu,
		.at = at,
		.views = find_views(info, variable, location),
	}, all;

	best.at.address -= info->bias;
	best.is_unborn = is_unborn(variable, at.line);
	all = best;
	read_readable(info, location, &best);
	if (best.reason && location_is_short(info, location) && read_all(location, &all))
		best = all;
	*ret = (struct described){location, best.ops, best.count, .reason = best.reason};
	if (!is_single(location)) {
		ret->holds = best.holds;
		ret->holds_view = best.holds_view;
		ret->is_uniform = best.is_uniform;
		ret->parts = best.parts;
	}
	if (best.reason)
		return -1;
	if (best.fit == FIT_NONE)
		ret->reason = "it has no value at this address";
	else if (best.fit == FIT_BEHIND)
		ret->reason = "it has one only behind this statement, at the same address";
	else if (is_of_own_place(info, location, best.ops, best.count))
		ret->reason = "debug information makes it of what its own place held before, and "
			      "may count a change twice";
	return ret->reason ? 0 : 1;
}
