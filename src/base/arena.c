// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hands out zeroed memory that one call frees. A block is at least 64 KiB; a larger request gets
 * its own block.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/last.h"

#define BLOCK_SIZE ((size_t)64 << 10)

struct arena_block {
	struct arena_block *next;
	size_t size;
	size_t used;
	alignas(max_align_t) char data[];
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){0};
}

static void free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
}

void arena_deinit(struct arena *arena)
{
	free_blocks(arena->blocks);
	free_blocks(arena->spare);
	arena_init(arena);
}

/* Keeps the blocks, since the next use needs as many: malloc would return them to the system
 * each time. */
void arena_reset(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	arena->total = 0;
	arena->blocks = NULL;
	while (block) {
		struct arena_block *next = block->next;

		if (block->size > BLOCK_SIZE) {
			free(block);
		} else {
			memset(block->data, 0, block->used);
			block->used = 0;
			block->next = arena->spare;
			arena->spare = block;
		}
		block = next;
	}
}

static struct arena_block *block_alloc(struct arena *arena, size_t size)
{
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct arena_block *block = arena->spare;

	if (block && room == BLOCK_SIZE) {
		arena->spare = block->next;
		return block;
	}
	block = calloc(1, sizeof(*block) + room);
	if (!block)
		out_of_memory();
	block->size = room;
	return block;
}

static struct arena_block *block_new(struct arena *arena, size_t size)
{
	struct arena_block *block = block_alloc(arena, size);

	/* an outsize block goes behind the current one, which still has room */
	if (size > BLOCK_SIZE && arena->blocks) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		block->next = arena->blocks;
		arena->blocks = block;
	}
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->blocks;
	size_t aligned = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	void *memory;

	if (size > PTRDIFF_MAX)
		out_of_memory();
	arena->total += aligned;
	if (!block || block->size - block->used < aligned)
		block = block_new(arena, aligned);
	memory = block->data + block->used;
	block->used += aligned;
	return memory;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
	size_t product;

	if (__builtin_mul_overflow(count, size, &product))
		out_of_memory();
	return arena_alloc(arena, product);
}

void *arena_grow(struct arena *arena, const void *old, size_t old_size, size_t new_size)
{
	void *memory = arena_alloc(arena, new_size);

	if (old_size)
		memcpy(memory, old, old_size);
	return memory;
}

void *arena_more(struct arena *arena, void *list, size_t count, size_t size)
{
	if (count & (count - 1))
		return list;
	if (count > PTRDIFF_MAX / 2 / size)
		out_of_memory();
	return arena_grow(arena, list, count * size, (count ? 2 * count : 1) * size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	char here[256]; /* most texts are short and then formatted only once */
	va_list again;
	int length;
	char *text;

	va_copy(again, args);
	length = vsnprintf(here, sizeof(here), format, again);
	va_end(again);
	if (length < 0) /* longer than INT_MAX */
		out_of_memory();
	text = arena_alloc(arena, (size_t)length + 1);
	if ((size_t)length < sizeof(here))
		memcpy(text, here, (size_t)length);
	else
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}
