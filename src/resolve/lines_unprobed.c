// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaves out of a list of lines what the kernel takes no uprobe at. A line stays if one of the
 * addresses that a probe of it would choose can be probed, whatever its other rows are.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/internal.h"
#include "resolve/listing.h"
#include "resolve/passes/merged.h"
#include "resolve/points/points.h"

/* Whether a probe of the line has a place left in the copy; *missing: whether it lacks one. */
static bool has_place(struct resolver *resolver, const struct instance *instance, unsigned line,
		      bool *missing)
{
	struct candidates chosen;
	bool has = false;

	if (!line_addresses(resolver, instance, line, &chosen))
		return false;
	for (unsigned i = 0; i < chosen.count; i++)
		if (code_unprobed(resolver, chosen.addresses[i]))
			*missing = true;
		else
			has = true;
	return has;
}

/* Whether a probe of the line that declares the copy's function lacks a place where it begins. */
static bool lacks_entry(struct resolver *resolver, const struct instance *copy)
{
	struct points points = {0};

	if (line_points(resolver, copy, copy->function->line, false, &points))
		return false;
	for (unsigned i = 0; i < points.count; i++)
		if (code_unprobed(resolver, points.list[i].at.address))
			return true;
	return false;
}

/* Copies without a row of the line are probed there, too. */
static void mark_unprobed_entries(struct line_list *list, unsigned line, struct spare *spare)
{
	struct listed_line *at = &list->lines[line - list->first];
	const struct function *function = at->count ? at->places->instance->function : NULL;
	struct instance **all;
	unsigned count;

	if (!function || function->line != line || at->has_fewer ||
	    list->resolver->target->kind != TARGET_PROGRAM ||
	    debuginfo_instances(list->resolver->info, function->name, &all, &count))
		return;
	for (unsigned i = 0; i < count && !at->has_fewer; i++)
		at->has_fewer = is_same_function(all[i]->function, function) &&
				lacks_entry(list->resolver, all[i]);
	spare_tidy(spare, list->resolver);
}

static const char *why_unprobed(struct resolver *resolver, const struct listed_line *at)
{
	const char *why = NULL;

	for (unsigned i = 0; !why && i < at->count; i++)
		why = code_unprobed(resolver, at->places[i].address);
	return why;
}

static void drop_places(struct resolver *resolver, struct listed_line *at)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < at->count; i++)
		if (!code_unprobed(resolver, at->places[i].address))
			at->places[kept++] = at->places[i];
	at->count = kept;
}

void drop_unprobed_lines(struct line_list *list, struct spare *spare)
{
	for (unsigned i = 0; i <= list->last - list->first; i++) {
		struct listed_line *at = &list->lines[i];
		const char *why = why_unprobed(list->resolver, at);
		bool has = false, missing = false;

		for (unsigned j = 0; why && j < at->count; j++)
			has |= has_place(list->resolver, at->places[j].instance, list->first + i,
					 &missing);
		if (why && !has) {
			at->count = 0;
			list->unprobed++;
			list->why_unprobed = arena_strdup(list->arena, why);
		} else if (why) {
			drop_places(list->resolver, at);
			at->has_fewer |= missing;
		}
		spare_tidy(spare, list->resolver);
		mark_unprobed_entries(list, list->first + i, spare);
	}
}
