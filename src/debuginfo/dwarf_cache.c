// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was found in, the same out when it is asked for again: the variables at a position, all or one by
 * its name ($params asks for all, then for each by name, and that at each copy), and the copies of the last
 * name. It is in the arena of the answers, and forgotten when that changes.
 */
#include <string.h>

#include "debuginfo/internal.h"

struct seen {
	struct scope_seen {
		Dwarf_Off source; /* of the copy; 0: an empty place */
		struct position at;
		const struct variable *list;
		unsigned count;
	} *table;
	size_t mask;
	size_t count;
	const char *name; /* whose copies these are; NULL: none were asked for */
	struct instance **instances;
	unsigned ninstances;
};

static struct seen *seen_of(struct dwarf_info *info)
{
	if (!info->seen)
		info->seen = arena_new(info->arena, struct seen);
	return info->seen;
}

/* The scope's place in the table, or the empty one that is to be its. */
static struct scope_seen *find_place(const struct seen *seen, Dwarf_Off source, struct position at)
{
	size_t i = (size_t)((source ^ at.address * 31 ^ at.view) * 0x9e3779b97f4a7c15u >> 32);

	for (;; i++) {
		struct scope_seen *scope = &seen->table[i & seen->mask];

		if (!scope->source || (scope->source == source && scope->at.address == at.address &&
				       scope->at.view == at.view &&
				       scope->at.is_straight == at.is_straight &&
				       scope->at.is_entry == at.is_entry &&
				       scope->at.line == at.line))
			return scope;
	}
}

static void make_room(struct dwarf_info *info)
{
	struct seen *seen = seen_of(info), old = *seen;

	if (2 * seen->count < seen->mask)
		return;
	seen->mask = old.table ? 2 * old.mask + 1 : 15;
	seen->table = arena_array(info->arena, struct scope_seen, seen->mask + 1);
	for (size_t i = 0; old.table && i <= old.mask; i++)
		if (old.table[i].source)
			*find_place(seen, old.table[i].source, old.table[i].at) = old.table[i];
}

void remember_variables(struct dwarf_info *info, const struct instance *instance, struct position at,
			const struct variable *list, unsigned count)
{
	make_room(info);
	*find_place(info->seen, instance->source, at) = (struct scope_seen){
		instance->source, at,
		arena_grow(info->arena, list, count * sizeof(*list), (count + 1) * sizeof(*list)), count
	};
	info->seen->count++;
}

/* NULL: not seen yet. */
static const struct scope_seen *find_scope(const struct dwarf_info *info,
					   const struct instance *instance, struct position at)
{
	const struct scope_seen *scope = info->seen && info->seen->table ?
		find_place(info->seen, instance->source, at) : NULL;

	return scope && scope->source ? scope : NULL;
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
