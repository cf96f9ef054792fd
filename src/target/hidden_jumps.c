// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the jumps that a target's code doesn't show: static branches (__jump_table), which the
 * kernel patches from a nop to a jump and back, and exception fix-ups (__ex_table).
 */
#include <stdlib.h>

#include "base/granules.h"
#include "target/code.h"
#include "target/image_table.h"

#define GRANULE_BITS 12

/* Rows of both tables begin with two 32-bit offsets, each relative to its own place:
 * arch/x86/include/asm/jump_label.h (struct jump_entry), extable.h (struct
 * exception_table_entry). */
static const struct image_table tables[] = {
	{"__start___jump_table", "__stop___jump_table", "__jump_table", 16, false},
	{"__start___ex_table", "__stop___ex_table", "__ex_table", 12, false},
};

static void read_table(struct target *target, const struct image_table *table)
{
	struct arena *arena = target->arena;
	size_t nfrom, nto;
	const uint64_t *from = image_table_field(arena, target, table, 0, &nfrom);
	const uint64_t *to = image_table_field(arena, target, table, 4, &nto);

	target->edges = arena_grow(arena, target->edges, target->nedges * sizeof(*target->edges),
				   (target->nedges + nfrom) * sizeof(*target->edges));
	for (size_t i = 0; i < nfrom && i < nto; i++)
		if (from[i] && to[i])
			target->edges[target->nedges++] = (struct edge){from[i], to[i]};
}

static int edge_compare(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return a->from < b->from ? -1 : a->from > b->from;
}

static void read_tables(struct target *target)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		read_table(target, &tables[i]);
	target->edges_at = arena_new(target->arena, struct granules);
	granules_init(target->edges_at, target->arena, GRANULE_BITS, target->nedges);
	for (size_t i = 0; i < target->nedges; i++)
		granules_add(target->edges_at, (uint32_t)i + 1, target->edges[i].from);
}

const struct edge *target_edges(struct target *target, struct arena *arena, uint64_t start,
				uint64_t end, size_t *count)
{
	struct edge *ret = NULL;

	*count = 0;
	if (target->kind == TARGET_PROGRAM)
		return NULL; /* the tables are the kernel's */
	if (!target->edges_at)
		read_tables(target);
	granules_each(target->edges_at, start, end, number)
		if (target->edges[number - 1].from - start < end - start)
			arena_append(arena, ret, *count) = target->edges[number - 1];
	if (*count)
		qsort(ret, *count, sizeof(*ret), edge_compare);
	return ret;
}
