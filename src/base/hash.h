/* SPDX-License-Identifier: GPL-2.0-only */
/* The hash of a text: 32 bits, the same in every run on one kind of machine. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>
#include <string.h>

/* Eight bytes at a time: a kernel has a hundred thousand names. */
static inline uint32_t text_hash(const char *text)
{
	size_t length = strlen(text);
	uint64_t value = length, word;

	for (; length >= sizeof(word); length -= sizeof(word), text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		value = (value ^ word) * 0x9e3779b97f4a7c15u;
		value ^= value >> 32;
	}
	word = 0;
	memcpy(&word, text, length);
	value = (value ^ word) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(value >> 32);
}

#endif
