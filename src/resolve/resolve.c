// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a spec into sites. Points that can't be probed are left out, with a warning; what a point
 * lacks is shown as unavailable there, and is an error only if it is missing at every point.
 */
#include <string.h>

#include "resolve/listing.h"
#include "resolve/points/function_code.h"
#include "resolve/points/merged.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"
#include "target/code.h"
#include "target/placing.h"
#include "target/target.h"

enum { MANY_POINTS = 300 };

/* Returns why an address can't be probed, or NULL. A weak function that another one overrides
 * leaves its code and its debug information in the file, but no symbol and no caller. */
static const char *dead_reason(struct resolver *resolver, const struct point *point)
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

static void warn(struct resolver *resolver, struct sites *sites, const char *text)
{
	arena_append(resolver->arena, sites->warnings, sites->nwarnings) = text;
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
		warn(resolver, sites, arena_printf(resolver->arena, "left out %u of %u copies: %s",
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
		warn(resolver, sites,
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
		warn(resolver, sites,
		     arena_printf(resolver->arena, "the kernel will refuse %u of %u places: %s",
				  limited, count, why));
}

/* libc's memcpy, for one: its code only chooses the function that is called in the end. */
static void warn_resolver(struct resolver *resolver, struct sites *sites,
			  const struct point *points, unsigned count)
{
	const struct symbol *symbol;

	for (unsigned i = 0; i < count; i++) {
		if (resolver->target->kind != TARGET_PROGRAM)
			return;
		symbol = target_symbol_at(resolver->target, points[i].at.address,
					  sites->spec->place.function);
		if (!symbol || !symbol->is_resolver)
			continue;
		warn(resolver, sites, indirect_text(resolver->arena, symbol->name));
		return;
	}
}

/* Where libc was built with _FORTIFY_SOURCE, its read() is not the read() of its headers. */
static void warn_left_out(struct resolver *resolver, struct sites *sites)
{
	const struct place *place = &sites->spec->place;
	unsigned count;
	const struct instance *copy = left_out_copies(resolver, place, &count);
	const char *file = copy ? strrchr(copy->function->file, '/') : NULL;

	if (copy)
		warn(resolver, sites,
		     arena_printf(resolver->arena,
				  "left out %u %s of another '%s', of a header or a unit: "
				  "%s@%s means %s", count, count == 1 ? "copy" : "copies",
				  place->function, place->function,
				  file ? file + 1 : copy->function->file,
				  count == 1 ? "it" : "those"));
}

/* A count of returns would pass for one of all calls. */
static void warn_returnless(struct resolver *resolver, const struct spec *spec, struct sites *sites)
{
	const struct instance *first = NULL;
	unsigned count = 0;

	for (unsigned i = 0; i < resolver->nreturnless; i++) {
		const struct instance *copy = resolver->returnless[i];

		if (dead_reason(resolver, &(struct point){.at.address = copy->entry}))
			continue;
		first = first ?: copy;
		count++;
	}
	resolver->nreturnless = 0; /* once, of all batches */
	if (count && spec->followed == FOLLOWED_NOT)
		warn(resolver, sites,
		     arena_printf(resolver->arena,
				  "%u inlined %s of '%s' (in '%s'%s) %s no return: %s calls have "
				  "no event", count, count == 1 ? "copy" : "copies",
				  spec->place.function, first->outer,
				  count == 1 ? "" : " and elsewhere",
				  count == 1 ? "has" : "have", count == 1 ? "its" : "their"));
}

/* As a loop that was turned round, whose first instruction each round runs. */
static void warn_doubtful(struct resolver *resolver, struct sites *sites,
			  const struct point *points, unsigned count)
{
	const char *outer = NULL;
	unsigned doubtful = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;

		if (!instance || !instance->is_entry_doubtful ||
		    points[i].at.address != instance->entry)
			continue;
		doubtful++;
		outer = instance->outer;
	}
	if (doubtful)
		warn(resolver, sites,
		     arena_printf(resolver->arena,
				  "the compiler doesn't say where %u of %u copies begin%s: "
				  "calls in '%s' may be missed, or counted more than once",
				  doubtful, count, doubtful == 1 ? "s" : "", outer));
}

/* gcc marks several lines at one instruction; of these llvm-bolt keeps one. */
static void warn_rearranged(struct resolver *resolver, struct sites *sites,
			    const struct place *place, const struct point *points, unsigned count)
{
	bool is_lossy = false;

	if (place->kind != PLACE_LINE && place->kind != PLACE_FILE && place->kind != PLACE_PATTERN)
		return;
	for (unsigned i = 0; i < count; i++)
		is_lossy |= points[i].instance && points[i].instance->is_by_gcc &&
			    !points[i].instance->is_unoptimised;
	if (is_lossy && target_is_rearranged(resolver->target))
		warn(resolver, sites,
		     "llvm-bolt moved this code and lost where gcc says that lines begin: fewer or "
		     "more events than passes are possible; count in the program before llvm-bolt");
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
		warn(resolver, sites,
		     arena_printf(resolver->arena, "left out %u of %u places: %s", left_out, count,
				  first->message));
	return NULL;
}

/* Events of a merged function would pass for this one's. */
static void warn_folded(struct resolver *resolver, struct sites *sites, const struct point *points,
			unsigned count)
{
	const struct instance *last = NULL;

	folded_expect(resolver, points, count);
	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;
		const char *others = instance == last ? NULL :
				     folded_functions(resolver, instance, points[i].at.address);

		last = instance;
		if (others)
			warn(resolver, sites,
			     arena_printf(resolver->arena,
					  "'%s' shares its code with %s, which was merged or is "
					  "another name: the events are those of all",
					  instance->function->name, others));
	}
}

static void warn_thunks(struct resolver *resolver, struct sites *sites, const struct point *points,
			unsigned count)
{
	const char **texts;
	unsigned ntexts = thunk_texts(resolver, points, count, &texts);

	for (unsigned i = 0; i < ntexts; i++)
		warn(resolver, sites, texts[i]);
}

static void warn_merged(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			const struct point *points, unsigned count)
{
	const char *texts[MERGED_TEXTS];
	unsigned ntexts = merged_texts(resolver, &spec->place, points, count, texts);

	for (unsigned i = 0; i < ntexts; i++)
		warn(resolver, sites, texts[i]);
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
	check_initialised(resolver, spec, points, count, sites);
	warn_limited(resolver, spec, sites, points, count);
	warn_resolver(resolver, sites, points, count);
	warn_left_out(resolver, sites);
	warn_returnless(resolver, spec, sites);
	warn_folded(resolver, sites, points, count);
	warn_thunks(resolver, sites, points, count);
	warn_merged(resolver, spec, sites, points, count);
	warn_doubtful(resolver, sites, points, count);
	warn_rearranged(resolver, sites, &spec->place, points, count);
	resolve_perhaps(resolver, spec, points, count);
	if (count >= MANY_POINTS)
		warn(resolver, sites,
		     arena_printf(resolver->arena,
				  "%u points: setting them up takes the kernel long, and each "
				  "slows down the code it is in", count));
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
}
