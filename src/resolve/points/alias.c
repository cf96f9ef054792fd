// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the functions behind the name of a system call (sys_openat, openat). SYSCALL_DEFINE makes
 * __do_sys_openat, the body, with the source's parameters; __se_sys_openat, which gets them as
 * longs and is where all of them are available; and a wrapper for each ABI (__x64_sys_openat),
 * which gets the registers. As a rule the first two are inlined into the wrappers.
 */
#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "resolve/values/values.h"
#include "target/target.h"

static const char *const body_prefixes[] = {"__do_sys_", "__se_sys_", "__do_compat_sys_",
					    "__se_compat_sys_"};

bool is_syscall_body(const char *name)
{
	for (size_t i = 0; i < sizeof(body_prefixes) / sizeof(*body_prefixes); i++)
		if (!strncmp(name, body_prefixes[i], strlen(body_prefixes[i])))
			return true;
	return false;
}

struct alias {
	struct resolver *resolver;
	const struct spec *spec;
	const char *call;   /* "openat" */
	const char *prefix; /* "sys_", "compat_sys_" */
	struct instance **bodies;
	unsigned nbodies;
};

static const char *alias_name(const struct alias *alias, const char *kind)
{
	return arena_printf(alias->resolver->arena, "__%s_%s%s", kind, alias->prefix, alias->call);
}

/* The parameter's own type, by the body, or NULL. */
static const char *parameter_type(const struct alias *alias, const char *name)
{
	const struct instance *body = alias->bodies[0];
	struct position at = entry_of(body);
	struct resolver *resolver = alias->resolver;
	struct variable *variable;
	const struct type *type;

	if (debuginfo_variable(resolver->info, body, at, name, true, &variable) || !variable ||
	    variable->scope != SCOPE_PARAMETER ||
	    resolve_type(&resolver, body, variable->type->name, &type))
		return NULL;
	return variable->type->name;
}

static void cast_want(const struct alias *alias, struct want *want)
{
	struct arena *arena = alias->resolver->arena;
	const char *type = want->kind == WANT_VARIABLE ? parameter_type(alias, want->base) : NULL;
	struct step *steps;

	if (!type)
		return;
	steps = arena_array(arena, struct step, want->nsteps + 1);
	steps[0] = (struct step){.kind = STEP_CAST, .name = type, .span = want->base_span};
	for (unsigned i = 0; i < want->nsteps; i++)
		steps[i + 1] = want->steps[i];
	want->steps = steps;
	want->nsteps++;
}

static void add_parameters(const struct alias *alias, const struct want *all, struct spec *spec)
{
	const struct instance *body = alias->bodies[0];
	struct position at = entry_of(body);
	struct debuginfo *info = alias->resolver->info;
	struct variable *variables;
	unsigned count;

	if (debuginfo_variables(info, body, at, false, &variables, &count))
		return;
	spec->wants =
		arena_grow(alias->resolver->arena, spec->wants, spec->nwants * sizeof(*spec->wants),
			   (spec->nwants + count + alias->spec->nwants) * sizeof(*spec->wants));
	for (unsigned i = 0; i < count; i++) {
		bool is_there = variables[i].scope != SCOPE_PARAMETER;

		for (unsigned j = 0; j < alias->spec->nwants; j++)
			is_there |= !strcmp(alias->spec->wants[j].base, variables[i].name);
		for (unsigned j = 0; j < spec->nwants; j++)
			is_there |= !strcmp(spec->wants[j].base, variables[i].name);
		if (!is_there)
			spec->wants[spec->nwants++] = (struct want){
				.span = all->span,
				.base = variables[i].name,
				.base_span = all->base_span,
				.is_expanded = true,
			};
	}
}

/* The wants, with the parameters cast to their own types. */
static void copy_wants(const struct alias *alias, struct spec *spec)
{
	const struct spec *from = alias->spec;

	spec->wants = arena_array(alias->resolver->arena, struct want, from->nwants + 1);
	spec->nwants = 0;
	for (unsigned i = 0; i < from->nwants; i++) {
		if (from->wants[i].kind == WANT_ALL)
			add_parameters(alias, &from->wants[i], spec);
		else
			spec->wants[spec->nwants++] = from->wants[i];
	}
	for (unsigned i = 0; i < spec->nwants; i++)
		cast_want(alias, &spec->wants[i]);
}

/* Events are named after what the user asked for. */
static const char *alias_event(const struct alias *alias)
{
	const struct spec *spec = alias->spec;

	if (spec->event || spec->place.kind == PLACE_PATTERN || place_is_range(&spec->place))
		return spec->event;
	if (spec->place.kind == PLACE_LINE)
		return arena_printf(alias->resolver->arena, "%s_L%u", spec->place.function,
				    spec->place.line);
	return spec->place.kind == PLACE_RETURN ?
	       arena_printf(alias->resolver->arena, "%s__return", spec->place.function) :
	       spec->place.function;
}

static struct spec *alias_spec(const struct alias *alias, const char *function)
{
	struct spec *spec = arena_new(alias->resolver->arena, struct spec);

	*spec = *alias->spec;
	spec->event = alias_event(alias);
	spec->place.function = function;
	return spec;
}

static bool is_symbol(const struct resolver *resolver, const char *name)
{
	unsigned count;

	return target_symbol_named(resolver->target, name, &count);
}

static bool is_known(struct resolver *resolver, const char *name)
{
	struct instance **instances;
	unsigned count;

	return debuginfo_instances(resolver->info, name, &instances, &count) || count ||
	       is_symbol(resolver, name);
}

/* Whether the system call has a wrapper. */
static bool has_wrapper(const struct alias *alias)
{
	static const char *const kinds[] = {"x64", "ia32", "arm64", "riscv", "s390x", "do", "se"};
	const char *names[sizeof(kinds) / sizeof(*kinds)];
	size_t count = 0;

	for (; count < sizeof(kinds) / sizeof(*kinds); count++)
		names[count] = alias_name(alias, kinds[count]);
	target_expect_symbols(alias->resolver->target, names, count);
	while (count && !is_symbol(alias->resolver, names[count - 1]))
		count--;
	return count;
}

static bool find_bodies(struct alias *alias, const char *name)
{
	struct resolver *resolver = alias->resolver;

	alias->prefix = !strncmp(name, "compat_sys_", 11) ? "compat_sys_" : "sys_";
	alias->call = !strncmp(name, alias->prefix, strlen(alias->prefix)) ?
		      name + strlen(alias->prefix) : name;
	return !is_known(resolver, name) && has_wrapper(alias) &&
	       !debuginfo_instances(resolver->info, alias_name(alias, "do"),
				    &alias->bodies, &alias->nbodies) && alias->nbodies;
}

void alias_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count)
{
	struct alias alias = {.resolver = resolver};

	if (resolver->target->kind != TARGET_KERNEL || !find_bodies(&alias, name))
		return;
	*ret = alias.bodies;
	*count = alias.nbodies;
}

unsigned alias_specs(struct resolver *resolver, const struct spec *spec,
		     const struct spec *ret[ALIASES_MAX])
{
	struct alias alias = {.resolver = resolver, .spec = spec};
	const struct place *place = &spec->place;
	unsigned count = 0;
	struct spec *entry;

	if (resolver->target->kind != TARGET_KERNEL || !place->function || place->has_address ||
	    is_glob(place->function) || strchr(place->function, '.') ||
	    !find_bodies(&alias, place->function))
		return 0;
	if (place->kind == PLACE_FUNCTION && is_known(resolver, alias_name(&alias, "se"))) {
		entry = alias_spec(&alias, alias_name(&alias, "se"));
		copy_wants(&alias, entry);
		ret[count++] = entry;
	}
	ret[count++] = alias_spec(&alias, alias_name(&alias, "do"));
	return count;
}
