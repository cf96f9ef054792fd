// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remembers what is at the addresses of stacks: the same few come again and again. The surprise: a
 * full table forgets all of them, so an answer is good until the next one is kept.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "cmd/stacks/stack_frames.h"
#include "ktrace/debuginfo.h"

#define NAMED_MAX 16384u

static const char *keep(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

struct named *named_new(struct arena *arena, const char *module, uint64_t address,
			const struct code_place *places, unsigned count)
{
	struct named *named = calloc(1, sizeof(*named) + (count + 1) * sizeof(*named->frames));

	if (!named)
		return NULL;
	named->address = address;
	named->count = count ?: 1;
	named->frames[0].module = module;
	for (unsigned i = 0; i < count; i++)
		named->frames[i] = (struct stack_frame){
			.function = keep(arena, places[i].function),
			.offset = places[i].is_inlined ? 0 : address - places[i].entry,
			.file = keep(arena, places[i].file),
			.line = places[i].line,
			.module = module,
			.is_inlined = places[i].is_inlined,
		};
	return named;
}

static struct named **slot(const struct named_table *table, uint64_t address)
{
	unsigned at = number_hash(address);

	while (table->slots[at % (2 * NAMED_MAX)] &&
	       table->slots[at % (2 * NAMED_MAX)]->address != address)
		at++;
	return &table->slots[at % (2 * NAMED_MAX)];
}

struct named *named_find(const struct named_table *table, uint64_t address)
{
	return table->slots ? *slot(table, address) : NULL;
}

void named_forget(struct named_table *table)
{
	for (unsigned i = 0; table->slots && i < 2 * NAMED_MAX; i++)
		free(table->slots[i]);
	free(table->slots);
	*table = (struct named_table){0};
}

const struct named *named_keep(struct named_table *table, struct named *named)
{
	if (!named)
		return NULL;
	if (table->count == NAMED_MAX)
		named_forget(table);
	if (!table->slots)
		table->slots = calloc(2 * NAMED_MAX, sizeof(*table->slots));
	if (!table->slots) {
		free(named);
		return NULL;
	}
	*slot(table, named->address) = named;
	table->count++;
	return named;
}
