// SPDX-License-Identifier: GPL-2.0-only
/* Bytes of a section in, the numbers and texts that lie there one behind the other out; behind the end
 * there are only zeros, and is_bad says so. */
#include <string.h>

#include "debuginfo/internal.h"

uint64_t read_fixed(struct reader *reader, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(reader->end - reader->at) < size) {
		reader->at = reader->end;
		reader->is_bad = true;
		return 0;
	}
	memcpy(&value, reader->at, size); /* little endian, as all of ktrace */
	reader->at += size;
	return value;
}

uint64_t read_leb(struct reader *reader)
{
	uint64_t value = 0;

	for (unsigned shift = 0; reader->at < reader->end; shift += 7) {
		uint8_t byte = *reader->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	reader->is_bad = true;
	return 0;
}

uint64_t read_sleb(struct reader *reader)
{
	const uint8_t *start = reader->at;
	uint64_t value = read_leb(reader);
	unsigned bits = (unsigned)(reader->at - start) * 7;

	return bits < 64 && value >> (bits - 1) ? value | ~(uint64_t)0 << bits : value;
}

const char *read_text(struct reader *reader)
{
	const uint8_t *text = reader->at;
	const uint8_t *end = memchr(text, '\0', (size_t)(reader->end - text));

	reader->is_bad |= !end;
	reader->at = end ? end + 1 : reader->end;
	return end ? (const char *)text : "";
}

void skip_bytes(struct reader *reader, uint64_t count)
{
	bool is_short = count > (uint64_t)(reader->end - reader->at);

	reader->is_bad |= is_short;
	reader->at = is_short ? reader->end : reader->at + count;
}
