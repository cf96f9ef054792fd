/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door of arch/. To add a processor: a file with its row of facts (x86_64.c is one), a line in arch.c's table,
 * and for its code what an instruction does (struct arch_code in internal.h; x86_64_flow.c, x86_64_effect.c).
 * Outside of arch/, these know a processor by themselves: its relocations (debuginfo/dwarf_extern.c), the
 * registers that call frame information is about (target/unwind.c), the flags of ld.so.cache (target/library.c),
 * and the kernel's tables of hidden jumps (target/hidden_jumps.c).
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "ktrace/arch.h"

/* By e_machine; NULL: none of ours. */
const struct arch *arch_find(uint16_t machine);
/* "di", or NULL where kprobe events have no such register. */
const char *arch_register(const struct arch *arch, uint64_t dwarf_number);

#define NO_REGISTER (-1)

/* What an instruction does to the flow of control. */
struct insn {
	unsigned length;     /* bytes; 0: not to be decoded */
	bool falls_through;  /* the next instruction can follow it */
	bool is_branch;      /* target is set */
	bool is_indirect;    /* jumps to where can't be told */
	bool is_call;
	bool is_return;
	bool is_slot_jump;   /* indirect, by a pointer at a fixed place: to another function */
	bool is_table_jump;  /* indirect, by a pointer that an index chooses */
	uint64_t target;
	int jump_register;   /* DWARF number of the one it jumps by, or NO_REGISTER */
	int sum_register;    /* of the one that another is added to, or NO_REGISTER */
	bool is_padding;     /* does nothing */
};

/* What an instruction does to the stack and the registers (DWARF numbers), as far as a prologue needs
 * it. Offsets are against the registers as they are before the instruction. */
enum stack_effect {
	STACK_KEPT,
	STACK_MOVED, /* the stack pointer goes up by value */
	STACK_FRAME, /* the frame register becomes the stack pointer plus value */
	STACK_UNFRAMED, /* the frame register becomes something else, the stack pointer stays */
	STACK_LOST,  /* the stack pointer becomes something else */
};
struct effect {
	enum stack_effect stack;
	int64_t value;
	unsigned store_size; /* bytes, but of statics; 0: none */
	int store_base;      /* NO_REGISTER: the address can't be told */
	int64_t store_offset;
	int store_register; /* what is stored, or NO_REGISTER */
	bool store_updates; /* it is made of what was there */
	int copy_from;      /* copy_to becomes its value, or the low part of it */
	int copy_to;
	unsigned load_size; /* copy_to becomes so many bytes of memory; 0: no load, or of no register's */
	int load_base;
	int64_t load_offset;
	uint64_t written;   /* registers that change, a bit each */
	uint64_t updated;   /* of these, those that it has read */
};

/* Code, one instruction at a time. NULL: it can't be decoded. */
struct decoder;
struct decoder *decoder_open(const struct arch *arch);
void decoder_close(struct decoder *decoder);
void decoder_next(struct decoder *decoder, const uint8_t *code, size_t length, uint64_t address,
		  struct insn *ret);
/* Of the instruction that decoder_next() gave last. */
void decoder_effect(struct decoder *decoder, struct effect *ret);

#endif
