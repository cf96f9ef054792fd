/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds, simplifies, prints and evaluates the expressions of ktrace/loc.h. Every builder returns
 * the simplest equal expression it knows; equal means on all 64 bits.
 */
#ifndef BASE_EXPR_H
#define BASE_EXPR_H

#include "base/arena.h"
#include "ktrace/loc.h"

const struct expr *expr_const(struct arena *arena, uint64_t value);
const struct expr *expr_leaf(struct arena *arena, enum expr_op op, uint64_t value);
const struct expr *expr_unary(struct arena *arena, enum expr_op op, const struct expr *a);
const struct expr *expr_binary(struct arena *arena, enum expr_op op, const struct expr *a,
			       const struct expr *b);
/* condition ? a : b */
const struct expr *expr_if(struct arena *arena, const struct expr *condition, const struct expr *a,
			   const struct expr *b);
/* a + offset */
const struct expr *expr_offset(struct arena *arena, const struct expr *a, int64_t offset);
const struct expr *expr_load(struct arena *arena, const struct expr *address, unsigned size,
			     bool is_signed, bool is_user);
/* The lowest bits of a, extended to 64. bits: 1..64. */
const struct expr *expr_extend(struct arena *arena, const struct expr *a, unsigned bits,
			       bool is_signed);

/* Whether some node of it is of that kind. */
bool expr_uses(const struct expr *expr, enum expr_op op);

/* The registers, of the first 64, that it reads now, one bit each; those of the function's entry
 * aren't. */
uint64_t expr_registers(const struct expr *expr);
static inline bool expr_reads(const struct expr *expr, uint64_t number)
{
	return number < 64 && expr_registers(expr) >> number & 1;
}
/* Whether it is a register, *number, and a number that is added, *offset. */
bool expr_is_based(const struct expr *expr, uint64_t *number, int64_t *offset);

/* Whether it may divide by zero. */
bool expr_may_fail(const struct expr *expr);

/* What has no value, as it can't be told; and whether some node of it is that. */
const struct expr *expr_no_value(struct arena *arena);
bool expr_has_no_value(const struct expr *expr);

bool expr_equal(const struct expr *a, const struct expr *b);
/* Whether both say the same place, or value, piece by piece. */
bool loc_equal(const struct loc *a, const struct loc *b);

/* The low `bits` of value, extended to 64. */
uint64_t extend_bits(uint64_t value, unsigned bits, bool is_signed);

/* Evaluates over fetches[] (EXPR_FETCH). Returns false if it has no value (division by zero, or
 * a node only the kernel can evaluate). */
bool expr_eval(const struct expr *expr, const uint64_t *fetches, uint64_t *ret);

/* Prints C-like text. Leaves are printed by leaf(), which returns NULL for a leaf that has no
 * text. */
typedef const char *expr_leaf_fn(void *cookie, struct arena *arena, const struct expr *leaf);
#define EXPR_NO_VALUE "unavailable" /* expr_no_value(), as printed */
char *expr_print(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf, void *cookie);
/* "+", for EXPR_ADD to EXPR_GE. */
const char *expr_operator(enum expr_op op);

#define EXPR_NODES_MAX 65536 /* of an expression that is read */

/* Reads what expr_print() wrote. leaf() takes a leaf's text, moves *at behind it, and returns NULL
 * if there is none. Returns NULL if the text is no expression, or too large a one. */
typedef const struct expr *expr_read_leaf_fn(void *cookie, struct arena *arena, const char **at);
const struct expr *expr_read(struct arena *arena, const char *text, expr_read_leaf_fn *leaf,
			     void *cookie);

#endif
