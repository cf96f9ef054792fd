// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks that a shape's parts lie within its bytes: sink/ reads by the shape alone. What a C++
 * reference refers to lies after the outermost object, so after the struct that has the reference,
 * too.
 */
#include "base/shape_check.h"

static bool is_within(uint64_t offset, uint64_t length, uint64_t size)
{
	return offset <= size && length <= size - offset;
}

/* The bytes that a formatted value has at least. */
static uint32_t formatted_size(enum render render)
{
	switch (render) {
	case RENDER_IP4: return 4;
	case RENDER_MAC: return 6;
	default: return 16;
	}
}

static bool is_sound(const struct shape *shape, uint64_t room);

static bool is_sound_member(const struct shape_member *member, uint64_t room)
{
	unsigned bits = member->bit_offset + member->bit_size;
	uint64_t bytes = member->bit_size ? (bits + 7) / 8 : member->shape->size;

	if (!is_within(member->offset, bytes, room) || member->bit_size > 64 ||
	    member->bit_offset > 63 || (member->bit_size && member->shape->kind != SHAPE_NUMBER))
		return false;
	return is_sound(member->shape,
			member->bit_size ? member->shape->size : room - member->offset);
}

static bool is_sound_array(const struct shape *shape)
{
	uint64_t stride = shape->stride ?: shape->element->size;

	return !shape->count || (shape->count - 1) * stride + shape->element->size <= shape->size;
}

static bool is_sound(const struct shape *shape, uint64_t room)
{
	uint32_t size = shape->size;

	if (size > room)
		return false;
	switch (shape->kind) {
	case SHAPE_NUMBER:
		return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
	case SHAPE_ARRAY:
		return is_sound_array(shape) && is_sound(shape->element, shape->element->size);
	case SHAPE_STRUCT:
		for (unsigned i = 0; i < shape->nmembers; i++)
			if (!is_sound_member(&shape->members[i], room))
				return false;
		return true;
	case SHAPE_FORMATTED:
		return size >= formatted_size(shape->render);
	case SHAPE_TEXT:
	case SHAPE_LOST:
		return true;
	}
	return false;
}

bool shape_is_sound(const struct shape *shape)
{
	return is_sound(shape, shape->size);
}
