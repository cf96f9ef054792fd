// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the locations of file-scope variables that lie in another unit than their declaration. Only
 * link-time optimisation does that, and it may describe one variable several times. All of them are
 * listed at the first question: a program's far units have thousands, each asked for again and
 * again.
 */
#include <stdlib.h>

#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/far.h"
#include "debuginfo/search/search.h"

struct far {
	struct far_variable *list; /* by origin, then as in the file */
	size_t count;
};

static int compare(const void *a, const void *b)
{
	const struct far_variable *x = a, *y = b;

	if (x->origin != y->origin)
		return x->origin < y->origin ? -1 : 1;
	return x->handle < y->handle ? -1 : x->handle > y->handle;
}

static void list_unit(struct dwarf_info *info, Dwarf_Die *unit, struct far *far)
{
	Dwarf_Die die;

	if (die_child(info, unit, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable &&
		    dwarf_hasattr(&die, DW_AT_abstract_origin))
			arena_append(info->kept, far->list, far->count) = (struct far_variable){
				.origin = origin_handle(info, &die),
				.handle = die_handle(info, &die),
			};
	} while (!die_sibling(info, &die, &die));
}

static struct far *list_all(struct dwarf_info *info)
{
	struct far *far = arena_new(info->kept, struct far);
	Dwarf_Die unit;

	for (size_t i = 0; has_far_units(info) && i < info->nunits; i++)
		if (info->units[i].is_far && die_at(info, info->units[i].die, &unit))
			list_unit(info, &unit, far);
	if (far->count)
		qsort(far->list, far->count, sizeof(*far->list), compare);
	return far;
}

const struct far_variable *far_variables(struct dwarf_info *info, Dwarf_Off origin, size_t *count)
{
	const struct far_variable *first;
	size_t at;

	if (!info->far)
		info->far = list_all(info);
	at = partition_point(info->far->count, i, info->far->list[i].origin < origin);
	*count = 0;
	if (at == info->far->count)
		return NULL;
	first = info->far->list + at;
	while (at + *count < info->far->count && first[*count].origin == origin)
		++*count;
	return *count ? first : NULL;
}
