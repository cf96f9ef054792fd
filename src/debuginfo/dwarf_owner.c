// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides whether a row of the line table belongs to an instance.
 *
 * The surprise: the line alone tells more than the ranges do. Compilers leave rows of an inlined
 * instance outside its ranges, and rows of the caller inside.
 */
#include <limits.h>
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/owner.h"
#include "debuginfo/scope.h"
#include "debuginfo/tree.h"

/* A recursive function inlined into itself: the rows of the inner call are the inner instance's. */
static void find_inner(struct others *others, Dwarf_Die *scope, Dwarf_Off inside)
{
	Dwarf_Off function = others->instance->function->source;
	Dwarf_Die die;

	if (die_child(others->info, scope, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off origin = inside;

		if (tag == DW_TAG_inlined_subroutine) {
			origin = die_origin(&die);
			if (origin == function && !is_split_half(&die, inside)) {
				append_other(others->info, &others->inner, &die, (struct other){
					.line = others->instance->function->line});
				continue;
			}
		}
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			find_inner(others, &die, origin);
	} while (!die_sibling(others->info, &die, &die));
}

/* Whether the copy is inlined into the instance: a DIE comes before those inside it. */
static bool is_inner(const struct instance *instance, const struct copy *copy)
{
	return copy->source > instance->source && copy->nranges &&
	       ranges_contain(instance->ranges, instance->nranges, copy->ranges[0].start);
}

static void hold_against_copies(struct others *others)
{
	const struct neighbours *all = others->all;

	for (unsigned i = 0; i < all->ncopies; i++) {
		others->is_listed |= all->copies[i].source == others->instance->source;
		others->has_inner |= is_inner(others->instance, &all->copies[i]);
	}
}

static void tell_local_end(struct others *others, const struct tree *tree)
{
	const struct instance *instance = others->instance;

	for (unsigned i = 0; i < tree->count && budget_take(others->info, 1); i++)
		if (tree->list[i].inside && tree->list[i].handle == instance->source)
			others->local_end = local_end(others->info, tree, tree->list[i].inside,
						      instance->function);
}

static bool has_line(struct others *others, const struct other_list *list, uint64_t address,
		     unsigned line)
{
	for (unsigned i = 0; i < list->count && budget_take(others->info, 1); i++) {
		const struct other *other = &list->list[i];

		if (other->line <= line && (!other->end || line < other->end) &&
		    (other->end || other->entry == address ||
		     ranges_contain(other->ranges, other->nranges, address)))
			return true;
	}
	return false;
}

/* Whether the line is that of another function with code at this address. */
static bool is_anothers(struct others *others, uint64_t address, unsigned line)
{
	return has_line(others, &others->all->others, address, line) ||
	       has_line(others, &others->inner, address, line);
}

static bool ranges_end(const struct range *ranges, unsigned count, uint64_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (ranges[i].end == address)
			return true;
	return false;
}

/* Whether the row is an inlined instance's last line, which may begin where its code ends: `return
 * n;` is then the first instruction after it. If another instance of the function, the enclosing
 * one included, has that instruction, the row is that one's; if several end there, the innermost
 * one's. */
static bool is_just_behind(const struct others *others, uint64_t address)
{
	const struct instance *instance = others->instance;

	if (!instance->inlined ||
	    !ranges_contain(instance->outer_ranges, instance->nouter_ranges, address) ||
	    !ranges_end(instance->ranges, instance->nranges, address))
		return false;
	for (unsigned i = 0; i < others->all->ncopies && budget_take(others->info, 1); i++) {
		const struct copy *copy = &others->all->copies[i];

		if (copy->source == instance->source)
			continue;
		if (ranges_contain(copy->ranges, copy->nranges, address) ||
		    (copy->source > instance->source &&
		     ranges_end(copy->ranges, copy->nranges, address)))
			return false;
	}
	return true;
}

/* Whether a copy of the function that is inlined into the instance ends at an address of it. */
static bool is_behind_inner(const struct others *others, uint64_t address)
{
	const struct copy *copies = others->all->copies;

	for (unsigned i = 0; others->has_inner && i < others->all->ncopies; i++)
		if (is_inner(others->instance, &copies[i]) &&
		    ranges_end(copies[i].ranges, copies[i].nranges, address))
			return true;
	return false;
}

/* Whether the copy begins at the row's address, at a later view. */
static bool begins_behind(const struct copy *copy, const struct row *row)
{
	return copy->entry == row->address && copy->entry_view > row->view;
}

/* If no code is left of an instance's first statements, its entry is an address outside its ranges,
 * among the views of an instruction that isn't its own. Rows there from the entry's view on are the
 * instance's, up to the entry of the function's next instance. */
static bool is_at_entry(const struct others *others, const struct row *row)
{
	const struct instance *instance = others->instance;

	if (!instance->inlined || row->address != instance->entry ||
	    row->view < instance->entry_view)
		return false;
	for (unsigned i = 0; i < others->all->ncopies && budget_take(others->info, 1); i++) {
		const struct copy *copy = &others->all->copies[i];

		if (copy->source == instance->source || begins_behind(copy, row))
			continue;
		if (ranges_contain(copy->ranges, copy->nranges, row->address) ||
		    (copy->entry == row->address && copy->entry_view > instance->entry_view))
			return false;
	}
	return true;
}

/* Whether another copy begins at the instance's own address, and has the row's view, which comes
 * before the instance's. */
static bool is_of_earlier(const struct others *others, const struct row *row)
{
	const struct instance *instance = others->instance;

	if (!instance->inlined || row->address != instance->entry ||
	    row->view >= instance->entry_view)
		return false;
	for (unsigned i = 0; i < others->all->ncopies && budget_take(others->info, 1); i++) {
		const struct copy *copy = &others->all->copies[i];

		if (copy->source != instance->source && copy->entry == row->address &&
		    copy->entry_view <= row->view)
			return true;
	}
	return false;
}

static uint64_t distance_of(const struct instance *instance, uint64_t address)
{
	const struct range *ranges = instance->ranges;
	uint64_t entry = instance->entry;
	uint64_t least = instance->nranges ? UINT64_MAX :
			 address > entry ? address - entry : entry - address;

	for (unsigned i = 0; i < instance->nranges; i++) {
		uint64_t away = address < ranges[i].start ? ranges[i].start - address :
				address >= ranges[i].end ? address - ranges[i].end + 1 : 0;

		least = away < least ? away : least;
	}
	return least;
}

/* Among several instances, the row belongs to the nearest; among those as near, to the first. The
 * instance itself may not be listed: the tree leaves out what lies in C++'s catch blocks. */
static bool is_nearest(const struct others *others, const struct outer_row *listed)
{
	const struct instance *instance = others->instance;
	const struct nearest *nearest = &listed->nearest;
	uint64_t away;

	if (others->is_listed)
		return nearest->source == instance->source;
	away = distance_of(instance, listed->row.address);
	return nearest->away && (away < nearest->away || (away == nearest->away &&
							  instance->source < nearest->source));
}

/* The DIEs of the instance's function, with what is inside: what lies there doesn't end it. */
struct own_dies {
	struct {
		Dwarf_Off start, end;
	} list[8];
	unsigned count;
};

/* Each of the functions inlined into one asks for all of these. */
static struct unit_function unit_function(Dwarf_Die *die, Dwarf_Off end)
{
	int line;

	return (struct unit_function){
		.die = *die,
		.end = end,
		.origin = die_origin(die),
		.line = !dwarf_hasattr(die, DW_AT_declaration) && declared_line(die, &line) ?
				line : 0,
	};
}

static void list_functions(struct dwarf_info *info, Dwarf_Die *parent, Dwarf_Off end);

/* end: where the DIEs below it end. */
static void list_function(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Off end, bool in_c)
{
	struct unit_functions *all = &info->functions;

	if (!in_c && holds_functions(dwarf_tag(die)))
		list_functions(info, die, end);
	if (dwarf_tag(die) == DW_TAG_subprogram)
		arena_append(info->kept, all->list, all->count) = unit_function(die, end);
}

static void list_functions(struct dwarf_info *info, Dwarf_Die *parent, Dwarf_Off end)
{
	Dwarf_Die die, next;
	bool is_last;

	if (die_child(info, parent, &die))
		return;
	do {
		is_last = die_sibling(info, &die, &next);
		list_function(info, &die,
			      is_last ? end : dwarf_dieoffset(&next) | split_tag(die.cu), false);
		die = next;
	} while (!is_last);
}

static void list_unit(struct dwarf_info *info, Dwarf_Die *unit)
{
	const struct children *children = unit_children(info, unit);
	Dwarf_Off tag = split_tag(unit->cu);
	bool in_c = is_c(unit);

	for (size_t i = 0; i < children->count; i++)
		list_function(info, &children->list[i], i + 1 < children->count ?
			      dwarf_dieoffset(&children->list[i + 1]) | tag : UINT64_MAX, in_c);
}

/* Remembers the last unit. */
static struct unit_functions *functions_of(struct dwarf_info *info, Dwarf_Die *unit)
{
	struct unit_functions *all = &info->functions;

	if (all->unit != die_handle(info, unit)) {
		*all = (struct unit_functions){.unit = die_handle(info, unit)};
		list_unit(info, unit);
	}
	return all;
}

static void find_own_dies(struct others *others, const struct unit_functions *all,
			  struct own_dies *own)
{
	for (unsigned i = 0; i < all->count && own->count < 8 && budget_take(others->info, 1);
	     i++) {
		Dwarf_Die die = all->list[i].die;

		if (all->list[i].origin != others->instance->function->source)
			continue;
		own->list[own->count].start = dwarf_dieoffset(&die) | split_tag(die.cu);
		own->list[own->count++].end = all->list[i].end;
	}
}

/* A lambda, or a method of a local class: its own DIE is beside the function's, its origin
 * inside. */
static bool is_nested(const struct own_dies *own, Dwarf_Off origin)
{
	for (unsigned i = 0; i < own->count; i++)
		if (origin > own->list[i].start && origin < own->list[i].end)
			return true;
	return false;
}

/* A function at the top level of the unit's file ends, by lines, at the next one's declaration; a
 * function inside another doesn't. */
static void find_end(struct others *others, struct unit_functions *all,
		     const struct own_dies *own)
{
	const struct function *function = others->instance->function;

	for (unsigned i = 0; i < all->count && budget_take(others->info, 1); i++) {
		struct unit_function *one = &all->list[i];

		if (one->line <= (int)function->line || (unsigned)one->line >= others->end)
			continue;
		one->file = one->file ?: declared_file(others->info, &one->die);
		if (one->file && is_file_of(declaring_unit(&one->die), one->file, function) &&
		    !is_nested(own, one->origin))
			others->end = (unsigned)one->line;
	}
}

/* One search of a unit serves all instances in it. A function in the alt file has no known end. */
static unsigned end_of_lines(struct others *others)
{
	struct dwarf_info *info = others->info;
	const struct function *function = others->instance->function;
	struct own_dies own = {.count = 0};
	Dwarf_Die die, unit;

	if (function->source & HANDLE_ALT || !die_at(info, function->source, &die) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL))
		return 0;
	if (info->end_unit != die_handle(info, &unit) || info->end_function != function->source) {
		struct unit_functions *all = functions_of(info, &unit);

		others->end = UINT_MAX - 1;
		find_own_dies(others, all, &own);
		if (own.count)
			find_end(others, all, &own);
		info->end_unit = die_handle(info, &unit);
		info->end_function = function->source;
		info->end = own.count ? others->end : 0;
	}
	return info->end;
}

/* gcc begins statements of an inlined instance a few instructions before its code, behind it, or
 * where nothing of it is left: no DIE covers such a row, but its line is one function's only. */
static bool is_stray(struct others *others, const struct outer_row *listed)
{
	const struct instance *instance = others->instance;
	const struct row *row = &listed->row;

	if (!instance->inlined || row->line >= others->end ||
	    !ranges_contain(instance->outer_ranges, instance->nouter_ranges, row->address) ||
	    !is_nearest(others, listed))
		return false;
	if (others->end == UINT_MAX)
		others->end = end_of_lines(others);
	return row->line < others->end;
}

static bool has_later(const struct other_list *list, unsigned line)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->list[i].line <= line)
			return true;
	return false;
}

/* Rows of an inlined function that is declared later may lie in none of its ranges. */
static bool is_behind_end(struct others *others, unsigned line)
{
	if (!has_later(&others->all->others, line) && !has_later(&others->inner, line))
		return false;
	if (others->end == UINT_MAX)
		others->end = end_of_lines(others);
	return others->end && line >= others->end;
}

/* Whether that can be told without the lists: most rows are far from most copies. */
static bool is_elsewhere(const struct others *others, const struct outer_row *listed)
{
	return (listed->row.address < others->span.start ||
		listed->row.address > others->span.end) &&
	       (!listed->is_own || !others->instance->inlined ||
		(others->is_listed && listed->nearest.source != others->instance->source));
}

/* An instance without instructions still has the rows at its entry. */
bool is_inside(struct others *others, const struct outer_row *listed, struct row *row)
{
	const struct instance *instance = others->instance;
	bool is_own = listed->is_own, is_within;

	if (is_elsewhere(others, listed))
		return false;
	is_within = instance->nranges ?
		ranges_contain(instance->ranges, instance->nranges, row->address) :
		row->address == instance->entry;
	row->may_be_inner = is_own && is_within && is_behind_inner(others, row->address);
	if (is_own && others->local_end && row->line >= others->local_end)
		return false;
	if (is_own && is_of_earlier(others, row))
		return false;
	if (!is_within &&
	    !(is_own && (is_at_entry(others, row) || is_just_behind(others, row->address)))) {
		row->is_stray = is_own && is_stray(others, listed);
		return row->is_stray;
	}
	return !is_own ||
	       (!is_behind_end(others, row->line) && !is_anothers(others, row->address, row->line));
}

static struct range span_of(const struct instance *instance)
{
	struct range span = {instance->entry, instance->entry};

	for (unsigned i = 0; i < instance->nranges; i++) {
		const struct range *one = &instance->ranges[i];

		span.start = one->start < span.start ? one->start : span.start;
		span.end = one->end > span.end ? one->end : span.end;
	}
	return span;
}

void others_init(struct others *others, Dwarf_Die *outer, Dwarf_Die *die)
{
	struct arena *answers = others->info->arena;

	arena_init(&others->lists);
	others->end = UINT_MAX;
	others->span = span_of(others->instance);
	others->all = neighbours_of(others->info, others->instance, outer);
	others->info->arena = &others->lists;
	find_inner(others, die, die_origin(die));
	others->info->arena = answers;
	if (others->instance->inlined) {
		hold_against_copies(others);
		tell_local_end(others, function_tree(others->info, outer));
	}
}

void others_deinit(struct others *others)
{
	arena_deinit(&others->lists);
}
