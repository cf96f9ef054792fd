// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks the records of a ring-buffer page. The layout is ABI (include/linux/ring_buffer.h and
 * events/header_event): a word with 5 bits of type and 27 of time, then the payload.
 * libtraceevent's kbuffer isn't used: it trusts each length it reads, and returns records that end
 * outside the page. The tests compare the two.
 */
#include "stream/page.h"

#include <string.h>

#define TYPE_BITS 5
#define TIME_BITS 27
#define COMMIT_MASK ((1u << 27) - 1)
#define COMMIT_MISSED (1u << 31) /* RB_MISSED_EVENTS; how many, stats says */
#define ABSOLUTE_MSB (0xf8ull << 56) /* an absolute time has 59 bits; the rest comes from before */

enum record_type {
	RECORD_LONG = 0, /* types 1..28: payload words; 0: bytes, in the next word */
	RECORD_PADDING = 29,
	RECORD_TIME_EXTEND = 30,
	RECORD_TIME_STAMP = 31,
};

static uint32_t word(const uint8_t *page, uint32_t offset)
{
	uint32_t value;

	memcpy(&value, page + offset, sizeof(value));
	return value;
}

void page_open(const struct page_shape *shape, const uint8_t *page, struct page_cursor *ret)
{
	uint32_t used = word(page, shape->commit) & COMMIT_MASK;

	/* little endian: the low half of an 8-byte count comes first */
	if (used > shape->size - shape->data)
		used = shape->size - shape->data;
	*ret = (struct page_cursor){
		.next = shape->data,
		.end = shape->data + used,
		.missed = word(page, shape->commit) & COMMIT_MISSED,
	};
	memcpy(&ret->time, page, sizeof(ret->time));
}

static uint64_t absolute_time(uint64_t stamp, uint64_t before)
{
	uint64_t time = (before & ABSOLUTE_MSB) | (stamp & ~ABSOLUTE_MSB);

	/* the 59 bits have wrapped since */
	return time < before && before - time > 1ull << 58 ? time + (1ull << 59) : time;
}

/* Steps over the record at cursor->next. Returns false when no valid record is there. */
static bool take_record(const uint8_t *page, struct page_cursor *cursor, uint32_t *type)
{
	uint32_t left = cursor->end - cursor->next;
	uint32_t head, second, size;
	uint64_t delta;

	if (left < 4)
		return false;
	head = word(page, cursor->next);
	second = left < 8 ? 0 : word(page, cursor->next + 4);
	*type = head & ((1u << TYPE_BITS) - 1);
	delta = head >> TYPE_BITS;
	cursor->record = cursor->next + 4;
	switch (*type) {
	case RECORD_TIME_EXTEND:
	case RECORD_TIME_STAMP:
		delta |= (uint64_t)second << TIME_BITS;
		size = 4;
		break;
	case RECORD_PADDING:
		if (!delta)
			return false; /* the rest of the page is empty */
		size = second;
		break;
	case RECORD_LONG:
		cursor->record += 4;
		size = second;
		break;
	default:
		size = *type * 4;
	}
	if (size > left - 4 || (*type == RECORD_LONG && size < 4))
		return false;
	cursor->length = *type == RECORD_LONG ? size - 4 : size;
	cursor->next += 4 + ((size + 3) & ~3u);
	cursor->time = *type == RECORD_TIME_STAMP ? absolute_time(delta, cursor->time) :
						    cursor->time + delta;
	return true;
}

bool page_next(const uint8_t *page, struct page_cursor *cursor)
{
	uint32_t type;

	do {
		if (cursor->next >= cursor->end || !take_record(page, cursor, &type)) {
			cursor->next = cursor->end;
			return false;
		}
	} while (type >= RECORD_PADDING);
	return true;
}
