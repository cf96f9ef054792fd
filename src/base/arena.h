/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is allocated piece by piece and freed all at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdarg.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	struct arena_block *spare; /* emptied by arena_reset() */
	size_t total; /* bytes handed out */
};

void arena_init(struct arena *arena);
void arena_deinit(struct arena *arena);
/* Frees all allocations but keeps the blocks, for a next use of the same kind. */
void arena_reset(struct arena *arena);

/* Zeroed, aligned for any type. Never returns NULL: out of memory ends the process. */
void *arena_alloc(struct arena *arena, size_t size);
/* Checks the product: an overflow counts as out of memory. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);
/* A copy of `old` (old_size bytes) with room for new_size bytes; for arrays that grow. */
void *arena_grow(struct arena *arena, const void *old, size_t old_size, size_t new_size);
/* Makes room for one more element; the list may move. It starts as NULL and is extended by
 * nothing else: its room is always a power of two. */
void *arena_more(struct arena *arena, void *list, size_t count, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

#define arena_new(arena, type)          ((type *)arena_alloc(arena, sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc_array(arena, count, sizeof(type)))
/* The new element, zeroed, to assign to. */
#define arena_append(arena, list, count) \
	(*((list) = arena_more(arena, list, count, sizeof(*(list))), &(list)[(count)++]))

#endif
