// SPDX-License-Identifier: GPL-2.0-only
/* Writes the index of names: see index.c. */
#include <stdlib.h>

#include "pack/build.h"
#include "pack/index.h"

static int compare_entries(const void *left, const void *right)
{
	const struct name_entry *a = left, *b = right;

	return a->key != b->key ? (a->key > b->key) - (a->key < b->key) :
				  (a->target > b->target) - (a->target < b->target);
}

static void put_entries(struct strbuf *out, const struct name_entry *list, size_t count,
			uint32_t first)
{
	put_leb(out, count);
	for (size_t i = 0; i < count; i++)
		put_leb(out, list[i].key - (i ? list[i - 1].key : first));
	for (size_t i = 0; i < count; i++)
		put_leb(out, list[i].target);
}

/* Sorted, each once. */
static void sort_names(struct build *build)
{
	size_t kept = 0;

	if (build->nnames)
		qsort(build->names, build->nnames, sizeof(*build->names), compare_entries);
	for (size_t i = 0; i < build->nnames; i++)
		if (!kept || compare_entries(&build->names[kept - 1], &build->names[i]))
			build->names[kept++] = build->names[i];
	build->nnames = kept;
}

void put_index(struct build *build, struct coded *coded)
{
	size_t count = 1, at = 0;
	unsigned shift;

	sort_names(build);
	while (build->nnames / count > NAMES_EACH)
		count *= 2;
	shift = KEY_BITS - index_bits(count);
	coded->counts[GROUP_NAMES] = count;
	coded->blocks[GROUP_NAMES] = arena_array(build->arena, struct coded_block, count);
	for (size_t i = 0; i < count; i++) {
		size_t first = at;

		while (at < build->nnames && build->names[at].key >> shift == i)
			at++;
		put_entries(&coded->blocks[GROUP_NAMES][i].streams[0], build->names + first,
			    at - first, (uint32_t)(i << shift));
	}
}
