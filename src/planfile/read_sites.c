// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the rows of a spec's sites: each with its entry, its values and their parts, and before
 * them the shapes that these refer to by number.
 */
#include "planfile/internal.h"

static struct error *read_shape(struct reading *reading)
{
	struct error *error = check_shape(reading);

	if (error)
		return error;
	reading->shape = arena_new(reading->arena, struct shape);
	return read_fields(reading, &row_shape, reading->shape);
}

static struct error *read_name(struct reading *reading)
{
	struct shape *shape = reading->shape;
	struct enumerator *list = (struct enumerator *)shape->enumerators;
	struct error *error = read_fields(reading, &row_name,
					  &arena_append(reading->arena, list, shape->nenumerators));

	shape->enumerators = list;
	return error;
}

static struct error *read_member(struct reading *reading)
{
	struct shape *shape = reading->shape;
	struct shape_member *list = (struct shape_member *)shape->members;
	struct error *error = read_fields(reading, &row_member,
					  &arena_append(reading->arena, list, shape->nmembers));

	shape->members = list;
	return error;
}

static const char *program_path(const struct variant *variant)
{
	for (unsigned i = 0; i < variant->nbuilds; i++)
		if (variant->builds[i].kind == TARGET_PROGRAM)
			return variant->builds[i].name;
	return NULL;
}

static struct error *read_site(struct reading *reading)
{
	struct sites *sites = reading->sites;
	struct error *error = check_shape(reading);

	if (error)
		return error;
	reading->site = &arena_append(reading->arena, sites->sites, sites->nsites);
	reading->capture = NULL;
	reading->site->path = program_path(reading->variant);
	return read_fields(reading, &row_site, reading->site);
}

static struct error *read_entry(struct reading *reading)
{
	struct site *entry = arena_new(reading->arena, struct site);

	if (reading->site->entry)
		return bad(reading, "a site has one entry");
	reading->site->entry = entry;
	entry->path = reading->site->path;
	return read_fields(reading, &row_entry, entry);
}

static struct error *read_captured(struct reading *reading)
{
	struct site *site = reading->site;

	if (site->ncaptures == reading->spec->nwants)
		return bad(reading, "the spec asks for %u values", reading->spec->nwants);
	reading->capture = &arena_append(reading->arena, site->captures, site->ncaptures);
	return read_fields(reading, &row_value, reading->capture);
}

static struct error *read_part(struct reading *reading)
{
	struct capture *capture = reading->capture;
	struct part_value *list = (struct part_value *)capture->parts;
	struct error *error = read_fields(reading, &row_part,
					  &arena_append(reading->arena, list, capture->nparts));

	capture->parts = list;
	return error;
}

static struct error *read_static(struct reading *reading)
{
	struct capture *capture = reading->capture;
	struct static_place *list = (struct static_place *)capture->statics;
	struct error *error = read_fields(reading, &row_static,
					  &arena_append(reading->arena, list, capture->nstatics));

	capture->statics = list;
	return error;
}

const struct row_reader site_rows[] = {
	{"shape", A_SPEC, read_shape},
	{"name", A_SHAPE, read_name},
	{"member", A_SHAPE, read_member},
	{"site", A_SPEC, read_site},
	{"entry", A_SITE, read_entry},
	{"value", A_SITE, read_captured},
	{"part", A_VALUE, read_part},
	{"static", A_VALUE, read_static},
	{0},
};
