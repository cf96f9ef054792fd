// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces $params and $vars of a spec by variables: those with a value at one of its points at
 * least, each name once. The user named none of them, so one that lacks a value is no error: it is
 * left out, and a note says why.
 */
#include <string.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"

#define VARIABLES_MAX 4096 /* no function that a person wrote has more */

struct expansion {
	struct resolver *resolver;
	const struct spec *spec;
	const struct point *points;
	unsigned npoints;
	struct sites *sites;
	struct want *wants;
	unsigned count;
	const char **left_out;
	unsigned nleft_out;
};

bool has_all(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind == WANT_ALL)
			return true;
	return false;
}

static void add_want(struct expansion *all, const struct want *want)
{
	arena_append(all->resolver->arena, all->wants, all->count) = *want;
}

static bool is_plain(const struct want *want, const char *name)
{
	return want->kind == WANT_VARIABLE && !want->nsteps && !strcmp(want->base, name);
}

/* Whether it is asked for by name, somewhere in the spec, or added already. */
static bool has_name(const struct expansion *all, const char *name)
{
	for (unsigned i = 0; i < all->spec->nwants; i++)
		if (is_plain(&all->spec->wants[i], name))
			return true;
	for (unsigned i = 0; i < all->count; i++)
		if (all->wants[i].is_expanded && is_plain(&all->wants[i], name))
			return true;
	return false;
}

/* Returns NULL if the value is available at the point, or at an address it may move to; else the
 * reason. */
static const char *why_not(struct expansion *all, const struct point *point,
			   const struct want *want, const struct variable *variable)
{
	struct resolver *resolver = all->resolver;
	const char *reason = resolve_uninitialised(point, variable), *first = NULL;

	for (unsigned i = 0; !reason && i <= point->nalternatives; i++) {
		struct position at = i ? point->alternatives[i - 1] : point->at;
		struct capture capture = {.type_name = ""};
		struct error *error =
			resolve_capture(resolver, point, at, all->spec, want, &capture);
		const char *why = error ? error->message : capture_obstacle(resolver, &capture);

		if (!why)
			return NULL;
		first = first ? first : why;
	}
	if (variable->loc.kind == LOC_ABSENT || variable->loc.kind == LOC_REFUSED)
		first = variable->loc.reason;
	return reason ? reason : first;
}

static bool is_left_out(const struct expansion *all, const char *name)
{
	for (unsigned i = 0; i < all->nleft_out; i++)
		if (!strcmp(all->left_out[i], name))
			return true;
	return false;
}

static void leave_out(struct expansion *all, const char *name, const char *reason)
{
	struct arena *arena = all->resolver->arena;
	struct sites *sites = all->sites;

	arena_append(arena, all->left_out, all->nleft_out) = name;
	arena_append(arena, sites->notes, sites->nnotes) =
		arena_printf(arena, "'%s' is left out: %s", name, reason);
}

/* Whether another point has it. */
static bool is_elsewhere(struct expansion *all, const struct want *want)
{
	for (unsigned i = 0; i < all->npoints; i++) {
		const struct point *point = &all->points[i];
		struct variable *variable;

		if (point->instance &&
		    !resolve_local(all->resolver, point->instance, point->at, want->base,
				   &variable) &&
		    variable && !why_not(all, point, want, variable))
			return true;
	}
	return false;
}

/* The function's own name, as C and C++ define it. A call that is followed has it in its title. */
static bool is_function_name(const char *name)
{
	return !strcmp(name, "__func__") || !strcmp(name, "__FUNCTION__") ||
	       !strcmp(name, "__PRETTY_FUNCTION__");
}

/* A table, as a rule: it doesn't change, so a call that is followed has nothing to tell of it. */
static bool is_constant(const struct variable *variable)
{
	const struct type *type = variable->type;
	size_t length;

	while (type->kind == TYPE_ARRAY)
		type = type->target;
	length = strlen(type->name);
	return variable->scope == SCOPE_STATIC &&
	       (type->kind == TYPE_POINTER ?
			length >= 6 && !strcmp(type->name + length - 6, " const") :
			!strncmp(type->name, "const ", 6));
}

static void offer(struct expansion *all, const struct want *from, const struct point *point,
		  const struct variable *variable)
{
	struct want want = {
		.kind = WANT_VARIABLE,
		.span = from->span,
		.base = variable->name,
		.base_span = from->base_span,
		.is_expanded = true,
		.is_local = true,
	};
	const char *reason;

	if (has_name(all, variable->name) ||
	    (all->spec->followed && (is_function_name(variable->name) || is_constant(variable))))
		return;
	reason = why_not(all, point, &want, variable);
	if (reason && is_left_out(all, variable->name))
		return; /* all points were asked when it was */
	if (!reason || is_elsewhere(all, &want))
		add_want(all, &want);
	else
		leave_out(all, variable->name, reason);
}

static struct error *expand_at(struct expansion *all, const struct want *want,
			       const struct point *point)
{
	bool only_parameters = !strcmp(want->base, ALL_PARAMETERS);
	struct debuginfo *info = all->resolver->info;
	struct variable *variables;
	struct error *error;
	unsigned count;

	if (!point->instance)
		return NULL;
	error = debuginfo_variables(info, point->instance, point->at, false, &variables, &count);
	if (!error && count > VARIABLES_MAX)
		error = error_hint(all->resolver->arena,
				   error_at(error_new(all->resolver->arena, ERROR_LIMIT,
						      "%u variables are in scope; a probe "
						      "event records 128 values at most",
						      count),
					    all->spec->text, want->span),
				   "name those that you want");
	if (error)
		return error;
	for (unsigned i = 0; i < count; i++)
		if (variables[i].scope == SCOPE_PARAMETER)
			offer(all, want, point, &variables[i]);
	for (unsigned i = 0; i < count && !only_parameters; i++)
		if (variables[i].scope != SCOPE_PARAMETER)
			offer(all, want, point, &variables[i]);
	return NULL;
}

/* A glob matches functions without such values, too: that is worth a note, no error. */
static void warn_nothing(struct expansion *all, const struct want *want,
			 const struct instance *instance)
{
	struct arena *arena = all->resolver->arena;
	const char *function = all->spec->place.function;
	struct sites *sites = all->sites;

	if (function && is_glob(function))
		arena_append(arena, sites->notes, sites->nnotes) = arena_printf(
			arena, "%s is nothing in '%s'", want->base, instance->function->name);
	else
		sites_warn(all->resolver, sites, arena_printf(
			arena, "%s is nothing here%s", want->base,
			all->nleft_out ? ": no variable has a value (-v says why)" : ""));
}

static struct error *expand_want(struct expansion *all, const struct want *want)
{
	struct error *error = NULL;
	unsigned before = all->count;
	const struct instance *instance = NULL;

	for (unsigned i = 0; i < all->npoints && !error; i++) {
		instance = instance ?: all->points[i].instance;
		error = expand_at(all, want, &all->points[i]);
	}
	if (!error && instance && all->count == before)
		warn_nothing(all, want, instance);
	if (error || instance)
		return error;
	return symbol_only(all->resolver, all->spec, want->span);
}

/* A variable that the user names is told, with a warning about what it holds. */
static void warn_uninitialised(struct resolver *resolver, const struct point *point,
			       const struct want *want, struct sites *sites)
{
	bool is_address = want->nsteps && want->steps[want->nsteps - 1].kind == STEP_ADDRESS;
	struct variable *variable;

	if (want->kind != WANT_VARIABLE || want->is_expanded || want->is_start || is_address ||
	    !strcmp(want->base, CURRENT_TASK) ||
	    resolve_variable(resolver, point->instance, point->at, want->base, &variable) ||
	    !variable || !resolve_uninitialised(point, variable) ||
	    (point->instance->inlined && variable->holds.end))
		return; /* a list may know that an inlined copy's caller has set it */
	sites_warn(resolver, sites,
		   arena_printf(resolver->arena,
				"'%s' is not yet initialised at the beginning of '%s': "
				"old memory is shown",
				want->base, point->instance->function->name));
}

void check_initialised(struct resolver *resolver, const struct spec *spec,
		       const struct point *points, unsigned count, struct sites *sites)
{
	for (unsigned i = 0; i < count; i++)
		if (points[i].instance && !points[i].prologue &&
		    is_begun_at(points[i].instance, points[i].at.address) &&
		    spec->place.kind != PLACE_RETURN)
			for (unsigned j = 0; j < spec->nwants; j++)
				warn_uninitialised(resolver, &points[i], &spec->wants[j], sites);
}

struct error *expand_spec(struct resolver *resolver, const struct point *points, unsigned count,
			  struct sites *sites, const struct spec **ret)
{
	struct expansion all = {
		.resolver = resolver,
		.spec = *ret,
		.points = points,
		.npoints = count,
		.sites = sites,
	};
	struct spec *spec = arena_new(resolver->arena, struct spec);
	struct error *error = NULL;

	if (!has_all(all.spec))
		return NULL;
	for (unsigned i = 0; i < all.spec->nwants && !error; i++) {
		if (all.spec->wants[i].kind == WANT_ALL)
			error = expand_want(&all, &all.spec->wants[i]);
		else
			add_want(&all, &all.spec->wants[i]);
	}
	*spec = *all.spec;
	spec->wants = all.wants;
	spec->nwants = all.count;
	*ret = sites->spec = spec;
	return error;
}
