// SPDX-License-Identifier: GPL-2.0-only
/* Shows an event's field by the `:TYPE` that the user gave, or says why that can't be. */
#include <stdio.h>

#include "plan/internal.h"

/* The cast of the address of a number, or of an array whose bytes lie in the record. */
static const char *cast_address(struct arena *arena, const struct tracepoint_field *field,
				const char *type, struct value *value)
{
	struct shape *shape = arena_new(arena, struct shape);
	unsigned size = field->is_dynamic ? 0 : field->size;

	shape->kind = SHAPE_FORMATTED;
	shape->size = size;
	shape->render = *type == 'm' ? RENDER_MAC : size == 4 ? RENDER_IP4 : RENDER_IP6;
	if (value->render == RENDER_STRING || (*type == 'm' ? size != 6 : size != 4 && size != 16))
		return *type == 'm' ? "has not the 6 bytes of a hardware address" :
				      "has not the 4 or 16 bytes of an IP address";
	value->shape = shape;
	value->count = 0;
	value->render = RENDER_HEX;
	return NULL;
}

static bool named_render(const char *type, enum render *ret)
{
	static const struct {
		const char *name;
		enum render render;
	} names[] = {{"sym", RENDER_SYMBOL}, {"symbol", RENDER_SYMBOL}, {"dev", RENDER_DEV},
		     {"syscall", RENDER_SYSCALL}, {"time", RENDER_TIME}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i].name, type) != 0)
			continue;
		*ret = names[i].render;
		return true;
	}
	return false;
}

const char *cast_field(struct arena *arena, const struct tracepoint_field *field, const char *type,
		       struct value *value)
{
	bool is_number = !value->count && value->render != RENDER_STRING &&
			 (!value->shape || value->shape->kind == SHAPE_NUMBER);
	unsigned bits = 0;
	bool is_signed;

	if (!strcmp(type, "ip") || !strcmp(type, "mac"))
		return cast_address(arena, field, type, value);
	if (!strcmp(type, "string") && value->render == RENDER_STRING)
		return NULL;
	if (!is_number)
		return "isn't a number that can be shown so";
	if (type[0] != '\0' && strchr("usx", type[0]) &&
	    (!type[1] || sscanf(type + 1, "%u", &bits) == 1)) {
		is_signed = type[0] == 's';
		if (bits > value->size * 8u)
			return "has fewer bits than that";
		value->render = type[0] == 'x' ? RENDER_HEX :
				is_signed      ? RENDER_SIGNED :
						 RENDER_UNSIGNED;
		bits = bits ? bits / 8 : value->size;
	} else if (!strcmp(type, "errno")) {
		is_signed = true;
		value->render = RENDER_ERRNO;
		bits = value->size;
	} else if (named_render(type, &value->render)) {
		is_signed = false;
		bits = value->size;
	} else {
		return "is an event's field, which has no such type";
	}
	value->is_narrowed |= bits < value->size || is_signed != value->is_signed;
	value->size = (uint8_t)bits;
	value->is_signed = is_signed;
	value->shape = NULL;
	value->type_name = arena_strdup(arena, type);
	return NULL;
}
