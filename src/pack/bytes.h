/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists that grow; numbers and texts, written to and read from the bytes of a pack. Past the end,
 * numbers read as zero and is_bad is set. */
#ifndef PACK_BYTES_H
#define PACK_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/last.h"
#include "base/leb.h"
#include "base/strbuf.h"

struct in {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};

static inline struct in in_bytes(const void *data, size_t length)
{
	return (struct in){data, (const uint8_t *)data + length, false};
}

static inline size_t in_left(const struct in *in)
{
	return (size_t)(in->end - in->at);
}

static inline uint64_t get_leb(struct in *in)
{
	uint64_t value;

	if (in->at < in->end && *in->at < 0x80)
		return *in->at++;
	in->is_bad |= !leb_read(&in->at, in->end, &value);
	return value;
}

static inline uint64_t get_sleb(struct in *in)
{
	uint64_t value;

	in->is_bad |= !leb_read_signed(&in->at, in->end, &value);
	return value;
}

static inline uint64_t fold_sign(uint64_t value)
{
	return value << 1 ^ (value >> 63 ? ~(uint64_t)0 : 0);
}

static inline uint64_t unfold_sign(uint64_t value)
{
	return value >> 1 ^ (value & 1 ? ~(uint64_t)0 : 0);
}

/* A number near zero, on either side. */
static inline uint64_t get_near(struct in *in)
{
	return unfold_sign(get_leb(in));
}

static inline const void *get_bytes(struct in *in, size_t length)
{
	const uint8_t *at = in->at;

	if (in_left(in) < length) {
		in->is_bad = true;
		in->at = in->end;
		return NULL;
	}
	in->at += length;
	return at;
}

static inline uint64_t get_fixed(struct in *in, unsigned size)
{
	const void *at = get_bytes(in, size);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, size); /* little endian only, like all of ktrace */
	return value;
}

static inline const char *get_text(struct in *in)
{
	const uint8_t *start = in->at, *end = memchr(start, '\0', in_left(in));

	in->is_bad |= !end;
	in->at = end ? end + 1 : in->end;
	return end ? (const char *)start : "";
}

static inline void put_leb(struct strbuf *out, uint64_t value)
{
	char *at = strbuf_room(out, 10);

	for (; value >= 0x80; value >>= 7)
		*at++ = (char)(value | 0x80);
	*at++ = (char)value;
	strbuf_end(out, at);
}

static inline void put_near(struct strbuf *out, uint64_t value)
{
	put_leb(out, fold_sign(value));
}

static inline void put_sleb(struct strbuf *out, int64_t value)
{
	char *at = strbuf_room(out, 10);

	for (; value >= 0x40 || value < -0x40; value >>= 7)
		*at++ = (char)(value | 0x80);
	*at++ = (char)(value & 0x7f);
	strbuf_end(out, at);
}

static inline void put_fixed(struct strbuf *out, uint64_t value, unsigned size)
{
	strbuf_add(out, &value, size);
}

static inline void put_text(struct strbuf *out, const char *text)
{
	strbuf_add(out, text, strlen(text) + 1);
}

/* The list with room for one element more, twice as long as before where it was full; freed by the
 * caller. */
static inline void *list_room(void *list, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return list;
	*room = *room ? 2 * *room : 1024;
	list = realloc(list, *room * size);
	if (!list)
		out_of_memory();
	return list;
}

#endif
