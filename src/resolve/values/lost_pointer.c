// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that LLVM computes a pointer from where a slot of the stack is, and not from the pointer in
 * it: `rsp + 208 + 24` of `&gfc->cfg`, where gfc is in that slot.
 *
 * The surprise: only what lies at that address tells. A pointer to something on the stack points
 * to a variable there, of the function or of one around it, or into an array or struct. In C++ and
 * others it may be something without a name.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

enum { DEPTH_MOST = 32 };

struct searching {
	const struct walk *walk;
	struct position at;
	int64_t offset;       /* from the stack pointer */
	bool is_object_there; /* or it isn't known */
	bool is_behind_slot;  /* of a pointer to something so large */
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
 * A struct is no part of an array of numbers. pointer: its type, or a number's. */
static bool may_hold(const struct type *object, uint64_t offset, const struct type *pointer)
{
	const struct type *element = object;

	while (element->kind == TYPE_ARRAY && element->target)
		element = element->target;
	if (element == object && !is_aggregate(object) && offset)
		return false;
	return (!object->size || offset <= object->size) &&
	       (!pointer->target || !is_aggregate(pointer->target) || element->size <= 1 ||
		is_aggregate(element));
}

static void look_at(struct searching *of, const struct variable *variable)
{
	const struct type *type = variable->type;
	uint64_t offset;
	int64_t start;

	if (variable->loc.kind != LOC_MEMORY || !type ||
	    !is_of_stack(of->walk, variable->loc.expr, &start) || start > of->offset)
		return;
	offset = (uint64_t)(of->offset - start);
	of->is_object_there |= may_hold(type, offset, of->walk->variable->type);
	of->is_behind_slot |= type->kind == TYPE_POINTER && type->target &&
			      type->target->size > offset;
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

/* A number of an address's size may be one. */
static bool may_be_address(const struct type *type)
{
	return type && (type->kind == TYPE_POINTER || (type->kind == TYPE_INT && type->size == 8));
}

bool is_pointer_lost(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct instance *instance = walk->instance;
	struct searching of = {.walk = walk, .at = at};
	struct instance **around;
	unsigned count;

	if (!instance || !instance->is_by_llvm || !instance->nouter_ranges ||
	    variable->loc.kind != LOC_VALUE || !may_be_address(variable->type) ||
	    !is_of_stack(walk, variable->loc.expr, &of.offset) ||
	    debuginfo_function_at(walk->resolver->info, instance->outer_ranges[0].start, &around,
				  &count) || !count)
		return false;
	for (unsigned i = 0; i < count; i++)
		search(&of, around[i], 0);
	return !of.is_object_there && (!instance->has_temporaries || of.is_behind_slot);
}
