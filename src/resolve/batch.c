// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a spec into sites, in one batch or in many. A spec that asks for all variables ($params) of
 * many functions (a glob) is one spec per function, since each has variables of its own. What one
 * of them lacks, another may have; a function without an address to probe is left out.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"

static bool is_by_function(const struct resolver *resolver, const struct spec *spec)
{
	return resolver->info && spec->place.function && is_glob(spec->place.function) &&
	       has_all(spec);
}

static uint64_t source_of(const struct point *point)
{
	return point->instance ? point->instance->function->source : 0;
}

/* Sorted by function; points that only symbols know come first. */
static int point_compare(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (source_of(a) != source_of(b))
		return source_of(a) < source_of(b) ? -1 : 1;
	return (a->at.address > b->at.address) - (a->at.address < b->at.address);
}

/* The spec of one of the functions, which may lack any of the wants that the user named. */
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

/* Marks the wants that one of the sites has. */
static void mark_found(const struct spec *spec, const struct sites *sites, bool *found)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		for (unsigned j = 0; j < sites->spec->nwants && !found[i]; j++)
			if (sites->spec->wants[j].span.start == spec->wants[i].span.start)
				for (unsigned k = 0; k < sites->nsites; k++)
					found[i] |=
						sites->sites[k].captures[j].kind != CAPTURE_NONE;
}

static struct error *check_found(struct resolver *resolver, const struct spec *spec,
				 const bool *found)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (!found[i] && spec->wants[i].kind != WANT_ALL)
			return error_at(error_new(resolver->arena, ERROR_NO_VALUE,
						  "no function that matches '%s' has this",
						  spec->place.function),
					spec->text, spec->wants[i].span);
	return NULL;
}

struct batches {
	struct resolver *resolver;
	const struct spec *spec;
	struct arena *kept; /* the resolver's own */
	struct arena *own;  /* of one batch after the other; NULL: all are kept */
	bool is_begun;
	/* if each function is a batch: */
	struct point *points;
	unsigned npoints;
	unsigned at;             /* index of the next batch's first point */
	const struct spec *part; /* the spec that each function gets */
	bool *found;             /* by want: some function has it */
	bool is_any;             /* some function has an address to probe */
	struct error *first;     /* why one was left out */
};

/* Drops all that was made in the last batch's arena. */
static void empty_arena(const struct batches *batches)
{
	if (!batches->own)
		return;
	resolver_use(batches->resolver, batches->kept);
	arena_reset(batches->own);
	resolver_use(batches->resolver, batches->own);
}

struct batches *resolve_open(struct resolver *resolver, const struct spec *spec, struct arena *own)
{
	struct batches *batches = arena_new(resolver->arena, struct batches);

	batches->resolver = resolver;
	batches->spec = spec;
	batches->kept = resolver->arena;
	batches->own = own;
	return batches;
}

static struct error *find_functions(struct batches *batches)
{
	struct resolver *resolver = batches->resolver;
	struct error *error =
		resolve_points(resolver, batches->spec, &batches->points, &batches->npoints);

	if (error)
		return error;
	batches->part = part_of(resolver, batches->spec);
	batches->found = arena_array(resolver->arena, bool, batches->spec->nwants + 1);
	qsort(batches->points, batches->npoints, sizeof(*batches->points), point_compare);
	folded_expect(resolver, batches->points, batches->npoints);
	return NULL;
}

/* Returns NULL if the function is left out. */
static struct sites *one_function(struct batches *batches, struct point *points, unsigned count)
{
	struct resolver *resolver = batches->resolver;
	struct sites *sites = arena_new(resolver->arena, struct sites);
	struct error *missing;

	sites->spec = batches->part;
	missing = resolve_at(resolver, batches->part, points, count, sites);
	if (missing && !batches->first)
		batches->first = error_copy(batches->kept, missing);
	if (missing)
		return NULL;
	batches->is_any = true;
	mark_found(batches->spec, sites, batches->found);
	return sites;
}

static unsigned function_end(const struct batches *batches)
{
	const struct point *points = batches->points;
	unsigned end = batches->at + 1;

	while (end < batches->npoints && source_of(&points[batches->at]) &&
	       source_of(&points[end]) == source_of(&points[batches->at]))
		end++;
	return end;
}

static struct error *next_function(struct batches *batches, struct sites **ret)
{
	while (batches->at < batches->npoints && !*ret) {
		unsigned end = function_end(batches);

		empty_arena(batches);
		*ret = one_function(batches, &batches->points[batches->at], end - batches->at);
		batches->at = end;
	}
	if (*ret)
		return NULL;
	return batches->is_any ? check_found(batches->resolver, batches->spec, batches->found) :
				 batches->first;
}

struct error *resolve_next(struct batches *batches, struct sites **ret)
{
	bool is_first = !batches->is_begun,
	     by_function = is_by_function(batches->resolver, batches->spec);
	struct error *error = NULL;

	*ret = NULL;
	batches->is_begun = true;
	if (is_first && by_function)
		error = find_functions(batches);
	if (error)
		return error;
	if (by_function) {
		error = next_function(batches, ret);
	} else if (is_first) {
		empty_arena(batches);
		error = resolve_spec(batches->resolver, batches->spec, ret);
	}
	if (*ret)
		(*ret)->arch = batches->resolver->arch;
	return error;
}

struct error *resolve_close(struct batches *batches, struct error *error)
{
	if (!batches->own)
		return error;
	error = error ? error_copy(batches->kept, error) : NULL;
	resolver_use(batches->resolver, batches->kept);
	arena_reset(batches->own);
	return error;
}
