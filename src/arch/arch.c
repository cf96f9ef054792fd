// SPDX-License-Identifier: GPL-2.0-only
/* An e_machine in, a row of facts out. To add a processor: a row here, a case in decode.c. */
#include <elf.h>
#include <stddef.h>

#include "arch/arch.h"

/* System V ABI AMD64, figure 3.36; names as in arch/x86/kernel/ptrace.c regoffset_table. DWARF's
 * order is not the encoding's: 1 is dx, 4 is si. 16 is the return address. */
static const char *const x86_64_registers[] = {
	"ax", "dx", "cx", "bx", "si", "di", "bp", "sp",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"ip",
	[49] = "flags",
};

static const uint8_t x86_64_arguments[] = {5, 4, 1, 2, 8, 9};

static const struct arch archs[] = {
	{
		.name = "x86_64",
		.machine = EM_X86_64,
		.nregisters = sizeof(x86_64_registers) / sizeof(*x86_64_registers),
		.registers = x86_64_registers,
		.narguments = sizeof(x86_64_arguments),
		.arguments = x86_64_arguments,
		.stack_register = 7,
		.return_register = 0,
		.frame_register = 6,
		.ip_register = 16,
		.first_float_register = 17,
		.nfloat_registers = 16,
		.float_register = "xmm",
	},
};

const struct arch *arch_find(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (archs[i].machine == machine)
			return &archs[i];
	return NULL;
}

const char *arch_register(const struct arch *arch, uint64_t dwarf_number)
{
	return dwarf_number < arch->nregisters ? arch->registers[dwarf_number] : NULL;
}
