/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounds this process's address space while a file that isn't trusted is read; prepares its heap
 * for a large one. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bounds it to what it has now and `more` bytes. Returns the limit before, for memory_unbound(). */
uint64_t memory_bound(uint64_t more);
/* Raises the bound by `more` bytes, if there is one. */
void memory_extend(uint64_t more);
void memory_unbound(uint64_t limit);
/* So many bytes will soon be allocated: the kernel may give them two megabytes at a time, with a
 * fault each instead of 512. What is freed stays in the heap from then on, up to 32 MB. */
void memory_expect(size_t bytes);

#endif
