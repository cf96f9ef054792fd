// SPDX-License-Identifier: GPL-2.0-only
/* Reads nodes of the pool: a block of it is unpacked, and of that a part decoded, when one of its
 * nodes is asked for. */
#include <stdlib.h>

#include "base/search.h"
#include "pack/decode.h"

static uint64_t part_count(const struct pool_block *block)
{
	return (block->end - block->first + PART_CLASSES - 1) / PART_CLASSES;
}

static void drop_pool(struct pool_block *block)
{
	for (uint64_t i = 0; block->parts && i < part_count(block); i++)
		free(block->parts[i].tokens.list);
	free(block->bytes);
}

static bool load_pool(struct decoder *decoder, uint64_t index)
{
	struct pool_block *block = &decoder->pools[index];
	uint64_t nparts = part_count(block);
	struct unit_bytes bytes = {.nodes = in_bytes("", 0), .files = in_bytes("", 0)};
	size_t size = 0;

	block->bytes = decoder->load(decoder->cookie, GROUP_POOL, index, &size);
	bytes.columns = in_bytes(block->bytes, size);
	if (!block->bytes ||
	    !columns_open(decoder->arena, &bytes, nparts, decoder->shapes.ncolumns,
			  &block->columns) ||
	    in_left(&block->columns.bytes.columns) < block->end - block->first) {
		free(block->bytes);
		block->bytes = NULL;
		return false;
	}
	block->parts = arena_array(decoder->arena, struct pool_part, nparts + 1);
	return true;
}

static bool decode_part(struct decoder *decoder, struct pool_block *block, uint32_t number)
{
	struct pool_part *part = &block->parts[number];
	uint32_t first = block->first + number * PART_CLASSES, left = block->end - first;
	uint32_t count = left < PART_CLASSES ? left : PART_CLASSES;
	struct tracker tracker = {0};
	bool is_good = true;

	part->tokens.count = 0;
	columns_take(&block->columns, number);
	for (uint32_t i = 0; i < count && is_good; i++) {
		part->starts[i] = part->tokens.count;
		is_good = decode_node(decoder, &block->columns, &tracker, first + i, &part->tokens);
	}
	part->starts[count] = part->tokens.count;
	part->is_there = is_good && columns_close(&block->columns);
	return part->is_there;
}

bool pool_node(struct decoder *decoder, uint32_t class, const uint64_t **tokens, size_t *count)
{
	size_t at = partition_point(decoder->npools, i, decoder->pools[i].end <= class);
	struct pool_block *block = &decoder->pools[at];
	struct pool_part *part;
	uint32_t number;

	if (at == decoder->npools || (!block->bytes && !load_pool(decoder, at)))
		return false;
	number = (class - block->first) / PART_CLASSES;
	part = &block->parts[number];
	if (!part->is_there && !decode_part(decoder, block, number))
		return false;
	number = (class - block->first) % PART_CLASSES;
	*tokens = part->tokens.list + part->starts[number];
	*count = part->starts[number + 1] - part->starts[number];
	return true;
}

void pool_end(struct decoder *decoder)
{
	for (uint64_t i = 0; i < decoder->npools; i++)
		drop_pool(&decoder->pools[i]);
	decoder->npools = 0;
}
