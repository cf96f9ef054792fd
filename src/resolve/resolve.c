// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a spec into sites. Points that can't be probed are left out, with a warning; what a point
 * lacks is shown as unavailable there, and is an error only if it is missing at every point.
 */
#include <stdlib.h>
#include <string.h>

#include "resolve/flow/function_code.h"
#include "resolve/listing.h"
#include "resolve/passes/merged.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"
#include "target/code.h"
#include "target/placing.h"
#include "target/target.h"

/* A weak function that another one overrides leaves its code and its debug information in the file,
 * but no symbol and no caller. */
const char *dead_reason(struct resolver *resolver, const struct point *point)
{
	uint64_t address = point->at.address, offset;

	if (resolver->target->kind == TARGET_PROGRAM)
		return target_file_offset(resolver->arena, resolver->target, address, &offset) ?
		       "code that the linker left out of the file" : NULL;
	if (target_is_init(resolver->target, address))
		return "start-up code, which the kernel frees (.init.text)";
	if (!target_symbol_at(resolver->target, address, NULL))
		return "code without a symbol, overridden by another function of that name";
	return NULL;
}

/* Where nothing is left: a linker that merges functions drops the debug information of all but
 * one. */
static const char *dead_hint(const struct resolver *resolver, const struct spec *spec)
{
	const char *kept =
		spec->place.function ? folded_into(resolver, spec->place.function) : NULL;

	return kept ? arena_printf(resolver->arena,
				   "the linker merged it with '%s', which has the same "
				   "code: probe '%s'",
				   kept, kept) :
		      "only code that stays in memory can be probed";
}

static void expect_points(const struct resolver *resolver, const struct point *points,
			  unsigned count)
{
	uint64_t *addresses = arena_array(resolver->arena, uint64_t, count + 1);

	for (unsigned i = 0; i < count; i++)
		addresses[i] = points[i].at.address;
	target_expect_places(resolver->target, addresses, count);
}

/* What is said of several points: each reason once. */
static const char *joined_reasons(struct resolver *resolver, const char *why, const char *reason)
{
	if (!why || !reason)
		return why ?: reason;
	return strstr(why, reason) ? why :
				     arena_printf(resolver->arena, "%s; %s", why, reason);
}

/* Keeps the points that nothing is said against. Returns what is said of the others; NULL: all are
 * kept. */
static const char *keep_points(struct resolver *resolver,
			       const char *(*reason_of)(struct resolver *, const struct point *),
			       struct point *points, unsigned *count)
{
	const char *why = NULL;
	unsigned kept = 0;

	for (unsigned i = 0; i < *count; i++) {
		const char *reason = reason_of(resolver, &points[i]);

		if (!reason)
			points[kept++] = points[i];
		why = joined_reasons(resolver, why, reason);
	}
	*count = kept;
	return why;
}

static struct error *no_point_left(struct resolver *resolver, const struct spec *spec,
				   const char *why, const char *hint)
{
	return error_hint(resolver->arena,
			  error_at(error_new(resolver->arena, ERROR_REFUSED, "this is %s", why),
				   spec->text, spec->place.span), "%s", hint);
}

static struct error *drop_dead(struct resolver *resolver, const struct spec *spec,
			       struct sites *sites, struct point *points, unsigned *count)
{
	unsigned all = *count;
	const char *why;

	expect_points(resolver, points, all);
	why = keep_points(resolver, dead_reason, points, count);
	if (why && !*count)
		return no_point_left(resolver, spec, why, dead_hint(resolver, spec));
	if (why && resolver->target->kind != TARGET_PROGRAM)
		sites_warn(resolver, sites,
			   arena_printf(resolver->arena, "left out %u of %u copies: %s",
					all - *count, all, why));
	return NULL;
}

/* A return is probed at the function's ends, so the entry's instruction doesn't matter there. */
const char *resolve_unprobed(struct resolver *resolver, const struct point *point)
{
	return code_unprobed(resolver, point->exit ? point->exit->address : point->at.address);
}

static struct error *drop_unprobed(struct resolver *resolver, const struct spec *spec,
				   struct sites *sites, struct point *points, unsigned *count)
{
	unsigned all = *count;
	const char *why;

	if (resolver->target->kind != TARGET_PROGRAM)
		return NULL; /* warn_limited() */
	why = keep_points(resolver, resolve_unprobed, points, count);
	if (why && !*count)
		return no_point_left(resolver, spec, why,
				     target_maps_writable(resolver->target, points->at.address) ?
					     "link the program without -N (--omagic)" :
					     "try another line, or the function's return");
	if (why)
		sites_warn(resolver, sites,
		     arena_printf(resolver->arena, "left out %u of %u places, with their events: "
				  "%s", all - *count, all, why));
	return NULL;
}

/* The kernel itself refuses such a place, and other places of the spec are traced. Of what is
 * followed the session says more. */
static void warn_limited(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			 const struct point *points, unsigned count)
{
	const char *why = NULL;
	unsigned limited = 0;

	if (resolver->target->kind == TARGET_PROGRAM || spec->followed)
		return;
	for (unsigned i = 0; i < count; i++) {
		const char *reason = resolve_unprobed(resolver, &points[i]);

		limited += !!reason;
		why = joined_reasons(resolver, why, reason);
	}
	if (why)
		sites_warn(resolver, sites,
		     arena_printf(resolver->arena, "the kernel will refuse %u of %u places: %s",
				  limited, count, why));
}

/* A line that can't be probed is left out if another line of the spec can. */
static struct error *make_sites(struct resolver *resolver, const struct wanted *wanted,
				const struct point *points, unsigned count, struct sites *sites)
{
	struct error *first = NULL;
	unsigned left_out = 0;

	sites->sites = arena_array(resolver->arena, struct site, count);
	for (unsigned i = 0; i < count; i++) {
		struct error *error = make_site(resolver, wanted, &points[i],
						&sites->sites[sites->nsites]);

		if (error && !place_is_range(&wanted->spec->place))
			return error;
		sites->nsites += !error;
		left_out += !!error;
		first = first ?: error;
	}
	if (!sites->nsites)
		return first;
	if (left_out)
		sites_warn(resolver, sites,
		     arena_printf(resolver->arena, "left out %u of %u places: %s", left_out, count,
				  first->message));
	return NULL;
}

struct error *resolve_at(struct resolver *resolver, const struct spec *spec, struct point *points,
			 unsigned count, struct sites *sites)
{
	struct wanted wanted;
	struct error *error;

	error = drop_dead(resolver, spec, sites, points, &count);
	if (!error)
		error = return_exits(resolver, spec, sites, &points, &count);
	if (!error)
		error = drop_unprobed(resolver, spec, sites, points, &count);
	if (!error)
		error = expand_spec(resolver, points, count, sites, &spec);
	if (!error)
		error = name_wants(resolver, spec, &wanted.names);
	if (error)
		return error;
	wanted.spec = spec;
	wanted.missing = arena_array(resolver->arena, struct missing, spec->nwants + 1);
	resolve_perhaps(resolver, spec, points, count);
	if (!sites->is_silent) {
		check_initialised(resolver, spec, points, count, sites);
		warn_limited(resolver, spec, sites, points, count);
		warn_of_points(resolver, sites, points, count);
	}
	error = make_sites(resolver, &wanted, points, count, sites);
	if (error)
		return error;
	for (unsigned i = 0; i < spec->nwants; i++)
		if (!wanted.missing[i].found && !spec->wants[i].is_expanded)
			return missing_error(resolver->arena, &wanted.missing[i]);
	return NULL;
}

static struct error *resolve_debuginfo(struct resolver *resolver, const struct spec *spec,
				       struct sites *sites)
{
	struct point *points;
	unsigned count;
	struct error *error = resolve_points(resolver, spec, &points, &count);

	return error ? error : resolve_at(resolver, spec, points, count, sites);
}

/* If the name is no function's own, tries the functions it stands for: the first that resolves
 * is taken. */
static struct error *resolve_aliases(struct resolver *resolver, const struct spec *spec,
				     struct sites *sites)
{
	const struct spec *aliases[ALIASES_MAX];
	unsigned count = alias_specs(resolver, spec, aliases);
	struct error *first = NULL;

	if (!count)
		return resolve_debuginfo(resolver, spec, sites);
	for (unsigned i = 0; i < count; i++) {
		struct error *error;

		*sites = (struct sites){.spec = aliases[i]};
		error = resolve_debuginfo(resolver, aliases[i], sites);
		if (!error)
			return NULL;
		first = first ? first : error;
	}
	return first;
}

struct error *resolve_spec(struct resolver *resolver, const struct spec *spec, struct sites **ret)
{
	struct sites *sites = arena_new(resolver->arena, struct sites);
	const char **names = NULL;
	struct error *error = name_wants(resolver, spec, &names);

	if (error)
		return error;
	sites->spec = spec;
	*ret = sites;
	if (!resolver->info || (spec_is_raw(spec) && spec->place.module))
		return resolve_raw(resolver, spec, names, sites);
	return resolve_aliases(resolver, spec, sites);
}

void resolver_deinit(struct resolver *resolver)
{
	for (unsigned i = 0; i < FLOWS_KEPT; i++)
		arena_deinit(&resolver->kept_flows[i].arena);
	arena_deinit(&resolver->scratch);
	for (unsigned i = 0; i < SOURCES_KEPT; i++)
		arena_deinit(&resolver->known_sources[i].arena);
	free(resolver->effects);
}
