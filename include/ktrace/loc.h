/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a value is, in a form that is neither DWARF's nor the kernel's: an expression over
 * registers, memory and constants. All arithmetic is on 64 bits, as on DWARF's generic type.
 * Nodes are immutable and may be shared.
 */
#ifndef KTRACE_LOC_H
#define KTRACE_LOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum expr_op {
	EXPR_CONST,  /* value */
	EXPR_REG,    /* value: DWARF register number */
	EXPR_STATIC, /* value: an address in the ELF file; the kernel is given it as
		      * symbol+offset */
	EXPR_CPU,    /* the number of the CPU that was hit; plan/ replaces every one */
	EXPR_LOAD,   /* size bytes at the address a, extended by is_signed; is_user: user memory */
	EXPR_FETCH,  /* value: index of a recorded fetch (made by plan/, never by debuginfo/) */
	EXPR_EXTEND, /* the lowest size *bits* of a, extended by is_signed */
	EXPR_ENTRY,  /* the value of a when the enclosing function was entered */
	EXPR_IF,    /* a ? x : y, where b is the EXPR_ELSE of x and y; only one of the two counts */
	EXPR_ELSE,
	EXPR_NEG,
	EXPR_NOT,
	EXPR_ABS,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV, /* signed, as DW_OP_div */
	EXPR_DIVU,
	EXPR_MOD, /* unsigned, as DW_OP_mod */
	EXPR_AND,
	EXPR_OR,
	EXPR_XOR,
	EXPR_SHL,
	EXPR_SHR,
	EXPR_SHRA,
	EXPR_EQ, /* the six comparisons are signed, as DWARF's; they give 0 or 1 */
	EXPR_NE,
	EXPR_LT,
	EXPR_LE,
	EXPR_GT,
	EXPR_GE,
};

struct expr {
	enum expr_op op;
	uint8_t size;
	bool is_signed;
	bool is_user;
	uint64_t value;
	const struct expr *a;
	const struct expr *b;
};

enum loc_kind {
	LOC_MEMORY,  /* the object lies at the address expr */
	LOC_VALUE,   /* the object's (lowest 8) bytes are the value of expr; it has no address */
	LOC_PIECES,  /* the object's bytes are in several places: see pieces */
	/* a pointer to an object that was optimised away but has a value: see target */
	LOC_IMPLICIT,
	LOC_ABSENT,  /* described nowhere, or not at this position: see reason */
	LOC_REFUSED, /* described, but in a way that isn't evaluated: see reason */
};

/* Consecutive bytes of an object, from the lowest on. */
struct piece {
	uint32_t size;
	bool in_memory;          /* at the address expr; else the low bytes of the value expr */
	const struct expr *expr; /* NULL: these bytes don't exist */
};

struct loc {
	enum loc_kind kind;
	const struct expr *expr;
	const char *reason;
	const struct piece *pieces;
	unsigned npieces;
	/* IMPLICIT: the object pointed to, as the debug-info source knows it, ... */
	uint64_t target;
	int64_t offset;  /* ... and the byte in it */
};

#endif
