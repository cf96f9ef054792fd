/* SPDX-License-Identifier: GPL-2.0-only */
/* Hash functions, the same in every run on one kind of machine. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes at a time: a kernel has a hundred thousand names. */
static inline uint64_t bytes_hash(const void *bytes, size_t length)
{
	const uint8_t *at = bytes;
	uint64_t value = length, word;

	for (; length >= sizeof(word); length -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		value = (value ^ word) * 0x9e3779b97f4a7c15u;
		value ^= value >> 32;
	}
	word = 0;
	memcpy(&word, at, length);
	value = (value ^ word) * 0x9e3779b97f4a7c15u;
	return value ^ value >> 32;
}

static inline uint32_t number_hash(uint64_t number)
{
	return (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32);
}

static inline uint32_t text_hash(const char *text)
{
	return (uint32_t)bytes_hash(text, strlen(text));
}

#endif
