/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine that runs a DWARF expression on symbolic values; shared by the files it is made
 * of. */
#ifndef DEBUGINFO_MACHINE_H
#define DEBUGINFO_MACHINE_H

#include "debuginfo/internal.h"

#define STACK_SIZE 64

/* DWARF 5, 2.5.1: generic values are address-sized; typed ones (DW_OP_convert and its kind) wrap
 * at their own width. */
struct slot {
	const struct expr *expr;
	uint8_t bits; /* 0: generic */
	bool is_signed;
};

struct machine {
	struct dwarf_info *info;
	Dwarf_Attribute *attribute;
	Dwarf_Die *frame;
	uint64_t pc;
	struct slot stack[STACK_SIZE];
	unsigned depth;
	unsigned floor; /* the enclosing expression's stack ends here */
	unsigned steps;
	enum loc_kind end; /* what the expression turned out to describe */
	bool done;
	unsigned nesting; /* how many expressions enclose this one */
	bool in_frame_base;
	struct piece *pieces;
	unsigned npieces;
	uint64_t target; /* LOC_IMPLICIT */
	int64_t offset;
	const char *reason; /* set: the expression is refused */
};

/* dwarf_expr.c */
void machine_run(struct machine *m, const Dwarf_Op *ops, size_t count, size_t first);
/* Runs an expression inside another one, on a stack of its own, and returns its value, already
 * popped. */
struct slot machine_run_inner(struct machine *m, const Dwarf_Op *ops, size_t count);

/* dwarf_stack.c */
/* Refuses the expression; the first reason counts. */
void machine_refuse(struct machine *m, const char *reason);
void machine_refuse_op(struct machine *m, uint8_t atom);
/* Refuses a value whose formula is too large. */
void check_size(struct machine *m, const struct expr *expr);
void push_typed(struct machine *m, const struct expr *expr, uint8_t bits, bool is_signed);
void push_generic(struct machine *m, const struct expr *expr);
void push_constant(struct machine *m, uint64_t value);
void push_register(struct machine *m, uint64_t number, int64_t offset);
struct slot pop_slot(struct machine *m);
void binary_operation(struct machine *m, enum expr_op op);
void unary_operation(struct machine *m, enum expr_op op);
void load_memory(struct machine *m, unsigned size);
void shuffle_stack(struct machine *m, const Dwarf_Op *op);
/* Returns EXPR_CONST when atom isn't a binary operator. */
enum expr_op binary_op(uint8_t atom);

/* dwarf_typed.c; offset: the type's DIE in its unit; 0: the generic type. */
void typed_convert(struct machine *m, uint64_t offset);
void typed_load(struct machine *m, unsigned size, uint64_t offset);
void typed_register(struct machine *m, uint64_t number, uint64_t offset);
void typed_constant(struct machine *m, const Dwarf_Op *op);

/* dwarf_frame.c */
void frame_address(struct machine *m);
void entry_value(struct machine *m, const Dwarf_Op *op);
void frame_base(struct machine *m, int64_t offset);

/* dwarf_branch.c: runs DW_OP_bra or DW_OP_skip. Returns false when the condition is unknown: then
 * both ways were run to the end. */
bool branch(struct machine *m, const Dwarf_Op *ops, size_t count, size_t *index);

#endif
