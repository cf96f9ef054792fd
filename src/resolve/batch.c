// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spec in, its sites out, in one lot or in many: what asks for all variables ($params) of many
 * functions (a glob) is a spec for each function, since each has variables of its own. What one of
 * them lacks, another may have; a function without an address to probe is left out.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"

static bool is_series(const struct resolver *resolver, const struct spec *spec)
{
	return resolver->info && spec->place.function && is_glob(spec->place.function) &&
	       has_all(spec);
}

static uint64_t source_of(const struct point *point)
{
	return point->instance ? point->instance->function->source : 0;
}

/* By function; what only symbols know comes first. */
static int point_compare(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (source_of(a) != source_of(b))
		return source_of(a) < source_of(b) ? -1 : 1;
	return (a->at.address > b->at.address) - (a->at.address < b->at.address);
}

/* The spec of one of the functions: of what is named, it may lack any. */
static struct spec *part_of(struct resolver *resolver, const struct spec *spec)
{
	struct spec *part = arena_new(resolver->arena, struct spec);

	*part = *spec;
	part->wants = arena_array(resolver->arena, struct want, spec->nwants + 1);
	for (unsigned i = 0; i < spec->nwants; i++) {
		part->wants[i] = spec->wants[i];
		part->wants[i].is_expanded |= part->wants[i].kind != WANT_ALL;
	}
	return part;
}

/* Marks those of the wants that one of the sites has. */
static void mark_found(const struct spec *spec, const struct sites *sites, bool *found)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		for (unsigned j = 0; j < sites->spec->nwants && !found[i]; j++)
			if (sites->spec->wants[j].span.start == spec->wants[i].span.start)
				for (unsigned k = 0; k < sites->nsites; k++)
					found[i] |= sites->sites[k].captures[j].kind != CAPTURE_NONE;
}

static struct error *check_found(struct resolver *resolver, const struct spec *spec,
				 const bool *found)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (!found[i] && spec->wants[i].kind != WANT_ALL)
			return error_at(error_new(resolver->arena, ERROR_NO_VALUE, "no function that "
						  "matches '%s' has this", spec->place.function),
					spec->text, spec->wants[i].span);
	return NULL;
}

/* A spec on its way, lot by lot. */
struct series {
	struct resolver *resolver;
	const struct spec *spec;
	struct arena *kept; /* the resolver's own */
	struct arena *lots; /* of one lot after the other; NULL: all are kept */
	struct error *(*each)(void *cookie, struct sites *sites);
	void *cookie;
	const struct spec *part; /* what each function is asked for */
	bool *found;             /* by want: some function has it */
	bool is_any;             /* some function has an address to probe */
	struct error *first;     /* why one was left out */
};

static void use_arena(struct resolver *resolver, struct arena *arena)
{
	resolver->arena = arena;
	resolver->flow = NULL;
	if (resolver->info)
		debuginfo_answer_in(resolver->info, arena);
}

static void begin_lot(const struct series *series)
{
	if (series->lots)
		use_arena(series->resolver, series->lots);
}

static struct error *end_lot(const struct series *series, struct error *error)
{
	if (!series->lots)
		return error;
	error = error ? error_copy(series->kept, error) : NULL;
	use_arena(series->resolver, series->kept);
	arena_reset(series->lots);
	return error;
}

static struct error *one_function(struct series *series, struct point *points, unsigned count)
{
	struct resolver *resolver = series->resolver;
	struct sites *sites = arena_new(resolver->arena, struct sites);
	struct error *missing;

	sites->spec = series->part;
	missing = resolve_at(resolver, series->part, points, count, sites);
	if (missing && !series->first)
		series->first = error_copy(series->kept, missing);
	if (missing)
		return NULL;
	series->is_any = true;
	mark_found(series->spec, sites, series->found);
	return series->each(series->cookie, sites);
}

static struct error *each_function(struct series *series)
{
	struct resolver *resolver = series->resolver;
	const struct spec *spec = series->spec;
	struct point *points;
	unsigned count;
	struct error *error = resolve_points(resolver, spec, &points, &count);

	if (error)
		return error;
	series->part = part_of(resolver, spec);
	series->found = arena_array(resolver->arena, bool, spec->nwants + 1);
	qsort(points, count, sizeof(*points), point_compare);
	for (unsigned i = 0, end; i < count && !error; i = end) {
		for (end = i + 1; end < count && source_of(&points[i]); end++)
			if (source_of(&points[end]) != source_of(&points[i]))
				break;
		begin_lot(series);
		error = end_lot(series, one_function(series, &points[i], end - i));
	}
	if (error || !series->is_any)
		return error ? error : series->first;
	return check_found(resolver, spec, series->found);
}

struct error *resolve_each(struct resolver *resolver, const struct spec *spec, struct arena *lots,
			   struct error *(*each)(void *cookie, struct sites *sites), void *cookie)
{
	struct series series = {
		.resolver = resolver,
		.spec = spec,
		.kept = resolver->arena,
		.lots = lots,
		.each = each,
		.cookie = cookie,
	};
	struct sites *sites;
	struct error *error;

	if (is_series(resolver, spec))
		return each_function(&series);
	begin_lot(&series);
	error = resolve_spec(resolver, spec, &sites);
	return end_lot(&series, error ? error : each(cookie, sites));
}
