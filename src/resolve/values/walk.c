// SPDX-License-Identifier: GPL-2.0-only
/*
 * The object that a walk is at: a variable, what a pointer or a reference leads to, a piece of it.
 * The walk works on neutral types and expressions; debug information is only asked what a name is
 * and where a member is. walk_steps.c takes the steps.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/values/walk.h"
#include "target/target.h"

struct error *walk_error(struct walk *walk, struct span span, enum error_code code,
			   const char *message)
{
	return error_at(error_new(walk->resolver->arena, code, "%s", message), walk->spec->text,
			span);
}

bool type_is_struct(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* Bytes to load for a bit-field: the fewest, from its first byte on, that hold it. */
static unsigned bit_unit(const struct object *object)
{
	unsigned size = 1;

	while (size < 8 && object->bit_offset + object->bit_size > size * 8)
		size *= 2;
	return size;
}

/* Whether gcc describes `!x` of a bool as all of its bits turned: it means the one that a bool
 * has. */
static bool is_negation(const struct object *object)
{
	return !object->in_memory && object->type->kind == TYPE_BOOL &&
	       object->expr->op == EXPR_NOT;
}

/* The value of a scalar, extended to 64 bits by its type. */
const struct expr *object_value(struct arena *arena, const struct object *object)
{
	const struct expr *value = object->expr;
	bool is_signed = object->type->is_signed;
	unsigned size = object->bit_size ? bit_unit(object) : (unsigned)object->type->size;

	if (object->in_memory)
		value = expr_load(arena, value, size, is_signed && !object->bit_size,
				  object->is_user);
	else if (is_negation(object))
		value = expr_binary(arena, EXPR_AND, value, expr_const(arena, 1));
	if (!object->bit_size)
		return expr_extend(arena, value, size * 8, is_signed);
	value = expr_binary(arena, EXPR_SHR, value, expr_const(arena, object->bit_offset));
	return expr_extend(arena, value, object->bit_size, is_signed);
}

/* For an object in pieces: finds the member's piece, or makes a number of several. */
struct error *walk_settle(struct walk *walk, struct span span)
{
	struct object *at = &walk->at;
	const char *reason;

	if (!at->npieces)
		return NULL;
	reason = pieces_settle(walk->resolver->arena, at,
			       at->bit_size ? (at->bit_offset + at->bit_size + 7) / 8 :
					      at->type->size,
			       at->bit_size || is_number_type(walk->resolver, at->type));
	return reason ? walk_error(walk, span, ERROR_INEXPRESSIBLE,
			      arena_printf(walk->resolver->arena,
					   "'%s' is unavailable: %s", walk->path,
					   reason)) : NULL;
}

struct error *walk_refer(struct walk *walk)
{
	const struct type *type = walk->at.type;
	struct error *error = NULL;

	for (; !error && type_is_reference(type); type = walk->at.type) {
		error = walk_follow(walk);
		walk->is_referent = true;
	}
	return error;
}

/* All memory of a program is user memory: there the mark changes nothing. */
bool is_user_marked(const struct walk *walk)
{
	return walk->want->user && walk->resolver->target->kind != TARGET_PROGRAM;
}

/* Whether a function's first instruction can't find it there: below the stack pointer, or in a
 * register that carries no argument. */
static bool is_not_passed(const struct arch *arch, const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_ADD && expr->a->op == EXPR_REG &&
	    expr->a->value == arch->stack_register && expr->b->op == EXPR_CONST)
		return (int64_t)expr->b->value < 0;
	if (expr->op != EXPR_REG)
		return is_not_passed(arch, expr->a) || is_not_passed(arch, expr->b);
	for (unsigned i = 0; i < arch->narguments; i++)
		if (expr->value == arch->arguments[i])
			return false;
	return expr->value != arch->stack_register;
}

/* Whether debug information describes a parameter at the entry as it is behind it. A program's
 * prologue is followed (flow/prologue.c); the kernel is C. */
static bool is_behind_prologue(const struct walk *walk, const struct variable *variable)
{
	const struct instance *instance = walk->instance;
	const struct loc *loc = &variable->loc;

	return walk->resolver->target->kind != TARGET_PROGRAM &&
	       variable->scope == SCOPE_PARAMETER && instance && !instance->inlined &&
	       walk->position.address == instance->entry &&
	       (loc->kind == LOC_MEMORY || loc->kind == LOC_VALUE) &&
	       is_not_passed(walk->resolver->arch, loc->expr);
}

const struct variable *variable_at(const struct walk *walk, struct position at)
{
	bool is_local = walk->variable && !walk->variable->is_outside;
	const struct variable *variable = NULL;
	struct variable *any;

	if (is_local)
		variable = local_at(walk->resolver, walk->instance, at, walk->want->base);
	else if (!resolve_variable(walk->resolver, walk->instance, at, walk->want->base, &any))
		variable = any;
	if (!variable || variable->loc.kind == LOC_ABSENT ||
	    variable->loc.kind == LOC_REFUSED ||
	    (walk->variable && variable->source != walk->variable->source))
		return NULL;
	return variable;
}

struct error *walk_enter(struct walk *walk, struct variable *variable)
{
	struct resolver *resolver = walk->resolver;
	const struct want *want = walk->want;
	struct loc *loc = &variable->loc;
	const char *reason;
	struct error *error;

	if (loc->kind == LOC_ABSENT || loc->kind == LOC_REFUSED)
		return missing_value(resolver, walk->instance, walk->spec, want, loc->reason);
	if (is_lost_slot(walk, variable))
		return missing_value(resolver, walk->instance, walk->spec, want,
				     "debug information has an address of the stack for it");
	if (is_behind_prologue(walk, variable))
		return missing_value(resolver, walk->instance, walk->spec, want,
				     "debug information has it where the function's first "
				     "instructions store it");
	reason = resolve_statics(resolver, walk->probed, loc);
	if (reason)
		return walk_error(walk, want->base_span, ERROR_INEXPRESSIBLE,
			     arena_printf(resolver->arena, "'%s' is unavailable: %s", want->base,
					  reason));
	walk->at = (struct object){
		.type = variable->type,
		.in_memory = loc->kind == LOC_MEMORY,
		.expr = loc->expr,
		.pieces = loc->pieces,
		.npieces = loc->npieces,
		.pointee = loc->target,
		.pointee_offset = loc->offset,
	};
	if (pieces_overrun(&walk->at))
		return missing_value(resolver, walk->instance, walk->spec, want,
				     "debug information contradicts itself: its parts are more "
				     "than it has bytes");
	error = walk_settle(walk, want->base_span);
	return error ? error : walk_refer(walk);
}

struct error *walk_enter_pointee(struct walk *walk)
{
	struct debuginfo *info = walk->resolver->info;
	int64_t offset = walk->at.pointee_offset;
	const struct type *pointed = walk->at.type->target;
	struct variable *variable;
	struct error *error;

	if (walk->depth++ > 8)
		return walk_error(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			     "implicit pointers that form a loop");
	error = debuginfo_object(info, walk->instance, walk->position, walk->at.pointee, pointed,
				 &variable);
	if (!error && !variable)
		error = walk_error(walk, walk->want->base_span, ERROR_NO_VALUE,
			      "what it points to was optimised out");
	if (!error)
		error = walk_enter(walk, variable);
	if (error || !offset)
		return error;
	if (walk->at.npieces)
		walk->at.piece_offset += (uint64_t)offset;
	else if (walk->at.in_memory)
		walk->at.expr = expr_offset(walk->resolver->arena, walk->at.expr, offset);
	else
		return walk_error(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			     "it points into the middle of a value");
	return NULL;
}

/* A pointer to elements of an array that has no address: its first one. */
static struct error *follow_implicit(struct walk *walk)
{
	const struct type *pointed = walk->at.type->target;
	struct error *error = walk_enter_pointee(walk);

	if (error || walk->at.type->kind != TYPE_ARRAY || pointed->kind == TYPE_ARRAY)
		return error;
	walk->at.type = walk->at.type->target;
	return walk_settle(walk, walk->want->base_span);
}

struct error *walk_follow(struct walk *walk)
{
	struct object *at = &walk->at;
	struct error *error;

	if (at->pointee)
		return follow_implicit(walk);
	at->expr = object_value(walk->resolver->arena, at);
	at->in_memory = true;
	at->bit_size = at->bit_offset = 0;
	at->type = at->type->target;
	at->is_user = is_user_marked(walk);
	if (!type_is_struct(at->type) || at->type->size)
		return NULL;
	error = debuginfo_definition(walk->resolver->info, at->type, &at->type);
	return error ? error_at(error, walk->spec->text, expression_span(walk->want)) : NULL;
}

bool is_sum(const struct variable *variable, bool or_entry, uint64_t *reg, uint64_t *number)
{
	const struct expr *expr;

	if (variable->loc.kind != LOC_VALUE)
		return false;
	expr = without_cut(variable->loc.expr);
	*number = 0;
	if (expr->op == EXPR_ADD && expr->b->op == EXPR_CONST) {
		*number = expr->b->value;
		expr = without_cut(expr->a);
	}
	if (or_entry && expr->op == EXPR_ENTRY)
		expr = expr->a;
	*reg = expr->value;
	return expr->op == EXPR_REG;
}
