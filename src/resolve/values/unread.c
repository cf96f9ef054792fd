// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a value is of memory on the stack that no code behind the place reads, or that none
 * ever stores to.
 *
 * The surprise: memory that nothing reads any more isn't written any more.
 */
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/slots.h"
#include "resolve/values/doubts.h"

/* What is asked about one value. */
struct asked {
	const struct question *question;
	part_test *test;
	struct slot_object object;
	unsigned parts; /* that were looked at */
};

static bool is_found(struct asked *asked, const struct expr *at, unsigned size)
{
	return asked->test(asked->question, &asked->object, at, size);
}

enum { MOST_PARTS = 64 };

/* Each number in the memory counts: of `a[0] = n; a[1] = m;` one may have been left out. */
static bool has_part(struct asked *asked, const struct expr *at, const struct shape *shape)
{
	struct arena *arena = asked->question->walk->resolver->arena;
	bool found = false;

	if (asked->parts >= MOST_PARTS)
		return false;
	if (shape->kind == SHAPE_ARRAY)
		for (unsigned i = 0; i < shape->count && !found && asked->parts < MOST_PARTS; i++)
			found = has_part(
				asked,
				expr_offset(arena, at,
					    (int64_t)i * (shape->stride ?: shape->element->size)),
				shape->element);
	else if (shape->kind == SHAPE_STRUCT)
		for (unsigned i = 0; i < shape->nmembers && !found; i++)
			found = has_part(asked, expr_offset(arena, at, shape->members[i].offset),
					   shape->members[i].shape);
	else if (++asked->parts)
		found = is_found(asked, at, shape->size ?: 1);
	return found;
}

static bool loads_part(struct asked *asked, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_ENTRY)
		return false;
	return (expr->op == EXPR_LOAD && is_found(asked, expr->a, expr->size)) ||
	       loads_part(asked, expr->a) || loads_part(asked, expr->b);
}

/* Whether a caller has just stored it, as the ABI has it, whatever the function reads: the position
 * is the function's beginning, and the place is above its return address. */
static bool is_passed_on_stack(const struct walk *walk, struct position at)
{
	const struct instance *instance = walk->instance;
	const struct expr *place = walk->variable->loc.expr;

	return walk->variable->scope == SCOPE_PARAMETER && instance && !instance->inlined &&
	       at.address == instance->entry && place->op == EXPR_ADD &&
	       place->a->op == EXPR_REG && place->b->op == EXPR_CONST &&
	       place->a->value == walk->resolver->arch->stack_register &&
	       (int64_t)place->b->value > 0;
}

bool has_slot_part(const struct question *question, part_test *test)
{
	const struct walk *walk = question->walk;
	const struct capture *capture = question->capture;
	const struct variable *variable = walk->variable;
	const struct type *type = variable ? variable->type : NULL;
	struct asked asked = {.question = question, .test = test};
	bool found;

	if (!variable || !variable->is_home || walk->resolver != walk->home ||
	    variable->loc.kind != LOC_MEMORY || is_passed_on_stack(walk, question->at))
		return false;
	asked.object = (struct slot_object){
		.address = variable->loc.expr,
		.size = type->size ? (unsigned)type->size : 1,
		.is_aggregate = type->kind == TYPE_ARRAY || type_is_struct(type),
		.block = variable->block,
		.nblock = variable->nblock,
	};
	found = loads_part(&asked, capture->expr);
	if (capture->kind == CAPTURE_OBJECT && !found)
		found = has_part(&asked, capture->expr, capture->shape);
	for (unsigned i = 0; capture_bytes(capture) && capture->kind != CAPTURE_OBJECT && !found &&
			     i < MOST_PARTS && (!i || i < capture->count);
	     i++) {
		unsigned size = capture->kind == CAPTURE_ARRAY ? capture->size : 1;

		found = is_found(
			&asked,
			expr_offset(walk->resolver->arena, capture->expr, (int64_t)i * size), size);
	}
	for (unsigned i = 0; i < capture->nparts && !found; i++)
		found = loads_part(&asked, capture->parts[i].expr);
	return found;
}

static bool is_unread(const struct question *question, const struct slot_object *object,
		      const struct expr *part, unsigned size)
{
	return slot_is_unread(question->walk->resolver, question->walk->instance,
			      question->at.address, object, part, size);
}

bool may_be_stale(const struct question *question)
{
	return has_slot_part(question, is_unread);
}

static bool is_unset(const struct question *question, const struct slot_object *object,
		     const struct expr *part, unsigned size)
{
	return slot_is_unset(question->walk->resolver, question->walk->instance,
			     question->at.address, object, part, size);
}

bool is_never_stored(const struct question *question)
{
	const struct walk *walk = question->walk;
	const struct instance *instance = walk->instance;

	/* a parameter may be stored in front of its block, by the caller */
	return instance && walk->variable && walk->variable->scope == SCOPE_LOCAL &&
	       !instance->is_unoptimised && has_slot_part(question, is_unset);
}
