// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the object that a walk has reached into a capture: what is recorded of it, and how it is
 * shown, by its type or by the `:TYPE` that the user gave.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ktrace/caps.h"
#include "resolve/values/walk.h"
#include "target/target.h"

#define OBJECT_MAX (KERNEL_RECORD_MAX - 4) /* the task's name is recorded with it */

/* u32, s8, x64. Returns false if it is no such type. */
static bool sized_type(const char *text, char *letter, unsigned *bits)
{
	char *end;

	if (!text || !strchr("usx", text[0]) || !text[1])
		return false;
	*letter = text[0];
	*bits = (unsigned)strtoul(text + 1, &end, 10);
	return !*end && (*bits == 8 || *bits == 16 || *bits == 32 || *bits == 64);
}

static enum render letter_render(char letter)
{
	return letter == 'u' ? RENDER_UNSIGNED : letter == 's' ? RENDER_SIGNED : RENDER_HEX;
}

/* Whether it is one number that a register can hold. */
static bool is_number(const struct walk *walk)
{
	return is_number_type(walk->resolver, walk->at.type) && walk->at.type->size <= 8;
}

static bool is_char_like(const struct type *type)
{
	return type->size == 1 && (type->kind == TYPE_CHAR || type->kind == TYPE_INT);
}

static bool is_text_array(const struct type *type)
{
	return type->kind == TYPE_ARRAY && type->target->kind == TYPE_CHAR &&
	       type->target->size == 1 && !type->stride && type->count;
}

static struct error *capture_object(struct walk *walk, const char *as, struct capture *ret);

static void capture_value(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;

	ret->kind = CAPTURE_VALUE;
	ret->expr = object_value(walk->resolver->arena, &walk->at);
	ret->size = (uint8_t)type->size;
	ret->is_signed = type->is_signed;
	ret->render = type_render(type);
}

/* The address of a string: what a pointer holds, or where an array lies. */
static struct error *capture_string(struct walk *walk, struct span span, bool is_user,
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

static struct error *capture_array(struct walk *walk, const struct type *element, uint64_t count,
				   enum render render, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	struct span span = walk->want->type ? walk->want->type_span : walk->want->base_span;

	if (!walk->at.in_memory)
		return walk_error(walk, span, ERROR_INEXPRESSIBLE,
				  "this array is not in memory here");
	if (count < 1 || count > 64)
		return error_hint(arena, walk_error(walk, span, ERROR_LIMIT,
				  arena_printf(arena, "'%s' has %llu elements; the kernel records "
					       "1 to 64", walk->path, (unsigned long long)count)),
				  "name one: %s[0], or the first few: %s:u%llu[16]", walk->path,
				  walk->path, (unsigned long long)element->size * 8);
	ret->kind = CAPTURE_ARRAY;
	ret->render = render;
	ret->expr = walk->at.expr;
	ret->size = (uint8_t)element->size;
	ret->is_signed = render == RENDER_SIGNED;
	ret->is_user = walk->at.is_user;
	ret->count = (uint32_t)count;
	return NULL;
}

/* x8[16]: that many elements at the array or struct, or where the pointer points. */
static struct error *capture_typed_array(struct walk *walk, const char *type,
					 const char *bracket, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	struct type element = {.kind = TYPE_INT};
	unsigned bits;
	char letter;

	if (!sized_type(arena_strndup(arena, type, (size_t)(bracket - type)), &letter, &bits))
		return walk_error(walk, walk->want->type_span, ERROR_NOT_FOUND,
			     "only arrays of numbers are recorded as arrays");
	element.size = bits / 8;
	if (walk->at.type->kind == TYPE_POINTER) {
		struct error *error = walk_follow(walk);

		if (error)
			return error;
	}
	return capture_array(walk, &element, strtoul(bracket + 1, NULL, 10), letter_render(letter),
			     ret);
}

static struct error *need_scalar(struct walk *walk)
{
	const struct type *type = walk->at.type;
	struct arena *arena = walk->resolver->arena;
	char letter = *walk->want->type;
	struct error *error;

	if (is_number(walk))
		return NULL;
	error = walk_error(walk, expression_span(walk->want), ERROR_INEXPRESSIBLE,
		     arena_printf(arena, "'%s' is of type '%s', which can't be shown as a number",
				  walk->path, type->name));
	if ((type_is_struct(type) || type->kind == TYPE_ARRAY) && strchr("usx", letter))
		return error_hint(arena, error, "write :%c, for each number in it", letter);
	return error;
}

/* b4@2/32: bits of the value. The container's width adds nothing to what the value's type says. */
static struct error *capture_bits(struct walk *walk, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	unsigned width, offset, container;
	struct error *error = need_scalar(walk);

	if (error)
		return error;
	if (sscanf(walk->want->type, "b%u@%u/%u", &width, &offset, &container) != 3 || !width ||
	    width + offset > 64)
		return walk_error(walk, walk->want->type_span, ERROR_NOT_FOUND,
				  "no such bit-field");
	capture_value(walk, ret);
	ret->expr = expr_extend(arena, expr_binary(arena, EXPR_SHR, ret->expr,
						   expr_const(arena, offset)), width, false);
	ret->render = RENDER_UNSIGNED;
	ret->is_signed = false;
	return NULL;
}

static struct error *capture_number(struct walk *walk, struct capture *ret)
{
	const char *type = walk->want->type;
	struct error *error = need_scalar(walk);
	unsigned bits;
	char letter;

	if (error)
		return error;
	capture_value(walk, ret);
	if (render_named(type, &ret->render) &&
	    (ret->render == RENDER_SYMBOL || ret->render == RENDER_ERRNO ||
	     ret->render == RENDER_DEV || ret->render == RENDER_SYSCALL ||
	     ret->render == RENDER_TIME))
		return NULL;
	if (!strcmp(type, "c") || !strcmp(type, "char")) {
		ret->expr = expr_extend(walk->resolver->arena, ret->expr, 8, true);
		ret->size = 1;
		ret->is_signed = true;
		ret->render = RENDER_CHAR;
		return NULL;
	}
	if (!type[1] && strchr("usx", type[0])) {
		letter = type[0];
		bits = ret->size * 8u;
	} else if (!sized_type(type, &letter, &bits)) {
		return walk_error(walk, walk->want->type_span, ERROR_NOT_FOUND, "no such type");
	}
	ret->expr = expr_extend(walk->resolver->arena, ret->expr, bits, letter == 's');
	ret->size = (uint8_t)(bits / 8);
	ret->is_signed = letter == 's';
	ret->render = letter_render(letter);
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
		       type_is_struct(type) ?
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
	reason = pieces_parts(arena, &whole, ret->shape->size, &ret->parts, &ret->nparts);
	return reason ? walk_error(walk, expression_span(walk->want), ERROR_INEXPRESSIBLE, reason) :
			NULL;
}

/* A struct, array or wide number by its bytes. as: see make_shape(). */
static struct error *capture_object(struct walk *walk, const char *as, struct capture *ret)
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

/* How many bytes an address of that type has, and how it is written; 0: the type is no address. */
static unsigned address_bytes(const struct type *type, bool is_mac, enum render *render)
{
	bool is_bytes = type->kind == TYPE_VOID || is_char_like(type);

	*render = is_mac ? RENDER_MAC : type->size == 16 ? RENDER_IP6 : RENDER_IP4;
	if (is_mac)
		return type->size == 6 || is_bytes ? 6 : 0;
	if (type_is_struct(type) && type->name && strstr(type->name, "sockaddr")) {
		*render = RENDER_SOCKADDR;
		return type->size >= 16 && type->size <= UINT8_MAX ? (unsigned)type->size : 0;
	}
	return type->kind != TYPE_POINTER && type->kind != TYPE_FLOAT &&
			       (type->size == 4 || type->size == 16) ?
		       (unsigned)type->size :
		       0;
}

/* Bytes in network order, also of a number; for a pointer, what it points to. */
static struct error *capture_address(struct walk *walk, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	bool is_mac = *walk->want->type == 'm';
	const char *type = walk->at.type->name;
	struct error *error = walk->at.type->kind == TYPE_POINTER ? walk_follow(walk) : NULL;
	struct shape *shape = arena_new(arena, struct shape);

	if (error)
		return error;
	shape->kind = SHAPE_FORMATTED;
	shape->size = address_bytes(walk->at.type, is_mac, &shape->render);
	if (!shape->size)
		return error_hint(
			arena,
			walk_error(walk, walk->want->type_span, ERROR_INEXPRESSIBLE,
				   arena_printf(arena, "'%s' is of type '%s', not such an address",
						walk->path, type)),
			is_mac ? "a hardware address has 6 bytes" :
				 "an IP address has 4 bytes, or 16");
	if (!walk->at.in_memory && shape->size > 8)
		return walk_error(walk, walk->want->type_span, ERROR_INEXPRESSIBLE,
				  "it is not in memory here");
	shape->name = walk->at.type->name;
	ret->kind = walk->at.in_memory ? CAPTURE_OBJECT : CAPTURE_VALUE;
	ret->expr = walk->at.in_memory ? walk->at.expr : object_value(arena, &walk->at);
	ret->is_user = walk->at.is_user;
	ret->shape = shape;
	ret->size = walk->at.in_memory ? 8 : (uint8_t)shape->size;
	ret->render = RENDER_HEX;
	return NULL;
}

static struct error *shape_as_asked(struct walk *walk, struct capture *ret)
{
	const char *type = walk->want->type;
	const char *bracket = strchr(type, '[');
	enum render render;

	if (!strcmp(type, "string") || !strcmp(type, "ustring"))
		return capture_string(walk, walk->want->type_span, type[0] == 'u', ret);
	if (!strcmp(type, "ip") || !strcmp(type, "mac"))
		return capture_address(walk, ret);
	if (bracket)
		return capture_typed_array(walk, type, bracket, ret);
	if (type[0] == 'b')
		return capture_bits(walk, ret);
	if (!is_number(walk) && render_named(type, &render))
		return capture_object(walk, type, ret);
	return capture_number(walk, ret);
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

/* A whole object in several places: one of up to 8 bytes becomes a number, a larger one is
 * gathered. */
static struct error *gather_pieces(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;
	struct resolver *resolver = walk->resolver;
	const char *reason = pieces_settle(resolver->arena, &walk->at, type->size, true);
	struct error *error;

	if (!reason && !walk->at.npieces)
		return NULL;
	if (!reason && (!type->size || type->size > OBJECT_MAX ||
			(walk->want->type && !is_text_asked(walk))))
		reason = "it lies in several registers or places";
	if (!reason)
		reason = pieces_parts(resolver->arena, &walk->at, type->size, &ret->parts,
				      &ret->nparts);
	if (reason) {
		error = walk_error(walk, expression_span(walk->want), ERROR_INEXPRESSIBLE,
			      arena_printf(resolver->arena,
					   "'%s', a '%s', is not available as a whole: %s",
					   walk->path, type->name, reason));
		return type_is_struct(type) ?
			       hint_members(resolver, type, operand_path(walk), ".", error) :
			       error;
	}
	error = make_shape(resolver, type, NULL, &ret->shape);
	ret->kind = CAPTURE_PARTS;
	return error;
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
	return walk->want->type ? shape_as_asked(walk, ret) : shape_by_type(walk, ret);
}
