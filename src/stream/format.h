/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the fields lie in the records of an event, and what they mean. */
#ifndef STREAM_FORMAT_H
#define STREAM_FORMAT_H

#include "base/error.h"
#include "stream/page.h"
#include "stream/stream.h"

/* format.c: where a field lies in the event's record. */
enum field_kind {
	FIELD_ABSENT,
	FIELD_INT,    /* 1, 2, 4 or 8 bytes */
	FIELD_BYTES,  /* an array, in place */
	FIELD_STRING, /* __data_loc or __rel_loc: 16 bits offset, 16 bits length */
};

struct field {
	enum field_kind kind;
	bool is_signed;
	uint16_t offset;
	uint16_t size;
	uint16_t count; /* of data_locs, FIELD_STRING */
	uint16_t next;  /* FIELD_STRING: where the record's next one is, or 0 */
	uint16_t base;  /* FIELD_STRING: what its offset counts from */
	bool may_be_empty; /* FIELD_STRING: a length of 0 isn't a fault (not a probe event) */
};

struct named_field {
	const char *name;
	struct field field;
};

struct format {
	struct named_field *fields; /* in the order of the text */
	unsigned nfields;
};

/* Reads all fields; an error when a line isn't understood. */
struct error *format_read(struct arena *arena, const char *text, struct format *ret) must_check;
/* ret->kind is FIELD_ABSENT when the format has no such field. */
void format_field(const struct format *format, const char *name, struct field *ret);
/* header_page: the file's text. */
struct error *shape_read(struct arena *arena, const char *header_page,
			 struct page_shape *ret) must_check;

/* print_format.c: sets fields' shapes by what the print fmt says of them. */
struct tep_event;
void print_shapes(struct arena *arena, const struct tep_event *event,
		  struct tracepoint *tracepoint);

#endif
