// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spec in, its sites out, in one lot or in many: what asks for all variables ($params) of many
 * functions (a glob) is a spec for each function, since each has variables of its own. What one of
 * them lacks, another may have; a function without an address to probe is left out.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "resolve/internal.h"

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

static struct error *one_function(struct resolver *resolver, const struct spec *part,
				  struct point *points, unsigned count, struct sites **ret)
{
	*ret = arena_new(resolver->arena, struct sites);
	(*ret)->spec = part;
	return resolve_at(resolver, part, points, count, *ret);
}

static struct error *each_function(struct resolver *resolver, const struct spec *spec,
				   struct error *(*each)(void *cookie, struct sites *sites),
				   void *cookie)
{
	const struct spec *part = part_of(resolver, spec);
	bool *found = arena_array(resolver->arena, bool, spec->nwants + 1);
	struct error *first = NULL, *error;
	bool is_any = false;
	struct point *points;
	unsigned count;

	error = resolve_points(resolver, spec, &points, &count);
	if (error)
		return error;
	qsort(points, count, sizeof(*points), point_compare);
	for (unsigned i = 0, end; i < count && !error; i = end) {
		struct sites *sites;
		struct error *missing;

		for (end = i + 1; end < count && source_of(&points[i]); end++)
			if (source_of(&points[end]) != source_of(&points[i]))
				break;
		missing = one_function(resolver, part, &points[i], end - i, &sites);
		first = first ? first : missing;
		if (missing)
			continue;
		is_any = true;
		mark_found(spec, sites, found);
		error = each(cookie, sites);
	}
	if (error || !is_any)
		return error ? error : first;
	return check_found(resolver, spec, found);
}

struct error *resolve_each(struct resolver *resolver, const struct spec *spec,
			   struct error *(*each)(void *cookie, struct sites *sites), void *cookie)
{
	struct sites *sites;
	struct error *error;

	if (is_series(resolver, spec))
		return each_function(resolver, spec, each, cookie);
	error = resolve_spec(resolver, spec, &sites);
	return error ? error : each(cookie, sites);
}
