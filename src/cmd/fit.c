// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the variant of a plan that was made for what runs here, by build-ids. A module that isn't
 * loaded is known by its file, which will be loaded.
 */
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "cmd/run.h"

struct fitting {
	struct arena *arena;
	const struct options *options;
	struct target *program; /* the last one opened */
	const char *path;       /* by which it was opened */
	struct error *missing;  /* why it couldn't be */
};

/* Each of several variants may name another path for the program. */
static void open_program(struct fitting *fitting, const char *path)
{
	path = fitting->options->program ?: path;
	if (fitting->path && !strcmp(fitting->path, path))
		return;
	if (fitting->program)
		target_close(fitting->program);
	fitting->program = NULL;
	fitting->path = path;
	fitting->missing = target_open_program(fitting->arena, path, NULL, &fitting->program);
}

static const char *module_file_id(struct arena *arena, const char *name)
{
	struct target *target;
	const char *ret;

	if (target_open_module(arena, name, NULL, NULL, &target))
		return NULL;
	ret = target->build_id ? arena_strdup(arena, target->build_id) : NULL;
	target_close(target);
	return ret;
}

/* The build-id of what there is here, or NULL. */
static const char *build_here(struct fitting *fitting, const struct build *build)
{
	switch (build->kind) {
	case TARGET_KERNEL:
		return target_running_id(fitting->arena, NULL);
	case TARGET_MODULE:
		return target_running_id(fitting->arena, build->name) ?:
			       module_file_id(fitting->arena, build->name);
	case TARGET_PROGRAM:
		open_program(fitting, build->name);
		return fitting->program ? fitting->program->build_id : NULL;
	}
	return NULL;
}

static const char *build_name(struct arena *arena, const struct fitting *fitting,
			      const struct build *build)
{
	return build->kind == TARGET_KERNEL ? "the kernel" : build->kind == TARGET_MODULE ?
	       arena_printf(arena, "the module '%s'", build->name) :
	       arena_printf(arena, "'%s'", fitting->path);
}

/* Adds a line for each build that isn't here. Returns whether there is none. */
static bool fits(struct fitting *fitting, const struct variant *variant, const char **lines)
{
	struct arena *arena = fitting->arena;
	bool ret = true;

	for (unsigned i = 0; i < variant->nbuilds; i++) {
		const struct build *build = &variant->builds[i];
		const char *here = build_here(fitting, build), *why;

		if (here && !strcmp(here, build->id))
			continue;
		ret = false;
		why = !here && fitting->missing && build->kind == TARGET_PROGRAM ?
			      fitting->missing->message :
			      NULL;
		*lines = arena_printf(arena, "%s\n  %s: the plan is for %s\n  %*s  here%s %s",
				      *lines, build_name(arena, fitting, build), build->id,
				      (int)strlen(build_name(arena, fitting, build)), "",
				      why ? ":" : " it is",
				      here	  ?:
					      why ?:
						    "not known");
	}
	return ret;
}

static struct error *no_fit(const struct fitting *fitting, const struct planfile *file,
			    const char *lines)
{
	struct error *error;

	if (file->nvariants == 1)
		error = error_new(fitting->arena, ERROR_NO_DEBUGINFO,
				  "'%s' was made for another build:", file->name);
	else
		error = error_new(fitting->arena, ERROR_NO_DEBUGINFO,
				  "none of the %u plans in '%s' is for a build that is "
				  "here:", file->nvariants, file->name);
	error->message = arena_printf(fitting->arena, "%s%s", error->message,
				      lines); /* on lines of their own */
	return error_hint(fitting->arena, error,
			  "make a plan where the debug information of this build is: ktrace plan; "
			  "with --force probes may be misplaced and values wrong%s", fitting->path ?
			  ", and the program may crash" : "");
}

struct error *fit_variant(struct arena *arena, const struct options *options,
			  const struct planfile *file, const struct variant **ret,
			  struct target **program)
{
	struct fitting fitting = {.arena = arena, .options = options};
	const char *lines = "";
	unsigned i = 0;

	while (i < file->nvariants && !fits(&fitting, &file->variants[i], &lines))
		i++;
	if (i == file->nvariants && options->force)
		fits(&fitting, &file->variants[i = 0], &lines); /* opens its program again */
	*ret = &file->variants[i < file->nvariants ? i : 0];
	*program = fitting.program;
	if (i == file->nvariants)
		return no_fit(&fitting, file, lines);
	return options->force && fitting.path && !fitting.program ? fitting.missing : NULL;
}
