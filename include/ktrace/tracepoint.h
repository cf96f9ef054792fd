/* SPDX-License-Identifier: GPL-2.0-only */
/* An event that exists already, the kernel's own or another program's: ktrace defines nothing of
 * it. */
#ifndef KTRACE_TRACEPOINT_H
#define KTRACE_TRACEPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "ktrace/shape.h"

/* A line of its format file. */
struct tracepoint_field {
	const char *name;
	const char *type;  /* "const char *", "__u8"; the element's for an array */
	uint16_t size;     /* bytes in the record; a dynamic one's: of its location */
	bool is_signed;
	bool is_array;
	bool is_dynamic;   /* __data_loc, __rel_loc: its length varies by record */
	uint32_t count;    /* array in place: elements; 0: not given in digits */
	/* What the print fmt says the field means, or NULL. SHAPE_ARRAY: its elements are shown
	 * by render. */
	const struct shape *shape;
};

struct tracepoint {
	const char *system;
	const char *event;
	const char *format; /* text of its format file */
	struct tracepoint_field *fields; /* without common_*, which all events have */
	unsigned nfields;
};

/* The events that a spec of -e means. */
struct tracepoints {
	const struct spec *spec;
	struct tracepoint *list;
	unsigned count;
};

#endif
