// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the points of FILE:LINE, in every function with code there. A file is named by the end of
 * its path; a name that several files have is refused.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "target/target.h"

static bool is_listed(const struct function *const *list, unsigned count,
		      const struct function *function)
{
	for (unsigned i = 0; i < count; i++)
		if (same_file(list[i]->directory, list[i]->file, function->directory,
			      function->file))
			return true;
	return false;
}

/* core.c is the name of many files. Returns those that the instances are in, joined; NULL if
 * only one. */
static const char *several_files(struct resolver *resolver, struct instance *const *instances,
				 unsigned count)
{
	enum { MOST = 8 };
	const struct function *files[MOST]; /* one function of each file */
	const char *list = NULL;
	unsigned nfiles = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct function *function = instances[i]->function;
		const char *file =
			strncmp(function->file, "./", 2) ? function->file : function->file + 2;

		if (is_listed(files, nfiles, function))
			continue;
		if (nfiles == MOST) {
			list = arena_printf(resolver->arena, "%s...", list);
			break;
		}
		files[nfiles++] = function;
		list = list ? arena_printf(resolver->arena, "%s, %s", list, file) : file;
	}
	return nfiles < 2 ? NULL : list;
}

struct error *one_file(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count)
{
	const char *list = several_files(resolver, instances, count);

	if (!list)
		return NULL;
	return error_hint(
		resolver->arena,
		error_at(spec->place.kind == PLACE_PATTERN ?
				 error_new(resolver->arena, ERROR_AMBIGUOUS,
					   "several files are called '%s'", spec->place.file) :
				 error_new(resolver->arena, ERROR_AMBIGUOUS,
					   "several files '%s' have code at line %u",
					   spec->place.file, spec->place.line),
			 spec->text, spec->place.file_span),
		"say which: %s", list);
}

struct error *resolve_one_file(struct resolver *resolver, const char *file,
			       struct instance *const *instances, unsigned count)
{
	const char *list = several_files(resolver, instances, count);

	if (!list)
		return NULL;
	return error_hint(resolver->arena, error_new(resolver->arena, ERROR_AMBIGUOUS,
			  "several files '%s' have code there", file), "say which: %s", list);
}

struct error *unknown_file(struct resolver *resolver, const struct spec *spec)
{
	const char *name = spec->place.file;
	unsigned count;
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "no source file '%s' in '%s'", name,
			  resolver->target->path), spec->text, spec->place.file_span);

	if (target_symbol_named(resolver->target, name, &count))
		return error_hint(resolver->arena, error,
				  "a function is called so: write %s@*:%u", name, spec->place.line);
	return blame_missing(resolver, hint_files(resolver, name, error));
}

static bool has_code(struct resolver *resolver, const char *file, unsigned first, unsigned last)
{
	struct instance **instances;
	unsigned count;
	bool known;

	return !debuginfo_instances_at_lines(resolver->info, (struct file_lines){file, first, last},
					     &instances, &count, &known) &&
	       count;
}

static unsigned below(unsigned line, unsigned span)
{
	return line > span ? line - span : 1;
}

/* The nearest lines with code, joined. Returns NULL if the file has none. */
static const char *nearest_lines(struct resolver *resolver, const char *file, unsigned line)
{
	enum { LEAST = 10 };
	unsigned span = LEAST, none = 0, first, last;

	for (; !has_code(resolver, file, below(line, span), line + span); span *= 4) {
		none = span;
		if (span >= 1u << 24)
			return NULL;
	}
	while (none && span - none > LEAST) {
		unsigned middle = none + (span - none) / 2;

		if (has_code(resolver, file, below(line, middle), line + middle))
			span = middle;
		else
			none = middle;
	}
	first = below(line, span);
	last = line + span;
	if (none && line > none && has_code(resolver, file, first, line - none))
		last = line - none;
	else if (none)
		first = line + none;
	return arena_printf(resolver->arena, "%s:%u-%u", file, first, last);
}

struct error *hint_nearest(struct resolver *resolver, const char *file, unsigned line,
			   struct error *error)
{
	const char *lines = nearest_lines(resolver, file, line);

	if (lines)
		return error_command(resolver->arena, error, "lines", lines,
				     "the nearest lines with code");
	return error_hint(resolver->arena, error, "debug information describes no function with "
			  "lines there (-gline-tables-only, or no line table); write FUNC or "
			  "FUNC+OFFSET");
}

static struct error *no_code_at(struct resolver *resolver, const struct spec *spec)
{
	const struct place *place = &spec->place;
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "no code at line %u of '%s'",
			  place->line, place->file), spec->text, place->line_span);

	return hint_nearest(resolver, place->file, place->line, error);
}

/* The line of a declaration is the function's beginning, in each of its copies: not all have a row
 * of it. */
static struct error *declared_there(struct resolver *resolver, const struct place *place,
				    struct instance ***instances, unsigned *count)
{
	const struct function *function = (*instances)[0]->function;
	struct instance **all;
	struct error *error;
	unsigned nall, kept = 0;

	for (unsigned i = 0; i < *count; i++)
		if ((*instances)[i]->function->line != place->line ||
		    strcmp((*instances)[i]->function->name, function->name))
			return NULL;
	error = debuginfo_instances(resolver->info, function->name, &all, &nall);
	if (error)
		return error;
	for (unsigned i = 0; i < nall; i++)
		if (all[i]->function->line == place->line &&
		    same_file(all[i]->function->directory, all[i]->function->file,
			      function->directory, function->file))
			all[kept++] = all[i];
	if (kept >= *count) {
		*instances = all;
		*count = kept;
	}
	return NULL;
}

struct error *file_points(struct resolver *resolver, const struct spec *spec, bool every,
			  struct points *points)
{
	const struct place *place = &spec->place;
	struct instance **instances;
	struct error *error;
	unsigned count;
	bool known;

	error = debuginfo_instances_at_lines(
		resolver->info, (struct file_lines){place->file, place->line, place->line},
		&instances, &count, &known);
	if (!error)
		error = one_file(resolver, spec, instances, count);
	if (!error && count)
		error = declared_there(resolver, place, &instances, &count);
	if (error)
		return error;
	if (count)
		return lines_of(resolver, spec, instances, count, every, points);
	if (!known)
		return unknown_file(resolver, spec);
	return blame_missing(resolver, no_code_at(resolver, spec));
}
