// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drops points of a line that only jump to another one of its points: where gcc has merged the code
 * of two inlined copies, the second one's mark is left at a jump into the first one's code, and a
 * pass would have two events.
 *
 * The surprise: only an unconditional jump tells. Where instructions lie between two points of a
 * line, they are as often two passes.
 */
#include "arch/arch.h"
#include "base/lookup.h"
#include "resolve/passes/merged.h"
#include "resolve/points/kinds.h"
#include "target/code.h"

struct jumps {
	struct resolver *resolver;
	struct decoder *decoder;
	const struct point *points;
	bool *drops; /* which of them are dropped: no other one is for the sake of these */
	struct lookup by_address;
};

static bool is_point_of(const struct point *point, const struct point *other)
{
	return point != other && point->line == other->line && other->instance &&
	       is_same_function(point->instance->function, other->instance->function);
}

static bool has_point_at(const struct jumps *jumps, const struct point *point, uint64_t address)
{
	return lookup_find(&jumps->by_address, number_hash(address), i,
			   jumps->points[i].at.address == address && !jumps->drops[i] &&
				   is_point_of(point, &jumps->points[i])) != LOOKUP_NONE;
}

static bool jumps_on(const struct jumps *jumps, const struct point *point)
{
	enum { LONGEST = 4 }; /* jumps that follow each other */
	uint64_t at = point->at.address;
	struct insn insn;

	for (unsigned i = 0; i < LONGEST; i++) {
		size_t length = 0;
		const uint8_t *code = target_bytes(jumps->resolver->target, at, &length);

		if (!code)
			return false;
		decoder_next(jumps->decoder, code, length, at, &insn);
		if (!insn.length || !insn.is_branch || insn.is_call || insn.falls_through)
			return false;
		at = insn.target;
		if (has_point_at(jumps, point, at))
			return true;
	}
	return false;
}

unsigned drop_jumps_to_others(struct resolver *resolver, struct point *points, unsigned count)
{
	struct jumps jumps = {.resolver = resolver, .points = points};
	struct arena scratch;
	unsigned kept = 0;

	if (count < 2 || !(jumps.decoder = decoder_open(resolver->arch)))
		return count;
	arena_init(&scratch);
	jumps.drops = arena_array(&scratch, bool, count);
	for (unsigned i = 0; i < count; i++)
		lookup_add(&scratch, &jumps.by_address, number_hash(points[i].at.address), i);
	for (unsigned i = 0; i < count; i++)
		jumps.drops[i] = points[i].instance && points[i].instance->inlined &&
				 jumps_on(&jumps, &points[i]);
	for (unsigned i = 0; i < count; i++)
		if (!jumps.drops[i])
			points[kept++] = points[i];
	arena_deinit(&scratch);
	decoder_close(jumps.decoder);
	return kept;
}
