/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of the source language, independent of the format they came from (DWARF, BTF). Typedefs and
 * qualifiers survive only in the name, which is the type as a programmer writes it. Owned by the
 * arena of the debug-info source; `source` is that source's own handle.
 */
#ifndef KTRACE_TYPE_H
#define KTRACE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

enum type_kind {
	TYPE_VOID,
	TYPE_INT,
	TYPE_BOOL,
	TYPE_CHAR,
	TYPE_FLOAT,
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FUNCTION,
	TYPE_OTHER,
};

struct type {
	enum type_kind kind;
	const char *name;
	uint64_t size; /* bytes; 0 where unknown */
	bool is_signed;
	bool is_complex; /* ARRAY: a complex number, two floating-point ones (C11 6.2.5p13) */
	bool is_reference; /* POINTER: a C++ reference, shown as what it refers to */
	const struct type *target; /* POINTER: what it points to; ARRAY: the element */
	uint64_t count;            /* ARRAY: elements; 0: flexible or unknown */
	int64_t first;   /* ARRAY: the index of the first element: 0 in C, mostly 1 in Fortran */
	uint64_t stride; /* ARRAY: bytes from an element to the next one; 0: the element's size */
	uint64_t source;
};

/* A C++ reference to a function stays a pointer: a function has no bytes to show. */
static inline bool type_is_reference(const struct type *type)
{
	return type->kind == TYPE_POINTER && type->is_reference &&
	       type->target->kind != TYPE_FUNCTION;
}

/* Bytes from an element of an array to the next one. */
static inline uint64_t type_stride(const struct type *array)
{
	return array->stride ? array->stride : array->target->size;
}

/* A constant of an enum; number is extended to 64 bits by the enum's signedness. */
struct enumerator {
	const char *name;
	uint64_t number;
};

/* A member of a struct or union. For a bit-field bit_size != 0, and bit_offset counts from the
 * least significant bit of the byte at offset (little endian). */
struct member {
	const char *name;
	const struct type *type;
	uint64_t offset; /* bytes from the start of the outermost struct asked about */
	unsigned bit_offset;
	unsigned bit_size;
};

#endif
