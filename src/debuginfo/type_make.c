// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes types that are wrapped around others, whatever source they come from, so that one type has
 * one name.
 *
 * The surprise: int a[2][3] is an array of arrays, and all of them are named together, since the
 * dimensions of the inner ones come last.
 */
#include "debuginfo/type_make.h"

#include <string.h>

const struct type *type_void(struct arena *arena)
{
	struct type *type = arena_new(arena, struct type);

	type->kind = TYPE_VOID;
	type->name = "void";
	return type;
}

const struct type *type_renamed(struct arena *arena, const struct type *type, const char *name)
{
	struct type *copy = arena_new(arena, struct type);

	*copy = *type;
	copy->name = name;
	return copy;
}

const struct type *type_const(struct arena *arena, const struct type *type)
{
	if (type->kind == TYPE_POINTER)
		return type_renamed(arena, type, arena_printf(arena, "%s const", type->name));
	if (!strncmp(type->name, "const ", 6))
		return type; /* a const array of const elements */
	return type_renamed(arena, type, arena_printf(arena, "const %s", type->name));
}

struct type *type_array(struct arena *arena, const struct type *element, uint64_t count,
			uint64_t source)
{
	struct type *type = arena_new(arena, struct type);

	type->kind = TYPE_ARRAY;
	type->target = element;
	if (!__builtin_mul_overflow(count, element->size, &type->size) &&
	    type->size <= SIZE_MAX_BYTES && count <= SIZE_MAX_BYTES)
		type->count = count;
	else
		type->size = 0;
	type->source = source;
	return type;
}

static const char *dimension(struct arena *arena, const struct type *type)
{
	if (type->first && type->count)
		return arena_printf(arena, "[%lld..%lld]", (long long)type->first,
				    (long long)((uint64_t)type->first + type->count - 1));
	if (type->first)
		return arena_printf(arena, "[%lld..]", (long long)type->first);
	return type->count ? arena_printf(arena, "[%llu]", (unsigned long long)type->count) : "[]";
}

/* "int" and [2][3]: the dimensions of nested arrays, in the order they are written. */
void type_name_array(struct arena *arena, struct type *type)
{
	const struct type *at = type;
	const char *dimensions = "";

	for (; at->kind == TYPE_ARRAY && (at == type || !at->name); at = at->target)
		dimensions = arena_printf(arena, "%s%s", dimensions, dimension(arena, at));
	type->name = arena_printf(arena, "%s%s", at->name, dimensions);
	if (type->target->kind == TYPE_ARRAY && !type->target->name)
		type_name_array(arena, (struct type *)type->target);
}

const char *type_prefixed(struct arena *arena, const char *prefix, const char *name)
{
	return arena_printf(arena, "%s%s", prefix, name ?: "{...}");
}

const char *type_pointer_name(struct arena *arena, const struct type *target, const char *mark)
{
	size_t length = strlen(target->name);

	return arena_printf(arena, "%s%s%s", target->name,
			    length && target->name[length - 1] == '*' ? "" : " ", mark);
}
