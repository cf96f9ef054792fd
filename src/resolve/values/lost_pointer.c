// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that LLVM computes a pointer from where a slot of the stack is, and not from the pointer in
 * it: `rsp + 208 + 24` of `&gfc->cfg`, where gfc is in that slot.
 *
 * The surprise: what lies at that address tells, but something may be there that has no name, or
 * that debug information doesn't describe. So there must be a pointer's slot, too, so far before
 * the address as what that points to has such a part.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

enum { DEPTH_MOST = 32, PARTS_MOST = 16 };

struct searching {
	const struct walk *walk;
	struct position at;
	int64_t offset;       /* from the stack pointer */
	bool is_object_there; /* or it isn't known */
	bool is_behind_slot;  /* of a pointer to something with such a part there */
};

/* Whether the expression is the stack pointer and a number. */
static bool is_of_stack(const struct walk *walk, const struct expr *expr, int64_t *offset)
{
	uint64_t base;

	return expr_is_based(expr, &base, offset) &&
	       base == walk->resolver->arch->stack_register;
}

static bool is_aggregate(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* Whether an address so far behind the object's beginning may be meant to be in it, or at its end.
 * A struct is no part of an array of numbers. target: what is at the address. */
static bool may_hold(const struct type *object, uint64_t offset, const struct type *target)
{
	const struct type *element = object;

	while (element->kind == TYPE_ARRAY && element->target)
		element = element->target;
	if (element == object && !is_aggregate(object) && offset)
		return false;
	return (!object->size || offset <= object->size) &&
	       (!is_aggregate(target) || element->size <= 1 || is_aggregate(element));
}

static bool is_alike(const struct type *type, const struct type *other)
{
	return type->kind == other->kind && type->size == other->size &&
	       (!is_aggregate(type) || type->source == other->source ||
		(type->name && other->name && !strcmp(type->name, other->name)));
}

/* Whether the type has a part of the other type at the offset. */
static bool has_part(struct debuginfo *info, const struct type *type, uint64_t offset,
		     const struct type *part)
{
	struct member *members;
	unsigned count;

	for (unsigned depth = 0; depth < PARTS_MOST && type->size > offset; depth++) {
		const struct member *holder = NULL;

		if (!offset && is_alike(type, part))
			return true;
		if (type->kind == TYPE_ARRAY && type->target && type->target->size) {
			type = type->target;
			offset %= type->size;
			continue;
		}
		if (!is_aggregate(type) || debuginfo_members(info, type, &members, &count))
			return false;
		for (unsigned i = 0; i < count; i++)
			if (members[i].offset <= offset &&
			    offset - members[i].offset < members[i].type->size)
				holder = &members[i];
		if (!holder)
			return false;
		offset -= holder->offset;
		type = holder->type;
	}
	return false;
}

static void look_at(struct searching *of, const struct variable *variable)
{
	const struct type *type = variable->type, *target = of->walk->variable->type->target;
	uint64_t offset;
	int64_t start;

	if (variable->loc.kind != LOC_MEMORY || !type ||
	    !is_of_stack(of->walk, variable->loc.expr, &start) || start > of->offset)
		return;
	offset = (uint64_t)(of->offset - start);
	of->is_object_there |= may_hold(type, offset, target);
	of->is_behind_slot |= type->kind == TYPE_POINTER && type->target && offset &&
			      has_part(of->walk->resolver->info, type->target, offset, target);
}

/* Looks at what is in scope in the instance, and in a copy in it that the position is in. */
static void search(struct searching *of, const struct instance *instance, unsigned depth)
{
	struct debuginfo *info = of->walk->resolver->info;
	struct instance **inner;
	struct variable *list;
	unsigned ninner, count;

	if (depth > DEPTH_MOST ||
	    debuginfo_variables(info, instance, of->at, false, &list, &count) ||
	    debuginfo_inner(info, instance, &inner, &ninner)) {
		of->is_object_there = true;
		return;
	}
	for (unsigned i = 0; i < count; i++)
		look_at(of, &list[i]);
	for (unsigned i = 0; i < ninner; i++)
		if (is_inside(inner[i], of->at.address))
			search(of, inner[i], depth + 1);
}

bool is_pointer_lost(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct instance *instance = walk->instance;
	struct searching of = {.walk = walk, .at = at};
	struct instance **around;
	unsigned count;

	if (!instance || !instance->is_by_llvm || !instance->nouter_ranges ||
	    variable->loc.kind != LOC_VALUE || !variable->type ||
	    variable->type->kind != TYPE_POINTER || !variable->type->target ||
	    !is_of_stack(walk, variable->loc.expr, &of.offset) ||
	    debuginfo_function_at(walk->resolver->info, instance->outer_ranges[0].start, &around,
				  &count) || !count)
		return false;
	for (unsigned i = 0; i < count; i++)
		search(&of, around[i], 0);
	return !of.is_object_there && of.is_behind_slot;
}
