// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies a plan's texts, so that none of them lies in a file any more. Names are shown from the
 * mapped file; while a trace runs, the file's owner may write other words there, or truncate it.
 */
#include "plan/internal.h"

static const char *keep(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static const struct shape *keep_shape(struct arena *arena, const struct shape *shape);

static const struct enumerator *keep_enumerators(struct arena *arena, const struct shape *shape)
{
	struct enumerator *ret = arena_array(arena, struct enumerator, shape->nenumerators + 1);

	for (unsigned i = 0; i < shape->nenumerators; i++) {
		ret[i] = shape->enumerators[i];
		ret[i].name = keep(arena, ret[i].name);
	}
	return ret;
}

static const struct shape_member *keep_members(struct arena *arena, const struct shape *shape)
{
	struct shape_member *ret = arena_array(arena, struct shape_member, shape->nmembers + 1);

	for (unsigned i = 0; i < shape->nmembers; i++) {
		ret[i] = shape->members[i];
		ret[i].name = keep(arena, ret[i].name);
		ret[i].shape = keep_shape(arena, ret[i].shape);
	}
	return ret;
}

static const struct shape *keep_shape(struct arena *arena, const struct shape *shape)
{
	struct shape *ret;

	if (!shape)
		return NULL;
	ret = arena_new(arena, struct shape);
	*ret = *shape;
	ret->name = keep(arena, shape->name);
	ret->enumerators = keep_enumerators(arena, shape);
	ret->element = keep_shape(arena, shape->element);
	ret->members = keep_members(arena, shape);
	return ret;
}

static void keep_value(struct arena *arena, struct value *value)
{
	value->name = keep(arena, value->name);
	value->type_name = keep(arena, value->type_name);
	value->reason = keep(arena, value->reason);
	value->finish_text = keep(arena, value->finish_text);
	value->text = keep(arena, value->text);
	value->shape = keep_shape(arena, value->shape);
}

static void keep_fetch(struct arena *arena, struct fetch *fetch)
{
	fetch->field = keep(arena, fetch->field);
	fetch->body = keep(arena, fetch->body);
	fetch->type.words = keep(arena, fetch->type.words);
}

static const struct site *keep_site(struct arena *arena, const struct site *site)
{
	struct site *ret;

	if (!site)
		return NULL;
	ret = arena_new(arena, struct site);
	*ret = *site;
	ret->module = keep(arena, site->module);
	ret->path = keep(arena, site->path);
	ret->symbol = keep(arena, site->symbol);
	ret->shown_symbol = keep(arena, site->shown_symbol);
	ret->function = keep(arena, site->function);
	ret->file = keep(arena, site->file);
	ret->note = keep(arena, site->note);
	ret->entry = keep_site(arena, site->entry);
	ret->captures = NULL; /* what was planned from them is in the probe */
	ret->ncaptures = 0;
	return ret;
}

void plan_keep(struct plan *plan)
{
	struct arena *arena = plan->arena;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		struct probe *probe = &plan->probes[i];

		probe->site = keep_site(arena, probe->site);
		probe->group = keep(arena, probe->group);
		probe->event = keep(arena, probe->event);
		probe->shown = keep(arena, probe->shown);
		probe->head = keep(arena, probe->head);
		probe->definition = keep(arena, probe->definition);
		for (unsigned j = 0; j < probe->nvalues; j++)
			keep_value(arena, &probe->values[j]);
		for (unsigned j = 0; j < probe->nstarts; j++)
			keep_value(arena, &probe->starts[j]);
		for (unsigned j = 0; j < probe->nfetches; j++)
			keep_fetch(arena, &probe->fetches[j]);
	}
}
