// SPDX-License-Identifier: GPL-2.0-only
/*
 * Marks the members of an object that the compiler kept nowhere, so that the others can be shown.
 *
 * The surprise: bytes between members are often nowhere, too, and nobody misses them.
 */
#include <string.h>

#include "resolve/values/values.h"

struct marking {
	struct arena *arena;
	const uint8_t *lost; /* for each byte of the object, whether it is nowhere */
};

static bool is_lost(const struct marking *marking, uint64_t from, uint64_t size)
{
	return size && memchr(marking->lost + from, true, size);
}

static const struct shape *marked(const struct marking *marking, const struct shape *shape,
				  uint64_t from);

static const struct shape *lost_shape(const struct marking *marking, const struct shape *shape)
{
	struct shape *ret = arena_new(marking->arena, struct shape);

	*ret = (struct shape){.kind = SHAPE_LOST, .name = shape->name, .size = shape->size};
	return ret;
}

static struct shape_member marked_member(const struct marking *marking,
					 const struct shape_member *member, uint64_t from)
{
	struct shape_member ret = *member;
	unsigned bits = member->bit_offset + member->bit_size;

	if (!member->bit_size) {
		ret.shape = marked(marking, member->shape, from + member->offset);
	} else if (is_lost(marking, from + member->offset, (bits + 7) / 8)) {
		ret.shape = lost_shape(marking, member->shape);
		ret.bit_offset = ret.bit_size = 0;
	}
	return ret;
}

static const struct shape *marked_struct(const struct marking *marking, const struct shape *shape,
					 uint64_t from)
{
	struct shape *ret = arena_new(marking->arena, struct shape);
	struct shape_member *members =
		arena_array(marking->arena, struct shape_member, shape->nmembers + 1);
	unsigned left = 0;

	for (unsigned i = 0; i < shape->nmembers; i++) {
		members[i] = marked_member(marking, &shape->members[i], from);
		left += members[i].shape->kind != SHAPE_LOST;
	}
	*ret = *shape;
	ret->members = members;
	return left || !shape->nmembers ? ret : lost_shape(marking, shape);
}

/* All elements of an array have one shape: so it is lost as a whole. */
static const struct shape *marked(const struct marking *marking, const struct shape *shape,
				  uint64_t from)
{
	if (!is_lost(marking, from, shape->size))
		return shape;
	return shape->kind == SHAPE_STRUCT ? marked_struct(marking, shape, from) :
					     lost_shape(marking, shape);
}

const struct shape *mark_lost(struct arena *arena, const struct shape *shape, const uint8_t *lost)
{
	const struct marking marking = {arena, lost};

	return marked(&marking, shape, 0);
}
