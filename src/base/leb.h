/* SPDX-License-Identifier: GPL-2.0-only */
/* LEB128, DWARF's numbers of variable length (DWARF 5, 7.6). */
#ifndef BASE_LEB_H
#define BASE_LEB_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a number and moves *at behind it; bits beyond 64 are dropped. Returns false, *ret 0,
 * when `end` comes before the number's end. */
static inline bool leb_read(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned shift = 0; *at < end; shift += 7) {
		uint8_t byte = *(*at)++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret = value;
			return true;
		}
	}
	*ret = 0;
	return false;
}

/* The same for a signed number, sign-extended to 64 bits. */
static inline bool leb_read_signed(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
	const uint8_t *start = *at;
	bool is_whole = leb_read(at, end, ret);
	uint64_t bits = (uint64_t)(*at - start) * 7;

	if (is_whole && bits < 64 && *ret >> (bits - 1))
		*ret |= ~(uint64_t)0 << bits;
	return is_whole;
}

#endif
