// SPDX-License-Identifier: GPL-2.0-only
/* Walks through the DIEs of a unit that are kept, and finds them again by their offsets. */
#include <stdlib.h>

#include "base/last.h"
#include "base/search.h"
#include "pack/build.h"

bool walk_unit(struct build *build, const struct source_unit *unit,
	       bool (*each)(struct build *build, const struct source_unit *unit,
			    const struct visit *visit, void *cookie),
	       void *cookie)
{
	const struct source *source = &build->source;
	struct in in = in_bytes(source->debug.info.data + unit->die, unit->end - unit->die);
	unsigned depth = 0, dropped = 0; /* depth from which on all is dropped, plus 1 */
	struct visit visit = {.node = NONE};
	struct source_die die;

	do {
		visit.die = &die;
		if (!read_source_die(source, unit, &in, &die) || depth > DEPTH_MAX)
			return false;
		if (!die.abbrev) {
			if (!depth)
				return false;
			visit.depth = depth--;
			if (!dropped && !each(build, unit, &visit, cookie))
				return false;
			if (dropped == depth + 1)
				dropped = 0;
			continue;
		}
		if (!dropped && depth == 1 && !die.abbrev->is_dropped) {
			visit.node++;
			visit.place = 0;
		}
		visit.depth = depth;
		if (!dropped && !die.abbrev->is_dropped) {
			if (!each(build, unit, &visit, cookie))
				return false;
			visit.place++;
		}
		if (die.abbrev->has_children) {
			if (die.abbrev->is_dropped && !dropped)
				dropped = depth + 1;
			depth++;
		}
	} while (depth);
	return true;
}

static bool list_die(struct build *build, const struct source_unit *unit, const struct visit *visit,
		     void *cookie)
{
	(void)unit;
	(void)cookie;
	if (!visit->die->abbrev || !visit->depth)
		return true;
	if (build->ndies == build->die_room) {
		build->die_room = build->die_room ? 2 * build->die_room : 4096;
		build->dies = realloc(build->dies, build->die_room * sizeof(*build->dies));
		if (!build->dies)
			out_of_memory();
	}
	build->dies[build->ndies++] =
		(struct die_place){visit->die->offset, visit->node, visit->place};
	return true;
}

bool list_dies(struct build *build, struct source_unit *unit)
{
	build->ndies = 0;
	arena_reset(&build->unit_arena);
	return open_source_unit(&build->source, unit) && walk_unit(build, unit, list_die, NULL) &&
	       read_line_head(build, unit);
}

const struct die_place *die_place(const struct build *build, uint64_t offset)
{
	size_t at = partition_point(build->ndies, i, build->dies[i].offset < offset);

	return at < build->ndies && build->dies[at].offset == offset ? &build->dies[at] : NULL;
}
