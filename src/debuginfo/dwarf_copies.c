// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a unit's instances of the functions that a caller wants, each with its function and the
 * out-of-line function around it. Walks a unit's tree only where code can be: functions, blocks,
 * inlined calls.
 *
 * The surprise: an inlined call that isn't a call, but the second half of a split function
 * (is_split_half()).
 */
#include "debuginfo/copies.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"

static struct function *function_new(struct dwarf_info *info, Dwarf_Die *die)
{
	struct function *function = arena_new(info->arena, struct function);
	int line = 0;

	function->name = scoped_name(info, die) ?: "";
	function->file = declared_file(info, die) ?: "";
	function->directory = directory_of(declaring_unit(die));
	function->line = declared_line(die, &line) && line > 0 ? (unsigned)line : 0;
	function->source = origin_handle(info, die);
	return function;
}

struct function *known_function(const struct copies *copies, Dwarf_Off origin)
{
	size_t at = lookup_find(&copies->known, number_hash(origin), i,
				copies->functions[i]->source == origin);

	return at == LOOKUP_NONE ? NULL : copies->functions[at];
}

struct function *add_function(struct copies *copies, Dwarf_Die *die)
{
	struct function *function = function_new(copies->info, die);

	lookup_add(copies->info->arena, &copies->known, number_hash(function->source),
		   copies->nfunctions);
	arena_append(copies->info->arena, copies->functions, copies->nfunctions) = function;
	return function;
}

/* A walk asks for one function's name many times. */
static const char *outer_name(struct copies *copies)
{
	const struct outer *outer = &copies->outer;
	Dwarf_Die die;

	if (copies->is_c || !outer->source)
		return outer->name;
	if (copies->named != outer->source && die_at(copies->info, outer->source, &die)) {
		copies->scoped = scoped_name(copies->info, &die);
		copies->named = outer->source;
	}
	return copies->scoped ?: outer->name;
}

/* What the unit's compiler is. Most instances of a walk are of one unit. */
static void tell_compiler(struct copies *copies, Dwarf_Die *die, struct instance *instance)
{
	Dwarf_Die unit;

	if (copies->unit != die->cu) {
		bool is_known = dwarf_diecu(die, &unit, NULL, NULL);

		copies->unit = die->cu;
		copies->is_by_gcc = is_known && is_gcc_unit(&unit);
		copies->is_optimised_by_gcc = is_known && optimising_gcc(&unit);
		copies->is_by_llvm = is_known && is_llvm_unit(&unit);
		copies->is_fortran = is_known && is_gfortran_unit(&unit);
		copies->has_rough_registers = is_known && has_rough_registers(&unit);
	}
	instance->is_by_gcc = copies->is_by_gcc;
	instance->is_by_llvm = copies->is_by_llvm;
	instance->is_fortran = copies->is_fortran;
	instance->has_rough_registers = copies->has_rough_registers;
}

/* Whether the entry is none of the enclosing function's addresses: BOLT moves code, and leaves
 * DW_AT_entry_pc as it was, an address where the old code still lies and never runs. */
static bool is_entry_stale(const struct copies *copies, const struct instance *instance)
{
	return instance->is_entry_told && copies->outer.nranges &&
	       !ranges_contain(copies->outer.ranges, copies->outer.nranges, instance->entry);
}

/* Returns false for an instance that has no code. The first of several ranges is by gcc often code
 * that was moved in front of a loop, and not where calls begin. */
static bool enter_at_ranges(struct instance *instance)
{
	instance->is_entry_told = false;
	instance->is_entry_doubtful = instance->nranges > 1;
	instance->entry_view = 0;
	if (instance->nranges)
		instance->entry = instance->ranges[0].start;
	return instance->nranges;
}

/* Whether the function around the instance is: clang says nothing of that in its unit. */
static bool is_optimised(struct copies *copies)
{
	Dwarf_Die outer;

	return copies->is_optimised_by_gcc ||
	       (copies->is_by_llvm && handle_die(copies->info, copies->outer.source, &outer) &&
		leaves_out_stores(&outer));
}

static void add_instance(struct copies *copies, const struct function *function, Dwarf_Die *die)
{
	struct instance *instance = arena_new(copies->info->arena, struct instance);

	die_ranges(copies->info, die, &instance->ranges, &instance->nranges);
	if (!dwarf_die_entry(copies->info, die, &instance->entry))
		return;
	instance->entry_view = dwarf_die_entry_view(die);
	instance->is_entry_told = dwarf_hasattr(die, DW_AT_entry_pc);
	if (is_entry_stale(copies, instance) && !enter_at_ranges(instance))
		return;
	instance->function = function;
	instance->brief = copies->is_c ? NULL : brief_name(copies->info, die);
	instance->inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	instance->call_line = instance->inlined ? calling_line(die) : 0;
	tell_compiler(copies, die, instance);
	instance->is_unoptimised = !instance->inlined && !leaves_out_stores(die);
	instance->is_optimised = is_optimised(copies);
	instance->outer = outer_name(copies);
	instance->outer_ranges = copies->outer.ranges;
	instance->nouter_ranges = copies->outer.nranges;
	instance->outer_source = copies->outer.source;
	instance->source = die_handle(copies->info, die);
	arena_append(copies->info->arena, copies->instances, copies->ninstances) = instance;
}

/* A second half is in the instance that is walked, the last one of that function. */
static void tell_split(struct copies *copies, Dwarf_Off origin)
{
	for (unsigned i = copies->ninstances; i-- > 0;)
		if (copies->instances[i]->function->source == origin) {
			copies->instances[i]->is_split = true;
			return;
		}
}

/* Returns false for a declaration or abstract function, which has no code of its own. */
static bool enter_function(struct copies *copies, Dwarf_Die *die)
{
	struct outer outer = {.name = dwarf_diename(die), .source = die_handle(copies->info, die)};

	die_ranges(copies->info, die, &outer.ranges, &outer.nranges);
	if (!outer.nranges)
		return false;
	copies->outer = outer;
	return true;
}

static bool holds_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

static void walk_copies(struct copies *copies, Dwarf_Die *parent, Dwarf_Off inside);

/* inside: the origin of the function that the DIE is part of. */
static void walk_copy(struct copies *copies, Dwarf_Die *die, Dwarf_Off inside)
{
	int tag = dwarf_tag(die);
	Dwarf_Off origin = inside;

	if (tag == DW_TAG_subprogram && !enter_function(copies, die)) {
		if (copies->in_abstract)
			walk_copies(copies, die, 0);
		return;
	}
	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
		origin = die_origin(die);
		if (copies->is_wanted(copies, die, origin)) {
			if (is_split_half(die, inside))
				tell_split(copies, origin);
			else
				add_instance(copies, known_function(copies, origin) ?:
					     add_function(copies, die), die);
		}
	}
	if (holds_code(tag) || (!copies->is_c && holds_functions(tag)))
		walk_copies(copies, die, origin);
}

/* A function's children may have code of their own (GNU C's nested functions, methods of a local
 * class, lambdas); after them, the outer function goes on. */
static void walk_copies(struct copies *copies, Dwarf_Die *parent, Dwarf_Off inside)
{
	struct outer outer = copies->outer;
	Dwarf_Die die;

	if (die_child(copies->info, parent, &die))
		return;
	do {
		copies->outer = outer;
		walk_copy(copies, &die, inside);
	} while (!die_sibling(copies->info, &die, &die));
}

static void walk_inner(struct copies *copies, Dwarf_Die *parent, Dwarf_Off inside)
{
	Dwarf_Die die;

	if (die_child(copies->info, parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off origin = tag == DW_TAG_inlined_subroutine ? die_origin(&die) : 0;

		if (tag == DW_TAG_inlined_subroutine && !is_split_half(&die, inside))
			add_instance(copies,
				     known_function(copies, origin) ?: add_function(copies, &die),
				     &die);
		else if (holds_code(tag) && tag != DW_TAG_subprogram)
			walk_inner(copies, &die, inside);
	} while (!die_sibling(copies->info, &die, &die));
}

struct error *dwarf_inner(struct debuginfo *base, const struct instance *instance,
			  struct instance ***ret, unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct copies copies = {
		.info = info,
		.outer = {instance->outer, instance->outer_ranges, instance->nouter_ranges,
			  instance->outer_source},
	};
	Dwarf_Die die;

	if (!die_at(info, instance->source, &die))
		return dwarf_error(info, "function");
	walk_inner(&copies, &die, die_origin(&die));
	*ret = copies.instances;
	*count = copies.ninstances;
	return NULL;
}

static void walk_unit(struct copies *copies, Dwarf_Die *unit, const bool *is_holder)
{
	const struct children *children = unit_children(copies->info, unit);
	struct outer outer = copies->outer;

	copies->is_c = is_c(unit);
	for (size_t i = 0; i < children->count; i++) {
		copies->outer = outer;
		if (!is_holder || is_holder[i])
			walk_copy(copies, &children->list[i], 0);
	}
}

void find_copies(struct copies *copies, Dwarf_Die *unit)
{
	walk_unit(copies, unit, NULL);
}

void find_known_copies(struct copies *copies, Dwarf_Die *unit)
{
	walk_unit(copies, unit, find_holders(copies, unit));
}
