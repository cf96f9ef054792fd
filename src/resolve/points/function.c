// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the points of a function as a place names it: entries, returns, lines or an offset, in all
 * its instances. What debug information doesn't know, assembly and clones by their full name
 * (foo.cold), is looked up among the symbols (symbol.c).
 */
#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "target/target.h"

static struct error *all_inlined(struct resolver *resolver, const struct spec *spec,
				 const struct instance *instance)
{
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND,
			  "'%s' is inlined everywhere: it has no return of its own",
			  spec->place.function), spec->text, spec->place.span);

	return error_hint(resolver->arena, error, "probe the function around it, %s%%return, or a "
			  "line of '%s'", instance->outer, spec->place.function);
}

bool is_part(const struct resolver *resolver, const struct instance *instance)
{
	const struct symbol *symbol = instance->inlined ? NULL :
				      target_symbol_at(resolver->target, instance->entry, NULL);

	return symbol && symbol->address == instance->entry && strstr(symbol->name, ".part.");
}

/* The out-of-line function that a copy is in; *ret: NULL: it isn't found. */
static struct error *function_around(struct resolver *resolver, const struct instance *copy,
				     const struct instance **ret)
{
	struct instance **all;
	unsigned count;
	struct error *error = debuginfo_instances(resolver->info, copy->outer, &all, &count);

	*ret = error ? NULL : clone_instance(resolver, copy->outer, copy->entry);
	return error;
}

/* An inlined copy has no return of its own, so its calls have no event. */
static void add_returnless(struct resolver *resolver, const struct spec *spec,
			   const struct instance *copy)
{
	if (spec->place.kind == PLACE_RETURN && copy->inlined)
		arena_append(resolver->arena, resolver->returnless, resolver->nreturnless) = copy;
}

static struct error *return_points(struct resolver *resolver, const struct spec *spec,
				   struct instance *const *instances, unsigned count,
				   struct points *points)
{
	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = instances[i];
		struct error *error = NULL;

		if (instance->inlined && is_syscall_body(instance->function->name))
			error = function_around(resolver, instance, &instance);
		if (error)
			return error;
		if (instance && !instance->inlined && !is_part(resolver, instance))
			points_add(resolver, points, instance, entry_of(instance),
				  instance->function->line);
		else if (instance)
			add_returnless(resolver, spec, instance);
	}
	return points->count ? NULL : all_inlined(resolver, spec, instances[0]);
}

/* memcpy@GLIBC_2.2.5 names a symbol version, not a file; the default version has the plain name. */
static const char *place_name(struct resolver *resolver, const struct place *place,
			      const char **file)
{
	const char *both = place->file ? arena_printf(resolver->arena, "%s@%s", place->function,
						      place->file) : NULL;
	unsigned count;

	const char *version;

	*file = place->file;
	if (!both || resolver->target->kind != TARGET_PROGRAM)
		return place->function;
	version = target_default_version(resolver->target, place->function);
	if (version && !strcmp(version, place->file))
		*file = NULL;
	if (!*file || !target_symbol_named(resolver->target, both, &count))
		return place->function;
	*file = NULL;
	return both;
}

struct error *entry_points(struct resolver *resolver, struct instance *const *instances,
			   unsigned count, struct points *points)
{
	unsigned before = points->count;
	struct error *error = NULL;

	for (unsigned i = 0; !error && i < count; i++) {
		find_beginning(resolver, instances[i]);
		find_bypass(resolver, instances[i], instances, count);
		error = line_points(resolver, instances[i], instances[i]->function->line, false,
				    points);
	}
	for (unsigned i = 0; i < count && points->count == before; i++)
		points_add(resolver, points, instances[i], entry_of(instances[i]),
			   instances[i]->function->line);
	return error;
}

/* Points of all matching names, of debug information and of symbols. */
static struct error *glob_points(struct resolver *resolver, const struct spec *spec,
				 const char *glob, struct instance **instances, unsigned count,
				 struct points *points)
{
	enum place_kind kind = spec->place.kind;
	struct error *error = NULL;

	points_make_room(resolver, points, count + count / 8 + 1); /* symbols add only a few */
	for (unsigned i = 0; i < count; i++) {
		if ((kind != PLACE_FUNCTION && instances[i]->inlined) ||
		    is_part(resolver, instances[i])) {
			add_returnless(resolver, spec, instances[i]);
			continue;
		}
		find_beginning(resolver, instances[i]);
		points_add_entries(resolver, points, instances[i]);
	}
	if (kind == PLACE_FUNCTION || kind == PLACE_RETURN)
		error = glob_symbols(resolver, glob, kind == PLACE_RETURN, points);
	if (error || points->count)
		return error;
	return count ? all_inlined(resolver, spec, instances[0]) :
	       unknown_function(resolver, glob, spec->text, spec->place.function_span);
}

/* Announces the functions that contain the instances: how many symbols have each name, and which
 * are at each address, is asked later. */
static void expect_outer(struct resolver *resolver, struct instance *const *instances,
			 unsigned count)
{
	enum { AT_ONCE = 16 };
	const char *names[AT_ONCE];
	uint64_t entries[AT_ONCE];
	unsigned nnames = 0;

	for (unsigned i = 0; i < count && nnames < AT_ONCE; i++)
		if (instances[i]->outer &&
		    (!nnames || strcmp(names[nnames - 1], instances[i]->outer))) {
			entries[nnames] = instances[i]->entry;
			names[nnames++] = instances[i]->outer;
		}
	target_expect_symbols(resolver->target, names, nnames);
	target_expect_places(resolver->target, entries, nnames);
}

struct error *function_points(struct resolver *resolver, const struct spec *spec, bool every,
			      struct points *points)
{
	const struct place *place = &spec->place;
	struct named_function named = {.text = spec->text, .span = place->function_span};
	struct instance **instances;
	struct error *error;
	unsigned count;

	named.name = place_name(resolver, place, &named.file);
	error = named_instances(resolver, &named, &instances, &count);
	if (error)
		return error;
	expect_outer(resolver, instances, count);
	if (is_glob(named.name) && !named.file) {
		if (count && place->kind == PLACE_LINE)
			return lines_of(resolver, spec, instances, count, every, points);
		if (count && place->kind == PLACE_OFFSET)
			return offset_points(resolver, spec, instances, count, points);
		return glob_points(resolver, spec, named.name, instances, count, points);
	}
	if (!count && place->kind == PLACE_LINE && !named.file)
		clone_ranges(resolver, named.name, &instances, &count);
	else if (!count && !named.file) {
		error = symbol_points(resolver, spec, named.name, points);
		if (error || points->count)
			return error;
	}
	if (count && place->kind == PLACE_LINE && !named.file)
		return lines_of(resolver, spec, instances, count, every, points);
	error = choose_instances(resolver, &named, &instances, &count);
	if (error)
		return error;
	if (place->kind == PLACE_RETURN)
		return return_points(resolver, spec, instances, count, points);
	if (place->kind == PLACE_OFFSET)
		return offset_points(resolver, spec, instances, count, points);
	if (place->kind == PLACE_LINE)
		return lines_of(resolver, spec, instances, count, every, points);
	return entry_points(resolver, instances, count, points);
}
