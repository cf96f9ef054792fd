// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads one member of an object whose bytes are in several places. A number that lies across two
 * pieces is put together.
 */
#include <string.h>

#include "resolve/values/values.h"

static const char lost_reason[] = "a part of it was optimised out";

/* The piece that holds byte `offset`, and where the piece begins. Returns NULL if there is none. */
static const struct piece *piece_at(const struct object *object, uint64_t offset, uint64_t *start)
{
	*start = 0;
	for (unsigned i = 0; i < object->npieces; i++) {
		const struct piece *piece = &object->pieces[i];

		if (offset < *start + piece->size)
			return piece;
		*start += piece->size;
	}
	return NULL;
}

bool pieces_overrun(const struct object *object)
{
	uint64_t start = 0;

	for (unsigned i = 0; i + 1 < object->npieces; i++)
		start += object->pieces[i].size;
	return object->npieces > 1 && object->type->size && start >= object->type->size;
}

/* `size` bytes of a piece, from its byte `from` on, as a number. */
static const struct expr *piece_bytes(struct arena *arena, const struct piece *piece, uint64_t from,
				      unsigned size)
{
	const struct expr *value = NULL, *part;

	if (!piece->in_memory)
		return expr_extend(
			arena,
			expr_binary(arena, EXPR_SHR, piece->expr, expr_const(arena, from * 8)),
			size * 8, false);
	/* the kernel loads 1, 2, 4 or 8 bytes */
	for (unsigned done = 0, step; done < size; done += step) {
		for (step = 8; step > size - done;)
			step /= 2;
		part = expr_load(arena, expr_offset(arena, piece->expr, (int64_t)(from + done)),
				 step, false, false);
		part = expr_binary(arena, EXPR_SHL, part, expr_const(arena, done * 8));
		value = value ? expr_binary(arena, EXPR_OR, value, part) : part;
	}
	return value;
}

static const char *put_together(struct arena *arena, struct object *object, unsigned size)
{
	const struct expr *value = NULL, *part;

	for (unsigned done = 0, step; done < size; done += step) {
		uint64_t start, at = object->piece_offset + done;
		const struct piece *piece = piece_at(object, at, &start);

		if (!piece || !piece->expr)
			return lost_reason;
		step = (unsigned)(start + piece->size - at);
		if (step > size - done)
			step = size - done;
		part = expr_binary(arena, EXPR_SHL, piece_bytes(arena, piece, at - start, step),
				   expr_const(arena, done * 8));
		value = value ? expr_binary(arena, EXPR_OR, value, part) : part;
	}
	object->expr = value;
	object->in_memory = false;
	object->npieces = 0;
	return NULL;
}

const char *pieces_settle(struct arena *arena, struct object *object, uint64_t size, bool is_number)
{
	const struct piece *piece;
	uint64_t start, from;

	piece = piece_at(object, object->piece_offset, &start);
	from = object->piece_offset - start;
	if (!piece)
		return "the debug information of its pieces does not cover it";
	if (from + size > piece->size)
		return is_number && size <= 8 ? put_together(arena, object, (unsigned)size) : NULL;
	if (!piece->expr)
		return lost_reason;
	object->in_memory = piece->in_memory;
	object->expr = piece->in_memory ?
		expr_offset(arena, piece->expr, (int64_t)from) :
		expr_binary(arena, EXPR_SHR, piece->expr, expr_const(arena, from * 8));
	object->npieces = 0;
	return NULL;
}

const char *pieces_parts(struct arena *arena, const struct object *object, uint64_t size,
			 uint8_t *lost, const struct part_value **ret, unsigned *count)
{
	struct part_value *parts = arena_array(arena, struct part_value, size);
	uint64_t nlost = 0;

	*count = 0;
	*ret = parts;
	for (uint64_t done = 0; done < size;) {
		uint64_t start, at = object->piece_offset + done, left;
		const struct piece *piece = piece_at(object, at, &start);
		bool is_there = piece && piece->expr;
		struct part_value *part = &parts[(*count)++];

		if (!is_there && !lost)
			return lost_reason;
		/* bytes behind the last piece are as lost as those of an empty one */
		left = piece ? start + piece->size - at : size - done;
		left = left < size - done ? left : size - done;
		part->size = left < 8 ? (uint8_t)left : 8;
		part->expr = is_there ? piece_bytes(arena, piece, at - start, part->size) :
					expr_const(arena, 0);
		part->is_lost = !is_there;
		if (!is_there)
			memset(lost + done, true, part->size);
		nlost += is_there ? 0 : part->size;
		done += part->size;
	}
	return nlost == size ? lost_reason : NULL;
}
