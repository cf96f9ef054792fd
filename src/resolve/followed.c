// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known of a site whose hits are put together to calls: the copy of the function, the order of
 * sites that share an instruction, and whether a call may come there twice.
 *
 * The surprise: a loop may lead back to a function's very first instruction, where nothing tells a call
 * that begins from one that goes round.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"

static bool may_repeat(struct resolver *resolver, const struct instance *instance, uint64_t address)
{
	struct flow *flow = instance->inlined ? NULL : outer_flow(resolver, instance);

	return flow && flow_has(flow, address) && flow_reaches_from(flow, &address, 1, address, NULL, 0);
}

/* Whether the line is that of the out-of-line function's first row. */
static bool is_opening(struct resolver *resolver, const struct point *point)
{
	const struct instance *instance = point->instance;
	struct row *rows;
	unsigned count;

	if (instance->inlined || point->at.address != instance->entry ||
	    debuginfo_rows(resolver->info, instance, &rows, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].address == instance->entry)
			return rows[i].line == point->line && !strcmp(rows[i].file, instance->function->file);
	return false;
}

void resolve_followed(struct resolver *resolver, const struct spec *spec, const struct point *point,
		      struct position at, struct site *site)
{
	const struct instance *instance = point->instance;

	site->view = at.view;
	if (!instance)
		return;
	site->copy = !instance->inlined && is_part(resolver, instance) ? 0 : instance->entry;
	site->begins = spec->followed == FOLLOWED_BEGIN ||
		       (spec->followed == FOLLOWED_HEAD && at.address == instance->entry);
	site->is_opening = spec->followed == FOLLOWED_LINE && is_opening(resolver, point);
	site->may_repeat = (site->begins || site->is_opening) && may_repeat(resolver, instance, at.address);
}
