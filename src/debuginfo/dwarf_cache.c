// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remembers answers: the variables at a position ($params asks for all, then for each by name, and
 * that at every instance), the rows of an instance (`FUNC:*` asks for them at each line), and the
 * instances of the last name. They live in the arena of the
 * answers, and are forgotten when that changes.
 */
#include <string.h>

#include "base/lookup.h"
#include "debuginfo/internal.h"

struct seen {
	struct scope_seen {
		Dwarf_Off source; /* of the instance */
		struct position at;
		const struct variable *list;
		unsigned count;
	} *scopes;
	size_t nscopes;
	struct lookup by_scope;
	struct rows_seen {
		struct instance instance;
		struct row *list;
		unsigned count;
	} *rows;
	size_t nrows;
	struct lookup by_instance;
	const char *name; /* whose instances these are; NULL: none were asked for */
	struct instance **instances;
	unsigned ninstances;
};

static struct seen *seen_of(struct dwarf_info *info)
{
	if (!info->seen)
		info->seen = arena_new(info->arena, struct seen);
	return info->seen;
}

static uint32_t scope_hash(const struct instance *instance, struct position at)
{
	return number_hash(instance->source ^ at.address * 31 ^ at.view);
}

static bool is_scope(const struct scope_seen *scope, const struct instance *instance, struct position at)
{
	return scope->source == instance->source && scope->at.address == at.address &&
	       scope->at.view == at.view && scope->at.is_straight == at.is_straight &&
	       scope->at.is_entry == at.is_entry && scope->at.line == at.line;
}

/* Returns NULL when not seen yet. */
static struct scope_seen *find_scope(const struct dwarf_info *info, const struct instance *instance,
				     struct position at)
{
	const struct seen *seen = info->seen;
	size_t found = seen ? lookup_find(&seen->by_scope, scope_hash(instance, at), i,
					  is_scope(&seen->scopes[i], instance, at)) : LOOKUP_NONE;

	return found == LOOKUP_NONE ? NULL : &seen->scopes[found];
}

void remember_variables(struct dwarf_info *info, const struct instance *instance, struct position at,
			const struct variable *list, unsigned count)
{
	struct seen *seen = seen_of(info);
	struct scope_seen *scope = find_scope(info, instance, at);

	if (!scope) {
		lookup_add(info->arena, &seen->by_scope, scope_hash(instance, at), seen->nscopes);
		scope = &arena_append(info->arena, seen->scopes, seen->nscopes);
	}
	*scope = (struct scope_seen){
		instance->source, at,
		arena_grow(info->arena, list, count * sizeof(*list), (count + 1) * sizeof(*list)), count
	};
}

bool recall_variables(const struct dwarf_info *info, const struct instance *instance, struct position at,
		      struct variable **ret, unsigned *count)
{
	const struct scope_seen *scope = find_scope(info, instance, at);

	if (!scope)
		return false;
	*ret = arena_grow(info->arena, scope->list, scope->count * sizeof(**ret),
			  (scope->count + 1) * sizeof(**ret));
	*count = scope->count;
	return true;
}

struct variable *recall_variable(const struct dwarf_info *info, const struct instance *instance,
				 struct position at, const char *name)
{
	const struct scope_seen *scope = find_scope(info, instance, at);

	for (unsigned i = 0; scope && i < scope->count; i++)
		if (!strcmp(scope->list[i].name, name))
			return arena_grow(info->arena, &scope->list[i], sizeof(*scope->list),
					  sizeof(*scope->list));
	return NULL;
}

/* One instance's code may be asked for as another function's, too. */
static bool is_instance(const struct instance *seen, const struct instance *instance)
{
	return seen->source == instance->source && seen->outer_source == instance->outer_source &&
	       seen->function == instance->function && seen->inlined == instance->inlined &&
	       seen->entry == instance->entry && seen->entry_view == instance->entry_view &&
	       seen->ranges == instance->ranges && seen->nranges == instance->nranges &&
	       seen->outer_ranges == instance->outer_ranges && seen->nouter_ranges == instance->nouter_ranges;
}

void remember_rows(struct dwarf_info *info, const struct instance *instance, struct row *list, unsigned count)
{
	struct seen *seen = seen_of(info);

	lookup_add(info->arena, &seen->by_instance, number_hash(instance->source), seen->nrows);
	arena_append(info->arena, seen->rows, seen->nrows) = (struct rows_seen){*instance, list, count};
}

bool recall_rows(const struct dwarf_info *info, const struct instance *instance, struct row **ret, unsigned *count)
{
	const struct seen *seen = info->seen;
	size_t found = seen ? lookup_find(&seen->by_instance, number_hash(instance->source), i,
					  is_instance(&seen->rows[i].instance, instance)) : LOOKUP_NONE;

	if (found == LOOKUP_NONE)
		return false;
	*ret = seen->rows[found].list;
	*count = seen->rows[found].count;
	return true;
}

static struct instance **copy_list(struct dwarf_info *info, struct instance **list, unsigned count)
{
	return arena_grow(info->arena, list, count * sizeof(*list), (count + 1) * sizeof(*list));
}

void remember_instances(struct dwarf_info *info, const char *name, struct instance **list,
			unsigned count)
{
	struct seen *seen = seen_of(info);

	seen->name = arena_strdup(info->arena, name);
	seen->instances = copy_list(info, list, count);
	seen->ninstances = count;
}

bool recall_instances(struct dwarf_info *info, const char *name, struct instance ***ret,
		      unsigned *count)
{
	const struct seen *seen = info->seen;

	if (!seen || !seen->name || strcmp(seen->name, name))
		return false;
	*ret = copy_list(info, seen->instances, seen->ninstances);
	*count = seen->ninstances;
	return true;
}
