// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the variables in scope at a position of an instance, and their locations. A variable that
 * the compiler dropped from an instance has no DIE there: it is taken from the abstract function
 * and reported as optimised out, so that it is never mistaken for an unknown name. Debug
 * information has a block's variables in the whole block, the language only from their declaration
 * on: before it, the name means another variable.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/far.h"
#include "debuginfo/local_scope.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"
#include "expr/expr.h"

struct found {
	Dwarf_Die die;
	const char *name; /* not always the DIE's: see local_scope.h */
	Dwarf_Die scope; /* a block, an inlined copy, ... */
	bool is_toplevel; /* at file scope, not the function's */
	unsigned later;   /* the line that declares it, after the statement; 0: it is in scope */
};

struct search {
	struct dwarf_info *info;
	struct position at;
	const char *file; /* of the position's line */
	Dwarf_Off function; /* the origin of the function that is searched */
	const char *name; /* NULL: all */
	struct found *found;
	unsigned count;
	struct found *later;
	unsigned nlater;
};

/* The line that declares a local, in the file of the position's line, if it is `first` or behind
 * that; else 0. */
static unsigned declaring_line(struct search *search, Dwarf_Die *die, unsigned first)
{
	const char *file;
	int line;

	if (!search->at.line || dwarf_tag(die) != DW_TAG_variable || dwarf_decl_line(die, &line) ||
	    line < (int)first)
		return 0;
	file = declared_file(search->info, die);
	return file && search->file && !strcmp(file, search->file) ? (unsigned)line : 0;
}

/* The line where a local is declared, if after the position's statement; else 0. */
static unsigned declared_later(struct search *search, Dwarf_Die *die)
{
	unsigned line = declaring_line(search, die, search->at.line);

	return line > search->at.line ? line : 0;
}

static void add_found(struct search *search, Dwarf_Die *scope, Dwarf_Die *die, const char *name,
		      bool is_toplevel)
{
	struct found found = {*die, name, *scope, is_toplevel, 0};

	if (!name || (search->name && strcmp(search->name, name)))
		return;
	found.later = is_toplevel ? 0 : declared_later(search, die);
	if (found.later)
		arena_append(search->info->arena, search->later, search->nlater) = found;
	else
		arena_append(search->info->arena, search->found, search->count) = found;
}

static void search_scope(struct search *search, Dwarf_Die *scope)
{
	const struct local_scope *local = local_scope(search->info, scope, search->function);

	for (unsigned i = 0; i < local->nblocks && budget_take(search->info, 1); i++) {
		struct local_block *block = &local->blocks[i];

		if (ranges_contain(block->ranges, block->nranges, search->at.address))
			search_scope(search, &block->die);
	}
	for (unsigned i = 0; i < local->count && budget_take(search->info, 1); i++) {
		Dwarf_Die die = local->variables[i].die;

		add_found(search, scope, &die, local->variables[i].name, false);
	}
}

#define SCOPE_DEPTH 8u

/* The variables at file scope that the unit defines, or those that it only declares; by name, also
 * those of its namespaces and of Fortran's modules. */
static void search_unit(struct search *search, Dwarf_Die *unit, bool declared, unsigned depth)
{
	Dwarf_Attribute attribute;
	Dwarf_Die die, imported;

	if (die_child(search->info, unit, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable &&
		    !!dwarf_hasattr(&die, DW_AT_declaration) == declared)
			add_found(search, unit, &die, dwarf_diename(&die), true);
		else if (search->name && depth < SCOPE_DEPTH &&
			 (dwarf_tag(&die) == DW_TAG_namespace || dwarf_tag(&die) == DW_TAG_module))
			search_unit(search, &die, declared, depth + 1);
		else if (dwarf_tag(&die) == DW_TAG_imported_unit && depth < SCOPE_DEPTH &&
			 dwarf_attr(&die, DW_AT_import, &attribute) &&
			 dwarf_formref_die(&attribute, &imported))
			search_unit(search, &imported, declared, depth + 1);
	} while (!die_sibling(search->info, &die, &die));
}

/* A row just behind an inlined instance is its last line's, but execution has left the scope of its
 * variables there: a location for the whole scope, or for a part that has ended too, says nothing
 * about them. The entry may lie outside the ranges too. */
static bool is_left(const struct instance *instance, struct position at)
{
	if (!instance || !instance->inlined || !instance->nranges || at.is_entry)
		return false;
	return !ranges_contain(instance->ranges, instance->nranges, at.address) &&
	       (at.address != instance->entry || at.view < instance->entry_view);
}

static bool is_part_of_function(Dwarf_Die *scope)
{
	int tag = dwarf_tag(scope);

	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
}

/* One number for all of its scope, or all that is known of it. */
static bool is_constant(const struct variable *variable)
{
	return variable->loc.kind == LOC_VALUE && variable->loc.expr->op == EXPR_CONST &&
	       (!variable->holds.end || variable->is_uniform);
}

static bool is_static(const struct loc *loc)
{
	return loc->kind == LOC_MEMORY && loc->expr->op == EXPR_STATIC;
}

/* Whether one location holds for the whole scope: nothing says when it is first set. (A location
 * list tells where the initial value begins.) */
static bool is_single_place(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Block block;

	return dwarf_attr_integrate(die, DW_AT_location, &attribute) &&
	       !dwarf_formblock(&attribute, &block);
}

/* Where the part begins that describes the variable, of a function that was split; 0: none. */
static uint64_t half_of(struct search *search, Dwarf_Die *scope)
{
	uint64_t entry;

	return is_split_half(scope, search->function) &&
			       dwarf_die_entry(search->info, scope, &entry) ? entry : 0;
}

static void make_variable(struct search *search, const struct instance *instance,
			  struct found *found, struct variable *ret)
{
	Dwarf_Die *die = &found->die;

	ret->name = found->name ?: dwarf_diename(die);
	ret->type = dwarf_type_of(search->info, die);
	ret->source = die_handle(search->info, die);
	dwarf_locate(search->info, found->is_toplevel ? NULL : instance, die, search->at, ret);
	if ((ret->is_home || is_constant(ret)) && is_part_of_function(&found->scope))
		die_ranges(search->info, &found->scope, &ret->block, &ret->nblock);
	if (found->later && is_single_place(die) && !is_static(&ret->loc))
		ret->loc = (struct loc){.kind = LOC_ABSENT,
					.reason = arena_printf(search->info->arena,
							       "it is declared only at line %u",
							       found->later)};
	if (!found->is_toplevel && !is_static(&ret->loc) && is_left(instance, search->at))
		ret->loc = (struct loc){.kind = LOC_ABSENT,
					.reason = "its scope ends just before this address"};
	if (!found->is_toplevel && is_single_place(die) && !is_static(&ret->loc))
		ret->line = declaring_line(search, die, search->at.line);
	if (is_constant(ret) && !ret->holds.end)
		ret->declared = declaring_line(search, die, 1);
	ret->half = half_of(search, &found->scope);
	ret->is_declared = ret->loc.kind == LOC_ABSENT && dwarf_hasattr(die, DW_AT_declaration);
	ret->is_outside = found->is_toplevel;
	ret->is_artificial = is_flagged(die, DW_AT_artificial);
	if (dwarf_tag(die) == DW_TAG_formal_parameter)
		ret->scope = SCOPE_PARAMETER;
	else if (is_flagged(die, DW_AT_external))
		ret->scope = SCOPE_GLOBAL;
	else if (found->is_toplevel || is_static(&ret->loc))
		ret->scope = SCOPE_STATIC;
	else
		ret->scope = SCOPE_LOCAL;
}

#define PAIR_STEPS 4 /* per pair of variables */

/* The names found so far. */
struct names {
	const char **list;
	size_t count;
	struct lookup lookup;
};

static void make_far(struct search *search, const struct instance *instance, Dwarf_Off origin,
		     struct variable *ret)
{
	struct found found = {.is_toplevel = true};
	const struct far_variable *far;
	size_t count;

	if (ret->loc.kind != LOC_ABSENT)
		return;
	far = far_variables(search->info, origin, &count);
	for (size_t i = 0; i < count && ret->loc.kind == LOC_ABSENT; i++)
		if (die_at(search->info, far[i].handle, &found.die))
			make_variable(search, instance, &found, ret);
}

static void make_found(struct search *search, const struct instance *instance, struct found *found,
		       struct variable *ret)
{
	make_variable(search, instance, found, ret);
	make_far(search, instance, origin_handle(search->info, &found->die), ret);
}

/* Whether an inner declaration of the name came before; those at file scope hide none. */
static bool is_hidden(struct search *search, struct names *names, unsigned index)
{
	const char *name = search->found[index].name;
	uint32_t hash = text_hash(name);

	if (lookup_find(&names->lookup, hash, i, !strcmp(names->list[i], name)) != LOOKUP_NONE)
		return true;
	if (!search->found[index].is_toplevel) {
		lookup_add(search->info->arena, &names->lookup, hash, names->count);
		arena_append(search->info->arena, names->list, names->count) = name;
	}
	return false;
}

static struct error *search_all(struct search *search, const struct instance *instance,
				bool externs)
{
	Dwarf_Die die, unit;

	if (!die_at(search->info, instance->source, &die) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL))
		return dwarf_error(search->info, "function");
	search->function = die_origin(&die);
	search_scope(search, &die);
	/* the unit of the function's source, where that is another one */
	if (handle_die(search->info, search->function, &die) && has_far_units(search->info))
		dwarf_diecu(&die, &unit, NULL, NULL);
	if (externs && !(search->name && search->count))
		search_unit(search, &unit, false, 0);
	if (externs && search->name &&
	    (!search->count || (search->found[0].is_toplevel && !is_c(&unit))))
		search_unit(search, &unit, true, 0);
	/* a pack of --only has the variables beside its functions, but none of scopes that it has
	 * nothing else of */
	if (externs && !is_c(&unit) && !(search->name && search->count))
		note_beyond(search->info, "the variables outside functions");
	for (unsigned i = 0; i < search->nlater; i++)
		arena_append(search->info->arena, search->found, search->count) = search->later[i];
	return NULL;
}

/* Compilers list an inlined instance's parameters in any order; the abstract function has them in
 * order. */
static void sort_parameters(struct dwarf_info *info, struct variable *variables, Dwarf_Off *origins,
			    unsigned count)
{
	for (unsigned i = 1; i < count && budget_take(info, PAIR_STEPS); i++)
		for (unsigned j = i; j > 0 && variables[j].scope == SCOPE_PARAMETER &&
		     variables[j - 1].scope == SCOPE_PARAMETER && origins[j] < origins[j - 1] &&
		     budget_take(info, PAIR_STEPS); j--) {
			struct variable variable = variables[j];
			Dwarf_Off origin = origins[j];

			variables[j] = variables[j - 1];
			origins[j] = origins[j - 1];
			variables[j - 1] = variable;
			origins[j - 1] = origin;
		}
}

struct error *dwarf_variables(struct debuginfo *base, const struct instance *instance,
			      struct position at, bool externs, struct variable **ret,
			      unsigned *count)
{
	struct search search = {
		.info = dwarf_info(base), .at = at, .file = instance->function->file};
	struct error *error;
	Dwarf_Off *origins;
	struct names names = {0};

	if (!externs && recall_variables(search.info, instance, at, ret, count))
		return NULL;
	error = search_all(&search, instance, externs);
	if (error)
		return error;
	origins = arena_array(search.info->arena, Dwarf_Off, search.count + 1);
	*ret = arena_array(search.info->arena, struct variable, search.count + 1);
	*count = 0;
	for (unsigned i = 0; i < search.count; i++)
		if (!is_hidden(&search, &names, i)) {
			origins[*count] = die_origin(&search.found[i].die);
			make_found(&search, instance, &search.found[i], &(*ret)[(*count)++]);
		}
	sort_parameters(search.info, *ret, origins, *count);
	if (!externs)
		remember_variables(search.info, instance, at, *ret, *count);
	return NULL;
}

/* How far the namespaces and classes around a variable are also around the function: the length of
 * their names; -1: not all of them are. */
static long nearness(struct search *search, Dwarf_Die *die, const char *function)
{
	const char *name = brief_name(search->info, die);
	size_t length = strlen(name) - strlen(dwarf_diename(die));

	return !strncmp(name, function, length) ? (long)length : -1;
}

/* Several namespaces and classes may have a variable of that name: it is that of the innermost one
 * around the function. One that lies elsewhere is meant only where there is no other. */
static void choose_outside(struct search *search)
{
	const char *function = "", *first;
	long best = -1, near;
	unsigned at = 0;
	Dwarf_Die die;
	bool is_one = true;

	if (handle_die(search->info, search->function, &die))
		function = brief_name(search->info, &die) ?: "";
	first = brief_name(search->info, &search->found[0].die);
	for (unsigned i = 0; i < search->count; i++) {
		near = nearness(search, &search->found[i].die, function);
		is_one &= !strcmp(brief_name(search->info, &search->found[i].die), first);
		if (near <= best)
			continue;
		best = near;
		at = i;
	}
	search->found[0] = search->found[at];
	search->count = best >= 0 || is_one;
}

struct error *dwarf_variable(struct debuginfo *base, const struct instance *instance,
			     struct position at, const char *name, bool externs,
			     struct variable **ret)
{
	struct search search = {.info = dwarf_info(base), .at = at, .name = name,
				.file = instance->function->file};
	struct error *error;

	if (recall_variable(search.info, instance, at, name, externs, ret))
		return NULL;
	error = search_all(&search, instance, externs);
	if (error)
		return error;
	if (search.count > 1 && search.found[0].is_toplevel)
		choose_outside(&search);
	if (search.count) {
		*ret = arena_new(search.info->arena, struct variable);
		make_found(&search, instance, search.found, *ret);
	}
	if (!externs)
		remember_variable(search.info, instance, at, name, *ret);
	return NULL;
}

/* Whether no other unit can have another variable of that name: C's names have no scopes. */
static bool is_only_one(struct found *found, Dwarf_Die *unit)
{
	return is_c(unit) && is_flagged(&found->die, DW_AT_external) &&
	       !dwarf_hasattr(&found->die, DW_AT_declaration);
}

/* External variables only: statics of one name may be several, so they are skipped as ambiguous, as
 * are those of several namespaces. A declaration is enough if no unit defines the variable, as in a
 * module. */
struct error *dwarf_global(struct debuginfo *base, const char *name, struct variable **ret)
{
	struct dwarf_info *info = dwarf_info(base);
	struct search search = {.info = info, .name = name};
	struct found *best = NULL;

	*ret = NULL;
	candidate_units(info, name);
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		if (!info->units[i].is_candidate)
			continue;
		if (!die_at(info, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		search_unit(&search, &unit, false, 0);
		if (search.count && is_only_one(&search.found[search.count - 1], &unit))
			break;
		search_unit(&search, &unit, true, 0);
	}
	for (unsigned i = 0; i < search.count; i++) {
		struct found *found = &search.found[i];

		if (!is_flagged(&found->die, DW_AT_external))
			continue;
		if (best && strcmp(brief_name(info, &best->die), brief_name(info, &found->die)))
			return NULL;
		if (!best || (dwarf_hasattr(&best->die, DW_AT_declaration) &&
			      !dwarf_hasattr(&found->die, DW_AT_declaration)))
			best = found;
	}
	if (!best)
		return NULL;
	*ret = arena_new(info->arena, struct variable);
	make_variable(&search, NULL, best, *ret);
	make_far(&search, NULL, origin_handle(info, &best->die), *ret);
	return NULL;
}

struct error *dwarf_object(struct debuginfo *base, const struct instance *instance,
			   struct position at, uint64_t source, const struct type *pointed,
			   struct variable **ret)
{
	struct search search = {.info = dwarf_info(base), .at = at};
	struct found found = {.is_toplevel = false};
	const struct type *type;

	*ret = NULL;
	if (!handle_die(search.info, source, &found.die))
		return dwarf_error(search.info, "an implicit pointer");
	*ret = arena_new(search.info->arena, struct variable);
	make_variable(&search, instance, &found, *ret);
	if (dwarf_tag(&found.die) == DW_TAG_dwarf_procedure) {
		type = dwarf_bare_bytes(search.info, &found.die, pointed, &(*ret)->loc);
		(*ret)->type = type ?: (*ret)->type;
	}
	return NULL;
}
