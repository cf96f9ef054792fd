// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaves out of a list of lines what the kernel takes no uprobe at. A line stays if one of the
 * addresses that a probe of it would choose can be probed, whatever its other rows are.
 */
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/internal.h"
#include "resolve/listing.h"
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
	}
}
