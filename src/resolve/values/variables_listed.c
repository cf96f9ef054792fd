// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the variables at a point, for `vars`: where each is, by debug information, and why it can't
 * be shown, as a probe of its name alone would say.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/listing.h"
#include "resolve/values/doubts.h"

struct error *resolve_variables(struct resolver *resolver, const struct point *point, bool externs,
				struct variable **ret, unsigned *count)
{
	return debuginfo_variables(resolver->info, point->instance, point->at, externs, ret, count);
}

const struct variable *resolve_pointee(struct resolver *resolver, const struct point *point,
				       const struct variable *pointer)
{
	struct variable *shown = arena_new(resolver->arena, struct variable), *pointee;

	*shown = *pointer;
	if (debuginfo_object(resolver->info, point->instance, point->at, pointer->loc.target,
			     pointer->type->target, &pointee) ||
	    !pointee || pointee->loc.kind == LOC_IMPLICIT)
		shown->loc =
			(struct loc){.kind = LOC_ABSENT, .reason = "what it points to is nowhere"};
	else
		shown->loc = pointee->loc;
	return shown;
}

const char *resolve_obstacle(struct resolver *resolver, const struct point *point,
			     const struct variable *variable)
{
	const struct want want = {.base = variable->name};
	const struct spec spec = {.text = ""};
	struct walk walk = {.resolver = resolver,
			    .spec = &spec,
			    .want = &want,
			    .variable = variable,
			    .home = resolver,
			    .instance = point->instance,
			    .position = point->at,
			    .probed = point->at.address};
	struct capture capture = {.name = variable->name, .type_name = variable->type->name};
	struct variable copy = *variable;
	const char *reason = variable->loc.reason;
	struct error *error;

	if (variable->loc.kind == LOC_ABSENT || variable->loc.kind == LOC_REFUSED)
		return reason;
	arena_reset(&resolver->scratch);
	reason = resolve_uninitialised(point, variable);
	if (!reason)
		reason = variable_unwritten(point, variable);
	if (reason)
		return reason;
	walk.path = arena_strdup(resolver->arena, variable->name);
	error = walk_enter(&walk, &copy);
	if (!error)
		error = capture_shape(&walk, &capture);
	reason = error ? error->message :
			 capture_doubt(&(struct question){&walk, point, point->at, &capture});
	if (reason)
		return reason;
	name_statics(resolver, &capture);
	return capture_obstacle(resolver, &capture);
}
