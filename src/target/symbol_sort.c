// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts a target's symbols by address. A kernel has a hundred thousand of them, and comparing those
 * would take longer than anything else that is done for a single probe: so this is a radix sort,
 * into 65,536 buckets by 16 bits of the address at a time, from the lowest, up to four times.
 */
#include <stdlib.h>
#include <string.h>

#include "target/internal.h"
#include "target/symtab.h"

#define DIGIT_BITS 16
#define DIGITS     (64 / DIGIT_BITS)
#define HEAPS      (1u << DIGIT_BITS)

struct key {
	uint64_t address;
	uint32_t index;
};

static unsigned digit_of(uint64_t address, unsigned digit)
{
	return (unsigned)(address >> digit * DIGIT_BITS) & (HEAPS - 1);
}

/* Sorts keys by one digit, stably. Returns false when all have the same digit. */
static bool deal(const struct key *keys, size_t count, unsigned digit, uint32_t *starts,
		 struct key *ret)
{
	uint32_t sum = 0;

	memset(starts, 0, HEAPS * sizeof(*starts));
	for (size_t i = 0; i < count; i++)
		starts[digit_of(keys[i].address, digit)]++;
	if (starts[digit_of(keys[0].address, digit)] == count)
		return false;
	for (unsigned i = 0; i < HEAPS; i++) {
		uint32_t size = starts[i];

		starts[i] = sum;
		sum += size;
	}
	for (size_t i = 0; i < count; i++)
		ret[starts[digit_of(keys[i].address, digit)]++] = keys[i];
	return true;
}

static int symbol_compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void insert_sorted(struct symbol *symbols, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct symbol symbol = symbols[i];
		size_t at = i;

		for (; at && symbol_compare(&symbol, &symbols[at - 1]) < 0; at--)
			symbols[at] = symbols[at - 1];
		symbols[at] = symbol;
	}
}

/* A few symbols share an address, sometimes a thousand. */
static void sort_names(struct symbol *list, size_t count, const struct key *keys)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count; end++)
			if (keys[end].address != keys[i].address)
				break;
		if (end - i <= 8)
			insert_sorted(&list[i], end - i);
		else
			qsort(&list[i], end - i, sizeof(*list),
			      symbol_compare);
	}
}

/* Moves from a copy: permuting in place would wait for memory at each step. */
static bool move_symbols(struct symbol *list, size_t count, const struct key *keys)
{
	size_t size = count * sizeof(*list);
	struct symbol *copy = malloc(size);

	if (!copy)
		return false;
	memcpy(copy, list, size);
	for (size_t i = 0; i < count; i++)
		list[i] = copy[keys[i].index];
	free(copy);
	return true;
}

static bool is_in_order(const struct key *keys, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (keys[i].address < keys[i - 1].address)
			return false;
	return true;
}

static bool deal_symbols(struct symbol *list, size_t count, struct key *keys, uint32_t *starts)
{
	struct key *from = keys, *to = keys + count;

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct key){list[i].address, (uint32_t)i};
	/* a kernel's addresses differ only in their lower half */
	for (unsigned digit = 0; digit < DIGITS && !is_in_order(from, count); digit++)
		if (deal(from, count, digit, starts, to)) {
			struct key *swap = from;

			from = to;
			to = swap;
		}
	if (!move_symbols(list, count, from))
		return false;
	sort_names(list, count, from);
	return true;
}

void sort_symbols(struct symbol *list, size_t count)
{
	struct key *keys = malloc(2 * count * sizeof(*keys) + 1);
	uint32_t *starts = malloc(HEAPS * sizeof(*starts));

	if (count &&
	    (count < HEAPS / 16 || !keys || !starts || !deal_symbols(list, count, keys, starts)))
		qsort(list, count, sizeof(*list), symbol_compare);
	free(keys);
	free(starts);
}

size_t drop_twins(struct symbol *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!kept || symbol_compare(&list[kept - 1], &list[i]))
			list[kept++] = list[i];
	return kept;
}
