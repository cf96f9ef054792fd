/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of arch/. To add a processor: a file with its row of facts (like x86_64.c), a line
 * in arch.c's table, and what its instructions do (struct arch_code in internal.h; x86_64_flow.c,
 * x86_64_effect.c). Outside arch/, these know processors too: relocations
 * (debuginfo/dwarf_extern.c), calling conventions (debuginfo/btf/convention.c,
 * debuginfo/dwarf_untold.c), the registers of call frame information (target/frame_rules.c), the
 * flags of ld.so.cache (target/library.c), and the kernel's tables of hidden jumps
 * (target/hidden_jumps.c).
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "ktrace/arch.h"

/* Returns NULL when ktrace doesn't know the processor. */
const struct arch *arch_find(uint16_t machine);
/* The same by its name, "x86_64". */
const struct arch *arch_named(const char *name);
/* The processor that ktrace itself is built for, as the running kernel is; NULL: not known. */
const struct arch *arch_running(void);
/* "di". Returns NULL when kprobe events have no such register. */
const char *arch_register(const struct arch *arch, uint64_t dwarf_number);

#define NO_REGISTER (-1)

/* What an instruction does to the flow of control. */
struct insn {
	unsigned length;     /* bytes; 0: it can't be decoded */
	bool falls_through;  /* the next instruction can follow it */
	bool is_branch;      /* target is set */
	bool is_indirect;    /* jumps to an unknown address */
	bool is_call;
	bool is_return;
	bool is_slot_jump;   /* indirect, by a pointer at a fixed address: to another function */
	bool is_table_jump;  /* indirect, by a pointer that an index chooses */
	uint64_t target;
	uint64_t callee;     /* where a direct call leads; else 0 */
	int jump_register;   /* DWARF number of the register it jumps to, or NO_REGISTER */
	int sum_register;    /* of the register that another is added to, or NO_REGISTER */
	uint64_t slot;       /* is_slot_jump, or such a call: where the pointer is; else 0 */
	bool is_padding;     /* does nothing */
	bool is_trap;        /* raises an exception on purpose: BUG() and WARN() of the kernel */
	unsigned kind;       /* a number of the operation, whatever its operands */
	bool is_vector;      /* calculates with several numbers at once */
	bool is_choice;      /* its result depends on flags: cmov, set, adc, sbb */
	bool is_repeated;    /* stores a number of times: rep stos, rep movs */
	/* "an instruction ...", where the kernel takes no uprobe, or takes one and executes
	 * something else; else NULL. It says so of no process that maps the file later. */
	const char *unprobed;
	/* A nop of five bytes: since 6.18 the kernel puts a call in its place while it has a
	 * uprobe. */
	bool becomes_call;
};

/* What an instruction does to the stack and the registers (DWARF numbers), as far as prologues
 * need it. Offsets are relative to the registers before the instruction. */
enum stack_effect {
	STACK_KEPT,
	STACK_MOVED, /* value is added to the stack pointer */
	STACK_FRAME, /* the frame register becomes the stack pointer plus value */
	STACK_UNFRAMED, /* the frame register becomes something else, the stack pointer stays */
	/* value is added to the stack pointer, the frame register is the caller's again */
	STACK_RESTORED,
	STACK_LOST,  /* the stack pointer becomes something else */
};
struct effect {
	enum stack_effect stack;
	int64_t value;
	unsigned store_size; /* bytes; 0: none, or to a static */
	unsigned static_size; /* bytes; 0: it stores to none */
	uint64_t static_at;   /* the static that it names; 0: none, or a thread's */
	int store_base;      /* NO_REGISTER: the address is unknown */
	int64_t store_offset;
	int store_register; /* what is stored, or NO_REGISTER */
	int put_register;   /* the same, also where an index is part of the address */
	bool store_updates; /* the new value depends on the old one */
	int copy_from;      /* copy_to gets its value, or the low part of it */
	int copy_to;
	int choice_of; /* it writes this register's value, or leaves the old one: cmov */
	unsigned load_size; /* bytes loaded into copy_to; 0: no plain load */
	int load_base;
	int64_t load_offset;
	uint64_t written;   /* registers that change, one bit each */
	uint64_t updated;   /* those of them that it also read */
	uint64_t read;      /* registers that it reads, those of an address among them */
	bool makes_address; /* what it writes to a register may be an address: it has that width */
	/* The memory that it names, or whose address it makes, but for what push and pop imply. */
	enum memory_use {
		MEMORY_NONE,
		MEMORY_ADDRESS,
		MEMORY_READ,
		MEMORY_WRITTEN, /* all of it, and not read before */
	} memory;
	int memory_base;       /* NO_REGISTER: none, or a static */
	bool is_indexed;       /* a register is added to that: */
	int memory_index;      /* or NO_REGISTER */
	unsigned memory_scale; /* by which that is multiplied */
	int64_t memory_offset;
	unsigned memory_size;  /* bytes */
	int sum_of;            /* it makes the sum of this one and a constant, or NO_REGISTER */
	int64_t summand;       /* that constant; if store_updates, one that it adds to memory */
	int constant_to; /* it puts a constant into this register, or NO_REGISTER */
	int64_t constant;
	bool stores_constant; /* it stores that */
};

/* Decodes code, one instruction at a time. Returns NULL when there is no decoder. */
struct decoder;
struct decoder *decoder_open(const struct arch *arch);
void decoder_close(struct decoder *decoder);
void decoder_next(struct decoder *decoder, const uint8_t *code, size_t length, uint64_t address,
		  struct insn *ret);
/* The effect of the instruction that decoder_next() decoded last. */
void decoder_effect(struct decoder *decoder, struct effect *ret);

/* Whether the bytes may be a direct jump without its prefixes, and where that leads, though perhaps
 * no instruction begins there: to look at each byte so costs far less than to decode the code. */
bool arch_jump_at(const struct arch *arch, const uint8_t *code, size_t length, uint64_t address,
		  uint64_t *target);

/* red_zone.c: "a nop ...", why the instruction at `address` must not become a call: the function,
 * the `length` bytes at `start`, may keep values below its stack pointer there. NULL: it doesn't,
 * or the instruction doesn't become one. */
const char *red_zone_obstacle(const struct arch *arch, const uint8_t *code, size_t length,
			      uint64_t start, uint64_t address);

#endif
