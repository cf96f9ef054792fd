/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between processors, as rows of facts. The row is chosen by the ELF's e_machine,
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
	/* Names in kprobe_events, without '%', by DWARF register number; NULL: the kernel has no
	 * name. x86: arch/x86/kernel/ptrace.c regoffset_table; numbers: System V ABI AMD64,
	 * figure 3.36 */
	const char *const *registers;
	/* where struct pt_regs has them, in bytes; only those that have names */
	const uint8_t *saved_at;
	/* DWARF numbers of the registers that carry the first integer arguments */
	unsigned narguments;
	const uint8_t *arguments;
	uint32_t preserved; /* a bit for each register that is after a call what it was before it */
	const char *padding; /* the bytes with which instructions that do nothing begin */
	uint8_t stack_register;
	uint8_t return_register;
	uint8_t frame_register;
	uint8_t ip_register; /* the probed instruction's address, as the kernel gives it */
	uint8_t first_float_register; /* eight of them carry floating-point arguments */
	uint8_t nfloat_registers;
	const char *float_register; /* their names, without the number */
	bool has_x87; /* long double is x87's: 80 bits in 16 bytes */
	const struct arch_code *code; /* its decoder (arch/internal.h), or NULL */
};

#endif
