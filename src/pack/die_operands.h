/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions of DWARF: where they mention other DIEs. */
#ifndef PACK_DIE_OPERANDS_H
#define PACK_DIE_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPERANDS_MAX 32

/* An operand that is the offset of a DIE. */
struct operand {
	uint32_t at;    /* in the expression */
	uint8_t width;  /* bytes */
	bool is_leb;
	bool is_global; /* from the beginning of .debug_info, not of the unit */
};

/* The operands of an expression. Returns how many there are, or -1 when there are too many. Behind
 * an operation that isn't known there are none: its length is unknown too. */
int find_operands(const uint8_t *bytes, size_t length, struct operand ret[OPERANDS_MAX]);
uint64_t operand_get(const uint8_t *bytes, const struct operand *operand);
/* Writes it with the width that it has. Returns false when it doesn't fit. */
bool operand_set(uint8_t *bytes, const struct operand *operand, uint64_t value);

#endif
