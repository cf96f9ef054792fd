// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the object that a walk has reached into a capture as the `:TYPE` of its argument asks: a
 * number of that width, bits, an array, a string, an address.
 */
#include <stdio.h>
#include <stdlib.h>

#include "resolve/values/walk.h"
#include "target/target.h"

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

struct error *capture_as_asked(struct walk *walk, struct capture *ret)
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
