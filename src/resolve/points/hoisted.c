// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drops, of the addresses of a line without markers, code that was moved out of a loop: it is no
 * pass of the line.
 *
 * The surprise: such a line is most often a condition's second one. So its code comes behind the
 * marker of the statement that it belongs to, which is the nearest above.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"

/* The addresses of the nearest line above that has markers. */
static void collect_above(struct resolver *resolver, const struct instance *instance, unsigned line,
			  const struct row *rows, unsigned nrows, struct candidates *ret)
{
	unsigned above = 0;

	*ret = (struct candidates){.addresses =
					   arena_array(&resolver->scratch, uint64_t, nrows + 1)};
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_mark && rows[i].line < line && rows[i].line > above &&
		    rows[i].line > instance->function->line && is_own_row(instance, &rows[i]))
			above = rows[i].line;
	for (unsigned i = 0; above && i < nrows; i++)
		if (rows[i].is_mark && is_of_line(instance, &rows[i], above))
			ret->addresses[ret->count++] = rows[i].address;
}

void passes_drop_hoisted(struct resolver *resolver, const struct instance *instance, unsigned line,
			 const struct row *rows, unsigned nrows, const struct flow *flow,
			 struct candidates *list)
{
	struct candidates above,
		behind = {.addresses = arena_array(&resolver->scratch, uint64_t, list->count + 1)};

	if (list->count < 2 || line_has_mark(instance, line, rows, nrows))
		return;
	collect_above(resolver, instance, line, rows, nrows, &above);
	for (unsigned i = 0; above.count && i < list->count; i++)
		if (has_address(&above, list->addresses[i]) ||
		    !flow_reaches(flow, list->addresses[i], above.addresses, above.count))
			behind.addresses[behind.count++] = list->addresses[i];
	for (unsigned i = list->count; behind.count && i-- > 0;) {
		if (has_address(&behind, list->addresses[i]) ||
		    !flow_always_meets(flow, list->addresses[i], above.addresses, above.count, NULL,
				       0))
			continue;
		memmove(&list->addresses[i], &list->addresses[i + 1],
			(list->count - i - 1) * sizeof(*list->addresses));
		list->count--;
	}
}
