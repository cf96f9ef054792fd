// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known of a site whose hits are put together to calls: the copy of the function, the order
 * of sites that share an instruction, and whether a call may come there twice.
 *
 * The surprise: a loop may lead back to a function's very first instruction, where nothing tells a
 * call that begins from one that goes round.
 */
#include <limits.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"

static bool may_repeat(struct resolver *resolver, const struct instance *instance, uint64_t address)
{
	struct flow *flow = instance->inlined ? NULL : outer_flow(resolver, instance);

	return flow && flow_has(flow, address) &&
	       flow_reaches_from(flow, &address, 1, address, NULL, 0);
}

/* Whether the line is that of the out-of-line function's first row. */
static bool is_opening(struct resolver *resolver, const struct point *point)
{
	const struct instance *instance = point->instance;
	struct row *rows;
	unsigned count;

	if (instance->inlined || point->at.address != instance->entry ||
	    debuginfo_rows(resolver->info, instance, &rows, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].address == instance->entry)
			return rows[i].line == point->line &&
			       !strcmp(rows[i].file, instance->function->file);
	return false;
}

/* Whether a loop around an inlined copy leads through it without passing the address. */
static bool is_vague(struct resolver *resolver, const struct instance *instance, uint64_t address)
{
	const struct instance outer = {.function = instance->function,
				       .ranges = instance->outer_ranges,
				       .nranges = instance->nouter_ranges,
				       .source = instance->outer_source,
				       .outer_source = instance->outer_source,
				       .outer_ranges = instance->outer_ranges,
				       .nouter_ranges = instance->nouter_ranges,
				       .outer = instance->outer};
	struct flow *flow = outer_flow(resolver, instance);
	unsigned count, nouts = 0;
	uint64_t *outs;
	struct row *rows;

	if (!flow || debuginfo_rows(resolver->info, &outer, &rows, &count))
		return true;
	outs = arena_array(resolver->arena, uint64_t, count + 1);
	for (unsigned i = 0; i < count; i++)
		if (rows[i].is_stmt && rows[i].address != address &&
		    !is_inside(instance, rows[i].address) && !is_own_row(instance, &rows[i]))
			outs[nouts++] = rows[i].address;
	for (unsigned i = 0; i < count; i++) {
		uint64_t in = rows[i].address;

		if (rows[i].is_stmt && in != address && is_inside(instance, in) &&
		    flow_goes_round(flow, in, outs, nouts, address))
			return true;
	}
	return false;
}

/* Whether no statement of the line begins before the address. */
static bool is_first_of_line(struct resolver *resolver, const struct instance *instance,
			     struct position at)
{
	struct row *rows;
	unsigned count;

	if (!at.line || debuginfo_rows(resolver->info, instance, &rows, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].is_stmt && rows[i].line == at.line && rows[i].address < at.address)
			return false;
	return true;
}

/* A line that declares a variable sets it. Before it, the variable's place has what was there. */
static void leave_out_unset(struct resolver *resolver, const struct spec *spec,
			    const struct instance *instance, struct position at, struct site *site)
{
	struct variable *variable;

	if (spec->followed != FOLLOWED_LINE || !is_first_of_line(resolver, instance, at))
		return;
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].is_expanded && spec->wants[i].kind == WANT_VARIABLE &&
		    site->captures[i].kind != CAPTURE_NONE &&
		    !resolve_local(resolver, instance, at, spec->wants[i].base, &variable) &&
		    variable && variable->line == at.line)
			site->captures[i] = (struct capture){
				.kind = CAPTURE_NONE,
				.name = site->captures[i].name,
				.type_name = site->captures[i].type_name,
				.reason = "this line declares it",
			};
}

void resolve_followed(struct resolver *resolver, const struct spec *spec, const struct point *point,
		      struct position at, struct site *site)
{
	const struct instance *instance = point->instance;

	site->view = at.view;
	if (!instance)
		return;
	leave_out_unset(resolver, spec, instance, at, site);
	site->copy = !instance->inlined && is_part(resolver, instance) ? 0 : instance->entry;
	site->begins = spec->followed == FOLLOWED_BEGIN ||
		       (spec->followed == FOLLOWED_HEAD && is_begun_at(instance, at.address));
	site->is_vague =
		site->begins && instance->inlined && is_vague(resolver, instance, at.address);
	site->is_opening = spec->followed == FOLLOWED_LINE && is_opening(resolver, point);
	site->is_perhaps = point->is_perhaps;
	site->may_lack = point->may_lack;
	site->may_repeat =
		(site->begins || site->is_opening) && may_repeat(resolver, instance, at.address);
}

static bool is_shared(const struct findings *findings, const struct point *point)
{
	for (unsigned i = 0; i < findings->count; i++)
		if (findings->list[i].is_shared && findings->list[i].line == point->line &&
		    findings->list[i].address == point->at.address)
			return true;
	return false;
}

/* What the probe of the line alone would be warned of. */
static bool may_lack(struct resolver *resolver, const struct findings *findings,
		     const struct point *point)
{
	struct candidates chosen;
	struct rounds rounds;

	for (unsigned i = 0; i < findings->count; i++)
		if (!findings->list[i].is_shared && findings->list[i].line == point->line)
			return true;
	if (!line_addresses(resolver, point->instance, point->line, &chosen) || !chosen.count)
		return false;
	rounds_find(resolver, point->instance, point->line, &chosen, &rounds);
	return rounds.fewer != NULL;
}

bool is_function_range(const struct spec *spec)
{
	const struct place *place = &spec->place;

	return spec->followed == FOLLOWED_NOT && place->kind == PLACE_LINE &&
	       place_is_range(place) && !is_glob(place->function);
}

void resolve_perhaps(struct resolver *resolver, const struct spec *spec, struct point *points,
		     unsigned count)
{
	const struct instance *last = NULL;
	struct findings findings = {0};
	struct line_code of;

	for (unsigned i = 0; i < count && (spec->followed == FOLLOWED_LINE ||
					   is_function_range(spec)); i++) {
		const struct instance *instance = points[i].instance;
		struct candidates own = {&points[i].at.address, 1};

		if (is_function_range(spec) &&
		    (instance != points->instance || points[i].line == instance->function->line))
			continue;
		if (!instance || line_code_read(resolver, instance, points[i].line, &of))
			continue;
		if (instance != last)
			merged_find(resolver, instance, &findings);
		points[i].may_lack = instance == last && points[i].line == points[i - 1].line ?
					     points[i - 1].may_lack :
					     may_lack(resolver, &findings, &points[i]);
		last = instance;
		points[i].is_perhaps = is_shared(&findings, &points[i]) ||
				       line_runs_anyway(&of, &own);
	}
}

/* All inner copies of one instance. */
struct inside {
	struct resolver *resolver;
	const struct spec *spec;
	const struct instance *outer;
	uint64_t copy; /* of the call */
	struct sites **list;
	unsigned count;
};

static const struct spec *inner_spec(const struct inside *inside, const struct instance *inner,
				     enum followed followed)
{
	struct arena *arena = inside->resolver->arena;
	struct spec *spec = arena_new(arena, struct spec);
	struct want *want = arena_new(arena, struct want);

	*spec = *inside->spec;
	spec->followed = followed;
	spec->is_optional = true;
	spec->place.kind = followed == FOLLOWED_LINE ? PLACE_LINE : PLACE_FUNCTION;
	spec->place.function = inner->function->name;
	spec->place.line = followed == FOLLOWED_LINE ? 1 : 0;
	spec->place.last_line = followed == FOLLOWED_LINE ? UINT_MAX : 0;
	*want = (struct want){
		.kind = WANT_ALL,
		.span = spec->place.span,
		.base = followed == FOLLOWED_LINE ? ALL_VARIABLES : ALL_PARAMETERS,
		.base_span = spec->place.span,
		.is_expanded = true,
	};
	spec->wants = want;
	spec->nwants = 1;
	return spec;
}

static void add_inner(struct inside *inside, struct instance *inner, enum followed followed)
{
	struct resolver *resolver = inside->resolver;
	const struct spec *spec = inner_spec(inside, inner, followed);
	struct sites *sites = arena_new(resolver->arena, struct sites);
	struct points points = {0};
	struct error *error = followed == FOLLOWED_LINE ?
			      range_points(resolver, inner, &spec->place, false, &points) :
			      entry_points(resolver, &inner, 1, &points);

	sites->spec = spec;
	sites->arch = resolver->arch;
	sites->is_silent = true; /* that nothing of it can be shown is no news */
	if (error || !points.count || resolve_at(resolver, spec, points.list, points.count, sites))
		return;
	for (unsigned i = 0; i < sites->nsites; i++) {
		sites->sites[i].inner = inner->entry;
		sites->sites[i].copy = inside->copy;
	}
	arena_append(resolver->arena, inside->list, inside->count) = sites;
}

static struct error *add_inside(struct inside *inside, bool has_lines)
{
	struct instance **list;
	unsigned count;
	struct error *error = debuginfo_inner(inside->resolver->info, inside->outer, &list, &count);

	for (unsigned i = 0; i < count && !error; i++) {
		if (list[i]->function->source == inside->outer->function->source ||
		    !list[i]->nranges)
			continue; /* it is a call of its own */
		add_inner(inside, list[i], FOLLOWED_INNER);
		if (has_lines)
			add_inner(inside, list[i], FOLLOWED_LINE);
	}
	return error;
}

struct error *resolve_inner(struct resolver *resolver, const struct spec *spec, bool has_lines,
			    struct sites ***ret, unsigned *count)
{
	struct inside inside = {.resolver = resolver, .spec = spec};
	struct point *points;
	unsigned npoints;
	struct error *error = resolve_points(resolver, spec, &points, &npoints);

	for (unsigned i = 0; i < npoints && !error; i++) {
		const struct instance *instance = points[i].instance;

		if (!instance || instance == inside.outer ||
		    (!instance->inlined && is_part(resolver, instance)))
			continue;
		inside.outer = instance;
		inside.copy = instance->entry;
		error = add_inside(&inside, has_lines);
	}
	*ret = inside.list;
	*count = inside.count;
	return error;
}

struct error *resolve_least(struct resolver *resolver, const struct spec *spec,
			    const uint64_t *offsets, unsigned count, unsigned *ret)
{
	uint64_t *addresses = arena_array(resolver->arena, uint64_t, count + 1);
	const struct instance *whole = NULL;
	struct flow *flow;
	struct point *points;
	unsigned npoints;
	struct error *error = resolve_points(resolver, spec, &points, &npoints);

	*ret = 0;
	for (unsigned i = 0; i < npoints && !error; i++) {
		const struct instance *instance = points[i].instance;

		if (!instance || instance->inlined || (whole && !is_part(resolver, instance)))
			return NULL;
		whole = is_part(resolver, instance) ? whole : instance;
	}
	flow = !error && whole ? outer_flow(resolver, whole) : NULL;
	for (unsigned i = 0; i < count && flow; i++)
		addresses[i] = whole->entry + offsets[i];
	if (flow)
		*ret = flow_least(flow, addresses, count);
	return error;
}
