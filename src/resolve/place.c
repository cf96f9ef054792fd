// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spec's place in, the points to probe out. Names are looked for in the debug information first,
 * then among the symbols: assembly, and clones by their full name (foo.cold), have only those.
 * Patterns and addresses are other files' work (pattern.c, symbol.c), and so are other names (alias.c).
 */
#include <fnmatch.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "target/target.h"

static void keep_file(struct instance **instances, unsigned *count, const char *file)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < *count; i++)
		if (file_matches(instances[i]->function->file, file))
			instances[kept++] = instances[i];
	*count = kept;
}

static struct error *not_in_file(struct resolver *resolver, struct instance *const *instances,
				 unsigned count, const char *function, const char *file,
				 const char *text, struct span span)
{
	const char *at = strstr(text + span.end, file); /* not where it is quoted */
	char *files = NULL;
	struct error *error;

	if (at)
		span = (struct span){(unsigned)(at - text), (unsigned)(at - text + strlen(file))};
	for (unsigned i = 0; i < count; i++)
		if (!files || !strstr(files, instances[i]->function->file))
			files = files ? arena_printf(resolver->arena, "%s, %s", files,
						     instances[i]->function->file)
				      : arena_strdup(resolver->arena, instances[i]->function->file);
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no '%s' in a file '%s'",
				   function, file), text, span);
	return error_hint(resolver->arena, error, "it is in %s", files);
}

static void append_instances(struct resolver *resolver, struct instance **more, unsigned nmore,
			     struct instance ***ret, unsigned *count)
{
	*ret = arena_grow(resolver->arena, *ret, *count * sizeof(**ret),
			  (*count + nmore) * sizeof(**ret));
	for (unsigned i = 0; i < nmore; i++)
		(*ret)[*count + i] = more[i];
	*count += nmore;
}

/* malloc is a symbol of libc at the entry of a function that the source calls __libc_malloc. */
static struct error *symbol_instances(struct resolver *resolver, const char *name,
				      struct instance ***ret, unsigned *count)
{
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, name, &nsymbols);
	uint64_t last = 0;

	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *symbol = &symbols[i];
		struct instance **more;
		struct error *error;
		unsigned nmore;

		if (!symbol->is_function || symbol->is_resolver || symbol->address == last ||
		    fnmatch(name, symbol->name, 0))
			continue;
		last = symbol->address;
		error = resolver->info->ops->function_at(resolver->info, last, &more, &nmore);
		if (error)
			return error;
		append_instances(resolver, more, nmore, ret, count);
	}
	return NULL;
}

struct error *named_instances(struct resolver *resolver, const char *name, struct instance ***ret,
			      unsigned *count)
{
	struct error *error = resolver->info->ops->instances(resolver->info, name, ret, count);

	if (error || *count || resolver->target->kind != TARGET_PROGRAM || is_glob(name))
		return error;
	error = symbol_instances(resolver, name, ret, count);
	if (error || *count)
		return error;
	return generic_instances(resolver, name, ret, count);
}

/* The instances of the name are found; where there are none, other ways to say it, and the file. */
static struct error *choose_instances(struct resolver *resolver, const char *function,
				      const char *file, const char *text, struct span span,
				      struct instance ***ret, unsigned *count)
{
	unsigned all;

	if (!*count)
		clone_instances(resolver, function, ret, count);
	if (!*count)
		alias_instances(resolver, function, ret, count);
	all = *count;
	if (!all)
		return unknown_function(resolver, function, text, span);
	if (file)
		keep_file(*ret, count, file);
	if (!*count)
		return not_in_file(resolver, *ret, all, function, file, text, span);
	return NULL;
}

struct error *resolve_instances(struct resolver *resolver, const char *function, const char *file,
				const char *text, struct span span, struct instance ***ret,
				unsigned *count)
{
	struct error *error = named_instances(resolver, function, ret, count);

	return error ? error : choose_instances(resolver, function, file, text, span, ret, count);
}

static void make_room(struct resolver *resolver, struct points *points, unsigned size)
{
	points->list = arena_grow(resolver->arena, points->list,
				  points->count * sizeof(*points->list), size * sizeof(*points->list));
	points->size = size;
}

void points_add(struct resolver *resolver, struct points *points, const struct instance *instance,
	       struct position at, unsigned line)
{
	if (points->count == points->size)
		make_room(resolver, points, points->size ? 2 * points->size : 1);
	points->list[points->count++] = (struct point){
		.instance = instance,
		.at = at,
		.line = line,
	};
}

struct position entry_of(const struct instance *instance)
{
	return (struct position){instance->entry, instance->entry_view, false};
}

/* Nobody calls a cold part: it is jumped to. */
static struct error *no_return(struct resolver *resolver, const struct spec *spec, const char *name)
{
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "'%s' is a part of a function: it is not "
			  "called, so it has no return of its own", name),
		spec->text, spec->place.span);

	return error_hint(resolver->arena, error, "write %.*s%%return",
			  (int)strcspn(name, "."), name);
}

static struct error *offset_outside(struct resolver *resolver, const struct spec *spec,
				    uint64_t size)
{
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "offset %llu is outside '%s'",
			  (unsigned long long)spec->place.offset, spec->place.function),
		spec->text, spec->place.offset_span);

	return error_hint(resolver->arena, error, "its last byte is %s+%llu", spec->place.function,
			  (unsigned long long)size - 1);
}

/* Functions that only the symbol table knows. */
static struct error *symbol_points(struct resolver *resolver, const struct spec *spec,
				   const char *name, struct points *points)
{
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, name, &nsymbols);
	uint64_t offset = spec->place.offset, size = 0;
	bool is_return = spec_is_return(spec);

	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *symbol = &symbols[i];

		if (!symbol->section || fnmatch(name, symbol->name, 0))
			continue;
		if (!symbol->is_function && symbol->size)
			continue; /* data */
		size = symbol->size ?: size;
		if (offset && offset >= symbol->size)
			continue;
		if (is_return && strstr(symbol->name, ".cold"))
			return no_return(resolver, spec, symbol->name);
		points_add(resolver, points, clone_instance(resolver, symbol->name, symbol->address),
		    (struct position){symbol->address + offset, VIEW_LAST, false}, 0);
		points->list[points->count - 1].symbol = symbol->name;
	}
	return size && offset && !points->count ? offset_outside(resolver, spec, size) : NULL;
}

static struct error *check_boundary(struct resolver *resolver, const struct spec *spec,
				    const struct instance *instance, uint64_t address)
{
	struct flow *flow = flow_build(resolver, instance->outer_ranges, instance->nouter_ranges,
				       instance->entry);
	uint64_t before = address, after = address;
	struct error *error;

	if (!flow || flow_has(flow, address))
		return NULL;
	while (before > instance->entry && !flow_has(flow, before))
		before--;
	for (unsigned i = 0; i < 16 && !flow_has(flow, after); i++)
		after++;
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
				   "offset %llu of '%s' lies inside an instruction",
				   (unsigned long long)spec->place.offset, spec->place.function),
			 spec->text, spec->place.offset_span);
	return error_hint(resolver->arena, error, "instructions begin at +%llu and +%llu",
			  (unsigned long long)(before - instance->entry),
			  (unsigned long long)(after - instance->entry));
}

static struct error *offset_points(struct resolver *resolver, const struct spec *spec,
				   struct instance *const *instances, unsigned count,
				   struct points *points)
{
	uint64_t size = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = instances[i];
		uint64_t address = instance->entry + spec->place.offset;
		struct error *error;

		if (instance->inlined)
			continue;
		for (unsigned j = 0; j < instance->nranges; j++) {
			if (instance->ranges[j].start == instance->entry)
				size = instance->ranges[j].end - instance->entry;
			if (address < instance->ranges[j].start || address >= instance->ranges[j].end)
				continue;
			error = check_boundary(resolver, spec, instance, address);
			if (error)
				return error;
			points_add(resolver, points, instance,
				  (struct position){address, VIEW_LAST, false}, 0);
		}
	}
	return points->count ? NULL : offset_outside(resolver, spec, size);
}

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

static struct error *return_points(struct resolver *resolver, const struct spec *spec,
				   struct instance *const *instances, unsigned count,
				   struct points *points)
{
	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = instances[i];

		if (instance->inlined && is_syscall_body(instance->function->name))
			instance = clone_instance(resolver, instance->outer, instance->entry);
		if (instance && !instance->inlined)
			points_add(resolver, points, instance, entry_of(instance),
				  instance->function->line);
	}
	return points->count ? NULL : all_inlined(resolver, spec, instances[0]);
}

static struct error *lines_of(struct resolver *resolver, const struct spec *spec,
			      struct instance *const *instances, unsigned count, bool every,
			      struct points *points)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned line = spec->place.line +
			(spec->place.kind == PLACE_LINE ? instances[i]->function->line : 0);
		struct error *error = line_points(resolver, instances[i], line, every, points);

		if (error)
			return error;
	}
	return points->count ? NULL : unknown_line(resolver, spec, instances, count);
}

/* Compilers are called with ./include/x.h here and include/x.h there. */
static const char *plain_path(const char *file)
{
	return strncmp(file, "./", 2) ? file : file + 2;
}

/* core.c is the name of many files. */
struct error *one_file(struct resolver *resolver, const struct spec *spec,
			      struct instance *const *instances, unsigned count)
{
	enum { MOST = 8 };
	const char *files[MOST], *list = NULL;
	unsigned nfiles = 0;

	for (unsigned i = 0; i < count; i++) {
		const char *file = plain_path(instances[i]->function->file);
		bool again = false;

		for (unsigned j = 0; j < nfiles; j++)
			again |= !strcmp(files[j], file);
		if (again)
			continue;
		if (nfiles == MOST) {
			list = arena_printf(resolver->arena, "%s...", list);
			break;
		}
		files[nfiles++] = file;
		list = list ? arena_printf(resolver->arena, "%s, %s", list, file) : file;
	}
	if (nfiles < 2)
		return NULL;
	return error_hint(resolver->arena, error_at(
		spec->place.kind == PLACE_PATTERN ?
		error_new(resolver->arena, ERROR_AMBIGUOUS, "several files are called '%s'",
			  spec->place.file) :
		error_new(resolver->arena, ERROR_AMBIGUOUS, "several files '%s' have code at line %u",
			  spec->place.file, spec->place.line), spec->text, spec->place.file_span),
			  "say which: %s", list);
}

struct error *unknown_file(struct resolver *resolver, const struct spec *spec)
{
	return error_hint(resolver->arena, error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "no source file '%s' in '%s'",
			  spec->place.file, resolver->target->path), spec->text,
		spec->place.file_span), "file names are matched by whole path components from "
			  "the end, as in net/core/dev.c");
}

static struct error *file_points(struct resolver *resolver, const struct spec *spec, bool every,
				 struct points *points)
{
	const struct place *place = &spec->place;
	struct instance **instances;
	struct error *error;
	unsigned count;
	bool known;

	error = resolver->info->ops->instances_at_lines(resolver->info, place->file, place->line,
							place->line, &instances, &count, &known);
	if (!error)
		error = one_file(resolver, spec, instances, count);
	if (error)
		return error;
	if (count)
		return lines_of(resolver, spec, instances, count, every, points);
	if (!known)
		return unknown_file(resolver, spec);
	return error_hint(resolver->arena, error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "no code at line %u of '%s'",
			  place->line, place->file), spec->text, place->line_span),
			  "see which lines have code: ktrace lines %s:%u+20", place->file,
			  place->line > 10 ? place->line - 10 : 1);
}

/* memcpy@GLIBC_2.2.5 names a version of a symbol rather than a file. */
static const char *place_name(struct resolver *resolver, const struct place *place,
			      const char **file)
{
	const char *both = place->file ? arena_printf(resolver->arena, "%s@%s", place->function,
						      place->file) : NULL;
	unsigned count;

	*file = place->file;
	if (!both || resolver->target->kind != TARGET_PROGRAM ||
	    !target_symbol_named(resolver->target, both, &count))
		return place->function;
	*file = NULL;
	return both;
}

static void entry_points(struct resolver *resolver, struct instance *const *instances,
			 unsigned count, struct points *points)
{
	for (unsigned i = 0; i < count; i++)
		points_add(resolver, points, instances[i], entry_of(instances[i]),
			  instances[i]->function->line);
}

/* What debug information and what symbols know by the names that match. */
static struct error *glob_points(struct resolver *resolver, const struct spec *spec, const char *glob,
				 struct instance **instances, unsigned count, bool every,
				 struct points *points)
{
	enum place_kind kind = spec->place.kind;
	struct error *error = NULL;

	if (count && kind == PLACE_LINE)
		return lines_of(resolver, spec, instances, count, every, points);
	if (count && kind == PLACE_OFFSET)
		return offset_points(resolver, spec, instances, count, points);
	make_room(resolver, points, count + count / 8 + 1); /* of symbols there are few more */
	for (unsigned i = 0; i < count; i++)
		if (kind == PLACE_FUNCTION || !instances[i]->inlined)
			entry_points(resolver, &instances[i], 1, points);
	if (kind == PLACE_FUNCTION || kind == PLACE_RETURN)
		error = glob_symbols(resolver, glob, kind == PLACE_RETURN, points);
	if (error || points->count)
		return error;
	return count ? all_inlined(resolver, spec, instances[0]) :
	       unknown_function(resolver, glob, spec->text, spec->place.function_span);
}

/* The functions that the copies lie in: how many symbols have such a name is asked at the end. */
static void expect_outer(struct resolver *resolver, struct instance *const *instances, unsigned count)
{
	const char *names[16];
	unsigned nnames = 0;

	for (unsigned i = 0; i < count && nnames < sizeof(names) / sizeof(*names); i++)
		if (instances[i]->outer && (!nnames || strcmp(names[nnames - 1], instances[i]->outer)))
			names[nnames++] = instances[i]->outer;
	target_expect_symbols(resolver->target, names, nnames);
}

static struct error *function_points(struct resolver *resolver, const struct spec *spec,
				     bool every, struct points *points)
{
	const struct place *place = &spec->place;
	struct instance **instances;
	const char *name, *file;
	struct error *error;
	unsigned count;

	name = place_name(resolver, place, &file);
	error = named_instances(resolver, name, &instances, &count);
	if (error)
		return error;
	expect_outer(resolver, instances, count);
	if (is_glob(name) && !file)
		return glob_points(resolver, spec, name, instances, count, every, points);
	if (!count && place->kind == PLACE_LINE && !file)
		clone_ranges(resolver, name, &instances, &count);
	else if (!count && !file) {
		error = symbol_points(resolver, spec, name, points);
		if (error || points->count)
			return error;
	}
	if (count && place->kind == PLACE_LINE && !file)
		return lines_of(resolver, spec, instances, count, every, points);
	error = choose_instances(resolver, name, file, spec->text, place->function_span, &instances,
				 &count);
	if (error)
		return error;
	if (place->kind == PLACE_RETURN)
		return return_points(resolver, spec, instances, count, points);
	if (place->kind == PLACE_OFFSET)
		return offset_points(resolver, spec, instances, count, points);
	if (place->kind == PLACE_LINE)
		return lines_of(resolver, spec, instances, count, every, points);
	entry_points(resolver, instances, count, points);
	return NULL;
}

/* Where a program's arguments are not stored yet, the entry moves behind the stores. */
static void add_prologues(struct resolver *resolver, struct points *points)
{
	for (unsigned i = 0; i < points->count; i++) {
		struct point *point = &points->list[i];

		if (!point->instance || point->instance->inlined ||
		    resolver->target->kind != TARGET_PROGRAM)
			continue;
		point->prologue = prologue_read(resolver, point->instance,
						point->at.address == point->instance->entry);
		if (point->at.address == point->instance->entry)
			point->nalternatives = prologue_addresses(resolver, point->prologue,
								  &point->alternatives);
	}
}

static struct error *find_points(struct resolver *resolver, const struct spec *spec, bool every,
				 struct point **ret, unsigned *count)
{
	struct points points = {0};
	const struct place *place = &spec->place;
	struct error *error = place->kind == PLACE_FILE ?
		file_points(resolver, spec, every, &points) :
		place->kind == PLACE_PATTERN ? pattern_points(resolver, spec, every, &points) :
		place->has_address ? address_points(resolver, spec, &points) :
		function_points(resolver, spec, every, &points);

	if (!error)
		add_prologues(resolver, &points);
	*ret = points.list;
	*count = points.count;
	return error;
}

/* Copies without an instruction of their own can begin at one address: one probe is for both. */
static unsigned drop_doubles(struct resolver *resolver, struct point *points, unsigned count)
{
	unsigned kept = 0, mask = 63;
	unsigned *table; /* index + 1 */

	while (mask < 2 * count)
		mask = 2 * mask + 1;
	table = arena_array(resolver->arena, unsigned, mask + 1);
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)(points[i].at.address * 0x9e3779b1u >> 7) & mask;

		while (table[at] && points[table[at] - 1].at.address != points[i].at.address)
			at = (at + 1) & mask;
		if (table[at])
			continue;
		points[kept++] = points[i];
		table[at] = kept;
	}
	return kept;
}

struct error *resolve_points(struct resolver *resolver, const struct spec *spec,
			     struct point **ret, unsigned *count)
{
	struct error *error = find_points(resolver, spec, false, ret, count);

	if (!error)
		*count = drop_doubles(resolver, *ret, *count);
	return error;
}

struct error *resolve_all_points(struct resolver *resolver, const struct spec *spec,
				 struct point **ret, unsigned *count)
{
	return find_points(resolver, spec, true, ret, count);
}
