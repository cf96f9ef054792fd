// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the steps of an expression, `->next[2].name`, as C means them. The surprise: a step that
 * C refuses is an error that names the right one, since debug information knows the type.
 */
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "resolve/values/walk.h"

static bool is_scalar(const struct type *type)
{
	return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_CHAR ||
	       type->kind == TYPE_ENUM || type->kind == TYPE_POINTER;
}

static struct error *step_member(struct walk *walk, const struct step *step)
{
	struct resolver *resolver = walk->resolver;
	struct arena *arena = resolver->arena;
	struct member *member;
	struct error *error;

	error = debuginfo_member(resolver->info, walk->at.type, step->name, &member);
	if (error)
		return error;
	if (!member)
		return no_member(resolver, walk->at.type, step->name, walk->spec->text, step->span);
	if (member->bit_size && member->bit_offset + member->bit_size > 64)
		return walk_error(walk, step->span, ERROR_INEXPRESSIBLE,
				  "a bit-field that lies in nine bytes");
	walk->at.type = member->type;
	walk->at.bit_size = member->bit_size;
	if (walk->at.npieces) {
		walk->at.piece_offset += member->offset;
		walk->at.bit_offset = member->bit_offset;
		return walk_settle(walk, step->span);
	}
	if (walk->at.in_memory) {
		walk->at.expr = expr_offset(arena, walk->at.expr, (int64_t)member->offset);
		walk->at.bit_offset = member->bit_offset;
		return NULL;
	}
	if (member->offset + (member->bit_size ? (member->bit_offset + member->bit_size + 7) / 8 :
			      member->type->size) > 8)
		return walk_error(walk, step->span, ERROR_INEXPRESSIBLE,
			     "the struct lies in registers, and this member in a further one");
	walk->at.expr = expr_binary(arena, EXPR_SHR, walk->at.expr,
				    expr_const(arena, member->offset * 8));
	walk->at.bit_offset = member->bit_offset;
	return NULL;
}

static bool has_member(const struct walk *walk, const struct type *type, const char *name)
{
	struct member *members;
	unsigned count;

	if (debuginfo_members(walk->resolver->info, type, &members, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(members[i].name, name))
			return true;
	return false;
}

/* step: as it must be written here. */
static struct error *hint_step(const struct walk *walk, const struct type *type, const char *step,
			       const char *name, struct error *error)
{
	struct resolver *resolver = walk->resolver;

	return has_member(walk, type, name) ?
	       error_hint(resolver->arena, error, "write %s%s%s", walk->path, step, name) :
	       hint_members(resolver, type, walk->path, step, error);
}

static struct error *step_arrow(struct walk *walk, const struct step *step)
{
	const struct type *type = walk->at.type;
	struct error *error;

	if (type->kind == TYPE_POINTER && type_is_struct(type->target)) {
		error = walk_follow(walk);
		return error ? error : step_member(walk, step);
	}
	error = walk_error(walk, step->span, ERROR_NOT_FOUND,
			   arena_printf(walk->resolver->arena,
					"'%s' is %s'%s', not a pointer to a struct", walk->path,
					type_is_struct(type) ? "a struct, " : "", type->name));
	return type_is_struct(type) ? hint_step(walk, type, ".", step->name, error) : error;
}

static struct error *step_dot(struct walk *walk, const struct step *step)
{
	const struct type *type = walk->at.type;
	struct error *error;

	if (type_is_struct(type))
		return step_member(walk, step);
	error = walk_error(walk, step->span, ERROR_NOT_FOUND,
		      arena_printf(walk->resolver->arena, "'%s' is of type '%s', not a struct",
				   walk->path, type->name));
	return type->kind == TYPE_POINTER && type_is_struct(type->target) ?
	       hint_step(walk, type->target, "->", step->name, error) : error;
}

static struct error *too_far(struct walk *walk, const struct step *step)
{
	return walk_error(walk, step->span, ERROR_LIMIT,
			  arena_printf(walk->resolver->arena,
				       "no object is so long: an element of '%s' has %llu bytes",
				       walk->path, (unsigned long long)walk->at.type->size));
}

static bool has_index(const struct type *array, int64_t index)
{
	return index >= array->first &&
	       (!array->count || (uint64_t)index - (uint64_t)array->first < array->count);
}

static struct error *no_index(struct walk *walk, const struct step *step, const struct type *array)
{
	struct arena *arena = walk->resolver->arena;
	long long first = array->first, last = (long long)((uint64_t)first + array->count - 1);
	bool is_below = step->index < first && first;

	return walk_error(walk, step->span, ERROR_NOT_FOUND,
			  arena_printf(arena, "'%s' is '%s': its %s index is %lld", walk->path,
				       array->name, is_below || !array->count ? "first" : "last",
				       is_below || !array->count ? first : last));
}

static struct error *unknown_size(struct walk *walk, const struct step *step,
				  const struct type *type)
{
	return walk_error(walk, step->span, ERROR_NOT_FOUND,
			  arena_printf(walk->resolver->arena,
				       "the size of what '%s' points to ('%s') is unknown",
				       walk->path, type->name));
}

static struct error *step_index(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *type = walk->at.type;
	int64_t offset, index = step->index;

	if (type->kind != TYPE_ARRAY && type->kind != TYPE_POINTER)
		return walk_error(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' is of type '%s', not an array", walk->path,
					  type->name));
	if (type->kind == TYPE_POINTER) {
		struct error *error = type_is_struct(type->target) || type->target->size ?
					      walk_follow(walk) : NULL;

		if (error)
			return error;
		if (!walk->at.type->size || walk->at.type == type)
			return unknown_size(walk, step, type->target);
		if (!walk->at.in_memory && step->index)
			return walk_error(walk, step->span, ERROR_INEXPRESSIBLE,
				     "what it points to is not in memory here");
		if (!walk->at.in_memory)
			return NULL;
	} else {
		if (!type->target->size)
			return unknown_size(walk, step, type->target);
		if (!has_index(type, index))
			return no_index(walk, step, type);
		if (!walk->at.in_memory)
			return walk_error(walk, step->span, ERROR_INEXPRESSIBLE,
				     "this array is not in memory here");
		walk->at.type = type->target;
		if (__builtin_sub_overflow(index, type->first, &index))
			return too_far(walk, step);
	}
	if (__builtin_mul_overflow(index, (int64_t)(type->kind == TYPE_ARRAY ? type_stride(type) :
						     walk->at.type->size), &offset))
		return too_far(walk, step);
	walk->at.expr = expr_offset(arena, walk->at.expr, offset);
	return NULL;
}

/* [FIRST..LAST]: an array of those elements. */
static struct error *step_slice(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *whole = walk->at.type;
	struct type *type = arena_new(arena, struct type);
	struct error *error = step_index(walk, step);

	if (error)
		return error;
	if (whole->kind == TYPE_ARRAY && !has_index(whole, step->last))
		return no_index(walk, step, whole);
	type->kind = TYPE_ARRAY;
	type->target = walk->at.type;
	type->count = (uint64_t)step->last - (uint64_t)step->index + 1;
	type->stride = whole->kind == TYPE_ARRAY ? whole->stride : 0;
	if (__builtin_mul_overflow(type->count - 1, type_stride(type), &type->size) ||
	    __builtin_add_overflow(type->size, type->target->size, &type->size) ||
	    type->size > INT64_MAX)
		return too_far(walk, step);
	type->name = arena_printf(arena, "%s[%llu]", type->target->name,
				  (unsigned long long)type->count);
	walk->at.type = type;
	return NULL;
}

static struct error *step_deref(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *type = walk->at.type;

	if (type->kind == TYPE_ARRAY)
		return step_index(walk, &(struct step){.kind = STEP_INDEX, .span = step->span,
						       .index = type->first});
	if (type->kind != TYPE_POINTER) {
		struct error *error = walk_error(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' is of type '%s', not a pointer", walk->path,
					  type->name));

		return walk->is_referent ? error_hint(arena, error,
						      "it is what the reference refers "
						      "to: write %s",
						      walk->path) :
					   error;
	}
	if (type->target->kind == TYPE_VOID || type->target->kind == TYPE_FUNCTION)
		return error_hint(arena, walk_error(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' points to no object: it is '%s'", walk->path,
					  type->name)),
						"say what it points to: *(u64 *)%s", walk->path);
	return walk_follow(walk);
}

static struct error *step_address(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;

	if (walk->at.bit_size)
		return walk_error(walk, step->span, ERROR_INEXPRESSIBLE,
				  "a bit-field has no address");
	if (!walk->at.in_memory)
		return walk_error(walk, step->span, ERROR_INEXPRESSIBLE,
			     arena_printf(arena, "'%s' has no address here: it is not in memory",
					  walk->path));
	walk->at = (struct object){
		.type = pointer_to(arena, walk->at.type),
		.expr = walk->at.expr,
	};
	return NULL;
}

/* How a pointer changes where it is cast to a base class, or from one, as in C++. */
static struct error *base_distance(struct walk *walk, const struct type *from,
				   const struct type *to, int64_t *ret)
{
	struct debuginfo *info = walk->resolver->info;
	struct error *error;
	uint64_t offset;
	bool is_base;

	*ret = 0;
	if (walk->resolver != walk->home || from->kind != TYPE_POINTER ||
	    to->kind != TYPE_POINTER || !type_is_struct(from->target) ||
	    !type_is_struct(to->target))
		return NULL;
	error = debuginfo_base(info, from->target, to->target, &is_base, &offset);
	if (error || is_base) {
		*ret = error ? 0 : (int64_t)offset;
		return error;
	}
	error = debuginfo_base(info, to->target, from->target, &is_base, &offset);
	if (!error && is_base)
		*ret = -(int64_t)offset;
	return error;
}

/* A null pointer remains one, unless what it points to is asked for, which is nowhere in either
 * case. */
static const struct expr *moved_pointer(struct arena *arena, const struct expr *pointer, int64_t by,
					bool is_last)
{
	if (!is_last)
		return expr_offset(arena, pointer, by);
	return expr_binary(arena, EXPR_ADD, pointer,
			   expr_binary(arena, EXPR_MUL,
				       expr_binary(arena, EXPR_NE, pointer, expr_const(arena, 0)),
				       expr_const(arena, (uint64_t)by)));
}

/* The value with another type; an array's value is its address, as in C. */
static struct error *step_cast(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *from = walk->at.type, *type;
	bool is_address = from->kind == TYPE_ARRAY && !from->is_complex && walk->at.in_memory;
	const struct expr *value;
	struct error *error;
	int64_t distance;

	if (walk->at.pointee)
		return walk_error(
			walk, step->span, ERROR_NO_VALUE,
			arena_printf(arena, "'%s' is nowhere; only what it points to has a value",
				     walk->path));
	/* a module's function is not in the kernel's debug information */
	error = resolve_type(&walk->resolver, walk->resolver == walk->home ? walk->instance : NULL,
			     step->name, &type);
	if (error)
		return error_at(error, walk->spec->text, step->span);
	if (!is_scalar(type) || type->size > 8)
		return error_hint(arena, walk_error(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "a value can't be cast to '%s'", type->name)),
				  "cast its address: *(%s *)&%s", type->name, walk->path);
	if (!is_address && (!is_scalar(from) || !from->size || from->size > 8))
		return error_hint(
			arena,
			walk_error(walk, step->span, ERROR_NOT_FOUND,
				   arena_printf(arena, "'%s' is of type '%s', which can't be cast",
						walk->path, from->name)),
			"cast its address: *(%s *)&%s", type->name, walk->path);
	value = is_address ? walk->at.expr : object_value(arena, &walk->at);
	error = base_distance(walk, from, type, &distance);
	if (error)
		return error_at(error, walk->spec->text, step->span);
	if (distance)
		value = moved_pointer(arena, value, distance,
				      step == &walk->want->steps[walk->want->nsteps - 1]);
	if (type->kind == TYPE_BOOL)
		value = expr_binary(arena, EXPR_NE, value, expr_const(arena, 0));
	walk->at = (struct object){.type = type, .expr = value};
	return NULL;
}

/* The expression so far, bracketed if needed so that an operator can follow it. */
const char *operand_path(const struct walk *walk)
{
	if (!strchr("*&(", *walk->path) ||
	    !step_is_prefix(walk->want->steps[walk->want->nsteps - 1].kind))
		return walk->path;
	return arena_printf(walk->resolver->arena, "(%s)", walk->path);
}

/* The expression so far, as C writes it. */
static char *step_path(const struct walk *walk, unsigned index)
{
	struct arena *arena = walk->resolver->arena;
	const struct step *step = &walk->want->steps[index];
	bool in_brackets = index && step_is_prefix(walk->want->steps[index - 1].kind);

	if (step->kind == STEP_CAST)
		return arena_printf(arena, "(%s)%s", step->name, walk->path);
	if (step_is_prefix(step->kind))
		return arena_printf(arena, "%c%s", step->kind == STEP_DEREF ? '*' : '&',
				    walk->path);
	return arena_printf(arena, "%s%s%s%.*s", in_brackets ? "(" : "", walk->path,
			    in_brackets ? ")" : "", (int)(step->span.end - step->span.start),
			    walk->spec->text + step->span.start);
}

static struct error *walk_step(struct walk *walk, const struct step *step)
{
	switch (step->kind) {
	case STEP_ARROW:
		return step_arrow(walk, step);
	case STEP_DOT:
		return step_dot(walk, step);
	case STEP_INDEX:
		return step_index(walk, step);
	case STEP_SLICE:
		return step_slice(walk, step);
	case STEP_DEREF:
		return step_deref(walk, step);
	case STEP_ADDRESS:
		return step_address(walk, step);
	case STEP_CAST:
		return step_cast(walk, step);
	}
	return NULL;
}

struct error *walk_steps(struct walk *walk)
{
	for (unsigned i = 0; i < walk->want->nsteps; i++) {
		struct error *error = walk_step(walk, &walk->want->steps[i]);

		walk->is_referent = false;
		if (!error)
			error = walk_refer(walk);
		if (error)
			return error;
		walk->path = step_path(walk, i);
	}
	return NULL;
}

/* The text from the first to the last byte of the variable and its steps. */
struct span expression_span(const struct want *want)
{
	struct span span = want->base_span;

	for (unsigned i = 0; i < want->nsteps; i++) {
		const struct span *step = &want->steps[i].span;

		span.start = step->start < span.start ? step->start : span.start;
		span.end = step->end > span.end ? step->end : span.end;
	}
	return span;
}
