// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the object that a walk has reached into a capture: what is recorded of it, and how it is
 * shown, by its own type. What a `:TYPE` makes of it is in capture_as.c.
 */
#include "ktrace/caps.h"
#include "resolve/values/walk.h"
#include "target/target.h"

#define OBJECT_MAX (KERNEL_RECORD_MAX - 4) /* the task's name is recorded with it */

bool is_number(const struct walk *walk)
{
	return is_number_type(walk->resolver, walk->at.type) && walk->at.type->size <= 8;
}

bool is_char_like(const struct type *type)
{
	return type->size == 1 && (type->kind == TYPE_CHAR || type->kind == TYPE_INT);
}

static bool is_text_array(const struct type *type)
{
	return type->kind == TYPE_ARRAY && type->target->kind == TYPE_CHAR &&
	       type->target->size == 1 && !type->stride && type->count;
}

void capture_value(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;

	ret->kind = CAPTURE_VALUE;
	ret->expr = object_value(walk->resolver->arena, &walk->at);
	ret->size = (uint8_t)type->size;
	ret->is_signed = type->is_signed;
	ret->render = type_render(type);
}

struct error *capture_string(struct walk *walk, struct span span, bool is_user,
			     struct capture *ret)
{
	const struct type *type = walk->at.type;
	bool is_text = type->target && !type->stride &&
		       (is_char_like(type->target) || type->target->kind == TYPE_VOID);

	if ((type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY) || !is_text)
		return walk_error(walk, span, ERROR_NOT_FOUND,
			     arena_printf(walk->resolver->arena,
					  "'%s' is of type '%s', not a string",
					  walk->path, type->name));
	if (type->kind == TYPE_ARRAY && !walk->at.in_memory) {
		if (is_text_array(type))
			return capture_object(walk, NULL, ret);
		return walk_error(walk, span, ERROR_INEXPRESSIBLE,
				  "this array is not in memory here");
	}
	if (type->kind == TYPE_ARRAY && type->first && !type->count) /* Ada's: no NUL ends it */
		return walk_error(walk, span, ERROR_INEXPRESSIBLE,
				  arena_printf(walk->resolver->arena,
					       "how many elements '%s', a '%s', has is not known",
					       walk->path, type->name));
	ret->kind = CAPTURE_STRING;
	ret->render = RENDER_STRING;
	ret->size = 1;
	is_user &= walk->resolver->target->kind != TARGET_PROGRAM;
	ret->is_user = is_user || is_user_marked(walk);
	ret->expr = type->kind == TYPE_ARRAY ? walk->at.expr :
		    object_value(walk->resolver->arena, &walk->at);
	ret->count = type->kind == TYPE_ARRAY ? (uint32_t)type->count : 0;
	ret->is_whole = walk->want->nsteps &&
			walk->want->steps[walk->want->nsteps - 1].kind == STEP_SLICE;
	if (type->kind == TYPE_ARRAY)
		ret->is_user = is_user || walk->at.is_user;
	return NULL;
}

/* The element of an array, and how many there are; an array with gaps counts as one element. */
static const struct shape *flat_element(const struct shape *shape, uint32_t *count)
{
	for (*count = 1; shape->kind == SHAPE_ARRAY && !shape->stride; shape = shape->element)
		*count *= shape->count;
	return shape;
}

/* Returns why its bytes can't be shown, or NULL. */
static struct error *check_object(struct walk *walk)
{
	const struct type *type = walk->at.type;
	struct arena *arena = walk->resolver->arena;
	struct span span = expression_span(walk->want);
	const char *message = NULL;

	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION && type->kind != TYPE_ARRAY &&
	    !is_number_type(walk->resolver, type))
		message = "'%s' is of type '%s', which ktrace can't show";
	else if (!type->size)
		message = type_is_struct(type) ?
				  "the inside of '%s', a '%s', is not described here" :
				  "how many elements '%s', a '%s', has is not known";
	else if (!walk->at.in_memory && type->size > 8)
		message = "'%s', a '%s', has more than the 8 bytes that are known of it";
	if (message) {
		struct error *error = walk_error(walk, span, ERROR_INEXPRESSIBLE,
					    arena_printf(arena, message, walk->path, type->name));

		if (type->size || !walk->at.in_memory)
			return error;
		return type->kind == TYPE_ARRAY ?
		       error_hint(arena, error, "name one: %s[0]", walk->path) :
		       type_is_struct(type) || type->kind == TYPE_OTHER ?
		       error_hint(arena, error, "its address is &%s", walk->path) : error;
	}
	if (type->size <= OBJECT_MAX)
		return NULL;
	return walk_error(
		walk, span, ERROR_LIMIT,
		arena_printf(arena, "'%s', a '%s', has %llu bytes; a record has room for %d",
			     walk->path, type->name, (unsigned long long)type->size, OBJECT_MAX));
}

/* Limits what is gathered: each eight bytes of such an object take an argument. */
enum { GATHERED_MAX = 256 };

/* The object, followed by what its references refer to. */
static struct error *gather_referents(struct walk *walk, const struct referents *referents,
				      struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	const struct object *at = &walk->at;
	struct piece *pieces = arena_array(arena, struct piece, referents->count + 1);
	struct object whole = {.pieces = pieces, .npieces = referents->count + 1};
	const char *reason;

	pieces[0] = (struct piece){(uint32_t)at->type->size, at->in_memory, at->expr};
	for (unsigned i = 0; i < referents->count; i++) {
		const struct referent *referent = &referents->list[i];
		const struct expr *address =
			!at->in_memory ?
				at->expr :
				expr_load(arena, expr_offset(arena, at->expr, referent->reference),
					  8, false, at->is_user);

		pieces[i + 1] = (struct piece){referent->size, true, address};
	}
	ret->kind = CAPTURE_PARTS;
	reason = pieces_parts(arena, &whole, ret->shape->size, NULL, &ret->parts, &ret->nparts);
	return reason ? walk_error(walk, expression_span(walk->want), ERROR_INEXPRESSIBLE, reason) :
			NULL;
}

struct error *capture_object(struct walk *walk, const char *as, struct capture *ret)
{
	const struct type *type = walk->at.type;
	const struct shape *element;
	struct error *error = check_object(walk);
	struct referents referents = {.count = 0};
	uint32_t count;

	if (error && type_is_struct(type) && type->size)
		return hint_members(walk->resolver, type, operand_path(walk), ".", error);
	if (error && type->kind == TYPE_ARRAY && type->size)
		return error_hint(walk->resolver->arena, error, "name one: %s[0]", walk->path);
	if (!error)
		error = make_whole_shape(walk->resolver, type, as, type->size <= GATHERED_MAX ?
					 &referents : NULL, &ret->shape);
	if (error && error->code == ERROR_INEXPRESSIBLE && type_is_struct(type))
		return hint_members(walk->resolver, type, operand_path(walk), ".", error);
	if (error)
		return error;
	if (referents.count)
		return gather_referents(walk, &referents, ret);
	element = flat_element(ret->shape, &count);
	ret->kind = !walk->at.in_memory ? CAPTURE_VALUE : type->kind == TYPE_ARRAY &&
		    element->kind == SHAPE_NUMBER && element->size <= 8 &&
		    count <= KERNEL_ARRAY_MAX ? CAPTURE_ARRAY : CAPTURE_OBJECT;
	ret->expr = walk->at.expr;
	ret->is_user = walk->at.is_user;
	ret->render = ret->kind == CAPTURE_ARRAY ? element->render : RENDER_HEX;
	ret->is_signed = ret->kind == CAPTURE_ARRAY && element->is_signed;
	ret->size = ret->kind == CAPTURE_ARRAY ? (uint8_t)element->size : 8;
	ret->count = ret->kind == CAPTURE_ARRAY ? count : 0;
	return NULL;
}

static struct error *shape_by_type(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;

	if (type->kind == TYPE_ARRAY && type->target->kind == TYPE_CHAR &&
	    type->target->size == 1 && !type->stride && walk->at.in_memory)
		return capture_string(walk, walk->want->base_span, false, ret);
	if (!is_number(walk))
		return capture_object(walk, NULL, ret);
	capture_value(walk, ret);
	return type->kind == TYPE_ENUM ? make_shape(walk->resolver, type, NULL, &ret->shape) : NULL;
}

static bool is_text_asked(const struct walk *walk)
{
	return walk->want->type && !strcmp(walk->want->type, "string") &&
	       is_text_array(walk->at.type);
}

/* A struct of which the compiler kept only some members is shown with these; the others are marked.
 * *reason: why it can't be, or NULL. */
static struct error *gather_parts(struct walk *walk, struct capture *ret, const char **reason)
{
	const struct type *type = walk->at.type;
	struct arena *arena = walk->resolver->arena;
	uint8_t *lost = type_is_struct(type) ? arena_array(arena, uint8_t, type->size) : NULL;
	struct error *error;

	*reason = pieces_parts(arena, &walk->at, type->size, lost, &ret->parts, &ret->nparts);
	error = *reason ? NULL : make_shape(walk->resolver, type, NULL, &ret->shape);
	if (error || *reason || !lost)
		return error;
	ret->shape = mark_lost(arena, ret->shape, lost);
	if (ret->shape->kind == SHAPE_LOST)
		*reason = "a part of it was optimised out";
	return NULL;
}

/* A whole object in several places: one of up to 8 bytes becomes a number, a larger one is
 * gathered. */
static struct error *gather_pieces(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;
	struct resolver *resolver = walk->resolver;
	const char *reason = pieces_settle(resolver->arena, &walk->at, type->size, true);
	struct error *error = NULL;

	if (!reason && !walk->at.npieces)
		return NULL;
	if (type_is_struct(type))
		reason = NULL; /* some of its members may be there */
	if (!reason && (!type->size || type->size > OBJECT_MAX ||
			(walk->want->type && !is_text_asked(walk))))
		reason = "it lies in several registers or places";
	if (!reason)
		error = gather_parts(walk, ret, &reason);
	if (error)
		return error;
	if (reason) {
		error = walk_error(walk, expression_span(walk->want), ERROR_INEXPRESSIBLE,
			      arena_printf(resolver->arena,
					   "'%s', a '%s', is not available as a whole: %s",
					   walk->path, type->name, reason));
		return type_is_struct(type) ?
			       hint_members(resolver, type, operand_path(walk), ".", error) :
			       error;
	}
	ret->kind = CAPTURE_PARTS;
	return NULL;
}

/* If the pointer asked for has no location, captures what it points to. */
struct error *capture_shape(struct walk *walk, struct capture *ret)
{
	struct error *error = NULL;

	if (walk->at.pointee) {
		error = walk_enter_pointee(walk);
		ret->is_pointee = !is_text_asked(walk);
	}
	if (!error && walk->at.npieces)
		error = gather_pieces(walk, ret);
	if (error)
		return error;
	if (ret->kind == CAPTURE_PARTS)
		return NULL;
	return walk->want->type ? capture_as_asked(walk, ret) : shape_by_type(walk, ret);
}
