// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the rows of a variant: the builds that it is for, the processor, and the options of the
 * trace that has no spec.
 */
#include <string.h>

#include "arch/arch.h"
#include "planfile/internal.h"

/* One that traces nothing would fit everywhere, and hide those behind it. */
struct error *end_variant(struct reading *reading)
{
	const struct variant *variant = reading->variant;
	struct error *error = end_planned(reading);

	if (error || !variant || variant->nspecs || variant->nevents)
		return error;
	return bad(reading, "the plan that begins at line %u has no spec and no event",
		   variant->line);
}

static struct error *read_plan(struct reading *reading)
{
	struct planfile *file = reading->file;
	const char *version;
	struct error *error = end_variant(reading);

	if (!error)
		error = read_one_word(reading, &version);
	if (error)
		return error;
	if (strcmp(version, PLANFILE_VERSION) != 0)
		return error_hint(
			reading->arena,
			bad(reading,
			    "this plan is of version %s, and this ktrace reads version %s",
			    version, PLANFILE_VERSION),
			"write it again with this ktrace, or run it with the one that wrote it");
	reading->variant = &arena_append(reading->arena, file->variants, file->nvariants);
	reading->variant->line = reading->line;
	return NULL;
}

static bool is_build_id(const char *text)
{
	size_t length = strlen(text);

	return length >= 16 && length <= 128 && length % 2 == 0 &&
	       !text[strspn(text, "0123456789abcdef")];
}

/* It becomes part of paths, and a name with a slash would be a file's: of a device, say, which
 * being opened changes. */
static bool is_module_name(const char *name)
{
	return *name &&
	       !name[strspn(name,
			    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

static struct error *read_build(struct reading *reading, enum target_kind kind)
{
	struct variant *variant = reading->variant;
	struct build build = {.kind = kind};
	struct error *error = read_fields(reading, &row_build[kind], &build);

	if (error)
		return error;
	if (!is_build_id(build.id))
		return bad(reading, "'%s' is not a build-id", build.id);
	if (kind != TARGET_KERNEL && (!build.name || !*build.name))
		return bad(reading, "the %s has no name", reading->word);
	if (kind == TARGET_MODULE && !is_module_name(build.name))
		return bad(reading, "'%s' is not the name of a module", build.name);
	for (const char *c = build.name; c && *c; c++)
		if ((unsigned char)*c < ' ')
			return bad(reading, "the name of the %s has a control character",
				   reading->word);
	for (unsigned i = 0; i < variant->nbuilds; i++)
		if (variant->builds[i].kind != TARGET_MODULE && kind != TARGET_MODULE)
			return bad(reading, "a plan is for one kernel or one program");
	arena_append(reading->arena, variant->builds, variant->nbuilds) = build;
	return NULL;
}

static struct error *read_kernel(struct reading *reading)
{
	return read_build(reading, TARGET_KERNEL);
}

static struct error *read_module(struct reading *reading)
{
	return read_build(reading, TARGET_MODULE);
}

static struct error *read_program(struct reading *reading)
{
	return read_build(reading, TARGET_PROGRAM);
}

static struct error *read_machine(struct reading *reading)
{
	const char *name;
	struct error *error = read_one_word(reading, &name);

	if (error)
		return error;
	reading->variant->arch = arch_named(name);
	return reading->variant->arch ?
		       NULL :
		       bad(reading, "this ktrace doesn't know the processor '%s'", name);
}

static struct error *read_filter(struct reading *reading)
{
	struct variant *variant = reading->variant;

	return read_one_word(reading,
			     &arena_append(reading->arena, variant->filters, variant->nfilters));
}

static struct error *read_event(struct reading *reading)
{
	struct variant *variant = reading->variant;

	return read_one_word(reading,
			     &arena_append(reading->arena, variant->events, variant->nevents));
}

const struct row_reader variant_rows[] = {
	{"plan", NOTHING, read_plan},
	{"kernel", A_PLAN, read_kernel},
	{"module", A_PLAN, read_module},
	{"program", A_PLAN, read_program},
	{"machine", A_PLAN, read_machine},
	{"filter", A_PLAN, read_filter},
	{"event", A_PLAN, read_event},
	{0},
};
