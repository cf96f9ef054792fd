/* SPDX-License-Identifier: GPL-2.0-only */
/* The index of names, in blocks whose number is a power of two: by the highest bits of a hash. */
#ifndef PACK_INDEX_H
#define PACK_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* KEY_BITS of a name's hash. */
uint32_t index_key(const void *name, size_t length);
/* By how many bits `count` blocks are told apart. */
unsigned index_bits(uint64_t count);

#endif
