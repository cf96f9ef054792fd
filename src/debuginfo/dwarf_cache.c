// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remembers answers: the variables at a position ($params asks for all, then for each by name, and
 * that at every instance), the variable of a name there (a value's doubts ask for it at the ends of
 * all ways to a line, and all lines of a function ask again), the rows of the last instances (each
 * line of a function asks for them), and the instances of the last name. They live in the
 * arena of the answers, and are forgotten when that changes.
 */
#include <string.h>

#include "base/lookup.h"
#include "debuginfo/internal.h"

/* Those of a copy, of the next one, and those around both, which are asked for with each. */
enum { ROWS_KEPT = 3 };

struct seen {
	struct scope_seen {
		Dwarf_Off source; /* of the instance */
		struct position at;
		struct variable *list;
		unsigned count;
	} *scopes;
	size_t nscopes;
	struct lookup by_scope;
	struct name_seen {
		Dwarf_Off source; /* of the instance */
		struct position at;
		const char *name;
		struct variable *variable; /* NULL: there is none */
	} *names;
	size_t nnames;
	struct lookup by_name;
	struct rows_seen {
		struct instance whose;
		struct row *rows;
		unsigned count;
		unsigned used; /* when, by `uses` */
	} rows[ROWS_KEPT]; /* the last */
	unsigned uses;
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

static bool is_same_position(struct position a, struct position b)
{
	return a.address == b.address && a.view == b.view && a.is_straight == b.is_straight &&
	       a.is_entry == b.is_entry && a.line == b.line;
}

static bool is_scope(const struct scope_seen *scope, const struct instance *instance,
		     struct position at)
{
	return scope->source == instance->source && is_same_position(scope->at, at);
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

void remember_variables(struct dwarf_info *info, const struct instance *instance,
			struct position at, const struct variable *list, unsigned count)
{
	struct seen *seen = seen_of(info);
	struct scope_seen *scope = find_scope(info, instance, at);

	if (!scope) {
		lookup_add(info->arena, &seen->by_scope, scope_hash(instance, at), seen->nscopes);
		scope = &arena_append(info->arena, seen->scopes, seen->nscopes);
	}
	*scope = (struct scope_seen){
		instance->source, at,
		arena_grow(info->arena, list, count * sizeof(*list), (count + 1) * sizeof(*list)),
		count};
}

bool recall_variables(const struct dwarf_info *info, const struct instance *instance,
		      struct position at, struct variable **ret, unsigned *count)
{
	const struct scope_seen *scope = find_scope(info, instance, at);

	if (!scope)
		return false;
	*ret = arena_grow(info->arena, scope->list, scope->count * sizeof(**ret),
			  (scope->count + 1) * sizeof(**ret));
	*count = scope->count;
	return true;
}

static struct variable *copy_variable(struct dwarf_info *info, const struct variable *variable)
{
	return variable ? arena_grow(info->arena, variable, sizeof(*variable), sizeof(*variable)) :
			  NULL;
}

static uint32_t name_hash(const struct instance *instance, struct position at, const char *name)
{
	return scope_hash(instance, at) ^ text_hash(name);
}

static bool is_name(const struct name_seen *seen, const struct instance *instance,
		    struct position at, const char *name)
{
	return seen->source == instance->source && is_same_position(seen->at, at) &&
	       !strcmp(seen->name, name);
}

void remember_variable(struct dwarf_info *info, const struct instance *instance,
		       struct position at, const char *name, const struct variable *variable)
{
	struct seen *seen = seen_of(info);

	lookup_add(info->arena, &seen->by_name, name_hash(instance, at, name), seen->nnames);
	arena_append(info->arena, seen->names, seen->nnames) = (struct name_seen){
		instance->source, at, arena_strdup(info->arena, name),
		copy_variable(info, variable)};
}

bool recall_variable(struct dwarf_info *info, const struct instance *instance,
		     struct position at, const char *name, bool externs, struct variable **ret)
{
	const struct scope_seen *scope = find_scope(info, instance, at);
	const struct seen *seen = info->seen;
	size_t found;

	for (unsigned i = 0; scope && i < scope->count; i++)
		if (!strcmp(scope->list[i].name, name)) {
			*ret = &scope->list[i];
			return true;
		}
	found = seen && !externs ?
			lookup_find(&seen->by_name, name_hash(instance, at, name), i,
				    is_name(&seen->names[i], instance, at, name)) : LOOKUP_NONE;
	*ret = found == LOOKUP_NONE ? NULL : seen->names[found].variable;
	return found != LOOKUP_NONE;
}

static bool has_same_rows(const struct instance *a, const struct instance *b)
{
	return a->source == b->source && a->outer_source == b->outer_source &&
	       a->function == b->function && a->inlined == b->inlined && a->entry == b->entry &&
	       a->ranges == b->ranges && a->nranges == b->nranges &&
	       a->outer_ranges == b->outer_ranges && a->nouter_ranges == b->nouter_ranges;
}

/* Takes the place of those that weren't asked for for longest. */
void remember_rows(struct dwarf_info *info, const struct instance *instance, struct row *rows,
		   unsigned count)
{
	struct seen *seen = seen_of(info);
	unsigned oldest = 0;

	for (unsigned i = 1; i < ROWS_KEPT; i++)
		if (seen->rows[i].used < seen->rows[oldest].used)
			oldest = i;
	seen->rows[oldest] = (struct rows_seen){*instance, rows, count, ++seen->uses};
}

bool recall_rows(struct dwarf_info *info, const struct instance *instance, struct row **ret,
		 unsigned *count)
{
	for (unsigned i = 0; info->seen && i < ROWS_KEPT; i++) {
		struct rows_seen *seen = &info->seen->rows[i];

		if (!seen->rows || !has_same_rows(&seen->whose, instance))
			continue;
		seen->used = ++info->seen->uses;
		*ret = seen->rows;
		*count = seen->count;
		return true;
	}
	return false;
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
