// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists what has code beside an instance in one out-of-line function: the copies of its own
 * function, and the functions of its file that are declared behind it.
 *
 * The surprise: the lists are the same for all copies, so they are made once for all. A function
 * may have thousands of copies in another one, and each is asked about.
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/owner.h"
#include "debuginfo/tree.h"

void append_other(struct dwarf_info *info, struct other_list *list, Dwarf_Die *die,
		  struct other other)
{
	Dwarf_Addr entry;

	other.entry = dwarf_entrypc(die, &entry) ? 0 : entry + info->bias;
	die_ranges(info, die, &other.ranges, &other.nranges);
	arena_append(info->arena, list->list, list->count) = other;
}

static void find_others(struct dwarf_info *info, struct neighbours *all, const struct tree *tree,
			const struct function *function)
{
	for (unsigned i = 0; i < tree->count && budget_take(info, 1); i++) {
		Dwarf_Die die = tree->list[i].die;
		int line = tree->list[i].line;
		const struct function other = {.source = tree->list[i].origin,
					       .line = (unsigned)line};

		if (line > (int)function->line && tree->list[i].file &&
		    is_file_of(declaring_unit(&die), tree->list[i].file, function))
			append_other(info, &all->others, &die, (struct other){
				.line = (unsigned)line,
				.end = local_end(info, tree, function->source, &other)});
	}
}

static void append_copy(struct dwarf_info *info, struct neighbours *all, Dwarf_Die *die)
{
	struct copy *copy = &arena_append(info->arena, all->copies, all->ncopies);

	copy->source = die_handle(info, die);
	if (!dwarf_die_entry(info, die, &copy->entry))
		copy->entry = 0;
	copy->entry_view = dwarf_die_entry_view(die);
	die_ranges(info, die, &copy->ranges, &copy->nranges);
}

static void find_copies(struct dwarf_info *info, struct neighbours *all, const struct tree *tree)
{
	for (unsigned i = 0; i < tree->count && budget_take(info, 1); i++) {
		Dwarf_Die die = tree->list[i].die;

		if (tree->list[i].origin == all->function &&
		    !is_split_half(&die, tree->list[i].inside))
			append_copy(info, all, &die);
	}
}

static int stretch_compare(const void *left, const void *right)
{
	const struct stretch *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->source < b->source ? -1 : a->source > b->source;
}

static void add_stretch(struct dwarf_info *info, struct neighbours *all, const struct copy *copy,
			struct range range)
{
	arena_append(info->arena, all->stretches, all->nstretches) = (struct stretch){
		.start = range.start, .source = copy->source, .reach = range.end,
		.reaching = copy->source};
}

/* A copy without code is where it begins. */
static void sort_stretches(struct dwarf_info *info, struct neighbours *all)
{
	for (unsigned i = 0; i < all->ncopies; i++) {
		const struct copy *copy = &all->copies[i];

		for (unsigned j = 0; j < copy->nranges; j++)
			add_stretch(info, all, copy, copy->ranges[j]);
		if (!copy->nranges)
			add_stretch(info, all, copy,
				    (struct range){copy->entry, copy->entry + 1});
	}
	if (all->nstretches)
		qsort(all->stretches, all->nstretches, sizeof(*all->stretches), stretch_compare);
	for (unsigned i = 1; i < all->nstretches; i++) {
		const struct stretch *before = &all->stretches[i - 1];
		struct stretch *one = &all->stretches[i];

		if (before->reach > one->reach ||
		    (before->reach == one->reach && before->reaching < one->reaching)) {
			one->reach = before->reach;
			one->reaching = before->reaching;
		}
	}
}

struct nearest nearest_copy(const struct neighbours *all, uint64_t address)
{
	struct nearest nearest = {0, UINT64_MAX};
	unsigned low = 0, high = all->nstretches;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (all->stretches[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low) {
		const struct stretch *left = &all->stretches[low - 1];

		nearest.source = left->reaching;
		nearest.away = address < left->reach ? 0 : address - left->reach + 1;
	}
	if (low < all->nstretches) {
		const struct stretch *right = &all->stretches[low];
		uint64_t away = right->start - address;

		if (away < nearest.away ||
		    (away == nearest.away && right->source < nearest.source))
			nearest = (struct nearest){right->source, away};
	}
	return nearest;
}

static bool is_about(const struct neighbours *all, const struct instance *instance)
{
	return all->outer == instance->outer_source &&
	       all->function == instance->function->source &&
	       all->line == instance->function->line && all->has_copies >= instance->inlined;
}

static void list_all(struct dwarf_info *info, struct neighbours *all,
		     const struct instance *instance, Dwarf_Die *outer)
{
	struct arena *answers = info->arena;
	const struct tree *tree = function_tree(info, outer);

	info->arena = &all->arena;
	find_others(info, all, tree, instance->function);
	if (all->has_copies) {
		find_copies(info, all, tree);
		sort_stretches(info, all);
	}
	info->arena = answers;
}

struct neighbours *neighbours_of(struct dwarf_info *info, const struct instance *instance,
				 Dwarf_Die *outer)
{
	struct neighbours *all = &info->neighbours;

	if (all->outer && is_about(all, instance))
		return all;
	forget_neighbours(info);
	all->outer = instance->outer_source;
	all->function = instance->function->source;
	all->line = instance->function->line;
	all->has_copies = instance->inlined;
	list_all(info, all, instance, outer);
	if (!budget_take(info, 1)) /* the lists may end too early */
		all->outer = 0;
	return all;
}

void forget_neighbours(struct dwarf_info *info)
{
	arena_deinit(&info->neighbours.arena);
	info->neighbours = (struct neighbours){.outer = 0};
}
