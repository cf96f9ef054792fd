/* SPDX-License-Identifier: GPL-2.0-only */
/* The hash of a text, the same on every machine: FNV-1a, 32 bits. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

static inline uint32_t text_hash(const char *text)
{
	uint32_t value = 2166136261u;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 16777619u;
	return value;
}

#endif
