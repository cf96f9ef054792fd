// SPDX-License-Identifier: GPL-2.0-only
/* Computes MD5 (RFC 1321): a checksum here, no proof against a forger. */
#include <endian.h>
#include <string.h>

#include "base/md5.h"

enum { BLOCK = 64 };

/* RFC 1321, 3.4: 2^32 times the sines of 1 to 64. */
static const uint32_t sines[BLOCK] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
	0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
	0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
	0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
	0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
	0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
	0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
	0xeb86d391,
};

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value << bits | value >> (32 - bits);
}

static void add_block(uint32_t state[4], const uint8_t *block)
{
	static const uint8_t turns[4][4] = {
		{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], words[16];

	memcpy(words, block, sizeof(words));
	for (unsigned i = 0; i < BLOCK; i++) {
		uint32_t mixed = i < 16 ? (b & c) | (~b & d) :
				 i < 32 ? (d & b) | (~d & c) :
				 i < 48 ? b ^ c ^ d :
					  c ^ (b | ~d);
		unsigned word = i < 16 ? i : i < 32 ? 5 * i + 1 : i < 48 ? 3 * i + 5 : 7 * i;
		uint32_t sum = a + mixed + sines[i] + le32toh(words[word % 16]);

		a = d;
		d = c;
		c = b;
		b += rotate(sum, turns[i / 16][i % 4]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

void md5_of(const void *bytes, size_t length, uint8_t ret[MD5_SIZE])
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	uint64_t bits = htole64((uint64_t)length * 8);
	size_t rest = length % BLOCK, whole = length - rest;
	uint8_t last[2 * BLOCK] = {0};
	size_t padded = rest < BLOCK - sizeof(bits) ? BLOCK : 2 * BLOCK;

	for (size_t i = 0; i < whole; i += BLOCK)
		add_block(state, (const uint8_t *)bytes + i);
	if (rest)
		memcpy(last, (const uint8_t *)bytes + whole, rest);
	last[rest] = 0x80;
	memcpy(last + padded - sizeof(bits), &bits, sizeof(bits));
	for (size_t i = 0; i < padded; i += BLOCK)
		add_block(state, last + i);
	for (unsigned i = 0; i < 4; i++)
		state[i] = htole32(state[i]);
	memcpy(ret, state, MD5_SIZE);
}
