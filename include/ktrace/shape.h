/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What bytes mean to a person, free of any debug information: a tree that resolve/ builds from a
 * type, that travels with the capture and the value, and that sink/ walks over the recorded bytes.
 */
#ifndef KTRACE_SHAPE_H
#define KTRACE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "ktrace/type.h"

enum render {
	RENDER_SIGNED,
	RENDER_UNSIGNED,
	RENDER_HEX,
	RENDER_CHAR,
	RENDER_BOOL,
	RENDER_STRING,
	RENDER_SYMBOL,
	RENDER_ENUM,  /* by the shape's enumerators */
	RENDER_ERRNO, /* -ENOENT; a number that is no errno is shown signed or unsigned */
	RENDER_REFERENCE, /* in a C++ struct: the address of what the reference refers to, marked */
	RENDER_FLOAT, /* the bits of a floating-point number of the shape's size */
	RENDER_DEV,   /* 8:0: the kernel's dev_t (include/linux/kdev_t.h); of 8 bytes, a
		       * program's */
	RENDER_SYSCALL, /* the name of an x86-64 system call */
	RENDER_TIME,  /* ns, shown with a unit */
	/* FORMATTED, in network byte order */
	RENDER_IP4,
	RENDER_IP6,
	RENDER_SOCKADDR, /* a struct sockaddr_in or _in6: address and port */
	RENDER_MAC,
	RENDER_UUID,
};

enum shape_kind {
	SHAPE_NUMBER, /* 1, 2, 4 or 8 bytes; an integer may have 16; a float of 16 is the x87's */
	SHAPE_TEXT,   /* size bytes, up to a NUL */
	SHAPE_ARRAY,  /* count elements */
	SHAPE_STRUCT, /* or a union */
	SHAPE_FORMATTED, /* size bytes shown as one word: render says which */
	SHAPE_LOST,   /* size bytes of a member that the compiler kept nowhere */
};

struct shape_member;

struct shape {
	enum shape_kind kind;
	const char *name; /* of the type: "struct path" */
	uint32_t size;    /* bytes */
	enum render render; /* NUMBER, and the kinds after it */
	bool is_signed;
	bool is_flags; /* ENUM: the number is an OR of named bits */
	const struct enumerator *enumerators;
	unsigned nenumerators;
	const struct shape *element; /* ARRAY */
	uint32_t count;
	uint32_t stride; /* ARRAY: bytes from an element to the next one; 0: the element's size */
	const struct shape_member *members; /* STRUCT */
	unsigned nmembers;
};

/* bit_size != 0: a bit-field that starts bit_offset bits into the byte at offset. */
struct shape_member {
	const char *name;
	const struct shape *shape;
	uint32_t offset;
	uint8_t bit_offset;
	uint8_t bit_size;
};

#endif
