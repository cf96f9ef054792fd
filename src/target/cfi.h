/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of call frame information, and the machine that computes with it. */
#ifndef TARGET_CFI_H
#define TARGET_CFI_H

#include "target/frames.h"
#include "target/internal.h"

/* The System V ABI AMD64: DWARF numbers of the frame and stack pointers and of the return
 * address. */
enum { FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16, WORD = 8 };

/* A register's place in the caller: most are the CFA and an offset. */
enum rule_kind {
	RULE_UNDEFINED,
	RULE_SAME,
	RULE_AT_CFA,     /* in memory at the CFA + offset */
	RULE_IS_CFA,     /* the CFA + offset */
	RULE_EXPRESSION,
};

struct rule {
	enum rule_kind kind;
	int64_t offset;
	const Dwarf_Op *ops; /* libdw's, or the row's */
	size_t nops;
};

struct row {
	uint64_t address;
	Dwarf_Frame *frame; /* NULL: nothing is said */
	bool is_signal;
	bool is_simple_cfa; /* cfa_register + cfa_offset */
	unsigned cfa_register;
	int64_t cfa_offset;
	const Dwarf_Op *cfa;
	size_t ncfa;
	struct rule rules[STACK_REGISTERS];
	Dwarf_Op room[STACK_REGISTERS][3];
};

/* cfi.c: what is said of an address; free(3) its frame and the row. Returns NULL: out of memory. */
struct row *read_cfi_row(const struct target *target, uint64_t address);
/* The frame at an address; free(3) it. Returns false when nothing is said of it. */
bool find_cfi_frame(const struct target *target, uint64_t address, Dwarf_Frame **ret);

/* cfi_machine.c */
#define DEPTH_MAX 32 /* numbers on an expression's stack */
struct machine {
	const struct frame_state *state;
	const struct stack_memory *memory;
	uint64_t from;
	uint64_t cfa;
	uint64_t stack[DEPTH_MAX];
	unsigned depth;
	bool lacks_memory;
};
/* Sets machine->cfa. Returns false when it can't be computed, or memory is lacking that it
 * needs. */
bool machine_find_cfa(struct machine *machine, const struct row *row);
/* A register of the caller's; likewise. */
bool machine_restore(struct machine *machine, const struct rule *rule, unsigned number,
		     uint64_t *ret);

#endif
