// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says, of a place that is one line, why its events may be more or fewer than its passes: one
 * remark of each kind.
 *
 * The surprise: the first instance that shows something speaks for all of the place's.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/points/points.h"

/* The first finding of a point's line; the code of a shared one is the point's. */
static const struct finding *finding_at(const struct findings *findings, const struct point *point,
					bool is_shared)
{
	for (unsigned i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		if (finding->line == point->line && finding->is_shared == is_shared &&
		    (!is_shared || finding->address == point->at.address))
			return finding;
	}
	return NULL;
}

static bool is_one_line(const struct place *place)
{
	return (place->kind == PLACE_LINE && place->line && !place_is_range(place)) ||
	       place->kind == PLACE_FILE || place->kind == PLACE_PATTERN;
}

static const char *lacking_text(struct resolver *resolver, const struct point *points,
				unsigned count)
{
	struct copies copies = {0};

	lacking_copies(resolver, points, count, &copies);
	return !copies.lacking ? NULL :
				 arena_printf(resolver->arena,
					      "%u of the %u %scopies of '%s' %s no code of "
					      "line %u: fewer events than passes are possible",
					      copies.lacking, copies.count,
					      copies.are_inlined ? "inlined " : "", copies.name,
					      copies.lacking == 1 ? "has" : "have", points->line);
}

static const char *unmarked_text(struct resolver *resolver, const struct point *points,
				 unsigned count)
{
	struct unmarked copies;

	unmarked_copies(resolver, points, count, &copies);
	return !copies.unmarked ?
		       NULL :
		       arena_printf(resolver->arena,
				    "%u of %u copies of '%s' %s code of line %u without a mark: "
				    "more or fewer events than passes are possible",
				    copies.unmarked, copies.count,
				    points->instance->function->name,
				    copies.unmarked == 1 ? "has" : "have", points->line);
}

/* Takes the first text of each kind from the points' instances. The addresses are the instance's
 * own: one that two copies share is one point. */
static void first_rounds(struct resolver *resolver, const struct point *points, unsigned count,
			 unsigned most, struct rounds *ret)
{
	const struct instance *last = NULL;

	*ret = (struct rounds){0};
	for (unsigned i = 0; i < count && most && !(ret->fewer && ret->more); i++) {
		const struct instance *instance = points[i].line_of;
		struct candidates list;
		struct rounds rounds;

		if (!instance || instance == last || points[i].line == instance->function->line)
			continue;
		last = instance;
		most--;
		if (!line_addresses(resolver, instance, points[i].line, &list) || !list.count)
			continue;
		rounds_find(resolver, instance, points[i].line, &list, &rounds);
		ret->fewer = ret->fewer ?: rounds.fewer;
		ret->more = ret->more ?: rounds.more;
	}
}

/* The first findings of the points' lines, one of a shared line and one of a skipped one. */
static void first_findings(struct resolver *resolver, const struct point *points, unsigned count,
			   unsigned most, const struct finding **shared,
			   const struct finding **skipped)
{
	const struct instance *last = NULL;
	struct findings findings;

	for (unsigned i = 0; i < count && most; i++) {
		const struct instance *instance = points[i].line_of ?: points[i].instance;

		if (!instance || points[i].line == instance->function->line)
			continue;
		if (instance != last) {
			merged_find(resolver, instance, &findings);
			most--;
		}
		last = instance;
		*shared = *shared ?: finding_at(&findings, &points[i], true);
		*skipped = *skipped ?: finding_at(&findings, &points[i], false);
	}
}

static const char *shared_text(struct arena *arena, const struct finding *shared)
{
	return arena_printf(arena, "line %u shares its code with what follows line %u: more events "
				   "than passes are possible", shared->line, shared->from);
}

static const char *skipped_text(struct arena *arena, const struct finding *skipped)
{
	if (skipped->is_decided)
		return arena_printf(arena, "line %u has code only where it leads to line %u: fewer "
					   "events than passes are possible", skipped->line,
				    skipped->to);
	if (!skipped->to)
		return arena_printf(arena, "some code goes on from line %u to the function's end, "
					   "skipping line %u: fewer events than passes are "
					   "possible", skipped->from, skipped->line);
	return arena_printf(arena, "some code continues from line %u at line %u, skipping line %u: "
				   "fewer events than passes are possible", skipped->from,
			    skipped->to, skipped->line);
}

static unsigned add_text(const char **list, unsigned count, const char *text)
{
	if (text)
		list[count++] = text;
	return count;
}

unsigned merged_texts(struct resolver *resolver, const struct place *place,
		      const struct point *points, unsigned count, const char **ret)
{
	enum { MOST = 64 }; /* instances that are looked at */
	const struct finding *shared = NULL, *skipped = NULL;
	const char *lacking, *vanished = NULL;
	struct rounds rounds;
	unsigned ntexts = 0;

	if (!is_one_line(place) || !resolver->info)
		return 0;
	first_findings(resolver, points, count, MOST, &shared, &skipped);
	lacking = lacking_text(resolver, points, count);
	if (count && points->instance && !lacking)
		vanished = vanished_text(resolver, points->instance->function, false);
	first_rounds(resolver, points, count, MOST, &rounds);
	if (shared)
		ntexts = add_text(ret, ntexts, shared_text(resolver->arena, shared));
	if (skipped)
		ntexts = add_text(ret, ntexts, skipped_text(resolver->arena, skipped));
	ntexts = add_text(ret, ntexts, lacking);
	ntexts = add_text(ret, ntexts, unmarked_text(resolver, points, count));
	ntexts = add_text(ret, ntexts, vanished);
	ntexts = add_text(ret, ntexts, rounds.fewer);
	return add_text(ret, ntexts, rounds.more);
}
