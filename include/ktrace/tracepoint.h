/* SPDX-License-Identifier: GPL-2.0-only */
/* An event that exists already: the kernel's own, or somebody's. Nothing of it is for us to define. */
#ifndef KTRACE_TRACEPOINT_H
#define KTRACE_TRACEPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "ktrace/shape.h"

/* A line of its format file. */
struct tracepoint_field {
	const char *name;
	const char *type;  /* "const char *", "__u8": of arrays the element's */
	uint16_t size;     /* bytes in the record; of a dynamic one those that say where it lies */
	bool is_signed;
	bool is_array;
	bool is_dynamic;   /* __data_loc, __rel_loc: its length is each record's own */
	uint32_t count;    /* ARRAY in place: elements; 0: the format doesn't say it in digits */
	/* What the event's print fmt says it means, or NULL. SHAPE_ARRAY: its elements are shown by render. */
	const struct shape *shape;
};

struct tracepoint {
	const char *system;
	const char *event;
	const char *format; /* text of its format file */
	struct tracepoint_field *fields; /* without those that all events have (common_*) */
	unsigned nfields;
};

#endif
