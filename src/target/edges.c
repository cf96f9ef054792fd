// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel in, the jumps that its code does not show out: static branches (__jump_table), which the
 * kernel patches from a nop to a jump and back, and exception fix-ups (__ex_table). Only of a linked
 * file: a module's tables are made by relocations when it is loaded.
 */
#include <stdlib.h>
#include <string.h>

#include "target/internal.h"

/* Both tables begin with two 32-bit offsets, each from its own place: arch/x86/include/asm/
 * jump_label.h (struct jump_entry), extable.h (struct exception_table_entry). */
struct table {
	const char *start;
	const char *stop;
	size_t row;
};

static const struct table tables[] = {
	{"__start___jump_table", "__stop___jump_table", 16},
	{"__start___ex_table", "__stop___ex_table", 12},
};

static int32_t read_s32(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void read_table(struct arena *arena, struct target *target, const struct table *table)
{
	unsigned count;
	const struct symbol *start = target_symbol_named(target, table->start, &count);
	const struct symbol *stop = target_symbol_named(target, table->stop, &count);
	size_t length, rows;
	const uint8_t *bytes;

	if (!start || !stop || stop->address <= start->address)
		return;
	bytes = target_bytes(target, start->address, &length);
	rows = (stop->address - start->address) / table->row;
	if (!bytes || length < rows * table->row)
		return;
	target->edges = arena_grow(arena, target->edges, target->nedges * sizeof(*target->edges),
				   (target->nedges + rows) * sizeof(*target->edges));
	for (size_t i = 0; i < rows; i++) {
		uint64_t at = start->address + i * table->row;
		const uint8_t *row = bytes + i * table->row;

		target->edges[target->nedges++] = (struct edge){
			.from = at + (uint64_t)(int64_t)read_s32(row),
			.to = at + 4 + (uint64_t)(int64_t)read_s32(row + 4),
		};
	}
}

static int edge_compare(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return a->from < b->from ? -1 : a->from > b->from;
}

const struct edge *target_edges(struct arena *arena, struct target *target, uint64_t start,
				uint64_t end, size_t *count)
{
	size_t low = 0, high;

	if (!target->has_edges && !target->is_relocatable) {
		for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
			read_table(arena, target, &tables[i]);
		if (target->nedges)
			qsort(target->edges, target->nedges, sizeof(*target->edges), edge_compare);
		target->has_edges = true;
	}
	while (low < target->nedges && target->edges[low].from < start)
		low++;
	for (high = low; high < target->nedges && target->edges[high].from < end; high++)
		;
	*count = high - low;
	return target->edges + low;
}
