/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs from one processor to the next, as rows of facts. Chosen by the ELF's e_machine,
 * never by the host.
 */
#ifndef KTRACE_ARCH_H
#define KTRACE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

struct arch_code;

struct arch {
	const char *name;
	uint16_t machine; /* EM_* of elf.h */
	unsigned nregisters;
	/* kprobe_events name by DWARF register number, without '%'; NULL: the kernel has none.
	 * x86: arch/x86/kernel/ptrace.c regoffset_table; numbers: System V ABI AMD64, table 3.36 */
	const char *const *registers;
	/* DWARF numbers of the registers that carry the first integer arguments */
	unsigned narguments;
	const uint8_t *arguments;
	uint8_t stack_register;
	uint8_t return_register;
	uint8_t frame_register;
	uint8_t ip_register; /* of the probed instruction, as the kernel hands it out */
	uint8_t first_float_register; /* eight of them carry floating-point arguments */
	uint8_t nfloat_registers;
	const char *float_register; /* their names, without the number */
	bool has_x87; /* long double is x87's, of 80 bits in 16 bytes */
	const struct arch_code *code; /* how its code is decoded (arch/internal.h); NULL: it isn't */
};

#endif
